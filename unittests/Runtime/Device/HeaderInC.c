// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's header used from C: it must compile as C11, and its functions
// must have C linkage.

#include "fly_runtime.h"

int32_t reportAndTakeFromC(int32_t code) {
  flyRuntimeReportError(code, "reported from C");
  return flyRuntimeTakeError();
}
