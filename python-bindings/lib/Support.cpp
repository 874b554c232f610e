// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors and conversions of `_fly`.

#include "Support.h"

#include "mlir-c/BuiltinAttributes.h"

#include <vector>

using namespace fly::python;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void append(MlirStringRef part, void *text) {
  static_cast<std::string *>(text)->append(part.data, part.length);
}

Diagnostics::Diagnostics(MlirContext context)
    : context(context),
      id(mlirContextAttachDiagnosticHandler(context, handle, this, nullptr)) {}

Diagnostics::~Diagnostics() { mlirContextDetachDiagnosticHandler(context, id); }

MlirLogicalResult Diagnostics::handle(MlirDiagnostic diagnostic, void *self) {
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  std::string &text = static_cast<Diagnostics *>(self)->text;
  if (!text.empty())
    text += '\n';
  std::string message;
  mlirDiagnosticPrint(diagnostic, append, &message);
  // The name of the C function says nothing to a user of Python.
  size_t colon = message.find(": ");
  if (message.rfind("fly", 0) == 0 && colon != std::string::npos &&
      message.find_first_of(" .", 0) > colon)
    message.erase(0, colon + 2);
  text += message;
  for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i < e; ++i) {
    text += "\nnote: ";
    mlirDiagnosticPrint(mlirDiagnosticGetNote(diagnostic, i), append, &text);
  }
  return mlirLogicalResultSuccess();
}

void Diagnostics::raise(const std::string &function) const {
  std::string prefix = function + ": ";
  // Some functions of the C API name themselves, for callers in C.
  std::string message = empty()                      ? prefix + "failed"
                        : text.rfind(prefix, 0) == 0 ? text
                                                     : prefix + text;
  throw nb::value_error(message.c_str());
}

void fly::python::raiseType(const char *function, const char *expected,
                            nb::handle object) {
  std::string message = std::string(function) + ": expected " + expected +
                        ", got " + nb::cast<std::string>(nb::repr(object)) +
                        " of type " +
                        nb::cast<std::string>(object.type().attr("__name__"));
  throw nb::type_error(message.c_str());
}

//===----------------------------------------------------------------------===//
// From C to Python
//===----------------------------------------------------------------------===//

nb::object fly::python::wrap(const mp::PyMlirContextRef &context,
                             MlirAttribute attr) {
  return mp::PyAttribute(context, attr).maybeDownCast();
}

nb::object fly::python::wrap(const mp::PyMlirContextRef &context,
                             MlirType type) {
  return mp::PyType(context, type).maybeDownCast();
}

nb::str fly::python::toStr(MlirStringRef string) {
  return nb::str(string.data, string.length);
}

MlirStringRef fly::python::toStringRef(const std::string &string) {
  return mlirStringRefCreate(string.data(), string.size());
}

std::string fly::python::getBody(MlirAttribute attr) {
  std::string text;
  flyAttributePrintBody(attr, append, &text);
  return text;
}

nb::object fly::python::fromIntLeaf(const mp::PyMlirContextRef &context,
                                    MlirAttribute leaf) {
  if (flyAttributeIsAInt(leaf)) {
    if (flyIntAttrIsNone(leaf))
      return nb::none();
    if (flyIntAttrIsStatic(leaf))
      return nb::int_(flyIntAttrGetValue(leaf));
  }
  return wrap(context, leaf);
}

//===----------------------------------------------------------------------===//
// From Python to C
//===----------------------------------------------------------------------===//

MlirType fly::python::getHeldType(nb::handle object) {
  mp::PyType *type;
  if (nb::try_cast(object, type, /*convert=*/false))
    return *type;
  mp::PyValue *value;
  if (nb::try_cast(object, value, /*convert=*/false))
    return mlirValueGetType(value->get());
  return {nullptr};
}

MlirAttribute fly::python::getHeldAttribute(nb::handle object) {
  mp::PyAttribute *attr;
  if (nb::try_cast(object, attr, /*convert=*/false))
    return *attr;
  MlirType type = getHeldType(object);
  if (!type.ptr)
    return {nullptr};
  if (flyTypeIsABasis(type))
    return flyBasisTypeGetAttr(type);
  if (flyTypeIsAIntTuple(type))
    return flyIntTupleTypeGetAttr(type);
  if (flyTypeIsALayout(type))
    return flyLayoutTypeGetAttr(type);
  if (flyTypeIsASwizzle(type))
    return flySwizzleTypeGetAttr(type);
  if (flyTypeIsACoordSwizzle(type))
    return flyCoordSwizzleTypeGetAttr(type);
  if (flyTypeIsAComposedLayout(type))
    return flyComposedLayoutTypeGetAttr(type);
  if (flyTypeIsATile(type))
    return flyTileTypeGetAttr(type);
  return {nullptr};
}

/// A Python int, which `True` is not.
static bool isInt(nb::handle object) {
  return nb::isinstance<nb::int_>(object) && !PyBool_Check(object.ptr());
}

static bool isSequence(nb::handle object) {
  return nb::isinstance<nb::tuple>(object) || nb::isinstance<nb::list>(object);
}

static int64_t toInt64(nb::handle object, const char *function) {
  int64_t value;
  if (nb::try_cast(object, value))
    return value;
  std::string message = std::string(function) + ": " +
                        nb::cast<std::string>(nb::repr(object)) +
                        " does not fit into 64 bits";
  throw nb::value_error(message.c_str());
}

/// Deeper input would end our recursion; the C API refuses it a little earlier.
static void checkDepth(int depth, const char *function) {
  if (depth <= 512)
    return;
  std::string message =
      std::string(function) + ": nested deeper than 256 levels";
  throw nb::value_error(message.c_str());
}

MlirAttribute fly::python::toIntLeaf(MlirContext context, nb::handle object,
                                     const char *function) {
  if (object.is_none())
    return construct(context, function, flyIntAttrGetNone);
  if (isInt(object)) {
    int64_t value = toInt64(object, function);
    return construct(context, function, [&](MlirLocation location) {
      return flyIntAttrGetStatic(location, value);
    });
  }
  MlirAttribute held = getHeldAttribute(object);
  if (held.ptr && flyAttributeIsAIntTuple(held))
    held = flyIntTupleAttrGetValue(held);
  if (held.ptr && flyAttributeIsAInt(held))
    return held;
  raiseType(function, "an int, None or an integer leaf", object);
}

static MlirAttribute toIntTupleAt(MlirContext context, nb::handle object,
                                  const char *function, int depth) {
  checkDepth(depth, function);
  if (isSequence(object)) {
    std::vector<MlirAttribute> modes;
    for (nb::handle mode : object)
      modes.push_back(toIntTupleAt(context, mode, function, depth + 1));
    return construct(context, function, [&](MlirLocation location) {
      return flyIntTupleAttrGetFromModes(location, modes.size(), modes.data());
    });
  }
  MlirAttribute held;
  if (isInt(object) || object.is_none()) {
    held = toIntLeaf(context, object, function);
  } else {
    held = getHeldAttribute(object);
    if (held.ptr && flyAttributeIsAIntTuple(held))
      return held;
    if (!held.ptr || (!flyAttributeIsAInt(held) && !flyAttributeIsABasis(held)))
      raiseType(function,
                "an int, None, a basis element or a nested tuple of them",
                object);
  }
  return construct(context, function, [&](MlirLocation location) {
    return flyIntTupleAttrGet(location, held);
  });
}

MlirAttribute fly::python::toIntTuple(MlirContext context, nb::handle object,
                                      const char *function) {
  return toIntTupleAt(context, object, function, 0);
}

MlirAttribute fly::python::toLayout(MlirContext context, nb::handle object,
                                    const char *function) {
  if (isSequence(object) && nb::len(object) == 2) {
    MlirAttribute shape = toIntTuple(context, object[0], function);
    MlirAttribute stride = toIntTuple(context, object[1], function);
    return construct(context, function, [&](MlirLocation location) {
      return flyLayoutAttrGet(location, shape, stride);
    });
  }
  MlirAttribute held = getHeldAttribute(object);
  if (held.ptr &&
      (flyAttributeIsALayout(held) || flyAttributeIsAComposedLayout(held)))
    return held;
  raiseType(function, "a layout or (shape, stride)", object);
}

/// A part of a tile: an integer leaf, a layout or a tile.
static MlirAttribute toTilePart(MlirContext context, nb::handle object,
                                const char *function, int depth) {
  checkDepth(depth, function);
  if (isSequence(object)) {
    std::vector<MlirAttribute> elements;
    for (nb::handle element : object)
      elements.push_back(toTilePart(context, element, function, depth + 1));
    return construct(context, function, [&](MlirLocation location) {
      return flyTileAttrGetFromElements(location, elements.size(),
                                        elements.data());
    });
  }
  if (!isInt(object) && !object.is_none()) {
    MlirAttribute held = getHeldAttribute(object);
    if (held.ptr && (flyAttributeIsALayout(held) || flyAttributeIsATile(held)))
      return held;
    // A tuple of integers is a list of tile sizes.
    if (held.ptr && flyAttributeIsAIntTuple(held) &&
        !flyAttributeIsLeaf(held)) {
      std::vector<MlirAttribute> elements;
      mp::PyMlirContextRef ref = mp::PyMlirContext::forContext(context);
      for (int32_t i = 0, e = flyAttributeGetRank(held); i < e; ++i)
        elements.push_back(toTilePart(context,
                                      wrap(ref, flyAttributeGetMode(held, i)),
                                      function, depth + 1));
      return construct(context, function, [&](MlirLocation location) {
        return flyTileAttrGetFromElements(location, elements.size(),
                                          elements.data());
      });
    }
    if (!held.ptr ||
        (!flyAttributeIsAInt(held) && !flyAttributeIsAIntTuple(held)))
      raiseType(function, "an int, None, a layout, a tile or a tuple of them",
                object);
  }
  return toIntLeaf(context, object, function);
}

MlirAttribute fly::python::toTile(MlirContext context, nb::handle object,
                                  const char *function) {
  MlirAttribute part = toTilePart(context, object, function, 0);
  if (flyAttributeIsATile(part))
    return part;
  return construct(context, function, [&](MlirLocation location) {
    return flyTileAttrGet(location, part);
  });
}
