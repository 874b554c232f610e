// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row for each copy instruction: the widths that a lane moves, the ROCDL
// operations and the feature that the chip needs. Verifiers, emission, the
// chip check, the reference page and the tests of the copy atoms read these
// rows.

#ifndef FLY_ARCH_COPYINSTRUCTIONS_H
#define FLY_ARCH_COPYINSTRUCTIONS_H

#include "Fly/Arch/Chips.h"

namespace fly::arch {

/// The families of copy atoms that AMD chips implement in instructions of
/// their own; universal copies are plain loads and stores and need no row.
enum class CopyFamily : uint8_t {
  BufferCopy,
  BufferCopyLds,
  BufferLoadAsyncLds,
  GlobalLoadAsyncLds,
  LdsReadTrans,
  Tdm,
  TensorLoad,
  TensorStore,
};

/// What all widths of a family share; tests hold the atom types against it.
struct CopyFamilyRow {
  CopyFamily family;
  /// The type mnemonic, such as "cdna3.buffer_copy".
  llvm::StringLiteral mnemonic;
  /// From where to where, in the address spaces of memrefs: "buffer -> shared".
  /// Several ways are set apart by ", ".
  llvm::StringLiteral ways;
  /// The settable fields of the state in order, with ", " between; empty for
  /// none.
  llvm::StringLiteral state;
  /// What is waited for before the data may be used, and by whom.
  llvm::StringLiteral wait;
  /// Where the facts of the family are from.
  llvm::StringLiteral source;
};

/// Every family, in the order of the enumeration.
llvm::ArrayRef<CopyFamilyRow> copyFamilies();
const CopyFamilyRow &familyRow(CopyFamily family);
/// The type mnemonic of a family, such as "cdna3.buffer_copy".
llvm::StringRef familyMnemonic(CopyFamily family);

/// One width of a copy instruction.
struct CopyInstruction {
  CopyFamily family;
  /// Bits that one lane moves; of the families that move tiles, the bits of an
  /// element.
  uint16_t bits;
  /// Bits of the elements that a transposing read tells apart, else 0.
  uint8_t granularity;
  /// ROCDL operation that reads memory; empty if there is none.
  llvm::StringLiteral loadOp;
  /// ROCDL operation that writes memory; empty if there is none.
  llvm::StringLiteral storeOp;
  Feature feature;
};

/// Every row.
llvm::ArrayRef<CopyInstruction> copyInstructions();
/// The row of this width (and granularity), or null.
const CopyInstruction *lookupCopy(CopyFamily family, int64_t bits,
                                  int64_t granularity = 0);
/// "8, 16, 32": the widths of `family`, only those of `chip` if it is given.
/// Those of transposing reads are written as "4b 64".
std::string copyWidths(CopyFamily family, const Chip *chip = nullptr);

/// The bits of the cache policy operand (`aux` of buffer instructions,
/// `cachePolicy` of tensor copies) that mean something on `chip`.
uint32_t cachePolicyBits(const Chip &chip);
/// What these bits are, for a diagnostic: "sc0 (1), nt (2), sc1 (16)".
llvm::StringRef cachePolicyNames(const Chip &chip);

/// Bits of a buffer descriptor's size in bytes (num_records).
unsigned bufferSizeBits(const Chip &chip);

/// What a buffer atomic does to memory.
enum class BufferAtomicKind : uint8_t {
  FAdd,
  FMax,
  FMin,
  Add,
  SMax,
  UMax,
  SMin,
  UMin,
  And,
  Or,
  Inc,
  Dec,
};

/// One value type of a buffer atomic.
struct BufferAtomic {
  BufferAtomicKind kind;
  /// Spelling of the value type in MLIR, such as "vector<2xf16>".
  llvm::StringLiteral type;
  /// The ROCDL operation, which has no result; empty if there is none.
  llvm::StringLiteral op;
  /// The LLVM intrinsic, whose result is the old value of the memory.
  llvm::StringLiteral intrinsic;
  Feature feature;
};

/// Every buffer atomic.
llvm::ArrayRef<BufferAtomic> bufferAtomics();
/// The row of this kind and value type (its MLIR spelling), or null.
const BufferAtomic *lookupBufferAtomic(BufferAtomicKind kind,
                                       llvm::StringRef type);
/// The value types of `kind`, only those of `chip` if it is given.
std::string bufferAtomicTypes(BufferAtomicKind kind,
                              const Chip *chip = nullptr);

/// True if `chip` orders memory by this scope of synchronisation (the empty one
/// is the whole system).
bool isSyncScope(const Chip &chip, llvm::StringRef scope);
/// The scopes of `chip`, for a diagnostic.
std::string syncScopeNames(const Chip &chip);

} // namespace fly::arch

#endif // FLY_ARCH_COPYINSTRUCTIONS_H
