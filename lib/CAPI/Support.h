// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the C API on errors, once: unwrapping of the arguments of
// queries and of constructors. Nothing here asserts on what a caller passes.

#ifndef FLY_LIB_CAPI_SUPPORT_H
#define FLY_LIB_CAPI_SUPPORT_H

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallVector.h"

#include <type_traits>

namespace fly::capi {

/// Emits an error of the query `function` in the context of `context`.
inline mlir::InFlightDiagnostic emitQueryError(mlir::MLIRContext *context,
                                               const char *function) {
  return mlir::emitError(mlir::UnknownLoc::get(context)) << function << ": ";
}

//===----------------------------------------------------------------------===//
// Arguments of queries
//===----------------------------------------------------------------------===//

/// The argument of the query `function` as a T (an attribute or a type class);
/// null, with an error, if it is something else, and without one if it is null.
template <typename T, typename WrappedT>
T getArgument(WrappedT wrapped, const char *function) {
  auto argument = unwrap(wrapped);
  if (auto result = llvm::dyn_cast_or_null<T>(argument))
    return result;
  if (argument)
    emitQueryError(argument.getContext(), function)
        << "expected " << T::name << ", got " << argument;
  return {};
}

/// What C is given for a property of a class: its handle, or the number itself.
template <typename T>
auto toC(T property) {
  if constexpr (std::is_arithmetic_v<T>)
    return property;
  else
    return wrap(property);
}

/// What `query` answers of the argument as a T; null, 0 or false if it is none.
template <typename T, typename WrappedT, typename FnT>
auto read(WrappedT wrapped, const char *function, FnT query)
    -> decltype(query(std::declval<T>())) {
  if (auto argument = getArgument<T>(wrapped, function))
    return query(argument);
  return {};
}

/// Element `pos` of the list that `query` finds in the argument; 0, with an
/// error, if it is out of range.
template <typename T, typename FnT>
int32_t readElement(MlirAttribute wrapped, intptr_t pos, const char *function,
                    FnT query) {
  auto argument = getArgument<T>(wrapped, function);
  if (!argument)
    return 0;
  llvm::ArrayRef<int32_t> list = query(argument);
  if (pos >= 0 && static_cast<size_t>(pos) < list.size())
    return list[pos];
  emitQueryError(argument.getContext(), function)
      << "index " << pos << " is not in [0, " << list.size() << ")";
  return 0;
}

//===----------------------------------------------------------------------===//
// Arguments of constructors
//===----------------------------------------------------------------------===//

/// The call of a constructor: unwraps its arguments one by one and makes the
/// result if all were right. The first wrong one is an error at the location.
class Construction {
public:
  Construction(MlirLocation location, const char *function)
      : location(location), function(function),
        failed(mlirLocationIsNull(location)) {}

  bool hasFailed() const { return failed; }
  mlir::Location getLocation() const { return unwrap(location); }
  mlir::MLIRContext *getContext() const { return getLocation().getContext(); }

  /// An error at the location; the construction has failed.
  mlir::InFlightDiagnostic error() {
    failed = true;
    return mlir::emitError(getLocation()) << function << ": ";
  }

  /// The argument `name` as a T, which must not be null.
  template <typename T = mlir::Attribute>
  T get(MlirAttribute wrapped, const char *name) {
    return check<T>(unwrap(wrapped), name);
  }
  template <typename T = mlir::Type>
  T get(MlirType wrapped, const char *name) {
    return check<T>(unwrap(wrapped), name);
  }
  /// The same; null stays null.
  template <typename T, typename WrappedT>
  T getOptional(WrappedT wrapped, const char *name) {
    return wrapped.ptr ? get<T>(wrapped, name) : T();
  }

  /// The case of an enumeration by its number.
  template <typename EnumT>
  EnumT getEnum(std::optional<EnumT> symbol, unsigned value, const char *name) {
    if (symbol)
      return *symbol;
    if (!failed)
      error() << name << " has no case " << value;
    return {};
  }

  /// The list of `count` elements.
  template <typename T>
  llvm::ArrayRef<T> getList(intptr_t count, const T *elements,
                            const char *name) {
    if (count >= 0 && (elements || count == 0))
      return llvm::ArrayRef<T>(elements, count);
    if (!failed)
      error() << name << " must be a list, got " << count
              << (elements ? "" : " null") << " elements";
    return {};
  }

  llvm::StringRef getString(MlirStringRef string, const char *name) {
    if (string.data || string.length == 0)
      return unwrap(string);
    if (!failed)
      error() << name << " must be a string, got null";
    return {};
  }

  /// T::getChecked of the context and these parameters, wrapped.
  template <typename T, typename... Args>
  auto make(Args &&...args) {
    return makeWith<T>([&](auto emitError) {
      return T::getChecked(emitError, getContext(),
                           std::forward<Args>(args)...);
    });
  }

  /// The same for builders that take the context from their first parameter.
  template <typename T, typename... Args>
  auto makeInferred(Args &&...args) {
    return makeWith<T>([&](auto emitError) {
      return T::getChecked(emitError, std::forward<Args>(args)...);
    });
  }

  /// The T that `build` makes of the context, wrapped.
  template <typename T, typename FnT>
  auto makeFrom(FnT build) {
    return makeWith<T>([&](auto) { return build(getContext()); });
  }

  /// T::get of the context and these parameters, for classes that verify
  /// nothing, wrapped.
  template <typename T, typename... Args>
  auto makeUnverified(Args &&...args) {
    return makeWith<T>([&](auto) {
      return T::get(getContext(), std::forward<Args>(args)...);
    });
  }

private:
  template <typename T, typename ArgumentT>
  T check(ArgumentT argument, const char *name) {
    if (failed)
      return {};
    if (!argument) {
      error() << name << " must not be null";
      return {};
    }
    if (argument.getContext() != getContext()) {
      error() << name << " belongs to another context";
      return {};
    }
    if (auto result = llvm::dyn_cast<T>(argument))
      return result;
    if constexpr (!std::is_same_v<T, ArgumentT>)
      error() << name << " must be " << T::name << ", got " << argument;
    return {};
  }

  template <typename T, typename FnT>
  auto makeWith(FnT build) -> decltype(wrap(std::declval<T>())) {
    if (!failed && !getContext()->getLoadedDialect(T::dialectName))
      error() << "the dialect '" << T::dialectName << "' is not loaded";
    if (failed)
      return {};
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError;
    auto emit = [&] { return mlir::emitError(getLocation()); };
    emitError = emit;
    return wrap(build(emitError));
  }

  MlirLocation location;
  const char *function;
  bool failed;
};

} // namespace fly::capi

/// Defines what all attribute classes have: FLY_CAPI_ATTRIBUTE(fly, Int,
/// IntAttr) is flyAttributeIsAInt and flyIntAttrGetTypeID.
#define FLY_CAPI_ATTRIBUTE(PREFIX, NAME, CLASS)                                \
  bool PREFIX##AttributeIsA##NAME(MlirAttribute attr) {                        \
    return llvm::isa_and_nonnull<CLASS>(unwrap(attr));                         \
  }                                                                            \
  MlirTypeID PREFIX##NAME##AttrGetTypeID() { return wrap(CLASS::getTypeID()); }

/// The same for type classes.
#define FLY_CAPI_TYPE(PREFIX, NAME, CLASS)                                     \
  bool PREFIX##TypeIsA##NAME(MlirType type) {                                  \
    return llvm::isa_and_nonnull<CLASS>(unwrap(type));                         \
  }                                                                            \
  MlirTypeID PREFIX##NAME##TypeGetTypeID() { return wrap(CLASS::getTypeID()); }

/// Defines the query of a property of an attribute class:
/// FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, Int, Width) is flyIntAttrGetWidth,
/// which answers IntAttr::getWidth().
#define FLY_CAPI_ATTRIBUTE_GET(RESULT, PREFIX, NAME, PROPERTY)                 \
  RESULT PREFIX##NAME##AttrGet##PROPERTY(MlirAttribute attr) {                 \
    return fly::capi::read<NAME##Attr>(attr, __func__, [](NAME##Attr held) {   \
      return fly::capi::toC(held.get##PROPERTY());                             \
    });                                                                        \
  }

/// The same for type classes.
#define FLY_CAPI_TYPE_GET(RESULT, PREFIX, NAME, PROPERTY)                      \
  RESULT PREFIX##NAME##TypeGet##PROPERTY(MlirType type) {                      \
    return fly::capi::read<NAME##Type>(type, __func__, [](NAME##Type held) {   \
      return fly::capi::toC(held.get##PROPERTY());                             \
    });                                                                        \
  }

#endif // FLY_LIB_CAPI_SUPPORT_H
