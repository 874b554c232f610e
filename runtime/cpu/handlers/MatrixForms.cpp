// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix instructions that the CPU device runs, one row for each.

#include "MatrixForm.h"

#include "fly_cpu_abi.h"

using namespace fly::cpu;

using E = Element;
using F = MatrixFamily;

static constexpr MatrixForm matrixForms[] = {
    // CDNA: 64 lanes.
    {FlyCpuHandlerMfmaF32_32x32x2F32, F::Mfma, 32, 32, 2, E::F32, E::F32, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x4F32, F::Mfma, 16, 16, 4, E::F32, E::F32, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x8F16, F::Mfma, 32, 32, 8, E::F16, E::F16, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x16F16, F::Mfma, 16, 16, 16, E::F16, E::F16, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x16F16, F::Mfma, 32, 32, 16, E::F16, E::F16, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x32F16, F::Mfma, 16, 16, 32, E::F16, E::F16, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x4Bf16, F::Mfma, 32, 32, 4, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x8Bf16, F::Mfma, 16, 16, 8, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x8Bf16_1k, F::Mfma, 32, 32, 8, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x16Bf16_1k, F::Mfma, 16, 16, 16, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x16Bf16, F::Mfma, 32, 32, 16, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x32Bf16, F::Mfma, 16, 16, 32, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x32Fp8Fp8, F::Mfma, 16, 16, 32, E::Fp8, E::Fp8, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x32Fp8Bf8, F::Mfma, 16, 16, 32, E::Fp8, E::Bf8, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x32Bf8Fp8, F::Mfma, 16, 16, 32, E::Bf8, E::Fp8, E::F32},
    {FlyCpuHandlerMfmaF32_16x16x32Bf8Bf8, F::Mfma, 16, 16, 32, E::Bf8, E::Bf8, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x16Fp8Fp8, F::Mfma, 32, 32, 16, E::Fp8, E::Fp8, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x16Fp8Bf8, F::Mfma, 32, 32, 16, E::Fp8, E::Bf8, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x16Bf8Fp8, F::Mfma, 32, 32, 16, E::Bf8, E::Fp8, E::F32},
    {FlyCpuHandlerMfmaF32_32x32x16Bf8Bf8, F::Mfma, 32, 32, 16, E::Bf8, E::Bf8, E::F32},
    {FlyCpuHandlerMfmaI32_16x16x32I8, F::Mfma, 16, 16, 32, E::I8, E::I8, E::I32},
    {FlyCpuHandlerMfmaI32_32x32x16I8, F::Mfma, 32, 32, 16, E::I8, E::I8, E::I32},
    // RDNA3: 32 lanes, both halves hold A and B.
    {FlyCpuHandlerWmmaF32_16x16x16F16, F::Gfx11, 16, 16, 16, E::F16, E::F16, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x16Bf16, F::Gfx11, 16, 16, 16, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerWmmaI32_16x16x16Iu8, F::Gfx11, 16, 16, 16, E::I8, E::I8, E::I32},
    {FlyCpuHandlerWmmaI32_16x16x16Iu4, F::Gfx11, 16, 16, 16, E::I4, E::I4, E::I32},
    // RDNA4: 32 lanes.
    {FlyCpuHandlerWmmaF32_16x16x16F16, F::Gfx12, 16, 16, 16, E::F16, E::F16, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x16Bf16, F::Gfx12, 16, 16, 16, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerWmmaI32_16x16x16Iu8, F::Gfx12, 16, 16, 16, E::I8, E::I8, E::I32},
    {FlyCpuHandlerWmmaI32_16x16x16Iu4, F::Gfx12, 16, 16, 16, E::I4, E::I4, E::I32},
    {FlyCpuHandlerWmmaI32_16x16x32Iu4, F::Gfx12, 16, 16, 32, E::I4, E::I4, E::I32},
    {FlyCpuHandlerWmmaF32_16x16x16Fp8Fp8, F::Gfx12, 16, 16, 16, E::Fp8, E::Fp8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x16Fp8Bf8, F::Gfx12, 16, 16, 16, E::Fp8, E::Bf8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x16Bf8Fp8, F::Gfx12, 16, 16, 16, E::Bf8, E::Fp8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x16Bf8Bf8, F::Gfx12, 16, 16, 16, E::Bf8, E::Bf8, E::F32},
    // gfx1250: 32 lanes.
    {FlyCpuHandlerWmmaF32_16x16x4F32, F::Gfx1250, 16, 16, 4, E::F32, E::F32, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x32F16, F::Gfx1250, 16, 16, 32, E::F16, E::F16, E::F32},
    {FlyCpuHandlerWmmaF16_16x16x32F16, F::Gfx1250, 16, 16, 32, E::F16, E::F16, E::F16},
    {FlyCpuHandlerWmmaF32_16x16x32Bf16, F::Gfx1250, 16, 16, 32, E::Bf16, E::Bf16, E::F32},
    {FlyCpuHandlerWmmaBf16_16x16x32Bf16, F::Gfx1250, 16, 16, 32, E::Bf16, E::Bf16, E::Bf16},
    {FlyCpuHandlerWmmaF32_16x16x64Fp8Fp8, F::Gfx1250, 16, 16, 64, E::Fp8, E::Fp8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x64Fp8Bf8, F::Gfx1250, 16, 16, 64, E::Fp8, E::Bf8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x64Bf8Fp8, F::Gfx1250, 16, 16, 64, E::Bf8, E::Fp8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x64Bf8Bf8, F::Gfx1250, 16, 16, 64, E::Bf8, E::Bf8, E::F32},
    {FlyCpuHandlerWmmaF16_16x16x64Fp8Fp8, F::Gfx1250, 16, 16, 64, E::Fp8, E::Fp8, E::F16},
    {FlyCpuHandlerWmmaF16_16x16x64Fp8Bf8, F::Gfx1250, 16, 16, 64, E::Fp8, E::Bf8, E::F16},
    {FlyCpuHandlerWmmaF16_16x16x64Bf8Fp8, F::Gfx1250, 16, 16, 64, E::Bf8, E::Fp8, E::F16},
    {FlyCpuHandlerWmmaF16_16x16x64Bf8Bf8, F::Gfx1250, 16, 16, 64, E::Bf8, E::Bf8, E::F16},
    {FlyCpuHandlerWmmaF32_16x16x128Fp8Fp8, F::Gfx1250, 16, 16, 128, E::Fp8, E::Fp8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x128Fp8Bf8, F::Gfx1250, 16, 16, 128, E::Fp8, E::Bf8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x128Bf8Fp8, F::Gfx1250, 16, 16, 128, E::Bf8, E::Fp8, E::F32},
    {FlyCpuHandlerWmmaF32_16x16x128Bf8Bf8, F::Gfx1250, 16, 16, 128, E::Bf8, E::Bf8, E::F32},
    {FlyCpuHandlerWmmaF16_16x16x128Fp8Fp8, F::Gfx1250, 16, 16, 128, E::Fp8, E::Fp8, E::F16},
    {FlyCpuHandlerWmmaF16_16x16x128Fp8Bf8, F::Gfx1250, 16, 16, 128, E::Fp8, E::Bf8, E::F16},
    {FlyCpuHandlerWmmaF16_16x16x128Bf8Fp8, F::Gfx1250, 16, 16, 128, E::Bf8, E::Fp8, E::F16},
    {FlyCpuHandlerWmmaF16_16x16x128Bf8Bf8, F::Gfx1250, 16, 16, 128, E::Bf8, E::Bf8, E::F16},
    {FlyCpuHandlerWmmaI32_16x16x64Iu8, F::Gfx1250, 16, 16, 64, E::I8, E::I8, E::I32},
};

namespace {
/// Rows by operation and family; null where there is none.
struct FormIndex {
  const MatrixForm *rows[FlyCpuHandlerCount][4] = {};

  FormIndex() {
    for (const MatrixForm &form : matrixForms)
      rows[form.handler][static_cast<unsigned>(form.family)] = &form;
  }
};
} // namespace

static MatrixFamily familyOf(uint32_t chip) {
  return chip < 0x1000   ? MatrixFamily::Mfma
         : chip < 0x1200 ? MatrixFamily::Gfx11
         : chip < 0x1250 ? MatrixFamily::Gfx12
                         : MatrixFamily::Gfx1250;
}

const MatrixForm *fly::cpu::findMatrixForm(uint32_t handler, uint32_t chip) {
  static const FormIndex index;
  if (handler >= FlyCpuHandlerCount)
    return nullptr;
  return index.rows[handler][static_cast<unsigned>(familyOf(chip))];
}
