// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembler. LLVM's instruction selection takes some intrinsics on chips
// that do not have the instruction; the assembler is what knows each chip's.

#include "CodeGen.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace fly {

namespace {
/// The first error of the assembler.
struct AssemblyError {
  std::string message;
  unsigned line = 0; // from 1; 0 if there is none
};
} // namespace

/// Reports `error` with the instruction and the function that it is in.
static void report(llvm::StringRef text, const AssemblyError &error,
                   LLVMReporter &reporter) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', error.line);
  llvm::StringRef instruction, function;
  if (error.line && error.line <= lines.size())
    instruction = lines[error.line - 1].split('\n').first.trim();
  for (unsigned i = error.line; i-- > 0 && function.empty();)
    if (i < lines.size() && reporter.hasFunction(lines[i].split(':').first))
      function = lines[i].split(':').first;
  reporter.instruction(function, instruction, error.message);
}

FailureOr<Bytes> assemble(llvm::StringRef text, llvm::TargetMachine &machine,
                          LLVMReporter &reporter) {
  const llvm::Target &target = machine.getTarget();
  const llvm::Triple &triple = machine.getTargetTriple();
  const llvm::MCSubtargetInfo &chip = *machine.getMCSubtargetInfo();
  const llvm::MCTargetOptions &options = machine.Options.MCOptions;

  AssemblyError error;
  llvm::SourceMgr sources;
  // A copy, as the lexer reads up to a 0 behind the text.
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                             llvm::SMLoc());
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *kept) {
        auto *error = static_cast<AssemblyError *>(kept);
        if (diagnostic.getKind() != llvm::SourceMgr::DK_Error ||
            !error->message.empty())
          return;
        error->message = diagnostic.getMessage().str();
        error->line = std::max(diagnostic.getLineNo(), 0);
      },
      &error);

  llvm::MCContext context(triple, machine.getMCAsmInfo(),
                          machine.getMCRegisterInfo(), &chip, &sources,
                          &options);
  std::unique_ptr<llvm::MCObjectFileInfo> sections(
      target.createMCObjectFileInfo(context, machine.isPositionIndependent()));
  context.setObjectFileInfo(sections.get());

  Bytes bytes;
  llvm::raw_svector_ostream stream(bytes);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target.createMCAsmBackend(chip, *machine.getMCRegisterInfo(), options));
  std::unique_ptr<llvm::MCObjectWriter> writer =
      backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target.createMCCodeEmitter(*machine.getMCInstrInfo(), context));
  std::unique_ptr<llvm::MCStreamer> streamer(target.createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::move(emitter), chip));
  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(
      sources, context, *streamer, *machine.getMCAsmInfo()));
  std::unique_ptr<llvm::MCTargetAsmParser> instructions(
      target.createMCAsmParser(chip, *parser, *machine.getMCInstrInfo(),
                               options));
  parser->setTargetParser(*instructions);
  bool isWrong = parser->Run(/*NoInitialTextSection=*/false);
  if (isWrong || !error.message.empty()) {
    if (error.message.empty())
      error.message = "the assembly is not valid";
    report(text, error, reporter);
    return failure();
  }
  return bytes;
}

} // namespace fly
