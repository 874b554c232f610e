// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module `_flyNative`: what the compiler in Python needs of C++ beside IR.

#include "Native.h"

#include "Fly-c/Chips.h"
#include "Fly-c/Registration.h"
#include "fly_runtime.h"

#include <nanobind/stl/string.h>

using namespace fly::python;
using namespace nanobind::literals;

/// RuntimeError if a call of the runtime by this thread has failed.
static void raisePending() {
  if (flyRuntimeTakeError() != FLY_RUNTIME_OK)
    throw std::runtime_error(flyRuntimeErrorMessage());
}

static nb::str toStr(MlirStringRef string) {
  return nb::str(string.data, string.length);
}

static MlirStringRef toStringRef(const std::string &string) {
  return mlirStringRefCreate(string.data(), string.size());
}

NB_MODULE(_flyNative, m) {
  m.doc() = "Chips, pipelines, executables and launches";
  // The classes in signatures and errors are upstream's.
  nb::module_::import_("flydsl._mlir.ir");

  m.def(
      "version", [] { return toStr(flyGetVersion()); },
      "Fly's version, for example \"0.1.0\".");
  m.def(
      "chips",
      [] {
        nb::list chips;
        for (intptr_t i = 0, e = flyChipsGetNum(); i < e; ++i) {
          MlirStringRef name = flyChipsGetName(i);
          nb::dict chip;
          chip["name"] = toStr(name);
          chip["wave_size"] = flyChipGetWaveSize(name);
          chip["lds_bytes"] = flyChipGetSharedMemoryBytes(name);
          chips.append(chip);
        }
        return chips;
      },
      "The chips that Fly compiles for: dicts of name, wave_size (lanes) and "
      "lds_bytes (shared memory of a workgroup).");
  m.def(
      "chip_has_feature",
      [](const std::string &chip, const std::string &feature) {
        return flyChipHasFeature(toStringRef(chip), toStringRef(feature));
      },
      "chip"_a, "feature"_a,
      "True if `chip` has the feature, named as `required_feature` of an atom "
      "names it.");
  m.def(
      "device_kind",
      [] {
        const char *kind = flyRuntimeDeviceKind();
        if (!kind)
          raisePending();
        return kind ? std::string(kind) : std::string();
      },
      "The device in use, \"cpu\" or \"hip\"; chooses it if that has not "
      "happened. RuntimeError if there is none.");
  m.def(
      "set_device",
      [](const std::string &kind) {
        if (flyRuntimeSelectDevice(kind.c_str()) != 0)
          raisePending();
      },
      "kind"_a,
      "Chooses \"cpu\", \"hip\" or \"auto\". RuntimeError if another device is "
      "in use already.");
  bindPipelines(m);
  bindExecutable(m);
  bindLauncher(m);
}
