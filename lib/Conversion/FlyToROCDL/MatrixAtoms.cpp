// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the matrix atoms of `fly_rocdl`: one ROCDL operation each, as the
// instruction table of room Arch describes it.

#include "MatrixAtoms.h"

#include "Buffer.h"

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fly::rocdl {
namespace {

/// The modifiers of any matrix atom type; absent ones are at their default.
struct Modifiers {
  bool signA = false, signB = false, clamp = false;
  int32_t modC = 0;
  bool reuseA = false, reuseB = false;
  int32_t opselA = 0, opselB = 0;
};

Modifiers getModifiers(MfmaType) { return {}; }
Modifiers getModifiers(MfmaScaleType type) {
  Modifiers modifiers;
  modifiers.opselA = type.getOpselA();
  modifiers.opselB = type.getOpselB();
  return modifiers;
}
Modifiers getModifiers(WmmaGfx11Type type) {
  return {type.getSignA(), type.getSignB(), type.getClamp()};
}
Modifiers getModifiers(WmmaGfx120xType type) {
  return {type.getSignA(), type.getSignB(), type.getClamp()};
}
Modifiers getModifiers(WmmaGfx1250Type type) {
  return {type.getSignA(), type.getSignB(),  type.getClamp(),
          type.getModC(),  type.getReuseA(), type.getReuseB()};
}
Modifiers getModifiers(WmmaScaleGfx1250Type type) {
  Modifiers modifiers;
  modifiers.modC = type.getModC();
  modifiers.reuseA = type.getReuseA();
  modifiers.reuseB = type.getReuseB();
  modifiers.opselA = type.getOpselA();
  modifiers.opselB = type.getOpselB();
  return modifiers;
}

/// Operands of an instruction in their register types; the scales are those of
/// a scaled row only.
struct Operands {
  Value a, b, c, scaleA, scaleB;
};

/// The operands and attributes of one ROCDL operation under construction.
struct InstructionBuilder {
  OpBuilder &builder;
  Location loc;
  const arch::MatrixInstruction &row;
  const Modifiers &modifiers;
  OperationState state;

  InstructionBuilder(OpBuilder &builder, Location loc,
                     const arch::MatrixInstruction &row,
                     const Modifiers &modifiers)
      : builder(builder), loc(loc), row(row), modifiers(modifiers),
        state(loc, row.op) {
    state.addTypes(getRegisterType(builder.getContext(), row.regC));
  }

  void constant(int32_t value) {
    state.addOperands(i32Constant(builder, loc, value));
  }
  void flag(StringRef name, bool value) {
    if (value)
      state.addAttribute(name, builder.getBoolAttr(true));
  }
  void field(StringRef name, int32_t value) {
    if (value)
      state.addAttribute(name, builder.getI32IntegerAttr(value));
  }
  void signs() {
    flag("signA", modifiers.signA);
    flag("signB", modifiers.signB);
    flag("clamp", modifiers.clamp);
  }
  void reuse() {
    flag("reuseA", modifiers.reuseA);
    flag("reuseB", modifiers.reuseB);
  }
  void modC() {
    if (modifiers.modC)
      state.addAttribute("modC", builder.getI16IntegerAttr(modifiers.modC));
  }
  /// E8M0 scales, from the lanes that opsel names.
  void scales(const Operands &operands) {
    state.addOperands({operands.scaleA, operands.scaleB});
    field("scaleAType", modifiers.opselA);
    field("scaleBType", modifiers.opselB);
    modC();
    reuse();
  }
};

/// Emits the instruction of `row`.
Value emitInstruction(OpBuilder &builder, Location loc,
                      const arch::MatrixInstruction &row,
                      const Modifiers &modifiers, const Operands &operands) {
  InstructionBuilder op(builder, loc, row, modifiers);
  op.state.addOperands({operands.a, operands.b, operands.c});
  int32_t formatA = arch::scaledFormatCode(row.a).value_or(0);
  int32_t formatB = arch::scaledFormatCode(row.b).value_or(0);
  switch (row.modifiers) {
  case arch::ModifierForm::MfmaTriple: {
    // cbsz, abid and blgp: no broadcast, no permutation.
    Value zero = i32Constant(builder, loc, 0);
    op.state.addOperands({zero, zero, zero});
    break;
  }
  case arch::ModifierForm::Plain:
    // The operations with packed results have an operand half, none set.
    break;
  case arch::ModifierForm::SignsReuse:
    op.reuse();
    [[fallthrough]];
  case arch::ModifierForm::Signs:
    op.signs();
    break;
  case arch::ModifierForm::ModCReuse:
    op.modC();
    op.reuse();
    break;
  case arch::ModifierForm::MfmaScale:
    op.constant(formatA);
    op.constant(formatB);
    op.constant(modifiers.opselA);
    op.state.addOperands(operands.scaleA);
    op.constant(modifiers.opselB);
    op.state.addOperands(operands.scaleB);
    break;
  case arch::ModifierForm::WmmaScale:
    op.field("fmtA", formatA);
    op.field("fmtB", formatB);
    [[fallthrough]];
  case arch::ModifierForm::WmmaScaleF4:
    op.scales(operands);
    break;
  default:
    llvm_unreachable("operations without an atom are not emitted");
  }
  return builder.create(op.state)->getResult(0);
}

template <typename TypeT>
struct MatrixEmission
    : MmaAtomEmissionInterface::ExternalModel<MatrixEmission<TypeT>, TypeT> {
  Type getRegisterType(Type type, MmaOperand operand) const {
    const arch::MatrixInstruction &row = cast<TypeT>(type).getInstruction();
    switch (operand) {
    case MmaOperand::A:
      return rocdl::getRegisterType(type.getContext(), row.regA);
    case MmaOperand::B:
      return rocdl::getRegisterType(type.getContext(), row.regB);
    case MmaOperand::C:
    case MmaOperand::D:
      return rocdl::getRegisterType(type.getContext(), row.regC);
    }
    llvm_unreachable("all operands are listed");
  }

  Type getAuxiliaryType(Type type, MmaOperand) const {
    unsigned bits = cast<TypeT>(type).getInstruction().scaleBits;
    return bits ? IntegerType::get(type.getContext(), bits) : Type();
  }

  /// A value of the bits of the field will do: vector<4xi8> for i32.
  FailureOr<Value> emitSetField(Type type, OpBuilder &builder, Location loc,
                                Value state, StringRef field, Value value,
                                EmitErrorFn emitError) const {
    for (const AtomStateField &known :
         cast<MmaAtomTypeInterface>(type).getStateFields())
      if (known.name == field) {
        FailureOr<Value> cast =
            castRegister(builder, loc, value, known.type, field, emitError);
        if (failed(cast))
          return failure();
        value = *cast;
      }
    return emitInsertField(type, builder, loc, state, field, value, emitError);
  }

  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const MmaCall &call, EmitErrorFn) const {
    auto atom = cast<TypeT>(type);
    const arch::MatrixInstruction &row = atom.getInstruction();
    Operands operands = {call.a, call.b, call.c, call.auxiliaryA,
                         call.auxiliaryB};
    // A scale that the call does not give is that of the state, looked up
    // through the insertions that made it.
    auto read = [&](Value &scale, int64_t index) {
      if (row.scaleBits && !scale)
        scale =
            builder.createOrFold<LLVM::ExtractValueOp>(loc, call.state, index);
    };
    read(operands.scaleA, 0);
    read(operands.scaleB, 1);
    return emitInstruction(builder, loc, row, getModifiers(atom), operands);
  }
};

} // namespace

void attachMatrixModels(MLIRContext &context) {
  MfmaType::attachInterface<MatrixEmission<MfmaType>>(context);
  MfmaScaleType::attachInterface<MatrixEmission<MfmaScaleType>>(context);
  WmmaGfx11Type::attachInterface<MatrixEmission<WmmaGfx11Type>>(context);
  WmmaGfx120xType::attachInterface<MatrixEmission<WmmaGfx120xType>>(context);
  WmmaGfx1250Type::attachInterface<MatrixEmission<WmmaGfx1250Type>>(context);
  WmmaScaleGfx1250Type::attachInterface<MatrixEmission<WmmaScaleGfx1250Type>>(
      context);
}

} // namespace fly::rocdl
