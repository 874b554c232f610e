// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of dialects and passes. A module without classes: it is loaded
// while `ir` itself is being set up.

#include "Fly-c/Passes.h"
#include "Fly-c/Registration.h"

#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

NB_MODULE(_flyRegister, m) {
  m.doc() = "Registration of Fly's and MLIR's dialects and passes";
  m.def("register_dialects", flyRegisterAllDialects, nanobind::arg("registry"),
        "Inserts fly, fly_rocdl, every upstream dialect and the translations "
        "to LLVM IR into `registry`.");
  flyRegisterAllPasses();
}
