// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structural attributes of the `fly` dialect: leaves, tuples, layouts,
// swizzles and tiles.  They hold structure only; everything that computes on
// them is in lib/Layout and reached through FlyLayoutAdapter.h.  The text of
// their bodies is shared with the types of the same names (FlyAttrParser.cpp).

#ifndef FLY_DIALECT_FLY_IR_FLYATTRS_TD
#define FLY_DIALECT_FLY_IR_FLYATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "Fly/Dialect/Fly/IR/FlyDialect.td"
include "mlir/Dialect/GPU/IR/CompilationAttrInterfaces.td"

class Fly_Attr<string name, string attrMnemonic>
    : AttrDef<Fly_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Leaves and tuples
//===----------------------------------------------------------------------===//

def Fly_IntAttr : Fly_Attr<"Int", "int"> {
  let summary = "one integer leaf";
  let description = [{
    One of three: *none* (`*`, counts as 0 in arithmetic), a *static* 64-bit
    integer, or a *dynamic* integer known only at run time, with the width of
    its SSA value (32 or 64) and a divisibility: the run-time value is promised
    to be a multiple of it.  A static leaf has width 32 if its value fits, else
    64, and its own value as divisibility (1 for 0).

    ```
    int-leaf = '*' | integer
             | '?' [ '{' [ 'i32' | 'i64' ] [ 'div' '=' integer ] '}' ]
    ```
  }];
  let parameters = (ins "int64_t":$value, "int32_t":$width,
                        "int64_t":$divisibility, "bool":$staticFlag);
  let extraClassDeclaration = [{
    /// The leaf `*`.
    static IntAttr getNone(::mlir::MLIRContext *context);
    /// A static leaf.
    static IntAttr getStatic(::mlir::MLIRContext *context, int64_t value);
    /// A run-time leaf of 32 or 64 bits.
    static IntAttr getDynamic(::mlir::MLIRContext *context, int32_t width = 32,
                              int64_t divisibility = 1);

    bool isNone() const { return getStaticFlag() && getWidth() == 0; }
    /// True for static integers and for *none*.
    bool isStatic() const { return getStaticFlag(); }
    bool isDynamic() const { return !getStaticFlag(); }
    /// True for the static integer `value`; false for *none*.
    bool isStaticValue(int64_t value) const;
  }];
}

def Fly_BasisAttr : Fly_Attr<"Basis", "basis"> {
  let summary = "scaled basis element";
  let description = [{
    `value` in the coordinate that the path `modes` reaches: `5E1E0` is 5 in
    mode 0 of mode 1.  The suffix follows the value without white space.
  }];
  let parameters = (ins "::fly::IntAttr":$value,
                        ArrayRefParameter<"int32_t">:$modes);
  let builders = [AttrBuilderWithInferredContext<(ins
      "::fly::IntAttr":$value, "::llvm::ArrayRef<int32_t>":$modes), [{
    return $_get(value.getContext(), value, modes);
  }]>];
  let extraClassDeclaration = [{
    bool isStatic() const { return getValue().isStatic(); }
    /// The number of modes in the path.
    int32_t getDepth() const { return getModes().size(); }
  }];
}

def Fly_IntTupleAttr : Fly_Attr<"IntTuple", "int_tuple"> {
  let summary = "integer leaf or nested tuple of them";
  let description = [{
    Holds an `int`, a `basis`, or a non-empty array of `int_tuple`.

    ```
    tuple = leaf | '(' tuple { ',' tuple } ')'
    ```
  }];
  let parameters = (ins "::mlir::Attribute":$value);
  let builders = [
    AttrBuilderWithInferredContext<(ins "::fly::IntAttr":$leaf), [{
      return $_get(leaf.getContext(), leaf);
    }]>,
    AttrBuilderWithInferredContext<(ins "::fly::BasisAttr":$leaf), [{
      return $_get(leaf.getContext(), leaf);
    }]>,
    // A tuple of at least one mode.
    AttrBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<::fly::IntTupleAttr>":$modes)>
  ];
  let extraClassDeclaration = [{
    /// A static leaf.
    static IntTupleAttr getStatic(::mlir::MLIRContext *context, int64_t value);

    bool isLeaf() const;
    /// Number of modes; 1 for a leaf.
    int32_t rank() const;
    /// Mode `index` < rank(); mode 0 of a leaf is the leaf.
    IntTupleAttr at(int32_t index) const;
    /// The mode that the path reaches, or null if the path leaves the tuple.
    IntTupleAttr at(::llvm::ArrayRef<int32_t> path) const;
    int32_t rank(int32_t index) const { return at(index).rank(); }
    /// Number of nested parentheses: 0 for a leaf.
    int32_t depth() const;
    int32_t depth(int32_t index) const { return at(index).depth(); }
    /// No run-time leaf inside.
    bool isStatic() const;
    /// Number of leaves that are known only at run time, those in a basis
    /// included; the operands of `make_int_tuple`.
    int64_t getNumDynamicLeaves() const;
    /// Calls `visit` on each leaf (IntAttr or BasisAttr), depth first, left to
    /// right.
    void walkLeaves(
        ::llvm::function_ref<void(::mlir::Attribute)> visit) const;
    /// The value of a static integer leaf.
    std::optional<int64_t> getStaticLeaf() const;
    /// Same tree shape, leaf against leaf everywhere.
    bool isCongruent(IntTupleAttr other) const;
  }];
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def Fly_LayoutAttr : Fly_Attr<"Layout", "layout"> {
  let summary = "layout: a shape and a stride of the same profile";
  let description = [{
    The function that takes a coordinate in `shape` to the sum of its leaves
    times those of `stride`.  Text: `shape:stride`.
  }];
  let parameters = (ins "::fly::IntTupleAttr":$shape,
                        "::fly::IntTupleAttr":$stride);
  let builders = [AttrBuilderWithInferredContext<(ins
      "::fly::IntTupleAttr":$shape, "::fly::IntTupleAttr":$stride), [{
    return $_get(shape.getContext(), shape, stride);
  }]>];
  let extraClassDeclaration = [{
    bool isLeaf() const { return getShape().isLeaf(); }
    int32_t rank() const { return getShape().rank(); }
    int32_t rank(int32_t index) const { return getShape().rank(index); }
    int32_t depth() const { return getShape().depth(); }
    int32_t depth(int32_t index) const { return getShape().depth(index); }
    /// Mode `index` < rank().
    LayoutAttr at(int32_t index) const;
    bool isStatic() const;
    /// The shape is static, whatever the stride is.
    bool isStaticShape() const { return getShape().isStatic(); }
  }];
}

def Fly_SwizzleAttr : Fly_Attr<"Swizzle", "swizzle"> {
  let summary = "XOR swizzle of an index";
  let description = [{
    `S<mask,base,shift>` takes x to
    `x ^ ((x & ((2^mask - 1) << (base + shift))) >> shift)`.
    A mask of 0 is the identity.  Preconditions: no parameter is negative,
    `shift >= 1` if `mask > 0`, and `mask + base + shift <= 63`.
  }];
  let parameters = (ins "int32_t":$mask, "int32_t":$base, "int32_t":$shift);
  let extraClassDeclaration = [{
    /// The canonical identity, `S<0,0,0>`.
    static SwizzleAttr getTrivial(::mlir::MLIRContext *context);
    /// The identity.
    bool isTrivial() const { return getMask() == 0; }
  }];
}

def Fly_CoordSwizzleAttr : Fly_Attr<"CoordSwizzle", "coord_swizzle"> {
  let summary = "XOR swizzle of one coordinate by another";
  let description = [{
    `CS<mask,baseRow,[modeRow],baseCol,[modeCol]>` replaces the coordinate col
    at path `modeCol` by
    `col ^ (((row >> baseRow) & (2^mask - 1)) << baseCol)`, row being the
    coordinate at path `modeRow`.  A mask of 0 is the identity.
    Preconditions: no parameter is negative, `mask + baseRow <= 63` and
    `mask + baseCol <= 63`.
  }];
  let parameters = (ins "int32_t":$mask, "int32_t":$baseRow,
                        ArrayRefParameter<"int32_t">:$modeRow,
                        "int32_t":$baseCol,
                        ArrayRefParameter<"int32_t">:$modeCol);
  let extraClassDeclaration = [{
    /// The identity.
    bool isTrivial() const { return getMask() == 0; }
  }];
}

def Fly_ComposedLayoutAttr : Fly_Attr<"ComposedLayout", "composed_layout"> {
  let summary = "composition of a layout or swizzle with an offset layout";
  let description = [{
    The function `c -> inner(offset + outer(c))`.  `inner` is a swizzle, a
    coordinate swizzle, a layout or a composed layout; `outer` a layout or a
    composed layout.

    ```
    composed-body = inner { 'o' tuple 'o' outer }
    inner         = swizzle-body | coord-swizzle-body | layout-body
    outer         = layout-body | '[' composed-body ']'
    ```

    Repetition associates to the left.
  }];
  let parameters = (ins "::mlir::Attribute":$inner,
                        "::fly::IntTupleAttr":$offset,
                        "::mlir::Attribute":$outer);
  let builders = [AttrBuilderWithInferredContext<(ins
      "::mlir::Attribute":$inner, "::fly::IntTupleAttr":$offset,
      "::mlir::Attribute":$outer), [{
    return $_get(inner.getContext(), inner, offset, outer);
  }]>];
  let extraClassDeclaration = [{
    /// The plain layout at the end of the chain of outers.
    LayoutAttr getLinear() const;
    bool isLeaf() const { return getLinear().isLeaf(); }
    int32_t rank() const { return getLinear().rank(); }
    int32_t rank(int32_t index) const { return getLinear().rank(index); }
    int32_t depth() const { return getLinear().depth(); }
    int32_t depth(int32_t index) const { return getLinear().depth(index); }
    /// Mode `index` < rank() of the outer; inner and offset are kept.
    ComposedLayoutAttr at(int32_t index) const;
    bool isStatic() const;
    bool isStaticShape() const { return getLinear().isStaticShape(); }
  }];
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def Fly_TileAttr : Fly_Attr<"Tile", "tile"> {
  let summary = "how to divide each mode of a layout";
  let description = [{
    Holds an `int` (`*` keeps the mode), a `layout`, or a non-empty array
    whose elements are `int`, `layout` or `tile`.  `8` and `[8]` differ: a
    leaf, and a list of one.

    ```
    tile-elem = '[' tile-elem { '|' tile-elem } ']' | tuple ':' tuple
              | int-leaf
    ```
  }];
  let parameters = (ins "::mlir::Attribute":$value);
  let builders = [
    // A list of at least one element (IntAttr, LayoutAttr or TileAttr).
    AttrBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<::mlir::Attribute>":$elements)>
  ];
  let extraClassDeclaration = [{
    bool isLeaf() const { return !::llvm::isa<::mlir::ArrayAttr>(getValue()); }
    /// Number of elements; 1 for a leaf.
    int32_t rank() const;
    /// Element `index` < rank(): an IntAttr, a LayoutAttr or a TileAttr.
    ::mlir::Attribute at(int32_t index) const;
    /// The tile `[*|*|*]` that divides nothing of a triple.
    static TileAttr getIdentity3(::mlir::MLIRContext *context);
  }];
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

def Fly_AlignAttr : Fly_Attr<"Align", "align"> {
  let summary = "alignment of a pointer in bytes";
  let description = [{
    Text: `align<N>`.  N is positive and need not be a power of two; the
    *trivial* alignment of an element type is its size in bytes.
  }];
  let parameters = (ins "int64_t":$alignment);
  let extraClassDeclaration = [{
    /// The size of `elementType` (an integer or float type) in bytes.
    static AlignAttr getTrivial(::mlir::Type elementType);
    /// The alignment of a pointer to `elementType` whose offset is a multiple
    /// of `divisibility` elements: ceil(bits * max(divisibility, 1) / 8), or
    /// null if that leaves 64 bits.
    static AlignAttr getFromDivisibility(::mlir::Type elementType,
                                         int64_t divisibility);
  }];
}

//===----------------------------------------------------------------------===//
// Offloading
//===----------------------------------------------------------------------===//

def Fly_ExplicitModuleAttr : AttrDef<Fly_Dialect, "ExplicitModule",
                                     [OffloadingTranslationAttrTrait]> {
  let mnemonic = "explicit_module";
  let summary = "offloading handler: the host loads the module itself";
  let description = [{
    Attached to a `gpu.binary`: its translation to LLVM IR embeds the first
    object and emits two functions that the host calls to load it, instead of
    a global constructor.
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYATTRS_TD
