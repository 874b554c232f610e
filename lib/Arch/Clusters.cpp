// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: LLVM, "User Guide for AMDGPU Backend", amdgpu-cluster-dims.

#include "Fly/Arch/Clusters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace fly::arch;

std::string fly::arch::readClusterDims(llvm::StringRef text, const Chip &chip,
                                       std::array<uint32_t, 3> &sizes) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  bool isValid = parts.size() == sizes.size();
  for (size_t i = 0; isValid && i < sizes.size(); ++i)
    isValid = !parts[i].trim().getAsInteger(10, sizes[i]);
  auto areAll = [&](uint32_t number) {
    return isValid &&
           llvm::all_of(sizes, [=](uint32_t size) { return size == number; });
  };
  bool isNone = areAll(0), isAny = areAll(1024);
  if (!isValid || (!isNone && llvm::is_contained(sizes, 0u)))
    return ", expected three positive numbers as \"2,1,1\", \"0,0,0\" for no "
           "cluster or \"1024,1024,1024\" for any";
  if (isNone || isAny)
    sizes.fill(isNone ? 1 : 0);
  if (!isAny && !areAll(1) && !chip.has(Feature::Clusters))
    return ", but " + chip.name.str() + " has no clusters of workgroups";
  return {};
}
