// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's AMDGPU backend does not refuse by itself, or only by ending:
// instructions that the chip lacks, and directives of inline assembly that
// reach beyond the kernel.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"
#include "Fly/Dialect/FlyROCDL/IR/MatrixOperations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fly {

/// True for the barriers of several instructions or with names, of gfx12 on.
static bool isSplitBarrier(llvm::StringRef name) {
  static const llvm::StringSet<> names = {"rocdl.s.barrier.init",
                                          "rocdl.s.barrier.join",
                                          "rocdl.s.barrier.leave",
                                          "rocdl.s.barrier.signal",
                                          "rocdl.s.barrier.signal.isfirst",
                                          "rocdl.s.barrier.signal.var",
                                          "rocdl.s.barrier.wait",
                                          "rocdl.s.get.barrier.state",
                                          "rocdl.s.get.named.barrier.state",
                                          "rocdl.s.wakeup.barrier"};
  return names.contains(name);
}

/// True for directives of data and conditions, and for an alignment that does
/// not grow the code much. The rest is refused: sections, symbols and kernel
/// descriptors are the compiler's; repetitions and fillings can ask for more
/// code than there is memory, which ends LLVM.
static bool isAllowed(llvm::StringRef directive, llvm::StringRef operands) {
  static const llvm::StringSet<> allowed = {
      ".byte", ".else", ".endif", ".if",    ".int", ".long",
      ".octa", ".quad", ".set",   ".short", ".word"};
  constexpr unsigned maxLog2 = 12;
  std::string name = directive.lower();
  if (name != ".align" && name != ".balign" && name != ".p2align")
    return allowed.contains(name);
  unsigned alignment;
  llvm::StringRef number = operands.split(',').first.trim();
  return !number.getAsInteger(0, alignment) &&
         alignment <= (name == ".p2align" ? maxLog2 : 1u << maxLog2);
}

/// The first directive of `text`, AMDGPU assembly, that is not allowed; empty
/// if there is none.
static std::string findDirective(llvm::StringRef text) {
  std::string plain;
  for (size_t begin; (begin = text.find("/*")) != llvm::StringRef::npos;) {
    (plain += text.take_front(begin)) += ' ';
    size_t end = text.find("*/", begin + 2);
    text = end == llvm::StringRef::npos ? "" : text.drop_front(end + 2);
  }
  plain += text;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(plain).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.take_front(line.find(';'));
    line = line.take_front(line.find("//")).trim();
    // Labels come first.
    for (size_t colon; (colon = line.find(':')) != llvm::StringRef::npos &&
                       line.find_first_of(" \t\",") > colon;)
      line = line.drop_front(colon + 1).ltrim();
    if (!line.starts_with("."))
      continue;
    llvm::StringRef directive = line.take_until(
        [](char c) { return c == ' ' || c == '\t' || c == '='; });
    if (!isAllowed(directive, line.drop_front(directive.size())))
      return directive.str();
  }
  return {};
}

LogicalResult checkInstructions(gpu::GPUModuleOp module, const arch::Chip &chip,
                                bool isWave64) {
  // The rows are those of the chip's own wave size.
  bool knowsSizes = isWave64 == (chip.waveSize == 64);
  bool hasSplitBarriers = chip.has(arch::Feature::SplitBarrier);
  LogicalResult result = success();
  module.walk([&](Operation *op) {
    if (!hasSplitBarriers && isSplitBarrier(op->getName().getStringRef())) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op is no instruction of the chip '"
               << chip.name << "': split and named barriers begin with gfx12";
      return;
    }
    std::string problem = rocdl::findMatrixProblem(op, chip, knowsSizes);
    if (!problem.empty()) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op " << problem;
      return;
    }
    auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
    if (!assembly)
      return;
    std::string directive = findDirective(assembly.getAsmString());
    if (!directive.empty())
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op has the directive '"
               << directive
               << "'; in inline assembly only those of data, alignment to at "
                  "most 4096 bytes, conditions and .set are allowed";
  });
  return result;
}

} // namespace fly
