// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table that a CPU object exports (fly_cpu_module), collected while the
// kernels are converted and then written as LLVM globals.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_OBJECTTABLE_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_OBJECTTABLE_H

#include "fly_cpu_abi.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <string>
#include <vector>

namespace fly::host {

/// What the table says of one kernel.
struct KernelEntry {
  std::string symbol;
  std::vector<fly_cpu_site> sites;
  std::vector<fly_cpu_param> params;
  uint32_t argumentBytes = 0;
  uint32_t ldsBytes = 0;
  uint32_t ldsAlign = 1;
  uint32_t maxWorkgroup = 1024;
  uint32_t requiredBlock[3] = {0, 0, 0};
  uint32_t slotBytes = 0;
  uint32_t location = FLY_CPU_NO_LOCATION;
  uint32_t requiredCluster[3] = {0, 0, 0};
};

class ObjectTable {
public:
  /// The index of a place, FLY_CPU_NO_LOCATION if `loc` names none. A fused
  /// location counts by its first place with a file.
  uint32_t addLocation(mlir::Location loc);

  /// The index in the pool at which `values` stand in a row.
  uint32_t addValues(llvm::ArrayRef<int32_t> values);

  /// The offset of a zero-terminated string.
  uint32_t addString(llvm::StringRef text);

  void addKernel(KernelEntry kernel) { kernels.push_back(std::move(kernel)); }

  /// Adds the assertions of a module's attribute `fly.assertions`, an array of
  /// dictionaries {id = N : i32, message = "…", location = loc(…)}; the
  /// location is optional. Emits an error at `module` for another form.
  mlir::LogicalResult addAssertions(mlir::Operation *module);

  /// Adds an assertion and returns its number.
  uint32_t addAssertion(llvm::StringRef message);

  /// Writes the globals at the end of `module`: `fly_cpu_module`, and what it
  /// points to. `flags` is a set of fly_cpu_module_flag;
  /// `runtimeSymbol` names the global that holds the pointer to the
  /// runtime's function table.
  void emit(mlir::gpu::GPUModuleOp module, llvm::StringRef chip,
            uint32_t waveSize, uint32_t ldsCapacity, uint32_t flags,
            llvm::StringRef runtimeSymbol);

private:
  std::vector<fly_cpu_location> locations;
  llvm::DenseMap<mlir::Attribute, uint32_t> locationIndex;
  std::vector<int32_t> pool;
  std::map<std::vector<int32_t>, uint32_t> poolIndex;
  std::string strings;
  llvm::StringMap<uint32_t> stringIndex;
  std::vector<fly_cpu_assertion> assertions;
  llvm::DenseMap<uint32_t, uint32_t>
      addedAssertions; ///< of addAssertion, by text
  std::vector<KernelEntry> kernels;
};

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_OBJECTTABLE_H
