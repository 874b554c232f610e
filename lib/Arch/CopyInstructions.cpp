// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy instruction rows. Sources: the chapters "Vector Memory Operations"
// of the CDNA3, CDNA4, RDNA3 and RDNA4 instruction set manuals (buffer
// instructions; only the CDNA ones list the LDS bit, RDNA3 dropped it), and of
// CDNA4 "Data Share" (transposing reads); second source: what the instruction
// selector and the assembler of LLVM 22 accept for each processor.

#include "Fly/Arch/CopyInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::arch;

namespace {

constexpr llvm::StringLiteral kLoad = "rocdl.raw.ptr.buffer.load";
constexpr llvm::StringLiteral kStore = "rocdl.raw.ptr.buffer.store";
constexpr llvm::StringLiteral kLoadLds = "rocdl.raw.ptr.buffer.load.lds";
constexpr llvm::StringLiteral kGlobalLoadLds = "rocdl.global.load.lds";
constexpr llvm::StringLiteral kTensorLoad = "rocdl.tensor.load.to.lds";
constexpr llvm::StringLiteral kTensorStore = "rocdl.tensor.store.from.lds";
using Family = CopyFamily;

constexpr llvm::StringLiteral kTensorState =
    "workgroup_mask, early_timeout, atomic_barrier_addr, boundary_check, "
    "boundary_check_axes";
constexpr CopyFamilyRow kFamilies[] = {
    {Family::BufferCopy, "cdna3.buffer_copy",
     "buffer -> register, register -> buffer", "soffset",
     "LLVM waits before the register is used",
     "CDNA3 ISA, 9.1 Vector Memory Buffer Instructions; RDNA4 ISA, chapter "
     "Vector Memory Operations; LLVM 22, IntrinsicsAMDGPU.td"},
    {Family::BufferCopyLds, "cdna3.buffer_copy_lds", "buffer -> shared",
     "soffset, imm_offset",
     "`vmcnt`: LLVM waits for the wave's own reads of LDS and at fences that "
     "release; other waves need such a fence or `s_waitcnt` before the barrier",
     "CDNA3 and CDNA4 ISA, Memory Buffer Load to LDS; LLVM 22, "
     "SIInsertWaitcnts.cpp"},
    {Family::BufferLoadAsyncLds, "cdna4.buffer_load_async_lds",
     "buffer -> shared", "soffset, imm_offset", "as `cdna3.buffer_copy_lds`",
     "CDNA4 ISA, Memory Buffer Load to LDS; LLVM 22, IntrinsicsAMDGPU.td "
     "(amdgcn.raw.ptr.buffer.load.lds)"},
    {Family::GlobalLoadAsyncLds, "cdna4.global_load_async_lds",
     "global -> shared", "", "as `cdna3.buffer_copy_lds`",
     "CDNA4 ISA, FLAT/GLOBAL loads with the LDS bit; LLVM 22, "
     "IntrinsicsAMDGPU.td (amdgcn.global.load.lds)"},
    {Family::LdsReadTrans, "cdna4.lds_read_trans", "shared -> register", "",
     "LLVM waits before the register is used",
     "CDNA4 ISA, Data Share, DS_READ_B64_TR_B16 and its like; LLVM 22, "
     "llvm.amdgcn.ds.read.tr.ll"},
    {Family::Tdm, "gfx1250.tdm", "global -> shared, shared -> global",
     "workgroup_mask, extent_0, extent_1, extent_2, extent_3, extent_4, "
     "stride_0, stride_1, stride_2, stride_3, imm_offset",
     "`tensorcnt`: the kernel, by `rocdl.s.wait.tensorcnt`; a barrier is none",
     "LLVM 22, amdgpu.make_dma_descriptor and its lowering (MLIR AMDGPU.td), "
     "llvm.amdgcn.tensor.load.store.ll"},
    {Family::TensorLoad, "cdna5.tensor_load", "coordinates -> shared",
     kTensorState, "as `gfx1250.tdm`", "as `gfx1250.tdm`"},
    {Family::TensorStore, "cdna5.tensor_store", "shared -> coordinates",
     "atomic_barrier_addr, boundary_check, boundary_check_axes",
     "as `gfx1250.tdm`", "as `gfx1250.tdm`"},
};

// LLVM 22 has no asynchronous forms of the moves to LDS: both kinds are the
// same instruction, for which LLVM inserts the waits.
constexpr CopyInstruction kCopies[] = {
    {Family::BufferCopy, 8, 0, kLoad, kStore, Feature::Buffer},
    {Family::BufferCopy, 16, 0, kLoad, kStore, Feature::Buffer},
    {Family::BufferCopy, 32, 0, kLoad, kStore, Feature::Buffer},
    {Family::BufferCopy, 64, 0, kLoad, kStore, Feature::Buffer},
    {Family::BufferCopy, 128, 0, kLoad, kStore, Feature::Buffer},
    {Family::BufferCopyLds, 32, 0, kLoadLds, "", Feature::LdsDma32},
    {Family::BufferCopyLds, 128, 0, kLoadLds, "", Feature::LdsDma128},
    {Family::BufferLoadAsyncLds, 32, 0, kLoadLds, "", Feature::LdsDma32},
    {Family::BufferLoadAsyncLds, 96, 0, kLoadLds, "", Feature::LdsDma128},
    {Family::BufferLoadAsyncLds, 128, 0, kLoadLds, "", Feature::LdsDma128},
    {Family::GlobalLoadAsyncLds, 32, 0, kGlobalLoadLds, "", Feature::LdsDma32},
    {Family::GlobalLoadAsyncLds, 96, 0, kGlobalLoadLds, "", Feature::LdsDma128},
    {Family::GlobalLoadAsyncLds, 128, 0, kGlobalLoadLds, "",
     Feature::LdsDma128},
    {Family::LdsReadTrans, 64, 4, "rocdl.ds.read.tr4.b64", "",
     Feature::LdsReadTrans},
    {Family::LdsReadTrans, 64, 8, "rocdl.ds.read.tr8.b64", "",
     Feature::LdsReadTrans},
    {Family::LdsReadTrans, 96, 6, "rocdl.ds.read.tr6.b96", "",
     Feature::LdsReadTrans},
    {Family::LdsReadTrans, 64, 16, "rocdl.ds.read.tr16.b64", "",
     Feature::LdsReadTrans},
    {Family::Tdm, 8, 0, kTensorLoad, kTensorStore, Feature::TensorCopy},
    {Family::Tdm, 16, 0, kTensorLoad, kTensorStore, Feature::TensorCopy},
    {Family::Tdm, 32, 0, kTensorLoad, kTensorStore, Feature::TensorCopy},
    {Family::Tdm, 64, 0, kTensorLoad, kTensorStore, Feature::TensorCopy},
    {Family::TensorLoad, 8, 0, kTensorLoad, "", Feature::TensorCopy},
    {Family::TensorLoad, 16, 0, kTensorLoad, "", Feature::TensorCopy},
    {Family::TensorLoad, 32, 0, kTensorLoad, "", Feature::TensorCopy},
    {Family::TensorLoad, 64, 0, kTensorLoad, "", Feature::TensorCopy},
    {Family::TensorStore, 8, 0, "", kTensorStore, Feature::TensorCopy},
    {Family::TensorStore, 16, 0, "", kTensorStore, Feature::TensorCopy},
    {Family::TensorStore, 32, 0, "", kTensorStore, Feature::TensorCopy},
    {Family::TensorStore, 64, 0, "", kTensorStore, Feature::TensorCopy},
};

using Kind = BufferAtomicKind;

constexpr llvm::StringLiteral kFAddOp = "rocdl.raw.ptr.buffer.atomic.fadd";
constexpr llvm::StringLiteral kFMaxOp = "rocdl.raw.ptr.buffer.atomic.fmax";
constexpr llvm::StringLiteral kSMaxOp = "rocdl.raw.ptr.buffer.atomic.smax";
constexpr llvm::StringLiteral kUMinOp = "rocdl.raw.ptr.buffer.atomic.umin";
constexpr llvm::StringLiteral kFAdd = "llvm.amdgcn.raw.ptr.buffer.atomic.fadd";
constexpr llvm::StringLiteral kFMax = "llvm.amdgcn.raw.ptr.buffer.atomic.fmax";
constexpr llvm::StringLiteral kFMin = "llvm.amdgcn.raw.ptr.buffer.atomic.fmin";
constexpr llvm::StringLiteral kAdd = "llvm.amdgcn.raw.ptr.buffer.atomic.add";
constexpr llvm::StringLiteral kSMax = "llvm.amdgcn.raw.ptr.buffer.atomic.smax";
constexpr llvm::StringLiteral kUMax = "llvm.amdgcn.raw.ptr.buffer.atomic.umax";
constexpr llvm::StringLiteral kSMin = "llvm.amdgcn.raw.ptr.buffer.atomic.smin";
constexpr llvm::StringLiteral kUMin = "llvm.amdgcn.raw.ptr.buffer.atomic.umin";
constexpr llvm::StringLiteral kAnd = "llvm.amdgcn.raw.ptr.buffer.atomic.and";
constexpr llvm::StringLiteral kOr = "llvm.amdgcn.raw.ptr.buffer.atomic.or";
constexpr llvm::StringLiteral kInc = "llvm.amdgcn.raw.ptr.buffer.atomic.inc";
constexpr llvm::StringLiteral kDec = "llvm.amdgcn.raw.ptr.buffer.atomic.dec";

constexpr BufferAtomic kAtomics[] = {
    {Kind::FAdd, "f32", kFAddOp, kFAdd, Feature::Buffer},
    {Kind::FAdd, "f64", kFAddOp, kFAdd, Feature::BufferAtomicF64},
    {Kind::FAdd, "vector<2xf16>", kFAddOp, kFAdd,
     Feature::BufferAtomicPkAddF16},
    {Kind::FAdd, "vector<2xbf16>", kFAddOp, kFAdd,
     Feature::BufferAtomicPkAddBf16},
    {Kind::FMax, "f32", kFMaxOp, kFMax, Feature::BufferAtomicMaxF32},
    {Kind::FMax, "f64", kFMaxOp, kFMax, Feature::BufferAtomicF64},
    {Kind::FMin, "f32", "", kFMin, Feature::BufferAtomicMaxF32},
    {Kind::FMin, "f64", "", kFMin, Feature::BufferAtomicF64},
    {Kind::Add, "i32", "", kAdd, Feature::Buffer},
    {Kind::Add, "i64", "", kAdd, Feature::Buffer},
    {Kind::SMax, "i32", kSMaxOp, kSMax, Feature::Buffer},
    {Kind::SMax, "i64", kSMaxOp, kSMax, Feature::Buffer},
    {Kind::UMax, "i32", "", kUMax, Feature::Buffer},
    {Kind::UMax, "i64", "", kUMax, Feature::Buffer},
    {Kind::SMin, "i32", "", kSMin, Feature::Buffer},
    {Kind::SMin, "i64", "", kSMin, Feature::Buffer},
    {Kind::UMin, "i32", kUMinOp, kUMin, Feature::Buffer},
    {Kind::UMin, "i64", kUMinOp, kUMin, Feature::Buffer},
    {Kind::And, "i32", "", kAnd, Feature::Buffer},
    {Kind::And, "i64", "", kAnd, Feature::Buffer},
    {Kind::Or, "i32", "", kOr, Feature::Buffer},
    {Kind::Or, "i64", "", kOr, Feature::Buffer},
    {Kind::Inc, "i32", "", kInc, Feature::Buffer},
    {Kind::Inc, "i64", "", kInc, Feature::Buffer},
    {Kind::Dec, "i32", "", kDec, Feature::Buffer},
    {Kind::Dec, "i64", "", kDec, Feature::Buffer},
};

// The cache policy of gfx9, gfx11 and gfx12 (LLVM's "AMDGPU CPol": SIDefines.h;
// the bit for swizzled buffers is never one of Fly's).
struct CachePolicy {
  Feature feature;
  uint32_t bits;
  llvm::StringLiteral names;
};
constexpr CachePolicy kCachePolicies[] = {
    {Feature::CacheSc, 0x13, "sc0 or glc (1), nt or slc (2), sc1 or scc (16)"},
    {Feature::CacheGlcDlc, 0x07, "glc (1), slc (2), dlc (4)"},
    {Feature::CacheScope, 0x1F, "th (0 to 7), scope (8, 16, 24)"},
};

// LLVM's "AMDGPU LLVM Sync Scopes". It takes the scope of a cluster on other
// chips for "agent"; there is none there to be named.
struct SyncScope {
  llvm::StringLiteral name;
  Feature feature;
};
constexpr SyncScope kSyncScopes[] = {
    {"", Feature::None},
    {"agent", Feature::None},
    {"agent-one-as", Feature::None},
    {"cluster", Feature::Clusters},
    {"cluster-one-as", Feature::Clusters},
    {"one-as", Feature::None},
    {"singlethread", Feature::None},
    {"singlethread-one-as", Feature::None},
    {"wavefront", Feature::None},
    {"wavefront-one-as", Feature::None},
    {"workgroup", Feature::None},
    {"workgroup-one-as", Feature::None},
};

} // namespace

llvm::ArrayRef<CopyFamilyRow> fly::arch::copyFamilies() { return kFamilies; }

const CopyFamilyRow &fly::arch::familyRow(CopyFamily family) {
  return kFamilies[static_cast<size_t>(family)];
}

llvm::StringRef fly::arch::familyMnemonic(CopyFamily family) {
  return familyRow(family).mnemonic;
}

llvm::ArrayRef<CopyInstruction> fly::arch::copyInstructions() {
  return kCopies;
}

const CopyInstruction *fly::arch::lookupCopy(CopyFamily family, int64_t bits,
                                             int64_t granularity) {
  for (const CopyInstruction &row : kCopies)
    if (row.family == family && row.bits == bits &&
        row.granularity == granularity)
      return &row;
  return nullptr;
}

std::string fly::arch::copyWidths(CopyFamily family, const Chip *chip) {
  std::string result;
  llvm::ListSeparator sep;
  for (const CopyInstruction &row : kCopies)
    if (row.family == family && (!chip || chip->has(row.feature))) {
      result += llvm::StringRef(sep);
      if (row.granularity)
        result += std::to_string(row.granularity) + "b ";
      result += std::to_string(row.bits);
    }
  return result;
}

static const CachePolicy *getCachePolicy(const Chip &chip) {
  return llvm::find_if(kCachePolicies, [&](const CachePolicy &policy) {
    return chip.has(policy.feature);
  });
}

uint32_t fly::arch::cachePolicyBits(const Chip &chip) {
  const CachePolicy *policy = getCachePolicy(chip);
  return policy == std::end(kCachePolicies) ? 0 : policy->bits;
}

llvm::StringRef fly::arch::cachePolicyNames(const Chip &chip) {
  const CachePolicy *policy = getCachePolicy(chip);
  if (policy == std::end(kCachePolicies))
    return {};
  return policy->names;
}

// LLVM 22, SITargetLowering::lowerPointerAsRsrcIntrin.
unsigned fly::arch::bufferSizeBits(const Chip &chip) {
  return chip.name == "gfx1250" ? 45 : 32;
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

bool fly::arch::isSyncScope(const Chip &chip, llvm::StringRef scope) {
  return llvm::any_of(kSyncScopes, [&](const SyncScope &row) {
    return row.name == scope && chip.has(row.feature);
  });
}

std::string fly::arch::syncScopeNames(const Chip &chip) {
  std::string names;
  llvm::ListSeparator separator;
  for (const SyncScope &row : kSyncScopes)
    if (chip.has(row.feature))
      ((names += llvm::StringRef(separator)) += '"') += (row.name.str() + '"');
  return names;
}
