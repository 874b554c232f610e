// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an AMD code object says about its kernels: registers, spills, memory,
// occupancy and instruction counts, read from the object alone.

#ifndef FLY_TARGET_REPORT_H
#define FLY_TARGET_REPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly {

/// Classes of AMD instructions, by the unit that executes them.
enum class InstructionClass : unsigned {
  Matrix,       // v_mfma_*, v_smfmac_*, v_wmma_*, v_swmmac_*
  Vector,       // other v_*
  Scalar,       // s_* that compute
  ScalarMemory, // s_load_*, s_buffer_*, s_store_*, cache control
  VectorLoad,   // buffer, global, flat, scratch and tensor loads
  VectorStore,  // the stores of the same
  VectorAtomic, // the atomics of the same
  LDS,          // ds_*
  Wait,         // s_waitcnt*, s_wait_*
  Barrier,      // s_barrier*
  Branch,       // s_branch, s_cbranch_*, s_setpc_*, calls
  Other         // s_nop, s_endpgm, hints
};
inline constexpr unsigned kNumInstructionClasses =
    static_cast<unsigned>(InstructionClass::Other) + 1;

/// The short name of `kind`, as it stands in the table and the JSON.
llvm::StringRef stringifyInstructionClass(InstructionClass kind);

/// The class of the instruction `mnemonic`, for example "v_add_f32_e32".
InstructionClass classifyInstruction(llvm::StringRef mnemonic);

/// One kernel of a code object. Registers are counted as allocated to one lane
/// (vector) or wave (scalar); sizes are in bytes.
struct KernelReport {
  std::string name;
  uint64_t vgprs = 0; // accumulation registers not included
  uint64_t agprs = 0;
  uint64_t sgprs = 0;
  uint64_t vgprSpills = 0;
  uint64_t sgprSpills = 0;
  uint64_t ldsBytes = 0;     // static, of a workgroup
  uint64_t scratchBytes = 0; // of a lane
  uint64_t kernargBytes = 0;
  uint64_t waveSize = 0;     // lanes
  uint64_t maxWorkgroup = 0; // lanes
  uint64_t codeBytes = 0;
  bool dynamicStack = false;
  /// Waves of this kernel that one SIMD unit holds at once, and what limits
  /// them ("vgpr", "sgpr", "lds", "waves"); nothing for a chip that Arch does
  /// not know.
  std::optional<unsigned> occupancy;
  std::string limitedBy;
  std::array<uint64_t, kNumInstructionClasses> instructions = {};
};

/// One code object.
struct CodeObjectReport {
  std::string chip;
  std::vector<KernelReport> kernels;
};

/// Reads the ELF code object `bytes`. Anything that is not one, or whose notes
/// or code cannot be read, is an error that says what is wrong.
llvm::Expected<CodeObjectReport> readCodeObject(llvm::StringRef bytes);

/// Prints a table for each object, one line a kernel.
void printReportText(llvm::raw_ostream &stream,
                     llvm::ArrayRef<CodeObjectReport> objects);

/// Prints `{"kernels": [{"name", "chip", "vgprs", ...}]}`, one entry a kernel.
void printReportJSON(llvm::raw_ostream &stream,
                     llvm::ArrayRef<CodeObjectReport> objects);

} // namespace fly

#endif // FLY_TARGET_REPORT_H
