// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips that Fly generates code for, as plain constant rows: wave size,
// memory and register resources, and the features that instructions ask for.
// Nothing here knows MLIR; a later chip is one more row. Code asks for a
// feature, never for a version order: a later chip may drop an instruction.

#ifndef FLY_ARCH_CHIPS_H
#define FLY_ARCH_CHIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fly::arch {

/// One capability that an instruction row may require; a chip holds a set.
enum class Feature : uint32_t {
  None = 0,
  /// v_mfma f32, f16 and the bf16 "1k" forms.
  Mfma = 1u << 0,
  /// v_mfma_f32_{32x32x4,16x16x8}bf16, dropped after gfx90a.
  MfmaBf16Legacy = 1u << 1,
  /// v_mfma fp8/bf8 whose operands are read in the FNUZ formats.
  MfmaFp8Fnuz = 1u << 2,
  /// v_mfma fp8/bf8 whose operands are read in the OCP formats.
  MfmaFp8Ocp = 1u << 3,
  /// v_mfma_i32_{16x16x32,32x32x16}_i8.
  MfmaI8K32 = 1u << 4,
  /// The f16/bf16 MFMA of double depth.
  MfmaWide = 1u << 5,
  /// WMMA with the operands repeated in both halves of the wave.
  WmmaGfx11 = 1u << 6,
  /// WMMA whose halves hold different k.
  WmmaGfx12 = 1u << 7,
  /// WMMA of depth 4 to 128 with operand modifiers.
  WmmaGfx1250 = 1u << 8,
  /// buffer_load with the LDS bit, one dword a lane.
  LdsDma32 = 1u << 9,
  /// The same with three or four dwords a lane.
  LdsDma128 = 1u << 10,
  BufferAtomicPkAddF16 = 1u << 11,
  BufferAtomicPkAddBf16 = 1u << 12,
  BufferAtomicMaxF32 = 1u << 13,
  /// buffer_atomic_{add,max}_f64.
  BufferAtomicF64 = 1u << 14,
  /// Buffer loads, stores and the 32- and 64-bit integer and f32-add atomics.
  Buffer = 1u << 15,
  /// Barriers in two instructions, signal and wait.
  SplitBarrier = 1u << 16,
  /// v_smfmac of the depths of gfx942.
  Smfmac = 1u << 17,
  /// Clusters of workgroups, and what came with them: their barrier and their
  /// numbers, tensor copies and asynchronous copies of the lanes, barriers in
  /// LDS.
  Clusters = 1u << 18,
  /// ds_load_tr*: the LDS reads that transpose of chips with waves of 32 lanes.
  LdsLoadTrans = 1u << 19,
  /// v_permlane16_swap.
  Permlane16Swap = 1u << 20,
  /// v_permlane32_swap.
  Permlane32Swap = 1u << 21,
  /// v_permlanex16.
  PermlaneX16 = 1u << 22,
  /// v_mfma_i32_{32x32x8,16x16x16}i8, dropped after gfx90a.
  MfmaI8Legacy = 1u << 24,
  /// v_mfma_f32_{16x16x8,32x32x4}_xf32.
  MfmaXf32 = 1u << 25,
  /// v_mfma_scale_f32_{16x16x128,32x32x64}_f8f6f4.
  MfmaScale = 1u << 26,
  /// ds_read_*_tr_*: LDS reads that transpose within 16 lanes.
  LdsReadTrans = 1u << 27,
  /// tensor_load_to_lds and tensor_store_from_lds.
  TensorCopy = 1u << 28,
  /// Cache policies of sc0, nt and sc1 (glc, slc and scc on gfx90a).
  CacheSc = 1u << 29,
  /// Cache policies of glc, slc and dlc.
  CacheGlcDlc = 1u << 30,
  /// Cache policies of a temporal hint and a scope.
  CacheScope = 1u << 31,
};

constexpr Feature operator|(Feature a, Feature b) {
  return static_cast<Feature>(static_cast<uint32_t>(a) |
                              static_cast<uint32_t>(b));
}

/// The spelling of one feature in diagnostics and in the atoms' interface, such
/// as "mfma-fp8-ocp". `f` is a single feature; `None` is the empty string.
llvm::StringRef featureName(Feature f);
/// The feature of that spelling, if there is one.
std::optional<Feature> parseFeature(llvm::StringRef name);

/// The facts of one chip.
struct Chip {
  /// LLVM's processor name, such as "gfx942".
  llvm::StringLiteral name;
  /// Lanes of a wave in the mode that Fly compiles for.
  uint16_t waveSize;
  /// LDS bytes that one workgroup may allocate.
  uint32_t ldsBytesPerWorkgroup;
  /// LDS bytes shared by the workgroups of one unit (compute unit, or
  /// workgroup processor where two compute units share their LDS).
  uint32_t ldsBytesPerUnit;
  /// LDS is allocated in multiples of this many bytes.
  uint16_t ldsGranule;
  /// SIMDs of that unit.
  uint8_t simdsPerUnit;
  /// Workgroups of several waves that fit one unit at a time: each takes one of
  /// its barriers.
  uint8_t barriersPerUnit;
  /// Most waves resident on one SIMD.
  uint8_t maxWavesPerSimd;
  /// VGPRs of one SIMD in units of one register of a wave. On chips with
  /// unified registers this counts VGPRs and AGPRs together.
  uint16_t vgprsPerSimd;
  /// VGPRs are allocated in multiples of this.
  uint8_t vgprGranule;
  /// Most VGPRs that one wave can address (with AGPRs where unified).
  uint16_t maxVgprsPerWave;
  /// SGPRs of one SIMD, or 0 if each wave always gets its full set, so that
  /// SGPRs never limit the number of waves.
  uint16_t sgprsPerSimd;
  /// SGPRs are allocated in multiples of this; 0 with `sgprsPerSimd` 0.
  uint8_t sgprGranule;
  /// SGPRs that one wave can address.
  uint8_t maxSgprsPerWave;
  /// Accumulation registers share one file with the VGPRs.
  bool unifiedAgprs;
  /// Ranges of vector registers begin at even numbers (LLVM's feature
  /// "vgpr-align2").
  bool evenVgprRanges;
  /// The features, a bit set of `Feature`.
  uint32_t features;

  /// True if the chip has every feature of the set `f`.
  constexpr bool has(Feature f) const {
    uint32_t bits = static_cast<uint32_t>(f);
    return (features & bits) == bits;
  }
};

/// All chips, ordered by name as AMD numbers them.
llvm::ArrayRef<Chip> knownChips();

/// The row of `name` (exact, no feature suffix), or null.
const Chip *lookupChip(llvm::StringRef name);

/// "gfx90a, gfx942, …": the names for a diagnostic. If `wanted` is another
/// name of one of them, such as "gfx941" or "mi300x", the list ends with "; for
/// 'mi300x' use gfx942".
std::string knownChipNames(llvm::StringRef wanted = {});

/// Registers and LDS of a kernel, and what they allow.
struct KernelResources {
  /// VGPRs of a wave, AGPRs included on chips with unified registers.
  unsigned vgprs = 0;
  unsigned sgprs = 0;
  /// LDS bytes of a workgroup.
  uint64_t ldsBytes = 0;
  /// Lanes of a workgroup; 0 if unknown.
  unsigned workgroupSize = 0;
};

/// Waves that one SIMD of `chip` holds at the same time for a kernel with
/// these resources: at least 0, at most `chip.maxWavesPerSimd`. 0 means that
/// the kernel does not fit at all.
unsigned occupancy(const Chip &chip, const KernelResources &kernel);

} // namespace fly::arch

#endif // FLY_ARCH_CHIPS_H
