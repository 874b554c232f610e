// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chip of a module, the check of atoms against it, and the pass that does
// only this.

#include "TargetChip.h"

#include "Fly/Conversion/FlyToROCDL/Passes.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "Fly/Dialect/FlyROCDL/IR/MatrixOperations.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYROCDLCHECKTARGETPASS
#include "Fly/Conversion/FlyToROCDL/Passes.h.inc"
} // namespace fly

namespace fly::rocdl {

//===----------------------------------------------------------------------===//
// The chip of a module
//===----------------------------------------------------------------------===//

/// The name of the chip of a target attribute, empty for other vendors'.
static StringRef getChipName(Attribute target) {
  if (auto amd = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
    return amd.getChip();
  if (auto cpu = dyn_cast<CPUTargetAttr>(target))
    return cpu.getChip();
  return {};
}

/// The row of `name`, or null with an error at `op`.
static const arch::Chip *getKnownChip(Operation *op, StringRef name) {
  const arch::Chip *chip = arch::lookupChip(name);
  if (!chip)
    emitError(op->getLoc())
        << "unknown chip '" << name << "'; the known chips are "
        << arch::knownChipNames(name);
  return chip;
}

FailureOr<TargetChips> TargetChips::get(Operation *root,
                                        StringRef defaultChip) {
  TargetChips result;
  if (!defaultChip.empty()) {
    result.fallback = getKnownChip(root, defaultChip);
    if (!result.fallback)
      return failure();
  }
  auto read = [&](gpu::GPUModuleOp module) -> LogicalResult {
    ArrayAttr targets = module.getTargetsAttr();
    if (!targets)
      return success();
    llvm::SetVector<StringRef> names;
    for (Attribute target : targets)
      if (StringRef name = getChipName(target); !name.empty())
        names.insert(name);
    if (names.size() > 1)
      return emitError(module.getLoc())
             << "has targets for several chips (" << names[0] << ", "
             << names[1] << "); one is needed";
    if (names.empty())
      return success();
    const arch::Chip *chip = getKnownChip(module, names[0]);
    result.modules[module] = chip;
    return success(chip);
  };
  // The root may itself be in a module.
  if (auto module = root->getParentOfType<gpu::GPUModuleOp>())
    if (failed(read(module)))
      return failure();
  WalkResult walked = root->walk([&](gpu::GPUModuleOp module) {
    return failed(read(module)) ? WalkResult::interrupt()
                                : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  return result;
}

const arch::Chip *TargetChips::lookup(Operation *op) const {
  auto module = dyn_cast<gpu::GPUModuleOp>(op);
  if (!module)
    module = op->getParentOfType<gpu::GPUModuleOp>();
  const arch::Chip *chip = module ? modules.lookup(module) : nullptr;
  return chip ? chip : fallback;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

/// The operation of the atom that `op` executes, or null.
static Type getExecutedAtom(Operation *op) {
  auto atomOf = [](Type type) -> Type {
    return TypeSwitch<Type, Type>(type)
        .Case([](CopyAtomType atom) { return atom.getCopyOp(); })
        .Case([](MmaAtomType atom) { return atom.getMmaOp(); })
        .Case([](TiledCopyType tiled) { return tiled.getAtom().getCopyOp(); })
        .Case([](TiledMmaType tiled) { return tiled.getAtom().getMmaOp(); })
        .Default([](Type) { return Type(); });
  };
  if (isa<CopyAtomCallOp, CopyAtomCallSSAOp, MmaAtomCallOp, MmaAtomCallSSAOp,
          CopyOp, GemmOp>(op))
    return atomOf(op->getOperand(0).getType());
  return {};
}

static StringRef getRequiredFeature(Type atom) {
  if (auto copy = dyn_cast<CopyAtomTypeInterface>(atom))
    return copy.getRequiredFeature();
  if (auto mma = dyn_cast<MmaAtomTypeInterface>(atom))
    return mma.getRequiredFeature();
  return {};
}

/// The family of a copy atom in the instruction table, if it has one.
static std::optional<arch::CopyFamily> getCopyFamily(Type atom) {
  using Family = arch::CopyFamily;
  return TypeSwitch<Type, std::optional<Family>>(atom)
      .Case([](BufferCopyType) { return Family::BufferCopy; })
      .Case([](BufferCopyLdsType) { return Family::BufferCopyLds; })
      .Case([](BufferLoadAsyncLdsType) { return Family::BufferLoadAsyncLds; })
      .Case([](GlobalLoadAsyncLdsType) { return Family::GlobalLoadAsyncLds; })
      .Case([](LdsReadTransType) { return Family::LdsReadTrans; })
      .Case([](TdmType) { return Family::Tdm; })
      .Case([](TensorLoadType) { return Family::TensorLoad; })
      .Case([](TensorStoreType) { return Family::TensorStore; })
      .Default([](Type) { return std::nullopt; });
}

/// The cache policy of a copy atom; 0 for those without.
static uint32_t getCachePolicy(Type atom) {
  return TypeSwitch<Type, uint32_t>(atom)
      .Case([](BufferCopyType copy) { return copy.getCache(); })
      .Case([](TdmType copy) { return copy.getCache(); })
      .Case<TensorLoadType, TensorStoreType>(
          [](auto copy) { return copy.getCacheModifier(); })
      .Default([](Type) { return 0; });
}

/// Checks what a chip that has the atom's instruction may still lack: bits of
/// the cache policy, scopes of atomics.
static LogicalResult checkFlags(Operation *op, Type atom,
                                const arch::Chip &chip) {
  uint32_t unknown = getCachePolicy(atom) & ~arch::cachePolicyBits(chip);
  if (unknown)
    return op->emitOpError()
           << "needs bits of the cache policy (" << unknown << ") of the atom "
           << atom << " that " << chip.name << " does not have; it has "
           << arch::cachePolicyNames(chip);
  auto atomic = dyn_cast<UniversalAtomicType>(atom);
  if (atomic && !arch::isSyncScope(chip, atomic.getSyncscope()))
    return op->emitOpError()
           << "needs the synchronisation scope \"" << atomic.getSyncscope()
           << "\" of the atom " << atom << ", which " << chip.name
           << " does not have; it has " << arch::syncScopeNames(chip);
  return success();
}

/// What `chip` has in place of `atom`, for the end of a diagnostic.
static std::string getAlternatives(Type atom, const arch::Chip &chip) {
  std::string found;
  if (const arch::MatrixInstruction *row = getMatrixInstruction(atom)) {
    found = arch::chipAlternatives(chip, row->a, row->b);
    if (found.empty())
      return (Twine(chip.name) + " has no matrix instruction for (" +
              arch::elemName(row->a) + ", " + arch::elemName(row->b) + ")")
          .str();
    return (Twine("for these types ") + chip.name + " has " + found).str();
  }
  if (std::optional<arch::CopyFamily> family = getCopyFamily(atom)) {
    found = arch::copyWidths(*family, &chip);
    if (found.empty())
      return (Twine(chip.name) + " has no " +
              arch::familyMnemonic(*family).split('.').second)
          .str();
    return (Twine(chip.name) + " has widths of " + found + " bits").str();
  }
  if (auto atomic = dyn_cast<BufferAtomicType>(atom))
    if (const arch::BufferAtomic *row = atomic.getInstruction()) {
      found = arch::bufferAtomicTypes(row->kind, &chip);
      if (found.empty())
        return (Twine(chip.name) + " has no such atomic").str();
      return (Twine("for this operation ") + chip.name + " has " + found).str();
    }
  return {};
}

/// Checks that a constant size of a buffer descriptor fits its field, which
/// would lose the upper bits. A value that only the run knows is the caller's.
static LogicalResult checkBufferSize(MakePtrOp op, const TargetChips &chips) {
  auto pointer = cast<PointerType>(op.getType());
  APInt size;
  if (!isBufferSpace(pointer.getAddressSpace()) || op.getArgs().size() != 4 ||
      !matchPattern(op.getArgs()[2], m_ConstantInt(&size)))
    return success();
  const arch::Chip *chip = chips.lookup(op);
  // Without a chip: what is too large for all of them.
  unsigned bits = chip ? arch::bufferSizeBits(*chip) : 45;
  if (size.getActiveBits() <= bits)
    return success();
  return op.emitOpError() << "gives a buffer " << size.getSExtValue()
                          << " bytes, but the descriptor has " << bits
                          << " bits for them"
                          << (chip ? " on " + chip->name.str() : std::string());
}

LogicalResult checkAtoms(Operation *root, const TargetChips &chips) {
  LogicalResult result = success();
  llvm::DenseSet<std::pair<Operation *, Type>> reported;
  root->walk([&](Operation *op) {
    if (auto pointer = dyn_cast<MakePtrOp>(op);
        pointer && failed(checkBufferSize(pointer, chips)))
      result = failure();
    Type atom = getExecutedAtom(op);
    if (!atom && getMatrixOperation(op).empty())
      return;
    const arch::Chip *chip = chips.lookup(op);
    if (!chip)
      return;
    if (!atom) {
      // Sizes wait for code generation, which knows the size of the waves.
      std::string problem = findMatrixProblem(op, *chip, /*checkSizes=*/false);
      if (!problem.empty())
        result = op->emitOpError(problem);
      return;
    }
    StringRef name = getRequiredFeature(atom);
    std::optional<arch::Feature> feature = arch::parseFeature(name);
    Operation *function = op->getParentOfType<FunctionOpInterface>();
    if (feature && chip->has(*feature)) {
      if (!reported.contains({function, atom}) &&
          failed(checkFlags(op, atom, *chip))) {
        reported.insert({function, atom});
        result = failure();
      }
      return;
    }
    if (!reported.insert({function, atom}).second)
      return;
    InFlightDiagnostic diag = op->emitOpError();
    diag << "needs the atom " << atom << " (feature '" << name << "'), which "
         << chip->name << " lacks";
    std::string alternatives = getAlternatives(atom, *chip);
    if (!alternatives.empty())
      diag << "; " << alternatives;
    result = failure();
  });
  return result;
}

} // namespace fly::rocdl

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct CheckTarget : fly::impl::FlyROCDLCheckTargetPassBase<CheckTarget> {
  using FlyROCDLCheckTargetPassBase::FlyROCDLCheckTargetPassBase;

  void runOnOperation() override {
    auto chips = fly::rocdl::TargetChips::get(getOperation(), chip);
    if (failed(chips) || failed(fly::rocdl::checkAtoms(getOperation(), *chips)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
