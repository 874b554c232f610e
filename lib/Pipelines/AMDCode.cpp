// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only AMD code needs just before code generation: launch sizes without
// device libraries, the number of waves that registers are given for, and the
// treatment of denormal numbers.

#include "Fly/Arch/Chips.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "Fly/Pipelines/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYUSEIMPLICITARGUMENTSPASS
#define GEN_PASS_DEF_FLYSETDENORMALSPASS
#define GEN_PASS_DEF_FLYSETWAVESPEREUPASS
#include "Fly/Pipelines/Passes.h.inc"

/// The target of type `TargetT` of a module, or null.
template <typename TargetT = ROCDL::ROCDLTargetAttr>
static TargetT findTarget(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  return targets && targets.size() == 1 ? dyn_cast<TargetT>(targets[0])
                                        : nullptr;
}

namespace {
//===----------------------------------------------------------------------===//
// fly-use-implicit-arguments
//===----------------------------------------------------------------------===//

/// One of the implicit arguments behind those of the kernel: LLVM's "User
/// Guide for AMDGPU Backend", table "AMDHSA Code Object V5 Metadata".
struct ImplicitArgument {
  int32_t offset; ///< in bytes
  unsigned bits;
};

std::optional<ImplicitArgument> lookupImplicitArgument(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ImplicitArgument>>(op)
      // hidden_block_count_x, _y, _z
      .Case([](ROCDL::GridDimXOp) { return ImplicitArgument{0, 32}; })
      .Case([](ROCDL::GridDimYOp) { return ImplicitArgument{4, 32}; })
      .Case([](ROCDL::GridDimZOp) { return ImplicitArgument{8, 32}; })
      // hidden_group_size_x, _y, _z
      .Case([](ROCDL::BlockDimXOp) { return ImplicitArgument{12, 16}; })
      .Case([](ROCDL::BlockDimYOp) { return ImplicitArgument{14, 16}; })
      .Case([](ROCDL::BlockDimZOp) { return ImplicitArgument{16, 16}; })
      .Default([](Operation *) { return std::nullopt; });
}

struct UseImplicitArguments
    : public impl::FlyUseImplicitArgumentsPassBase<UseImplicitArguments> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    // Code object version 4 has other arguments there.
    ROCDL::ROCDLTargetAttr target = findTarget(module);
    unsigned abi = 0;
    if (!target || target.getAbi().getAsInteger(10, abi) || abi < 500)
      return;
    llvm::SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (lookupImplicitArgument(op) && op->getNumResults() == 1 &&
          op->getResult(0).getType().isInteger())
        ops.push_back(op);
    });
    for (Operation *op : ops)
      replace(op, *lookupImplicitArgument(op));
  }

  void replace(Operation *op, ImplicitArgument argument) {
    OpBuilder b(op);
    Location loc = op->getLoc();
    Type pointer = LLVM::LLVMPointerType::get(op->getContext(), 4);
    Value base =
        LLVM::CallIntrinsicOp::create(
            b, loc, pointer, b.getStringAttr("llvm.amdgcn.implicitarg.ptr"),
            ValueRange())
            .getResult(0);
    Value address =
        LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), base,
                            llvm::ArrayRef<LLVM::GEPArg>{argument.offset});
    Type type = op->getResult(0).getType();
    Value value = LLVM::LoadOp::create(
        b, loc, b.getIntegerType(argument.bits), address,
        /*alignment=*/argument.bits / 8, /*isVolatile=*/false,
        /*isNonTemporal=*/false, /*isInvariant=*/true);
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits > argument.bits)
      value = LLVM::ZExtOp::create(b, loc, type, value);
    else if (bits < argument.bits)
      value = LLVM::TruncOp::create(b, loc, type, value);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
};

//===----------------------------------------------------------------------===//
// fly-set-waves-per-eu
//===----------------------------------------------------------------------===//

/// A number of waves: at least `min`, at most `max` if that is not 0.
struct WaveRange {
  unsigned min = 0, max = 0;
};

constexpr llvm::StringLiteral kWavesPerEu = "rocdl.waves_per_eu";

struct SetWavesPerEu : public impl::FlySetWavesPerEuPassBase<SetWavesPerEu> {
  using FlySetWavesPerEuPassBase::FlySetWavesPerEuPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr("rocdl.kernel") || function->hasAttr("gpu.kernel"))
        if (failed(set(function)))
          return signalPassFailure();
  }

  /// The range that `text` says: "2", "2,4", or "" and "0" for none.
  FailureOr<WaveRange> parse(LLVM::LLVMFuncOp function, llvm::StringRef text) {
    WaveRange range;
    llvm::StringRef name;
    if (auto target = findTarget(getOperation()))
      name = target.getChip();
    else if (auto cpu = findTarget<rocdl::CPUTargetAttr>(getOperation()))
      name = cpu.getChip();
    const arch::Chip *chip = arch::lookupChip(name);
    unsigned limit = chip ? chip->maxWavesPerSimd : 20;
    auto [min, max] = text.split(',');
    min = min.trim();
    max = max.trim();
    bool hasMax = text.contains(',');
    bool isWrong = (hasMax || !min.empty()) && min.getAsInteger(10, range.min);
    if (hasMax)
      isWrong |= max.getAsInteger(10, range.max) || range.min == 0 ||
                 range.max < range.min;
    isWrong |= range.min > limit || range.max > limit;
    if (isWrong)
      return function.emitError("kernel '")
             << function.getSymName() << "': waves per EU are '" << text
             << "', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= " << limit
             << ", or 0 for the compiler's choice";
    return range;
  }

  LogicalResult set(LLVM::LLVMFuncOp function) {
    std::string text = wavesPerEu;
    Attribute attribute = function->getDiscardableAttr(kWavesPerEu);
    if (attribute) {
      // What the kernel itself says is closer than the option.
      if (auto number = dyn_cast<IntegerAttr>(attribute))
        text = std::to_string(number.getInt());
      else if (auto string = dyn_cast<StringAttr>(attribute))
        text = string.str();
      else
        return function.emitError("kernel '")
               << function.getSymName() << "': '" << kWavesPerEu << "' is "
               << attribute << ", expected an integer or a string";
      function->removeDiscardableAttr(kWavesPerEu);
    }
    FailureOr<WaveRange> range = parse(function, text);
    if (failed(range))
      return failure();
    // The CPU has no registers to share.
    if (range->min == 0 || findTarget<rocdl::CPUTargetAttr>(getOperation()))
      return success();
    std::string value = std::to_string(range->min);
    if (range->max != 0)
      value += "," + std::to_string(range->max);

    Builder b(function.getContext());
    llvm::SmallVector<Attribute> passthrough;
    if (ArrayAttr present = function.getPassthroughAttr())
      passthrough.append(present.begin(), present.end());
    passthrough.push_back(b.getStrArrayAttr({"amdgpu-waves-per-eu", value}));
    function.setPassthroughAttr(b.getArrayAttr(passthrough));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// fly-set-denormals
//===----------------------------------------------------------------------===//

struct SetDenormals : public impl::FlySetDenormalsPassBase<SetDenormals> {
  using FlySetDenormalsPassBase::FlySetDenormalsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal())
        continue;
      // LLVM's attribute for f16 and f64 is that of all types without one of
      // their own: f32 gets its own.
      DenormalMode single =
          f32 == DenormalMode::Default && f16 != DenormalMode::Default
              ? DenormalMode::Preserve
              : f32;
      if (StringAttr mode = getMode(single);
          mode && !function.getDenormalFpMathF32Attr())
        function.setDenormalFpMathF32Attr(mode);
      if (StringAttr mode = getMode(f16);
          mode && !function.getDenormalFpMathAttr())
        function.setDenormalFpMathAttr(mode);
    }
  }

  /// The mode of operands and results alike.
  StringAttr getMode(DenormalMode mode) {
    Builder b(&getContext());
    switch (mode) {
    case DenormalMode::Default:
      return {};
    case DenormalMode::Preserve:
      return b.getStringAttr("ieee,ieee");
    case DenormalMode::Flush:
      return b.getStringAttr("preserve-sign,preserve-sign");
    }
    llvm_unreachable("every mode has a text");
  }
};
} // namespace
} // namespace fly
