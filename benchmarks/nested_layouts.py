#!/usr/bin/env python3
"""Prints a module with N layout operations on deep or wide tuples, for
measuring what nesting and rank cost.

usage: nested_layouts.py deep|wide N

deep: layouts nested 12 levels, with a run-time extent innermost. wide: layouts
and coordinates of rank 64, all leaves of the coordinates known at run time only.
Every group of five operations depends on a value of its own.
"""
import sys

OPS_IN_GROUP = 5


def nest(leaves):
    """(a,(b,(c,...)))"""
    return leaves[0] if len(leaves) == 1 else f"({leaves[0]},{nest(leaves[1:])})"


def flat(leaves):
    return "(" + ",".join(leaves) + ")"


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("deep", "wide") or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    deep = sys.argv[1] == "deep"
    if deep:
        # 13 leaves nest in 12 levels.
        shape, stride = nest(["2"] * 12 + ["?"]), nest([str(2 ** i) for i in range(13)])
        coord, operands = nest(["?"] * 13), 13
    else:
        shape, stride = flat(["3"] * 63 + ["?"]), flat([str(5 * i + 1) for i in range(64)])
        coord, operands = flat(["?"] * 64), 64
    layout = f"!fly.layout<{shape}:{stride}>"
    out = sys.stdout
    out.write("module attributes {gpu.container_module} {\n  gpu.module @kernels {\n"
              "    gpu.func @many(%n: i32, %x: i32, %p: !fly.ptr<i32, global>) kernel {\n"
              "      %one = arith.constant 1 : i32\n")
    for i in range(int(sys.argv[2]) // OPS_IN_GROUP):
        leaves = ", ".join([f"%c{i}"] * operands)
        types = ", ".join(["i32"] * operands)
        out.write(f"""      %k{i} = arith.constant {i} : i32
      %c{i} = arith.addi %x, %k{i} : i32
      %s{i} = fly.make_int_tuple(%c{i}) : (i32) -> !fly.int_tuple<{shape}>
      %d{i} = fly.make_int_tuple() : () -> !fly.int_tuple<{stride}>
      %l{i} = fly.make_layout(%s{i}, %d{i}) : (!fly.int_tuple<{shape}>, !fly.int_tuple<{stride}>) -> {layout}
      %t{i} = fly.make_int_tuple({leaves}) : ({types}) -> !fly.int_tuple<{coord}>
      %e{i} = fly.int_tuple_add(%t{i}, %t{i}) : (!fly.int_tuple<{coord}>, !fly.int_tuple<{coord}>) -> !fly.int_tuple<{coord}>
      %i{i} = fly.crd2idx(%e{i}, %l{i}) : (!fly.int_tuple<{coord}>, {layout}) -> !fly.int_tuple<?>
      %q{i} = fly.add_offset(%p, %i{i}) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
      fly.ptr.store(%one, %q{i}) : (i32, !fly.ptr<i32, global>) -> ()
""")
    out.write("      gpu.return\n    }\n  }\n}\n")


if __name__ == "__main__":
    main()
