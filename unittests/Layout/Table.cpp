// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner of test tables.

#include "Table.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Parse.h"
#include "Fly/Layout/Product.h"
#include "Fly/Layout/Recast.h"
#include "Fly/Layout/Tiled.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

#include <functional>
#include <map>

using namespace fly::layout;

namespace {

using Operand =
    std::variant<IntTuple, AnyLayout, Tile, Swizzle, CoordSwizzle, int64_t>;

/// A line under way: operands and attributes.
struct Call {
  std::vector<Operand> operands;
  std::map<std::string, std::vector<int64_t>> attributes;

  const IntTuple &tuple(size_t i) const {
    return std::get<IntTuple>(operands[i]);
  }
  const AnyLayout &layout(size_t i) const {
    return std::get<AnyLayout>(operands[i]);
  }
  const Layout &linear(size_t i) const { return layout(i).getLinear(); }
  const Tile &tile(size_t i) const { return std::get<Tile>(operands[i]); }
  bool isTuple(size_t i) const {
    return std::holds_alternative<IntTuple>(operands[i]);
  }
  bool isTile(size_t i) const {
    return std::holds_alternative<Tile>(operands[i]);
  }
  std::optional<int32_t> attribute(const char *name) const {
    auto found = attributes.find(name);
    if (found == attributes.end())
      return std::nullopt;
    return static_cast<int32_t>(found->second.front());
  }
  std::vector<int32_t> list(const char *name) const {
    const auto &values = attributes.at(name);
    return std::vector<int32_t>(values.begin(), values.end());
  }
};

std::string show(const IntTuple &t) { return "int_tuple<" + t.str() + ">"; }
std::string show(const Int &t) { return "int_tuple<" + t.str() + ">"; }
std::string show(const Layout &l) { return "layout<" + l.str() + ">"; }
std::string show(const AnyLayout &l) {
  return (l.isPlain() ? "layout<" : "composed_layout<") + l.str() + ">";
}
std::string show(const Partition &p) {
  return "(" + show(p.offset) + ", " + show(p.layout) + ")";
}
template <typename T>
std::string show(const Result<T> &result) {
  return result ? show(*result) : "error: " + result.error().label;
}

using Op = std::function<std::string(const Call &)>;

/// An operation on the linear part.
template <typename Fn>
Op linear(Fn fn) {
  return [fn](const Call &c) {
    return show(
        onLinear(c.layout(0), [&](const Layout &l) { return fn(l, c); }));
  };
}

/// An operation with a tuple and a layout form, on the operand itself.
template <typename OnTuple, typename OnLayout>
Op structural(OnTuple onTuple, OnLayout onLayout) {
  return [=](const Call &c) {
    return c.isTuple(0) ? show(onTuple(c.tuple(0), c))
                        : show(onLayout(c.layout(0), c));
  };
}

template <typename Fn>
Op tuples2(Fn fn) {
  return [fn](const Call &c) { return show(fn(c.tuple(0), c.tuple(1))); };
}

/// Division by a layout or a tile.
#define FLY_DIVIDE(fn)                                                         \
  linear([](const Layout &l, const Call &c) {                                  \
    return c.isTile(1) ? fn(l, c.tile(1)) : fn(l, c.linear(1));                \
  })
#define FLY_PRODUCT(fn)                                                        \
  linear([](const Layout &l, const Call &c) { return fn(l, c.linear(1)); })
#define FLY_TUPLES(fn)                                                         \
  tuples2([](const IntTuple &a, const IntTuple &b) { return fn(a, b); })

MmaOperandKind mmaOperand(const Call &c) {
  return static_cast<MmaOperandKind>(*c.attribute("operand"));
}

/// Operands: ref, side, thread-value layout, tile.
TiledCopyDesc copyOf(const Call &c) {
  TiledCopyDesc copy;
  copy.ref = c.linear(0);
  copy.src = copy.dst = c.linear(1);
  copy.tv = c.linear(2);
  copy.tile = c.tile(3);
  return copy;
}

/// Operands: atom layout, permutation; the atom is one thread, 1x1x1.
TiledMmaDesc mmaOf(const Call &c) {
  TiledMmaDesc mma;
  Layout one = *parseLayout("(1,1):(0,0)");
  mma.valueA = mma.valueB = mma.valueC = one;
  mma.atoms = c.linear(0);
  mma.permutation = c.tile(1);
  return mma;
}

const llvm::StringMap<Op> &operations() {
  static const llvm::StringMap<Op> table = [] {
    llvm::StringMap<Op> t;
    t["int_tuple_add"] = FLY_TUPLES(add);
    t["int_tuple_sub"] = FLY_TUPLES(sub);
    t["int_tuple_mul"] = FLY_TUPLES(mul);
    t["int_tuple_div"] = FLY_TUPLES(div);
    t["int_tuple_mod"] = FLY_TUPLES(mod);
    t["int_tuple_min"] = FLY_TUPLES(min);
    t["int_tuple_max"] = FLY_TUPLES(max);
    t["ceil_div"] = FLY_TUPLES(ceilDiv);
    t["shape_div"] = FLY_TUPLES(shapeDiv);
    t["elem_less"] = FLY_TUPLES(elemLess);
    t["equal"] = FLY_TUPLES(equal);
    t["int_tuple_product_like"] = FLY_TUPLES(productLike);
    t["inner_product"] = FLY_TUPLES(innerProduct);
    t["filter_zero"] = FLY_TUPLES(filterZero);
    t["make_ordered_layout"] = FLY_TUPLES(makeOrderedLayout);
    t["int_tuple_product"] = [](const Call &c) {
      return show(product(c.tuple(0)));
    };
    t["int_tuple_product_each"] = [](const Call &c) {
      return show(productEach(c.tuple(0)));
    };
    t["zip"] = [](const Call &c) { return show(zip(c.tuple(0))); };
    t["make_identity_layout"] = [](const Call &c) {
      return show(makeIdentityLayout(c.tuple(0)));
    };
    t["make_layout_like"] = [](const Call &c) {
      return show(makeLayoutLike(c.linear(0)));
    };
    t["make_fragment_layout_like"] = [](const Call &c) {
      return show(makeFragmentLayout(c.linear(0)));
    };

    t["group"] = structural(
        [](const IntTuple &x, const Call &c) {
          return group(x, *c.attribute("begin"), *c.attribute("end"));
        },
        [](const AnyLayout &x, const Call &c) {
          return group(x, *c.attribute("begin"), *c.attribute("end"));
        });
    t["take"] = structural(
        [](const IntTuple &x, const Call &c) {
          return take(x, *c.attribute("begin"), *c.attribute("end"));
        },
        [](const AnyLayout &x, const Call &c) {
          return take(x, *c.attribute("begin"), *c.attribute("end"));
        });
    t["select"] =
        structural([](const IntTuple &x,
                      const Call &c) { return select(x, c.list("indices")); },
                   [](const AnyLayout &x, const Call &c) {
                     return select(x, c.list("indices"));
                   });
    t["get"] = structural(
        [](const IntTuple &x, const Call &c) { return get(x, c.list("mode")); },
        [](const AnyLayout &x, const Call &c) {
          return get(x, c.list("mode"));
        });
    t["append"] = structural(
        [](const IntTuple &x, const Call &c) {
          return append(x, c.tuple(1), c.attribute("n"));
        },
        [](const AnyLayout &x, const Call &c) {
          return append(x, c.linear(1), c.attribute("n"));
        });
    t["prepend"] = structural(
        [](const IntTuple &x, const Call &c) {
          return prepend(x, c.tuple(1), c.attribute("n"));
        },
        [](const AnyLayout &x, const Call &c) {
          return prepend(x, c.linear(1), c.attribute("n"));
        });
    t["slice"] = structural(
        [](const IntTuple &x, const Call &c) { return slice(x, c.tuple(1)); },
        [](const AnyLayout &x, const Call &c) { return slice(x, c.tuple(1)); });
    t["dice"] = structural(
        [](const IntTuple &x, const Call &c) { return dice(x, c.tuple(1)); },
        [](const AnyLayout &x, const Call &c) {
          return dice(x.getPlain(), c.tuple(1));
        });
    t["size"] = structural(
        [](const IntTuple &x, const Call &) { return size(x); },
        [](const AnyLayout &x, const Call &) { return size(x.getLinear()); });
    t["crd2idx"] = [](const Call &c) {
      const Operand &map = c.operands[1];
      if (const auto *swizzle = std::get_if<Swizzle>(&map))
        return show(applyInner(*swizzle, c.tuple(0)));
      if (const auto *swizzle = std::get_if<CoordSwizzle>(&map))
        return show(applyInner(*swizzle, c.tuple(0)));
      return show(crd2idx(c.tuple(0), c.layout(1)));
    };
    t["idx2crd"] = [](const Call &c) {
      return show(idx2crd(c.tuple(0), c.linear(1)));
    };
    t["get_flat_coord"] = [](const Call &c) {
      return show(getFlatCoord(c.tuple(0), c.linear(1)));
    };
    t["get_1d_coord"] = [](const Call &c) {
      return show(get1DCoord(c.tuple(0), c.linear(1)));
    };
    t["coprofile"] = [](const Call &c) { return show(coprofile(c.linear(0))); };
    t["coshape"] = [](const Call &c) { return show(coshape(c.linear(0))); };
    t["cosize"] = [](const Call &c) { return show(cosize(c.layout(0))); };

    t["coalesce"] = linear([](const Layout &l, const Call &c) {
      return c.operands.size() > 1 ? coalesce(l, c.tuple(1)) : coalesce(l);
    });
    t["composition"] = FLY_DIVIDE(composition);
    t["complement"] = linear([](const Layout &l, const Call &c) {
      return c.operands.size() > 1 ? complement(l, c.tuple(1)) : complement(l);
    });
    t["logical_divide"] = FLY_DIVIDE(logicalDivide);
    t["zipped_divide"] = FLY_DIVIDE(zippedDivide);
    t["tiled_divide"] = FLY_DIVIDE(tiledDivide);
    t["flat_divide"] = FLY_DIVIDE(flatDivide);
    t["logical_product"] = FLY_PRODUCT(logicalProduct);
    t["zipped_product"] = FLY_PRODUCT(zippedProduct);
    t["tiled_product"] = FLY_PRODUCT(tiledProduct);
    t["flat_product"] = FLY_PRODUCT(flatProduct);
    t["blocked_product"] = FLY_PRODUCT(blockedProduct);
    t["raked_product"] = FLY_PRODUCT(rakedProduct);
    t["tile_to_shape"] = linear([](const Layout &l, const Call &c) {
      return tileToShape(l, c.tuple(1), c.tuple(2));
    });
    t["recast_layout"] = [](const Call &c) {
      return show(recast(c.layout(0), *c.attribute("old_type_bits"),
                         *c.attribute("new_type_bits")));
    };
    t["right_inverse"] = [](const Call &c) {
      return show(rightInverse(c.layout(0)));
    };
    t["left_inverse"] = [](const Call &c) {
      return show(leftInverse(c.layout(0)));
    };

    t["partition_copy"] = [](const Call &c) {
      return show(
          partitionCopy(copyOf(c), c.linear(1), c.linear(4), c.tuple(5)));
    };
    t["retile_copy"] = [](const Call &c) {
      return show(retileCopy(copyOf(c), c.linear(4)));
    };
    t["partition_mma"] = [](const Call &c) {
      return show(partitionMma(mmaOf(c), mmaOperand(c), c.linear(2), c.tuple(3),
                               /*exact=*/true));
    };
    t["partition_shape_mma"] = [](const Call &c) {
      return show(partitionShapeMma(mmaOf(c), mmaOperand(c), c.tuple(2)));
    };
    t["make_fragment_mma"] = [](const Call &c) {
      auto stages = c.attribute("stages");
      return show(makeFragmentMma(mmaOf(c), mmaOperand(c), c.linear(2),
                                  stages ? std::optional<int64_t>(*stages)
                                         : std::nullopt));
    };
    t["thread_value_copy"] = [](const Call &c) {
      return show(threadValueCopy(copyOf(c), c.linear(1)));
    };
    t["tile_size_mma"] = [](const Call &c) {
      return show(tileSizeMma(mmaOf(c)));
    };
    t["thread_layout_mma"] = [](const Call &c) {
      return show(threadLayoutMma(mmaOf(c)));
    };
    t["thread_value_mma"] = [](const Call &c) {
      return show(threadValueMma(mmaOf(c), mmaOperand(c)));
    };
    t["origin_offset"] = [](const Call &c) {
      return show(originOffset(c.layout(0)));
    };
    t["add_offset"] = [](const Call &c) {
      return show(addOffset(c.layout(0), c.tuple(1)));
    };
    return t;
  }();
  return table;
}

template <typename T>
std::optional<Operand> wrapOperand(Result<T> result) {
  if (!result)
    return std::nullopt;
  return Operand(std::move(*result));
}

std::optional<Operand> parseOperand(llvm::StringRef text, unsigned *symbols) {
  auto [kind, rest] = text.trim().split('<');
  if (!rest.consume_back(">"))
    return std::nullopt;
  if (kind == "int_tuple")
    return wrapOperand(parseIntTuple(rest, symbols));
  if (kind == "layout" || kind == "composed_layout")
    return wrapOperand(parseAnyLayout(rest, symbols));
  if (kind == "tile")
    return wrapOperand(parseTile(rest, symbols));
  if (kind == "swizzle")
    return wrapOperand(parseSwizzle(rest));
  if (kind == "coord_swizzle")
    return wrapOperand(parseCoordSwizzle(rest));
  return std::nullopt;
}

/// `{begin = 1 : i32, indices = array<i32: 2, 0>}`: names and their numbers.
void parseAttributes(llvm::StringRef text, Call &call) {
  while (!text.empty()) {
    auto [name, rest] = text.split('=');
    std::vector<int64_t> values;
    rest = rest.ltrim();
    if (rest.consume_front("array<i32")) {
      auto [list, after] = rest.split('>');
      list.consume_front(":");
      while (!list.empty()) {
        auto [item, others] = list.split(',');
        int64_t value = 0;
        item.trim().getAsInteger(10, value);
        values.push_back(value);
        list = others;
      }
      rest = after;
    } else {
      int64_t value = 0;
      rest.take_while([](char ch) { return isdigit(ch) || ch == '-'; })
          .getAsInteger(10, value);
      values.push_back(value);
    }
    call.attributes[name.trim().str()] = std::move(values);
    text = rest.split(',').second;
  }
}

} // namespace

std::string test::compute(llvm::StringRef line) {
  llvm::StringRef head = line.trim();
  llvm::StringRef name = head.take_until([](char c) { return c == ' '; });
  llvm::StringRef rest = head.drop_front(name.size()).ltrim();
  Call call;
  if (rest.starts_with("{")) {
    auto [attributes, after] = rest.drop_front().split('}');
    parseAttributes(attributes, call);
    rest = after.ltrim();
  }
  if (!rest.consume_front("(") || !rest.consume_back(")"))
    return "unknown: operands of " + line.str();
  unsigned symbols = 0;
  while (!rest.empty()) {
    auto [operand, after] = rest.split(" ; ");
    auto parsed = parseOperand(operand, &symbols);
    if (!parsed)
      return "unknown: operand " + operand.str();
    call.operands.push_back(std::move(*parsed));
    rest = after;
  }
  auto found = operations().find(name);
  if (found == operations().end())
    return "unknown: operation " + name.str();
  return found->second(call);
}

void test::expectTable(llvm::StringRef table) {
  unsigned lines = 0;
  while (!table.empty()) {
    auto [line, rest] = table.split('\n');
    table = rest;
    line = line.split(" #").first.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    auto [left, right] = line.rsplit(" -> ");
    EXPECT_EQ(compute(left), right.trim().str()) << line.str();
    ++lines;
  }
  EXPECT_GT(lines, 0u);
}
