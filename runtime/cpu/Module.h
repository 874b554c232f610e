// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules that a program has loaded and the kernels it has looked up, by
// the handles that the entry points give out.

#ifndef FLY_RUNTIME_CPU_MODULE_H
#define FLY_RUNTIME_CPU_MODULE_H

#include "Scheduler.h"

#include <memory>

namespace fly::cpu {

/// Returns the object that holds the kernel behind a function handle; null if
/// the handle is unknown. The object stays loaded as long as it is held.
std::shared_ptr<Object> findKernelObject(const void *function);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_MODULE_H
