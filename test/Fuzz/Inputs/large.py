"""Writes a module of one kind of large input.

Usage: large.py KIND SIZE

Kinds: nested (tuples and layouts SIZE deep), wide (SIZE run-time leaves), chain
(SIZE ops in a row, each on the result before), regions (SIZE nested loops), long (an append of
SIZE leaves, 65534 times).
"""

import sys


def nested(size):
    inner = "(" * size + "?" + ")" * size
    shape = f"!fly.int_tuple<{inner}>"
    layout = f"!fly.layout<{inner}:{inner}>"
    composed = f"!fly.composed_layout<S<1,2,3> o 0 o {inner}:{inner}>"
    memref = f"!fly.memref<f32, global, {inner}:{inner}>"
    tensor = f"!fly.coord_tensor<0, {inner}:{inner}>"
    print(f"""
gpu.module @m {{
  gpu.func @k(%m: {memref}, %l: {layout}, %t: {tensor}, %x: f32) kernel {{
    %s = fly.get_shape(%l) : ({layout}) -> {shape}
    %c = fly.get_shape(%m) : ({memref}) -> {shape}
    %a = fly.int_tuple_add(%s, %c) : ({shape}, {shape}) -> {shape}
    %r = fly.make_layout(%a, %s) : ({shape}, {shape}) -> {layout}
    %w = fly.static : !fly.swizzle<S<1,2,3>>
    %z = fly.static : !fly.int_tuple<0>
    %o = fly.make_composed_layout(%w, %z, %r) : (!fly.swizzle<S<1,2,3>>, !fly.int_tuple<0>, {layout}) -> {composed}
    %n = fly.size(%o) : ({composed}) -> !fly.int_tuple<?>
    %v = fly.get_leaves(%a) : ({shape}) -> i32
    %e = fly.equal(%a, %s) : ({shape}, {shape}) -> i1
    fly.memref.store(%x, %m, %s) : (f32, {memref}, {shape}) -> ()
    fly.print(%n, %e, %v, %t) {{format = "{{}} {{}} {{}} {{}}"}} : (!fly.int_tuple<?>, i1, i32, {tensor}) -> ()
    gpu.return
  }}
}}""")


def wide(size):
    shape = f"!fly.int_tuple<({','.join(['?'] * size)})>"
    stride = f"!fly.int_tuple<({','.join(['1'] * size)})>"
    body = f"({','.join(['?'] * size)}):({','.join(['1'] * size)})"
    print(f"""
func.func @f(%s: {shape}, %c: {shape}) -> (!fly.int_tuple<?>, i1, !fly.int_tuple<?>) {{
  %d = fly.static : {stride}
  %l = fly.make_layout(%s, %d) : ({shape}, {stride}) -> !fly.layout<{body}>
  %n = fly.size(%l) : (!fly.layout<{body}>) -> !fly.int_tuple<?>
  %e = fly.elem_less(%c, %s) : ({shape}, {shape}) -> i1
  %i = fly.crd2idx(%c, %l) : ({shape}, !fly.layout<{body}>) -> !fly.int_tuple<?>
  return %n, %e, %i : !fly.int_tuple<?>, i1, !fly.int_tuple<?>
}}""")


def chain(size):
    print("func.func @f(%v0: !fly.int_tuple<?>, %p0: !fly.ptr<f32, global>)")
    print("    -> (!fly.int_tuple<?>, !fly.ptr<f32, global>) {")
    for i in range(size):
        print(f"  %v{i + 1} = fly.int_tuple_add(%v{i}, %v{i}) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>")
        print(f"  %p{i + 1} = fly.add_offset(%p{i}, %v{i}) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>")
    print(f"  return %v{size}, %p{size} : !fly.int_tuple<?>, !fly.ptr<f32, global>\n}}")


def regions(size):
    memref = "!fly.memref<f32, register, 4:1>"
    print(f"func.func @f(%x: f32) {{\n  %l = fly.static : !fly.layout<4:1>")
    print("  %a = arith.constant 0 : index\n  %b = arith.constant 1 : index")
    print(f"  %m = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> {memref}")
    print("  %c = fly.static : !fly.int_tuple<1>")
    for i in range(size):
        print(f"  scf.for %i{i} = %a to %b step %b {{")
    print(f"  fly.memref.store(%x, %m, %c) : (f32, {memref}, !fly.int_tuple<1>) -> ()")
    print("  }\n" * size + "  return\n}")


def long(size):
    element = f"!fly.int_tuple<({','.join(['2'] * size)})>"
    print("func.func @f() {\n  %a = fly.static : !fly.int_tuple<(1,1)>")
    print(f"  %b = fly.static : {element}")
    print(f"  %c = fly.append[65536] (%a, %b) : (!fly.int_tuple<(1,1)>, {element}) -> !fly.int_tuple<(1,1)>")
    print("  return\n}")


if __name__ == "__main__":
    {"nested": nested, "wide": wide, "chain": chain, "regions": regions, "long": long}[
        sys.argv[1]
    ](int(sys.argv[2]))
