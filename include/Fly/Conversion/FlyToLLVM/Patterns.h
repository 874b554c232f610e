// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion patterns from `fly` to the LLVM dialect, one populate function per
// family, for passes that add those of a target.

#ifndef FLY_CONVERSION_FLYTOLLVM_PATTERNS_H
#define FLY_CONVERSION_FLYTOLLVM_PATTERNS_H

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/Transforms/DialectConversion.h"

namespace fly {

/// The SSA value of the integer leaf `leaf` of the int tuple `tuple`: a
/// constant (i32, or i64 if it does not fit) or the operand of the defining
/// `make_int_tuple`; null if the leaf's value cannot be seen.
mlir::Value getLeafValue(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tuple, IntAttr leaf);

/// Patterns are not retried and say themselves why they fail. A pattern that
/// does so sets this flag, so that the pass does not complain a second time
/// about what is left.
struct ConversionErrors {
  bool reported = false;
};

/// A conversion pattern that may report an error at the op.
template <typename OpT>
struct ReportingPattern : mlir::OpConversionPattern<OpT> {
  ReportingPattern(const mlir::TypeConverter &converter,
                   mlir::MLIRContext *context, ConversionErrors &errors)
      : mlir::OpConversionPattern<OpT>(converter, context), errors(errors) {}

protected:
  mlir::InFlightDiagnostic error(OpT op) const {
    errors.reported = true;
    return op->emitOpError();
  }

private:
  ConversionErrors &errors;
};

/// Pointers and views: register `make_ptr`, `add_offset`, `make_view`,
/// `get_iter`, `inttoptr`, `ptrtoint`, `to_llvm_ptr`, `apply_swizzle`,
/// `recast_iter`, `ptr.load` and `ptr.store`, all but those on pointers that
/// are no LLVM pointers after conversion.
void populateFlyPointerToLLVMPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns,
                                      ConversionErrors &errors);

/// Atoms: constructors, state and calls, through the emission interfaces.
void populateFlyAtomToLLVMPatterns(const mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns,
                                   ConversionErrors &errors);

/// True for the dialects whose operations a conversion removes.
using IsOursFn = bool (*)(mlir::Dialect *);

/// Functions, calls, branches, launches, structured control flow and selects
/// that carry pointers, memrefs or atoms; in `target` they become legal when
/// they do no more, and operations of `isOurs` dialects stay of unknown
/// legality.
void populateBoundaryConversionPatterns(const mlir::TypeConverter &converter,
                                        mlir::RewritePatternSet &patterns,
                                        mlir::ConversionTarget &target,
                                        IsOursFn isOurs);

} // namespace fly

#endif // FLY_CONVERSION_FLYTOLLVM_PATTERNS_H
