// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of constructed layouts.

#include "Table.h"
#include "gtest/gtest.h"

using fly::layout::test::expectTable;

TEST(ConstructTable, MakeIdentityLayout) {
  expectTable(R"(
make_identity_layout (int_tuple<(3,(5,?))>) -> layout<(3,(5,?)):(1E0,(1E1E0,1E1E1))>
make_identity_layout (int_tuple<9>) -> layout<9:1>
# Preconditions, and what only the definition says.
make_identity_layout (int_tuple<(3,1E0)>) -> error: layout_c2
)");
}

TEST(ConstructTable, MakeOrderedLayout) {
  expectTable(R"(
make_ordered_layout (int_tuple<(3,5,7)> ; int_tuple<(1,2,0)>) -> layout<(3,5,7):(7,21,1)>
make_ordered_layout (int_tuple<(3,(5,7))> ; int_tuple<(1,0)>) -> layout<(3,(5,7)):(35,(1,5))>
make_ordered_layout (int_tuple<(3,(5,7))> ; int_tuple<(0,(2,1))>) -> layout<(3,(5,7)):(1,(21,3))>
make_ordered_layout (int_tuple<(3,5,7)> ; int_tuple<(?,0,?)>) -> layout<(3,5,7):(5,1,15)>
make_ordered_layout (int_tuple<(3,5)> ; int_tuple<(4,4)>) -> layout<(3,5):(1,3)>
make_ordered_layout (int_tuple<(3,?)> ; int_tuple<(1,0)>) -> layout<(3,?):(?,1)>
make_ordered_layout (int_tuple<((8,2,1),(1,2,5))> ; int_tuple<((?,3,1),(?,3,0))>) -> layout<((8,2,1),(1,2,5)):((20,5,5),(160,10,1))>
make_ordered_layout (int_tuple<((?,1),(4,4,1))> ; int_tuple<(?,?)>) -> layout<((?,1),(4,4,1)):((1,?),(?,?{div=4},?{div=16}))>
make_ordered_layout (int_tuple<(2,2)> ; int_tuple<(0,?)>) -> layout<(2,2):(1,2)>
make_ordered_layout (int_tuple<(6,1)> ; int_tuple<(0,2)>) -> layout<(6,1):(1,6)>
make_ordered_layout (int_tuple<(?{i64 div=6},(5,6),?{div=4})> ; int_tuple<(0,(3,?),0)>) -> layout<(?{i64 div=6},(5,6),?{div=4}):(1,(?{i64 div=24},?{i64 div=120}),?{i64 div=6})>
make_ordered_layout (int_tuple<(?{i64 div=6},4,1)> ; int_tuple<(0,2,1)>) -> layout<(?{i64 div=6},4,1):(1,?{i64 div=6},?{i64 div=6})>
make_ordered_layout (int_tuple<1> ; int_tuple<0>) -> layout<1:1>
make_ordered_layout (int_tuple<2> ; int_tuple<3>) -> layout<2:1>
make_ordered_layout (int_tuple<3> ; int_tuple<1>) -> layout<3:1>
# Preconditions, and what only the definition says.
make_ordered_layout (int_tuple<(3,5)> ; int_tuple<(1,0,2)>) -> error: make_ordered_layout_c1
make_ordered_layout (int_tuple<(3,5)> ; int_tuple<(1E0,1E1)>) -> error: make_ordered_layout_c2
make_ordered_layout (int_tuple<(65536,?,65536,2)> ; int_tuple<(0,1,2,3)>) -> layout<(65536,?,65536,2):(1,65536,?{div=65536},?{i64 div=4294967296})>
)");
}

TEST(ConstructTable, MakeLayoutLike) {
  expectTable(R"(
make_layout_like (layout<(3,5,2):(10,2,1)>) -> layout<(3,5,2):(10,2,1)>
make_layout_like (layout<(3,5,2):(0,2,1)>) -> layout<(3,5,2):(1,2,1)>
make_layout_like (layout<((8,6,4),3):((?{div=4},-2,16),3)>) -> layout<((8,6,4),3):((72,1,18),6)>
make_layout_like (layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>) -> layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>
make_layout_like (layout<((?,4),6):((-2,2),4)>) -> layout<((?,4),6):((1,?),?{div=4})>
make_layout_like (layout<(3,?):(2,8)>) -> layout<(3,?):(1,3)>
make_layout_like (layout<(8,6):(1,8)>) -> layout<(8,6):(1,8)>
make_layout_like (layout<(?,1,4):(3,-1,12)>) -> layout<(?,1,4):(1,1,?)>
make_layout_like (layout<(?{i64 div=6},8):(8,1)>) -> layout<(?{i64 div=6},8):(8,1)>
make_layout_like (layout<4:2>) -> layout<4:1>
make_layout_like (layout<8:2E1>) -> layout<8:1>
# Preconditions, and what only the definition says.
make_layout_like (layout<(3,5):(1E1,1E0)>) -> layout<(3,5):(1,3)>
make_layout_like (layout<(3,5):(1,1)>) -> layout<(3,5):(1,3)>
)");
}

TEST(ConstructTable, MakeFragmentLayoutLike) {
  expectTable(R"(
make_fragment_layout_like (layout<(3,5,7):(1,21,3)>) -> layout<(3,5,7):(1,21,3)>
make_fragment_layout_like (layout<((2,3),5,7):((1,0),?,30)>) -> layout<((2,3),5,7):((1,2),42,6)>
make_fragment_layout_like (layout<((5,3)):((3,1))>) -> layout<((5,3)):((1,5))>
make_fragment_layout_like (layout<((1,8,6),(6,2,2),2):((3,4,6),(6,6,4),-1)>) -> layout<((1,8,6),(6,2,2),2):((0,1,8),(192,1152,96),48)>
make_fragment_layout_like (layout<((4,4,6)):((1,4,16))>) -> layout<((4,4,6)):((1,4,16))>
make_fragment_layout_like (layout<((4,5),4):((4,16),1)>) -> layout<((4,5),4):((1,4),20)>
make_fragment_layout_like (layout<(2,(6,5,2)):(8,(4,6,24))>) -> layout<(2,(6,5,2)):(1,(2,12,60))>
make_fragment_layout_like (layout<(6,2,6):(16,3,2)>) -> layout<(6,2,6):(1,36,6)>
make_fragment_layout_like (layout<(8,3,(2,6,3)):(1,8,(24,48,288))>) -> layout<(8,3,(2,6,3)):(1,8,(24,48,288))>
make_fragment_layout_like (layout<1:-1>) -> layout<1:1>
make_fragment_layout_like (layout<1:1>) -> layout<1:1>
make_fragment_layout_like (layout<3:0>) -> layout<3:1>
# Preconditions, and what only the definition says.
make_fragment_layout_like (layout<((3,2),4):((0,1),2)>) -> layout<((3,2),4):((1,1),4)>
make_fragment_layout_like (layout<((4,1),2,2):((1E0,0),16E0,3E1)>) -> layout<((4,1),2,2):((1,0),4,8)>
)");
}

TEST(ConstructTable, TileToShape) {
  expectTable(R"(
tile_to_shape (layout<(3,5):(5,1)> ; int_tuple<(6,20)> ; int_tuple<(1,0)>) -> layout<((3,2),(5,4)):((5,60),(1,15))>
tile_to_shape (layout<(3,5):(5,1)> ; int_tuple<(7,20)> ; int_tuple<(0,1)>) -> layout<((3,3),(5,4)):((5,15),(1,45))>
tile_to_shape (layout<3:1> ; int_tuple<(6,4)> ; int_tuple<(0,1)>) -> layout<((3,2),(1,4)):((1,3),(0,6))>
tile_to_shape (layout<(3,5):(5,1)> ; int_tuple<(?,20)> ; int_tuple<(0,1)>) -> layout<((3,?),(5,4)):((5,15),(1,?{div=15}))>
tile_to_shape (layout<((2,6,2),6,4):((1,2,12),24,144)> ; int_tuple<(16,24,8)> ; int_tuple<(0,2,1)>) -> layout<(((2,6,2),1),(6,4),(4,2)):(((1,2,12),0),(24,1152),(144,576))>
tile_to_shape (layout<((3,8,2),5,1):((16,1,8),48,8)> ; int_tuple<32> ; int_tuple<0>) -> layout<(((3,8,2),1),(5,1),(1,1)):(((16,1,8),0),(48,0),(0,0))>
tile_to_shape (layout<(4,(2,1),6):(1,(4,8),8)> ; int_tuple<(24,24)> ; int_tuple<(1,0)>) -> layout<((4,6),((2,1),12),(6,1)):((1,576),((4,0),48),(8,0))>
tile_to_shape (layout<(4,(3,8)):(24,(8,1))> ; int_tuple<(16,8)> ; int_tuple<(0,1)>) -> layout<((4,4),((3,8),1)):((24,96),((8,1),0))>
tile_to_shape (layout<1:3> ; int_tuple<(24,16,32)> ; int_tuple<(1,0,2)>) -> layout<((1,24),(1,16),(1,32)):((0,16),(0,1),(0,384))>
tile_to_shape (layout<3:12> ; int_tuple<8> ; int_tuple<0>) -> layout<(3,3):(12,1)>
tile_to_shape (layout<3:1> ; int_tuple<(24,24,24)> ; int_tuple<(2,1,0)>) -> layout<((3,8),(1,24),(1,24)):((1,1728),(0,72),(0,3))>
tile_to_shape (layout<4:0> ; int_tuple<32> ; int_tuple<0>) -> layout<(4,8):(0,1)>
tile_to_shape (layout<4:1> ; int_tuple<(32,8)> ; int_tuple<(0,1)>) -> layout<((4,8),(1,8)):((1,4),(0,32))>
)");
}
