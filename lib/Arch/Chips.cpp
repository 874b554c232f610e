// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chip table and the occupancy rule computed from it. Sources: LLVM's
// AMDGPU backend documentation ("Processors", "Kernel Descriptor"), the
// "CDNA 3 / CDNA 4 / RDNA 3 / RDNA 3.5 / RDNA 4 Instruction Set Architecture"
// manuals (chapters "Kernel State" and "Data Share"), and for the register
// file sizes the occupancy that LLVM 22 itself reports for each processor.

#include "Fly/Arch/Chips.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace fly::arch;

namespace {

constexpr uint32_t bits(Feature f) { return static_cast<uint32_t>(f); }

constexpr uint32_t kKiB = 1024;

constexpr Feature kGfx90a = Feature::Mfma | Feature::MfmaBf16Legacy |
                            Feature::MfmaI8Legacy | Feature::LdsDma32 |
                            Feature::Buffer | Feature::BufferAtomicPkAddF16 |
                            Feature::BufferAtomicF64;
constexpr Feature kGfx942 =
    Feature::Mfma | Feature::MfmaFp8Fnuz | Feature::MfmaI8K32 |
    Feature::MfmaXf32 | Feature::Smfmac | Feature::LdsDma32 | Feature::Buffer |
    Feature::BufferAtomicPkAddF16 | Feature::BufferAtomicF64;
constexpr Feature kGfx950 =
    Feature::Mfma | Feature::MfmaFp8Ocp | Feature::MfmaI8K32 |
    Feature::MfmaWide | Feature::MfmaScale | Feature::Smfmac |
    Feature::LdsDma32 | Feature::LdsDma128 | Feature::Buffer |
    Feature::BufferAtomicPkAddF16 | Feature::BufferAtomicPkAddBf16 |
    Feature::BufferAtomicF64;
constexpr Feature kGfx11 =
    Feature::WmmaGfx11 | Feature::Buffer | Feature::BufferAtomicMaxF32;
constexpr Feature kGfx120x =
    Feature::WmmaGfx12 | Feature::Buffer | Feature::BufferAtomicPkAddF16 |
    Feature::BufferAtomicPkAddBf16 | Feature::BufferAtomicMaxF32 |
    Feature::SplitBarrier;
constexpr Feature kGfx1250 =
    Feature::WmmaGfx1250 | Feature::Buffer | Feature::BufferAtomicPkAddF16 |
    Feature::BufferAtomicPkAddBf16 | Feature::BufferAtomicMaxF32 |
    Feature::BufferAtomicF64 | Feature::SplitBarrier;

// What only copies ask for.
constexpr Feature kCopyGfx950 = Feature::CacheSc | Feature::LdsReadTrans;
constexpr Feature kCopyGfx1250 =
    Feature::CacheScope | Feature::TensorCopy | Feature::LdsLoadTrans;

// What moves values between lanes.
constexpr Feature kLanesGfx950 =
    Feature::Permlane16Swap | Feature::Permlane32Swap;
constexpr Feature kLanesGfx1250 =
    Feature::PermlaneX16 | Feature::Permlane16Swap | Feature::Clusters;

/// CDNA2 to CDNA4: wave64, 512 unified registers a lane, 800 SGPRs a SIMD.
constexpr Chip cdna(llvm::StringLiteral name, uint32_t lds, uint16_t ldsGranule,
                    Feature features) {
  return {name, 64,  lds,  lds,  ldsGranule,    4, 16, 8, 512, 8, 512, 800,
          16,   102, true, true, bits(features)};
}

/// RDNA3 to RDNA4: wave32, two compute units share LDS and workgroups.
constexpr Chip rdna(llvm::StringLiteral name, uint16_t vgprs, uint8_t granule,
                    Feature features) {
  return {name,
          32,
          64 * kKiB,
          128 * kKiB,
          512,
          4,
          32,
          16,
          vgprs,
          granule,
          256,
          0,
          0,
          106,
          false,
          false,
          bits(features | Feature::PermlaneX16)};
}

// The chips with half as many register banks again ("1.5x VGPRs") have 1536
// registers and a granule of 24, the others 1024 and 16.
constexpr Chip kChips[] = {
    cdna("gfx90a", 64 * kKiB, 512, kGfx90a | Feature::CacheSc),
    cdna("gfx942", 64 * kKiB, 512, kGfx942 | Feature::CacheSc),
    cdna("gfx950", 160 * kKiB, 1280, kGfx950 | kCopyGfx950 | kLanesGfx950),
    rdna("gfx1100", 1536, 24, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1101", 1536, 24, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1102", 1024, 16, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1103", 1024, 16, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1150", 1024, 16, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1151", 1536, 24, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1152", 1024, 16, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1153", 1024, 16, kGfx11 | Feature::CacheGlcDlc),
    rdna("gfx1200", 1536, 24, kGfx120x | Feature::CacheScope),
    rdna("gfx1201", 1536, 24, kGfx120x | Feature::CacheScope),
    {"gfx1250", 32, 320 * kKiB, 320 * kKiB, 1024, 4, 16, 16, 1024, 16, 1024, 0,
     0, 106, false, true, bits(kGfx1250 | kCopyGfx1250 | kLanesGfx1250)},
};

struct FeatureSpelling {
  Feature feature;
  llvm::StringLiteral name;
};

constexpr FeatureSpelling kFeatures[] = {
    {Feature::None, ""},
    {Feature::Mfma, "mfma"},
    {Feature::MfmaBf16Legacy, "mfma-bf16-legacy"},
    {Feature::MfmaFp8Fnuz, "mfma-fp8-fnuz"},
    {Feature::MfmaFp8Ocp, "mfma-fp8-ocp"},
    {Feature::MfmaI8K32, "mfma-i8-k32"},
    {Feature::MfmaWide, "mfma-wide"},
    {Feature::WmmaGfx11, "wmma-gfx11"},
    {Feature::WmmaGfx12, "wmma-gfx12"},
    {Feature::WmmaGfx1250, "wmma-gfx1250"},
    {Feature::LdsDma32, "lds-dma-32"},
    {Feature::LdsDma128, "lds-dma-128"},
    {Feature::BufferAtomicPkAddF16, "buffer-atomic-pk-add-f16"},
    {Feature::BufferAtomicPkAddBf16, "buffer-atomic-pk-add-bf16"},
    {Feature::BufferAtomicMaxF32, "buffer-atomic-max-f32"},
    {Feature::BufferAtomicF64, "buffer-atomic-f64"},
    {Feature::Buffer, "buffer"},
    {Feature::MfmaI8Legacy, "mfma-i8-legacy"},
    {Feature::MfmaXf32, "mfma-xf32"},
    {Feature::MfmaScale, "mfma-scale"},
    {Feature::Smfmac, "smfmac"},
    {Feature::LdsReadTrans, "lds-read-trans"},
    {Feature::SplitBarrier, "split-barrier"},
    {Feature::TensorCopy, "tensor-copy"},
    {Feature::Clusters, "clusters"},
    {Feature::LdsLoadTrans, "lds-load-trans"},
    {Feature::Permlane16Swap, "permlane16-swap"},
    {Feature::Permlane32Swap, "permlane32-swap"},
    {Feature::PermlaneX16, "permlanex16"},
    {Feature::CacheSc, "cache-sc"},
    {Feature::CacheGlcDlc, "cache-glc-dlc"},
    {Feature::CacheScope, "cache-scope"},
};

/// Names that LLVM 22 does not know as processors, and what to write instead:
/// steppings that it merged, and the products' names.
struct ChipAlias {
  llvm::StringLiteral alias, name;
};

constexpr ChipAlias kAliases[] = {
    {"mi200", "gfx90a"},  {"mi210", "gfx90a"},  {"mi250", "gfx90a"},
    {"mi250x", "gfx90a"}, {"gfx940", "gfx942"}, {"gfx941", "gfx942"},
    {"mi300", "gfx942"},  {"mi300a", "gfx942"}, {"mi300x", "gfx942"},
    {"mi308x", "gfx942"}, {"mi325x", "gfx942"}, {"mi350", "gfx950"},
    {"mi350x", "gfx950"}, {"mi355x", "gfx950"}, {"gfx1250-strict", "gfx1250"},
};

} // namespace

llvm::StringRef fly::arch::featureName(Feature f) {
  for (const FeatureSpelling &entry : kFeatures)
    if (entry.feature == f)
      return entry.name;
  llvm_unreachable("every feature has a spelling");
}

std::optional<Feature> fly::arch::parseFeature(llvm::StringRef name) {
  for (const FeatureSpelling &entry : kFeatures)
    if (entry.name == name)
      return entry.feature;
  return std::nullopt;
}

llvm::ArrayRef<Chip> fly::arch::knownChips() { return kChips; }

const Chip *fly::arch::lookupChip(llvm::StringRef name) {
  const Chip *found = llvm::find_if(
      kChips, [&](const Chip &chip) { return chip.name == name; });
  return found == std::end(kChips) ? nullptr : found;
}

std::string fly::arch::knownChipNames(llvm::StringRef wanted) {
  std::string names = llvm::join(
      llvm::map_range(kChips, [](const Chip &chip) { return chip.name.str(); }),
      ", ");
  // Features behind a colon, as in "gfx942:xnack+", name no other chip.
  auto [base, features] = wanted.split(':');
  const ChipAlias *alias = llvm::find_if(kAliases, [&](const ChipAlias &entry) {
    return base.equals_insensitive(entry.alias);
  });
  llvm::StringRef use;
  if (alias != std::end(kAliases))
    use = alias->name;
  else if (const Chip *chip = lookupChip(base.lower()))
    use = chip->name;
  if (!use.empty())
    names += ("; for '" + wanted + "' use " + use).str();
  return names;
}

unsigned fly::arch::occupancy(const Chip &chip, const KernelResources &kernel) {
  if (kernel.vgprs > chip.maxVgprsPerWave ||
      kernel.sgprs > chip.maxSgprsPerWave ||
      kernel.ldsBytes > chip.ldsBytesPerWorkgroup)
    return 0;
  uint64_t waves = chip.maxWavesPerSimd;
  // Even a kernel without registers is given one granule.
  uint64_t vgprs =
      llvm::alignTo(std::max(kernel.vgprs, 1u), uint64_t(chip.vgprGranule));
  waves = std::min(waves, chip.vgprsPerSimd / vgprs);
  if (chip.sgprsPerSimd) {
    uint64_t sgprs =
        llvm::alignTo(std::max(kernel.sgprs, 1u), uint64_t(chip.sgprGranule));
    waves = std::min(waves, chip.sgprsPerSimd / sgprs);
  }
  if (kernel.workgroupSize) {
    uint64_t wavesPerGroup =
        llvm::divideCeil(kernel.workgroupSize, chip.waveSize);
    // Only whole workgroups come to a unit.
    uint64_t groups =
        uint64_t(chip.maxWavesPerSimd) * chip.simdsPerUnit / wavesPerGroup;
    if (wavesPerGroup > 1)
      groups = std::min<uint64_t>(groups, chip.barriersPerUnit);
    if (kernel.ldsBytes)
      groups = std::min<uint64_t>(
          groups,
          chip.ldsBytesPerUnit /
              llvm::alignTo(kernel.ldsBytes, uint64_t(chip.ldsGranule)));
    // The waves of a unit's workgroups spread over its SIMDs.
    waves = std::min(
        waves, llvm::divideCeil(groups * wavesPerGroup, chip.simdsPerUnit));
  }
  return waves;
}
