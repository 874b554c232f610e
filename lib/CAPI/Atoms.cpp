// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of what atoms say about themselves.

#include "Fly-c/Atoms.h"

#include "Support.h"

#include "Fly/Dialect/Fly/IR/FlyAlgebra.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"

using namespace fly;
using namespace fly::capi;
using mlir::Type;

//===----------------------------------------------------------------------===//
// Which types
//===----------------------------------------------------------------------===//

bool flyTypeIsACopyOp(MlirType type) {
  return llvm::isa_and_nonnull<CopyAtomTypeInterface>(unwrap(type));
}

bool flyTypeIsAMmaOp(MlirType type) {
  return llvm::isa_and_nonnull<MmaAtomTypeInterface>(unwrap(type));
}

/// The operation of `type` as an InterfaceT, whether an atom wraps it or not;
/// null, with an error that asks for `expected`, if it is none.
template <typename InterfaceT>
static InterfaceT getOp(MlirType wrapped, const char *function,
                        const char *expected) {
  Type type = unwrap(wrapped);
  if (!type)
    return {};
  Type op = type;
  if (auto copy = llvm::dyn_cast<CopyAtomType>(type))
    op = copy.getCopyOp();
  else if (auto mma = llvm::dyn_cast<MmaAtomType>(type))
    op = mma.getMmaOp();
  if (auto result = llvm::dyn_cast<InterfaceT>(op))
    return result;
  emitQueryError(type.getContext(), function)
      << "expected " << expected << ", got " << type;
  return {};
}

static CopyAtomTypeInterface getCopy(MlirType type, const char *function) {
  return getOp<CopyAtomTypeInterface>(type, function, "a copy operation");
}

static MmaAtomTypeInterface getMma(MlirType type, const char *function) {
  return getOp<MmaAtomTypeInterface>(type, function, "a matrix operation");
}

/// What `query` answers of the atom, a copy or a matrix operation.
template <typename FnT>
static auto readAtom(MlirType type, const char *function, FnT query)
    -> decltype(query(CopyAtomTypeInterface())) {
  Type atom = unwrap(type);
  if (llvm::isa_and_nonnull<MmaAtomType, MmaAtomTypeInterface>(atom))
    return query(getMma(type, function));
  if (auto copy = getOp<CopyAtomTypeInterface>(type, function, "an atom"))
    return query(copy);
  return {};
}

static MlirAttribute wrapLayout(Type type, const layout::Layout &layout) {
  return wrap(toAttr(type.getContext(), layout));
}

/// An error of the query for a number that is no case of `name`.
static void emitNoCase(Type type, const char *function, const char *name,
                       unsigned value) {
  emitQueryError(type.getContext(), function)
      << name << " has no case " << value;
}

//===----------------------------------------------------------------------===//
// All atoms
//===----------------------------------------------------------------------===//

MlirAttribute flyAtomGetThrLayout(MlirType atom) {
  return readAtom(atom, __func__,
                  [](auto op) { return wrapLayout(op, op.getThrLayout()); });
}

MlirStringRef flyAtomGetRequiredFeature(MlirType atom) {
  return readAtom(atom, __func__,
                  [](auto op) { return wrap(op.getRequiredFeature()); });
}

intptr_t flyAtomGetNumStateFields(MlirType atom) {
  return readAtom(atom, __func__, [](auto op) {
    return static_cast<intptr_t>(op.getStateFields().size());
  });
}

/// Field `pos` of the atom, or nothing with an error.
static std::optional<AtomStateField> getStateField(MlirType atom, intptr_t pos,
                                                   const char *function) {
  return readAtom(
      atom, function, [&](auto op) -> std::optional<AtomStateField> {
        auto fields = op.getStateFields();
        if (pos >= 0 && static_cast<size_t>(pos) < fields.size())
          return fields[pos];
        emitQueryError(op.getContext(), function)
            << "index " << pos << " is not in [0, " << fields.size() << ")";
        return std::nullopt;
      });
}

MlirStringRef flyAtomGetStateFieldName(MlirType atom, intptr_t pos) {
  auto field = getStateField(atom, pos, __func__);
  return field ? wrap(field->name) : MlirStringRef{nullptr, 0};
}

MlirType flyAtomGetStateFieldType(MlirType atom, intptr_t pos) {
  auto field = getStateField(atom, pos, __func__);
  return field ? wrap(field->type) : MlirType{nullptr};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

int32_t flyCopyOpGetDefaultValBits(MlirType copy) {
  auto op = getCopy(copy, __func__);
  return op ? op.getDefaultValBits() : 0;
}

bool flyCopyOpIsWholeTile(MlirType copy) {
  auto op = getCopy(copy, __func__);
  return op && op.isWholeTileCopy();
}

MlirAttribute flyCopyOpGetThrBitLayout(MlirType copy, FlyCopySide side) {
  auto op = getCopy(copy, __func__);
  if (!op)
    return {};
  switch (side) {
  case FlyCopySideSource:
    return wrapLayout(op, op.getThrBitLayoutSrc());
  case FlyCopySideDestination:
    return wrapLayout(op, op.getThrBitLayoutDst());
  case FlyCopySideReference:
    return wrapLayout(op, op.getThrBitLayoutRef());
  }
  emitNoCase(op, __func__, "CopySide", side);
  return {};
}

MlirAttribute flyCopyAtomGetThrValLayout(MlirLocation location,
                                         MlirType copyAtom, FlyCopySide side) {
  Construction construction(location, __func__);
  auto atom = construction.get<CopyAtomType>(copyAtom, "copyAtom");
  if (construction.hasFailed())
    return {};
  auto finish = [&](layout::Result<layout::Layout> result) -> MlirAttribute {
    if (result)
      return wrapLayout(atom, *result);
    construction.error() << result.error().str();
    return {};
  };
  switch (side) {
  case FlyCopySideSource:
    return finish(atom.getThrValLayoutSrc());
  case FlyCopySideDestination:
    return finish(atom.getThrValLayoutDst());
  case FlyCopySideReference:
    return finish(atom.getThrValLayoutRef());
  }
  construction.error() << "CopySide has no case "
                       << static_cast<unsigned>(side);
  return {};
}

//===----------------------------------------------------------------------===//
// Matrix operations
//===----------------------------------------------------------------------===//

MlirAttribute flyMmaOpGetShapeMNK(MlirType mma) {
  auto op = getMma(mma, __func__);
  return op ? wrap(toAttr(op.getContext(), op.getShapeMNK()))
            : MlirAttribute{nullptr};
}

MlirType flyMmaOpGetValType(MlirType mma, FlyMmaOperand operand) {
  auto op = getMma(mma, __func__);
  if (!op)
    return {};
  switch (operand) {
  case FlyMmaOperandA:
    return wrap(op.getValTypeA());
  case FlyMmaOperandB:
    return wrap(op.getValTypeB());
  case FlyMmaOperandC:
    return wrap(op.getValTypeC());
  case FlyMmaOperandD:
    return wrap(op.getValTypeD());
  }
  emitNoCase(op, __func__, "MmaOperand", operand);
  return {};
}

MlirAttribute flyMmaOpGetThrValLayout(MlirType mma, FlyMmaOperand operand) {
  auto op = getMma(mma, __func__);
  if (!op)
    return {};
  switch (operand) {
  case FlyMmaOperandA:
    return wrapLayout(op, op.getThrValLayoutA());
  case FlyMmaOperandB:
    return wrapLayout(op, op.getThrValLayoutB());
  case FlyMmaOperandC:
  case FlyMmaOperandD:
    return wrapLayout(op, op.getThrValLayoutC());
  }
  emitNoCase(op, __func__, "MmaOperand", operand);
  return {};
}

//===----------------------------------------------------------------------===//
// Tiled atoms
//===----------------------------------------------------------------------===//

/// What `query` answers of the description of a TiledT, as an attribute.
template <typename TiledT, typename FnT>
static MlirAttribute readTiled(MlirLocation location, MlirType type,
                               const char *function, const char *name,
                               FnT query) {
  Construction construction(location, function);
  auto tiled = construction.get<TiledT>(type, name);
  if (construction.hasFailed())
    return {};
  auto desc = describe(tiled);
  if (!desc) {
    construction.error() << desc.error().str();
    return {};
  }
  auto result = query(*desc);
  if (!result) {
    const layout::Error &error = result.error();
    construction.error() << (error.label.empty() ? error.message : error.str());
    return {};
  }
  return wrap(toAttr(tiled.getContext(), *result));
}

MlirAttribute flyTiledCopyGetThrValLayout(MlirLocation location,
                                          MlirType tiledCopy,
                                          FlyCopySide side) {
  return readTiled<TiledCopyType>(
      location, tiledCopy, __func__, "tiledCopy",
      [&](const layout::TiledCopyDesc &desc) -> layout::Result<layout::Layout> {
        switch (side) {
        case FlyCopySideSource:
          return layout::threadValueCopy(desc, desc.src);
        case FlyCopySideDestination:
          return layout::threadValueCopy(desc, desc.dst);
        case FlyCopySideReference:
          return desc.tv;
        }
        return layout::Error{"", "CopySide has no case " +
                                     std::to_string(static_cast<int>(side))};
      });
}

MlirAttribute flyTiledMmaGetTileSizeMNK(MlirLocation location,
                                        MlirType tiledMma) {
  return readTiled<TiledMmaType>(location, tiledMma, __func__, "tiledMma",
                                 layout::tileSizeMma);
}

MlirAttribute flyTiledMmaGetThrLayoutVMNK(MlirLocation location,
                                          MlirType tiledMma) {
  return readTiled<TiledMmaType>(location, tiledMma, __func__, "tiledMma",
                                 layout::threadLayoutMma);
}

MlirAttribute flyTiledMmaGetThrValLayout(MlirLocation location,
                                         MlirType tiledMma,
                                         FlyMmaOperand operand) {
  return readTiled<TiledMmaType>(
      location, tiledMma, __func__, "tiledMma",
      [&](const layout::TiledMmaDesc &desc) -> layout::Result<layout::Layout> {
        switch (operand) {
        case FlyMmaOperandA:
          return layout::threadValueMma(desc, layout::MmaOperandKind::A);
        case FlyMmaOperandB:
          return layout::threadValueMma(desc, layout::MmaOperandKind::B);
        case FlyMmaOperandC:
        case FlyMmaOperandD:
          return layout::threadValueMma(desc, layout::MmaOperandKind::C);
        }
        return layout::Error{"", "MmaOperand has no case " +
                                     std::to_string(static_cast<int>(operand))};
      });
}
