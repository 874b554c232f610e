// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel report as a table for people and as JSON for programs.

#include "Fly/Target/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace fly {

/// The table's cells for `kernel`, in the order of the header.
static std::vector<std::string> makeRow(const KernelReport &kernel) {
  std::vector<std::string> row = {
      kernel.name,
      std::to_string(kernel.vgprs),
      std::to_string(kernel.agprs),
      std::to_string(kernel.sgprs),
      std::to_string(kernel.vgprSpills) + "/" +
          std::to_string(kernel.sgprSpills),
      std::to_string(kernel.ldsBytes),
      std::to_string(kernel.scratchBytes) + (kernel.dynamicStack ? "+" : ""),
      kernel.occupancy
          ? llvm::formatv("{0} ({1})", *kernel.occupancy, kernel.limitedBy)
                .str()
          : "-",
      std::to_string(kernel.codeBytes)};
  for (uint64_t count : kernel.instructions)
    row.push_back(std::to_string(count));
  return row;
}

void printReportText(llvm::raw_ostream &stream,
                     llvm::ArrayRef<CodeObjectReport> objects) {
  for (const CodeObjectReport &object : objects) {
    std::vector<std::vector<std::string>> rows = {
        {"kernel", "VGPR", "AGPR", "SGPR", "spills v/s", "LDS", "scratch",
         "occupancy", "code"}};
    for (unsigned kind = 0; kind != kNumInstructionClasses; ++kind)
      rows[0].push_back(
          stringifyInstructionClass(static_cast<InstructionClass>(kind)).str());
    for (const KernelReport &kernel : object.kernels)
      rows.push_back(makeRow(kernel));
    std::vector<size_t> widths(rows[0].size(), 0);
    for (const auto &row : rows)
      for (size_t i = 0; i != row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());

    stream << "chip " << object.chip
           << " (LDS, scratch a lane and code in bytes; occupancy in waves a "
              "SIMD)\n";
    for (const auto &row : rows) {
      // The name stands left, numbers right.
      stream << llvm::left_justify(row[0], widths[0]);
      for (size_t i = 1; i != row.size(); ++i)
        stream << "  " << llvm::right_justify(row[i], widths[i]);
      stream << "\n";
    }
  }
}

void printReportJSON(llvm::raw_ostream &stream,
                     llvm::ArrayRef<CodeObjectReport> objects) {
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  auto printKernel = [&](llvm::StringRef chip, const KernelReport &kernel) {
    json.attribute("name", kernel.name);
    json.attribute("chip", chip);
    json.attribute("vgprs", kernel.vgprs);
    json.attribute("agprs", kernel.agprs);
    json.attribute("sgprs", kernel.sgprs);
    json.attribute("vgpr_spills", kernel.vgprSpills);
    json.attribute("sgpr_spills", kernel.sgprSpills);
    json.attribute("lds_bytes", kernel.ldsBytes);
    json.attribute("scratch_bytes", kernel.scratchBytes);
    json.attribute("dynamic_stack", kernel.dynamicStack);
    json.attribute("kernarg_bytes", kernel.kernargBytes);
    json.attribute("wave_size", kernel.waveSize);
    json.attribute("max_workgroup", kernel.maxWorkgroup);
    if (kernel.occupancy) {
      json.attribute("occupancy", *kernel.occupancy);
      json.attribute("limited_by", kernel.limitedBy);
    }
    json.attribute("code_bytes", kernel.codeBytes);
    json.attributeObject("instructions", [&] {
      for (unsigned kind = 0; kind != kNumInstructionClasses; ++kind)
        json.attribute(
            stringifyInstructionClass(static_cast<InstructionClass>(kind)),
            kernel.instructions[kind]);
    });
  };
  json.object([&] {
    json.attributeArray("kernels", [&] {
      for (const CodeObjectReport &object : objects)
        for (const KernelReport &kernel : object.kernels)
          json.object([&] { printKernel(object.chip, kernel); });
    });
  });
  stream << "\n";
}

} // namespace fly
