// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane's way to its context and to the runtime, and the layout of LDS.

#include "HostModule.h"
#include "DeviceTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly::host;

bool fly::host::isKernel(LLVM::LLVMFuncOp func) {
  return func->hasAttr("rocdl.kernel") || func->hasAttr("gpu.kernel");
}

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

/// Places `global` behind what `layout` holds already.
LogicalResult HostModule::place(LLVM::GlobalOp global, LdsLayout &layout) {
  StringAttr name = global.getSymNameAttr();
  if (layout.offsets.contains(name))
    return success();
  std::optional<TypeLayout> type = deviceLayout(global.getGlobalType());
  if (!type)
    return global.emitError("LDS global of type ")
           << global.getGlobalType() << ", which has no known size";
  uint64_t align =
      std::max<uint64_t>(type->align, global.getAlignment().value_or(1));
  // The size of LDS itself bounds all offsets: no sum below can overflow.
  if (type->size > chip.ldsBytesPerWorkgroup ||
      align > chip.ldsBytesPerWorkgroup)
    return global.emitError("LDS global of ")
           << type->size << " bytes with alignment " << align
           << ", a workgroup on " << chip.name << " has "
           << chip.ldsBytesPerWorkgroup << " bytes";
  uint64_t offset = llvm::alignTo(layout.bytes, align);
  layout.offsets[name] = offset;
  layout.bytes = offset + type->size;
  layout.align = std::max(layout.align, align);
  return success();
}

LogicalResult HostModule::layOutLds() {
  // Globals without a size are dynamic LDS: they begin behind the others.
  auto isDynamic = [](LLVM::GlobalOp global) {
    auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    return array && array.getNumElements() == 0;
  };
  auto globals = [&](Operation *function) {
    SmallVector<LLVM::GlobalOp> used, dynamic;
    function->walk([&](LLVM::AddressOfOp address) {
      auto global = dyn_cast_or_null<LLVM::GlobalOp>(
          SymbolTable::lookupSymbolIn(module, address.getGlobalNameAttr()));
      if (global && global.getAddrSpace() == LdsSpace)
        (isDynamic(global) ? dynamic : used).push_back(global);
    });
    used.append(dynamic);
    return used;
  };
  auto checkSize = [&](Operation *op,
                       const LdsLayout &layout) -> LogicalResult {
    if (layout.bytes <= chip.ldsBytesPerWorkgroup)
      return success();
    return op->emitError("needs ")
           << layout.bytes << " bytes of LDS, a workgroup on " << chip.name
           << " has " << chip.ldsBytesPerWorkgroup;
  };

  // What other functions use must lie at the same place for all callers.
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    if (!isKernel(func))
      for (LLVM::GlobalOp global : globals(func)) {
        if (isDynamic(global))
          return func.emitError("uses dynamic LDS, which only kernels can: "
                                "inline the function first");
        if (failed(place(global, sharedLds)) ||
            failed(checkSize(func, sharedLds)))
          return failure();
      }
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!isKernel(func))
      continue;
    LdsLayout layout = sharedLds;
    for (LLVM::GlobalOp global : globals(func))
      if (failed(place(global, layout)) || failed(checkSize(func, layout)))
        return failure();
    kernelLds[func] = std::move(layout);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Code of a lane
//===----------------------------------------------------------------------===//

LLVM::LLVMPointerType HostModule::pointerType() {
  return LLVM::LLVMPointerType::get(module.getContext());
}

Value HostModule::constant(OpBuilder &b, Location loc, Type type,
                           int64_t value) {
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value HostModule::addBytes(OpBuilder &b, Location loc, Value base,
                           uint64_t bytes) {
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(b, loc, pointerType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

Value HostModule::loadField(OpBuilder &b, Location loc, Value base,
                            uint64_t offset, Type type, bool invariant) {
  return LLVM::LoadOp::create(b, loc, type, addBytes(b, loc, base, offset),
                              /*alignment=*/0, /*isVolatile=*/false,
                              /*isNonTemporal=*/false, invariant);
}

Value HostModule::ldsBase(OpBuilder &b, Location loc, Value lane) {
  Value workgroup =
      loadField(b, loc, lane, offsetof(fly_cpu_lane, workgroup), pointerType(),
                /*invariant=*/true);
  return loadField(b, loc, workgroup, offsetof(fly_cpu_workgroup, lds),
                   pointerType(), /*invariant=*/true);
}

Value HostModule::ldsOffset(OpBuilder &b, Location loc, Value lane,
                            Value pointer) {
  Type i64 = b.getI64Type();
  Value address = LLVM::PtrToIntOp::create(b, loc, i64, pointer);
  Value base = LLVM::PtrToIntOp::create(b, loc, i64, ldsBase(b, loc, lane));
  Value offset = LLVM::SubOp::create(b, loc, address, base);
  return LLVM::TruncOp::create(b, loc, b.getI32Type(), offset);
}

Value HostModule::callRuntime(OpBuilder &b, Location loc, uint64_t offset,
                              Type result, ValueRange arguments) {
  Value holder =
      LLVM::AddressOfOp::create(b, loc, pointerType(), runtimeSymbol);
  Value runtime = loadField(b, loc, holder, 0, pointerType(),
                            /*invariant=*/false);
  Value callee =
      loadField(b, loc, runtime, offset, pointerType(), /*invariant=*/true);
  auto type = LLVM::LLVMFunctionType::get(
      result, llvm::to_vector(arguments.getTypes()));
  SmallVector<Value> operands{callee};
  operands.append(arguments.begin(), arguments.end());
  auto call = LLVM::CallOp::create(b, loc, type, operands);
  return call.getNumResults() ? call.getResult() : Value();
}

Value HostModule::locationValue(OpBuilder &b, Location loc) {
  return constant(b, loc, b.getI32Type(), int32_t(table.addLocation(loc)));
}

void HostModule::emitLaneFault(OpBuilder &b, Location loc, Value lane,
                               Value location, uint32_t fault, Value detail) {
  callRuntime(
      b, loc, offsetof(fly_cpu_runtime, lane_fault),
      LLVM::LLVMVoidType::get(b.getContext()),
      {lane, location, constant(b, loc, b.getI32Type(), fault), detail});
}

void HostModule::emitMemoryHook(OpBuilder &b, Location loc, Value lane,
                                Value location, Value address, Value bytes,
                                uint32_t access) {
  if (!memoryHooks)
    return;
  callRuntime(b, loc, offsetof(fly_cpu_runtime, memory_access),
              LLVM::LLVMVoidType::get(b.getContext()),
              {lane, address, bytes, constant(b, loc, b.getI32Type(), access),
               location});
}

LLVM::LLVMFuncOp HostModule::getHelper(
    StringRef name, LLVM::LLVMFunctionType type, bool inlined,
    llvm::function_ref<void(OpBuilder &, LLVM::LLVMFuncOp)> build) {
  LLVM::LLVMFuncOp &func = helpers[name];
  if (func)
    return func;
  Location loc = UnknownLoc::get(module.getContext());
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto made =
      LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
  func = made;
  made.setNoUnwind(true);
  if (inlined)
    made.setAlwaysInline(true);
  else
    made.setNoInline(true);
  b.setInsertionPointToEnd(made.addEntryBlock(b));
  build(b, made);
  return made;
}

//===----------------------------------------------------------------------===//
// The runtime's table
//===----------------------------------------------------------------------===//

/// A function that LLVM's code generator calls on hosts without the
/// instruction. It hands the bits over: half types have no portable place in a
/// C signature.
void HostModule::emitThunk(StringRef name, Type argument, Type result,
                           uint64_t offset) {
  Location loc = UnknownLoc::get(module.getContext());
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, {argument});
  auto thunk = LLVM::LLVMFuncOp::create(b, loc, name, type);
  thunk.setVisibility_(LLVM::Visibility::Hidden);
  thunk.setNoUnwind(true);
  b.setInsertionPointToEnd(thunk.addEntryBlock(b));
  Type i16 = b.getI16Type(), i32 = b.getI32Type();
  Value value = thunk.getArgument(0);
  if (argument.getIntOrFloatBitWidth() == 16) {
    value = LLVM::BitcastOp::create(b, loc, i16, value);
    value = LLVM::ZExtOp::create(b, loc, i32, value);
  }
  bool narrow = result.getIntOrFloatBitWidth() == 16;
  Value returned = callRuntime(b, loc, offset, narrow ? i32 : result, {value});
  if (narrow) {
    returned = LLVM::TruncOp::create(b, loc, i16, returned);
    returned = LLVM::BitcastOp::create(b, loc, result, returned);
  }
  LLVM::ReturnOp::create(b, loc, returned);
}

void HostModule::emitRuntimeAccess() {
  Location loc = UnknownLoc::get(module.getContext());
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto holder =
      LLVM::GlobalOp::create(b, loc, pointerType(),
                             /*isConstant=*/false, LLVM::Linkage::Internal,
                             runtimeSymbol, Attribute());
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&holder.getInitializerRegion());
    Value null = LLVM::ZeroOp::create(b, loc, pointerType());
    LLVM::ReturnOp::create(b, loc, null);
  }
  Type f16 = b.getF16Type(), bf16 = b.getBF16Type();
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  emitThunk("__extendhfsf2", f16, f32,
            offsetof(fly_cpu_runtime, extend_half_to_float));
  emitThunk("__truncsfhf2", f32, f16,
            offsetof(fly_cpu_runtime, truncate_float_to_half));
  emitThunk("__truncdfhf2", f64, f16,
            offsetof(fly_cpu_runtime, truncate_double_to_half));
  emitThunk("__truncsfbf2", f32, bf16,
            offsetof(fly_cpu_runtime, truncate_float_to_bfloat));
  emitThunk("__truncdfbf2", f64, bf16,
            offsetof(fly_cpu_runtime, truncate_double_to_bfloat));
}
