// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers and assembly of atoms, tiled operations and their calls. What
// tiled operations compute is in FlyTiledOps.cpp.

#include "OpSupport.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Assembly pieces
//===----------------------------------------------------------------------===//

ParseResult fly::parseMmaOperandKeyword(OpAsmParser &parser,
                                        MmaOperandAttr &attr) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MmaOperand> kind = symbolizeMmaOperand(keyword);
  if (!kind)
    return parser.emitError(loc, "expected mma operand a, b, c or d, got '")
           << keyword << "'";
  attr = MmaOperandAttr::get(parser.getContext(), *kind);
  return success();
}

void fly::printMmaOperandKeyword(OpAsmPrinter &printer, Operation *,
                                 MmaOperandAttr attr) {
  printer << stringifyMmaOperand(attr.getValue());
}

ParseResult
fly::parseOperandGroup(OpAsmParser &parser,
                       SmallVectorImpl<OpAsmParser::UnresolvedOperand> &group) {
  if (succeeded(parser.parseOptionalLSquare()))
    return failure(parser.parseOperandList(group) || parser.parseRSquare());
  return parser.parseOperand(group.emplace_back());
}

void fly::printOperandGroup(OpAsmPrinter &printer, Operation *,
                            OperandRange group) {
  if (group.size() == 1) {
    printer << group.front();
    return;
  }
  printer << '[' << group << ']';
}

ParseResult MmaAtomCallSSAOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  using Unresolved = OpAsmParser::UnresolvedOperand;
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<SmallVector<Unresolved, 1>> groups;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
            return parseOperandGroup(parser, groups.emplace_back());
          }))
    return failure();
  if (groups.size() != 4 && groups.size() != 5)
    return parser.emitError(
               loc, "expected (atom, a, b, c) or (atom, d, a, b, c), got ")
           << groups.size() << " operands";

  SmallVector<Unresolved, 1> dst;
  if (succeeded(parser.parseOptionalKeyword("dst"))) {
    if (parser.parseEqual() || parser.parseOperand(dst.emplace_back()))
      return failure();
    if (groups.size() == 5)
      return parser.emitError(loc, "destination given twice");
  } else if (groups.size() == 5) {
    dst = groups[1];
    groups.erase(groups.begin() + 1);
  }
  if (groups.front().size() != 1 || groups.back().size() != 1 || dst.size() > 1)
    return parser.emitError(loc, "only a and b may be groups");

  SMLoc attrLoc = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();

  std::array<int32_t, 5> segments = {1, static_cast<int32_t>(dst.size()),
                                     static_cast<int32_t>(groups[1].size()),
                                     static_cast<int32_t>(groups[2].size()), 1};
  // The older form may state the segment sizes; they must then be these.
  StringRef segmentName = getOperandSegmentSizeAttr();
  if (Attribute stated = result.attributes.get(segmentName)) {
    if (stated != parser.getBuilder().getDenseI32ArrayAttr(segments))
      return parser.emitError(attrLoc, "operand segment sizes do not match "
                                       "the operands");
    result.attributes.erase(segmentName);
  }
  result.getOrAddProperties<Properties>().operandSegmentSizes = segments;

  SmallVector<Unresolved> operands;
  operands.append(groups[0].begin(), groups[0].end());
  operands.append(dst.begin(), dst.end());
  for (size_t i : {1, 2, 3})
    operands.append(groups[i].begin(), groups[i].end());
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), typeLoc,
                                result.operands);
}

void MmaAtomCallSSAOp::print(OpAsmPrinter &printer) {
  printer << '(' << getMmaAtom() << ", ";
  printOperandGroup(printer, *this, getA());
  printer << ", ";
  printOperandGroup(printer, *this, getB());
  printer << ", " << getC() << ')';
  if (getD())
    printer << " dst = " << getD();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizeAttr()});
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

LogicalResult MakeCopyAtomOp::verify() {
  // make_copy_atom_c1
  int32_t typed = getType().getValBits();
  if (static_cast<int32_t>(getValBits()) != typed)
    return emitOpError("value width ") << static_cast<int32_t>(getValBits())
                                       << " differs from the result type's "
                                       << typed << " [make_copy_atom_c1]";
  return success();
}

//===----------------------------------------------------------------------===//
// Copy calls
//===----------------------------------------------------------------------===//

/// Elements of both memrefs are equally wide; coordinate tensors have none.
static LogicalResult verifyEqualWidths(Operation *op, Type src, Type dst,
                                       StringRef label) {
  auto srcMemRef = dyn_cast<fly::MemRefType>(src);
  auto dstMemRef = dyn_cast<fly::MemRefType>(dst);
  if (!srcMemRef || !dstMemRef)
    return success();
  std::optional<int64_t> srcBits = getElementBits(srcMemRef.getElementType());
  std::optional<int64_t> dstBits = getElementBits(dstMemRef.getElementType());
  if (srcBits != dstBits)
    return op->emitOpError("source elements ")
           << srcMemRef.getElementType() << " and destination elements "
           << dstMemRef.getElementType() << " differ in width [" << label
           << "]";
  return success();
}

static LogicalResult verifyPredicate(Operation *op, Type pred,
                                     StringRef label) {
  auto memref = dyn_cast_or_null<fly::MemRefType>(pred);
  if (memref && !memref.getElementType().isSignlessInteger(1))
    return op->emitOpError("predicate must have element type i1, got ")
           << memref.getElementType() << " [" << label << "]";
  return success();
}

/// The items that a layout (thread, item) gives to one thread: the bits of a
/// copy atom, the values of an mma atom.
static std::optional<int64_t> getItemsPerThread(const layout::Layout &items) {
  if (items.rank() != 2)
    return std::nullopt;
  auto size = layout::size(items[1]);
  if (!size || !size->isStatic())
    return std::nullopt;
  return size->getValue();
}

/// The operand holds the bits that the atom moves for one thread.
static LogicalResult verifyCopyBits(Operation *op, StringRef name, Type tensor,
                                    const layout::Layout &bitLayout,
                                    StringRef label) {
  auto memref = dyn_cast<fly::MemRefType>(tensor);
  if (!memref)
    return success();
  std::optional<int64_t> size = getStaticTensorSize(memref);
  std::optional<int64_t> element = getElementBits(memref.getElementType());
  std::optional<int64_t> want = getItemsPerThread(bitLayout);
  if (!size || !element || !want)
    return success();
  std::optional<int64_t> bits = layout::mulChecked(*size, *element);
  if (bits != want)
    return op->emitOpError(name)
           << " of " << *size << " elements of " << memref.getElementType()
           << " does not hold the " << *want << " bits of the atom: " << tensor
           << " [" << label << "]";
  return success();
}

LogicalResult CopyAtomCallOp::verify() {
  CopyAtomTypeInterface atom = getCopyAtom().getType().getCopyOpInterface();
  Type src = getSrc().getType(), dst = getDst().getType();
  // copy_atom_call_c4
  if (failed(verifyPredicate(*this, getPred() ? getPred().getType() : Type(),
                             "copy_atom_call_c4")))
    return failure();
  if (atom.isWholeTileCopy())
    return success();
  // copy_atom_call_c1
  if (failed(verifyEqualWidths(*this, src, dst, "copy_atom_call_c1")))
    return failure();
  // copy_atom_call_c2
  if (failed(verifyCopyBits(*this, "source", src, atom.getThrBitLayoutSrc(),
                            "copy_atom_call_c2")))
    return failure();
  // copy_atom_call_c3
  return verifyCopyBits(*this, "destination", dst, atom.getThrBitLayoutDst(),
                        "copy_atom_call_c3");
}

LogicalResult CopyAtomCallSSAOp::verify() {
  // copy_atom_call_ssa_c1
  if (getNumResults() > 1)
    return emitOpError("expected at most one result, got ")
           << getNumResults() << " [copy_atom_call_ssa_c1]";
  // copy_atom_call_ssa_c4
  if (getPred() && !getPred().getType().isSignlessInteger(1))
    return emitOpError("predicate must be i1, got ")
           << getPred().getType() << " [copy_atom_call_ssa_c4]";

  CopyAtomTypeInterface atom = getCopyAtom().getType().getCopyOpInterface();
  if (getNumResults() == 0) {
    // copy_atom_call_ssa_c2
    if (!getDst())
      return emitOpError(
          "expected a result or a destination [copy_atom_call_ssa_c2]");
    if (!isa<fly::MemRefType, CoordTensorType>(getDst().getType()))
      return emitOpError("destination without a result must be a memref, got ")
             << getDst().getType() << " [copy_atom_call_ssa_c2]";
  } else {
    // copy_atom_call_ssa_c3
    Type result = getResultTypes().front();
    if (getPred() && !getDst())
      return emitOpError("a predicate with a result needs the old content as "
                         "destination [copy_atom_call_ssa_c3]");
    bool updates =
        getDst() && !getPred() && isa<fly::MemRefType>(getDst().getType()) &&
        !cast<fly::MemRefType>(getDst().getType()).isIn(AddressSpace::Register);
    if (getDst() && !updates && getDst().getType() != result)
      return emitOpError("old content of type ")
             << getDst().getType() << " differs from the result of type "
             << result << " [copy_atom_call_ssa_c3]";
    // copy_atom_call_ssa_c5
    std::optional<int64_t> bits = getRegisterBits(result);
    std::optional<int64_t> want = getItemsPerThread(atom.getThrBitLayoutDst());
    if (!bits || (want && !atom.isWholeTileCopy() && bits != want))
      return emitOpError("result must hold the ")
             << want.value_or(0) << " bits of the atom, got " << result
             << " [copy_atom_call_ssa_c5]";
    if (updates && failed(verifyCopyBits(
                       *this, "destination", getDst().getType(),
                       atom.getThrBitLayoutDst(), "copy_atom_call_ssa_c5")))
      return failure();
  }
  Type src = getSrc().getType();
  if (!isa<fly::MemRefType, CoordTensorType>(src)) {
    std::optional<int64_t> bits = getRegisterBits(src);
    std::optional<int64_t> want = getItemsPerThread(atom.getThrBitLayoutSrc());
    if (!bits || (want && !atom.isWholeTileCopy() && bits != want))
      return emitOpError("source must be a memref or hold the ")
             << want.value_or(0) << " bits of the atom, got " << src
             << " [copy_atom_call_ssa_c5]";
  } else if (!atom.isWholeTileCopy()) {
    if (failed(verifyCopyBits(*this, "source", src, atom.getThrBitLayoutSrc(),
                              "copy_atom_call_ssa_c5")))
      return failure();
  }
  if (getNumResults() == 0 && !atom.isWholeTileCopy())
    return verifyCopyBits(*this, "destination", getDst().getType(),
                          atom.getThrBitLayoutDst(), "copy_atom_call_ssa_c5");
  return success();
}

/// The copy operation behind an atom or tiled copy.
static CopyAtomTypeInterface getCopyOpOf(Type callee) {
  if (auto tiled = dyn_cast<TiledCopyType>(callee))
    return tiled.getAtom().getCopyOpInterface();
  return cast<CopyAtomType>(callee).getCopyOpInterface();
}

/// The number of atoms that a tensor holds: the size of its modes after the
/// first; none if it is not static.
static std::optional<int64_t> getNumAtoms(Type tensor) {
  IntTupleAttr shape = getLinearLayout(getTensorLayout(tensor)).getShape();
  int64_t total = 1;
  for (int32_t i = 1; i < shape.rank(); ++i) {
    std::optional<int64_t> size = getStaticSize(shape.at(i));
    std::optional<int64_t> next =
        size ? layout::mulChecked(total, *size) : std::nullopt;
    if (!next)
      return std::nullopt;
    total = *next;
  }
  return total;
}

LogicalResult CopyOp::verify() {
  Type src = getSrc().getType(), dst = getDst().getType();
  // copy_c4
  if (failed(verifyPredicate(*this, getPred() ? getPred().getType() : Type(),
                             "copy_c4")))
    return failure();
  if (getCopyOpOf(getCopyAtom().getType()).isWholeTileCopy())
    return success();
  // copy_c1
  int32_t rank = getTensorRank(src);
  if (rank != getTensorRank(dst))
    return emitOpError("source of rank ")
           << rank << " and destination of rank " << getTensorRank(dst)
           << " differ: " << src << " and " << dst << " [copy_c1]";
  // copy_c2
  if (failed(verifyEqualWidths(*this, src, dst, "copy_c2")))
    return failure();
  // copy_c3
  std::optional<int64_t> srcAtoms = getNumAtoms(src);
  std::optional<int64_t> dstAtoms = getNumAtoms(dst);
  if (srcAtoms && dstAtoms && srcAtoms != dstAtoms)
    return emitOpError("source has ")
           << *srcAtoms << " atoms and destination " << *dstAtoms << ": " << src
           << " and " << dst << " [copy_c3]";
  // copy_c5
  if (getPred()) {
    int32_t predRank = getTensorRank(getPred().getType());
    if (predRank != rank && predRank != rank - 1)
      return emitOpError("predicate of rank ")
             << predRank << " for a source of rank " << rank
             << "; expected that rank or one less [copy_c5]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Mma calls
//===----------------------------------------------------------------------===//

/// What an atom's layout gives to one thread for an operand.
static layout::Layout getValueLayout(MmaAtomTypeInterface atom,
                                     MmaOperand kind) {
  switch (kind) {
  case MmaOperand::A:
    return atom.getThrValLayoutA();
  case MmaOperand::B:
    return atom.getThrValLayoutB();
  case MmaOperand::C:
  case MmaOperand::D:
    return atom.getThrValLayoutC();
  }
  llvm_unreachable("unknown mma operand");
}

/// Element type and bits of a memref operand against the atom.
static LogicalResult verifyMmaOperand(Operation *op, MmaAtomTypeInterface atom,
                                      MmaOperand kind, Type tensor) {
  auto memref = cast<fly::MemRefType>(tensor);
  Type want = getMmaValueType(atom, kind);
  Type element = memref.getElementType();
  // mma_atom_call_c2
  if (element != want && !element.isSignlessInteger())
    return op->emitOpError("operand ")
           << stringifyMmaOperand(kind) << " must have element type " << want
           << ", got " << tensor << " [mma_atom_call_c2]";
  // mma_atom_call_c3
  std::optional<int64_t> size = getStaticTensorSize(memref);
  std::optional<int64_t> values = getItemsPerThread(getValueLayout(atom, kind));
  std::optional<int64_t> wantBits = getElementBits(want);
  if (!size || !values || !wantBits)
    return success();
  std::optional<int64_t> bits =
      layout::mulChecked(*size, getElementBits(element).value_or(0));
  if (bits != layout::mulChecked(*values, *wantBits))
    return op->emitOpError("operand ")
           << stringifyMmaOperand(kind) << " must hold " << *values
           << " values of " << want << ", got " << tensor
           << " [mma_atom_call_c3]";
  return success();
}

/// Both groups have members.
static LogicalResult verifyGroups(Operation *op, OperandRange a, OperandRange b,
                                  StringRef label) {
  if (a.empty() || b.empty())
    return op->emitOpError("group ")
           << (a.empty() ? "a" : "b") << " is empty [" << label << "]";
  return success();
}

LogicalResult MmaAtomCallOp::verify() {
  // mma_atom_call_c1
  if (failed(verifyGroups(*this, getA(), getB(), "mma_atom_call_c1")))
    return failure();
  // The first member of a group is the matrix; what the others are is the
  // atom's to say.
  MmaAtomTypeInterface atom = getMmaAtom().getType().getMmaOpInterface();
  if (failed(verifyMmaOperand(*this, atom, MmaOperand::D, getD().getType())) ||
      failed(verifyMmaOperand(*this, atom, MmaOperand::A,
                              getA().front().getType())) ||
      failed(verifyMmaOperand(*this, atom, MmaOperand::B,
                              getB().front().getType())))
    return failure();
  return verifyMmaOperand(*this, atom, MmaOperand::C, getC().getType());
}

LogicalResult MmaAtomCallSSAOp::verify() {
  // mma_atom_call_ssa_c1
  if (getNumResults() + (getD() ? 1 : 0) != 1)
    return emitOpError("expected exactly one of a result and a destination, "
                       "got ")
           << getNumResults() << " results "
           << (getD() ? "and a destination" : "and no destination")
           << " [mma_atom_call_ssa_c1]";
  // mma_atom_call_ssa_c2
  if (failed(verifyGroups(*this, getA(), getB(), "mma_atom_call_ssa_c2")))
    return failure();
  // mma_atom_call_ssa_c3
  if (getD() && !isa<fly::MemRefType>(getD().getType()))
    return emitOpError("destination must be a memref, got ")
           << getD().getType() << " [mma_atom_call_ssa_c3]";
  return success();
}

/// A mode of a gemm operand, for comparing extents.
static std::optional<int64_t> getModeSize(Value operand, int32_t mode) {
  auto memref = cast<fly::MemRefType>(operand.getType());
  return getStaticSize(memref.getLinearLayout().getShape().at(mode));
}

static LogicalResult verifyExtent(GemmOp op, char extent, Value x, int32_t i,
                                  Value y, int32_t j) {
  std::optional<int64_t> left = getModeSize(x, i), right = getModeSize(y, j);
  if (left && right && left != right)
    return op.emitOpError("extents ")
           << extent << " differ: " << *left << " in mode " << i << " of "
           << x.getType() << ", " << *right << " in mode " << j << " of "
           << y.getType() << " [gemm_c3]";
  return success();
}

LogicalResult GemmOp::verify() {
  // gemm_c1
  if (failed(verifyGroups(*this, getA(), getB(), "gemm_c1")))
    return failure();
  // gemm_c4
  if (getTraversalLayout() &&
      !isStaticLayout(getTraversalLayout().getType().getAttr()))
    return emitOpError("traversal layout must be static, got ")
           << getTraversalLayout().getType() << " [gemm_c4]";
  // gemm_c2
  auto rankOf = [](Value operand) { return getTensorRank(operand.getType()); };
  Value d = getD(), a = getA().front(), b = getB().front(), c = getC();
  bool single =
      rankOf(d) == 1 && rankOf(a) == 1 && rankOf(b) == 1 && rankOf(c) == 1;
  bool tiled = rankOf(d) == 3 && rankOf(c) == 3 && rankOf(a) == rankOf(b) &&
               (rankOf(a) == 2 || rankOf(a) == 3);
  if (!single && !tiled)
    return emitOpError("expected ranks 1, or d and c of rank 3 with a and b "
                       "both of rank 2 or 3, got d ")
           << rankOf(d) << ", a " << rankOf(a) << ", b " << rankOf(b) << ", c "
           << rankOf(c) << " [gemm_c2]";
  if (single)
    return success();
  // gemm_c3
  if (failed(verifyExtent(*this, 'M', d, 1, c, 1)) ||
      failed(verifyExtent(*this, 'N', d, 2, c, 2)))
    return failure();
  for (Value member : getA())
    if (rankOf(member) == rankOf(a) &&
        (failed(verifyExtent(*this, 'M', d, 1, member, 1)) ||
         (rankOf(a) == 3 && failed(verifyExtent(*this, 'K', a, 2, member, 2)))))
      return failure();
  for (Value member : getB())
    if (rankOf(member) == rankOf(b) &&
        (failed(verifyExtent(*this, 'N', d, 2, member, 1)) ||
         (rankOf(b) == 3 && failed(verifyExtent(*this, 'K', a, 2, member, 2)))))
      return failure();
  return success();
}
