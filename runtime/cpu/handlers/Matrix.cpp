// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler of all matrix operations: finds the form, refuses what has no
// defined result here, and calls the kernel for the host.

#include "Float.h"
#include "Handlers.h"
#include "MatrixForm.h"

using namespace fly::cpu;

namespace {
/// The values of an 8-bit format by their bits.
struct Float8Table {
  explicit Float8Table(Float8 format) {
    for (unsigned bits = 0; bits < 256; ++bits)
      values[bits] = float8ToFloat(static_cast<uint8_t>(bits), format);
  }
  float values[256];
};

/// What the immediates of an operation ask for.
struct MatrixModifiers {
  bool isSignedA = true, isSignedB = true, clamp = false;
  uint32_t modC = 0;
  bool negatesInput = false;
  bool hasMfmaModifier = false;
};
} // namespace

/// The chip's 8-bit floats of one kind. gfx940 to gfx942 have FNUZ, all others
/// OCP (AMD "Instinct MI300" and CDNA4 ISA, "Data types").
static const float *float8Values(const fly_cpu_group &group, Element element) {
  static const Float8Table ocp43(Float8::Ocp43), ocp52(Float8::Ocp52),
      fnuz43(Float8::Fnuz43), fnuz52(Float8::Fnuz52);
  bool isFnuz = group.chip >= 0x940 && group.chip <= 0x942;
  if (element == Element::Fp8)
    return isFnuz ? fnuz43.values : ocp43.values;
  if (element == Element::Bf8)
    return isFnuz ? fnuz52.values : ocp52.values;
  return nullptr;
}

MatrixKernel fly::cpu::selectMatrixKernel() {
#if defined(FLY_CPU_X86_LEVELS)
  __builtin_cpu_init();
  bool hasAvx2 = __builtin_cpu_supports("avx2") &&
                 __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  if (hasAvx2 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return matrixKernelAvx512;
  if (hasAvx2)
    return matrixKernelAvx2;
#endif
  return matrixKernelBase;
}

/// Reads the immediates in the order that fly_cpu_handlers.def lists.
static MatrixModifiers readModifiers(const fly_cpu_group &group,
                                     const MatrixForm &form) {
  MatrixModifiers modifiers;
  auto immediate = [&](uint32_t index) {
    return index < group.site->num_immediates ? flyCpuImmediate(&group, index)
                                              : 0;
  };
  if (form.family == MatrixFamily::Mfma) {
    modifiers.hasMfmaModifier = immediate(0) || immediate(1) || immediate(2);
    return modifiers;
  }
  if (form.isInteger()) {
    // gfx1250 has two reuse hints between the signs and the clamp flag.
    modifiers.isSignedA = immediate(0);
    modifiers.isSignedB = immediate(1);
    modifiers.clamp =
        immediate(form.family == MatrixFamily::Gfx1250 ? 4 : 2);
    return modifiers;
  }
  if (form.family != MatrixFamily::Gfx1250)
    return modifiers;
  bool is8Bit = elementBits(form.a) == 8;
  modifiers.negatesInput = !is8Bit && (immediate(0) || immediate(1));
  modifiers.modC = static_cast<uint32_t>(immediate(is8Bit ? 0 : 2));
  return modifiers;
}

/// Returns why the operation cannot be computed, or an empty text.
static std::string findProblem(const fly_cpu_group &group,
                               const MatrixForm *form) {
  if (!form)
    return "the chip has no such matrix operation";
  uint64_t full = flyCpuFullMask(form->waveSize());
  if (group.wave_size != form->waveSize() || group.exec != full)
    return "a matrix operation needs all " + std::to_string(form->waveSize()) +
           " lanes of the wave, but only " +
           std::to_string(__builtin_popcountll(group.exec)) + " are active";
  const uint32_t expected[] = {
      form->inputMap().elements * elementBits(form->a) / 8,
      form->inputMap().elements * elementBits(form->b) / 8,
      form->outputMap().elements * elementBits(form->acc) / 8};
  for (uint32_t i = 0; i < 3; ++i)
    if (flyCpuFieldSize(&group, i) != expected[i])
      return "operand " + std::to_string(i) + " of the matrix operation has " +
             std::to_string(flyCpuFieldSize(&group, i)) +
             " bytes on this chip, expected " + std::to_string(expected[i]);
  if (flyCpuFieldSize(&group, 3) != expected[2])
    return "the result of the matrix operation has " +
           std::to_string(flyCpuFieldSize(&group, 3)) + " bytes, expected " +
           std::to_string(expected[2]);
  return std::string();
}

/// gfx11: the upper half of the wave must hold the same A and B as the lower;
/// else the result depends on which half the device reads. Returns the first
/// lane that differs, or -1.
static int32_t findUnequalHalf(const fly_cpu_group &group) {
  for (uint32_t field = 0; field < 2; ++field) {
    Field operand(group, field);
    for (uint32_t lane = 0; lane < 16; ++lane)
      if (std::memcmp(operand.at(lane), operand.at(lane + 16), operand.size))
        return static_cast<int32_t>(lane + 16);
  }
  return -1;
}

void fly::cpu::matrixOperation(fly_cpu_group *group) {
  static const MatrixKernel kernel = selectMatrixKernel();
  const MatrixForm *form = findMatrixForm(group->site->handler, group->chip);
  std::string problem = findProblem(*group, form);
  if (!problem.empty()) {
    fault(*group, -1, problem);
    return;
  }
  MatrixModifiers modifiers = readModifiers(*group, *form);
  if (modifiers.hasMfmaModifier || modifiers.negatesInput ||
      modifiers.modC > 3) {
    fault(*group, -1,
          modifiers.hasMfmaModifier
              ? "cbsz, abid and blgp other than 0 are not supported"
          : modifiers.negatesInput
              ? "negated A or B of a matrix operation is not supported"
              : "modC " + std::to_string(modifiers.modC) + " is unknown");
    return;
  }
  if (form->family == MatrixFamily::Gfx11) {
    int32_t lane = findUnequalHalf(*group);
    if (lane >= 0) {
      fault(*group, lane,
            "lanes 16 to 31 must hold the same A and B as lanes 0 to 15");
      return;
    }
  }
  MatrixCall call;
  call.slots = group->slots;
  call.offsetA = 0;
  call.offsetB = flyCpuFieldOffset(group, 1);
  call.offsetC = flyCpuFieldOffset(group, 2);
  call.offsetD = flyCpuFieldOffset(group, 3);
  call.float8A = float8Values(*group, form->a);
  call.float8B = float8Values(*group, form->b);
  call.isSignedA = modifiers.isSignedA;
  call.isSignedB = modifiers.isSignedB;
  call.clamp = modifiers.clamp;
  call.negateC = modifiers.modC & 1;
  call.absC = modifiers.modC & 2;
  kernel(*form, call);
}
