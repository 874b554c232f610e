// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the matrix instructions by line of chips, and what their makers
// share.

#ifndef FLY_LIB_ARCH_MATRIXROWS_H
#define FLY_LIB_ARCH_MATRIXROWS_H

#include "Fly/Arch/MatrixInstructions.h"

#include <initializer_list>

namespace fly::arch {

/// The map with these modes of the lane and of the value.
constexpr LaneMap laneMap(std::initializer_list<Mode> thread,
                          std::initializer_list<Mode> value) {
  LaneMap map = {};
  for (const Mode &mode : thread)
    map.thread[map.threadRank++] = mode;
  for (const Mode &mode : value)
    map.value[map.valueRank++] = mode;
  return map;
}

/// Appends the rows of v_mfma and v_mfma_scale (CDNA).
void appendMfmaRows(llvm::SmallVectorImpl<MatrixInstruction> &rows);
/// Appends the rows of v_wmma and v_wmma_scale (RDNA and gfx1250).
void appendWmmaRows(llvm::SmallVectorImpl<MatrixInstruction> &rows);
/// Appends the rows of v_smfmac and v_swmmac.
void appendSparseRows(llvm::SmallVectorImpl<MatrixInstruction> &rows);

} // namespace fly::arch

#endif // FLY_LIB_ARCH_MATRIXROWS_H
