// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of coalesce, composition, complement, inverses and recast.

#include "Table.h"
#include "gtest/gtest.h"

using fly::layout::test::expectTable;

TEST(AlgebraTable, Coalesce) {
  expectTable(R"(
coalesce (layout<(3,1,5):(1,9,3)>) -> layout<15:1>
coalesce (layout<(3,(1,5)):(2,(7,6))>) -> layout<15:2>
coalesce (layout<(3,5):(5,1)>) -> layout<(3,5):(5,1)>
coalesce (layout<(3,5):(0,0)>) -> layout<15:0>
coalesce (layout<(3,?,5):(1,3,15)>) -> layout<(3,?,5):(1,3,15)>
coalesce (layout<((6)):((5))>) -> layout<((6)):((5))>
coalesce (layout<(1,1):(4,9)>) -> layout<1:0>
coalesce (layout<(1,6):(0,2)>) -> layout<6:2>
coalesce (layout<(3,5):(-1,-3)>) -> layout<15:-1>
coalesce (layout<((2,3),(5,7)):((1,2),(6,30))> ; int_tuple<(1,1)>) -> layout<(6,35):(1,6)>
coalesce (layout<((2,3),(5,7)):((1,2),(6,30))> ; int_tuple<((1,1),1)>) -> layout<((2,3),35):((1,2),6)>
coalesce (layout<((2,3),(5,7),9):((1,2),(6,30),210)> ; int_tuple<(1,1)>) -> layout<(6,35,9):(1,6,210)>
coalesce (layout<6:1> ; int_tuple<(1,1)>) -> layout<(6):(1)>
coalesce (layout<((3),2):((2),1)>) -> layout<(3,2):(2,1)>
coalesce (layout<((4,1,4),(1,2,4),3):((?{i64},?{i64},4),(?,3,4),3)>) -> layout<(4,4,2,4,3):(?{i64},4,3,4,3)>
coalesce (layout<((4,2),?,6):((1E0,2E2),1E2,1E2)>) -> layout<(4,2,?,6):(1E0,2E2,1E2,1E2)>
coalesce (layout<(4,2,?):(1,4,8)> ; int_tuple<(6,6)>) -> layout<(4,2,?):(1,4,8)>
coalesce (layout<(6,8):(1,6)>) -> layout<48:1>
coalesce (layout<1:1>) -> layout<1:0>
coalesce (layout<2:4>) -> layout<2:4>
coalesce (layout<3:1>) -> layout<3:1>
coalesce (layout<4:1> ; int_tuple<((2,1),(1,3),5)>) -> layout<((4)):((1))>
# Preconditions, and what only the definition says.
coalesce (layout<(3,4):(1E0,3E1)>) -> layout<(3,4):(1E0,3E1)>
coalesce (layout<(3,4):(1E1,3E1)>) -> layout<12:1E1>
coalesce (composed_layout<32:1 o 0 o [S<3,3,3> o 0 o (4,8):(1,4)]>) -> composed_layout<32:1 o 0 o [S<3,3,3> o 0 o 32:1]>
)");
}

TEST(AlgebraTable, Composition) {
  expectTable(R"(
composition (layout<(6,5):(5,1)> ; layout<(3,10):(2,6)>) -> layout<(3,10):(10,1)>
composition (layout<(6,5):(1,7)> ; layout<15:2>) -> layout<(3,5):(2,7)>
composition (layout<(6,5):(5,1)> ; layout<(2,3):(0,1)>) -> layout<(2,3):(0,5)>
composition (layout<(6,5):(5,1)> ; layout<60:1>) -> layout<(6,10):(5,1)>
composition (layout<10:3> ; layout<(2,(5,4)):(5,(1,10))>) -> layout<(2,(5,4)):(15,(3,30))>
composition (layout<(6,?):(5,1)> ; layout<12:1>) -> layout<(6,2):(5,1)>
composition (layout<(?,6):(1,?)> ; layout<4:1>) -> layout<(?,?):(1,?)>
composition (layout<(6,5):(1E0,1E1)> ; layout<(3,5):(2,6)>) -> layout<(3,5):(2E0,1E1)>
composition (layout<(6,5):(1,6)> ; layout<1:9>) -> layout<1:0>
composition (layout<(6,5):(1,6)> ; layout<?:1>) -> layout<?:1>
composition (layout<(6,1):(1,0)> ; layout<12:1>) -> layout<(6,2):(1,0)>
composition (layout<(6,10):(10,1)> ; tile<[3|5:2]>) -> layout<(3,5):(10,2)>
composition (layout<(6,10):(10,1)> ; tile<[3]>) -> layout<(3,10):(10,1)>
composition (layout<(6,(2,5)):(10,(1,2))> ; tile<[*|[2|5]]>) -> layout<(6,(2,5)):(10,(1,2))>
composition (layout<12:2> ; tile<[4]>) -> layout<4:2>
composition (composed_layout<S<2,2,2> o 4 o (6,8):(8,1)> ; layout<(3,4):(2,6)>) -> composed_layout<S<2,2,2> o 4 o (3,4):(16,1)>
composition (layout<(2,(2,5),1):(1,(2,4),20)> ; layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>) -> layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>
composition (layout<(3,?{i64}):(24,3)> ; tile<[4]>) -> layout<(4,?{i64}):(24,3)>
composition (layout<(4,2,4):(1,4,8)> ; tile<[3|2:2]>) -> layout<(3,2,4):(1,8,8)>
composition (layout<(4,4,(4,3,6)):(2E2,4E2,(1E1,2E2,2E0))> ; layout<(2,(1,2),?):(1,(4,2),4)>) -> layout<(2,(1,2),(?,?,?,?)):(2E2,(0,4E2),(4E2,1E1,2E2,2E0))>
composition (layout<(6,6,(?{i64 div=6},4)):(12,?{div=4},(24,0))> ; tile<[3|2:2]>) -> layout<(3,2,(?{i64 div=6},4)):(12,?{div=8},(24,0))>
composition (layout<(8,(8,2,4),(?{div=4},?,4)):(1,(8,64,128),(512,?{div=2048},?{div=2048}))> ; tile<[2:4|2]>) -> layout<(2,2,(?{div=4},?,4)):(4,8,(512,?{div=2048},?{div=2048}))>
composition (layout<1:1> ; layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>) -> layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>
composition (layout<1:1> ; tile<[(2,2):(1,4)|*]>) -> layout<(2,2):(1,4)>
composition (layout<3:1> ; layout<((8,4),(2,6,6)):((16,3),(16,8,0))>) -> layout<((8,4),(2,6,6)):((16,3),(16,8,0))>
# Preconditions, and what only the definition says.
composition (layout<(6,5):(5,1)> ; layout<4:4>) -> error: composition_c1
composition (layout<(6,5):(5,1)> ; layout<(2,2):(4,3)>) -> error: composition_c1
composition (layout<(6,5):(5,1)> ; layout<2:4>) -> layout<2:20>
composition (layout<(4,8):(1,8)> ; layout<4:3>) -> error: composition_c1
composition (layout<(4,3,8):(0,1,0)> ; layout<(2,2):(2,12)>) -> layout<(2,2):(0,0)>
composition (layout<(4,?):(1,4)> ; layout<6:1>) -> layout<6:1>
composition (layout<(4,?):(1,5)> ; layout<6:1>) -> error: composition_c1
composition (layout<(4,6):(1,5)> ; layout<4:-1>) -> layout<4:-1>
composition (layout<(4,6):(1,5)> ; layout<5:-1>) -> error: composition_c1
composition (layout<12:3> ; layout<4:-1>) -> layout<4:-3>
composition (layout<(6,5):(5,1)> ; layout<(3,5):(1E1,1E0)>) -> layout<(3,5):(1,5)>
composition (layout<(6,5):(5,1)> ; layout<3:1E2>) -> error: composition_c2
composition (layout<(6,5):(5,1)> ; layout<(3,2):(1E0,1)>) -> error: composition_c2
composition (layout<6:1> ; tile<3>) -> error: composition_c3
composition (layout<(20,6):(6,1)> ; layout<(17,6):(1,20)>) -> layout<(17,6):(6,1)>
composition (layout<(4,5):(1,4)> ; layout<(4,5):(5,1)>) -> layout<(4,5):(5,1)>
composition (layout<(4,6):(1,5)> ; layout<(4,3):(-1,-4)>) -> layout<(4,3):(-1,-5)>
composition (layout<(4,6):(1,5)> ; layout<(3,2):(4,-1)>) -> error: composition_c1
composition (layout<(4,?):(?,?)> ; layout<2:5>) -> layout<2:?>
composition (layout<((2,3),4):((1,2),6)> ; layout<(2,2):(1E0,1E1E0)>) -> error: composition_c2
composition (layout<12:2> ; tile<[-2]>) -> error: composition_c1
composition (layout<(6,5):(5,1)> ; layout<(0,3):(4,1)>) -> layout<(0,3):(0,5)>
# Sizes that no table holds.
composition (layout<(48,1073741824):(1,100)> ; layout<51539607552:1>) -> layout<(48,1073741824):(1,100)>
composition (layout<(48,1073741824):(1,100)> ; layout<(16,1073741824):(3,48)>) -> layout<(16,1073741824):(3,100)>
composition (layout<(48,1073741824):(1,100)> ; layout<(17,1073741824):(3,48)>) -> error: composition_c1
composition (layout<(48,1073741824):(1,100)> ; layout<(1073741824,3):(48,16)>) -> layout<(1073741824,3):(100,16)>
composition (layout<(48,1073741824):(1,100)> ; layout<1073741824:5>) -> error: composition_c1
composition (layout<(4,4):(1,8)> ; layout<3:9223372036854775807>) -> error: int_overflow
composition (layout<6:3> ; layout<4:4611686018427387904>) -> error: int_overflow
composition (layout<6:3> ; layout<1:4611686018427387904>) -> layout<1:0>
composition (layout<6:3> ; layout<(2,1):(1,4611686018427387904)>) -> layout<(2,1):(3,0)>
composition (layout<6:3> ; layout<1:4611686018427387904E0>) -> layout<1:0>
composition (layout<(1048576,1048576):(1048576,1)> ; layout<(1048576,4096):(1,1048576)>) -> layout<(1048576,4096):(1048576,1)>
)");
}

TEST(AlgebraTable, Complement) {
  expectTable(R"(
complement (layout<3:1> ; int_tuple<30>) -> layout<10:3>
complement (layout<3:2> ; int_tuple<30>) -> layout<(2,5):(1,6)>
complement (layout<(3,2):(1,15)> ; int_tuple<60>) -> layout<(5,2):(3,30)>
complement (layout<(2,3):(6,1)> ; int_tuple<?>) -> layout<(2,?):(3,12)>
complement (layout<3:0> ; int_tuple<30>) -> layout<30:1>
complement (layout<(3,2):(0,1)> ; int_tuple<30>) -> layout<15:2>
complement (layout<3:2>) -> layout<2:1>
complement (layout<3:?> ; int_tuple<30>) -> layout<(?,?):(1,?{div=3})>
complement (layout<?:1> ; int_tuple<30>) -> layout<?:?>
complement (layout<3:1> ; int_tuple<10>) -> layout<4:3>
complement (layout<3:1> ; int_tuple<2>) -> layout<1:0>
complement (layout<((4,5,4),(?{div=4},4)):((6,6,2),(12,0))>) -> error: complement_c3
complement (layout<((6,4,2),2):((16,1,4),8)> ; int_tuple<?{i64}>) -> layout<?{i64}:96>
complement (layout<(3,2,(2,4,8)):(1,3,(6,12,48))> ; int_tuple<7>) -> layout<1:0>
complement (layout<(6,6):(6,1)> ; int_tuple<48>) -> layout<2:36>
complement (layout<(8):(1)>) -> layout<1:0>
complement (layout<2:1> ; int_tuple<48>) -> layout<24:2>
complement (layout<4:1>) -> layout<1:0>
complement (layout<5:6>) -> layout<6:1>
complement (layout<8:2> ; int_tuple<64>) -> layout<(2,4):(1,16)>
# Preconditions, and what only the definition says.
complement (layout<(3,2):(1,2)> ; int_tuple<12>) -> error: complement_c3
complement (layout<(3,2):(1,4)> ; int_tuple<12>) -> error: complement_c3
complement (layout<3:-1> ; int_tuple<12>) -> layout<4:3>
complement (layout<3:2> ; int_tuple<0>) -> layout<(2,0):(1,6)>
complement (layout<(2,2):(2,3)> ; int_tuple<0>) -> layout<0:1>
complement (layout<(2,2):(-2,3)> ; int_tuple<0>) -> layout<0:1>
complement (layout<(3,2):(1,2)> ; int_tuple<0>) -> error: complement_c3
complement (layout<4:-1>) -> layout<1:0>
complement (layout<(2,4):(-4,1)>) -> layout<1:0>
complement (layout<(2,4):(-8,1)>) -> layout<2:4>
complement (layout<(2,4):(-8,1)> ; int_tuple<48>) -> layout<(2,3):(4,16)>
complement (layout<3:-2>) -> layout<2:1>
complement (layout<(2,3):(-1,-4)> ; int_tuple<24>) -> layout<(2,2):(2,12)>
complement (layout<(2,2):(1,-1)> ; int_tuple<4>) -> error: complement_c3
complement (layout<(2,2):(-1,3)> ; int_tuple<2>) -> layout<1:0>
complement (layout<(2,2):(-1,3)> ; int_tuple<3>) -> error: complement_c3
complement (layout<?:-2> ; int_tuple<12>) -> layout<(2,?):(1,?{div=2})>
complement (layout<3:-9223372036854775808> ; int_tuple<12>) -> error: int_overflow
complement (layout<3:1> ; int_tuple<-7>) -> error: complement_c5
complement (layout<(2,0):(1,2)> ; int_tuple<12>) -> error: complement_c3
complement (layout<3:1> ; int_tuple<0>) -> layout<0:3>
complement (layout<(3,2):(2,3)>) -> error: complement_c3
# Modes beyond the codomain need no multiples.
complement (layout<(2,2):(1,3)> ; int_tuple<2>) -> layout<1:0>
complement (layout<(2,2):(1,3)> ; int_tuple<3>) -> error: complement_c3
complement (layout<(2,2):(10,15)> ; int_tuple<4>) -> layout<4:1>
complement (layout<(2,2):(10,15)> ; int_tuple<6>) -> error: complement_c3
complement (layout<(2,2,2):(2,1001,1000)> ; int_tuple<4>) -> error: complement_c3
complement (layout<(2,2,2):(2,1001,2000)> ; int_tuple<8>) -> layout<(2,2):(1,4)>
complement (layout<5:3> ; int_tuple<60>) -> layout<(3,4):(1,15)>
complement (layout<5:3> ; int_tuple<15>) -> layout<3:1>
complement (layout<4:0> ; int_tuple<12>) -> layout<12:1>
complement (layout<3:1E0> ; int_tuple<12>) -> error: complement_c1
complement (layout<(3,2):(?,?)> ; int_tuple<12>) -> error: complement_c2
complement (layout<3:1> ; int_tuple<(3,4)>) -> error: complement_c5
)");
}

TEST(AlgebraTable, RightInverse) {
  expectTable(R"(
right_inverse (layout<(3,5):(5,1)>) -> layout<(5,3):(3,1)>
right_inverse (layout<(3,5):(1,4)>) -> layout<3:1>
right_inverse (layout<5:2>) -> layout<1:0>
right_inverse (layout<(2,3):(0,1)>) -> layout<3:2>
right_inverse (layout<(?,3):(3,1)>) -> layout<(3,?):(?,1)>
right_inverse (layout<5:-1>) -> layout<1:0>
right_inverse (composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>) -> composed_layout<(8,4):(4,1) o 0 o [S<2,2,2> o 0 o 32:1]>
right_inverse (layout<((4,8),(1,8)):((1,4),(32,32))>) -> layout<256:1>
right_inverse (layout<((5,3,6),2,?{i64}):((4,2,3),12,8)>) -> layout<1:0>
right_inverse (layout<((8,1,5),(2,6,3)):((0,24,1),(0,2,2))>) -> layout<5:8>
right_inverse (layout<((?{div=4},5),3,5):((1,?{div=4}),?{div=20},?{div=60})>) -> layout<?{div=4}:1>
right_inverse (layout<(5,5,2):(-1,16,?{div=4})>) -> layout<1:0>
right_inverse (layout<1:12>) -> layout<1:0>
right_inverse (layout<4:16>) -> layout<1:0>
right_inverse (layout<5:16>) -> layout<1:0>
right_inverse (layout<6:1>) -> layout<6:1>
# Preconditions, and what only the definition says.
right_inverse (layout<(16,?):(1,16)>) -> layout<(16,?):(1,16)>
right_inverse (layout<(3,5):(1E0,1E1)>) -> error: right_inverse_c1
right_inverse (composed_layout<S<3,3,1> o 0 o 64:1>) -> composed_layout<64:1 o 0 o [S<2,3,2> o 0 o [S<3,3,1> o 0 o 64:1]]>
right_inverse (composed_layout<S<2,2,2> o 1 o (4,8):(8,1)>) -> error: right_inverse_c2
right_inverse (composed_layout<S<2,2,2> o 0 o (5,8):(8,1)>) -> error: right_inverse_c2
right_inverse (composed_layout<S<2,2,3> o 0 o (3,8):(8,1)>) -> composed_layout<(8,3):(3,1) o 0 o [S<2,2,3> o 0 o 24:1]>
right_inverse (layout<(?,4):(1,1)>) -> layout<4:?>
right_inverse (composed_layout<32:1 o 0 o (4,8):(8,1)>) -> error: right_inverse_c2
)");
}

TEST(AlgebraTable, LeftInverse) {
  expectTable(R"(
left_inverse (layout<(3,5):(5,1)>) -> layout<(5,3):(3,1)>
left_inverse (layout<(3,5):(1,4)>) -> layout<(4,5):(1,3)>
left_inverse (layout<5:2>) -> layout<(2,5):(0,1)>
left_inverse (layout<(2,3):(0,1)>) -> layout<3:2>
left_inverse (layout<(?,3):(3,1)>) -> layout<(3,?):(?,1)>
left_inverse (layout<((4,6,4),(4,2,5),4):((12,12,12),(3,16,6),2)>) -> error: left_inverse_c2
left_inverse (layout<(2,(2,3),2):(1,(2,4),12)>) -> layout<24:1>
left_inverse (layout<(4):(1)>) -> layout<4:1>
left_inverse (layout<(4,1):(8,3)>) -> layout<(8,4):(0,1)>
left_inverse (layout<(6,1):(16,?{div=4})>) -> layout<(16,6):(0,1)>
left_inverse (layout<(?{i64 div=6},4):(1,?{i64 div=6})>) -> error: left_inverse_c3
left_inverse (layout<3:16>) -> layout<(16,3):(0,1)>
left_inverse (layout<8:6>) -> layout<(6,8):(0,1)>
left_inverse (layout<?:?>) -> layout<(?,?):(0,1)>
# Preconditions, and what only the definition says.
left_inverse (layout<(3,5):(1E0,1E1)>) -> error: left_inverse_c1
left_inverse (layout<(3,5):(1,2)>) -> error: left_inverse_c2
left_inverse (layout<3:4>) -> layout<(4,3):(0,1)>
left_inverse (layout<(16,5):(64,1)>) -> layout<(64,16):(16,1)>
# No chain of multiples, found by search.
left_inverse (layout<(3,2):(2,3)>) -> layout<(2,4):(2,1)>
left_inverse (layout<(2,2):(4,-1)>) -> layout<(2,2,2):(-2,5,1)>
left_inverse (layout<(4,8,4):(1,5,41)>) -> error: left_inverse_c2
left_inverse (layout<(5,7,11):(1001,77,13)>) -> layout<(11,7,12,5):(205,-375,5,-4)>
left_inverse (layout<(1000,1000):(999,1000)>) -> error: left_inverse_c2
left_inverse (layout<(2,2,2):(1,4,10)>) -> layout<(2,2,4):(1,0,2)>
left_inverse (layout<3:-1>) -> layout<3:-1>
left_inverse (layout<(3,?):(?,1)>) -> error: left_inverse_c3
left_inverse (composed_layout<S<2,2,2> o 8 o (4,8):(8,1)>) -> composed_layout<(8,4):(4,1) o 0 o [32:1 o -8 o [S<2,2,2> o 0 o 32:1]]>
left_inverse (composed_layout<32:1 o 8 o (4,8):(8,1)>) -> error: left_inverse_c4
)");
}

TEST(AlgebraTable, RecastLayout) {
  expectTable(R"(
recast_layout {new_type_bits = 32 : i32, old_type_bits = 8 : i32} (layout<(12,5):(1,12)>) -> layout<(3,5):(1,3)>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<(12,5):(1,12)>) -> layout<(48,5):(1,48)>
recast_layout {new_type_bits = 32 : i32, old_type_bits = 16 : i32} (layout<(6,4):(4,1)>) -> layout<(6,2):(2,1)>
recast_layout {new_type_bits = 64 : i32, old_type_bits = 16 : i32} (layout<(6,4):(8,2)>) -> error: recast_c2
recast_layout {new_type_bits = 32 : i32, old_type_bits = 16 : i32} (layout<(5,3):(1,?{div=6})>) -> error: recast_c3
recast_layout {new_type_bits = 16 : i32, old_type_bits = 32 : i32} (layout<(5,3):(-1,?)>) -> error: recast_c4
recast_layout {new_type_bits = 16 : i32, old_type_bits = 24 : i32} (layout<(8,4):(1,8)>) -> layout<(12,4):(1,12)>
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<S<2,3,3> o 16 o (6,32):(32,1)>) -> composed_layout<S<2,2,3> o 8 o (6,16):(16,1)>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 16 : i32} (composed_layout<S<2,3,3> o ?{div=4} o (6,32):(32,1)>) -> composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
recast_layout {new_type_bits = 16 : i32, old_type_bits = 16 : i32} (layout<8:16>) -> layout<8:16>
recast_layout {new_type_bits = 16 : i32, old_type_bits = 24 : i32} (layout<(2,(2,3,6),4):(0,(2,2,12),16)>) -> error: recast_c2
recast_layout {new_type_bits = 24 : i32, old_type_bits = 16 : i32} (layout<4:1>) -> error: recast_c3
recast_layout {new_type_bits = 32 : i32, old_type_bits = 8 : i32} (layout<4:1E2>) -> error: recast_c1
recast_layout {new_type_bits = 64 : i32, old_type_bits = 16 : i32} (layout<(4,8,(4,5)):(1,4,(32,128))>) -> layout<(1,8,(4,5)):(1,1,(8,32))>
recast_layout {new_type_bits = 64 : i32, old_type_bits = 16 : i32} (layout<(5,(5,5,3)):(2E2,(1E2,4E1,1E1))>) -> error: recast_c1
recast_layout {new_type_bits = 64 : i32, old_type_bits = 16 : i32} (layout<(6,4):(0,0)>) -> error: recast_c2
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<((1,5,4),4):((12,3,2),6)>) -> layout<((4,5,4),4):((1,12,8),24)>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<(1,2):(3,4)>) -> layout<(4,2):(1,16)>
# Preconditions, and what only the definition says.
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<S<2,0,3> o 16 o (6,32):(32,1)>) -> error: recast_c5
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<S<2,3,3> o 5 o (6,32):(32,1)>) -> error: recast_c3
recast_layout {new_type_bits = 24 : i32, old_type_bits = 8 : i32} (composed_layout<S<2,3,3> o 6 o (6,33):(33,1)>) -> error: recast_c5
recast_layout {new_type_bits = 32 : i32, old_type_bits = 8 : i32} (layout<(2,6,4):(2,4,1)>) -> error: recast_c3
recast_layout {new_type_bits = 32 : i32, old_type_bits = 8 : i32} (layout<(2,6,2):(2,4,1)>) -> layout<(1,6,1):(1,1,1)>
recast_layout {new_type_bits = 0 : i32, old_type_bits = 8 : i32} (layout<4:3>) -> layout<4:3>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<1:0>) -> layout<4:1>
# Of modes of size 1 the one of stride 1 takes the parts, else the first.
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<(3,1,1):(16,16,1)>) -> layout<(3,1,4):(64,64,1)>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<(1,4,(1,1)):(0,2,(1,1))>) -> layout<(1,4,(4,1)):(0,8,(1,4))>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<(3,1,1):(16,16,0)>) -> layout<(3,4,1):(64,1,0)>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (composed_layout<(1,4,1):(0,2,1) o 0 o 2:1>) -> composed_layout<(4,4,1):(1,8,4) o 0 o 8:1>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 32 : i32} (layout<5:3>) -> error: recast_c2
recast_layout {new_type_bits = 32 : i32, old_type_bits = 8 : i32} (composed_layout<64:1 o 4 o [S<1,2,3> o 8 o 64:1]>) -> composed_layout<16:1 o 1 o [S<1,0,3> o 2 o 16:1]>
# An inner layout is a map of integers: its first items make up a group.
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<(4,4):(1,8) o 0 o 16:1>) -> composed_layout<(2,4):(1,4) o 0 o 8:1>
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<(4,4):(4,1) o 0 o 4:1>) -> error: recast_c2
recast_layout {new_type_bits = 8 : i32, old_type_bits = 16 : i32} (composed_layout<(4,4):(1,8) o 4 o 8:1>) -> composed_layout<(8,4):(1,16) o 8 o 16:1>
recast_layout {new_type_bits = 8 : i32, old_type_bits = 16 : i32} (composed_layout<(4,4):(4,1) o 0 o 8:1>) -> error: recast_c2
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<(4,4):(1,8) o -4 o 4:1>) -> error: recast_c4
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<64:1 o -4 o 4:1>) -> composed_layout<32:1 o -2 o 2:1>
recast_layout {new_type_bits = 16 : i32, old_type_bits = 8 : i32} (composed_layout<(4,1):(1,7) o 0 o 4:1>) -> error: recast_c3
)");
}
