// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cluster of workgroups that a kernel says it is for, as LLVM's attribute
// "amdgpu-cluster-dims" writes it.

#ifndef FLY_ARCH_CLUSTERS_H
#define FLY_ARCH_CLUSTERS_H

#include "Fly/Arch/Chips.h"

#include <array>

namespace fly::arch {

/// Reads "2,1,1", the workgroups of a cluster along x, y and z, of a kernel for
/// `chip`: "0,0,0" is no cluster, so sizes of 1, and "1024,1024,1024" one of
/// any sizes, which are 0. Returns what is wrong, to stand behind "has cluster
/// dimensions \"…\""; empty if nothing is.
std::string readClusterDims(llvm::StringRef text, const Chip &chip,
                            std::array<uint32_t, 3> &sizes);

} // namespace fly::arch

#endif // FLY_ARCH_CLUSTERS_H
