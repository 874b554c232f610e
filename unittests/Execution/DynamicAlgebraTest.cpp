// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layouts with run-time leaves through the real lowering: what the
// compiled code computes against the static evaluation and against the
// definition, and the run-time checks against both. A check that holds
// promises a right result; one that fails must have had a reason.
// User report 30.

#include "DynamicDefinitions.h"

#include "Fly/InitAll.h"
#include "Fly/Layout/Product.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fly;
using namespace fly::test;
using fly::layout::Int;
using fly::layout::IntTuple;
using fly::layout::Layout;
using fly::layout::test::plain;
using fly::layout::test::PlainLayout;
using fly::layout::test::Random;

namespace {

/// Functions of a batch, and runs of each with other numbers.
constexpr size_t kFunctions = 350;
constexpr int kRuns = 6;

MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerAllDialects(registry);
    return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

/// One case with what it starts from.
struct Entry {
  Case op;
  Definition define;
  Assignment values;
  /// The symbols of the operands.
  std::map<unsigned, Int> symbols;
};

using Generator = std::function<Entry(Random &)>;

void collectSymbols(const AlgebraValue &value, std::map<unsigned, Int> &out) {
  for (const Int &leaf : getDynamicLeaves(value))
    out[leaf.getExpr()->getSymbolId()] = leaf;
}

/// Other numbers for some symbols, most of them with the promised divisor.
Assignment vary(Random &random, const Entry &entry) {
  Assignment values = entry.values;
  for (const auto &[id, symbol] : entry.symbols) {
    if (!random.chance(40))
      continue;
    int64_t value = random.between(random.chance(10) ? -2 : 0, 8);
    if (symbol.getDivisibility() != 0 && !random.chance(10))
      value *= symbol.getDivisibility();
    if (symbol.getWidth() == 64 || !layout::exceeds32(value))
      values[id] = value;
  }
  return values;
}

bool keepsDivisors(const Entry &entry, const Assignment &values) {
  for (const auto &[id, symbol] : entry.symbols) {
    int64_t divisor = symbol.getDivisibility(), value = values.at(id);
    if (divisor == 0 ? value != 0 : value % divisor != 0)
      return false;
  }
  return true;
}

/// Whether a layout has a mode without coordinates, which says nothing of its
/// indices.
bool isEmpty(const AlgebraValue &value) {
  auto *map = value.getIf<layout::AnyLayout>();
  bool empty = false;
  if (map)
    map->getLinear().getShape().forEachLeaf([&](const layout::Leaf &leaf) {
      empty |= leaf.getInt().getValue() < 1;
    });
  return empty;
}

/// Leaves of equal profile are equal; layouts have equal tables per mode.
std::string compare(const AlgebraValue &got, const AlgebraValue &want) {
  if (auto *tuple = got.getIf<IntTuple>()) {
    auto *other = want.getIf<IntTuple>();
    if (!other)
      return "";
    auto a = tuple->leaves(), b = other->leaves();
    if (a.size() != b.size())
      return ""; // the definition judges
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].getInt().getValue() != b[i].getInt().getValue())
        return "got " + tuple->str() + ", the static value is " + other->str();
    return "";
  }
  const Layout &a = got.get<layout::AnyLayout>().getPlain();
  const Layout &b = want.get<layout::AnyLayout>().getPlain();
  auto table = [](const Layout &x, const Layout &y) {
    PlainLayout p = plain(x), q = plain(y);
    if (p.size() != q.size())
      return false;
    for (int64_t c = 0; c < std::min<int64_t>(p.size(), 2048); ++c)
      if (p.at(c) != q.at(c))
        return false;
    return true;
  };
  bool same = a.rank() == b.rank();
  for (size_t i = 0; same && i < a.rank(); ++i)
    same = table(a[i], b[i]);
  return same || table(a, b)
             ? ""
             : "got " + a.str() + ", the static value is " + b.str();
}

struct Tally {
  int functions = 0, refused = 0, runs = 0;
  /// Runs whose checks all held, and those with one that failed.
  int held = 0, failed = 0;
  /// Failed, though the static op gives a result for these numbers: it may
  /// find one in a way that run-time code does not have.
  int conservative = 0;
};

Tally runCases(uint64_t seed, llvm::ArrayRef<Generator> generators,
               size_t functions = kFunctions) {
  Random random(seed);
  Batch batch(getContext());
  std::vector<Entry> entries;
  Tally tally;
  while (entries.size() < functions) {
    Entry entry = generators[random.between(0, generators.size() - 1)](random);
    for (const AlgebraValue &operand : entry.op.operands)
      collectSymbols(operand, entry.symbols);
    if (entry.symbols.empty())
      continue;
    if (!batch.add(entry.op)) {
      ++tally.refused;
      if (tally.refused > 50 * static_cast<int>(functions)) {
        ADD_FAILURE() << "nearly everything is refused";
        return tally;
      }
      continue;
    }
    entries.push_back(std::move(entry));
  }
  if (!batch.compile())
    return tally;
  tally.functions = entries.size();
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry &entry = entries[i];
    for (int run = 0; run < kRuns; ++run) {
      Assignment values = run == 0 ? entry.values : vary(random, entry);
      std::string what = entry.op.str(values);
      Outcome outcome = batch.run(i, values);
      std::optional<AlgebraValue> want = batch.evaluate(entry.op, values);
      ++tally.runs;
      std::vector<AlgebraValue> numbers;
      for (const AlgebraValue &operand : entry.op.operands)
        numbers.push_back(assign(operand, values));
      if (!outcome.failure.empty()) {
        ++tally.failed;
        // A reason: the promise is broken, or the static op refuses or gives
        // what is no result.
        // Static values have 64 bits, whatever the width of the leaf.
        bool reason =
            outcome.failure.find("[int_overflow]") != std::string::npos ||
            !keepsDivisors(entry, values) || !want ||
            llvm::any_of(numbers, isEmpty) ||
            (entry.define && !entry.define(numbers, *want).empty());
        if (!reason) {
          ++tally.conservative;
          if (getenv("FLY_SHOW_CONSERVATIVE"))
            llvm::errs() << what << "\n    " << outcome.failure << "\n";
        }
        continue;
      }
      ++tally.held;
      if (llvm::any_of(numbers, isEmpty))
        continue;
      // The definition decides. A layout may meet it in another way than the
      // static one, which knows its modes of size 1.
      std::string wrong =
          entry.define ? entry.define(numbers, outcome.value) : "";
      if (wrong.empty() && want &&
          (!entry.define || outcome.value.getIf<IntTuple>()))
        wrong = compare(outcome.value, *want);
      EXPECT_EQ(wrong, "") << what;
      if (::testing::Test::HasFailure())
        return tally;
    }
  }
  ::testing::Test::RecordProperty("runs", tally.runs);
  EXPECT_LT(tally.conservative, tally.runs / 4);
  llvm::outs() << tally.functions << " functions, " << tally.refused
               << " refused, " << tally.runs << " runs, " << tally.held
               << " held, " << tally.failed << " failed, " << tally.conservative
               << " of them conservative\n";
  return tally;
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

/// A packed layout of powers of two, its modes in any order.
Layout powerLayout(Random &random, int leaves) {
  std::vector<IntTuple> sizes, order;
  for (int i = 0; i < leaves; ++i) {
    sizes.push_back(IntTuple(int64_t(1) << random.between(0, 3)));
    order.push_back(IntTuple(random.between(0, 3)));
  }
  if (leaves == 1)
    return Layout(sizes[0], 1);
  return *layout::makeOrderedLayout(IntTuple::tuple(sizes),
                                    IntTuple::tuple(order));
}

/// Now and then strides far beyond 2^31.
Layout anyLayout(Random &random, int leaves, bool tame = false) {
  if (random.chance(30))
    return powerLayout(random, random.between(1, leaves));
  Layout layout = random.layout(leaves, 200, tame);
  if (!random.chance(15))
    return layout;
  int64_t scale = int64_t(1) << random.between(20, 40);
  return Layout(layout.getShape(), layout.getStride().map([&](const auto &d) {
    return layout::Leaf(Int::constant(d.getInt().getValue() * scale));
  }));
}

/// Numbers up to this are made symbols by Random, which tries all divisors.
constexpr int64_t kSmall = 4096;

/// A symbol for a large number, of 64 bits where it needs them.
Int largeSymbol(Random &random, int64_t value, Entry &entry) {
  unsigned id = entry.values.size();
  entry.values[id] = value;
  bool wide = layout::exceeds32(value) || random.chance(30);
  return Int::symbol(id, wide ? 64 : 32,
                     random.chance(50) ? 1 : value & -value);
}

/// The tuple with some leaves as symbols.
IntTuple symbolic(Random &random, const IntTuple &tuple, Entry &entry,
                  int percent = 60) {
  return tuple.map([&](const layout::Leaf &leaf) {
    if (leaf.isNone())
      return leaf;
    int64_t value = leaf.getInt().getValue();
    if (std::abs(value) <= kSmall)
      return random.symbolic(IntTuple(leaf), entry.values, percent).getLeaf();
    return random.chance(percent)
               ? leaf.withInt(largeSymbol(random, value, entry))
               : leaf;
  });
}

AlgebraValue symbolic(Random &random, const Layout &layout, Entry &entry,
                      int percent = 35) {
  IntTuple shape = symbolic(random, layout.getShape(), entry, percent);
  IntTuple stride = symbolic(random, layout.getStride(), entry, percent);
  return layout::AnyLayout(Layout(shape, stride));
}

/// `first` on all operands but the last, then the index of the last.
OpMaker thenIndex(OpMaker first) {
  OpMaker index = makerOf<Crd2IdxOp>();
  return [=](OpBuilder &builder, ValueRange operands) -> FailureOr<Value> {
    FailureOr<Value> map = first(builder, operands.drop_back());
    if (failed(map))
      return failure();
    return index(builder, {operands.back(), *map});
  };
}

/// An op on one layout.
template <typename OpT>
Generator unary(const char *name, Definition define, bool tame = false) {
  return [=](Random &random) {
    Entry entry{{name, makerOf<OpT>(), {}}, define, {}, {}};
    entry.op.operands.push_back(
        symbolic(random, anyLayout(random, 4, tame), entry));
    return entry;
  };
}

/// An op on two layouts, the second smaller.
template <typename OpT>
Generator binary(const char *name, Definition define, int secondLeaves = 2,
                 bool tame = true) {
  return [=](Random &random) {
    Entry entry{{name, makerOf<OpT>(), {}}, define, {}, {}};
    Layout a = anyLayout(random, 3, tame && random.chance(70));
    Layout b = random.chance(50)
                   ? powerLayout(random, random.between(1, secondLeaves))
                   : random.layout(secondLeaves, 24, true);
    entry.op.operands.push_back(symbolic(random, a, entry));
    entry.op.operands.push_back(symbolic(random, b, entry, 20));
    return entry;
  };
}

/// The number of a coordinate, or a coordinate of the modes.
template <typename OpT>
Generator indexed(const char *name, Definition define, bool ofImage) {
  return [=](Random &random) {
    Entry entry{{name, makerOf<OpT>(), {}}, define, {}, {}};
    Layout map = anyLayout(random, 4);
    // Where all coordinates have one index the result is static, and the op
    // gone before anybody checks.
    while (ofImage && llvm::all_of(plain(map).modes, [](const auto &mode) {
             return mode.size == 1 || mode.stride == 0;
           }))
      map = anyLayout(random, 4);
    PlainLayout p = plain(map);
    int64_t number = random.between(0, p.size() - 1);
    IntTuple coord(number);
    if (ofImage)
      coord = IntTuple(p.indexAt(number));
    else if (random.chance(50) && !map.isLeaf()) {
      coord = map.getShape().map([&](const layout::Leaf &s) {
        return layout::Leaf(
            Int::constant(random.between(0, s.getInt().getValue() - 1)));
      });
    }
    entry.op.operands.push_back(symbolic(random, coord, entry, 80));
    entry.op.operands.push_back(symbolic(random, map, entry, 30));
    return entry;
  };
}

/// Two tuples of one profile.
template <typename OpT>
Generator tuples(const char *name,
                 std::function<std::optional<int64_t>(int64_t, int64_t)> leaf) {
  return [=](Random &random) {
    Entry entry{{name, makerOf<OpT>(), {}}, defineElementwise(leaf), {}, {}};
    IntTuple shape = random.shape(3, 1000);
    auto numbers = [&] {
      int64_t large = random.chance(10) ? INT32_MAX : 40;
      return shape.map([&](const layout::Leaf &) {
        return layout::Leaf(Int::constant(random.between(-large / 2, large)));
      });
    };
    // A large divisor search is slow: large numbers have none.
    auto operand = [&](const IntTuple &tuple) {
      return tuple.map([&](const layout::Leaf &number) {
        int64_t value = number.getInt().getValue();
        if (!random.chance(60))
          return number;
        unsigned id = entry.values.size();
        entry.values[id] = value;
        int64_t divisor = value != 0 && random.chance(30) ? value & -value : 1;
        return layout::Leaf(
            Int::symbol(id, random.chance(30) ? 64 : 32, divisor));
      });
    };
    entry.op.operands.push_back(operand(numbers()));
    entry.op.operands.push_back(operand(numbers()));
    return entry;
  };
}

} // namespace

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

TEST(DynamicAlgebra, Evaluation) {
  Generator swizzled = [](Random &random) {
    Entry entry{{"crd2idx", makerOf<Crd2IdxOp>(), {}}, defineCrd2Idx, {}, {}};
    int64_t x = random.between(-5, int64_t(1) << random.between(3, 40));
    entry.values[0] = x;
    entry.op.operands.push_back(
        IntTuple(Int::symbol(0, layout::exceeds32(x) ? 64 : 32)));
    entry.op.operands.push_back(*layout::Swizzle::get(
        random.between(0, 4), random.between(0, 30), random.between(1, 20)));
    return entry;
  };
  Generator composed = [](Random &random) {
    Entry entry{{"crd2idx", makerOf<Crd2IdxOp>(), {}}, defineCrd2Idx, {}, {}};
    Layout outer = random.layout(3, 200, true);
    auto number = symbolic(
        random, IntTuple(random.between(0, plain(outer).size() - 1)), entry);
    auto offset = symbolic(random, IntTuple(random.between(0, 30)), entry, 50);
    layout::InnerMap inner = *layout::Swizzle::get(
        random.between(0, 3), random.between(0, 3), random.between(1, 4));
    if (random.chance(40))
      inner = symbolic(random, random.layout(2, 60, true), entry)
                  .get<layout::AnyLayout>();
    auto around = symbolic(random, outer, entry).get<layout::AnyLayout>();
    entry.op.operands.push_back(number);
    entry.op.operands.push_back(
        layout::AnyLayout(layout::ComposedLayout(inner, offset, around)));
    return entry;
  };
  // A slice of a swizzled layout, at its coordinate: the layout itself at both.
  Generator sliced = [](Random &random) {
    Entry entry{{"slice and crd2idx", thenIndex(makerOf<SliceOp>()), {}},
                [](Values operands, const AlgebraValue &result) {
                  const IntTuple &at = operands[1].get<IntTuple>();
                  AlgebraValue both[] = {
                      IntTuple::tuple({operands[2].get<IntTuple>(), at[1]}),
                      operands[0]};
                  return defineCrd2Idx(both, result);
                },
                {},
                {}};
    IntTuple shape = IntTuple::tuple(
        {int64_t(1) << random.between(0, 3), random.between(1, 48)});
    Layout outer(shape, random.strides(shape, true));
    auto around = symbolic(random, outer, entry).get<layout::AnyLayout>();
    entry.op.operands.push_back(layout::AnyLayout(layout::ComposedLayout(
        *layout::Swizzle::get(random.between(0, 3), random.between(0, 3),
                              random.between(1, 4)),
        symbolic(random, IntTuple(random.between(0, 30)), entry), around)));
    auto at = [&](size_t mode) {
      int64_t extent = shape[mode].getInt().getValue();
      return symbolic(random, IntTuple(random.between(0, extent - 1)), entry);
    };
    IntTuple i = at(0), j = at(1);
    entry.op.operands.push_back(IntTuple::tuple({Int::none(), j}));
    entry.op.operands.push_back(i);
    return entry;
  };
  std::vector<Generator> generators = {
      indexed<Crd2IdxOp>("crd2idx", defineCrd2Idx, false),
      swizzled,
      composed,
      sliced,
      unary<SizeOp>("size", defineSize),
      unary<CosizeOp>("cosize", defineCosize)};
  Tally tally = runCases(101, generators);
  EXPECT_GT(tally.held, tally.runs / 2);
}

TEST(DynamicAlgebra, Coordinates) {
  std::vector<Generator> generators = {
      indexed<Idx2CrdOp>("idx2crd", defineIdx2Crd, true),
      indexed<GetFlatCoordOp>("get_flat_coord", defineFlatCoord, true),
      indexed<Get1DCoordOp>("get_1d_coord", defineFlatCoord, true)};
  Tally tally = runCases(102, generators);
  EXPECT_GT(tally.held, tally.runs / 5);
}

TEST(DynamicAlgebra, Arithmetic) {
  auto overflow = [](auto op) {
    return [op](int64_t a, int64_t b) -> std::optional<int64_t> {
      int64_t result;
      if (op(a, b, &result))
        return std::nullopt;
      return result;
    };
  };
  auto quotient = [](auto op) {
    return [op](int64_t a, int64_t b) -> std::optional<int64_t> {
      if (b == 0)
        return std::nullopt;
      return op(a, b);
    };
  };
  auto ceiling = [](int64_t a, int64_t b) {
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
  };
  std::vector<Generator> generators = {
      tuples<IntTupleAddOp>("int_tuple_add",
                            overflow([](auto a, auto b, auto *r) {
                              return __builtin_add_overflow(a, b, r);
                            })),
      tuples<IntTupleSubOp>("int_tuple_sub",
                            overflow([](auto a, auto b, auto *r) {
                              return __builtin_sub_overflow(a, b, r);
                            })),
      tuples<IntTupleMulOp>("int_tuple_mul",
                            overflow([](auto a, auto b, auto *r) {
                              return __builtin_mul_overflow(a, b, r);
                            })),
      tuples<IntTupleDivOp>("int_tuple_div",
                            quotient([](auto a, auto b) { return a / b; })),
      tuples<IntTupleModOp>("int_tuple_mod",
                            quotient([](auto a, auto b) { return a % b; })),
      tuples<CeilDivOp>("ceil_div", quotient(ceiling)),
      tuples<ShapeDivOp>("shape_div",
                         [=](int64_t a, int64_t b) -> std::optional<int64_t> {
                           if (b == 0)
                             return std::nullopt;
                           if (a != 0 && a % b != 0 && b % a != 0)
                             return std::nullopt;
                           return ceiling(a, b);
                         })};
  Tally tally = runCases(103, generators);
  EXPECT_GT(tally.held, tally.runs / 4);
}

TEST(DynamicAlgebra, Composition) {
  std::vector<Generator> generators = {
      binary<CompositionOp>("composition", defineComposition)};
  Tally tally = runCases(104, generators);
  EXPECT_GT(tally.held, tally.runs / 4);
}

TEST(DynamicAlgebra, Division) {
  auto byTile = [](const char *name, OpMaker maker) -> Generator {
    return [=](Random &random) {
      Entry entry{{name, maker, {}}, nullptr, {}, {}};
      Layout whole = anyLayout(random, 3, true);
      std::vector<layout::Tile> elements;
      for (size_t i = 0; i < whole.rank(); ++i)
        elements.push_back(
            random.chance(20)
                ? layout::Tile()
                : layout::Tile(int64_t(1) << random.between(0, 2)));
      entry.op.operands.push_back(symbolic(random, whole, entry));
      entry.op.operands.push_back(layout::Tile::list(elements));
      return entry;
    };
  };
  // A swizzled layout in tiles: the index of a coordinate of the division.
  Generator swizzledTile = [](Random &random) {
    Entry entry{
        {"zipped_divide and crd2idx", thenIndex(makerOf<ZippedDivideOp>()), {}},
        nullptr,
        {},
        {}};
    Layout outer = powerLayout(random, 2);
    auto around = symbolic(random, outer, entry).get<layout::AnyLayout>();
    entry.op.operands.push_back(layout::AnyLayout(layout::ComposedLayout(
        *layout::Swizzle::get(random.between(0, 3), random.between(0, 3),
                              random.between(1, 4)),
        symbolic(random, IntTuple(random.between(0, 30)), entry), around)));
    entry.op.operands.push_back(
        layout::Tile::list({int64_t(1) << random.between(0, 2),
                            int64_t(1) << random.between(0, 2)}));
    entry.op.operands.push_back(symbolic(
        random, IntTuple(random.between(0, plain(outer).size() - 1)), entry));
    return entry;
  };
  std::vector<Generator> generators = {
      binary<LogicalDivideOp>("logical_divide", defineDivide, 1),
      binary<ZippedDivideOp>("zipped_divide", defineDivide, 1),
      binary<TiledDivideOp>("tiled_divide", defineDivide, 1),
      binary<FlatDivideOp>("flat_divide", defineDivide, 1),
      byTile("logical_divide", makerOf<LogicalDivideOp>()),
      byTile("zipped_divide", makerOf<ZippedDivideOp>()),
      byTile("tiled_divide", makerOf<TiledDivideOp>()),
      byTile("flat_divide", makerOf<FlatDivideOp>()),
      swizzledTile};
  Tally tally = runCases(105, generators);
  EXPECT_GT(tally.held, tally.runs / 4);
}

TEST(DynamicAlgebra, Products) {
  std::vector<Generator> generators = {
      binary<LogicalProductOp>("logical_product", defineProduct),
      binary<ZippedProductOp>("zipped_product", defineProduct),
      binary<TiledProductOp>("tiled_product", defineProduct),
      binary<FlatProductOp>("flat_product", defineProduct),
      binary<BlockedProductOp>("blocked_product", defineProduct),
      binary<RakedProductOp>("raked_product", defineProduct)};
  Tally tally = runCases(106, generators);
  EXPECT_GT(tally.held, tally.runs / 4);
}

TEST(DynamicAlgebra, ComplementAndInverses) {
  Generator complement = [](Random &random) {
    Entry entry{
        {"complement", makerOf<ComplementOp>(), {}}, defineComplement, {}, {}};
    Layout map = anyLayout(random, 3, true);
    entry.op.operands.push_back(symbolic(random, map, entry));
    entry.op.operands.push_back(
        symbolic(random, IntTuple(random.between(1, 200)), entry));
    return entry;
  };
  std::vector<Generator> generators = {
      complement, unary<RightInverseOp>("right_inverse", defineRightInverse),
      unary<LeftInverseOp>("left_inverse", defineLeftInverse, true)};
  Tally tally = runCases(107, generators);
  EXPECT_GT(tally.held, tally.runs / 4);
}

TEST(DynamicAlgebra, CoalesceRecastAndConstructed) {
  auto recast = [](int64_t from, int64_t to) -> Generator {
    return [=](Random &random) {
      auto set = [=](OpBuilder &builder, OperationState &state) {
        auto &properties =
            state.getOrAddProperties<RecastLayoutOp::Properties>();
        properties.old_type_bits = builder.getI32IntegerAttr(from);
        properties.new_type_bits = builder.getI32IntegerAttr(to);
      };
      Entry entry{{"recast_layout", makerOf<RecastLayoutOp>(set), {}},
                  defineRecast(from, to),
                  {},
                  {}};
      entry.op.operands.push_back(
          symbolic(random, anyLayout(random, 3, true), entry, 25));
      return entry;
    };
  };
  Generator ordered = [](Random &random) {
    Entry entry{{"make_ordered_layout", makerOf<MakeOrderedLayoutOp>(), {}},
                nullptr,
                {},
                {}};
    IntTuple shape = random.shape(4, 200);
    entry.op.operands.push_back(symbolic(random, shape, entry));
    entry.op.operands.push_back(shape.map([&](const layout::Leaf &) {
      return layout::Leaf(Int::constant(random.between(0, 3)));
    }));
    return entry;
  };
  Generator target = [](Random &random) {
    Entry entry{
        {"tile_to_shape", makerOf<TileToShapeOp>(), {}}, nullptr, {}, {}};
    IntTuple block =
        IntTuple::tuple({random.between(1, 4), random.between(1, 4)});
    entry.op.operands.push_back(
        layout::AnyLayout(Layout(block, *layout::compactColMajor(block))));
    entry.op.operands.push_back(symbolic(
        random, IntTuple::tuple({random.between(1, 20), random.between(1, 20)}),
        entry));
    entry.op.operands.push_back(random.chance(50) ? IntTuple::tuple({0, 1})
                                                  : IntTuple::tuple({1, 0}));
    return entry;
  };
  std::vector<Generator> generators = {
      unary<CoalesceOp>("coalesce", defineCoalesce),
      unary<MakeLayoutLikeOp>("make_layout_like", definePacked, true),
      recast(8, 16),
      recast(32, 8),
      recast(16, 32),
      ordered,
      target};
  Tally tally = runCases(108, generators);
  EXPECT_GT(tally.held, tally.runs / 3);
}
