// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all op files of the dialect share: the operand constraints (one per
// type and the named unions of the specification), the op base classes with
// their assembly forms, and the traits that turn `evaluate` into result type
// inference and into folders. It declares no op.

#ifndef FLY_DIALECT_FLY_IR_FLYOPBASE_TD
#define FLY_DIALECT_FLY_IR_FLYOPBASE_TD

include "Fly/Dialect/Fly/IR/FlyDialect.td"
include "Fly/Dialect/Fly/IR/FlyOpInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Operand constraints
//===----------------------------------------------------------------------===//

class Fly_TypeOf<string cppClass, string text>
    : Type<CPred<"::llvm::isa<::fly::" # cppClass # ">($_self)">, text,
           "::fly::" # cppClass>;

def Fly_AnyIntTuple : Fly_TypeOf<"IntTupleType", "int tuple">;
def Fly_AnyLayout : Fly_TypeOf<"LayoutType", "layout">;
def Fly_AnySwizzle : Fly_TypeOf<"SwizzleType", "swizzle">;
def Fly_AnyCoordSwizzle
    : Fly_TypeOf<"CoordSwizzleType", "coordinate swizzle">;
def Fly_AnyComposedLayout
    : Fly_TypeOf<"ComposedLayoutType", "composed layout">;
def Fly_AnyTile : Fly_TypeOf<"TileType", "tile">;
def Fly_AnyPointer : Fly_TypeOf<"PointerType", "pointer">;
def Fly_AnyMemRef : Fly_TypeOf<"MemRefType", "memref">;
def Fly_AnyCoordTensor : Fly_TypeOf<"CoordTensorType", "coordinate tensor">;
def Fly_AnyCopyAtom : Fly_TypeOf<"CopyAtomType", "copy atom">;
def Fly_AnyMmaAtom : Fly_TypeOf<"MmaAtomType", "mma atom">;
def Fly_AnyTiledCopy : Fly_TypeOf<"TiledCopyType", "tiled copy">;
def Fly_AnyTiledMma : Fly_TypeOf<"TiledMmaType", "tiled mma">;

def Fly_IteratorLike
    : AnyTypeOf<[Fly_AnyIntTuple, Fly_AnyPointer], "int tuple or pointer">;
def Fly_TensorLike
    : AnyTypeOf<[Fly_AnyCoordTensor, Fly_AnyMemRef],
                "coordinate tensor or memref">;
def Fly_NarrowLayout
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnyComposedLayout],
                "layout or composed layout">;
def Fly_LayoutLike
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnyComposedLayout, Fly_AnyCoordTensor,
                 Fly_AnyMemRef],
                "layout, composed layout, coordinate tensor or memref">;
def Fly_IntTupleLike
    : AnyTypeOf<[Fly_AnyIntTuple, Fly_AnyLayout, Fly_AnyComposedLayout,
                 Fly_AnyCoordTensor, Fly_AnyMemRef],
                "int tuple, layout, composed layout, coordinate tensor or "
                "memref">;
def Fly_IntTupleOrNarrowLayout
    : AnyTypeOf<[Fly_AnyIntTuple, Fly_AnyLayout, Fly_AnyComposedLayout],
                "int tuple, layout or composed layout">;
def Fly_IntTupleOrLayout
    : AnyTypeOf<[Fly_AnyIntTuple, Fly_AnyLayout], "int tuple or layout">;
def Fly_LayoutOrMemRef
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnyMemRef], "layout or memref">;
def Fly_LayoutOrTensor
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnyMemRef, Fly_AnyCoordTensor],
                "layout, memref or coordinate tensor">;
def Fly_LayoutOrTile
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnyTile], "layout or tile">;
def Fly_InnerMap
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnySwizzle, Fly_AnyCoordSwizzle,
                 Fly_AnyComposedLayout],
                "layout, swizzle, coordinate swizzle or composed layout">;
def Fly_IndexMap
    : AnyTypeOf<[Fly_AnyLayout, Fly_AnyComposedLayout, Fly_AnySwizzle,
                 Fly_AnyCoordSwizzle],
                "layout, composed layout, swizzle or coordinate swizzle">;
def Fly_LeafScalar : AnyTypeOf<[I32, I64], "i32 or i64">;
def Fly_CopyCallee
    : AnyTypeOf<[Fly_AnyCopyAtom, Fly_AnyTiledCopy],
                "copy atom or tiled copy">;
def Fly_MmaCallee
    : AnyTypeOf<[Fly_AnyMmaAtom, Fly_AnyTiledMma], "mma atom or tiled mma">;

//===----------------------------------------------------------------------===//
// Attribute constraints
//===----------------------------------------------------------------------===//

class Fly_EnumAttrOf<string enumName, string text>
    : Attr<CPred<"::llvm::isa<::fly::" # enumName # "Attr>($_self)">, text> {
  let storageType = "::fly::" # enumName # "Attr";
  let returnType = "::fly::" # enumName;
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall =
      "::fly::" # enumName # "Attr::get($_builder.getContext(), $0)";
}

def Fly_MmaOperandKind : Fly_EnumAttrOf<"MmaOperand", "mma operand a, b, c or d">;
def Fly_TraversalOrder
    : Fly_EnumAttrOf<"GemmTraversalOrder", "gemm traversal order">;

//===----------------------------------------------------------------------===//
// Op base classes
//===----------------------------------------------------------------------===//

class Fly_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fly_Dialect, mnemonic, traits>;

/// `op(operands) attr-dict : functional-type`.
class Fly_PlainOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, traits> {
  let assemblyFormat =
      "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

/// Supplies `inferReturnTypes` by evaluating the op on its operand types.
def Fly_AlgebraInference : NativeOpTrait<"AlgebraInference"> {
  let cppNamespace = "::fly::OpTrait";
}

/// Supplies the folder of an op without effects: the one value of a static
/// result type becomes `fly.static`; of an algebra op, a scalar that is known
/// becomes a constant, and a result that is an operand, or a part from which a
/// constructor made one, becomes that value.
def Fly_Folding : NativeOpTrait<"Folding"> {
  let cppNamespace = "::fly::OpTrait";
}

/// A pure op whose results are a function of attributes and operand values,
/// stated once in `evaluate`: inference reads the result as types, lowering as
/// values.
class Fly_AlgebraOp<string mnemonic, list<Trait> traits = []>
    : Fly_PlainOp<mnemonic, !listconcat(traits, [
        Pure, InferTypeOpInterface, Fly_AlgebraOpInterface,
        Fly_AlgebraInference, Fly_Folding])> {
  let extraClassDeclaration = [{
    /// The op's meaning on values; attributes come from `adaptor`.
    static ::fly::AlgebraResult
    evaluate(Adaptor adaptor, ::llvm::ArrayRef<::fly::AlgebraValue> operands);
  }];
}

/// An op with inference of its own that lowering does not evaluate.
class Fly_InferredOp<string mnemonic, list<Trait> traits = []>
    : Fly_PlainOp<mnemonic, !listconcat(traits, [
        InferTypeOpAdaptor])>;

#endif // FLY_DIALECT_FLY_IR_FLYOPBASE_TD
