// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the registration of dialects.

#include "Fly-c/Registration.h"

#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"
#include "Fly/InitAll.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

//===----------------------------------------------------------------------===//
// Dialect handles
//===----------------------------------------------------------------------===//
// Not by upstream's macro: it knows only the dialect class, and an interface
// that the dialect promises and no one attached would end the process at its
// first use.

static void insertDialects(MlirDialectRegistry registry) {
  fly::registerFlyDialects(*unwrap(registry));
}

template <typename DialectT>
static MlirDialect loadDialect(MlirContext context) {
  mlir::DialectRegistry registry;
  fly::registerFlyDialects(registry);
  unwrap(context)->appendDialectRegistry(registry);
  return wrap(static_cast<mlir::Dialect *>(
      unwrap(context)->getOrLoadDialect<DialectT>()));
}

template <typename DialectT>
static MlirStringRef getNamespace() {
  return wrap(llvm::StringRef(DialectT::getDialectNamespace()));
}

template <typename DialectT>
static MlirDialectHandle getHandle() {
  static const MlirDialectRegistrationHooks hooks = {
      insertDialects, loadDialect<DialectT>, getNamespace<DialectT>};
  return MlirDialectHandle{&hooks};
}

MlirDialectHandle mlirGetDialectHandle__fly__() {
  return getHandle<fly::FlyDialect>();
}

MlirDialectHandle mlirGetDialectHandle__fly_rocdl__() {
  return getHandle<fly::rocdl::FlyROCDLDialect>();
}

//===----------------------------------------------------------------------===//
// Registries
//===----------------------------------------------------------------------===//

void flyRegisterDialects(MlirDialectRegistry registry) {
  insertDialects(registry);
}

void flyRegisterAllDialects(MlirDialectRegistry registry) {
  fly::registerAllDialects(*unwrap(registry));
}

void flyRegisterLLVMTranslations(MlirDialectRegistry registry) {
  mlir::registerAllToLLVMIRTranslations(*unwrap(registry));
}

MlirStringRef flyGetVersion() { return wrap(llvm::StringRef(FLY_VERSION)); }
