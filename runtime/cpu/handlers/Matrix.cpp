// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler of all matrix operations: finds the form, refuses what has no
// defined result here, and calls the kernel for the host.

#include "Handlers.h"
#include "MatrixForm.h"
#include "MatrixGeneral.h"
#include "MatrixSparse.h"

using namespace fly::cpu;

namespace {
/// What the immediates of an operation ask for.
struct MatrixModifiers {
  bool isSignedA = true, isSignedB = true, clamp = false;
  uint32_t modC = 0;
  /// Of A or B, on gfx1250.
  bool negatesInput = false;
  /// The half of the result registers; gfx12 fills both.
  bool hasOpsel = false;
  /// cbsz, abid or blgp of MFMA.
  bool hasMfmaModifier = false;
};
} // namespace

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
    modifiers.clamp = immediate(form.family == MatrixFamily::Gfx1250 ? 4 : 2);
    return modifiers;
  }
  if (form.family != MatrixFamily::Gfx1250) {
    // Forms with packed results; the others have no immediate.
    modifiers.hasOpsel = immediate(0);
    return modifiers;
  }
  bool is8Bit = elementBits(form.a) == 8;
  modifiers.negatesInput = !is8Bit && (immediate(0) || immediate(1));
  modifiers.modC = static_cast<uint32_t>(immediate(is8Bit ? 0 : 2));
  return modifiers;
}

/// Returns why the wave cannot run a matrix operation of `lanes` lanes, or an
/// empty text.
static std::string findLaneProblem(const fly_cpu_group &group, uint32_t lanes) {
  if (group.wave_size != lanes || group.exec != flyCpuFullMask(lanes))
    return "a matrix operation needs all " + std::to_string(lanes) +
           " lanes of the wave, but only " +
           std::to_string(__builtin_popcountll(group.exec)) + " are active";
  return std::string();
}

/// Returns why the operation cannot be computed, or an empty text.
static std::string findProblem(const fly_cpu_group &group,
                               const MatrixOperation *operation) {
  if (!operation)
    return "the chip has no such matrix operation";
  std::string problem = findLaneProblem(group, operation->form->waveSize());
  if (!problem.empty())
    return problem;
  // A, B, C and the result, in this order.
  const uint32_t expected[] = {operation->bytesA, operation->bytesB,
                               operation->bytesAcc, operation->bytesAcc};
  for (uint32_t i = 0; i < 4; ++i)
    if (flyCpuFieldSize(&group, i) != expected[i])
      return std::string(i < 3 ? "operand " + std::to_string(i)
                               : "the result") +
             " of the matrix operation has " +
             std::to_string(flyCpuFieldSize(&group, i)) +
             " bytes on this chip, expected " + std::to_string(expected[i]);
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

static constexpr const char *unequalHalves =
    "lanes 16 to 31 must hold the same A and B as lanes 0 to 15";

/// Runs an operation without a kernel of its own.
static void runGeneralForm(fly_cpu_group &group, const GeneralForm &form) {
  int32_t lane = -1;
  std::string problem = findLaneProblem(group, form.waveSize());
  if (problem.empty() && form.family == MatrixFamily::Gfx11 &&
      (lane = findUnequalHalf(group)) >= 0)
    problem = unequalHalves;
  if (problem.empty())
    problem = runGeneral(group, form, lane);
  if (!problem.empty())
    fault(group, lane, problem);
}

/// Runs an operation with a sparse A.
static void runSparseForm(fly_cpu_group &group, const SparseForm &form) {
  int32_t lane = -1;
  std::string problem = findLaneProblem(group, form.waveSize());
  if (problem.empty())
    problem = runSparse(group, form, lane);
  if (!problem.empty())
    fault(group, lane, problem);
}

void fly::cpu::matrixOperation(fly_cpu_group *group) {
  uint32_t handler = group->site->handler;
  const MatrixOperation *operation = findMatrixOperation(handler, group->chip);
  if (!operation) {
    if (const GeneralForm *form = findGeneralForm(handler, group->chip))
      return runGeneralForm(*group, *form);
    if (const SparseForm *form = findSparseForm(handler, group->chip))
      return runSparseForm(*group, *form);
  }
  std::string problem = findProblem(*group, operation);
  if (!problem.empty()) {
    fault(*group, -1, problem);
    return;
  }
  const MatrixForm *form = operation->form;
  MatrixModifiers modifiers = readModifiers(*group, *form);
  if (modifiers.hasMfmaModifier || modifiers.negatesInput) {
    runGeneralForm(*group, toGeneral(*form));
    return;
  }
  if (modifiers.hasOpsel || modifiers.modC > 3) {
    fault(*group, -1,
          modifiers.hasOpsel
              ? "opsel of a matrix operation must be 0 on this chip"
              : "modC " + std::to_string(modifiers.modC) + " is unknown");
    return;
  }
  if (form->family == MatrixFamily::Gfx11) {
    int32_t lane = findUnequalHalf(*group);
    if (lane >= 0) {
      fault(*group, lane, unequalHalves);
      return;
    }
  }
  MatrixCall call;
  call.slots = group->slots;
  call.offsetA = 0;
  call.offsetB = flyCpuFieldOffset(group, 1);
  call.offsetC = flyCpuFieldOffset(group, 2);
  call.offsetD = flyCpuFieldOffset(group, 3);
  call.readerA = {
      float8Decoder(float8Format(group->chip, form->a == Element::Bf8)),
      modifiers.isSignedA};
  call.readerB = {
      float8Decoder(float8Format(group->chip, form->b == Element::Bf8)),
      modifiers.isSignedB};
  call.clamp = modifiers.clamp;
  call.negateC = modifiers.modC & 1;
  call.absC = modifiers.modC & 2;
  operation->kernel(call);
}
