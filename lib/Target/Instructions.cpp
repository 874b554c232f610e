// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's AMDGPU backend does not refuse by itself, or only by ending:
// instructions that the chip lacks, and inline assembly.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"
#include "Fly/Dialect/FlyROCDL/IR/MatrixOperations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fly {

/// True for the barriers of several instructions or with names, of gfx12 on.
static bool isSplitBarrier(llvm::StringRef name) {
  static const llvm::StringSet<> names = {"rocdl.s.barrier.init",
                                          "rocdl.s.barrier.join",
                                          "rocdl.s.barrier.leave",
                                          "rocdl.s.barrier.signal",
                                          "rocdl.s.barrier.signal.isfirst",
                                          "rocdl.s.barrier.signal.var",
                                          "rocdl.s.barrier.wait",
                                          "rocdl.s.get.barrier.state",
                                          "rocdl.s.get.named.barrier.state",
                                          "rocdl.s.wakeup.barrier"};
  return names.contains(name);
}

LogicalResult checkInstructions(gpu::GPUModuleOp module, const arch::Chip &chip,
                                bool isWave64) {
  // The rows are those of the chip's own wave size.
  bool knowsSizes = isWave64 == (chip.waveSize == 64);
  bool hasSplitBarriers = chip.has(arch::Feature::SplitBarrier);
  LogicalResult result = success();
  module.walk([&](Operation *op) {
    if (!hasSplitBarriers && isSplitBarrier(op->getName().getStringRef())) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op is no instruction of the chip '"
               << chip.name << "': split and named barriers begin with gfx12";
      return;
    }
    std::string problem = rocdl::findMatrixProblem(op, chip, knowsSizes);
    if (!problem.empty()) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op " << problem;
      return;
    }
    auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
    if (!assembly)
      return;
    problem = findAssemblyProblem(assembly, chip);
    if (!problem.empty())
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op " << problem;
  });
  return result;
}

} // namespace fly
