// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments to carriers. The carriers are those of
// fly-rewrite-func-signature: a memref is its pointer and, if its layout has
// run-time leaves, one packed struct of them, shape before stride, depth first.

#include "Fly/Execution/Arguments.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"
#include "Fly/Execution/Session.h"
#include "fly_runtime.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

template <typename T>
static void append(std::vector<char> &bytes, T value) {
  const char *raw = reinterpret_cast<const char *>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

/// Adds the bytes of a run-time leaf of the given width; an error if `value`
/// does not fit it or breaks the promised divisibility.
static llvm::Error appendLeaf(std::vector<char> &bytes, IntAttr leaf,
                              int64_t value, StringRef what) {
  if (leaf.getWidth() == 64) {
    append(bytes, value);
  } else if (llvm::isInt<32>(value)) {
    append(bytes, int32_t(value));
  } else {
    return llvm::createStringError(
        llvm::formatv("a {0} of {1} does not fit the 32-bit '?' of the type",
                      what, value));
  }
  int64_t divisibility = leaf.getDivisibility();
  if (divisibility != 0 && value % divisibility != 0)
    return llvm::createStringError(
        llvm::formatv("a {0} of {1} is no multiple of {2}, which the type "
                      "promises",
                      what, value, divisibility));
  return llvm::Error::success();
}

namespace {

/// Walks the shape and the stride of a layout against a row-major array.
struct LayoutBinder {
  std::vector<char> shapeBytes, strideBytes;

  /// The extents that the modes' leaves leave open: element i is the size that
  /// a `?` of mode i takes.
  SmallVector<int64_t> openSizes;

  /// Checks that the leaves of top-level mode `mode` can multiply to `extent`.
  llvm::Error checkExtent(unsigned mode, IntTupleAttr shape, int64_t extent) {
    SmallVector<IntAttr> leaves;
    if (!collect(shape, leaves))
      return llvm::createStringError("the shape has basis leaves");
    int64_t known = 1;
    unsigned dynamic = 0;
    for (IntAttr leaf : leaves) {
      if (leaf.isDynamic())
        ++dynamic;
      else if (llvm::MulOverflow(known, leaf.getValue(), known))
        return llvm::createStringError("the shape is too large");
    }
    if (dynamic > 1)
      return llvm::createStringError(llvm::formatv(
          "mode {0} has {1} run-time extents, an array gives only their "
          "product",
          mode, dynamic));
    if (dynamic == 0 ? known != extent : known == 0 || extent % known != 0)
      return llvm::createStringError(
          llvm::formatv("extent {0} is {1}, expected {2}{3}", mode, extent,
                        dynamic ? "a multiple of " : "", known));
    openSizes.push_back(dynamic ? extent / known : 0);
    return llvm::Error::success();
  }

  /// Binds the run-time leaves of mode `mode`, whose extent is checked. The
  /// first leaf's stride is `rowMajor`, that of each further leaf grows by the
  /// sizes before it.
  llvm::Error bindMode(unsigned mode, IntTupleAttr shape, IntTupleAttr stride,
                       int64_t rowMajor) {
    SmallVector<IntAttr> shapes, strides;
    if (!collect(shape, shapes) || !collect(stride, strides) ||
        shapes.size() != strides.size())
      return llvm::createStringError("the layout has basis strides");
    int64_t running = rowMajor;
    for (auto [shapeLeaf, strideLeaf] : llvm::zip(shapes, strides)) {
      int64_t size = shapeLeaf.isDynamic() ? openSizes[mode]
                                           : shapeLeaf.getValue();
      if (shapeLeaf.isDynamic())
        if (llvm::Error error =
                appendLeaf(shapeBytes, shapeLeaf, size, "size"))
          return error;
      if (strideLeaf.isDynamic()) {
        if (llvm::Error error =
                appendLeaf(strideBytes, strideLeaf, running, "stride"))
          return error;
      } else if (size != 1 && strideLeaf.getValue() != running) {
        return llvm::createStringError(llvm::formatv(
            "mode {0} has the stride {1}, a row-major array has {2}", mode,
            strideLeaf.getValue(), running));
      }
      running *= size;
    }
    return llvm::Error::success();
  }

  /// The integer leaves of `tuple`; false if there is a basis leaf.
  static bool collect(IntTupleAttr tuple, SmallVectorImpl<IntAttr> &leaves) {
    bool plain = true;
    tuple.walkLeaves([&](Attribute leaf) {
      if (auto integer = dyn_cast<IntAttr>(leaf))
        leaves.push_back(integer);
      else
        plain = false;
    });
    return plain;
  }
};

} // namespace

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

size_t ArgumentPack::addCarrier(ArrayRef<char> bytes) {
  carriers.push_back(
      std::make_unique<std::vector<char>>(bytes.begin(), bytes.end()));
  pointers.push_back(carriers.back()->data());
  return carriers.size() - 1;
}

llvm::Error ArgumentPack::bindScalar(Type type, InputValue &input) {
  Type stored = type;
  if (type.isIndex())
    stored = IntegerType::get(type.getContext(), 64);
  auto *text = std::get_if<std::string>(&input);
  if (!text) {
    HostArray &value = std::get<HostArray>(input);
    if (!value.shape.empty())
      return llvm::createStringError("is the array " + value.str() +
                                     ", expected a number");
    if (value.elementType != stored)
      return llvm::createStringError("is of type " + value.str() +
                                     ", expected " + typeText(stored));
    addCarrier(value.data);
    return llvm::Error::success();
  }
  std::vector<char> bytes(*getElementBytes(stored));
  if (llvm::Error error = encodeElement(stored, *text, bytes.data()))
    return error;
  addCarrier(bytes);
  return llvm::Error::success();
}

llvm::Error ArgumentPack::bindArray(Type type, InputValue &input) {
  auto *array = std::get_if<HostArray>(&input);
  if (!array)
    return llvm::createStringError("is the number " +
                                   std::get<std::string>(input) +
                                   ", expected an array");
  if (array->shape.empty())
    return llvm::createStringError("is a number of type " + array->str() +
                                   ", expected an array");
  Type elementType;
  std::vector<char> layoutBytes;
  auto isIn = [&](AddressSpace space) {
    if (auto pointer = dyn_cast<PointerType>(type))
      return pointer.isIn(space);
    return cast<MemRefType>(type).isIn(space);
  };
  if (isIn(AddressSpace::Shared) || isIn(AddressSpace::Register))
    return llvm::createStringError(
        "cannot be given: an array lies in global memory");
  if (auto pointer = dyn_cast<PointerType>(type)) {
    elementType = pointer.getElementType();
  } else {
    auto memref = cast<MemRefType>(type);
    elementType = memref.getElementType();
    auto layout = dyn_cast<LayoutAttr>(memref.getLayout());
    if (!layout)
      return llvm::createStringError(
          "has a composed layout, which no plain array has");
    unsigned rank = layout.rank();
    if (array->shape.size() != rank)
      return llvm::createStringError(
          llvm::formatv("has rank {0}, expected {1}", array->shape.size(),
                        rank));
    SmallVector<int64_t> rowMajor(rank, 1);
    for (unsigned i = rank; i-- > 1;)
      rowMajor[i - 1] = rowMajor[i] * array->shape[i];
    LayoutBinder binder;
    for (unsigned i = 0; i < rank; ++i)
      if (llvm::Error error = binder.checkExtent(i, layout.getShape().at(i),
                                                 array->shape[i]))
        return error;
    for (unsigned i = 0; i < rank; ++i)
      if (llvm::Error error =
              binder.bindMode(i, layout.getShape().at(i),
                              layout.getStride().at(i), rowMajor[i]))
        return error;
    layoutBytes = std::move(binder.shapeBytes);
    layoutBytes.insert(layoutBytes.end(), binder.strideBytes.begin(),
                       binder.strideBytes.end());
  }
  if (array->elementType != elementType)
    return llvm::createStringError("has elements of type " +
                                   typeText(array->elementType) +
                                   ", expected " + typeText(elementType));
  std::vector<char> address(sizeof(void *));
  size_t carrier = addCarrier(address);
  buffers.push_back({array, nullptr, carrier});
  if (!layoutBytes.empty())
    addCarrier(layoutBytes);
  return llvm::Error::success();
}

llvm::Error ArgumentPack::bindOne(Type type, InputValue &input) {
  if (isa<MemRefType, PointerType>(type))
    return bindArray(type, input);
  if (type.isIndex() ||
      (isa<IntegerType, FloatType>(type) && getElementBytes(type)))
    return bindScalar(type, input);
  return llvm::createStringError("cannot be given: a parameter of type " +
                                 typeText(type) +
                                 " has no form on the command line");
}

llvm::Expected<ArgumentPack>
ArgumentPack::bind(ArrayRef<Type> signature,
                   MutableArrayRef<InputValue> inputs) {
  ArgumentPack pack;
  auto isStream = [](Type type) {
    return isa<gpu::AsyncTokenType, LLVM::LLVMPointerType>(type);
  };
  auto vanishes = [](Type type) {
    auto mayBeStatic = dyn_cast<MayBeStaticTypeInterface>(type);
    return mayBeStatic && mayBeStatic.isStatic();
  };
  size_t wanted = llvm::count_if(signature, [&](Type type) {
    return !isStream(type) && !vanishes(type);
  });
  if (inputs.size() != wanted) {
    std::string list;
    llvm::raw_string_ostream os(list);
    for (Type type : signature)
      if (!isStream(type) && !vanishes(type))
        os << "\n  " << type;
    // No array goes there, which a caller may have meant.
    for (Type type : signature)
      if (isa<LLVM::LLVMPointerType>(type))
        os << "\n  " << type << " (a stream, takes no input)";
    return llvm::createStringError(
        llvm::formatv("the function takes {0} inputs, {1} were given; its "
                      "parameters are:{2}",
                      wanted, inputs.size(), list));
  }
  size_t next = 0;
  for (Type type : signature) {
    if (vanishes(type))
      continue;
    if (isStream(type)) {
      std::vector<char> null(sizeof(void *));
      pack.streams.push_back(pack.addCarrier(null));
      continue;
    }
    if (llvm::Error error = pack.bindOne(type, inputs[next])) {
      return llvm::createStringError(
          llvm::formatv("argument {0} (parameter type {1}): {2}", next,
                        typeText(type),
                        llvm::toString(std::move(error))));
    }
    ++next;
  }
  return pack;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

llvm::Error ArgumentPack::prepareCall(Operation *module, StringRef name,
                                      Type written) {
  auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(
      SymbolTable::lookupSymbolIn(module, name));
  if (!function)
    return llvm::Error::success();
  if (function.getNumArguments() != pointers.size())
    return llvm::createStringError(llvm::formatv(
        "the attribute 'fly.signature' of '{0}' stands for {1} parameters, "
        "but the lowered function has {2}",
        name, pointers.size(), function.getNumArguments()));
  Type type = function.getFunctionType().getReturnType();
  if (isa<LLVM::LLVMVoidType>(type))
    return llvm::Error::success();
  // Small floats are integers by now.
  if (isa_and_nonnull<FloatType>(written) && type.isIntOrFloat() &&
      written.getIntOrFloatBitWidth() == type.getIntOrFloatBitWidth())
    type = written;
  bool isNumber =
      isa<IntegerType, FloatType>(type) && getElementBytes(type).has_value();
  if (!isNumber && !isa<LLVM::LLVMPointerType>(type))
    return llvm::createStringError("the function returns " + typeText(type) +
                                   ", expected a number or nothing");
  resultType = type;
  addCarrier(std::vector<char>(sizeof(uint64_t)));
  return llvm::Error::success();
}

std::string ArgumentPack::getResultText() const {
  if (!resultType || isa<LLVM::LLVMPointerType>(resultType))
    return "";
  const std::vector<char> &bytes = *carriers.back();
  HostArray value{resultType, {}, bytes};
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<FloatType>(resultType)) {
    os << llvm::format("%.17g", value.getAsDouble(0));
    return text;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), *getElementBytes(resultType));
  APInt integer(resultType.getIntOrFloatBitWidth(), bits, /*isSigned=*/false,
                /*implicitTrunc=*/true);
  integer.print(os, /*isSigned=*/!resultType.isInteger(1));
  return text;
}

//===----------------------------------------------------------------------===//
// Device buffers
//===----------------------------------------------------------------------===//

llvm::Error ArgumentPack::upload() {
  stream = mgpuStreamCreate();
  for (size_t carrier : streams)
    std::memcpy(carriers[carrier]->data(), &stream, sizeof(stream));
  for (Buffer &buffer : buffers) {
    std::vector<char> &data = buffer.array->data;
    buffer.device = mgpuMemAlloc(data.size(), stream, /*isHostShared=*/false);
    mgpuMemcpy(buffer.device, data.data(), data.size(), stream);
    std::memcpy(carriers[buffer.carrier]->data(), &buffer.device,
                sizeof(buffer.device));
  }
  mgpuStreamSynchronize(stream);
  return takeRuntimeError();
}

llvm::Error ArgumentPack::download() {
  mgpuStreamSynchronize(stream);
  for (Buffer &buffer : buffers) {
    std::vector<char> &data = buffer.array->data;
    mgpuMemcpy(data.data(), buffer.device, data.size(), stream);
  }
  mgpuStreamSynchronize(stream);
  return takeRuntimeError();
}

ArgumentPack::ArgumentPack(ArgumentPack &&other)
    : carriers(std::move(other.carriers)), buffers(std::move(other.buffers)),
      streams(std::move(other.streams)), pointers(std::move(other.pointers)),
      resultType(other.resultType),
      stream(std::exchange(other.stream, nullptr)) {
  other.buffers.clear();
}

ArgumentPack::~ArgumentPack() {
  for (Buffer &buffer : buffers)
    mgpuMemFree(buffer.device, stream);
  if (stream)
    mgpuStreamDestroy(stream);
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

llvm::Expected<SmallVector<Type>> getHostSignature(Operation *module,
                                                   StringRef name) {
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupSymbolIn(
          module, StringAttr::get(module->getContext(), name)));
  if (!function) {
    SmallVector<StringRef> names;
    for (Region &region : module->getRegions())
      for (auto other : region.getOps<FunctionOpInterface>())
        if (other->hasAttr("fly.signature"))
          names.push_back(other.getName());
    return llvm::createStringError(
        "the module has no function '" + name + "'; it has: " +
        (names.empty() ? std::string("none") : llvm::join(names, ", ")));
  }
  auto recorded = function->getAttrOfType<ArrayAttr>("fly.signature");
  if (!recorded)
    return llvm::createStringError(
        "function '" + name +
        "' has no attribute 'fly.signature' and its parameters are lowered "
        "already: give the module of an earlier stage, or one that Fly's own "
        "pipelines lowered");
  SmallVector<Type> types;
  for (Attribute attribute : recorded) {
    auto type = dyn_cast<TypeAttr>(attribute);
    if (!type)
      return llvm::createStringError("the attribute 'fly.signature' of '" +
                                     name + "' holds something that is no "
                                     "type");
    types.push_back(type.getValue());
    if (isa<LLVM::LLVMStructType>(type.getValue()))
      return llvm::createStringError(
          "the parameters of '" + name +
          "' are lowered already: give the module of an earlier stage, or run "
          "fly-record-signature before fly-rewrite-func-signature");
  }
  return types;
}

} // namespace fly
