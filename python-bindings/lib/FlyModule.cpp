// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module `_fly`: classes of Fly's types and attributes.

#include "Fly-c/Registration.h"

#include "mlir/Bindings/Python/Nanobind.h"

NB_MODULE(_fly, m) { m.doc() = "Types and attributes of fly and fly_rocdl"; }
