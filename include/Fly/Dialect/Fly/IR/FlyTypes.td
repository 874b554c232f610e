// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the `fly` dialect: the algebra's values, pointers and tensors,
// atoms and tiled atoms, and the three universal atom operations.

#ifndef FLY_DIALECT_FLY_IR_FLYTYPES_TD
#define FLY_DIALECT_FLY_IR_FLYTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "Fly/Dialect/Fly/IR/FlyAttrs.td"
include "Fly/Dialect/Fly/IR/FlyDialect.td"
include "Fly/Dialect/Fly/IR/FlyEnums.td"
include "Fly/Dialect/Fly/IR/FlyInterfaces.td"

class Fly_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Fly_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
}

/// Declares the methods of the may-be-static interface that differ from its
/// defaults.
class Fly_MayBeStatic<list<string> methods = ["isStatic"]>
    : DeclareTypeInterfaceMethods<Fly_MayBeStaticTypeInterface, methods>;

/// A type that wraps one attribute and has the same body text.
class Fly_WrapperType<string name, string typeMnemonic, string attrClass,
                      list<Trait> traits = []>
    : Fly_Type<name, typeMnemonic, traits> {
  let parameters = (ins attrClass:$attr);
  let builders = [TypeBuilderWithInferredContext<(ins attrClass:$attr), [{
    return $_get(attr.getContext(), attr);
  }]>];
}

//===----------------------------------------------------------------------===//
// Values of the algebra
//===----------------------------------------------------------------------===//

def Fly_Basis
    : Fly_WrapperType<"Basis", "basis", "::fly::BasisAttr",
                      [Fly_MayBeStatic<["isStatic", "rebuildStaticValue"]>]> {
  let summary = "scaled basis element";
  let description = [{
    Example: `!fly.basis<5E1E0>`, 5 in mode 0 of mode 1 of a coordinate.
  }];
}

def Fly_IntTuple
    : Fly_WrapperType<"IntTuple", "int_tuple", "::fly::IntTupleAttr",
                      [Fly_MayBeStatic<>]> {
  let summary = "int tuple";
  let description = [{
    A leaf or a nested tuple of leaves. Each `?` is a run-time value of the
    width written with it. Example: `!fly.int_tuple<(3,(?,?{i64 div=8}),*)>`.
  }];
  let extraClassDeclaration = [{
    bool isLeaf() const { return getAttr().isLeaf(); }
    int32_t rank() const { return getAttr().rank(); }
    int32_t rank(int32_t index) const { return getAttr().rank(index); }
    int32_t depth() const { return getAttr().depth(); }
    int32_t depth(int32_t index) const { return getAttr().depth(index); }
  }];
}

def Fly_Layout
    : Fly_WrapperType<"Layout", "layout", "::fly::LayoutAttr",
                      [Fly_MayBeStatic<>]> {
  let summary = "layout";
  let description = [{
    A function from coordinates in a shape to indices.
    Example: `!fly.layout<(6,(2,?)):(1,(?{div=2},12))>`.
  }];
  let extraClassDeclaration = [{
    bool isLeaf() const { return getAttr().isLeaf(); }
    int32_t rank() const { return getAttr().rank(); }
    int32_t rank(int32_t index) const { return getAttr().rank(index); }
    int32_t depth() const { return getAttr().depth(); }
    int32_t depth(int32_t index) const { return getAttr().depth(index); }
  }];
}

def Fly_Swizzle
    : Fly_WrapperType<"Swizzle", "swizzle", "::fly::SwizzleAttr",
                      [Fly_MayBeStatic<[]>]> {
  let summary = "swizzle";
  let description = [{ Example: `!fly.swizzle<S<2,4,3>>`. }];
}

def Fly_CoordSwizzle
    : Fly_WrapperType<"CoordSwizzle", "coord_swizzle", "::fly::CoordSwizzleAttr",
                      [Fly_MayBeStatic<[]>]> {
  let summary = "coordinate swizzle";
  let description = [{
    Example: `!fly.coord_swizzle<CS<2,1,[0],3,[1, 0]>>`.
  }];
}

def Fly_ComposedLayout
    : Fly_WrapperType<"ComposedLayout", "composed_layout",
                      "::fly::ComposedLayoutAttr", [Fly_MayBeStatic<>]> {
  let summary = "composed layout";
  let description = [{
    Example: `!fly.composed_layout<S<2,4,3> o 16 o (6,16):(16,1)>`.
  }];
  let extraClassDeclaration = [{
    bool isLeaf() const { return getAttr().isLeaf(); }
    int32_t rank() const { return getAttr().rank(); }
    int32_t rank(int32_t index) const { return getAttr().rank(index); }
    int32_t depth() const { return getAttr().depth(); }
    int32_t depth(int32_t index) const { return getAttr().depth(index); }
  }];
}

def Fly_Tile
    : Fly_WrapperType<"Tile", "tile", "::fly::TileAttr",
                      [Fly_MayBeStatic<[]>]> {
  let summary = "tile";
  let description = [{
    Example: `!fly.tile<[6|*|(2,3):(1,4)|[2|5:2]]>`.
  }];
}

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

def Fly_Pointer : Fly_Type<"Pointer", "ptr"> {
  let summary = "pointer";
  let description = [{
    A pointer to elements of an integer or float type. The address space is a
    keyword (`generic`, `global`, `shared`, `register`) or another dialect's
    attribute. The alignment in bytes is a positive multiple of the element's
    size, elided if it is that size. The swizzle permutes addresses when memory
    is accessed; the identity is elided.
    Example: `!fly.ptr<f16, shared, align<16>, S<3,3,3>>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$elementType,
                        "::mlir::Attribute":$addressSpace,
                        "::fly::AlignAttr":$alignment,
                        "::fly::SwizzleAttr":$swizzle);
  let builders = [
    // Null alignment and swizzle mean the trivial ones.
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
        "::mlir::Attribute":$addressSpace,
        CArg<"::fly::AlignAttr", "{}">:$alignment,
        CArg<"::fly::SwizzleAttr", "{}">:$swizzle)>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
        "::fly::AddressSpace":$addressSpace,
        CArg<"::fly::AlignAttr", "{}">:$alignment,
        CArg<"::fly::SwizzleAttr", "{}">:$swizzle)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The alignment in elements.
    int64_t getValueDivisibility() const;
    /// True if the space is the dialect's own `space`.
    bool isIn(::fly::AddressSpace space) const;
  }];
}

def Fly_MemRef : Fly_Type<"MemRef", "memref"> {
  let summary = "memref";
  let description = [{
    A pointer with a layout or a composed layout: a tensor in memory.
    Example: `!fly.memref<bf16, shared, S<3,3,3> o ? o (4,8):(8,1), align<16>>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$elementType,
                        "::mlir::Attribute":$addressSpace,
                        "::mlir::Attribute":$layout,
                        "::fly::AlignAttr":$alignment,
                        "::fly::SwizzleAttr":$swizzle);
  let builders = [
    // Null alignment and swizzle mean the trivial ones.
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
        "::mlir::Attribute":$addressSpace, "::mlir::Attribute":$layout,
        CArg<"::fly::AlignAttr", "{}">:$alignment,
        CArg<"::fly::SwizzleAttr", "{}">:$swizzle)>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
        "::fly::AddressSpace":$addressSpace, "::mlir::Attribute":$layout,
        CArg<"::fly::AlignAttr", "{}">:$alignment,
        CArg<"::fly::SwizzleAttr", "{}">:$swizzle)>,
    // The view of `pointer` through `layout`.
    TypeBuilderWithInferredContext<(ins "::fly::PointerType":$pointer,
        "::mlir::Attribute":$layout)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// Same element type, space, alignment and swizzle.
    PointerType getPointerType() const;
    /// The alignment in elements.
    int64_t getValueDivisibility() const;
    bool isIn(::fly::AddressSpace space) const;
    /// The plain layout: the layout itself, or the linear part of a composed
    /// one.
    LayoutAttr getLinearLayout() const;
    int32_t rank() const { return getLinearLayout().rank(); }
    int32_t depth() const { return getLinearLayout().depth(); }
    bool isLeaf() const { return getLinearLayout().isLeaf(); }
    /// Mode `index` < rank() of the layout, all else kept.
    MemRefType at(int32_t index) const;
  }];
}

def Fly_CoordTensor
    : Fly_Type<"CoordTensor", "coord_tensor", [Fly_MayBeStatic<>]> {
  let summary = "coordinate tensor";
  let description = [{
    A tensor whose elements are coordinates: a base plus a layout, no memory.
    Example: `!fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::fly::IntTupleAttr":$base,
                        "::mlir::Attribute":$layout);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::fly::IntTupleAttr":$base, "::mlir::Attribute":$layout), [{
    return $_get(base.getContext(), base, layout);
  }]>];
  let extraClassDeclaration = [{
    LayoutAttr getLinearLayout() const;
    int32_t rank() const { return getLinearLayout().rank(); }
    int32_t depth() const { return getLinearLayout().depth(); }
    bool isLeaf() const { return getLinearLayout().isLeaf(); }
    /// Mode `index` of base and layout; a leaf base only has mode 0. Null if
    /// either side lacks the mode.
    CoordTensorType at(int32_t index) const;
  }];
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

def Fly_CopyAtom : Fly_Type<"CopyAtom", "copy_atom", [Fly_MayBeStatic<>]> {
  let summary = "copy atom";
  let description = [{
    A copy operation and the width in bits of one copied value.
    Example: `!fly.copy_atom<!fly.universal_copy<64>, 16>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$copyOp, "int32_t":$valBits);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$copyOp, "int32_t":$valBits), [{
    return $_get(copyOp.getContext(), copyOp, valBits);
  }]>];
  let extraClassDeclaration = [{
    /// The operation's description.
    ::fly::CopyAtomTypeInterface getCopyOpInterface() const;
    /// (thread, value) to value index of source, destination and reference:
    /// the operation's bit layouts recast from 1 bit to `valBits` bits. An
    /// error if a value is no whole part of the atom.
    ::fly::layout::Result<::fly::layout::Layout> getThrValLayoutSrc() const;
    ::fly::layout::Result<::fly::layout::Layout> getThrValLayoutDst() const;
    ::fly::layout::Result<::fly::layout::Layout> getThrValLayoutRef() const;
  }];
}

def Fly_MmaAtom : Fly_Type<"MmaAtom", "mma_atom", [Fly_MayBeStatic<>]> {
  let summary = "mma atom";
  let description = [{
    A matrix multiply-accumulate of a group of threads.
    Example: `!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$mmaOp);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$mmaOp), [{
    return $_get(mmaOp.getContext(), mmaOp);
  }]>];
  let extraClassDeclaration = [{
    /// The operation's description.
    ::fly::MmaAtomTypeInterface getMmaOpInterface() const;
  }];
}

def Fly_TiledCopy : Fly_Type<"TiledCopy", "tiled_copy", [Fly_MayBeStatic<>]> {
  let summary = "tiled copy";
  let description = [{
    A copy atom repeated over a tile. The static layout `layoutThrVal` of rank 2
    maps (thread, value) to the column-major index in the tile. Layout and tile
    may be written in short, `<body>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$copyAtom,
                        "::fly::LayoutType":$layoutThrVal,
                        "::fly::TileType":$tileMN);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$copyAtom, "::fly::LayoutType":$layoutThrVal,
      "::fly::TileType":$tileMN), [{
    return $_get(copyAtom.getContext(), copyAtom, layoutThrVal, tileMN);
  }]>];
  let extraClassDeclaration = [{
    /// The atom; the verifier guarantees its type.
    ::fly::CopyAtomType getAtom() const;
  }];
}

def Fly_TiledMma : Fly_Type<"TiledMma", "tiled_mma", [Fly_MayBeStatic<>]> {
  let summary = "tiled mma";
  let description = [{
    A matrix atom repeated over threads by `atomLayout`, a static layout of atoms
    over (M, N, K), with a permutation tile of the three; `[*|*|*]`, the default,
    is elided. Layout and tile may be written in short, `<body>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$mmaAtom,
                        "::fly::LayoutType":$atomLayout,
                        "::fly::TileType":$permutation);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$mmaAtom, "::fly::LayoutType":$atomLayout,
      CArg<"::fly::TileType", "{}">:$permutation)>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The atom; the verifier guarantees its type.
    ::fly::MmaAtomType getAtom() const;
  }];
}

//===----------------------------------------------------------------------===//
// Universal atom operations
//===----------------------------------------------------------------------===//

def Fly_UniversalCopy
    : Fly_Type<"UniversalCopy", "universal_copy", [
        Fly_MayBeStatic<[]>,
        DeclareTypeInterfaceMethods<Fly_CopyAtomTypeInterface>]> {
  let summary = "universal copy operation";
  let description = [{
    One thread copies `bitSize` bits by plain loads and stores.
    Example: `!fly.universal_copy<64>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "int32_t":$bitSize);
}

def Fly_UniversalAtomic
    : Fly_Type<"UniversalAtomic", "universal_atomic", [
        Fly_MayBeStatic<[]>,
        DeclareTypeInterfaceMethods<Fly_CopyAtomTypeInterface>]> {
  let summary = "universal atomic operation";
  let description = [{
    One thread combines one value with one memory location. `and`, `or`, `inc`
    and `dec` need an integer type. `syncscope` is LLVM's; the empty one is
    elided. Example: `!fly.universal_atomic<max, i32, "agent">`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::fly::AtomicOp":$atomicOp, "::mlir::Type":$valType,
                        StringRefParameter<"sync scope">:$syncscope);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::fly::AtomicOp":$atomicOp, "::mlir::Type":$valType,
      CArg<"::llvm::StringRef", "{}">:$syncscope), [{
    return $_get(valType.getContext(), atomicOp, valType, syncscope);
  }]>];
}

def Fly_UniversalFMA
    : Fly_Type<"UniversalFMA", "universal_fma", [
        Fly_MayBeStatic<[]>,
        DeclareTypeInterfaceMethods<Fly_MmaAtomTypeInterface>]> {
  let summary = "universal multiply-add operation";
  let description = [{
    One thread computes d = a * b + c on one element, product and sum rounded
    one after the other. Example: `!fly.universal_fma<1x1x1, (f32, f32) -> f32>`.
  }];
  let genVerifyDecl = 1;
  let parameters = (ins "::mlir::Type":$elemTy);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::mlir::Type":$elemTy), [{
    return $_get(elemTy.getContext(), elemTy);
  }]>];
}

#endif // FLY_DIALECT_FLY_IR_FLYTYPES_TD
