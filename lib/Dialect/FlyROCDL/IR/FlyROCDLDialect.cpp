// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly_rocdl` dialect: registration, its attributes and operations.

#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::rocdl;

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLOps.cpp.inc"

void FlyROCDLDialect::initialize() {
  // Types of this dialect hold attributes of the other.
  getContext()->getOrLoadDialect<fly::FlyDialect>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLOps.cpp.inc"
      >();
  // Attached by the library that serialises modules.
  declarePromisedInterface<gpu::TargetAttrInterface, CPUTargetAttr>();
  // The result of get_buffer_rsrc is an LLVM pointer. The dialect is asked for
  // by name because this room uses the types only.
  getContext()->getOrLoadDialect("llvm");
}

void FlyROCDLDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLAttrs.cpp.inc"
      >();
}

LogicalResult
CPUTargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      llvm::StringRef chip) {
  if (arch::lookupChip(chip))
    return success();
  return emitError() << "unknown chip '" << chip << "'; the known chips are "
                     << arch::knownChipNames(chip);
}

LogicalResult GetBufferRsrcOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto pointer = dyn_cast<PointerType>(operands[0].getType());
  if (!pointer)
    return emitOptionalError(location,
                             "GetBufferRsrcOp: expected a fly.ptr, got ",
                             operands[0].getType());
  if (!isBufferSpace(pointer.getAddressSpace()))
    return emitOptionalError(location,
                             "GetBufferRsrcOp: expected a buffer_desc address "
                             "space pointer, got ",
                             pointer.getAddressSpace());
  if (!context->getLoadedDialect("llvm"))
    return emitOptionalError(location,
                             "GetBufferRsrcOp: the llvm dialect is not loaded");
  inferredReturnTypes.push_back(LLVM::LLVMPointerType::get(context, 8));
  return success();
}
