// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of dialects and passes. A module without classes: it is loaded
// while `ir` itself is being set up.

#include "Fly-c/Passes.h"
#include "Fly-c/Registration.h"

#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

NB_MODULE(_flyRegister, m) {
  m.doc() = "Registration of Fly's and MLIR's dialects and passes";
  m.def("register_dialects", flyRegisterAllDialects, nanobind::arg("registry"),
        "Inserts fly, fly_rocdl, every upstream dialect and the translations "
        "to LLVM IR into `registry`.");
  m.def(
      "load_dialects",
      [](MlirContext context, const std::vector<std::string> &names) {
        for (const std::string &name : names)
          mlirContextGetOrLoadDialect(
              context, mlirStringRefCreate(name.data(), name.size()));
      },
      nanobind::arg("context"), nanobind::arg("names"),
      "Loads the dialects `names` into `context`, without their Python "
      "modules.");
  flyRegisterAllPasses();
}
