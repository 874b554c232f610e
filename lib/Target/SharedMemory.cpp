// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check, before code generation, that the LDS variables of each kernel fit
// the chip, wherever they come from, and that the launches do not ask for more.

#include "CodeGen.h"

#include "Fly/Arch/ByteCount.h"
#include "Fly/Arch/Chips.h"
#include "Fly/Arch/SharedMemory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fly {

static constexpr unsigned kSharedSpace = 3;

namespace {
/// The LDS variables that kernels reach. Each function is walked once, however
/// many kernels call it.
class SharedUses {
public:
  explicit SharedUses(SymbolTable &symbols) : symbols(symbols) {}

  /// Those of `kernel`, in the order of use.
  llvm::SmallVector<LLVM::GlobalOp> collect(LLVM::LLVMFuncOp kernel) {
    llvm::SetVector<Operation *> functions, globals;
    functions.insert(kernel);
    for (unsigned i = 0; i < functions.size(); ++i)
      for (Operation *used : getDirect(functions[i]))
        (isa<LLVM::LLVMFuncOp>(used) ? functions : globals).insert(used);
    return llvm::map_to_vector(
        globals, [](Operation *op) { return cast<LLVM::GlobalOp>(op); });
  }

private:
  /// The functions and LDS variables that `function` names itself.
  llvm::ArrayRef<Operation *> getDirect(Operation *function) {
    auto [found, isNew] = direct.try_emplace(function);
    if (isNew) {
      llvm::SetVector<Operation *> uses;
      function->walk([&](Operation *op) {
        FlatSymbolRefAttr name;
        if (auto call = dyn_cast<LLVM::CallOp>(op))
          name = call.getCalleeAttr();
        else if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
          name = address.getGlobalNameAttr();
        Operation *used = name ? symbols.lookup(name.getAttr()) : nullptr;
        auto global = dyn_cast_if_present<LLVM::GlobalOp>(used);
        if (isa_and_present<LLVM::LLVMFuncOp>(used) ||
            (global && global.getAddrSpace() == kSharedSpace))
          uses.insert(used);
      });
      found->second = uses.takeVector();
    }
    return found->second;
  }

  SymbolTable &symbols;
  llvm::DenseMap<Operation *, llvm::SmallVector<Operation *, 0>> direct;
};
} // namespace

/// A note for each allocation.
static void listAllocations(InFlightDiagnostic &diagnostic,
                            llvm::ArrayRef<LLVM::GlobalOp> globals,
                            llvm::ArrayRef<arch::SharedAllocation> sizes) {
  for (auto [variable, size] : llvm::zip_equal(globals, sizes)) {
    LLVM::GlobalOp global = variable;
    diagnostic.attachNote(global.getLoc())
        << "'" << global.getSymName() << "' is an allocation of "
        << arch::byteCount(size.bytes) << " aligned to " << size.alignment;
  }
}

/// The bytes that a launch asks for in addition, if they are known.
static std::optional<uint64_t> getDynamicBytes(gpu::LaunchFuncOp launch) {
  Value size = launch.getDynamicSharedMemorySize();
  APInt value;
  if (!size || !matchPattern(size, m_ConstantInt(&value)) || value.isNegative())
    return std::nullopt;
  return value.getLimitedValue();
}

LaunchesByModule collectLaunches(Operation *root) {
  LaunchesByModule launches;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // What a kernel launches goes away with its module.
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      launches[launch.getKernelModuleName()].push_back(launch);
    return WalkResult::advance();
  });
  return launches;
}

LogicalResult checkSharedMemory(gpu::GPUModuleOp module, const arch::Chip &chip,
                                const LaunchesByModule &launches) {
  uint64_t limit = chip.ldsBytesPerWorkgroup;
  SymbolTable symbols(module);
  SharedUses uses(symbols);
  DataLayout layout(module);
  LogicalResult result = success();
  llvm::DenseMap<StringAttr, uint64_t> staticBytes;
  for (auto kernel : module.getBody()->getOps<LLVM::LLVMFuncOp>()) {
    if (!kernel->hasAttr("rocdl.kernel") && !kernel->hasAttr("gpu.kernel"))
      continue;
    auto globals = uses.collect(kernel);
    auto sizes = llvm::map_to_vector(globals, [&](LLVM::GlobalOp global) {
      Type type = global.getGlobalType();
      uint64_t alignment =
          global.getAlignment().value_or(layout.getTypeABIAlignment(type));
      return arch::SharedAllocation{std::max<uint64_t>(alignment, 1),
                                    layout.getTypeSize(type).getFixedValue()};
    });
    uint64_t total = arch::getSharedBytes(sizes);
    staticBytes[kernel.getSymNameAttr()] = total;
    if (total <= limit)
      continue;
    LLVM::GlobalOp culprit = globals[arch::findCulprit(sizes, limit)];
    InFlightDiagnostic diagnostic = emitError(culprit.getLoc());
    diagnostic << "shared memory of kernel '" << kernel.getName() << "' takes "
               << total << " bytes, but a workgroup of " << chip.name << " has "
               << limit;
    listAllocations(diagnostic, globals, sizes);
    result = failure();
  }
  if (failed(result))
    return failure();

  for (gpu::LaunchFuncOp launch : launches.lookup(module.getNameAttr())) {
    std::optional<uint64_t> dynamic = getDynamicBytes(launch);
    auto fixed = staticBytes.find(launch.getKernelName());
    if (!dynamic || fixed == staticBytes.end() ||
        llvm::SaturatingAdd(fixed->second, *dynamic) <= limit)
      continue;
    InFlightDiagnostic diagnostic = launch.emitError();
    diagnostic << "the launch of kernel '" << launch.getKernelName().getValue()
               << "' asks for " << *dynamic
               << " bytes of dynamic shared memory; with the kernel's own "
               << fixed->second << " it is more than the " << limit
               << " of a workgroup of " << chip.name;
    result = failure();
  }
  return result;
}

} // namespace fly
