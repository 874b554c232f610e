// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the chips: the rows of room Arch.

#include "Fly-c/Chips.h"

#include "Fly/Arch/Chips.h"

#include "mlir/CAPI/Support.h"

using namespace fly::arch;

intptr_t flyChipsGetNum() { return knownChips().size(); }

MlirStringRef flyChipsGetName(intptr_t pos) {
  if (pos < 0 || pos >= flyChipsGetNum())
    return {nullptr, 0};
  return wrap(knownChips()[pos].name);
}

bool flyChipIsKnown(MlirStringRef chip) { return lookupChip(unwrap(chip)); }

int32_t flyChipGetWaveSize(MlirStringRef chip) {
  const Chip *row = lookupChip(unwrap(chip));
  return row ? row->waveSize : 0;
}

int64_t flyChipGetSharedMemoryBytes(MlirStringRef chip) {
  const Chip *row = lookupChip(unwrap(chip));
  return row ? row->ldsBytesPerWorkgroup : 0;
}

bool flyChipHasFeature(MlirStringRef chip, MlirStringRef feature) {
  const Chip *row = lookupChip(unwrap(chip));
  auto parsed = parseFeature(unwrap(feature));
  return row && parsed && row->has(*parsed);
}
