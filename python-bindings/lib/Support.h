// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the classes of `_fly` share: errors of the C API as exceptions, Python
// values as attributes.

#ifndef FLY_PYTHON_BINDINGS_LIB_SUPPORT_H
#define FLY_PYTHON_BINDINGS_LIB_SUPPORT_H

#include "Fly-c/Layout.h"
#include "Fly-c/Types.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/Nanobind.h"

#include <string>
#include <utility>

namespace fly::python {

namespace nb = nanobind;
namespace mp = mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;

/// Takes the errors that a context reports while this object lives.
class Diagnostics {
public:
  explicit Diagnostics(MlirContext context);
  ~Diagnostics();
  Diagnostics(const Diagnostics &) = delete;
  Diagnostics &operator=(const Diagnostics &) = delete;

  bool empty() const { return text.empty(); }

  /// Throws a ValueError with the errors so far, each on a line, after
  /// `function`, the Python function that the user called.
  [[noreturn]] void raise(const std::string &function) const;

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self);

  MlirContext context;
  MlirDiagnosticHandlerID id;
  std::string text;
};

/// What `build` makes at an unknown location of `context`; a ValueError with
/// the reasons if that is null. `build` is called with the location.
template <typename FnT>
auto construct(MlirContext context, const char *function, FnT build) {
  Diagnostics diagnostics(context);
  auto result = build(mlirLocationUnknownGet(context));
  if (!result.ptr)
    diagnostics.raise(function);
  return result;
}

/// What `query` answers; a ValueError if it reported an error.
template <typename FnT>
auto ask(MlirContext context, const char *function, FnT query) {
  Diagnostics diagnostics(context);
  auto result = query();
  if (!diagnostics.empty())
    diagnostics.raise(function);
  return result;
}

/// The attribute or type as the Python class that fits best.
nb::object wrap(const mp::PyMlirContextRef &context, MlirAttribute attr);
nb::object wrap(const mp::PyMlirContextRef &context, MlirType type);
/// The same; `None` for null.
template <typename T>
nb::object wrapOptional(const mp::PyMlirContextRef &context, T object) {
  return object.ptr ? wrap(context, object) : nb::none();
}

nb::str toStr(MlirStringRef string);
MlirStringRef toStringRef(const std::string &string);

/// An attribute of `fly` as it stands inside of types.
std::string getBody(MlirAttribute attr);

/// An attribute is itself; a type of the algebra, or a value of such a type,
/// stands for the attribute in it. Null if `object` is nothing of that kind.
MlirAttribute getHeldAttribute(nb::handle object);

/// The type that `object` is or has. Null if it is no type and no value.
MlirType getHeldType(nb::handle object);

/// A Python value as an int tuple: an int, `None` for `*`, a nested tuple or
/// list of them, or what holds an int tuple, an integer leaf or a basis element.
/// TypeError if it is something else.
MlirAttribute toIntTuple(MlirContext context, nb::handle object,
                         const char *function);

/// An integer leaf: an int, `None` for `*`, or what holds a leaf.
MlirAttribute toIntLeaf(MlirContext context, nb::handle object,
                        const char *function);

/// A plain or composed layout: what holds one, or (shape, stride).
MlirAttribute toLayout(MlirContext context, nb::handle object,
                       const char *function);

/// A tile: what holds one, an int, `None`, a layout, or a nested sequence of
/// them.
MlirAttribute toTile(MlirContext context, nb::handle object,
                     const char *function);

/// An integer leaf as a Python int, `None` for `*`, else an IntAttr.
nb::object fromIntLeaf(const mp::PyMlirContextRef &context, MlirAttribute leaf);

/// A TypeError: `function` wants `expected` and got `object`.
[[noreturn]] void raiseType(const char *function, const char *expected,
                            nb::handle object);

/// The parts of the module.
void bindAttributes(nb::module_ &m);
void bindTypes(nb::module_ &m);
void bindAtomTypes(nb::module_ &m);
void bindROCDL(nb::module_ &m);
void bindROCDLCopies(nb::module_ &m);

} // namespace fly::python

/// Begins the class NAME for the types that flyTypeIsA… knows; its method
/// bindDerived is written out after it.
#define FLY_PYTHON_TYPE(CLASS, NAME, ISA, TYPEID)                              \
  struct CLASS : mp::PyConcreteType<CLASS> {                                   \
    static constexpr IsAFunctionTy isaFunction = ISA;                          \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction = TYPEID;           \
    static constexpr const char *pyClassName = NAME;                           \
    using Base::Base;                                                          \
    static void bindDerived(ClassTy &c);                                       \
  };                                                                           \
  void CLASS::bindDerived(ClassTy &c)

/// The same for attributes.
#define FLY_PYTHON_ATTRIBUTE(CLASS, NAME, ISA, TYPEID)                         \
  struct CLASS : mp::PyConcreteAttribute<CLASS> {                              \
    static constexpr IsAFunctionTy isaFunction = ISA;                          \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction = TYPEID;           \
    static constexpr const char *pyClassName = NAME;                           \
    using Base::Base;                                                          \
    static void bindDerived(ClassTy &c);                                       \
  };                                                                           \
  void CLASS::bindDerived(ClassTy &c)

#endif // FLY_PYTHON_BINDINGS_LIB_SUPPORT_H
