// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Launcher: Python arguments to the cells of a packed host function.
// It knows each argument beforehand; a call reads, checks and stores them on the
// stack, so that calls from several threads do not meet.

#include "Arrays.h"
#include "Native.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

using namespace fly::python;
using namespace nanobind::literals;

namespace {
enum class SlotKind { Tensor, Int, Float, BFloat, Bool, Pointer, Stream, Skip, Cells };

/// What the launcher knows of an argument.
struct Slot {
  SlotKind kind = SlotKind::Skip;
  std::string name;
  /// Of numbers.
  int bits = 0;
  bool isSigned = true;
  /// Of pointers, in bytes.
  uint64_t alignment = 1;
  ArraySpec array;
  /// Of numbers, pointers and streams: gives the Python number of an object
  /// that is none itself, or raises an error that names the argument. Null: such
  /// an object is refused.
  nb::object convert;
  /// Of Cells: how many, and who fills them.
  int numCells = 0;
  nb::object fill;
  /// Where the values lie in the storage of a call.
  size_t offset = 0;
  /// The first of its pointers.
  size_t firstCell = 0;
};

/// Bytes of a ctypes cell that a callable fills.
constexpr size_t kCellBytes = 16;

class Launcher {
public:
  Launcher(nb::object executable, const std::string &entry,
           const nb::sequence &slots, const std::vector<std::string> &names);
  void call(const nb::args &arguments);

private:
  void pass(Slot &slot, nb::handle argument, char *storage, void **cells,
            nb::object &keep);

  nb::object owner;
  PyExecutable *executable;
  std::string entry;
  FlyPackedFunction function = nullptr;
  std::vector<Slot> slots;
  size_t storageBytes = 0;
  size_t numCells = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

[[noreturn]] static void raiseSlot(const std::string &name, nb::handle slot) {
  throw nb::value_error(("Launcher: argument '" + name +
                         "' has no slot of a known form: " +
                         nb::cast<std::string>(nb::repr(slot)))
                            .c_str());
}

/// Sizes or strides; `None` is one that the array decides.
static std::vector<int64_t> toExtents(nb::handle object) {
  std::vector<int64_t> result;
  for (nb::handle element : object)
    result.push_back(element.is_none() ? kDynamic
                                       : nb::cast<int64_t>(element));
  return result;
}

/// Reads ("tensor", itemsize, (code, bits), rank, shape, strides, stride_bits,
/// align).
static void readTensorSlot(Slot &slot, const nb::tuple &description) {
  ArraySpec &array = slot.array;
  array.name = slot.name;
  array.itemBytes = nb::cast<int64_t>(description[1]);
  if (!description[2].is_none()) {
    array.kind.code = nb::cast<int>(description[2][0]);
    array.kind.bits = nb::cast<int>(description[2][1]);
  }
  array.rank = nb::cast<int>(description[3]);
  array.shape = toExtents(description[4]);
  array.strides = toExtents(description[5]);
  array.strideBits = nb::cast<int>(description[6]);
  array.alignment = nb::cast<int64_t>(description[7]);
  if (array.itemBytes < 1 || array.alignment < 1 ||
      array.shape.size() != static_cast<size_t>(array.rank) ||
      array.strides.size() != static_cast<size_t>(array.rank) ||
      (array.strideBits != 32 && array.strideBits != 64))
    raiseSlot(slot.name, description);
}

/// Bytes that a dynamic part of `array` takes; 0 if there is none.
static size_t getDynamicBytes(const ArraySpec &array) {
  size_t bytes = 0;
  for (int64_t size : array.shape)
    bytes += size == kDynamic ? 4 : 0;
  for (int64_t stride : array.strides)
    bytes += stride == kDynamic ? array.strideBits / 8 : 0;
  return bytes;
}

static Slot readSlot(const std::string &name, nb::handle object) {
  Slot slot;
  slot.name = name;
  nb::tuple description;
  std::string kind;
  if (!nb::try_cast(object, description) || nb::len(description) == 0 ||
      !nb::try_cast(description[0], kind))
    raiseSlot(name, object);
  size_t length = nb::len(description);
  try {
    bool converts = kind == "int" || kind == "float" || kind == "bool" ||
                    kind == "pointer" || kind == "stream";
    if (converts && PyCallable_Check(
                        nb::object(description[length - 1]).ptr())) {
      slot.convert = nb::borrow(description[length - 1]);
      --length;
    }
    if (kind == "tensor" && length == 8) {
      slot.kind = SlotKind::Tensor;
      readTensorSlot(slot, description);
    } else if (kind == "int" && length == 3) {
      slot.kind = SlotKind::Int;
      slot.bits = nb::cast<int>(description[1]);
      slot.isSigned = nb::cast<bool>(description[2]);
      if (slot.bits != 8 && slot.bits != 16 && slot.bits != 32 &&
          slot.bits != 64)
        raiseSlot(name, object);
    } else if (kind == "float" && length == 2) {
      if (nb::isinstance<nb::str>(description[1])) {
        slot.kind = SlotKind::BFloat;
        if (nb::cast<std::string>(description[1]) != "bf16")
          raiseSlot(name, object);
      } else {
        slot.kind = SlotKind::Float;
        slot.bits = nb::cast<int>(description[1]);
        if (slot.bits != 16 && slot.bits != 32 && slot.bits != 64)
          raiseSlot(name, object);
      }
    } else if (kind == "bool" && length == 1) {
      slot.kind = SlotKind::Bool;
    } else if (kind == "pointer" && length == 2) {
      slot.kind = SlotKind::Pointer;
      slot.alignment = nb::cast<uint64_t>(description[1]);
      if (slot.alignment < 1)
        raiseSlot(name, object);
    } else if (kind == "stream" && length == 1) {
      slot.kind = SlotKind::Stream;
    } else if (kind == "skip" && length == 1) {
      slot.kind = SlotKind::Skip;
    } else if (kind == "cells" && length == 3) {
      slot.kind = SlotKind::Cells;
      slot.numCells = nb::cast<int>(description[1]);
      slot.fill = nb::borrow(description[2]);
      if (slot.numCells < 0)
        raiseSlot(name, object);
    } else {
      raiseSlot(name, object);
    }
  } catch (nb::cast_error &) {
    raiseSlot(name, object);
  }
  return slot;
}

Launcher::Launcher(nb::object executableObject, const std::string &entryName,
                   const nb::sequence &slotObjects,
                   const std::vector<std::string> &names)
    : owner(std::move(executableObject)),
      executable(nb::cast<PyExecutable *>(owner)), entry(entryName) {
  if (nb::len(slotObjects) != names.size())
    throw nb::value_error(
        ("Launcher: " + std::to_string(nb::len(slotObjects)) + " slots, but " +
         std::to_string(names.size()) + " names")
            .c_str());
  size_t index = 0;
  for (nb::handle object : slotObjects) {
    Slot slot = readSlot(names[index++], object);
    slot.offset = storageBytes;
    slot.firstCell = numCells;
    switch (slot.kind) {
    case SlotKind::Skip:
      break;
    case SlotKind::Tensor: {
      size_t dynamic = getDynamicBytes(slot.array);
      storageBytes += sizeof(void *) + (dynamic + 7) / 8 * 8;
      numCells += dynamic ? 2 : 1;
      break;
    }
    case SlotKind::Cells:
      numCells += slot.numCells;
      break;
    default:
      storageBytes += 8;
      ++numCells;
    }
    slots.push_back(std::move(slot));
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

[[noreturn]] static void raiseNumber(const Slot &slot, const std::string &kind,
                                     const char *expected, nb::handle object) {
  throw nb::type_error(("argument '" + slot.name + "': expected " + expected +
                        " for " + kind + ", got " +
                        nb::cast<std::string>(object.type().attr("__name__")) +
                        " (" + nb::cast<std::string>(nb::repr(object)) + ")")
                           .c_str());
}

/// `object`, or the Python number that the slot makes of it.
static nb::object toPlain(const Slot &slot, nb::handle object, bool isPlain) {
  return isPlain || !slot.convert.is_valid() ? nb::borrow(object)
                                             : slot.convert(object);
}

static std::string getIntName(const Slot &slot) {
  return (slot.isSigned ? "Int" : "Uint") + std::to_string(slot.bits);
}

[[noreturn]] static void raiseRange(const Slot &slot, nb::handle number) {
  std::string low = "0", high;
  uint64_t top = ~uint64_t(0) >> (64 - slot.bits);
  if (slot.isSigned) {
    low = "-" + std::to_string(top / 2 + 1);
    top /= 2;
  }
  high = std::to_string(top);
  std::string hint = slot.bits == 64
                         ? ""
                         : "; annotate the parameter with a wider type";
  throw nb::value_error(("argument '" + slot.name + "': " +
                         nb::cast<std::string>(nb::str(number)) +
                         " does not fit " + getIntName(slot) + " (" + low +
                         " to " + high + ")" + hint)
                            .c_str());
}

static void storeInt(const Slot &slot, nb::handle given, char *storage) {
  nb::object object = toPlain(slot, given, PyLong_Check(given.ptr()));
  if (!PyLong_Check(object.ptr()))
    raiseNumber(slot, getIntName(slot), "an int", object);
  int overflow = 0;
  int64_t value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  uint64_t bits = static_cast<uint64_t>(value);
  if (slot.isSigned) {
    int shift = 64 - slot.bits;
    if (overflow || (value << shift >> shift) != value)
      raiseRange(slot, object);
  } else if (overflow > 0) {
    bits = PyLong_AsUnsignedLongLong(object.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      raiseRange(slot, object);
    }
    if (slot.bits != 64)
      raiseRange(slot, object);
  } else if (overflow < 0 || value < 0 ||
             (slot.bits != 64 && bits >> slot.bits)) {
    raiseRange(slot, object);
  }
  std::memcpy(storage, &bits, sizeof(bits));
}

/// A finite number beyond the largest one of the type.
[[noreturn]] static void raiseBeyond(const Slot &slot, nb::handle number,
                                     const std::string &kind) {
  double largest = slot.kind == SlotKind::BFloat ? 0x1.fep127
                   : slot.bits == 16             ? 65504
                   : slot.bits == 32             ? FLT_MAX
                                                 : DBL_MAX;
  throw nb::value_error(
      ("argument '" + slot.name + "': " +
       nb::cast<std::string>(nb::repr(number)) + " is outside " + kind +
       ", whose largest number is " +
       nb::cast<std::string>(nb::repr(nb::float_(largest))))
          .c_str());
}

/// True for an int that a float holds.
static bool isExactFloat(nb::handle number) {
  int overflow = 0;
  int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  constexpr int64_t limit = int64_t(1) << FLT_MANT_DIG;
  return !overflow && -limit <= value && value <= limit;
}

static double toDouble(const Slot &slot, nb::handle given,
                       const std::string &kind) {
  if (PyFloat_CheckExact(given.ptr()))
    return PyFloat_AS_DOUBLE(given.ptr());
  // A large int is rounded to the class at once, not to a double before.
  bool isPlain = PyFloat_Check(given.ptr()) ||
                 (PyLong_Check(given.ptr()) && isExactFloat(given));
  nb::object object = toPlain(slot, given, isPlain);
  if (!PyFloat_Check(object.ptr()) && !PyLong_Check(object.ptr()))
    raiseNumber(slot, kind, "a number", object);
  double value = PyFloat_AsDouble(object.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    raiseBeyond(slot, object, kind);
  }
  return value;
}

/// The bits of the bfloat16 nearest to `value`, ties to even.
static uint16_t toBFloat16(double value) {
  float narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  // The f32 before `value` with the last bit set for what is lost, so that it
  // lies on the same side of each tie.
  if (std::isfinite(narrow) && static_cast<double>(narrow) != value)
    bits = (bits - (std::fabs(narrow) > std::fabs(value) ? 1 : 0)) | 1;
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// The bits of the float16 nearest to `value`, ties to even; infinity beyond.
static uint16_t toFloat16(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  if (std::isnan(value))
    return sign | 0x7e00;
  double magnitude = std::fabs(value);
  if (magnitude >= 65520.0)
    return sign | 0x7c00;
  // In units of the last place of the result; nearbyint rounds to even.
  int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  auto units = static_cast<uint32_t>(
      std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A unit at 2^10 is the hidden bit, which the exponent's field takes up.
  return sign | static_cast<uint16_t>(
                    units + (static_cast<uint32_t>(exponent + 14) << 10));
}

/// Refuses a finite `value` that became infinite, or no finite one.
static void checkFinite(const Slot &slot, double value, bool isFinite,
                        const std::string &kind) {
  if (!isFinite && std::isfinite(value))
    raiseBeyond(slot, nb::float_(value), kind);
}

static void storeFloat(const Slot &slot, nb::handle object, char *storage) {
  std::string kind = slot.kind == SlotKind::BFloat
                         ? "BFloat16"
                         : "Float" + std::to_string(slot.bits);
  double value = toDouble(slot, object, kind);
  if (slot.kind == SlotKind::BFloat) {
    uint16_t bits = toBFloat16(value);
    checkFinite(slot, value, (bits & 0x7fff) < 0x7f80, kind);
    std::memcpy(storage, &bits, sizeof(bits));
  } else if (slot.bits == 64) {
    std::memcpy(storage, &value, sizeof(value));
  } else if (slot.bits == 32) {
    float narrow = static_cast<float>(value);
    checkFinite(slot, value, std::isfinite(narrow), kind);
    std::memcpy(storage, &narrow, sizeof(narrow));
  } else {
    uint16_t bits = toFloat16(value);
    checkFinite(slot, value, (bits & 0x7fff) < 0x7c00, kind);
    std::memcpy(storage, &bits, sizeof(bits));
  }
}

static void storeBool(const Slot &slot, nb::handle given, char *storage) {
  nb::object object = toPlain(slot, given, PyLong_Check(given.ptr()));
  if (!PyLong_Check(object.ptr()))
    raiseNumber(slot, "Boolean", "a bool", object);
  *storage = static_cast<char>(PyObject_IsTrue(object.ptr()));
}

/// An address: an int, `None`, or what the slot makes of another object.
static void storeAddress(const Slot &slot, nb::handle given, char *storage,
                         const char *expected) {
  nb::object object = toPlain(
      slot, given, given.is_none() || PyLong_CheckExact(given.ptr()));
  uint64_t address = 0;
  if (!object.is_none()) {
    if (!PyLong_Check(object.ptr()) || PyBool_Check(object.ptr()))
      throw nb::type_error(
          ("argument '" + slot.name + "': expected " + expected + ", got " +
           nb::cast<std::string>(object.type().attr("__name__")))
              .c_str());
    address = PyLong_AsUnsignedLongLong(object.ptr());
    if (PyErr_Occurred()) {
      PyErr_Clear();
      throw nb::value_error(("argument '" + slot.name + "': " +
                             nb::cast<std::string>(nb::str(object)) +
                             " is no address")
                                .c_str());
    }
  }
  if (address % slot.alignment)
    throw nb::value_error(("argument '" + slot.name + "': expected an address "
                           "aligned to " + std::to_string(slot.alignment) +
                           " bytes, got " +
                           nb::cast<std::string>(nb::str(object)))
                              .c_str());
  std::memcpy(storage, &address, sizeof(address));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Cells of ctypes that Python code fills; `keep` holds them over the call.
static void fillCells(const Slot &slot, nb::handle argument, void **cells,
                      nb::object &keep) {
  nb::module_ ctypes = nb::module_::import_("ctypes");
  nb::object type = ctypes.attr("c_char") * nb::int_(kCellBytes);
  nb::list buffers;
  for (int i = 0; i < slot.numCells; ++i) {
    nb::object buffer = type();
    cells[i] = reinterpret_cast<void *>(
        nb::cast<uintptr_t>(ctypes.attr("addressof")(buffer)));
    buffers.append(buffer);
  }
  slot.fill(argument, buffers);
  if (!keep.is_valid())
    keep = nb::list();
  keep.attr("append")(buffers);
}

void Launcher::pass(Slot &slot, nb::handle argument, char *storage,
                    void **cells, nb::object &keep) {
  char *value = storage + slot.offset;
  cells += slot.firstCell;
  switch (slot.kind) {
  case SlotKind::Skip:
    return;
  case SlotKind::Tensor: {
    char *dynamic = value + sizeof(void *);
    readArray(slot.array, argument, reinterpret_cast<void **>(value), dynamic);
    // The second cell exists only if anything is dynamic.
    if (&slot == &slots.back() ? numCells - slot.firstCell == 2
                               : (&slot + 1)->firstCell - slot.firstCell == 2)
      cells[1] = dynamic;
    break;
  }
  case SlotKind::Int:
    storeInt(slot, argument, value);
    break;
  case SlotKind::Float:
  case SlotKind::BFloat:
    storeFloat(slot, argument, value);
    break;
  case SlotKind::Bool:
    storeBool(slot, argument, value);
    break;
  case SlotKind::Pointer:
    storeAddress(slot, argument, value, "an address (an int or None)");
    break;
  case SlotKind::Stream:
    storeAddress(slot, argument, value, "a stream (an int or None)");
    break;
  case SlotKind::Cells:
    fillCells(slot, argument, cells, keep);
    return;
  }
  cells[0] = value;
}

void Launcher::call(const nb::args &arguments) {
  if (arguments.size() != slots.size())
    throw nb::type_error(("'" + entry + "' takes " +
                          std::to_string(slots.size()) + " arguments, got " +
                          std::to_string(arguments.size()))
                             .c_str());
  constexpr size_t kInlineWords = 128;
  uint64_t inlineStorage[kInlineWords];
  std::unique_ptr<uint64_t[]> heapStorage;
  uint64_t *storage = inlineStorage;
  size_t words = storageBytes / 8 + numCells;
  if (words > kInlineWords) {
    heapStorage.reset(new uint64_t[words]);
    storage = heapStorage.get();
  }
  auto *cells = reinterpret_cast<void **>(storage + storageBytes / 8);
  nb::object keep;
  for (size_t i = 0; i < slots.size(); ++i)
    pass(slots[i], arguments[i], reinterpret_cast<char *>(storage), cells,
         keep);
  if (!function)
    function = executable->lookup(entry);
  executable->call(function, cells);
}

void fly::python::bindLauncher(nb::module_ &m) {
  nb::class_<Launcher>(
      m, "Launcher",
      "Calls the host function `entry` of an executable with Python values. A "
      "slot says what an argument is: (\"tensor\", itemsize, dlpack_dtype or "
      "None, rank, shape, strides, stride_bits, align) with None for sizes and "
      "strides of run time, (\"int\", bits, signed), (\"float\", bits or "
      "\"bf16\"), (\"bool\",), (\"pointer\", align), (\"stream\",), "
      "(\"skip\",), (\"cells\", n, fill). Numbers, pointers and streams may "
      "have a callable as last item: it is given what is no Python number and "
      "returns one, or raises an error that names the argument.")
      .def(nb::init<nb::object, const std::string &, const nb::sequence &,
                    const std::vector<std::string> &>(),
           "executable"_a, "entry"_a, "slots"_a, "arg_names"_a)
      .def("__call__", &Launcher::call,
           "Passes the arguments, one for each slot. TypeError or ValueError "
           "that names an argument which does not fit; RuntimeError for what "
           "the runtime or a kernel reported.");
}
