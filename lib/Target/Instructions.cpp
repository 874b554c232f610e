// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's AMDGPU backend does not refuse by itself, or only by ending:
// instructions and clusters that the chip lacks, and inline assembly.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"
#include "Fly/Arch/Clusters.h"
#include "Fly/Arch/CopyInstructions.h"
#include "Fly/Arch/SmallFloats.h"
#include "Fly/Dialect/FlyROCDL/IR/MatrixOperations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

#include "fly_cpu_abi.h"

using namespace mlir;

namespace fly {

llvm::StringRef withoutPrefix(llvm::StringRef name) {
  return name.consume_front("rocdl.") || name.consume_front("llvm.amdgcn.")
             ? name
             : llvm::StringRef();
}

llvm::StringRef instructionName(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return withoutPrefix(call ? call.getIntrin() : op->getName().getStringRef());
}

/// True for the barriers of several instructions or with names, of gfx12 on.
static bool isSplitBarrier(llvm::StringRef name) {
  static const llvm::StringSet<> names = {"s.barrier.init",
                                          "s.barrier.join",
                                          "s.barrier.leave",
                                          "s.barrier.signal",
                                          "s.barrier.signal.isfirst",
                                          "s.barrier.signal.var",
                                          "s.barrier.wait",
                                          "s.get.barrier.state",
                                          "s.get.named.barrier.state",
                                          "s.wakeup.barrier"};
  return names.contains(name);
}

/// The number of the barrier that a half of one is of.
static std::optional<int64_t> barrierNumber(Operation *op) {
  APInt number;
  if (auto id = op->getAttrOfType<IntegerAttr>("id"))
    return id.getValue().getSExtValue();
  if (isa<LLVM::CallIntrinsicOp>(op) && op->getNumOperands() == 1 &&
      matchPattern(op->getOperand(0), m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// True for what only chips with clusters of workgroups have. LLVM takes the
/// numbers of clusters for undefined values on other chips, and gfx12 would
/// signal a barrier that it does not have.
static bool needsClusters(Operation *op, llvm::StringRef name) {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> names;
    auto add = [&](llvm::StringRef name, arch::Feature needs) {
      if (needs == arch::Feature::Clusters)
        names.insert(withoutPrefix(name));
    };
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue)             \
  add(Name, arch::Feature::Needs);
#include "fly_cpu_handlers.def"
    return names;
  }();
  bool isHalf = name == "s.barrier.signal" || name == "s.barrier.wait";
  return (isHalf && barrierNumber(op) == FLY_CPU_CLUSTER_BARRIER) ||
         names.contains(name) || name.starts_with("cluster.");
}

/// What is wrong with the cluster that `kernel` says it is for, to stand behind
/// its operation's name; LLVM takes none of another chip without a word.
static std::string findClusterProblem(LLVM::LLVMFuncOp kernel,
                                      const arch::Chip &chip) {
  if (kernel->hasAttr("rocdl.cluster_dims"))
    return "has the attribute 'rocdl.cluster_dims', of which "
           "fly-rocdl-cluster-attr makes LLVM's if it is a string as \"2,1,1\"";
  ArrayAttr passthrough = kernel.getPassthroughAttr();
  for (Attribute entry :
       passthrough ? passthrough.getValue() : llvm::ArrayRef<Attribute>()) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    if (!pair || pair.size() != 2 ||
        pair[0] != StringAttr::get(kernel.getContext(), "amdgpu-cluster-dims"))
      continue;
    auto text = dyn_cast<StringAttr>(pair[1]);
    std::array<uint32_t, 3> sizes;
    std::string problem =
        arch::readClusterDims(text ? text.getValue() : "", chip, sizes);
    if (!problem.empty())
      return ("has cluster dimensions \"" + (text ? text.getValue() : "") +
              "\"" + problem)
          .str();
  }
  return {};
}

/// What of `op`, an instruction of that name, the chip does not have, to stand
/// behind the operation's name; empty if nothing is known.
static std::string findMissing(Operation *op, llvm::StringRef name,
                               const arch::Chip &chip) {
  // LLVM emits them, or crashes. gfx1250 has those of 8 and 16 numbers.
  if (name.starts_with("cvt.scalef32.")) {
    bool isWide = name.contains(".pk8.") || name.contains(".pk16.");
    if (arch::getScaledConversions(chip) !=
        (isWide ? arch::ScaledConversions::Gfx1250
                : arch::ScaledConversions::Gfx950))
      return "is no instruction of " + chip.name.str() + " but of " +
             (isWide ? "gfx1250" : "gfx950");
  }
  if (auto scope = dyn_cast_or_null<StringAttr>(
          op->getInherentAttr("syncscope").value_or(Attribute())))
    if (!arch::isSyncScope(chip, scope.getValue()))
      return "names the synchronisation scope \"" + scope.getValue().str() +
             "\", which " + chip.name.str() + " does not have; it has " +
             arch::syncScopeNames(chip);
  return {};
}

LogicalResult checkInstructions(gpu::GPUModuleOp module, const arch::Chip &chip,
                                bool isWave64) {
  // The rows are those of the chip's own wave size.
  bool knowsSizes = isWave64 == (chip.waveSize == 64);
  bool hasSplitBarriers = chip.has(arch::Feature::SplitBarrier);
  bool hasClusters = chip.has(arch::Feature::Clusters);
  LogicalResult result = success();
  module.walk([&](Operation *op) {
    llvm::StringRef name = instructionName(op);
    if (!hasSplitBarriers && isSplitBarrier(name)) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op is no instruction of the chip '"
               << chip.name << "': split and named barriers begin with gfx12";
      return;
    }
    if (!hasClusters && needsClusters(op, name)) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op is no instruction of the chip '"
               << chip.name
               << "': clusters of workgroups, and the copies and barriers that "
                  "came with them, begin with gfx1250";
      return;
    }
    std::string problem = findMissing(op, name, chip);
    if (problem.empty())
      problem = rocdl::findMatrixProblem(op, chip, knowsSizes);
    if (!problem.empty()) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op " << problem;
      return;
    }
    if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
      problem = findAssemblyProblem(assembly, chip);
    else if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
      problem = findClusterProblem(function, chip);
    if (!problem.empty())
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op " << problem;
  });
  return result;
}

} // namespace fly
