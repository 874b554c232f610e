// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of divisions and products.

#include "Table.h"
#include "gtest/gtest.h"

using fly::layout::test::expectTable;

TEST(DivideProductTable, LogicalDivide) {
  expectTable(R"(
logical_divide (layout<(6,10):(10,1)> ; layout<3:2>) -> layout<(3,(2,10)):(20,(10,1))>
logical_divide (layout<(6,10):(10,1)> ; tile<[3|5]>) -> layout<((3,2),(5,2)):((10,30),(1,5))>
logical_divide (layout<(6,10):(10,1)> ; tile<[3|*]>) -> layout<((3,2),10):((10,30),1)>
logical_divide (layout<(6,10):(10,1)> ; tile<[4|7]>) -> layout<((4,2),(7,2)):((10,40),(1,7))>
logical_divide (layout<12:1> ; tile<[5]>) -> layout<((5,3)):((1,5))>
logical_divide (layout<(6,10):(10,1)> ; tile<3>) -> layout<(3,(2,10)):(10,(30,1))>
logical_divide (layout<(6,10):(10,1)> ; tile<*>) -> layout<(6,10):(10,1)>
logical_divide (layout<10:1> ; layout<20:1>) -> layout<(20,1):(1,0)>
logical_divide (layout<10:1> ; layout<5:0>) -> layout<(5,10):(0,1)>
logical_divide (layout<(2,2):(1,2)> ; tile<4>) -> layout<(4,1):(1,0)>
logical_divide (layout<(6,5):(24,1)> ; tile<[*|(2,2):(1,4)]>) -> layout<(6,((2,2),2)):(24,((1,4),2))>
logical_divide (layout<2:8> ; tile<[*|4:4]>) -> layout<(2):(8)>
logical_divide (layout<4:4> ; tile<[(2,2):(1,4)]>) -> layout<(((2,2),2)):(((4,16),8))>
logical_divide (layout<6:3> ; layout<1:4611686018427387904>) -> layout<(1,6):(0,3)>
)");
}

TEST(DivideProductTable, ZippedDivide) {
  expectTable(R"(
zipped_divide (layout<(6,10):(10,1)> ; layout<3:2>) -> layout<(3,(2,10)):(20,(10,1))>
zipped_divide (layout<(6,10):(10,1)> ; tile<[3|5]>) -> layout<((3,5),(2,2)):((10,1),(30,5))>
zipped_divide (layout<12:1> ; tile<[5]>) -> layout<((5),(3)):((1),(5))>
zipped_divide (layout<(6,10):(10,1)> ; tile<[3]>) -> layout<((3),(2,10)):((10),(30,1))>
zipped_divide (layout<(6,(4,10)):(40,(1,4))> ; tile<[3|[2|5]]>) -> layout<((3,(2,5)),(2,(2,2))):((40,(1,4)),(120,(2,20)))>
zipped_divide (layout<(?,?{i64}):(?{i64},1)> ; tile<[3|5]>) -> layout<((3,5),(?,?{i64})):((?{i64},1),(?{i64 div=3},5))>
zipped_divide (layout<(6,10):(1E0,1E1)> ; tile<[3|5]>) -> layout<((3,5),(2,2)):((1E0,1E1),(3E0,5E1))>
zipped_divide (layout<((3,4),(2,3),3):((8,12),(6,16),0)> ; layout<2:0>) -> layout<(2,(3,4,2,3,3)):(0,(8,12,6,16,0))>
zipped_divide (layout<5:24> ; tile<[2]>) -> layout<((2),(3)):((24),(48))>
# Preconditions, and what only the definition says.
zipped_divide (layout<(6,10):(10,1)> ; tile<[3|*]>) -> layout<((3,10),(2,1)):((10,1),(30,0))>
zipped_divide (layout<(6,10,4):(10,1,60)> ; tile<[*|5]>) -> layout<((6,5),(1,2,4)):((10,1),(0,5,60))>
zipped_divide (layout<(6,10):(10,1)> ; tile<*>) -> layout<((6,10),1):((10,1),0)>
zipped_divide (layout<(6,10):(10,1)> ; tile<[3|5|2]>) -> error: divide_c2
zipped_divide (layout<(6,10):(10,1)> ; tile<[3|?]>) -> error: divide_c1
zipped_divide (layout<(6,5):(5,1)> ; layout<4:1>) -> error: composition_c1
zipped_divide (layout<12:1> ; tile<[0]>) -> error: complement_c3
zipped_divide (layout<12:1> ; tile<[-2]>) -> error: complement_c3
zipped_divide (layout<12:1> ; tile<[3:-1]>) -> error: divide_c3
logical_divide (layout<12:1> ; layout<(2,2):(1,-2)>) -> error: divide_c3
logical_divide (layout<12:1> ; layout<(2,1):(1,-2)>) -> layout<((2,1),6):((1,0),2)>
zipped_divide (layout<0:1> ; tile<[4]>) -> layout<((4),(0)):((1),(0))>
)");
}

TEST(DivideProductTable, TiledDivide) {
  expectTable(R"(
tiled_divide (layout<(6,10):(10,1)> ; layout<3:2>) -> layout<(3,2,10):(20,10,1)>
tiled_divide (layout<(6,10,4):(10,1,60)> ; tile<[3|5]>) -> layout<((3,5),2,2,4):((10,1),30,5,60)>
tiled_divide (layout<(6,(4,10)):(40,(1,4))> ; tile<[3|[2|5]]>) -> layout<((3,(2,5)),2,(2,2)):((40,(1,4)),120,(2,20))>
tiled_divide (layout<(4):(12)> ; layout<((3,5,8),2,4):((1,3,15),120,240)>) -> layout<(((3,5,8),2,4),1):(((12,36,180),1440,2880),0)>
tiled_divide (layout<(?,3):(1,8)> ; tile<[2:1]>) -> layout<((2),?,3):((1),2,8)>
tiled_divide (layout<1:1> ; layout<(2,(8,5,8)):(6,(8,24,3))>) -> error: complement_c3
)");
}

TEST(DivideProductTable, FlatDivide) {
  expectTable(R"(
flat_divide (layout<(6,10):(10,1)> ; layout<3:2>) -> layout<(3,2,10):(20,10,1)>
flat_divide (layout<(6,10,4):(10,1,60)> ; tile<[3|5]>) -> layout<(3,5,2,2,4):(10,1,30,5,60)>
flat_divide (layout<(2,(?{div=4},2,?{div=4})):(?{div=8},(2,1,?{div=16}))> ; tile<(2,2):(1,4)>) -> layout<(2,(?,?,?),(?,?,?),(?,?,?)):(?{div=8},(4,?,?{div=16}),(2,1,?{div=16}),(8,?,?{div=16}))>
flat_divide (layout<(3,4):(4E0,4E1)> ; tile<[4:1]>) -> layout<(4,1,4):(4E0,0,4E1)>
)");
}

TEST(DivideProductTable, LogicalProduct) {
  expectTable(R"(
logical_product (layout<8:0> ; layout<4:1152921504606846976>) -> layout<(8,4):(0,1152921504606846976)>
logical_product (layout<(8,2):(0,1)> ; layout<4:1152921504606846976>) -> layout<((8,2),4):((0,1),2305843009213693952)>
logical_product (layout<8:1> ; layout<4:1152921504606846976>) -> error: int_overflow
logical_product (layout<(3,5):(5,1)> ; layout<(2,4):(4,1)>) -> layout<((3,5),(2,4)):((5,1),(60,15))>
logical_product (layout<?:1> ; layout<4:1>) -> layout<(?,4):(1,?)>
logical_product (layout<(3,5):(1,3)> ; layout<?:1>) -> layout<((3,5),?):((1,3),15)>
logical_product (layout<3:1> ; layout<4:0>) -> layout<(3,4):(1,0)>
logical_product (layout<3:0> ; layout<4:1>) -> layout<(3,4):(0,1)>
logical_product (composed_layout<S<2,2,2> o 0 o (4,8):(8,1)> ; layout<3:1>) -> composed_layout<S<2,2,2> o 0 o ((4,8),3):((8,1),32)>
logical_product (layout<((4,6),5):((1,4),24)> ; layout<(3):(12)>) -> layout<(((4,6),5),3):(((1,4),24),1440)>
)");
}

TEST(DivideProductTable, ZippedProduct) {
  expectTable(R"(
zipped_product (layout<(3,5):(5,1)> ; layout<(2,4):(4,1)>) -> layout<((3,5),(2,4)):((5,1),(60,15))>
zipped_product (layout<((1,2),2):((1,1),2)> ; layout<(4,(1,1,8)):(16,(1,8,16))>) -> layout<(((1,2),2),(4,(1,1,8))):(((0,1),2),(64,(0,0,64)))>
zipped_product (layout<2:1> ; layout<?:1>) -> layout<(2,?):(1,2)>
)");
}

TEST(DivideProductTable, TiledProduct) {
  expectTable(R"(
tiled_product (layout<(3,5):(5,1)> ; layout<(2,4):(4,1)>) -> layout<((3,5),2,4):((5,1),60,15)>
tiled_product (layout<((2,5),6):((30,6),1)> ; layout<((4,3,8),?):((1,4,12),96)>) -> layout<(((2,5),6),(4,3,8),?):(((30,6),1),(60,240,720),5760)>
tiled_product (layout<(4,1,1):(24,0,1)> ; layout<4:16>) -> error: composition_c1
tiled_product (layout<1:1> ; layout<((?,8,?{i64}),6):((16,8,?),2)>) -> layout<(1,(?,8,?{i64}),6):(0,(16,8,?),2)>
)");
}

TEST(DivideProductTable, FlatProduct) {
  expectTable(R"(
flat_product (layout<(3,5):(5,1)> ; layout<(2,4):(4,1)>) -> layout<(3,5,2,4):(5,1,60,15)>
flat_product (layout<2:1> ; layout<((1,8,1),2):((2,8,0),0)>) -> layout<(2,(1,8,1),2):(1,(0,16,0),0)>
)");
}

TEST(DivideProductTable, BlockedProduct) {
  expectTable(R"(
blocked_product (layout<(3,5):(5,1)> ; layout<(2,4):(4,1)>) -> layout<((3,2),(5,4)):((5,60),(1,15))>
blocked_product (layout<(3,5):(5,1)> ; layout<4:1>) -> layout<((3,4),(5,1)):((5,15),(1,0))>
blocked_product (layout<3:1> ; layout<4:1>) -> layout<(3,4):(1,3)>
)");
}

TEST(DivideProductTable, RakedProduct) {
  expectTable(R"(
raked_product (layout<(3,5):(5,1)> ; layout<(2,4):(4,1)>) -> layout<((2,3),(4,5)):((60,5),(15,1))>
raked_product (layout<3:1> ; layout<(2,4):(1,2)>) -> layout<((2,3),(4,1)):((3,1),(6,0))>
raked_product (layout<(?{i64},(6,4,4)):(1,(0,6,1))> ; layout<8:6>) -> error: complement_c3
raked_product (layout<8:12> ; layout<2:4>) -> layout<(2,8):(4,12)>
)");
}
