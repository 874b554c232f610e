// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of tiled copies and tiled matrix operations. The matrix atom is one
// thread of extent 1x1x1; operands: atoms, permutation, tensor, thread.

#include "Table.h"
#include "gtest/gtest.h"

using fly::layout::test::expectTable;

TEST(TiledTable, Copy) {
  expectTable(R"(
partition_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<(32,6):(6,1)> ; int_tuple<?>) -> (int_tuple<?>, layout<((4,1),2,2):((6,0),96,3)>)
partition_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<(32,6):(6,1)> ; int_tuple<7>) -> (int_tuple<73>, layout<((4,1),2,2):((6,0),96,3)>)
partition_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<(32,6):(1E0,1E1)> ; int_tuple<?>) -> (int_tuple<(?{div=4},?)>, layout<((4,1),2,2):((1E0,0),16E0,3E1)>)
partition_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<(?,?,5):(?,1,?)> ; int_tuple<?>) -> (int_tuple<?>, layout<((4,1),?,?,5):((?,0),?{div=16},3,?)>)
retile_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<(8,1,2):(1,0,8)>) -> layout<((4,2),1,2):((1,4),0,8)>
partition_copy (layout<(1,4):(0,1)> ; layout<4:1> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<(32,6):(6,1)> ; int_tuple<?>) -> error: tiled_copy_c1
retile_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]> ; layout<8:1>) -> error: tiled_copy_c2
retile_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|*]> ; layout<(8,1,2):(1,0,8)>) -> error: tiled_copy_c1
)");
}

TEST(TiledTable, Mma) {
  expectTable(R"(
partition_mma {operand = 0} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(6,4):(4,1)> ; int_tuple<?>) -> (int_tuple<?{div=4}>, layout<(1,3,4):(0,8,1)>)
partition_mma {operand = 2} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(6,9):(9,1)> ; int_tuple<?>) -> (int_tuple<?>, layout<(1,3,3):(0,18,3)>)
partition_mma {operand = 1} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(9,4):(1E0,1E1)> ; int_tuple<4>) -> (int_tuple<2E0>, layout<(1,3,4):(0,3E0,1E1)>)
partition_shape_mma {operand = 3} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; int_tuple<(6,9)>) -> int_tuple<(1,3,3)>
make_fragment_mma {operand = 0} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(6,4):(4,1)>) -> layout<(1,3,4):(0,4,1)>
make_fragment_mma {operand = 0, stages = 2} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(6,4):(4,1)>) -> layout<(1,3,4,2):(0,4,1,12)>
partition_mma {operand = 0} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(7,4):(4,1)> ; int_tuple<?>) -> error: tiled_mma_c2
partition_mma {operand = 0} (layout<(2,3):(1,2)> ; tile<[*|*|*]> ; layout<(6,4):(4,1)> ; int_tuple<?>) -> error: tiled_mma_c1
partition_mma {operand = 0} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<6:4> ; int_tuple<?>) -> error: tiled_mma_c1
make_fragment_mma {operand = 0, stages = 0} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<(6,4):(4,1)>) -> error: make_fragment_c1
make_fragment_mma {operand = 0, stages = 1} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]> ; layout<6:1>) -> error: make_fragment_c2
)");
}

TEST(TiledTable, ThreadsAndValues) {
  expectTable(R"(
thread_value_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|3]>) -> layout<(12,(4,1)):(4,(1,0))>
thread_value_copy (layout<(1,4):(0,1)> ; layout<(1,4):(0,1)> ; layout<((4,3),4):((4,16),1)> ; tile<[16|*]>) -> error: tiled_copy_c1
tile_size_mma (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]>) -> int_tuple<(2,3,1)>
tile_size_mma (layout<(2,3,1):(1,2,0)> ; tile<[4|6:1|*]>) -> int_tuple<(4,6,1)>
tile_size_mma (layout<(2,3,1):(1,2,0)> ; tile<[4|[6|2]|*]>) -> error: tiled_mma_c1
tile_size_mma (layout<(2,3):(1,2)> ; tile<[*|*|*]>) -> error: tiled_mma_c1
thread_layout_mma (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]>) -> layout<(1,2,3,1):(0,1,2,0)>
thread_layout_mma (layout<(2,3):(1,2)> ; tile<[*|*|*]>) -> error: tiled_mma_c1
thread_value_mma {operand = 0} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]>) -> layout<((2,3),(1,(1,1))):((1,0),(0,(0,0)))>
thread_value_mma {operand = 1} (layout<(2,3,1):(1,2,0)> ; tile<[*|*|*]>) -> layout<((2,3),(1,(1,1))):((0,1),(0,(0,0)))>
thread_value_mma {operand = 2} (layout<(2,3,1):(1,2,0)> ; tile<[4|3|*]>) -> layout<((2,3),(1,(2,1))):((1,4),(0,(2,0)))>
)");
}
