// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module `_fly`: a class for each type and attribute of `fly` and
// `fly_rocdl`. A value's `type` comes back as its class.

#include "Support.h"

NB_MODULE(_fly, m) {
  m.doc() = "Types and attributes of the dialects fly and fly_rocdl";
  fly::python::bindAttributes(m);
  fly::python::bindTypes(m);
  fly::python::bindAtomTypes(m);
  fly::python::bindROCDL(m);
  fly::python::bindROCDLCopies(m);
}
