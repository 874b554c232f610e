// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of the `fly_rocdl` dialect, apart from its types: the CPU
// target and the buffer address space. Code that works on lowered modules only
// (ROCDL to host, serialisation) includes this header and nothing else here.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLTARGET_H
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLTARGET_H

#include "mlir/IR/Attributes.h"

#define GET_ATTRDEF_CLASSES
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLAttrs.h.inc"

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLTARGET_H
