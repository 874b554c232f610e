// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of coordinates, indices, sizes and extents.

#include "Table.h"
#include "gtest/gtest.h"

using fly::layout::test::expectTable;

TEST(EvaluateTable, Crd2idx) {
  expectTable(R"(
crd2idx (int_tuple<130> ; swizzle<S<2,3,4>>) -> int_tuple<138>
crd2idx (int_tuple<?{i64 div=24}> ; swizzle<S<2,3,4>>) -> int_tuple<?{i64 div=8}>
crd2idx (int_tuple<(6,5)> ; coord_swizzle<CS<2,1,[0],2,[1]>>) -> int_tuple<(6,9)>
crd2idx (int_tuple<(?,6)> ; coord_swizzle<CS<2,1,[0],2,[1]>>) -> int_tuple<(?,?{div=2})>
crd2idx (int_tuple<(1,(2,3))> ; coord_swizzle<CS<1,0,[0],0,[1, 1]>>) -> int_tuple<(1,(2,2))>
crd2idx (int_tuple<(6,5)> ; coord_swizzle<CS<0,0,[],0,[]>>) -> int_tuple<(6,5)>
crd2idx (int_tuple<(2,4)> ; layout<(3,5):(7,2)>) -> int_tuple<22>
crd2idx (int_tuple<11> ; layout<(3,5):(7,2)>) -> int_tuple<20>
crd2idx (int_tuple<40> ; layout<(3,5):(7,2)>) -> int_tuple<33>
crd2idx (int_tuple<-4> ; layout<(3,5):(7,2)>) -> int_tuple<-9>
crd2idx (int_tuple<(?,4)> ; layout<(3,(2,5)):(6,(3,?))>) -> int_tuple<?{div=2}>
crd2idx (int_tuple<(1,*)> ; layout<(3,5):(7,2)>) -> int_tuple<7>
crd2idx (int_tuple<(2,?)> ; layout<(3,5):(1E0,2E1)>) -> int_tuple<(2,?{div=2})>
crd2idx (int_tuple<7> ; layout<(3,5):(1E1,3E1)>) -> int_tuple<(0,7)>
crd2idx (int_tuple<(?{div=4},0)> ; layout<(12,5):(6,1)>) -> int_tuple<?{div=24}>
crd2idx (int_tuple<(2,3)> ; composed_layout<S<2,2,2> o 16 o (6,5):(5,1)>) -> int_tuple<25>
crd2idx (int_tuple<(2,3)> ; composed_layout<64:3 o 1 o [32:2 o 4 o (6,5):(5,1)]>) -> int_tuple<105>
crd2idx (int_tuple<(5,2)> ; composed_layout<CS<2,0,[0],1,[1]> o (1,0) o (6,5):(1E0,1E1)>) -> int_tuple<(6,6)>
crd2idx (int_tuple<((1,*,1),0)> ; layout<((4,5,8),3):((120,1,5),40)>) -> int_tuple<125>
crd2idx (int_tuple<(*,*,?{i64})> ; layout<(1,3,4):(1,4,1)>) -> int_tuple<?{i64}>
crd2idx (int_tuple<(0,?)> ; layout<(5,4):(2,8)>) -> int_tuple<?{div=8}>
crd2idx (int_tuple<(1,(?{i64},*,?))> ; layout<(1,(8,5,1)):(1,(1,8,40))>) -> int_tuple<?{i64}>
crd2idx (int_tuple<(1,19,*)> ; layout<(5,2,?):(?{i64},6,3)>) -> int_tuple<?{i64}>
crd2idx (int_tuple<(?{i64},*,?)> ; layout<(1,?,3):(-2,?,2)>) -> int_tuple<?{i64 div=2}>
crd2idx (int_tuple<*> ; layout<5:2>) -> int_tuple<0>
crd2idx (int_tuple<?> ; layout<(2,2,(8,2)):(1E1,2E1,(2E1,2E0))>) -> int_tuple<(?{div=2},?)>
crd2idx (int_tuple<?> ; layout<6:1>) -> int_tuple<?>
# Preconditions, and what only the definition says.
crd2idx (int_tuple<(1,2,3)> ; layout<(3,5):(1,3)>) -> error: crd2idx_c1
crd2idx (int_tuple<1E0> ; layout<(3,5):(1,3)>) -> error: crd2idx_c2
crd2idx (int_tuple<1> ; composed_layout<S<1,0,3> o 0 o (3,5):(1E0,1E1)>) -> error: crd2idx_c2
crd2idx (int_tuple<(6,5)> ; coord_swizzle<CS<2,1,[2],2,[1]>>) -> error: coord_swizzle_c2
crd2idx (int_tuple<(?,?)> ; layout<(65536,65536):(65536,1)>) -> int_tuple<?{i64}>
crd2idx (int_tuple<(?,?)> ; layout<(32768,65536):(65536,1)>) -> int_tuple<?>
crd2idx (int_tuple<(?,40000)> ; layout<(4,65536):(1,65536)>) -> int_tuple<?{i64}>
crd2idx (int_tuple<(40000,50000)> ; layout<(65536,65536):(65536,1)>) -> int_tuple<2621490000>
crd2idx (int_tuple<(?,1)> ; layout<(?,4):(4294967296,1)>) -> int_tuple<?{i64}>
crd2idx (int_tuple<-1> ; swizzle<S<2,3,4>>) -> int_tuple<-25>
crd2idx (int_tuple<?> ; swizzle<S<3,28,4>>) -> int_tuple<?{i64}>
crd2idx (int_tuple<?{div=64}> ; swizzle<S<0,0,0>>) -> int_tuple<?{div=64}>
)");
}

TEST(EvaluateTable, Idx2crd) {
  expectTable(R"(
idx2crd (int_tuple<23> ; layout<(3,5):(1,6)>) -> int_tuple<(2,3)>
idx2crd (int_tuple<?> ; layout<(3,(2,5)):(1,(3,6))>) -> int_tuple<(?,(?,?))>
idx2crd (int_tuple<9> ; layout<(1,7):(0,2)>) -> int_tuple<(0,4)>
idx2crd (int_tuple<26> ; layout<((4,4,2),(?{i64},2,4)):((24,?{div=4},?{i64}),(16,4,8))>) -> int_tuple<((1,?,?{i64}),(?{i64},0,3))>
idx2crd (int_tuple<5> ; layout<3:1>) -> int_tuple<2>
idx2crd (int_tuple<?> ; layout<2:1>) -> int_tuple<?>
idx2crd (int_tuple<?{i64 div=6}> ; layout<((8,1)):((1,1))>) -> int_tuple<((?{i64},0))>
# Preconditions, and what only the definition says.
idx2crd (int_tuple<4> ; layout<(3,5):(1,4)>) -> int_tuple<(0,1)>
idx2crd (int_tuple<(1,2,3)> ; layout<(3,5):(1,3)>) -> error: idx2crd_c1
idx2crd (int_tuple<1> ; layout<(3,5):(1E0,1E1)>) -> error: idx2crd_c2
idx2crd (int_tuple<7> ; layout<(3,2):(2,3)>) -> int_tuple<(2,1)>
idx2crd (int_tuple<?> ; layout<(3,2):(2,3)>) -> int_tuple<(?,?)>
idx2crd (int_tuple<?> ; layout<(3,1,(2,4)):(2,5,(3,0))>) -> int_tuple<(?,0,(?,0))>
idx2crd (int_tuple<?{i64}> ; layout<4:-1>) -> int_tuple<?{i64}>
idx2crd (int_tuple<?> ; layout<(3,3):(1,2)>) -> error: idx2crd_c3
idx2crd (int_tuple<(?,7)> ; layout<(3,(2,5)):(2,(9,1))>) -> int_tuple<(?,(0,2))>
idx2crd (int_tuple<5> ; layout<(4,3):(0,2)>) -> int_tuple<(0,2)>
)");
}

TEST(EvaluateTable, GetFlatCoord) {
  expectTable(R"(
get_flat_coord (int_tuple<23> ; layout<((3,2),5):((1,3),6)>) -> int_tuple<(5,3)>
get_flat_coord (int_tuple<?> ; layout<(6,4,5):(3,?{i64},?)>) -> int_tuple<(?,?{i64},?)>
get_flat_coord (int_tuple<?{div=4}> ; layout<(2,5,1):(6,2,3)>) -> error: idx2crd_c3
get_flat_coord (int_tuple<?{i64 div=6}> ; layout<((2,6)):((4,16))>) -> int_tuple<(?{i64})>
)");
}

TEST(EvaluateTable, Get1dCoord) {
  expectTable(R"(
get_1d_coord (int_tuple<23> ; layout<((3,2),5):((15,5),1)>) -> int_tuple<22>
get_1d_coord (int_tuple<?> ; layout<(3,?):(1,3)>) -> int_tuple<?>
get_1d_coord (int_tuple<(1,?{div=4},26)> ; layout<(6,4,(2,8)):(8,2,(1,48))>) -> int_tuple<?{div=6}>
get_1d_coord (int_tuple<11> ; layout<(3,2,8):(8,2,?{i64})>) -> int_tuple<?{i64}>
get_1d_coord (int_tuple<1> ; layout<2:3>) -> int_tuple<0>
get_1d_coord (int_tuple<38> ; layout<((1,5),4):((12,4),?)>) -> int_tuple<?>
get_1d_coord (int_tuple<43> ; layout<(5,2):(2,1)>) -> int_tuple<6>
get_1d_coord (int_tuple<59> ; layout<((4,?{i64}),(3,4,2)):((1,4),(?{i64 div=4},?{i64 div=12},?{i64 div=48}))>) -> int_tuple<?{i64}>
get_1d_coord (int_tuple<?{div=4}> ; layout<(3,3,4):(2,6,6)>) -> error: idx2crd_c3
get_1d_coord (int_tuple<?{i64 div=6}> ; layout<2:?>) -> int_tuple<?{i64}>
)");
}

TEST(EvaluateTable, Size) {
  expectTable(R"(
size (layout<(3,(2,?)):(1,(3,6))>) -> int_tuple<?{div=6}>
size (layout<((8,2,5),5):((-2,0,24),-2)>) -> int_tuple<400>
size (layout<(1,4,2):(1,1,4)>) -> int_tuple<8>
size (layout<(6,(6,?{i64})):(1,(6,36))>) -> int_tuple<?{i64 div=36}>
size (layout<4:4>) -> int_tuple<4>
# Preconditions, and what only the definition says.
size (layout<(65536,65536):(1,65536)>) -> int_tuple<4294967296>
size (layout<(65536,(?,65536)):(1,(3,6))>) -> int_tuple<?{i64 div=4294967296}>
size (int_tuple<(4294967296,4294967296)>) -> error: int_overflow
)");
}

TEST(EvaluateTable, Coprofile) {
  expectTable(R"(
coprofile (layout<(3,5):(2E0,1E1E1)>) -> int_tuple<(0,(0,0))>
coprofile (layout<(4,(2,5)):(6,(1,0))>) -> int_tuple<0>
coprofile (layout<(5,(3)):(3,(1))>) -> int_tuple<0>
coprofile (layout<(8,(2,5,5)):(-2,(3,-1,0))>) -> int_tuple<0>
coprofile (layout<(8,2):(1,8)>) -> int_tuple<0>
# Preconditions, and what only the definition says.
coprofile (layout<(3,5):(1E0,2)>) -> error: coprofile_c1
coprofile (layout<(3,5):(1E0,1E0E0)>) -> error: basis_c3
coprofile (layout<(3,5):(1E0E0,1E0)>) -> error: basis_c3
coprofile (layout<(3,(5,2)):(1E0E1,(1E1,2E0))>) -> error: basis_c3
coprofile (layout<(3,5):(1E0E0,0E0)>) -> int_tuple<((0))>
coshape (layout<(3,5):(1E0E0,1E0)>) -> error: basis_c3
cosize (layout<(3,5):(1E1E2E3,1E1)>) -> error: basis_c3
crd2idx (int_tuple<(1,2)> ; layout<(3,5):(1E0E0,1E0)>) -> error: basis_c3
crd2idx (int_tuple<(0,2)> ; layout<(3,5):(1E0,1E0E0)>) -> error: basis_c3
crd2idx (int_tuple<(1,2)> ; layout<(3,5):(1E0E0,1E0E1)>) -> int_tuple<((1,2))>
coprofile (layout<3:2E1>) -> int_tuple<(0,0)>
)");
}

TEST(EvaluateTable, Coshape) {
  expectTable(R"(
coshape (layout<(3,5):(1,6)>) -> int_tuple<27>
coshape (layout<(3,5):(2E0,1E1E1)>) -> int_tuple<(5,(1,5))>
coshape (layout<(8,2):(2,1)>) -> int_tuple<16>
# Preconditions, and what only the definition says.
coshape (layout<3:2E1>) -> int_tuple<(1,5)>
coshape (layout<(3,5):(-1,6)>) -> int_tuple<27>
)");
}

TEST(EvaluateTable, Cosize) {
  expectTable(R"(
cosize (layout<(3,5):(0,2)>) -> int_tuple<9>
cosize (layout<(3,5):(-1,6)>) -> int_tuple<27>
cosize (layout<(3,?{div=5}):(1,?{i64})>) -> int_tuple<?{i64}>
cosize (layout<(3,5):(2E0,1E1E1)>) -> int_tuple<25>
cosize (composed_layout<100:7 o 8 o (3,5):(5,1)>) -> int_tuple<155>
cosize (layout<1:1>) -> int_tuple<1>
# Preconditions, and what only the definition says.
cosize (composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>) -> int_tuple<32>
cosize (composed_layout<S<1,0,2> o 0 o 5:1>) -> int_tuple<6>
cosize (composed_layout<S<1,0,2> o ? o 5:1>) -> error: cosize_c1
# An index that has no 64 bits is an overflow, not an unknown extent.
cosize (composed_layout<4:15 o 0 o ((2)):((576460752303423488))>) -> int_tuple<8646911284551352321>
cosize (composed_layout<4:16 o 0 o ((2)):((576460752303423488))>) -> error: int_overflow
cosize (composed_layout<((2)):((576460752303423488)) o 0 o ((2)):((576460752303423488))>) -> error: int_overflow
cosize (composed_layout<S<1,0,2> o 1 o (2,4):(9223372036854775807,1)>) -> error: int_overflow
cosize (composed_layout<S<1,0,2> o 0 o (2,2):(9223372036854775807,-9223372036854775807)>) -> error: int_overflow
cosize (composed_layout<4:1 o 9223372036854775807 o 2:1>) -> error: int_overflow
cosize (composed_layout<S<1,0,2> o 0 o (2097152,2):(4611686018427387904,1)>) -> error: int_overflow
cosize (composed_layout<4:1 o 0 o 0:1>) -> error: cosize_c1
cosize (composed_layout<S<3,3,3> o 0 o (65536,65536):(65536,1)>) -> int_tuple<4294967296>
cosize (composed_layout<S<3,3,3> o 5 o (65536,65536):(65536,1)>) -> int_tuple<4294967301>
cosize (layout<(65536,65536,?):(65536,1,?)>) -> int_tuple<?{i64}>
)");
}

TEST(EvaluateTable, Others) {
  expectTable(R"(
origin_offset (composed_layout<S<2,2,2> o 16 o (6,5):(5,1)>) -> int_tuple<20>
origin_offset (composed_layout<64:3 o 1 o [32:2 o 4 o (6,5):(5,1)]>) -> int_tuple<27>
origin_offset (layout<(6,5):(5,1)>) -> int_tuple<0>
add_offset (composed_layout<64:3 o 1 o [S<1,0,2> o 4 o (6,5):(5,1)]> ; int_tuple<?>) -> composed_layout<64:3 o 1 o [S<1,0,2> o ? o (6,5):(5,1)]>
add_offset (layout<(6,5):(5,1)> ; int_tuple<1>) -> error: add_offset_c2
)");
}
