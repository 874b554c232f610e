// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links relocatable objects to shared objects with lld, in this process as long
// as lld allows it.

#include "CodeGen.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir;

namespace fly {

namespace {
/// A file that disappears with this object.
class TemporaryFile {
public:
  ~TemporaryFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }

  /// Creates the empty file.
  std::error_code create(llvm::StringRef suffix) {
    return llvm::sys::fs::createTemporaryFile("fly", suffix, path);
  }

  std::error_code write(llvm::ArrayRef<char> bytes) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    if (code)
      return code;
    stream.write(bytes.data(), bytes.size());
    stream.close();
    code = stream.error();
    stream.clear_error();
    return code;
  }

  const char *c_str() { return path.c_str(); }

private:
  llvm::SmallString<64> path;
};
} // namespace

namespace {
/// lld resets every registered command line option of LLVM to its default, and
/// with it the flags of the program around us. This hides the options while lld
/// runs; their values are where they were, so nothing that reads one notices.
class HiddenOptions {
public:
  HiddenOptions() {
    for (llvm::cl::SubCommand *command : llvm::cl::getRegisteredSubcommands())
      hide(*command);
    // Not registered itself, but reset with the others.
    if (llvm::none_of(saved, [](const Saved &entry) {
          return entry.command == &llvm::cl::SubCommand::getAll();
        }))
      hide(llvm::cl::SubCommand::getAll());
  }
  ~HiddenOptions() {
    for (Saved &entry : saved) {
      entry.command->OptionsMap = std::move(entry.options);
      entry.command->PositionalOpts = std::move(entry.positional);
      entry.command->SinkOpts = std::move(entry.sinks);
      entry.command->ConsumeAfterOpt = entry.consumeAfter;
    }
  }

private:
  struct Saved {
    llvm::cl::SubCommand *command;
    decltype(llvm::cl::SubCommand::OptionsMap) options;
    decltype(llvm::cl::SubCommand::PositionalOpts) positional;
    decltype(llvm::cl::SubCommand::SinkOpts) sinks;
    llvm::cl::Option *consumeAfter;
  };

  void hide(llvm::cl::SubCommand &command) {
    saved.push_back({&command, std::move(command.OptionsMap),
                     std::move(command.PositionalOpts),
                     std::move(command.SinkOpts), command.ConsumeAfterOpt});
    command.OptionsMap.clear();
    command.PositionalOpts.clear();
    command.SinkOpts.clear();
    command.ConsumeAfterOpt = nullptr;
  }

  std::vector<Saved> saved;
};
} // namespace

/// Runs lld in this process. Returns nothing if it cannot run here any more.
static std::optional<int> linkHere(llvm::ArrayRef<const char *> arguments,
                                   std::string &messages) {
  // lld keeps its state in globals: one link at a time.
  static std::mutex mutex;
  static bool usable = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!usable)
    return std::nullopt;
  HiddenOptions hidden;
  llvm::raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  return result.retCode;
}

/// What failed about a temporary file, with the folder that it was to be in.
static std::string fileMessage(std::error_code code) {
  llvm::SmallString<64> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  return ("cannot write a temporary file in '" + folder +
          "' (TMPDIR names another folder): " + code.message())
      .str();
}

/// Runs ld.lld as a child, from LLVM's folder or from PATH.
static int linkInChild(llvm::ArrayRef<const char *> arguments,
                       std::string &messages) {
  llvm::ErrorOr<std::string> program =
      llvm::sys::findProgramByName("ld.lld", {FLY_LLVM_TOOLS_DIR});
  if (!program)
    program = llvm::sys::findProgramByName("ld.lld");
  if (!program) {
    messages = "ld.lld was found neither in " FLY_LLVM_TOOLS_DIR " nor on PATH";
    return 1;
  }
  TemporaryFile log;
  if (std::error_code code = log.create("log")) {
    messages = fileMessage(code);
    return 1;
  }
  llvm::SmallVector<llvm::StringRef> words(arguments.begin(), arguments.end());
  std::string error;
  int status =
      llvm::sys::ExecuteAndWait(*program, words, std::nullopt,
                                {std::nullopt, llvm::StringRef(log.c_str()),
                                 llvm::StringRef(log.c_str())},
                                /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (auto text = llvm::MemoryBuffer::getFile(log.c_str()))
    messages = (*text)->getBuffer().str();
  messages += error;
  return status;
}

/// Reports symbols that inline assembly names and nobody defines, each at its
/// operations. False if `messages` of lld are of something else, too.
static bool reportUndefined(llvm::StringRef messages, LLVMReporter &reporter) {
  constexpr llvm::StringLiteral start = "ld.lld: error: ";
  llvm::SmallVector<std::pair<Operation *, llvm::StringRef>> uses;
  llvm::SmallVector<llvm::StringRef> lines;
  messages.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    if (!line.consume_front(start))
      continue; // tells more of the error before
    if (line.starts_with("too many errors"))
      break;
    size_t known = uses.size();
    if (line.consume_front("undefined symbol: "))
      for (Operation *op : findAssemblies(reporter.getModule(), line.trim()))
        uses.push_back({op, line.trim()});
    if (uses.size() == known)
      return false;
  }
  for (auto [op, symbol] : uses)
    reporter.error(op->getLoc())
        << "'" << op->getName() << "' op names the symbol '" << symbol
        << "', which nothing defines";
  return !uses.empty();
}

FailureOr<Bytes> linkShared(llvm::ArrayRef<char> object,
                            llvm::ArrayRef<const char *> flags,
                            LLVMReporter &reporter, Location location) {
  auto fileError = [&](std::error_code code) {
    reporter.error(location) << fileMessage(code);
    return failure();
  };
  TemporaryFile input, output;
  if (std::error_code code = input.create("o"))
    return fileError(code);
  if (std::error_code code = output.create("so"))
    return fileError(code);
  if (std::error_code code = input.write(object))
    return fileError(code);

  // One object of a few functions: waking threads takes longer than linking it.
  llvm::SmallVector<const char *> arguments = {"ld.lld", "-shared",
                                               "--threads=1", "--no-demangle"};
  arguments.append(flags.begin(), flags.end());
  arguments.append({input.c_str(), "-o", output.c_str()});
  std::string messages;
  std::optional<int> status = linkHere(arguments, messages);
  if (!status)
    status = linkInChild(arguments, messages);
  if (*status != 0) {
    // lld names the temporary file, which says nothing to the reader.
    std::string text = llvm::StringRef(messages).trim().str();
    for (size_t at; (at = text.find(input.c_str())) != std::string::npos;)
      text.replace(at, strlen(input.c_str()), "the object");
    if (!reportUndefined(text, reporter))
      reporter.error(location) << "linking failed: " << text;
    return failure();
  }
  auto linked = llvm::MemoryBuffer::getFile(output.c_str(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!linked) {
    reporter.error(location)
        << "cannot read the linked object: " << linked.getError().message();
    return failure();
  }
  llvm::StringRef bytes = (*linked)->getBuffer();
  return Bytes(bytes.begin(), bytes.end());
}

} // namespace fly
