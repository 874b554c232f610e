// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy instruction rows. Sources: the chapters "Vector Memory Operations"
// of the CDNA3, CDNA4, RDNA3 and RDNA4 instruction set manuals (buffer
// instructions; only the CDNA ones list the LDS bit, RDNA3 dropped it); second
// source: what the instruction selector and the assembler of LLVM 22 accept
// for each processor.

#include "Fly/Arch/CopyInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::arch;

namespace {

constexpr llvm::StringLiteral kLoad = "rocdl.raw.ptr.buffer.load";
constexpr llvm::StringLiteral kStore = "rocdl.raw.ptr.buffer.store";
constexpr llvm::StringLiteral kLoadLds = "rocdl.raw.ptr.buffer.load.lds";

constexpr CopyInstruction kCopies[] = {
    {CopyFamily::BufferCopy, 8, kLoad, kStore, Feature::Buffer},
    {CopyFamily::BufferCopy, 16, kLoad, kStore, Feature::Buffer},
    {CopyFamily::BufferCopy, 32, kLoad, kStore, Feature::Buffer},
    {CopyFamily::BufferCopy, 64, kLoad, kStore, Feature::Buffer},
    {CopyFamily::BufferCopy, 128, kLoad, kStore, Feature::Buffer},
    {CopyFamily::BufferCopyLds, 32, kLoadLds, "", Feature::LdsDma32},
    {CopyFamily::BufferCopyLds, 128, kLoadLds, "", Feature::LdsDma128},
};

constexpr llvm::StringLiteral kFAdd = "rocdl.raw.ptr.buffer.atomic.fadd";
constexpr llvm::StringLiteral kFMax = "rocdl.raw.ptr.buffer.atomic.fmax";
constexpr llvm::StringLiteral kSMax = "rocdl.raw.ptr.buffer.atomic.smax";
constexpr llvm::StringLiteral kUMin = "rocdl.raw.ptr.buffer.atomic.umin";
using Kind = BufferAtomicKind;

constexpr BufferAtomic kAtomics[] = {
    {Kind::FAdd, "f32", kFAdd, Feature::Buffer},
    {Kind::FAdd, "f64", kFAdd, Feature::BufferAtomicF64},
    {Kind::FAdd, "vector<2xf16>", kFAdd, Feature::BufferAtomicPkAddF16},
    {Kind::FAdd, "vector<2xbf16>", kFAdd, Feature::BufferAtomicPkAddBf16},
    {Kind::FMax, "f32", kFMax, Feature::BufferAtomicMaxF32},
    {Kind::FMax, "f64", kFMax, Feature::BufferAtomicF64},
    {Kind::SMax, "i32", kSMax, Feature::Buffer},
    {Kind::SMax, "i64", kSMax, Feature::Buffer},
    {Kind::UMin, "i32", kUMin, Feature::Buffer},
    {Kind::UMin, "i64", kUMin, Feature::Buffer},
};

} // namespace

llvm::StringRef fly::arch::familyMnemonic(CopyFamily family) {
  switch (family) {
  case CopyFamily::BufferCopy:
    return "cdna3.buffer_copy";
  case CopyFamily::BufferCopyLds:
    return "cdna3.buffer_copy_lds";
  }
  llvm_unreachable("all families are listed");
}

llvm::ArrayRef<CopyInstruction> fly::arch::copyInstructions() {
  return kCopies;
}

const CopyInstruction *fly::arch::lookupCopy(CopyFamily family, int64_t bits) {
  for (const CopyInstruction &row : kCopies)
    if (row.family == family && row.bits == bits)
      return &row;
  return nullptr;
}

std::string fly::arch::copyWidths(CopyFamily family, const Chip *chip) {
  std::string result;
  llvm::ListSeparator sep;
  for (const CopyInstruction &row : kCopies)
    if (row.family == family && (!chip || chip->has(row.feature)))
      (result += llvm::StringRef(sep)) += std::to_string(row.bits);
  return result;
}

llvm::ArrayRef<BufferAtomic> fly::arch::bufferAtomics() { return kAtomics; }

const BufferAtomic *fly::arch::lookupBufferAtomic(BufferAtomicKind kind,
                                                  llvm::StringRef type) {
  for (const BufferAtomic &row : kAtomics)
    if (row.kind == kind && row.type == type)
      return &row;
  return nullptr;
}

std::string fly::arch::bufferAtomicTypes(BufferAtomicKind kind,
                                         const Chip *chip) {
  std::string result;
  llvm::ListSeparator sep;
  for (const BufferAtomic &row : kAtomics)
    if (row.kind == kind && (!chip || chip->has(row.feature)))
      (result += llvm::StringRef(sep)) += row.type;
  return result;
}
