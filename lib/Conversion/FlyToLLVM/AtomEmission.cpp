// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all atoms share in emission: their state as a struct, register casts,
// and the memory form of a copy in terms of its SSA form.

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"

#include "Fly/Conversion/FlyToLLVM/AtomEmissionInterfaces.cpp.inc"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

static SmallVector<AtomStateField> getFields(Type atomOp) {
  if (auto copy = dyn_cast<CopyAtomTypeInterface>(atomOp))
    return copy.getStateFields();
  if (auto mma = dyn_cast<MmaAtomTypeInterface>(atomOp))
    return mma.getStateFields();
  return {};
}

Type getDefaultStateType(Type atomOp) {
  SmallVector<Type> types =
      llvm::map_to_vector(getFields(atomOp), [](const AtomStateField &field) {
        return field.type;
      });
  return LLVM::LLVMStructType::getLiteral(atomOp.getContext(), types);
}

FailureOr<Value> emitZeroState(Type atomOp, OpBuilder &builder, Location loc,
                               ValueRange args, EmitErrorFn emitError) {
  if (!args.empty()) {
    emitError() << "this atom takes no construction arguments, got "
                << args.size();
    return failure();
  }
  Value state =
      LLVM::UndefOp::create(builder, loc, getDefaultStateType(atomOp));
  // Fields of one type share their zero.
  llvm::SmallDenseMap<Type, Value> zeros;
  for (auto [index, field] : llvm::enumerate(getFields(atomOp))) {
    Value &zero = zeros[field.type];
    if (!zero)
      zero = arith::ConstantOp::create(builder, loc,
                                       builder.getZeroAttr(field.type));
    state =
        LLVM::InsertValueOp::create(builder, loc, state, zero, int64_t(index));
  }
  return state;
}

FailureOr<Value> emitInsertField(Type atomOp, OpBuilder &builder, Location loc,
                                 Value state, StringRef field, Value value,
                                 EmitErrorFn emitError) {
  SmallVector<AtomStateField> fields = getFields(atomOp);
  auto *found = llvm::find_if(
      fields, [&](const AtomStateField &f) { return f.name == field; });
  if (found == fields.end()) {
    InFlightDiagnostic diag = emitError();
    diag << "the atom " << atomOp << " has no state field \"" << field << "\"";
    if (fields.empty())
      return diag << "; it has no state [atom_set_value_c1]", failure();
    diag << "; it has ";
    llvm::interleaveComma(fields, diag,
                          [&](const AtomStateField &f) { diag << f.name; });
    diag << " [atom_set_value_c1]";
    return failure();
  }
  if (value.getType() != found->type) {
    emitError() << "state field \"" << field << "\" must be " << found->type
                << ", got " << value.getType() << " [atom_set_value_c1]";
    return failure();
  }
  return Value(LLVM::InsertValueOp::create(builder, loc, state, value,
                                           int64_t(found - fields.begin())));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

FailureOr<Value> castRegister(OpBuilder &builder, Location loc, Value value,
                              Type type, StringRef what,
                              EmitErrorFn emitError) {
  if (value.getType() == type)
    return value;
  std::optional<int64_t> from = getRegisterBits(value.getType()),
                         to = getRegisterBits(type);
  if (!from || !to || *from != *to) {
    emitError() << "the " << what << " must have " << to.value_or(0)
                << " bits a lane (" << type << "), got " << value.getType();
    return failure();
  }
  return Value(LLVM::BitcastOp::create(builder, loc, type, value));
}

//===----------------------------------------------------------------------===//
// Memory form
//===----------------------------------------------------------------------===//

static bool isRegister(const CallOperand &operand) {
  MemRefType memref = operand.getMemRef();
  return memref && memref.isIn(AddressSpace::Register);
}

LogicalResult emitMemoryFromSSA(Type copyOp, OpBuilder &builder, Location loc,
                                const CopyCall &call, EmitErrorFn emitError) {
  auto emission = cast<CopyAtomEmissionInterface>(copyOp);
  CopyCall ssa = call;
  // A register destination: the result is stored behind.
  if (isRegister(*call.dst)) {
    MemRefType memref = call.dst->getMemRef();
    FailureOr<Type> type = getValueType(memref, "destination", emitError);
    if (failed(type))
      return failure();
    ssa.dst = std::nullopt;
    ssa.resultType = *type;
    FailureOr<Value> result = emission.emitSSA(builder, loc, ssa, emitError);
    if (failed(result))
      return failure();
    return emitStore(builder, loc, memref.getPointerType(), call.dst->value,
                     *result, emitError);
  }
  // A register source: loaded before. Otherwise both sides are memory.
  if (isRegister(call.src)) {
    MemRefType memref = call.src.getMemRef();
    FailureOr<Type> type = getValueType(memref, "source", emitError);
    if (failed(type))
      return failure();
    FailureOr<Value> loaded = emitLoad(builder, loc, memref.getPointerType(),
                                       call.src.value, *type, emitError);
    if (failed(loaded))
      return failure();
    ssa.src = {*type, *loaded};
  }
  return emission.emitSSA(builder, loc, ssa, emitError);
}

} // namespace fly
