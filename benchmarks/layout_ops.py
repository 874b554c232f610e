#!/usr/bin/env python3
"""Prints a module with N layout operations in one kernel, for measuring how
the time of passes grows.

usage: layout_ops.py N

The kernel repeats a group of ten operations as an unrolled main loop has them:
it divides a run-time tensor, slices it by run-time coordinates, divides again,
slices, asks for sizes and offsets, and stores one value. Every group depends on
its own coordinate, so that nothing folds away as a common subexpression.
"""
import sys

HEAD = """module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @many(%t: !fly.memref<f32, global, (?,64):(64,1)>, %x: i32) kernel {
      %tile = fly.static : !fly.tile<[16|16]>
      %lane = fly.static : !fly.tile<[4|4]>
      %one = arith.constant 1.0 : f32
"""
GROUP = """      %k{i} = arith.constant {i} : i32
      %c{i} = arith.addi %x, %k{i} : i32
      %d{i} = fly.zipped_divide(%t, %tile) : (!fly.memref<f32, global, (?,64):(64,1)>, !fly.tile<[16|16]>) -> !fly.memref<f32, global, ((16,16),(?,4)):((64,1),(1024,16))>
      %p{i} = fly.make_int_tuple(%c{i}, %x) : (i32, i32) -> !fly.int_tuple<(*,(?,?))>
      %s{i} = fly.slice(%d{i}, %p{i}) : (!fly.memref<f32, global, ((16,16),(?,4)):((64,1),(1024,16))>, !fly.int_tuple<(*,(?,?))>) -> !fly.memref<f32, global, (16,16):(64,1)>
      %e{i} = fly.zipped_divide(%s{i}, %lane) : (!fly.memref<f32, global, (16,16):(64,1)>, !fly.tile<[4|4]>) -> !fly.memref<f32, global, ((4,4),(4,4)):((64,1),(256,4))>
      %q{i} = fly.make_int_tuple(%c{i}) : (i32) -> !fly.int_tuple<(*,?)>
      %f{i} = fly.slice(%e{i}, %q{i}) : (!fly.memref<f32, global, ((4,4),(4,4)):((64,1),(256,4))>, !fly.int_tuple<(*,?)>) -> !fly.memref<f32, global, (4,4):(64,1)>
      %g{i} = fly.get_layout(%f{i}) : (!fly.memref<f32, global, (4,4):(64,1)>) -> !fly.layout<(4,4):(64,1)>
      %h{i} = fly.size(%g{i}) : (!fly.layout<(4,4):(64,1)>) -> !fly.int_tuple<16>
      %i{i} = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<(?,3)>
      fly.memref.store(%one, %f{i}, %i{i}) : (f32, !fly.memref<f32, global, (4,4):(64,1)>, !fly.int_tuple<(?,3)>) -> ()
"""
OPS_IN_GROUP = 10
TAIL = """      gpu.return
    }
  }
}
"""


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    out = sys.stdout
    out.write(HEAD)
    for i in range(int(sys.argv[1]) // OPS_IN_GROUP):
        out.write(GROUP.replace("{i}", str(i)))
    out.write(TAIL)


if __name__ == "__main__":
    main()
