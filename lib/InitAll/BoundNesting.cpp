// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound on nested text for all tools. Upstream's drivers of fly-opt,
// fly-translate and the language server open, split and edit texts themselves
// and let nobody look at them first. But all of them, and our own tools, end in
// one function of libMLIR: a program that defines it, too, is called instead.

#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "Fly/InitAll.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

#include <dlfcn.h>

using namespace mlir;

/// libMLIR's parser of texts.
static decltype(&mlir::parseAsmSourceFile) getParser() {
  static void *const parser = dlsym(
      RTLD_NEXT, "_ZN4mlir18parseAsmSourceFileERKN4llvm9SourceMgrEPNS_"
                 "5BlockERKNS_12ParserConfigEPNS_14AsmParserStateEPNS_"
                 "28AsmParserCodeCompleteContextE");
  if (!parser)
    llvm::report_fatal_error("libMLIR has no parser");
  return reinterpret_cast<decltype(&mlir::parseAsmSourceFile)>(parser);
}

[[gnu::visibility("default")]] LogicalResult mlir::parseAsmSourceFile(
    const llvm::SourceMgr &sourceMgr, Block *block, const ParserConfig &config,
    AsmParserState *asmState,
    AsmParserCodeCompleteContext *codeCompleteContext) {
  const llvm::MemoryBuffer *text =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  if (const char *place = fly::findDeepNesting(text->getBuffer())) {
    auto [line, column] =
        sourceMgr.getLineAndColumn(llvm::SMLoc::getFromPointer(place));
    return emitError(FileLineColLoc::get(config.getContext(),
                                         text->getBufferIdentifier(), line,
                                         column))
           << "brackets are nested deeper than " << fly::kMaxTextNesting
           << " levels";
  }
  return getParser()(sourceMgr, block, config, asmState, codeCompleteContext);
}

// A call of this is what brings this file into a program.
void fly::boundParsedNesting() { getParser(); }
