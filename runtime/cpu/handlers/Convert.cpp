// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half and bfloat16 conversions that the runtime lends to objects of hosts
// without the instructions.

#include "Float.h"

#include "fly_cpu_abi.h"

float flyCpuExtendHalfToFloat(uint32_t half) {
  return fly::cpu::halfToFloat(static_cast<uint16_t>(half));
}

uint32_t flyCpuTruncateFloatToHalf(float value) {
  return fly::cpu::roundDouble(value, 10, 5);
}

uint32_t flyCpuTruncateDoubleToHalf(double value) {
  return fly::cpu::roundDouble(value, 10, 5);
}

uint32_t flyCpuTruncateFloatToBfloat(float value) {
  return fly::cpu::roundDouble(value, 7, 8);
}

uint32_t flyCpuTruncateDoubleToBfloat(double value) {
  return fly::cpu::roundDouble(value, 7, 8);
}
