// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row for each copy instruction: the widths that a lane moves, the ROCDL
// operations and the feature that the chip needs. Verifiers, emission and the
// chip check of the copy atoms read these rows.

#ifndef FLY_ARCH_COPYINSTRUCTIONS_H
#define FLY_ARCH_COPYINSTRUCTIONS_H

#include "Fly/Arch/Chips.h"

namespace fly::arch {

/// The families of copy atoms that AMD chips implement in instructions of
/// their own; universal copies are plain loads and stores and need no row.
enum class CopyFamily : uint8_t { BufferCopy, BufferCopyLds };

/// The type mnemonic of a family, such as "cdna3.buffer_copy".
llvm::StringRef familyMnemonic(CopyFamily family);

/// One width of a copy instruction.
struct CopyInstruction {
  CopyFamily family;
  /// Bits that one lane moves.
  uint16_t bits;
  /// ROCDL operation that reads memory.
  llvm::StringLiteral loadOp;
  /// ROCDL operation that writes memory; empty for a one-way instruction.
  llvm::StringLiteral storeOp;
  Feature feature;
};

/// Every row.
llvm::ArrayRef<CopyInstruction> copyInstructions();
/// The row of this width, or null.
const CopyInstruction *lookupCopy(CopyFamily family, int64_t bits);
/// "8, 16, 32": the widths of `family`, only those of `chip` if it is given.
std::string copyWidths(CopyFamily family, const Chip *chip = nullptr);

/// What a buffer atomic does to memory.
enum class BufferAtomicKind : uint8_t { FAdd, FMax, SMax, UMin };

/// One value type of a buffer atomic.
struct BufferAtomic {
  BufferAtomicKind kind;
  /// Spelling of the value type in MLIR, such as "vector<2xf16>".
  llvm::StringLiteral type;
  llvm::StringLiteral op;
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

} // namespace fly::arch

#endif // FLY_ARCH_COPYINSTRUCTIONS_H
