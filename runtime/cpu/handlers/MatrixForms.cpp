// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the row of a matrix instruction, and the kernel that computes it on
// this host.

#include "MatrixForm.h"

#include "fly_cpu_abi.h"

using namespace fly::cpu;

static constexpr MatrixForm matrixForms[] = {
#define FLY_MATRIX_FORM(Operation, Family, M, N, K, A, B, Acc)                 \
  {FlyCpuHandler##Operation,                                                   \
   MatrixFamily::Family,                                                       \
   M,                                                                          \
   N,                                                                          \
   K,                                                                          \
   Element::A,                                                                 \
   Element::B,                                                                 \
   Element::Acc},
#include "MatrixForms.def"
};

/// The kernels of the widest level that this host runs.
static const MatrixKernel *selectLevel() {
#if defined(FLY_CPU_X86_LEVELS)
  __builtin_cpu_init();
  bool hasAvx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
  if (hasAvx2 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return matrixKernelsAvx512;
  if (hasAvx2)
    return matrixKernelsAvx2;
#endif
  return matrixKernelsBase;
}

namespace {
/// Operations by handler and family; without a form where there is none.
struct OperationIndex {
  MatrixOperation operations[FlyCpuHandlerCount][4];

  OperationIndex() {
    const MatrixKernel *kernels = selectLevel();
    for (const MatrixForm &form : matrixForms) {
      MatrixOperation &operation =
          operations[form.handler][static_cast<unsigned>(form.family)];
      operation.form = &form;
      operation.kernel = kernels[&form - matrixForms];
      uint32_t inputs = form.inputMap().elements;
      operation.bytesA = inputs * elementBits(form.a) / 8;
      operation.bytesB = inputs * elementBits(form.b) / 8;
      operation.bytesAcc =
          form.outputMap().elements * elementBits(form.acc) / 8;
    }
  }
};
} // namespace

MatrixFamily fly::cpu::matrixFamilyOf(uint32_t chip) {
  return chip < 0x1000   ? MatrixFamily::Mfma
         : chip < 0x1200 ? MatrixFamily::Gfx11
         : chip < 0x1250 ? MatrixFamily::Gfx12
                         : MatrixFamily::Gfx1250;
}

const MatrixOperation *fly::cpu::findMatrixOperation(uint32_t handler,
                                                     uint32_t chip) {
  static const OperationIndex index;
  if (handler >= FlyCpuHandlerCount)
    return nullptr;
  const MatrixOperation &operation =
      index.operations[handler][static_cast<unsigned>(matrixFamilyOf(chip))];
  return operation.form ? &operation : nullptr;
}
