// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's AMDGPU backend does not refuse by itself: instructions without
// which it crashes, and directives of inline assembly that reach beyond the
// kernel.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"

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

/// The first directive of `text`, AMDGPU assembly, that is neither data nor
/// layout of the code at hand: sections, symbols and kernel descriptors are the
/// compiler's. Empty if there is none.
static llvm::StringRef findDirective(llvm::StringRef text) {
  static const llvm::StringSet<> allowed = {
      ".align", ".balign", ".byte",  ".else", ".endif", ".endr",    ".fill",
      ".if",    ".int",    ".long",  ".nop",  ".octa",  ".p2align", ".quad",
      ".rept",  ".set",    ".short", ".skip", ".space", ".word"};
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
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
    if (!allowed.contains(directive.lower()))
      return directive;
  }
  return {};
}

LogicalResult checkInstructions(gpu::GPUModuleOp module,
                                const arch::Chip &chip) {
  bool hasSplitBarriers = chip.has(arch::Feature::WmmaGfx12) ||
                          chip.has(arch::Feature::WmmaGfx1250);
  LogicalResult result = success();
  module.walk([&](Operation *op) {
    if (!hasSplitBarriers && isSplitBarrier(op->getName().getStringRef())) {
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op is no instruction of the chip '"
               << chip.name << "': split and named barriers begin with gfx12";
      return;
    }
    auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
    if (!assembly)
      return;
    llvm::StringRef directive = findDirective(assembly.getAsmString());
    if (!directive.empty())
      result = emitError(op->getLoc())
               << "'" << op->getName() << "' op has the directive '"
               << directive
               << "'; in inline assembly only those of data, alignment, "
                  "repetition and .set are allowed";
  });
  return result;
}

} // namespace fly
