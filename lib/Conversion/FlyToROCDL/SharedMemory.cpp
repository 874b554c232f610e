// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS globals for shared allocations, and the check that they fit the chip.

#include "SharedMemory.h"

#include "Fly/Arch/ByteCount.h"
#include "Fly/Arch/SharedMemory.h"
#include "Fly/Dialect/Fly/Analysis/Runs.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fly::rocdl {
namespace {

constexpr unsigned kSharedSpace = 3;
/// Alignment of dynamic shared memory, as the type of get_dyn_shared says.
constexpr uint64_t kDynamicAlignment = 1024;

bool isSharedAllocation(MakePtrOp op) {
  return cast<PointerType>(op.getType()).isIn(AddressSpace::Shared);
}

//===----------------------------------------------------------------------===//
// Capacity
//===----------------------------------------------------------------------===//

/// The static allocations that `kernel` reaches, in the order of the text of
/// each function, callees behind.
SmallVector<MakePtrOp> collectAllocations(FunctionOpInterface kernel,
                                          SymbolTable &symbols) {
  SmallVector<MakePtrOp> allocations;
  llvm::SetVector<Operation *> functions;
  functions.insert(kernel);
  for (unsigned i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](Operation *op) {
      if (auto make = dyn_cast<MakePtrOp>(op); make && isSharedAllocation(make))
        allocations.push_back(make);
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
          if (Operation *function = symbols.lookup(callee.getLeafReference()))
            functions.insert(function);
    });
  return allocations;
}

LogicalResult checkCapacity(FunctionOpInterface kernel,
                            ArrayRef<MakePtrOp> allocations,
                            const arch::Chip &chip) {
  auto sizes = llvm::map_to_vector(allocations, [](MakePtrOp op) {
    return arch::SharedAllocation{uint64_t(*op.getDictInt("allocAlign")),
                                  uint64_t(*op.getDictInt("allocBytes"))};
  });
  uint64_t total = arch::getSharedBytes(sizes);
  if (total <= chip.ldsBytesPerWorkgroup)
    return success();
  MakePtrOp culprit =
      allocations[arch::findCulprit(sizes, chip.ldsBytesPerWorkgroup)];
  InFlightDiagnostic diag = culprit.emitOpError();
  diag << "shared memory of kernel '" << kernel.getName() << "' takes " << total
       << " bytes, but a workgroup of " << chip.name << " has "
       << chip.ldsBytesPerWorkgroup;
  for (MakePtrOp op : allocations)
    diag.attachNote(op.getLoc())
        << "allocation of " << arch::byteCount(*op.getDictInt("allocBytes"))
        << " aligned to " << *op.getDictInt("allocAlign");
  return failure();
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

/// A new LDS global of `bytes` bytes at the start of `module`, under a name
/// that begins with `prefix` and is free.
StringAttr createGlobal(gpu::GPUModuleOp module, SymbolTable &symbols,
                        Location loc, StringRef prefix, unsigned &counter,
                        uint64_t bytes, uint64_t alignment) {
  std::string name;
  do
    name = (prefix + Twine(counter++)).str();
  while (symbols.lookup(name));
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  auto global = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/false, LLVM::Linkage::External, name,
      Attribute(), alignment, kSharedSpace, /*dsoLocal=*/true);
  symbols.insert(global, module.getBody()->begin());
  return global.getSymNameAttr();
}

/// The module's dynamic shared memory if it has one already.
StringAttr findDynamicGlobal(gpu::GPUModuleOp module) {
  for (auto global : module.getBody()->getOps<LLVM::GlobalOp>()) {
    auto type = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (type && type.getNumElements() == 0 &&
        global.getAddrSpace() == kSharedSpace &&
        global.getAlignment() == kDynamicAlignment)
      return global.getSymNameAttr();
  }
  return {};
}

/// Whether memory of `bytes` bytes aligned to `alignment` is what the type of
/// the pointer promises: its alignment, and for a swizzle, which moves an
/// element anywhere within its block, whole blocks.
LogicalResult checkPromises(MakePtrOp op, int64_t bytes, int64_t alignment) {
  PointerType pointer = op.getType();
  uint64_t known = getKnownAlignment(pointer);
  int64_t promised = known & (~known + 1);
  if (alignment % promised != 0)
    return op.emitOpError() << "the result is aligned to " << promised
                            << " bytes, 'allocAlign' to " << alignment;
  SwizzleAttr swizzle = pointer.getSwizzle();
  int64_t block = getSwizzleBlock(swizzle);
  bool wholeBlocks = bytes % block == 0;
  if (wholeBlocks && alignment % block == 0)
    return success();
  return op.emitOpError() << "the swizzle " << bodyToString(swizzle)
                          << " of the result needs "
                          << (wholeBlocks ? "'allocAlign'" : "'allocBytes'")
                          << " to be a multiple of its blocks of " << block
                          << " bytes, got "
                          << (wholeBlocks ? alignment : bytes);
}

LogicalResult createModuleGlobals(gpu::GPUModuleOp module,
                                  const TargetChips &chips,
                                  SharedGlobals &globals) {
  SymbolTable symbols(module);
  LogicalResult result = success();
  unsigned numStatic = 0, numDynamic = 0;
  StringAttr dynamic = findDynamicGlobal(module);
  module.walk([&](Operation *op) {
    if (auto make = dyn_cast<MakePtrOp>(op); make && isSharedAllocation(make)) {
      std::optional<int64_t> bytes = make.getDictInt("allocBytes"),
                             alignment = make.getDictInt("allocAlign");
      if (!bytes || !alignment) {
        make.emitOpError() << "needs integers 'allocBytes' and 'allocAlign' in "
                              "'dictAttrs' for shared memory";
        result = failure();
        return;
      }
      if (failed(checkPromises(make, *bytes, *alignment))) {
        result = failure();
        return;
      }
      globals[op] =
          createGlobal(module, symbols, op->getLoc(), "__shared_alloc_",
                       numStatic, *bytes, *alignment);
    } else if (isa<GetDynSharedOp>(op)) {
      if (!dynamic)
        dynamic =
            createGlobal(module, symbols, op->getLoc(), "__dynamic_shared_",
                         numDynamic, 0, kDynamicAlignment);
      globals[op] = dynamic;
    }
  });
  const arch::Chip *chip = chips.lookup(module);
  if (failed(result) || !chip)
    return result;
  for (auto kernel : module.getBody()->getOps<gpu::GPUFuncOp>())
    if (kernel.isKernel() &&
        failed(
            checkCapacity(kernel, collectAllocations(kernel, symbols), *chip)))
      result = failure();
  return result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct MakeSharedPtr : OpConversionPattern<MakePtrOp> {
  MakeSharedPtr(const TypeConverter &converter, MLIRContext *context,
                const SharedGlobals &globals)
      : OpConversionPattern(converter, context), globals(globals) {}

  LogicalResult
  matchAndRewrite(MakePtrOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StringAttr name = globals.lookup(op);
    if (!name)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(
        op, getTypeConverter()->convertType(op.getType()), name);
    return success();
  }

  const SharedGlobals &globals;
};

struct DynamicShared : OpConversionPattern<GetDynSharedOp> {
  DynamicShared(const TypeConverter &converter, MLIRContext *context,
                const SharedGlobals &globals)
      : OpConversionPattern(converter, context), globals(globals) {}

  LogicalResult
  matchAndRewrite(GetDynSharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StringAttr name = globals.lookup(op);
    if (!name)
      return failure();
    Type type = getTypeConverter()->convertType(op.getType());
    Value address =
        LLVM::AddressOfOp::create(rewriter, op.getLoc(), type, name);
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
        op, type, rewriter.getI8Type(), address, ArrayRef<LLVM::GEPArg>{0});
    return success();
  }

  const SharedGlobals &globals;
};

} // namespace

LogicalResult createSharedGlobals(Operation *root, const TargetChips &chips,
                                  SharedGlobals &globals) {
  LogicalResult result = success();
  root->walk([&](Operation *op) {
    auto make = dyn_cast<MakePtrOp>(op);
    bool isStatic = make && isSharedAllocation(make);
    if (!isStatic && !isa<GetDynSharedOp>(op))
      return;
    if (op->getParentOfType<gpu::GPUModuleOp>())
      return;
    op->emitError() << (isStatic ? "shared make_ptr" : "get_dyn_shared")
                    << " must be inside a gpu.module";
    result = failure();
  });
  if (failed(result))
    return failure();
  // A root below a module has its globals made in that module all the same.
  if (auto module = root->getParentOfType<gpu::GPUModuleOp>())
    return createModuleGlobals(module, chips, globals);
  root->walk([&](gpu::GPUModuleOp module) {
    if (failed(createModuleGlobals(module, chips, globals)))
      result = failure();
  });
  return result;
}

void populateSharedMemoryPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  const SharedGlobals &globals) {
  patterns.add<MakeSharedPtr, DynamicShared>(converter, patterns.getContext(),
                                             globals);
}

} // namespace fly::rocdl
