// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static values.

#include "OpSupport.h"

using namespace mlir;
using namespace fly;

LogicalResult StaticOp::verify() {
  // static_c1
  if (!isStaticType(getType()))
    return emitOpError("type must be static, got ") << getType();
  return success();
}
