// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collecting the object's table and writing it as globals. All rows of plain
// numbers (sites, parameters, locations, assertions, pool) are arrays of i32;
// only kernels and the table itself hold pointers.

#include "ObjectTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly::host;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// The first place with a file in `loc`, and the location of the call that
/// inlined it (null: none).
static std::pair<FileLineColLoc, LocationAttr> findPlace(LocationAttr loc) {
  // Iterative: locations nest as deep as calls do.
  LocationAttr caller;
  SmallVector<LocationAttr> stack{loc};
  while (!stack.empty()) {
    LocationAttr next = stack.pop_back_val();
    if (auto range = dyn_cast<FileLineColRange>(next))
      return {FileLineColLoc::get(range.getFilename(), range.getStartLine(),
                                  range.getStartColumn()),
              caller};
    if (auto name = dyn_cast<NameLoc>(next)) {
      stack.push_back(name.getChildLoc());
    } else if (auto opaque = dyn_cast<OpaqueLoc>(next)) {
      stack.push_back(opaque.getFallbackLocation());
    } else if (auto call = dyn_cast<CallSiteLoc>(next)) {
      // Of nested call sites the callee's own caller is the nearest one.
      caller = caller ? LocationAttr(CallSiteLoc::get(caller, call.getCaller()))
                      : LocationAttr(call.getCaller());
      stack.push_back(call.getCallee());
    } else if (auto fused = dyn_cast<FusedLoc>(next)) {
      for (Location inner : llvm::reverse(fused.getLocations()))
        stack.push_back(inner);
    }
  }
  return {nullptr, nullptr};
}

uint32_t ObjectTable::addLocation(Location loc) {
  // A chain of places, innermost first; written from the outermost on, so that
  // each knows the index of the one that it was inlined at.
  SmallVector<std::pair<LocationAttr, FileLineColLoc>> chain;
  uint32_t index = FLY_CPU_NO_LOCATION;
  for (LocationAttr next = loc; next;) {
    auto known = locationIndex.find(next);
    if (known != locationIndex.end()) {
      index = known->second;
      break;
    }
    auto [place, caller] = findPlace(next);
    if (!place)
      break;
    chain.push_back({next, place});
    next = caller;
  }
  for (auto [key, place] : llvm::reverse(chain)) {
    locations.push_back({addString(place.getFilename()), place.getLine(),
                         place.getColumn(), index});
    index = uint32_t(locations.size() - 1);
    locationIndex[key] = index;
  }
  return index;
}

uint32_t ObjectTable::addValues(ArrayRef<int32_t> values) {
  auto [it, isNew] =
      poolIndex.try_emplace(std::vector<int32_t>(values.begin(), values.end()),
                            uint32_t(pool.size()));
  if (isNew)
    pool.insert(pool.end(), values.begin(), values.end());
  return it->second;
}

uint32_t ObjectTable::addString(StringRef text) {
  // What follows a zero byte would be lost to a reader.
  text = text.take_until([](char c) { return c == '\0'; });
  auto [it, isNew] = stringIndex.try_emplace(text, uint32_t(strings.size()));
  if (isNew) {
    strings += text;
    strings += '\0';
  }
  return it->second;
}

LogicalResult ObjectTable::addAssertions(Operation *module) {
  Attribute attr = module->getAttr("fly.assertions");
  if (!attr)
    return success();
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return module->emitError("attribute 'fly.assertions' must be an array");
  for (auto [position, element] : llvm::enumerate(list)) {
    auto row = dyn_cast<DictionaryAttr>(element);
    auto id = row ? row.getAs<IntegerAttr>("id") : nullptr;
    auto message = row ? row.getAs<StringAttr>("message") : nullptr;
    if (!id || !message)
      return module->emitError("attribute 'fly.assertions', element ")
             << position << ": expected {id = N : i32, message = \"...\"}";
    auto loc = row.getAs<LocationAttr>("location");
    assertions.push_back({uint32_t(id.getValue().getZExtValue()),
                          addString(message.getValue()),
                          loc ? addLocation(loc) : FLY_CPU_NO_LOCATION});
  }
  return success();
}

uint32_t ObjectTable::addAssertion(StringRef message) {
  uint32_t text = addString(message);
  auto [known, isNew] = addedAssertions.try_emplace(text, 0);
  if (!isNew)
    return known->second;
  for (const fly_cpu_assertion &assertion : assertions)
    known->second = std::max(known->second, assertion.id + 1);
  assertions.push_back({known->second, text, FLY_CPU_NO_LOCATION});
  return known->second;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Makes constant globals in one module.
class GlobalWriter {
public:
  explicit GlobalWriter(gpu::GPUModuleOp module)
      : builder(OpBuilder::atBlockEnd(module.getBody())),
        loc(UnknownLoc::get(module.getContext())),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LLVM::GlobalOp numbers(StringRef name, ArrayRef<int32_t> values) {
    // An empty array would be no object; nothing reads the row of zeros.
    SmallVector<int32_t> stored(values);
    if (stored.empty())
      stored.push_back(0);
    auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), stored.size());
    auto tensor =
        RankedTensorType::get({int64_t(stored.size())}, builder.getI32Type());
    return LLVM::GlobalOp::create(
        builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
        DenseElementsAttr::get(tensor, ArrayRef<int32_t>(stored)));
  }

  LLVM::GlobalOp text(StringRef name, StringRef bytes) {
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                  LLVM::Linkage::Internal, name,
                                  builder.getStringAttr(bytes));
  }

  /// A global whose value the members give, which `fill` makes.
  LLVM::GlobalOp structure(StringRef name, Type type, bool isConstant,
                           LLVM::Linkage linkage,
                           llvm::function_ref<Value()> fill) {
    auto global = LLVM::GlobalOp::create(builder, loc, type, isConstant,
                                         linkage, name, Attribute());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, fill());
    return global;
  }

  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }

  Value address(LLVM::GlobalOp global, uint64_t byteOffset = 0) {
    return address(LLVM::AddressOfOp::create(builder, loc, global), byteOffset);
  }

  Value address(Value base, uint64_t byteOffset) {
    if (byteOffset == 0)
      return base;
    Value offset = constant(builder.getI64Type(), int64_t(byteOffset));
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{offset});
  }

  Value insert(Value aggregate, Value member, ArrayRef<int64_t> position) {
    return LLVM::InsertValueOp::create(builder, loc, aggregate, member,
                                       position);
  }

  OpBuilder builder;
  Location loc;
  LLVM::LLVMPointerType pointer;
};
} // namespace

/// The 32-bit numbers of plain rows, one row after the other.
template <typename Row>
static std::vector<int32_t> flatten(ArrayRef<Row> rows) {
  static_assert(sizeof(Row) % sizeof(int32_t) == 0 &&
                    alignof(Row) == alignof(int32_t),
                "rows of plain 32-bit numbers");
  std::vector<int32_t> result(rows.size() * sizeof(Row) / sizeof(int32_t));
  if (!rows.empty())
    std::memcpy(result.data(), rows.data(), rows.size() * sizeof(Row));
  return result;
}

/// The numbers of a kernel's row that follow its four pointers.
static constexpr unsigned kernelNumbers = 15;
static_assert(
    offsetof(fly_cpu_kernel, num_sites) == 4 * sizeof(void *) &&
        offsetof(fly_cpu_kernel, required_cluster) ==
            4 * sizeof(void *) + (kernelNumbers - 3) * sizeof(uint32_t) &&
        sizeof(fly_cpu_kernel) ==
            llvm::alignTo(4 * sizeof(void *) + kernelNumbers * sizeof(uint32_t),
                          alignof(fly_cpu_kernel)),
    "the global below has this layout");
static_assert(offsetof(fly_cpu_module, chip) == 16 &&
                  offsetof(fly_cpu_module, num_locations) ==
                      16 + 6 * sizeof(void *) &&
                  offsetof(fly_cpu_module, runtime) == 80 &&
                  sizeof(fly_cpu_module) == 88,
              "the global below has this layout");

void ObjectTable::emit(gpu::GPUModuleOp module, StringRef chip,
                       uint32_t waveSize, uint32_t ldsCapacity, uint32_t flags,
                       StringRef runtimeSymbol) {
  std::vector<uint32_t> names;
  std::vector<fly_cpu_site> sites;
  std::vector<fly_cpu_param> params;
  std::vector<std::pair<size_t, size_t>> starts;
  uint32_t chipName = addString(chip);
  for (const KernelEntry &kernel : kernels) {
    names.push_back(addString(kernel.symbol));
    starts.push_back({sites.size(), params.size()});
    sites.insert(sites.end(), kernel.sites.begin(), kernel.sites.end());
    params.insert(params.end(), kernel.params.begin(), kernel.params.end());
  }

  GlobalWriter w(module);
  Type i32 = w.builder.getI32Type(), i64 = w.builder.getI64Type();
  LLVM::GlobalOp stringsGlobal = w.text("__fly_cpu_strings", strings);
  LLVM::GlobalOp poolGlobal = w.numbers("__fly_cpu_pool", pool);
  LLVM::GlobalOp sitesGlobal =
      w.numbers("__fly_cpu_sites", flatten<fly_cpu_site>(sites));
  LLVM::GlobalOp paramsGlobal =
      w.numbers("__fly_cpu_params", flatten<fly_cpu_param>(params));
  LLVM::GlobalOp locationsGlobal =
      w.numbers("__fly_cpu_locations", flatten<fly_cpu_location>(locations));
  LLVM::GlobalOp assertionsGlobal =
      w.numbers("__fly_cpu_assertions", flatten<fly_cpu_assertion>(assertions));

  auto numbersType = LLVM::LLVMArrayType::get(i32, kernelNumbers);
  auto kernelType = LLVM::LLVMStructType::getLiteral(
      module.getContext(),
      {w.pointer, w.pointer, w.pointer, w.pointer, numbersType});
  auto kernelsType =
      LLVM::LLVMArrayType::get(kernelType, std::max<size_t>(kernels.size(), 1));
  LLVM::GlobalOp kernelsGlobal = w.structure(
      "__fly_cpu_kernels", kernelsType, /*isConstant=*/true,
      LLVM::Linkage::Internal, [&]() -> Value {
        Value table = LLVM::ZeroOp::create(w.builder, w.loc, kernelsType);
        for (auto [i, kernel] : llvm::enumerate(kernels)) {
          Value row = LLVM::ZeroOp::create(w.builder, w.loc, kernelType);
          Value entry = LLVM::AddressOfOp::create(w.builder, w.loc, w.pointer,
                                                  kernel.symbol);
          row = w.insert(row, w.address(stringsGlobal, names[i]), {0});
          row = w.insert(row, entry, {1});
          row = w.insert(
              row,
              w.address(sitesGlobal, starts[i].first * sizeof(fly_cpu_site)),
              {2});
          row = w.insert(
              row,
              w.address(paramsGlobal, starts[i].second * sizeof(fly_cpu_param)),
              {3});
          uint32_t numbers[kernelNumbers] = {uint32_t(kernel.sites.size()),
                                             uint32_t(kernel.params.size()),
                                             kernel.argumentBytes,
                                             kernel.ldsBytes,
                                             kernel.ldsAlign,
                                             waveSize,
                                             kernel.maxWorkgroup,
                                             kernel.requiredBlock[0],
                                             kernel.requiredBlock[1],
                                             kernel.requiredBlock[2],
                                             kernel.slotBytes,
                                             kernel.location,
                                             kernel.requiredCluster[0],
                                             kernel.requiredCluster[1],
                                             kernel.requiredCluster[2]};
          for (auto [n, number] : llvm::enumerate(numbers))
            row = w.insert(row, w.constant(i32, int32_t(number)),
                           {4, int64_t(n)});
          table = w.insert(table, row, {int64_t(i)});
        }
        return table;
      });

  auto moduleType = LLVM::LLVMStructType::getLiteral(
      module.getContext(),
      {i64, i32, i32, w.pointer, w.pointer, w.pointer, w.pointer, w.pointer,
       w.pointer, i32, i32, i32, i32, w.pointer});
  w.structure(FLY_CPU_MODULE_SYMBOL, moduleType, /*isConstant=*/false,
              LLVM::Linkage::External, [&]() -> Value {
                Value runtime = LLVM::AddressOfOp::create(
                    w.builder, w.loc, w.pointer, runtimeSymbol);
                Value members[] = {w.constant(i64, int64_t(FLY_CPU_MAGIC)),
                                   w.constant(i32, FLY_CPU_ABI_VERSION),
                                   w.constant(i32, int64_t(kernels.size())),
                                   w.address(stringsGlobal, chipName),
                                   w.address(kernelsGlobal),
                                   w.address(locationsGlobal),
                                   w.address(stringsGlobal),
                                   w.address(poolGlobal),
                                   w.address(assertionsGlobal),
                                   w.constant(i32, int64_t(locations.size())),
                                   w.constant(i32, int64_t(assertions.size())),
                                   w.constant(i32, int32_t(ldsCapacity)),
                                   w.constant(i32, int32_t(flags)),
                                   runtime};
                Value table =
                    LLVM::ZeroOp::create(w.builder, w.loc, moduleType);
                for (auto [i, member] : llvm::enumerate(members))
                  table = w.insert(table, member, {int64_t(i)});
                return table;
              });
}
