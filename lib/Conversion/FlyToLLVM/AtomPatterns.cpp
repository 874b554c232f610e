// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms and their calls, through the emission interfaces. Predication and the
// memory form of matrix atoms are derived here, once for all atoms.

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"
#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/Patterns.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace fly {
namespace {

/// The atom's operation type of an atom or tiled atom, or null.
Type getAtomOp(Type type) {
  if (auto copy = dyn_cast<CopyAtomType>(type))
    return copy.getCopyOp();
  if (auto mma = dyn_cast<MmaAtomType>(type))
    return mma.getMmaOp();
  if (auto tiled = dyn_cast<TiledCopyType>(type))
    return tiled.getAtom().getCopyOp();
  if (auto tiled = dyn_cast<TiledMmaType>(type))
    return tiled.getAtom().getMmaOp();
  return {};
}

/// A pattern that finds the emission of atoms.
template <typename OpT>
struct AtomPattern : ReportingPattern<OpT> {
  using ReportingPattern<OpT>::ReportingPattern;

  /// The emission interface of `type`, or null with a diagnostic at `op`.
  template <typename InterfaceT>
  InterfaceT getEmission(OpT op, Type type) const {
    auto emission = dyn_cast<InterfaceT>(type);
    if (!emission)
      this->error(op) << "the atom " << type
                      << " has no emission for this target";
    return emission;
  }
};

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

template <typename OpT, typename InterfaceT>
struct MakeAtom : AtomPattern<OpT> {
  using AtomPattern<OpT>::AtomPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type atomOp = getAtomOp(op.getType());
    auto emission = this->template getEmission<InterfaceT>(op, atomOp);
    if (!emission)
      return failure();
    FailureOr<Value> state =
        emission.emitNewState(rewriter, op.getLoc(), adaptor.getOperands(),
                              [&] { return this->error(op); });
    if (failed(state))
      return failure();
    rewriter.replaceOp(op, *state);
    return success();
  }
};

struct SetValue : AtomPattern<AtomSetValueOp> {
  using AtomPattern::AtomPattern;
  LogicalResult
  matchAndRewrite(AtomSetValueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type atomOp = getAtomOp(op.getAtom().getType());
    if (!atomOp)
      return error(op) << "needs an atom, got " << op.getAtom().getType();
    auto emit = [&](auto emission) {
      return emission.emitSetField(rewriter, op.getLoc(), adaptor.getAtom(),
                                   op.getField(), adaptor.getValue(),
                                   [&] { return error(op); });
    };
    FailureOr<Value> state = failure();
    if (auto copy = dyn_cast<CopyAtomEmissionInterface>(atomOp))
      state = emit(copy);
    else if (auto mma = getEmission<MmaAtomEmissionInterface>(op, atomOp))
      state = emit(mma);
    if (failed(state))
      return failure();
    rewriter.replaceOp(op, *state);
    return success();
  }
};

/// A tiled atom is its atom.
template <typename OpT>
struct ForwardAtom : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperands().front());
    return success();
  }
};

/// `fly.static` of an atom: a new one.
struct StaticAtom : AtomPattern<StaticOp> {
  using AtomPattern::AtomPattern;
  LogicalResult
  matchAndRewrite(StaticOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type atomOp = getAtomOp(op.getType());
    if (!atomOp)
      return failure();
    auto emit = [&](auto emission) {
      return emission.emitNewState(rewriter, op.getLoc(), ValueRange(),
                                   [&] { return error(op); });
    };
    FailureOr<Value> state = failure();
    if (auto copy = dyn_cast<CopyAtomEmissionInterface>(atomOp))
      state = emit(copy);
    else if (auto mma = getEmission<MmaAtomEmissionInterface>(op, atomOp))
      state = emit(mma);
    if (failed(state))
      return failure();
    rewriter.replaceOp(op, *state);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Copy calls
//===----------------------------------------------------------------------===//

struct CopyMemoryCall : AtomPattern<CopyAtomCallOp> {
  using AtomPattern::AtomPattern;
  LogicalResult
  matchAndRewrite(CopyAtomCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto emitError = [&] { return error(op); };
    auto atomType = cast<CopyAtomType>(op.getCopyAtom().getType());
    auto emission =
        getEmission<CopyAtomEmissionInterface>(op, atomType.getCopyOp());
    if (!emission)
      return failure();
    Location loc = op.getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    if (op.getPred()) {
      PointerType pointer =
          cast<MemRefType>(op.getPred().getType()).getPointerType();
      FailureOr<Value> predicate =
          emitLoad(rewriter, loc, pointer, adaptor.getPred(),
                   pointer.getElementType(), emitError);
      if (failed(predicate))
        return failure();
      auto branch = scf::IfOp::create(rewriter, loc, *predicate,
                                      /*withElseRegion=*/false);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    CopyCall call{atomType, adaptor.getCopyAtom(),
                  CallOperand{op.getSrc().getType(), adaptor.getSrc()},
                  CallOperand{op.getDst().getType(), adaptor.getDst()}, Type()};
    if (failed(emission.emitMemory(rewriter, loc, call, emitError)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct CopySSACall : AtomPattern<CopyAtomCallSSAOp> {
  using AtomPattern::AtomPattern;
  LogicalResult
  matchAndRewrite(CopyAtomCallSSAOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto emitError = [&] { return error(op); };
    auto atomType = cast<CopyAtomType>(op.getCopyAtom().getType());
    auto emission =
        getEmission<CopyAtomEmissionInterface>(op, atomType.getCopyOp());
    if (!emission)
      return failure();
    Location loc = op.getLoc();
    bool hasResult = op->getNumResults() == 1;
    CopyCall call{atomType, adaptor.getCopyAtom(),
                  operand(op.getSrc(), adaptor.getSrc()), std::nullopt, Type()};
    if (hasResult)
      call.resultType =
          getTypeConverter()->convertType(op->getResult(0).getType());
    if (hasResult && !call.resultType)
      return failure();
    bool updates = hasResult && op.getDst() &&
                   isa<fly::MemRefType, CoordTensorType>(op.getDst().getType());
    if (updates && !emission.givesOldValue())
      return error(op) << "has a result and a destination in memory, but "
                       << atomType.getCopyOp() << " is no atomic";
    if (!hasResult || updates)
      call.dst = operand(op.getDst(), adaptor.getDst());

    scf::IfOp branch;
    OpBuilder::InsertionGuard guard(rewriter);
    if (op.getPred()) {
      branch = scf::IfOp::create(
          rewriter, loc, hasResult ? TypeRange(call.resultType) : TypeRange(),
          adaptor.getPred(), /*withElseRegion=*/hasResult);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    // With a predicate alone in registers, both sides are memory.
    bool betweenMemories =
        !hasResult && isa<MemRefType, CoordTensorType>(call.src.type);
    FailureOr<Value> result =
        betweenMemories ? FailureOr<Value>(Value())
                        : emission.emitSSA(rewriter, loc, call, emitError);
    if (failed(result) ||
        (betweenMemories &&
         failed(emission.emitMemory(rewriter, loc, call, emitError))))
      return failure();
    if (hasResult && branch) {
      scf::YieldOp::create(rewriter, loc, *result);
      // Where the predicate is false the destination keeps its value.
      rewriter.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(rewriter, loc, adaptor.getDst());
      result = branch.getResult(0);
    }
    if (hasResult)
      rewriter.replaceOp(op, *result);
    else
      rewriter.eraseOp(op);
    return success();
  }

  /// A register operand counts with its converted type.
  static CallOperand operand(Value original, Value converted) {
    bool memory = isa<MemRefType, CoordTensorType>(original.getType());
    return {memory ? original.getType() : converted.getType(), converted};
  }
};

//===----------------------------------------------------------------------===//
// Matrix calls
//===----------------------------------------------------------------------===//

/// Operand `value` of a matrix call in its register type: a memref is loaded,
/// a register value cast.
FailureOr<Value> getMmaOperand(OpBuilder &builder, Location loc, Value original,
                               Value converted, Type registerType,
                               StringRef what, EmitErrorFn emitError) {
  auto memref = dyn_cast<MemRefType>(original.getType());
  if (!memref)
    return castRegister(builder, loc, converted, registerType, what, emitError);
  FailureOr<Type> found = getValueType(memref, what, emitError);
  if (failed(found))
    return failure();
  if (getRegisterBits(*found) != getRegisterBits(registerType)) {
    emitError() << "the " << what << " must have "
                << getRegisterBits(registerType).value_or(0) << " bits a lane ("
                << registerType << "), got " << memref;
    return failure();
  }
  return emitLoad(builder, loc, memref.getPointerType(), converted,
                  registerType, emitError);
}

/// Both forms: memref operands are loaded, D is stored or the result.
template <typename OpT>
struct MmaAtomCall : AtomPattern<OpT> {
  using AtomPattern<OpT>::AtomPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto emitError = [&] { return this->error(op); };
    auto atomType = cast<MmaAtomType>(op.getMmaAtom().getType());
    auto emission = this->template getEmission<MmaAtomEmissionInterface>(
        op, atomType.getMmaOp());
    if (!emission)
      return failure();
    Location loc = op.getLoc();
    auto operand = [&](Value original, Value converted, MmaOperand which,
                       StringRef what) {
      return getMmaOperand(rewriter, loc, original, converted,
                           emission.getRegisterType(which), what, emitError);
    };
    FailureOr<Value> a =
        operand(op.getA().front(), adaptor.getA().front(), MmaOperand::A, "A");
    if (failed(a))
      return failure();
    FailureOr<Value> b =
        operand(op.getB().front(), adaptor.getB().front(), MmaOperand::B, "B");
    if (failed(b))
      return failure();
    FailureOr<Value> c =
        operand(op.getC(), adaptor.getC(), MmaOperand::C, "accumulator");
    if (failed(c))
      return failure();
    auto auxiliary = [&](ValueRange original, ValueRange converted,
                         MmaOperand which, StringRef what) -> FailureOr<Value> {
      if (original.size() == 1)
        return Value();
      Type type = emission.getAuxiliaryType(which);
      if (!type) {
        emitError() << "this MMA atom does not support auxiliary operands";
        return failure();
      }
      if (original.size() > 2) {
        emitError() << "scaled MMA expects [data] or [data, scale] for each "
                       "operand, got "
                    << original.size() << " members";
        return failure();
      }
      return getMmaOperand(rewriter, loc, original[1], converted[1], type, what,
                           emitError);
    };
    FailureOr<Value> scaleA =
        auxiliary(op.getA(), adaptor.getA(), MmaOperand::A, "scale of A");
    if (failed(scaleA))
      return failure();
    FailureOr<Value> scaleB =
        auxiliary(op.getB(), adaptor.getB(), MmaOperand::B, "scale of B");
    if (failed(scaleB))
      return failure();
    MmaCall call{atomType, adaptor.getMmaAtom(), *a, *b, *c, *scaleA, *scaleB};
    FailureOr<Value> d = emission.emitSSA(rewriter, loc, call, emitError);
    if (failed(d))
      return failure();

    if (op->getNumResults() == 1) {
      Type type =
          this->getTypeConverter()->convertType(op->getResult(0).getType());
      FailureOr<Value> result =
          castRegister(rewriter, loc, *d, type, "result", emitError);
      if (failed(result))
        return failure();
      rewriter.replaceOp(op, *result);
      return success();
    }
    auto memref = cast<MemRefType>(op.getD().getType());
    FailureOr<Type> type = getValueType(memref, "destination", emitError);
    if (failed(type))
      return failure();
    FailureOr<Value> stored =
        castRegister(rewriter, loc, *d, *type, "destination", emitError);
    if (failed(stored) ||
        failed(emitStore(rewriter, loc, memref.getPointerType(), adaptor.getD(),
                         *stored, emitError)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateFlyAtomToLLVMPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   ConversionErrors &errors) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MakeAtom<MakeCopyAtomOp, CopyAtomEmissionInterface>,
               MakeAtom<MakeMmaAtomOp, MmaAtomEmissionInterface>, SetValue,
               StaticAtom, CopyMemoryCall, CopySSACall,
               MmaAtomCall<MmaAtomCallOp>, MmaAtomCall<MmaAtomCallSSAOp>>(
      converter, context, errors);
  patterns.add<ForwardAtom<MakeTiledCopyOp>, ForwardAtom<MakeTiledMmaOp>,
               ForwardAtom<GetCopyAtomOp>, ForwardAtom<GetMmaAtomOp>>(converter,
                                                                      context);
}

} // namespace fly
