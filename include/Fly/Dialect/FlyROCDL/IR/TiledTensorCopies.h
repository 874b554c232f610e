// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a tensor, a tile of it and the layout of that tile in shared memory to
// the descriptor that copies it: which modes of the tensor make a dimension of
// the descriptor, and how coordinates of the tensor move on it. Also how the
// values of a tile are handed to the waves of a workgroup.

#ifndef FLY_DIALECT_FLYROCDL_IR_TILEDTENSORCOPIES_H
#define FLY_DIALECT_FLYROCDL_IR_TILEDTENSORCOPIES_H

#include "Fly/Dialect/Fly/IR/FlyTypes.h"
#include "Fly/Layout/Layout.h"
#include "Fly/Layout/Tile.h"

#include "mlir/IR/TypeRange.h"

namespace fly::rocdl {

/// A mode of the tensor on a dimension of the descriptor.
struct TensorModeOnAxis {
  /// Number of the leaf of the tensor's shape.
  unsigned mode;
  /// Steps of the dimension for one step of the mode.
  int64_t scale;
};

/// One dimension of a descriptor.
struct DescriptorAxis {
  /// Elements of it that one wave copies.
  int64_t extent;
  /// The leaf of the tensor whose stride is that of the dimension.
  unsigned strideMode;
  /// The stride in elements if it is static.
  std::optional<int64_t> stride;
  /// The modes on it, innermost first.
  llvm::SmallVector<TensorModeOnAxis, 2> modes;
};

/// The derived copy of one wave.
struct TiledTensorCopy {
  /// Outermost first; at least one.
  llvm::SmallVector<DescriptorAxis, 5> axes;
  int64_t padInterval = 0, padAmount = 0;
  /// By leaf of the tensor: the mode is clipped by the bound of its axis.
  llvm::SmallVector<bool> hasBound;
  /// The tensor's profile with, for each mode, the dimension it moves (0 is the
  /// outermost), and the same counted from the innermost.
  layout::IntTuple tensor2tdm, coordStrides;
};

/// Derives the copy of tiles of `tensor` by `numWarps` waves.
/// Labels of errors: tiled_tdm_c1 and so on, as the steps in the code.
layout::Result<TiledTensorCopy> deriveTiledCopy(const layout::Layout &tensor,
                                                const layout::Layout &lds,
                                                const layout::Tile &tiler,
                                                int64_t numWarps, bool isLoad);

/// The same from the types of the operands of a `make_tiled_tdm_*_atom`.
layout::Result<TiledTensorCopy> deriveTiledCopyOf(mlir::TypeRange operands,
                                                  int64_t numWarps,
                                                  mlir::Type internalType,
                                                  bool isLoad);

/// The atom operation type of a derived copy; null with a diagnostic if there
/// is none.
mlir::Type
getTiledAtomType(mlir::MLIRContext *context, const TiledTensorCopy &copy,
                 mlir::Type element, bool isLoad, bool atomicBarrier,
                 int32_t cacheModifier,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The layout (ATOM, WARP, ITER) over mode 0 of the shared tensor `shared`:
/// from (value, wave, call) to the colexicographic index in the box, visiting
/// the box by the order of its addresses. `atomSize` counts the values of one
/// call; mode 0 of both tensors holds a multiple of atomSize * numWarps.
layout::Result<layout::Layout> partitionTensorCopy(int64_t atomSize,
                                                   const layout::Layout &shared,
                                                   const layout::Layout &coords,
                                                   int64_t numWarps);

} // namespace fly::rocdl

#endif // FLY_DIALECT_FLYROCDL_IR_TILEDTENSORCOPIES_H
