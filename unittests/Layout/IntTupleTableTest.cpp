// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of int-tuple arithmetic and restructuring.

#include "Table.h"
#include "gtest/gtest.h"

using fly::layout::test::expectTable;

TEST(IntTupleTable, IntTupleAdd) {
  expectTable(R"(
int_tuple_add (int_tuple<?{div=12}> ; int_tuple<8>) -> int_tuple<?{div=4}>
int_tuple_add (int_tuple<0> ; int_tuple<?{i64 div=6}>) -> int_tuple<?{i64 div=6}>
int_tuple_add (int_tuple<2E0> ; int_tuple<5E2>) -> int_tuple<(2,0,5)>
int_tuple_add (int_tuple<(7,8)> ; int_tuple<1E2>) -> int_tuple<(7,8,1)>
int_tuple_add (int_tuple<2E1E0> ; int_tuple<3E0>) -> int_tuple<(3,(2))>
int_tuple_add (int_tuple<(3,5,7)> ; int_tuple<(1,1)>) -> int_tuple<(4,6,7)>
int_tuple_add (int_tuple<(3,5)> ; int_tuple<10>) -> int_tuple<(13,5)>
int_tuple_add (int_tuple<4> ; int_tuple<-3>) -> int_tuple<1>
int_tuple_add (int_tuple<?> ; int_tuple<-2>) -> int_tuple<?>
# Preconditions, and what only the definition says.
int_tuple_add (int_tuple<9223372036854775807> ; int_tuple<1>) -> error: int_overflow
int_tuple_add (int_tuple<2147483648> ; int_tuple<?>) -> int_tuple<?{i64}>
int_tuple_add (int_tuple<*> ; int_tuple<*>) -> int_tuple<0>
int_tuple_add (int_tuple<3> ; int_tuple<(1,2)>) -> error: ew_c1
int_tuple_add (int_tuple<3> ; int_tuple<1E0>) -> error: basis_c1
int_tuple_add (int_tuple<1E0> ; int_tuple<1E0E0>) -> error: basis_c3
int_tuple_add (int_tuple<1E0E0> ; int_tuple<1E0>) -> error: basis_c3
int_tuple_add (int_tuple<((1,2),3)> ; int_tuple<1E0>) -> error: basis_c3
int_tuple_add (int_tuple<((1,2),3)> ; int_tuple<5E0E1>) -> int_tuple<((1,7),3)>
int_tuple_add (int_tuple<(1E0,3)> ; int_tuple<5E0E1>) -> int_tuple<((1,5),3)>
int_tuple_add (int_tuple<1E70000> ; int_tuple<1E0>) -> error: basis_c2
)");
}

TEST(IntTupleTable, IntTupleSub) {
  expectTable(R"(
int_tuple_sub (int_tuple<0> ; int_tuple<?{div=6}>) -> int_tuple<?{div=6}>
int_tuple_sub (int_tuple<((?{i64 div=6},?{i64}),(4,?{i64}),(?{i64}))> ; int_tuple<((5,-3),(4,?),(5))>) -> int_tuple<((?{i64},?{i64}),(0,?{i64}),(?{i64}))>
)");
}

TEST(IntTupleTable, IntTupleMul) {
  expectTable(R"(
int_tuple_mul (int_tuple<?{div=3}> ; int_tuple<?{i64 div=5}>) -> int_tuple<?{i64 div=15}>
int_tuple_mul (int_tuple<?> ; int_tuple<-6>) -> int_tuple<?{div=-6}>
int_tuple_mul (int_tuple<?{div=2}> ; int_tuple<3E1>) -> int_tuple<?{div=6}E1>
int_tuple_mul (int_tuple<46341> ; int_tuple<46341>) -> int_tuple<2147488281>
int_tuple_mul (int_tuple<((2,3),4)> ; int_tuple<((5,?),6)>) -> int_tuple<((10,?{div=3}),24)>
int_tuple_mul (int_tuple<(4,(?{i64},?{i64}))> ; int_tuple<(?,(0,4))>) -> int_tuple<(?{div=4},(0,?{i64 div=4}))>
int_tuple_mul (int_tuple<(?,?,(4,?))> ; int_tuple<(?{i64 div=6},?,(?,8))>) -> int_tuple<(?{i64 div=6},?,(?{div=4},?{div=8}))>
int_tuple_mul (int_tuple<(?{i64},?,4)> ; int_tuple<?>) -> int_tuple<(?{i64},?,4)>
int_tuple_mul (int_tuple<?{i64 div=6}> ; int_tuple<?>) -> int_tuple<?{i64 div=6}>
# Preconditions, and what only the definition says.
int_tuple_mul (int_tuple<4294967296> ; int_tuple<4294967296>) -> error: int_overflow
int_tuple_mul (int_tuple<?{div=65536}> ; int_tuple<65536>) -> int_tuple<?{i64 div=4294967296}>
int_tuple_mul (int_tuple<2E0> ; int_tuple<2E1>) -> error: basis_c1
)");
}

TEST(IntTupleTable, IntTupleDiv) {
  expectTable(R"(
int_tuple_div (int_tuple<?{div=8}> ; int_tuple<1>) -> int_tuple<?>
int_tuple_div (int_tuple<-9> ; int_tuple<2>) -> int_tuple<-4>
int_tuple_div (int_tuple<(3,3)> ; int_tuple<(?{div=4},1)>) -> int_tuple<(?,3)>
int_tuple_div (int_tuple<(?{div=4},?{i64})> ; int_tuple<(5,?)>) -> int_tuple<(?,?{i64})>
int_tuple_div (int_tuple<4> ; int_tuple<?{div=4}>) -> int_tuple<?>
# Preconditions, and what only the definition says.
int_tuple_div (int_tuple<3> ; int_tuple<0>) -> error: div_c1
int_tuple_div (int_tuple<-9223372036854775808> ; int_tuple<-1>) -> error: int_overflow
)");
}

TEST(IntTupleTable, IntTupleMod) {
  expectTable(R"(
int_tuple_mod (int_tuple<-9> ; int_tuple<2>) -> int_tuple<-1>
int_tuple_mod (int_tuple<?{div=12}> ; int_tuple<8>) -> int_tuple<?{div=4}>
int_tuple_mod (int_tuple<(17,?)> ; int_tuple<(5,4)>) -> int_tuple<(2,?)>
int_tuple_mod (int_tuple<?> ; int_tuple<-2>) -> int_tuple<?>
# Preconditions, and what only the definition says.
int_tuple_mod (int_tuple<?> ; int_tuple<0>) -> error: mod_c1
int_tuple_mod (int_tuple<-9223372036854775808> ; int_tuple<-1>) -> int_tuple<0>
)");
}

TEST(IntTupleTable, CeilDiv) {
  expectTable(R"(
ceil_div (int_tuple<-9> ; int_tuple<2>) -> int_tuple<-4>
ceil_div (int_tuple<1> ; int_tuple<?>) -> int_tuple<1>
ceil_div (int_tuple<(6,10)> ; int_tuple<4>) -> int_tuple<(2,10)>
ceil_div (int_tuple<(6,10)> ; int_tuple<20>) -> int_tuple<(1,3)>
ceil_div (int_tuple<30> ; int_tuple<(4,2)>) -> int_tuple<4>
ceil_div (int_tuple<(7,9,2)> ; int_tuple<(2,4)>) -> int_tuple<(4,3,2)>
ceil_div (int_tuple<((4,4),2)> ; int_tuple<(?)>) -> int_tuple<((?,?),2)>
ceil_div (int_tuple<(2,(4,2,6),2)> ; int_tuple<((3,?{div=4},6),(3,8))>) -> int_tuple<(?,(2,1,6),2)>
ceil_div (int_tuple<(4,(5,?{i64}),4)> ; int_tuple<((1,1),(4,1,8),(?{i64},2))>) -> int_tuple<(4,(2,?{i64}),?{i64})>
ceil_div (int_tuple<1> ; int_tuple<((2,3,?))>) -> int_tuple<1>
ceil_div (int_tuple<4> ; int_tuple<(2,(1,?{i64}))>) -> int_tuple<?{i64}>
# Preconditions, and what only the definition says.
# DIFF: ceil-div-negative
ceil_div (int_tuple<-9> ; int_tuple<4>) -> int_tuple<-2>
ceil_div (int_tuple<3> ; int_tuple<0>) -> error: ceil_div_c1
)");
}

TEST(IntTupleTable, ShapeDiv) {
  expectTable(R"(
shape_div (int_tuple<3> ; int_tuple<12>) -> int_tuple<1>
shape_div (int_tuple<(3,10)> ; int_tuple<6>) -> int_tuple<(1,5)>
shape_div (int_tuple<30> ; int_tuple<(5,2)>) -> int_tuple<3>
shape_div (int_tuple<(2,8,6)> ; int_tuple<4>) -> int_tuple<(1,4,6)>
shape_div (int_tuple<(4,?,?{i64 div=6})> ; int_tuple<2>) -> int_tuple<(2,?,?{i64})>
shape_div (int_tuple<(?,(?,2,5),(?{i64 div=6},8))> ; int_tuple<((6),2)>) -> int_tuple<(?,(?,?,?),(?{i64 div=6},8))>
shape_div (int_tuple<?{i64}> ; int_tuple<(?{i64},(?,3),3)>) -> int_tuple<?{i64}>
# Preconditions, and what only the definition says.
shape_div (int_tuple<6> ; int_tuple<4>) -> error: shape_div_c1
shape_div (int_tuple<0> ; int_tuple<4>) -> int_tuple<0>
)");
}

TEST(IntTupleTable, IntTupleProduct) {
  expectTable(R"(
int_tuple_product (int_tuple<((2,7),(3,?))>) -> int_tuple<?{div=42}>
int_tuple_product (int_tuple<((3,3,6),2)>) -> int_tuple<108>
int_tuple_product (int_tuple<((5,2),3)>) -> int_tuple<30>
int_tuple_product (int_tuple<((?{i64 div=6},5),(3,5))>) -> int_tuple<?{i64 div=450}>
int_tuple_product (int_tuple<(6,4)>) -> int_tuple<24>
int_tuple_product (int_tuple<(?)>) -> int_tuple<?>
int_tuple_product (int_tuple<1>) -> int_tuple<1>
int_tuple_product (int_tuple<3>) -> int_tuple<3>
# Preconditions, and what only the definition says.
int_tuple_product (int_tuple<(65536,?,65536)>) -> int_tuple<?{i64 div=4294967296}>
int_tuple_product (int_tuple<(2,1E0)>) -> error: basis_c1
)");
}

TEST(IntTupleTable, IntTupleProductEach) {
  expectTable(R"(
int_tuple_product_each (int_tuple<((2,7),(3,?),5)>) -> int_tuple<(14,?{div=3},5)>
int_tuple_product_each (int_tuple<((1,8),(?,6,5),8)>) -> int_tuple<(8,?{div=30},8)>
int_tuple_product_each (int_tuple<((4,2,?{i64}),2)>) -> int_tuple<(?{i64 div=8},2)>
int_tuple_product_each (int_tuple<((5,2),4,?{i64})>) -> int_tuple<(10,4,?{i64})>
int_tuple_product_each (int_tuple<((8,2),?)>) -> int_tuple<(16,?)>
int_tuple_product_each (int_tuple<(1,6,?{div=4})>) -> int_tuple<(1,6,?{div=4})>
int_tuple_product_each (int_tuple<(2,?)>) -> int_tuple<(2,?)>
int_tuple_product_each (int_tuple<(8,3)>) -> int_tuple<(8,3)>
int_tuple_product_each (int_tuple<4>) -> int_tuple<4>
int_tuple_product_each (int_tuple<5>) -> int_tuple<5>
)");
}

TEST(IntTupleTable, IntTupleProductLike) {
  expectTable(R"(
int_tuple_product_like (int_tuple<((2,7),(3,5))> ; int_tuple<((1,1),1)>) -> int_tuple<((2,7),15)>
# Preconditions, and what only the definition says.
int_tuple_product_like (int_tuple<(2,3)> ; int_tuple<(1,1,1)>) -> error: product_like_c1
)");
}

TEST(IntTupleTable, Group) {
  expectTable(R"(
group {begin = 1 : i32, end = 2 : i32} (int_tuple<(3,5,7)>) -> int_tuple<(3,(5),7)>
group {begin = 0 : i32, end = -1 : i32} (int_tuple<(3,5,7)>) -> int_tuple<((3,5,7))>
# Preconditions, and what only the definition says.
group {begin = 2 : i32, end = 1 : i32} (int_tuple<(3,5,7)>) -> error: group_c1
group {begin = 0 : i32, end = 4 : i32} (int_tuple<(3,5,7)>) -> error: group_c1
group {begin = 1 : i32, end = 1 : i32} (int_tuple<(3,5,7)>) -> int_tuple<(3,5,7)>
)");
}

TEST(IntTupleTable, Take) {
  expectTable(R"(
take {begin = 1 : i32, end = 2 : i32} (int_tuple<(3,(5,?),7)>) -> int_tuple<(5,?)>
take {begin = 1 : i32, end = -1 : i32} (int_tuple<(3,(5,?),7)>) -> int_tuple<((5,?),7)>
# Preconditions, and what only the definition says.
take {begin = 0 : i32, end = 1 : i32} (int_tuple<3>) -> error: take_c1
take {begin = 1 : i32, end = 1 : i32} (int_tuple<(3,5)>) -> error: take_c2
)");
}

TEST(IntTupleTable, Select) {
  expectTable(R"(
select {indices = array<i32: 2, 0, 2>} (int_tuple<(3,(5,?),7)>) -> int_tuple<(7,3,7)>
select {indices = array<i32: 1, 0>} (layout<(3,5):(1,3)>) -> layout<(5,3):(3,1)>
# Preconditions, and what only the definition says.
select {indices = array<i32: 2>} (int_tuple<(3,5)>) -> error: select_c2
select {indices = array<i32: 0>} (int_tuple<3>) -> error: select_c1
)");
}

TEST(IntTupleTable, Append) {
  expectTable(R"(
append {n = 4 : i32} (int_tuple<(3,5)> ; int_tuple<(1,?)>) -> int_tuple<(3,5,(1,?),(1,?))>
append (layout<(3,5):(1,3)> ; layout<2:15>) -> layout<(3,5,2):(1,3,15)>
append {n = 4 : i32} (composed_layout<S<1,2,3> o 0 o (3,5):(1,3)> ; layout<1:0>) -> composed_layout<S<1,2,3> o 0 o (3,5,1,1):(1,3,0,0)>
# Preconditions, and what only the definition says.
append {n = 1 : i32} (int_tuple<(3,5)> ; int_tuple<1>) -> error: append_c1
append {n = 2147483647 : i32} (int_tuple<(3,5)> ; int_tuple<1>) -> error: append_c1
)");
}

TEST(IntTupleTable, Prepend) {
  expectTable(R"(
prepend (int_tuple<3> ; int_tuple<9>) -> int_tuple<(9,3)>
prepend {n = 3 : i32} (layout<(3,5):(1,3)> ; layout<1:0>) -> layout<(1,3,5):(0,1,3)>
# Preconditions, and what only the definition says.
prepend {n = 1 : i32} (int_tuple<(3,5)> ; int_tuple<1>) -> error: prepend_c1
)");
}

TEST(IntTupleTable, Slice) {
  expectTable(R"(
slice (int_tuple<(3,(5,6),7)> ; int_tuple<(*,(2,*),?)>) -> int_tuple<(3,6)>
slice (int_tuple<(3,(5,6),7)> ; int_tuple<(0,*,1)>) -> int_tuple<(5,6)>
slice (layout<(3,(5,7)):(1,(3,15))> ; int_tuple<(2,(*,4))>) -> layout<5:3>
slice (composed_layout<S<1,2,3> o 4 o (3,5):(1,3)> ; int_tuple<(2,*)>) -> composed_layout<S<1,2,3> o 6 o 5:3>
slice (composed_layout<64:3 o 2 o [32:1 o 4 o (3,5):(1,3)]> ; int_tuple<(*,2)>) -> composed_layout<64:3 o 2 o [32:1 o 10 o 3:1]>
# Preconditions, and what only the definition says.
slice (int_tuple<(3,5)> ; int_tuple<(*,*,*)>) -> error: slice_c1
slice (int_tuple<(3,5)> ; int_tuple<(1,1)>) -> error: slice_c2
slice (int_tuple<(3,5)> ; int_tuple<*>) -> int_tuple<(3,5)>
slice (composed_layout<S<1,2,3> o 4 o [S<1,0,3> o 1 o (3,5):(1,3)]> ; int_tuple<(2,*)>) -> composed_layout<S<1,2,3> o 4 o [S<1,0,3> o 3 o 5:3]>
)");
}

TEST(IntTupleTable, Dice) {
  expectTable(R"(
dice (int_tuple<(3,(5,6),7)> ; int_tuple<(*,(2,*),?)>) -> int_tuple<(5,7)>
dice (int_tuple<(3,(5,6),7)> ; int_tuple<4>) -> int_tuple<(3,(5,6),7)>
dice (layout<(3,(5,7)):(1,(3,15))> ; int_tuple<(2,(*,4))>) -> layout<(3,7):(1,15)>
# Preconditions, and what only the definition says.
dice (int_tuple<(3,5)> ; int_tuple<(1,1,1)>) -> error: dice_c1
dice (int_tuple<(3,5)> ; int_tuple<(*,*)>) -> error: dice_c2
)");
}

TEST(IntTupleTable, Get) {
  expectTable(R"(
get {mode = array<i32: 1, 0>} (int_tuple<(3,(5,6),7)>) -> int_tuple<5>
get {mode = array<i32>} (int_tuple<(3,(5,6),7)>) -> int_tuple<(3,(5,6),7)>
get {mode = array<i32: 1, 0>} (layout<(3,(5,?)):(1,(3,15))>) -> layout<5:3>
get {mode = array<i32: 1>} (composed_layout<S<1,2,3> o 4 o (3,(5,7)):(1,(3,15))>) -> composed_layout<S<1,2,3> o 4 o (5,7):(3,15)>
get {mode = array<i32: 0, 0>} (int_tuple<(3,5)>) -> error: get_c1
# Preconditions, and what only the definition says.
get {mode = array<i32: 2>} (int_tuple<(3,5)>) -> error: get_c2
)");
}

TEST(IntTupleTable, Others) {
  expectTable(R"(
int_tuple_min (int_tuple<(3,?)> ; int_tuple<(5,8)>) -> int_tuple<(3,?)>
int_tuple_max (int_tuple<(3,?{div=12})> ; int_tuple<(5,8)>) -> int_tuple<(5,?{div=4})>
elem_less (int_tuple<(1,2)> ; int_tuple<(2,3,9)>) -> int_tuple<1>
elem_less (int_tuple<(1,3)> ; int_tuple<(2,3)>) -> int_tuple<0>
elem_less (int_tuple<(1,2,3)> ; int_tuple<(2,3)>) -> int_tuple<0>
elem_less (int_tuple<(?,2)> ; int_tuple<(2,2)>) -> int_tuple<0>
elem_less (int_tuple<(?,1)> ; int_tuple<(2,2)>) -> int_tuple<?>
elem_less (int_tuple<1E0> ; int_tuple<2>) -> error: basis_c1
equal (int_tuple<(1,2E0)> ; int_tuple<(1,2E0)>) -> int_tuple<1>
equal (int_tuple<(1,2E0)> ; int_tuple<(1,2E1)>) -> int_tuple<0>
equal (int_tuple<(1,2)> ; int_tuple<1>) -> int_tuple<0>
equal (int_tuple<(?,2)> ; int_tuple<(1,2)>) -> int_tuple<?>
inner_product (int_tuple<(2,(3,4))> ; int_tuple<(5,(6,7))>) -> int_tuple<56>
inner_product (int_tuple<(2,3)> ; int_tuple<(5,6,7)>) -> error: inner_product_c1
zip (int_tuple<((1,2),(3,4))>) -> int_tuple<((1,3),(2,4))>
zip (int_tuple<((1,2),3)>) -> error: zip_c1
filter_zero (int_tuple<(0,1)> ; int_tuple<((2,3),4)>) -> int_tuple<((1,1),4)>
filter_zero (int_tuple<(0,1)> ; int_tuple<5>) -> error: filter_zero_c1
)");
}
