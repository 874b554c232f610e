// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-convert-gpu-module: upstream's convert-gpu-to-rocdl with the
// chip taken from the module's target, so that a pipeline needs no chip of its
// own, and with clusters of workgroups, which upstream has not.

#include "Fly/Pipelines/Passes.h"

#include "LaneOperations.h"

#include "Fly/Arch/Chips.h"
#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYCONVERTGPUMODULEPASS
#include "Fly/Pipelines/Passes.h.inc"

namespace {
struct ConvertGPUModule
    : public impl::FlyConvertGPUModulePassBase<ConvertGPUModule> {
  void getDependentDialects(DialectRegistry &registry) const override {
    FlyConvertGPUModulePassBase::getDependentDialects(registry);
    getRest().getDependentDialects(registry);
    // convert-gpu-to-rocdl converts what the loaded dialects register.
    arith::registerConvertArithToLLVMInterface(registry);
    cf::registerConvertControlFlowToLLVMInterface(registry);
    index::registerConvertIndexToLLVMInterface(registry);
    registerConvertComplexToLLVMInterface(registry);
    registerConvertFuncToLLVMInterface(registry);
    registerConvertMathToLLVMInterface(registry);
    registerConvertMemRefToLLVMInterface(registry);
    ub::registerConvertUBToLLVMInterface(registry);
    vector::registerConvertVectorToLLVMInterface(registry);
  }

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (isConverted(module))
      return markAllAnalysesPreserved();
    llvm::StringRef chip;
    for (Attribute target : module.getTargetsAttr()
                                ? module.getTargetsAttr().getValue()
                                : llvm::ArrayRef<Attribute>()) {
      if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
        chip = rocdl.getChip();
      else if (auto cpu = dyn_cast<rocdl::CPUTargetAttr>(target))
        chip = cpu.getChip();
    }
    if (chip.empty()) {
      module.emitOpError("has no target that names a chip");
      return signalPassFailure();
    }
    SmallVector<gpu::ShuffleOp> shuffles;
    SmallVector<Operation *> clusterOps;
    bool hasFailed = false;
    module.walk([&](Operation *op) {
      if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op);
          shuffle && shuffle.getMode() == gpu::ShuffleMode::UP)
        shuffles.push_back(shuffle);
      if (isClusterOp(op)) {
        clusterOps.push_back(op);
        hasFailed |= failed(checkClusters(op, chip));
      }
      hasFailed |= failed(checkSmallFloats(op));
    });
    if (hasFailed)
      return signalPassFailure();
    for (gpu::ShuffleOp op : shuffles)
      replaceShuffleUp(op);
    for (Operation *op : clusterOps)
      replaceClusterOp(op);
    markLaneOperations(module);
    ConvertGpuOpsToROCDLOpsOptions options;
    options.chipset = chip.str();
    options.runtime = gpu::amd::Runtime::HIP;
    options.useBarePtrCallConv = true;
    OpPassManager passes(gpu::GPUModuleOp::getOperationName());
    passes.addPass(createConvertGpuOpsToROCDLOps(options));
    if (failed(runPipeline(passes, module)))
      return signalPassFailure();
    // Mostly all is done by now; each further pass would walk the module twice.
    if (!isConverted(module)) {
      OpPassManager rest = getRest();
      if (failed(runPipeline(rest, module)) || failed(checkLeftCasts(module)))
        return signalPassFailure();
    }
    unmarkLaneOperations(module);
    // The passes inside have told what they changed.
    markAllAnalysesPreserved();
  }

private:
  /// Floats of less than 16 bits are carried as the bits that they are; LLVM
  /// has no arithmetic on them.
  static LogicalResult checkSmallFloats(Operation *op) {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op))
      return success();
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (auto small = dyn_cast<FloatType>(getElementTypeOrSelf(type));
            small && small.getWidth() < 16)
          return op->emitOpError("cannot compute with ")
                 << small << ", whose values are kept as " << small.getWidth()
                 << " bits without arithmetic; compute in f32 or f16";
    return success();
  }

  static bool isFlyType(Type type) {
    return isa<FlyDialect, rocdl::FlyROCDLDialect>(type.getDialect());
  }

  /// Casts from and to types of Fly, which no later pass converts: each chain
  /// of them is reported once, where its value leaves these types.
  static LogicalResult checkLeftCasts(gpu::GPUModuleOp module) {
    bool hasFailed = false;
    module.walk([&](UnrealizedConversionCastOp cast) {
      bool takes = llvm::any_of(cast.getOperandTypes(), isFlyType);
      bool gives = llvm::any_of(cast.getResultTypes(), isFlyType) &&
                   !llvm::all_of(cast->getUsers(),
                                 llvm::IsaPred<UnrealizedConversionCastOp>);
      if (!takes && !gives)
        return;
      hasFailed = true;
      InFlightDiagnostic error = cast.emitOpError("from ");
      llvm::interleaveComma(cast.getOperandTypes(), error);
      error << " to ";
      llvm::interleaveComma(cast.getResultTypes(), error);
      error << " is left over: no pass converts it";
    });
    return failure(hasFailed);
  }

  /// The conversion of what convert-gpu-to-rocdl leaves.
  static OpPassManager getRest() {
    OpPassManager rest(gpu::GPUModuleOp::getOperationName());
    rest.addPass(createReconcileUnrealizedCastsPass());
    // Strided slices of vectors go to shuffles, and what folds on the way to
    // constants.
    rest.addPass(createConvertVectorToLLVMPass());
    rest.addPass(createArithToLLVMConversionPass());
    // What vectors of several dimensions start from.
    rest.addPass(createUBToLLVMConversionPass());
    rest.addPass(createReconcileUnrealizedCastsPass());
    return rest;
  }

  /// convert-gpu-to-rocdl compares the source lane of a shuffle only with the
  /// end of its segment. That of a shuffle upwards may lie before the begin:
  /// such a lane keeps its value, and its second result is false.
  static void replaceShuffleUp(gpu::ShuffleOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Type i32 = b.getI32Type();
    Value lane = arith::IndexCastOp::create(
        b, loc, i32, gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr));
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value mask = arith::SubIOp::create(b, loc, zero, op.getWidth());
    Value begin = arith::AndIOp::create(b, loc, lane, mask);
    Value source = arith::SubIOp::create(b, loc, lane, op.getOffset());
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, source, begin);
    Value from = arith::SelectOp::create(b, loc, inside, source, lane);
    auto shuffle = gpu::ShuffleOp::create(b, loc, op.getValue(), from,
                                          op.getWidth(), gpu::ShuffleMode::IDX);
    op.replaceAllUsesWith(ValueRange{shuffle.getShuffleResult(), inside});
    op.erase();
  }

  //===--------------------------------------------------------------------===//
  // Clusters of workgroups, which convert-gpu-to-rocdl does not know
  //===--------------------------------------------------------------------===//

  static bool isClusterOp(Operation *op) {
    return isa<gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::ClusterBlockIdOp,
               gpu::ClusterDimBlocksOp>(op);
  }

  /// An unknown chip is an error of convert-gpu-to-rocdl.
  static LogicalResult checkClusters(Operation *op, StringRef name) {
    const arch::Chip *chip = arch::lookupChip(name);
    if (!chip || chip->has(arch::Feature::Clusters))
      return success();
    return op->emitOpError("is no instruction of ")
           << name << ", which has no clusters of workgroups";
  }

  /// The workgroup's number in the cluster along an axis, i32, or with the name
  /// "max.id" the last one's, for which MLIR has no operation.
  static Value createNumber(OpBuilder &b, Location loc, StringRef name,
                            gpu::Dimension axis) {
    std::string intrinsic = ("llvm.amdgcn.cluster.workgroup." + name + "." +
                             gpu::stringifyDimension(axis))
                                .str();
    return LLVM::CallIntrinsicOp::create(
               b, loc, b.getI32Type(), b.getStringAttr(intrinsic), ValueRange())
        .getResult(0);
  }

  static Value createClusterId(OpBuilder &b, Location loc,
                               gpu::Dimension axis) {
    OperationState state(
        loc, ("rocdl.cluster.id." + gpu::stringifyDimension(axis)).str());
    state.addTypes(b.getI32Type());
    return b.create(state)->getResult(0);
  }

  /// The workgroups of a cluster along an axis, i32: one more than the largest
  /// number of one.
  static Value createClusterSize(OpBuilder &b, Location loc,
                                 gpu::Dimension axis) {
    Value last = createNumber(b, loc, "max.id", axis);
    Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
    return arith::AddIOp::create(b, loc, last, one);
  }

  /// The hardware tells the cluster's number, the workgroup's in the cluster
  /// and the last one's. A grid is whole clusters: the sizes of the launch are
  /// checked, on the device by HIP.
  static void replaceClusterOp(Operation *op) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value value;
    if (auto id = dyn_cast<gpu::ClusterIdOp>(op)) {
      value = createClusterId(b, loc, id.getDimension());
    } else if (auto id = dyn_cast<gpu::ClusterBlockIdOp>(op)) {
      value = createNumber(b, loc, "id", id.getDimension());
    } else if (auto size = dyn_cast<gpu::ClusterDimBlocksOp>(op)) {
      value = createClusterSize(b, loc, size.getDimension());
    } else {
      gpu::Dimension axis = cast<gpu::ClusterDimOp>(op).getDimension();
      Value grid = arith::IndexCastUIOp::create(
          b, loc, b.getI32Type(), gpu::GridDimOp::create(b, loc, axis));
      value =
          arith::DivUIOp::create(b, loc, grid, createClusterSize(b, loc, axis));
    }
    op->replaceAllUsesWith(ValueRange{
        arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value)});
    op->erase();
  }

  /// True if `module` holds only operations that code generation translates.
  static bool isConverted(gpu::GPUModuleOp module) {
    return !module.getBody()
                ->walk([](Operation *op) {
                  return isa_and_nonnull<LLVM::LLVMDialect,
                                         ROCDL::ROCDLDialect>(op->getDialect())
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }
};
} // namespace
} // namespace fly
