// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's messages as MLIR diagnostics, the guard against its fatal errors, and
// emission of assembly, objects and bitcode.

#include "CodeGen.h"

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// LLVMReporter
//===----------------------------------------------------------------------===//

LLVMReporter::LLVMReporter(Operation *module)
    : module(module),
      observer(module->getContext(), [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          failed = true;
        return failure(); // not handled: the next handler prints it
      }) {}

void LLVMReporter::attach(llvm::LLVMContext &context) {
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *self) {
        static_cast<LLVMReporter *>(self)->handle(*info);
      },
      this, /*RespectFilters=*/true);
}

Location LLVMReporter::locationOf(llvm::StringRef name) {
  while (!name.empty()) {
    if (Operation *function = SymbolTable::lookupSymbolIn(module, name))
      return function->getLoc();
    // "f.resume" and "f.cleanup.1" are parts of f.
    size_t dot = name.rfind('.');
    name = dot == llvm::StringRef::npos ? "" : name.take_front(dot);
  }
  return module->getLoc();
}

InFlightDiagnostic LLVMReporter::error(Location location) {
  // Set here too: the observer runs only once the message is complete.
  failed = true;
  return emitError(location);
}

/// The one function of `module` that has a body, or `module` itself: the best
/// place for a message that names none.
static Operation *onlyFunction(Operation *module) {
  Operation *only = nullptr;
  for (auto function : module->getRegion(0).getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    if (only)
      return module;
    only = function;
  }
  return only ? only : module;
}

/// The operation of `module` with the longest name of those that `matches`
/// takes, the first among equals; null if there is none.
static Operation *
findNamed(Operation *module,
          llvm::function_ref<bool(llvm::StringRef name)> matches) {
  Operation *best = nullptr;
  size_t length = 0;
  module->walk([&](Operation *op) {
    llvm::StringRef name = instructionName(op);
    if (name.size() <= length || !matches(name))
      return;
    best = op;
    length = name.size();
  });
  return best;
}

/// The first operation of `module` whose intrinsic `text` names:
/// "llvm.amdgcn.mfma.f32.16x16x4f32" is rocdl.mfma.f32.16x16x4f32, types of
/// overloaded intrinsics follow behind a further dot. Null if there is none.
static Operation *findIntrinsic(Operation *module, llvm::StringRef text) {
  static constexpr llvm::StringLiteral prefix = "llvm.amdgcn.";
  size_t start = text.find(prefix);
  if (start == llvm::StringRef::npos)
    return nullptr;
  llvm::StringRef intrinsic =
      text.substr(start + prefix.size()).take_while([](char c) {
        return llvm::isAlnum(c) || c == '.' || c == '_';
      });
  if (Operation *op = findNamed(module, [&](llvm::StringRef name) {
        return intrinsic == name || intrinsic.starts_with(name.str() + ".");
      }))
    return op;
  // A call may name the types where LLVM's text does not.
  return findNamed(module, [&](llvm::StringRef name) {
    return name.starts_with(intrinsic.str() + ".");
  });
}

/// The first operation of `module` that the instruction `mnemonic` is named
/// after: "v_cvt_scalef32_pk_fp8_f32" is of rocdl.cvt.scalef32.pk.fp8.f32. Null
/// if there is none.
static Operation *findInstruction(Operation *module, llvm::StringRef mnemonic) {
  return findNamed(module, [&](llvm::StringRef name) {
    std::string parts = name.str();
    std::replace(parts.begin(), parts.end(), '.', '_');
    return mnemonic.contains(parts);
  });
}

/// The chip that `module` names as its only AMD target, or null.
static const arch::Chip *findChip(Operation *module) {
  auto kernels = dyn_cast<gpu::GPUModuleOp>(module);
  ArrayAttr targets = kernels ? kernels.getTargetsAttr() : ArrayAttr();
  if (!targets || targets.size() != 1)
    return nullptr;
  auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]);
  return target ? arch::lookupChip(target.getChip()) : nullptr;
}

/// What the user wrote: the operation's name, or that of its intrinsic.
static llvm::StringRef displayName(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin();
  return op->getName().getStringRef();
}

void LLVMReporter::fatal(llvm::StringRef text) {
  // "Cannot select: <node>\n<operands>…\nIn function: <name>".
  auto [head, rest] = text.split("In function: ");
  llvm::StringRef function = rest.take_until([](char c) { return c == '\n'; });
  auto [first, details] = head.rtrim().split('\n');
  Location location =
      function.empty() ? onlyFunction(module)->getLoc() : locationOf(function);
  Operation *missing = findIntrinsic(module, first);
  if (missing)
    location = missing->getLoc();
  InFlightDiagnostic diagnostic = error(location);
  diagnostic << "code generation failed: " << first.rtrim();
  if (!function.empty())
    diagnostic << " in function '" << function << "'";
  if (const arch::Chip *chip = missing ? findChip(module) : nullptr)
    diagnostic << ": chip '" << chip->name << "', whose waves have "
               << chip->waveSize << " lanes, has no instruction for '"
               << displayName(missing) << "'";
  if (!details.empty())
    diagnostic.attachNote() << "LLVM reports: " << details.trim();
}

bool LLVMReporter::hasFunction(llvm::StringRef name) {
  for (auto function : module->getRegion(0).getOps<LLVM::LLVMFuncOp>())
    if (function.getSymName() == name)
      return !function.isExternal();
  return false;
}

void LLVMReporter::instruction(llvm::StringRef function,
                               llvm::StringRef instruction,
                               llvm::StringRef text) {
  Location location =
      function.empty() ? onlyFunction(module)->getLoc() : locationOf(function);
  llvm::StringRef mnemonic =
      instruction.take_until([](char c) { return llvm::isSpace(c); });
  Operation *source = findInstruction(module, mnemonic);
  if (source)
    location = source->getLoc();
  InFlightDiagnostic diagnostic = error(location);
  if (source)
    diagnostic << "'" << displayName(source) << "' gives '" << instruction
               << "'";
  else
    diagnostic << "code generation gives '" << instruction << "'";
  if (!function.empty())
    diagnostic << " in function '" << function << "'";
  diagnostic << ", which the assembler refuses: " << text;
  if (const arch::Chip *chip = findChip(module))
    diagnostic << " (" << chip->name << ")";
}

void LLVMReporter::numberAssembly(llvm::Module &translated) {
  for (auto function : module->getRegion(0).getOps<LLVM::LLVMFuncOp>()) {
    llvm::Function *target = translated.getFunction(function.getSymName());
    if (!target || function.isExternal())
      continue;
    // The translation keeps the order of the blocks and of the operations.
    llvm::SmallVector<LLVM::InlineAsmOp> ops;
    function.walk([&](LLVM::InlineAsmOp op) { ops.push_back(op); });
    if (ops.empty())
      continue;
    llvm::SmallVector<llvm::CallBase *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(*target))
      if (auto *call = dyn_cast<llvm::CallBase>(&instruction);
          call && call->isInlineAsm())
        calls.push_back(call);
    if (ops.size() != calls.size())
      continue;
    for (auto [op, call] : llvm::zip_equal(ops, calls)) {
      assemblies.push_back(op.getLoc());
      auto *number = llvm::ConstantInt::get(
          llvm::Type::getInt64Ty(call->getContext()), assemblies.size());
      call->setMetadata(
          "srcloc", llvm::MDNode::get(call->getContext(),
                                      llvm::ConstantAsMetadata::get(number)));
    }
  }
}

void LLVMReporter::handle(const llvm::DiagnosticInfo &info) {
  if (info.getSeverity() == llvm::DS_Remark ||
      info.getSeverity() == llvm::DS_Note)
    return;
  Location location = onlyFunction(module)->getLoc();
  std::string text;
  if (info.getKind() == llvm::DK_SrcMgr) {
    // Text of an inline assembly that LLVM cannot parse.
    text = static_cast<const llvm::DiagnosticInfoSrcMgr &>(info)
               .getSMDiag()
               .getMessage()
               .str();
  } else {
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
  }
  llvm::StringRef message = llvm::StringRef(text).trim();
  message.consume_front("<unknown>:0:0: ");

  auto takePlace = [&](const llvm::DiagnosticInfoWithLocationBase &placed) {
    location = locationOf(placed.getFunction().getName());
    if (!placed.isLocationAvailable())
      return;
    llvm::StringRef file;
    unsigned line = 0, column = 0;
    placed.getLocation(file, line, column);
    message.consume_front(placed.getLocationStr() + ": ");
    location = FileLineColLoc::get(module->getContext(), file, line, column);
  };
  auto takeAssembly = [&](uint64_t number) {
    if (number == 0 || number > assemblies.size())
      return;
    location = assemblies[number - 1];
    message.consume_back(" at line " + std::to_string(number));
  };
  switch (info.getKind()) {
  case llvm::DK_InlineAsm:
    takeAssembly(cast<llvm::DiagnosticInfoInlineAsm>(info).getLocCookie());
    break;
  case llvm::DK_SrcMgr:
    takeAssembly(cast<llvm::DiagnosticInfoSrcMgr>(info).getLocCookie());
    break;
  case llvm::DK_ResourceLimit:
  case llvm::DK_StackSize:
    takePlace(static_cast<const llvm::DiagnosticInfoResourceLimit &>(info));
    break;
  case llvm::DK_Unsupported:
    takePlace(static_cast<const llvm::DiagnosticInfoUnsupported &>(info));
    break;
  case llvm::DK_GenericWithLoc:
    takePlace(static_cast<const llvm::DiagnosticInfoGenericWithLoc &>(info));
    break;
  case llvm::DK_RegAllocFailure:
    takePlace(static_cast<const llvm::DiagnosticInfoRegAllocFailure &>(info));
    break;
  default:
    break;
  }
  if (info.getSeverity() == llvm::DS_Warning) {
    emitWarning(location) << message;
    return;
  }
  error(location) << message;
}

//===----------------------------------------------------------------------===//
// findUser
//===----------------------------------------------------------------------===//

/// The start of the names of ROCDL operations that become calls of `symbol`.
static llvm::StringRef operationsOf(llvm::StringRef symbol) {
  if (symbol == "__ockl_get_local_size")
    return "rocdl.workgroup.dim.";
  if (symbol == "__ockl_get_num_groups")
    return "rocdl.grid.dim.";
  return {};
}

Operation *findUser(gpu::GPUModuleOp module, llvm::StringRef symbol) {
  llvm::StringRef operations = operationsOf(symbol);
  Operation *user = nullptr;
  module.walk([&](Operation *op) {
    bool uses = !operations.empty() &&
                op->getName().getStringRef().starts_with(operations);
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      uses = call.getCallee() == symbol;
    else if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
      uses = address.getGlobalName() == symbol;
    if (!uses)
      return WalkResult::advance();
    user = op;
    return WalkResult::interrupt();
  });
  return user;
}

//===----------------------------------------------------------------------===//
// runGuarded
//===----------------------------------------------------------------------===//

namespace {
/// The text of the fatal error on this thread, while runGuarded is active.
thread_local std::string *fatalText = nullptr;

/// LLVM's crash recovery and its fatal error handler are one for the process.
/// They are on only while some thread generates code: a program around us keeps
/// its signal handlers otherwise. LLVM cannot say which fatal error handler was
/// there before, so none remains afterwards.
class GuardScope {
public:
  GuardScope() {
    std::lock_guard<std::mutex> lock(mutex());
    if (users()++ != 0)
      return;
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
      llvm::CrashRecoveryContext *context =
          llvm::CrashRecoveryContext::GetCurrent();
      if (!fatalText || !context) {
        llvm::errs() << "LLVM ERROR: " << reason << "\n";
        return;
      }
      *fatalText = reason;
      context->HandleExit(1);
    });
  }
  ~GuardScope() {
    std::lock_guard<std::mutex> lock(mutex());
    if (--users() != 0)
      return;
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }

private:
  static std::mutex &mutex() {
    static std::mutex instance;
    return instance;
  }
  static unsigned &users() {
    static unsigned count = 0;
    return count;
  }
};
} // namespace

std::optional<std::string> runGuarded(llvm::function_ref<void()> work) {
  GuardScope scope;
  std::string text;
  std::string *outer = fatalText;
  fatalText = &text;
  llvm::CrashRecoveryContext context;
  bool finished = context.RunSafely(work);
  fatalText = outer;
  if (finished)
    return std::nullopt;
  if (text.empty())
    text = "LLVM stopped with status " + std::to_string(context.RetCode);
  return text;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

FailureOr<Bytes> emitFile(llvm::Module &module, llvm::TargetMachine &machine,
                          llvm::CodeGenFileType type, LLVMReporter &reporter) {
  Bytes bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) {
    reporter.error(reporter.locationOf(""))
        << "the target '" << machine.getTargetTriple().str()
        << "' cannot write this kind of file";
    return failure();
  }
  passes.run(module);
  if (reporter.hadError())
    return failure();
  return bytes;
}

FailureOr<Bytes> runReported(LLVMReporter &reporter, Location location,
                             const llvm::Twine &message,
                             llvm::function_ref<FailureOr<Bytes>()> work) {
  FailureOr<Bytes> bytes = failure();
  std::optional<std::string> fatal = runGuarded([&] { bytes = work(); });
  if (fatal)
    reporter.fatal(*fatal);
  if (failed(bytes) && !reporter.hadError())
    reporter.error(location) << message;
  if (reporter.hadError())
    return failure();
  return bytes;
}

Bytes writeBitcode(const llvm::Module &module) {
  Bytes bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

} // namespace fly
