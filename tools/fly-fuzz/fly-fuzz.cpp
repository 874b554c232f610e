// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-fuzz: throws texts at the parser, the verifiers and every pass, and tells
// which of them ended the process, took too long or failed without an error.
// Every case has a number and is the same each time.

#include "Check.h"
#include "Generate.h"
#include "Known.h"
#include "Mutate.h"
#include "OpTable.h"
#include "Random.h"
#include "Supervisor.h"

#include "Fly/InitAll.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace fly::fuzz;
namespace cl = llvm::cl;

namespace {

enum class Mode { Generate, Mutate, Bytecode, Passes };

} // namespace

static cl::opt<Mode>
    mode("from", cl::desc("Where the inputs come from:"),
         cl::init(Mode::Generate),
         cl::values(clEnumValN(Mode::Generate, "generator",
                               "random modules (default)"),
                    clEnumValN(Mode::Mutate, "mutation",
                               "the given files, damaged"),
                    clEnumValN(Mode::Bytecode, "bytecode",
                               "the bytecode of the given files, damaged"),
                    clEnumValN(Mode::Passes, "files",
                               "the given files, each pass alone")));
static cl::list<std::string>
    files(cl::Positional, cl::desc("<.mlir files, split at // ----->"));
static cl::opt<uint64_t> first("first-case", cl::init(0),
                               cl::desc("Number of the first case"));
static cl::opt<uint64_t> count("cases", cl::init(100),
                               cl::desc("Number of cases; --from=files: 0 for all"));
static cl::opt<uint64_t> every("each", cl::init(1),
                               cl::desc("Only each n-th case"));
static cl::opt<bool>
    codeGen("with-codegen", cl::init(false),
            cl::desc("Also the pipelines that end in LLVM's code generators"));
static cl::opt<unsigned>
    timeout("case-timeout", cl::init(isSanitized ? 200 : 20),
            cl::desc("Seconds for one case (default 20, with sanitizers 200)"));
static cl::opt<std::string>
    artifacts("keep-inputs", cl::init(""),
              cl::desc("Folder that takes the inputs of failed cases"));
static cl::opt<std::string> knownFile(
    "known-upstream", cl::init(""),
    cl::desc("A file like docs/KnownUpstream.md: crashes that it explains are "
             "counted apart"));
static cl::opt<bool> noFork("in-process", cl::init(false),
                            cl::desc("Stay in this process"));
static cl::opt<bool> show("print-inputs", cl::init(false),
                          cl::desc("Print the inputs, run nothing"));
static cl::opt<bool> listPipelines("list-pipelines", cl::init(false),
                                   cl::desc("Print the pipelines"));
static cl::opt<bool> countOps("count-ops", cl::init(false),
                              cl::desc("Print in how many accepted inputs each "
                                       "operation is, run nothing"));
static cl::opt<bool> listOps("list-ops", cl::init(false),
                             cl::desc("Print the dialects' operations that the "
                                      "generator does not know"));

/// The parts of all files, with the name of the file.
static std::vector<std::pair<std::string, std::string>> readParts() {
  std::vector<std::pair<std::string, std::string>> parts;
  for (const std::string &name : files) {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    if (!buffer) {
      llvm::errs() << "fly-fuzz: cannot read " << name << '\n';
      exit(2);
    }
    llvm::SmallVector<llvm::StringRef> texts;
    (*buffer)->getBuffer().split(texts, "// -----");
    for (llvm::StringRef text : texts)
      parts.emplace_back(name, text.str());
  }
  return parts;
}

static std::string toBytecode(const mlir::DialectRegistry &registry,
                              llvm::StringRef text) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (!module || failed(mlir::writeBytecodeToFile(*module, os)))
    return "";
  return bytes;
}

/// Adds the names of the operations of an accepted text.
static void collectOps(const mlir::DialectRegistry &registry,
                       llvm::StringRef text, std::set<std::string> &names) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context));
  if (module)
    module->walk([&](mlir::Operation *op) {
      names.insert(op->getName().getStringRef().str());
    });
}

static int printUnknownOps(const mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(registry);
  std::set<std::string> known;
  for (const OpRow &row : getOpTable())
    known.insert(row.name);
  llvm::StringRef dialects[] = {"fly", "fly_rocdl"};
  for (llvm::StringRef dialect : dialects)
    context.getOrLoadDialect(dialect);
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (llvm::is_contained(dialects, name.getDialectNamespace()) &&
        !known.erase(name.getStringRef().str()))
      llvm::outs() << "not in the table: " << name << '\n';
  for (const std::string &name : known)
    llvm::outs() << "no operation: " << name << '\n';
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  fly::setVersionPrinter();
  fly::boundParsedNesting();
  fly::registerAllPasses();
  mlir::DialectRegistry registry;
  fly::registerAllDialects(registry);
  cl::ParseCommandLineOptions(argc, argv, "Fly's fuzzer\n");
  llvm::ArrayRef<const char *> pipelines = getPipelines();
  if (!codeGen)
    pipelines = pipelines.drop_back(numCodeGen);
  if (listPipelines) {
    for (const char *pipeline : pipelines)
      llvm::outs() << pipeline << '\n';
    return 0;
  }
  if (listOps)
    return printUnknownOps(registry);

  std::vector<std::pair<std::string, std::string>> parts = readParts();
  if (parts.empty() && mode != Mode::Generate) {
    llvm::errs() << "fly-fuzz: no files\n";
    return 2;
  }
  /// The input of a case.
  auto getInput = [&](uint64_t number) -> std::string {
    Random random(number);
    random.next();
    switch (mode) {
    case Mode::Generate: {
      std::string text = generateModule(registry, number);
      return random.chance(10) ? mutateText(text, random) : text;
    }
    case Mode::Mutate:
      return mutateText(random.pick(parts).second, random);
    case Mode::Bytecode:
      return mutateBytes(toBytecode(registry, random.pick(parts).second),
                         random);
    case Mode::Passes:
      return parts[number].second;
    }
    llvm_unreachable("unknown mode");
  };
  auto runCase = [&](uint64_t number,
                     llvm::function_ref<void(llvm::StringRef)> atStage,
                     Totals &totals) -> std::string {
    number *= every;
    atStage("make the input");
    std::string text = getInput(number);
    Checker checker(registry, atStage);
    if (checker.parses(text)) {
      ++totals.accepted;
      if (mode != Mode::Mutate)
        checker.checkRoundTrip(text);
      Random random(~number);
      bool lowered = false;
      for (llvm::StringRef pipeline : pipelines)
        // Damaged inputs are many and much alike.
        if (mode == Mode::Passes || mode == Mode::Generate || random.chance(15))
          lowered |= checker.checkPipeline(text, pipeline) &&
                     pipeline.starts_with("fly-to-rocdl");
      totals.lowered += lowered;
      if (mode != Mode::Passes) {
        std::string sequence;
        for (int i = random.between(2, 6); i > 0; --i)
          sequence += (sequence.empty() ? "" : ",") +
                      std::string(random.pick(pipelines));
        checker.checkPipeline(text, sequence);
      }
    }
    totals.runs += checker.getNumRuns();
    return checker.getFault().value_or("");
  };

  SupervisorOptions options;
  options.first = first;
  options.count = count;
  if (mode == Mode::Passes) {
    uint64_t all = (parts.size() + every - 1) / every;
    options.count = count == 0 || first + count > all ? all - first : count;
  }
  options.timeoutSeconds = timeout;
  options.fork = !noFork;
  if (show) {
    for (uint64_t i = first; i < first + options.count; ++i)
      llvm::outs() << getInput(i * every) << "\n// -----\n";
    return 0;
  }

  if (countOps) {
    std::map<std::string, size_t> counts;
    for (const OpRow &row : getOpTable())
      counts[row.name] = 0;
    for (uint64_t i = first; i < first + options.count; ++i) {
      std::set<std::string> names;
      collectOps(registry, getInput(i * every), names);
      for (const std::string &name : names)
        ++counts[name];
    }
    for (const auto &[name, number] : counts)
      llvm::outs() << number << ' ' << name << '\n';
    return 0;
  }

  std::vector<std::string> knownFrames, knownForms;
  if (!knownFile.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(knownFile);
    if (!buffer) {
      llvm::errs() << "fly-fuzz: cannot read " << knownFile << '\n';
      return 2;
    }
    knownFrames = readKnownFrames((*buffer)->getBuffer());
    knownForms = readKnownForms((*buffer)->getBuffer());
  }
  unsigned failures = 0, known = 0;
  auto report = [&](const Failure &failure) {
    if (isKnownUpstream(failure.output, knownFrames) ||
        isKnownForm(failure.reason, knownForms)) {
      ++known;
      return;
    }
    ++failures;
    uint64_t number = failure.number * every;
    llvm::outs() << "case " << failure.number;
    if (mode == Mode::Passes)
      llvm::outs() << " (" << parts[number].first << ")";
    llvm::outs() << ": " << failure.reason << " in stage '" << failure.stage
                 << "'\n"
                 << failure.output << '\n';
    if (artifacts.empty())
      return;
    llvm::SmallString<128> path(artifacts);
    llvm::sys::path::append(path,
                            "case-" + std::to_string(failure.number) +
                                (mode == Mode::Bytecode ? ".mlirbc" : ".mlir"));
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (!error)
      file << getInput(number);
  };
  Totals totals = supervise(options, runCase, report);
  llvm::outs() << options.count << " inputs, " << totals.accepted
               << " accepted, " << totals.lowered << " lowered, "
               << totals.runs << " runs, " << known
               << " known upstream, " << failures << " failures\n";
  return failures != 0;
}
