// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading arrays. NumPy's are read from the array object itself, whose layout
// is part of NumPy's binary interface; that is what makes a launch cheap.
// Neither NumPy nor torch is imported: an object of theirs proves that they are
// there.

#include "Arrays.h"

#include "fly_runtime.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>

using namespace fly::python;

namespace {
struct KnownKind {
  const char *name;
  ElementKind kind;
};
constexpr int kMaxRank = 64;
} // namespace

static const KnownKind kKinds[] = {{"bool", {6, 8}},
                                   {"int8", {0, 8}},
                                   {"uint8", {1, 8}},
                                   {"int16", {0, 16}},
                                   {"uint16", {1, 16}},
                                   {"int32", {0, 32}},
                                   {"uint32", {1, 32}},
                                   {"int64", {0, 64}},
                                   {"uint64", {1, 64}},
                                   {"float16", {2, 16}},
                                   {"bfloat16", {4, 16}},
                                   {"float32", {2, 32}},
                                   {"float64", {2, 64}},
                                   {"float8_e4m3", {8, 8}},
                                   {"float8_e4m3b11fnuz", {9, 8}},
                                   {"float8_e4m3fn", {10, 8}},
                                   {"float8_e4m3fnuz", {11, 8}},
                                   {"float8_e5m2", {12, 8}},
                                   {"float8_e5m2fnuz", {13, 8}},
                                   {"float8_e8m0fnu", {14, 8}}};

std::string fly::python::getKindName(ElementKind kind) {
  for (const KnownKind &known : kKinds)
    if (known.kind == kind)
      return known.name;
  return "code " + std::to_string(kind.code) + " bits " +
         std::to_string(kind.bits);
}

[[noreturn]] static void raiseTypeError(const ArraySpec &spec,
                                        const std::string &text) {
  throw nb::type_error(("argument '" + spec.name + "': " + text).c_str());
}

[[noreturn]] static void raiseValueError(const ArraySpec &spec,
                                         const std::string &text) {
  throw nb::value_error(("argument '" + spec.name + "': " + text).c_str());
}

static std::string printShape(const int64_t *shape, int rank) {
  std::string text = "(";
  for (int i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (rank == 1 ? ",)" : ")");
}

static std::string printAddress(const void *address) {
  char text[32];
  snprintf(
      text, sizeof(text), "%#llx",
      static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return text;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// An array as it was found. Strides are in units of `strideUnit` bytes.
struct View {
  char *data;
  int rank;
  const int64_t *shape;
  const int64_t *strides;
  int64_t strideUnit;
};
} // namespace

/// Refuses an array with elements that offsets of 32 bits cannot reach.
static void checkReach(const ArraySpec &spec, const View &view) {
  __int128 reach = 0;
  std::string strides;
  for (int axis = 0; axis < view.rank; ++axis) {
    int64_t stride = view.strides[axis] * view.strideUnit / spec.itemBytes;
    reach += static_cast<__int128>(view.shape[axis] - 1) *
             (stride < 0 ? -static_cast<__int128>(stride) : stride);
    strides += (axis ? ", " : "") + std::to_string(stride);
  }
  if (reach <= INT32_MAX)
    return;
  auto shown = static_cast<int64_t>(std::min<__int128>(reach, INT64_MAX));
  raiseValueError(spec, "use_32bit_stride: the last element is " +
                            std::to_string(shown) +
                            " elements away from the first (shape " +
                            printShape(view.shape, view.rank) + ", strides (" +
                            strides + (view.rank == 1 ? ",)" : ")") +
                            "), which 32 bits do not hold");
}

/// Compares `view`, whose elements fit, with `spec` and writes the cells.
static void store(const ArraySpec &spec, const View &view, void **pointer,
                  char *dynamic) {
  if (view.rank != spec.rank)
    raiseTypeError(spec, "expected " + std::to_string(spec.rank) +
                             " axes, got " + std::to_string(view.rank) +
                             " (shape " + printShape(view.shape, view.rank) +
                             ")");
  bool empty = false, narrow = false;
  for (int axis = 0; axis < spec.rank; ++axis) {
    int64_t got = view.shape[axis], want = spec.shape[axis];
    empty |= got == 0;
    if (want == kDynamic) {
      if (got > INT32_MAX)
        raiseValueError(spec, "size " + std::to_string(got) + " of axis " +
                                  std::to_string(axis) +
                                  " does not fit the 32 bits of a run-time "
                                  "size");
      int32_t size = static_cast<int32_t>(got);
      std::memcpy(dynamic, &size, sizeof(size));
      dynamic += sizeof(size);
    } else if (want != got) {
      raiseValueError(spec, "expected size " + std::to_string(want) +
                                " on axis " + std::to_string(axis) +
                                ", which the code was compiled for, got " +
                                std::to_string(got));
    }
  }
  for (int axis = 0; axis < spec.rank; ++axis) {
    int64_t want = spec.strides[axis], got = view.strides[axis];
    if (view.strideUnit != spec.itemBytes) {
      int64_t bytes = got * view.strideUnit;
      got = bytes / spec.itemBytes;
      if (got * spec.itemBytes != bytes && !empty)
        raiseTypeError(spec, "stride " + std::to_string(bytes) +
                                 " (bytes) of axis " + std::to_string(axis) +
                                 " is no multiple of the element's " +
                                 std::to_string(spec.itemBytes) + " bytes");
    }
    if (want != kDynamic) {
      if (want != got)
        raiseValueError(spec, "expected stride " + std::to_string(want) +
                                  " on axis " + std::to_string(axis) +
                                  ", which the code was compiled for, got " +
                                  std::to_string(got));
      continue;
    }
    if (spec.strideBits == 64) {
      std::memcpy(dynamic, &got, sizeof(got));
      dynamic += sizeof(got);
      continue;
    }
    narrow = true;
    int32_t stride = static_cast<int32_t>(got);
    if (stride != got)
      raiseValueError(spec, "stride " + std::to_string(got) + " of axis " +
                                std::to_string(axis) +
                                " does not fit 32 bits (use_32bit_stride)");
    std::memcpy(dynamic, &stride, sizeof(stride));
    dynamic += sizeof(stride);
  }
  if (narrow && !empty)
    checkReach(spec, view);
  if (reinterpret_cast<uintptr_t>(view.data) % spec.alignment)
    raiseValueError(spec, "expected an address aligned to " +
                              std::to_string(spec.alignment) + " bytes, got " +
                              printAddress(view.data));
  *pointer = view.data;
}

/// Refuses elements of the kind `name` with `bytes` bytes unless they fit.
static void checkKind(const ArraySpec &spec, const std::string &name,
                      int64_t bytes) {
  if (spec.kind.code < 0) {
    if (bytes != spec.itemBytes)
      raiseTypeError(spec, "expected elements of " +
                               std::to_string(spec.itemBytes) + " bytes, got " +
                               name);
    return;
  }
  std::string want = getKindName(spec.kind);
  if (name != want)
    raiseTypeError(spec, "expected dtype " + want + ", got " + name);
}

[[noreturn]] static void raiseReadOnly(const ArraySpec &spec) {
  raiseValueError(spec, "the array is read-only, but a kernel may write to "
                        "each argument; pass a copy");
}

//===----------------------------------------------------------------------===//
// NumPy
//===----------------------------------------------------------------------===//

namespace {
/// The head of a numpy.ndarray. It has been the same since NumPy 1.0; compiled
/// modules read it through macros.
struct NumpyArray {
  PyObject_HEAD char *data;
  int rank;
  intptr_t *shape;
  intptr_t *strides;
  PyObject *base;
  PyObject *type;
  int flags;
};
constexpr int kNumpyWritable = 0x0400;
static_assert(sizeof(intptr_t) == sizeof(int64_t), "a 64-bit host");
} // namespace

/// True if the array type reads as NumpyArray says.
static bool verifyNumpy(nb::handle type, nb::handle object) {
  nb::object array = nb::module_::import_("numpy").attr("zeros")(
      nb::make_tuple(2, 3), "int16");
  if (!array.type().is(type))
    return false;
  auto *raw = reinterpret_cast<NumpyArray *>(array.ptr());
  auto address =
      nb::cast<uintptr_t>(array.attr("__array_interface__")["data"][0]);
  (void)object;
  return raw->rank == 2 && raw->shape[0] == 2 && raw->shape[1] == 3 &&
         raw->strides[0] == 6 && raw->strides[1] == 2 &&
         reinterpret_cast<uintptr_t>(raw->data) == address &&
         raw->type == array.attr("dtype").ptr() &&
         (raw->flags & kNumpyWritable);
}

/// Refuses an array of a subclass whose memory does not say what it holds.
static void checkMask(const ArraySpec &spec, nb::handle object) {
  PyObject *module =
      PyDict_GetItemString(PyImport_GetModuleDict(), "numpy.ma");
  if (!module)
    return;
  nb::object masked = nb::getattr(nb::borrow(module), "MaskedArray", nb::none());
  if (PyType_Check(masked.ptr()) && nb::isinstance(object, masked))
    raiseTypeError(spec, "a masked array holds elements that do not count, and "
                         "a kernel sees no mask; pass its .data, or what "
                         ".filled(value) gives");
}

/// numpy.ndarray once an array has been seen, else null. Never released: it
/// lives as long as the interpreter.
static PyObject *numpyArrayType = nullptr;

static bool isNumpy(nb::handle object) {
  PyTypeObject *type = Py_TYPE(object.ptr());
  if (numpyArrayType)
    return type == reinterpret_cast<PyTypeObject *>(numpyArrayType) ||
           PyType_IsSubtype(type,
                            reinterpret_cast<PyTypeObject *>(numpyArrayType));
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *numpy = PyDict_GetItemString(modules, "numpy");
  if (!numpy || !PyObject_HasAttrString(numpy, "ndarray"))
    return false;
  nb::object arrayType = nb::borrow(numpy).attr("ndarray");
  if (!PyObject_IsInstance(object.ptr(), arrayType.ptr()) ||
      !verifyNumpy(arrayType, object))
    return false;
  numpyArrayType = arrayType.release().ptr();
  return true;
}

static void readNumpy(ArraySpec &spec, nb::handle object, void **pointer,
                      char *dynamic) {
  auto *array = reinterpret_cast<NumpyArray *>(object.ptr());
  if (object.type().ptr() != numpyArrayType)
    checkMask(spec, object);
  if (array->type != spec.fittingType.ptr()) {
    nb::object type = nb::borrow(array->type);
    auto name = nb::cast<std::string>(type.attr("name"));
    if (!nb::cast<bool>(type.attr("isnative")))
      name += " with foreign byte order";
    checkKind(spec, name, nb::cast<int64_t>(type.attr("itemsize")));
    spec.fittingType = std::move(type);
  }
  store(spec,
        {array->data, array->rank, reinterpret_cast<int64_t *>(array->shape),
         reinterpret_cast<int64_t *>(array->strides), 1},
        pointer, dynamic);
  if (!(array->flags & kNumpyWritable))
    raiseReadOnly(spec);
}

//===----------------------------------------------------------------------===//
// torch and DLPack
//===----------------------------------------------------------------------===//

static int64_t toInt(const ArraySpec &spec, nb::handle object) {
  int64_t value;
  if (!nb::try_cast(object, value))
    raiseTypeError(spec, "the array's size or stride " +
                             nb::cast<std::string>(nb::repr(object)) +
                             " is no int");
  return value;
}

/// Refuses an array in GPU memory while the CPU device is in use.
static void checkOnHost(const ArraySpec &spec, bool onHost) {
  const char *kind = onHost ? nullptr : flyRuntimeDeviceKind();
  if (kind && std::strcmp(kind, "cpu") == 0)
    raiseValueError(spec, "the array is in GPU memory, but the CPU device is "
                          "in use (FLYDSL_DEVICE); copy it to the host");
}

static bool isTorch(nb::handle object) {
  PyObject *torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
  if (!torch)
    return false;
  nb::object tensor = nb::getattr(nb::borrow(torch), "Tensor", nb::none());
  return PyType_Check(tensor.ptr()) && nb::isinstance(object, tensor);
}

static void readTorch(ArraySpec &spec, nb::handle object, void **pointer,
                      char *dynamic) {
  nb::object type = object.attr("dtype");
  if (!type.is(spec.fittingType)) {
    auto name = nb::cast<std::string>(nb::str(type));
    name = name.substr(name.rfind('.') + 1);
    checkKind(spec, name, nb::cast<int64_t>(object.attr("element_size")()));
    spec.fittingType = type;
  }
  nb::object device = nb::getattr(object, "device", nb::none());
  if (!device.is_none()) {
    nb::object kind = nb::getattr(device, "type", device);
    checkOnHost(spec, nb::cast<std::string>(nb::str(kind)) == "cpu");
  }
  int64_t shape[kMaxRank], strides[kMaxRank];
  nb::object sizes = object.attr("shape"), steps = object.attr("stride")();
  size_t rank = nb::len(sizes);
  if (rank > kMaxRank)
    raiseTypeError(spec, "the array has more than 64 axes");
  for (size_t i = 0; i < rank; ++i) {
    shape[i] = toInt(spec, sizes[i]);
    strides[i] = toInt(spec, steps[i]);
  }
  auto address = nb::cast<uintptr_t>(object.attr("data_ptr")());
  store(spec,
        {reinterpret_cast<char *>(address), static_cast<int>(rank), shape,
         strides, spec.itemBytes},
        pointer, dynamic);
}

namespace {
/// DLPack's description of an array, of both ABI generations.
struct DLTensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byteOffset;
};
} // namespace

/// Raises what an exporter raised, with the name of the argument if it is an
/// error that says no more than its text.
[[noreturn]] static void raiseNamed(const ArraySpec &spec,
                                    nb::python_error &error) {
  for (PyObject *type : {PyExc_TypeError, PyExc_ValueError, PyExc_RuntimeError,
                         PyExc_BufferError})
    if (error.type().is(type)) {
      std::string text = "argument '" + spec.name + "': " +
                         nb::cast<std::string>(nb::str(error.value()));
      PyErr_SetString(type, text.c_str());
      throw nb::python_error();
    }
  throw error;
}

/// The capsule of an object with `__dlpack__`.
static nb::object exportTensor(const ArraySpec &spec, nb::handle object) {
  try {
    nb::object method = object.attr("__dlpack__");
    try {
      // The launch is ordered by the stream that the caller passes.
      return method(nb::arg("stream") = -1);
    } catch (nb::python_error &) {
      // Libraries without streams refuse the argument.
      return method();
    }
  } catch (nb::python_error &error) {
    raiseNamed(spec, error);
  }
}

/// The tensor in a capsule, which lives as long as the capsule.
static DLTensor *getTensor(const ArraySpec &spec, nb::handle capsule) {
  if (!PyCapsule_IsValid(capsule.ptr(), "dltensor"))
    raiseTypeError(spec, "__dlpack__: expected a capsule named 'dltensor', "
                         "got " +
                             nb::cast<std::string>(nb::repr(capsule)));
  return static_cast<DLTensor *>(
      PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
}

static char *getAddress(const DLTensor &tensor) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(tensor.data) +
                                  tensor.byteOffset);
}

static void readDLPack(ArraySpec &spec, nb::handle object, void **pointer,
                       char *dynamic) {
  nb::object capsule = exportTensor(spec, object);
  DLTensor *tensor = getTensor(spec, capsule);
  if (tensor->lanes != 1)
    raiseTypeError(spec, "elements of " + std::to_string(tensor->lanes) +
                             " lanes are not supported");
  ElementKind kind{tensor->code, tensor->bits};
  checkKind(spec, getKindName(kind), (kind.bits + 7) / 8);
  int64_t strides[kMaxRank];
  if (tensor->rank < 0 || tensor->rank > kMaxRank)
    raiseValueError(spec, "__dlpack__: expected 0 to 64 axes, got " +
                              std::to_string(tensor->rank));
  for (int axis = 0; axis < tensor->rank; ++axis)
    if (tensor->shape[axis] < 0)
      raiseValueError(spec, "__dlpack__: expected sizes of 0 or more, got " +
                                printShape(tensor->shape, tensor->rank));
  // An axis without items counts as one of one item; wraps around for sizes
  // that no memory has.
  uint64_t run = 1;
  for (int axis = tensor->rank - 1; axis >= 0; --axis) {
    strides[axis] =
        tensor->strides ? tensor->strides[axis] : static_cast<int64_t>(run);
    run *= std::max<int64_t>(tensor->shape[axis], 1);
  }
  // kDLCPU, kDLCUDAHost, kDLROCMHost; kDLCUDA, kDLROCM, kDLCUDAManaged.
  int device = tensor->deviceType;
  bool onHost = device == 1 || device == 3 || device == 11;
  if (!onHost && device != 2 && device != 10 && device != 13)
    raiseTypeError(spec,
                   "unsupported DLPack device type " + std::to_string(device));
  checkOnHost(spec, onHost);
  store(spec,
        {getAddress(*tensor), tensor->rank, tensor->shape, strides,
         spec.itemBytes},
        pointer, dynamic);
  // The capsules are dropped afterwards; the object must keep its memory. What
  // it exports anew each time would be freed before the kernel runs, and nobody
  // would see what is written there.
  nb::object again = exportTensor(spec, object);
  bool empty = std::find(tensor->shape, tensor->shape + tensor->rank, 0) !=
               tensor->shape + tensor->rank;
  if (!empty && getAddress(*getTensor(spec, again)) != *pointer)
    raiseValueError(
        spec, nb::cast<std::string>(object.type().attr("__name__")) +
                  ".__dlpack__ exports a copy each time, which the kernel would "
                  "write to instead of the array; pass the array that it "
                  "copies");
}

void fly::python::readArray(ArraySpec &spec, nb::handle object, void **pointer,
                            char *dynamic) {
  if (isNumpy(object))
    return readNumpy(spec, object, pointer, dynamic);
  nb::object inner = nb::getattr(object, "_flydsl_array", nb::handle());
  if (inner.is_valid()) {
    // A wrapper may name other elements of the same size.
    nb::object named = nb::getattr(object, "_dtype_option", nb::none());
    if (named.is_none())
      return readArray(spec, inner, pointer, dynamic);
    checkKind(spec, nb::cast<std::string>(named), spec.itemBytes);
    ArraySpec opaque = spec;
    opaque.kind = {};
    opaque.fittingType = {};
    return readArray(opaque, inner, pointer, dynamic);
  }
  if (isTorch(object))
    return readTorch(spec, object, pointer, dynamic);
  if (nb::hasattr(object.type(), "__dlpack__"))
    return readDLPack(spec, object, pointer, dynamic);
  raiseTypeError(spec,
                 "expected an array (numpy, torch, or an object with "
                 "__dlpack__), got " +
                     nb::cast<std::string>(object.type().attr("__name__")));
}
