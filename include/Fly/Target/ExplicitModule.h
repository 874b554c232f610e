// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation of `gpu.binary` and its launches whose offloading handler is
// `#fly.explicit_module`: the host program loads the module itself.

#ifndef FLY_TARGET_EXPLICITMODULE_H
#define FLY_TARGET_EXPLICITMODULE_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fly {

/// Makes `#fly.explicit_module` an offloading handler: attaches
/// gpu::OffloadingLLVMTranslationAttrInterface.
void registerExplicitModuleModel(mlir::DialectRegistry &registry);

} // namespace fly

#endif // FLY_TARGET_EXPLICITMODULE_H
