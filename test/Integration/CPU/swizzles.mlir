// Swizzled views by value: what a recast, a run-time slice and the swizzle of a
// pointer name is what the definition says, part by part.

// RUN: fly-run %s --chip=gfx942 --function=recast --input=16xi32=65536,196610,327684,458758,589832,720906,851980,983054,1114128,1245202,1376276,1507350,1638424,1769498,1900572,2031646 --input=16xi32=-1 --input=16xi32=-1 --expected=1:16xi32=65536,196610,327684,458758,720906,589832,983054,851980,1114128,1245202,1376276,1507350,1769498,1638424,2031646,1900572 --expected=2:16xi32=0
// RUN: fly-run %s --chip=gfx942 --function=narrow --input=16xi32=65536,196610,327684,458758,589832,720906,851980,983054,1114128,1245202,1376276,1507350,1638424,1769498,1900572,2031646 --input=16xi32=-1 --expected=1:16xi32=0
// RUN: fly-run %s --chip=gfx942 --function=rows --input=0 --input=128xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127 --input=16xi32=-1 --expected=2:16xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: fly-run %s --chip=gfx942 --function=rows --input=2 --input=128xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127 --input=16xi32=-1 --expected=2:16xi32=40,41,42,43,44,45,46,47,32,33,34,35,36,37,38,39
// RUN: fly-run %s --chip=gfx942 --function=rows --input=7 --input=128xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127 --input=16xi32=-1 --expected=2:16xi32=124,125,126,127,120,121,122,123,116,117,118,119,112,113,114,115
// RUN: fly-run %s --chip=gfx942 --function=pointer --input=64xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63 --input=64xi32=-1 --input=64xi32=-1 --expected=1:64xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63 --expected=2:64xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,36,37,38,39,32,33,34,35,44,45,46,47,40,41,42,43,52,53,54,55,48,49,50,51,60,61,62,63,56,57,58,59
// RUN: fly-run %s --chip=gfx942 --function=neighbours --input=16xi32=101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116 --input=16xi32=-1 --expected=1:16xi32=101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116

!X = !fly.memref<i32, global, ?:1>
!P = !fly.ptr<i32, global>
!H = !fly.ptr<i16, global, align<4>>
!O16 = !fly.memref<i32, global, (4,4):(4,1)>

module attributes {gpu.container_module} {
  gpu.module @k {
    // User report 26.
    // The items of 32 bits of the recast view, and what they differ in from the
    // two items of 16 bits that they are made of.
    gpu.func @recast(%x: !P, %whole: !P, %diff: !P) kernel {
      %l = fly.static : !fly.composed_layout<S<1,1,2> o 0 o (4,8):(8,1)>
      %r = fly.recast_layout(%l) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<1,1,2> o 0 o (4,8):(8,1)>) -> !fly.composed_layout<S<1,0,2> o 0 o (4,4):(4,1)>
      %h = fly.recast_iter(%x) : (!P) -> !H
      %small = fly.make_view(%h, %l) : (!H, !fly.composed_layout<S<1,1,2> o 0 o (4,8):(8,1)>) -> !fly.memref<i16, global, S<1,1,2> o 0 o (4,8):(8,1), align<4>>
      %big = fly.make_view(%x, %r) : (!P, !fly.composed_layout<S<1,0,2> o 0 o (4,4):(4,1)>) -> !fly.memref<i32, global, S<1,0,2> o 0 o (4,4):(4,1)>
      %o = fly.static : !fly.layout<(4,4):(4,1)>
      %a = fly.make_view(%whole, %o) : (!P, !fly.layout<(4,4):(4,1)>) -> !O16
      %b = fly.make_view(%diff, %o) : (!P, !fly.layout<(4,4):(4,1)>) -> !O16
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %row = arith.index_cast %i : index to i32
          %col = arith.index_cast %j : index to i32
          %one = arith.constant 1 : i32
          %c16 = arith.constant 16 : i32
          %first = arith.shli %col, %one : i32
          %second = arith.addi %first, %one : i32
          %at = fly.make_coord(%row, %col) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %at0 = fly.make_coord(%row, %first) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %at1 = fly.make_coord(%row, %second) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %v = fly.memref.load(%big, %at) : (!fly.memref<i32, global, S<1,0,2> o 0 o (4,4):(4,1)>, !fly.int_tuple<(?,?)>) -> i32
          %v0 = fly.memref.load(%small, %at0) : (!fly.memref<i16, global, S<1,1,2> o 0 o (4,8):(8,1), align<4>>, !fly.int_tuple<(?,?)>) -> i16
          %v1 = fly.memref.load(%small, %at1) : (!fly.memref<i16, global, S<1,1,2> o 0 o (4,8):(8,1), align<4>>, !fly.int_tuple<(?,?)>) -> i16
          %w0 = arith.extui %v0 : i16 to i32
          %w1 = arith.extui %v1 : i16 to i32
          %high = arith.shli %w1, %c16 : i32
          %both = arith.ori %w0, %high : i32
          %d = arith.subi %v, %both : i32
          fly.memref.store(%v, %a, %at) : (i32, !O16, !fly.int_tuple<(?,?)>) -> ()
          fly.memref.store(%d, %b, %at) : (i32, !O16, !fly.int_tuple<(?,?)>) -> ()
        }
      }
      gpu.return
    }

    // The other way round: items of 16 bits of a view of items of 32.
    gpu.func @narrow(%x: !P, %diff: !P) kernel {
      %l = fly.static : !fly.composed_layout<S<2,0,2> o 0 o (4,4):(4,1)>
      %r = fly.recast_layout(%l) {new_type_bits = 16 : i32, old_type_bits = 32 : i32} : (!fly.composed_layout<S<2,0,2> o 0 o (4,4):(4,1)>) -> !fly.composed_layout<S<2,1,2> o 0 o (4,8):(8,1)>
      %h = fly.recast_iter(%x) : (!P) -> !H
      %small = fly.make_view(%h, %r) : (!H, !fly.composed_layout<S<2,1,2> o 0 o (4,8):(8,1)>) -> !fly.memref<i16, global, S<2,1,2> o 0 o (4,8):(8,1), align<4>>
      %big = fly.make_view(%x, %l) : (!P, !fly.composed_layout<S<2,0,2> o 0 o (4,4):(4,1)>) -> !fly.memref<i32, global, S<2,0,2> o 0 o (4,4):(4,1)>
      %o = fly.static : !fly.layout<(4,4):(4,1)>
      %b = fly.make_view(%diff, %o) : (!P, !fly.layout<(4,4):(4,1)>) -> !O16
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %row = arith.index_cast %i : index to i32
          %col = arith.index_cast %j : index to i32
          %one = arith.constant 1 : i32
          %c16 = arith.constant 16 : i32
          %first = arith.shli %col, %one : i32
          %second = arith.addi %first, %one : i32
          %at = fly.make_coord(%row, %col) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %at0 = fly.make_coord(%row, %first) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %at1 = fly.make_coord(%row, %second) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %v = fly.memref.load(%big, %at) : (!fly.memref<i32, global, S<2,0,2> o 0 o (4,4):(4,1)>, !fly.int_tuple<(?,?)>) -> i32
          %v0 = fly.memref.load(%small, %at0) : (!fly.memref<i16, global, S<2,1,2> o 0 o (4,8):(8,1), align<4>>, !fly.int_tuple<(?,?)>) -> i16
          %v1 = fly.memref.load(%small, %at1) : (!fly.memref<i16, global, S<2,1,2> o 0 o (4,8):(8,1), align<4>>, !fly.int_tuple<(?,?)>) -> i16
          %w0 = arith.extui %v0 : i16 to i32
          %w1 = arith.extui %v1 : i16 to i32
          %high = arith.shli %w1, %c16 : i32
          %both = arith.ori %w0, %high : i32
          %d = arith.subi %v, %both : i32
          fly.memref.store(%d, %b, %at) : (i32, !O16, !fly.int_tuple<(?,?)>) -> ()
        }
      }
      gpu.return
    }

    // Row n in runs of 4, which the swizzle keeps.
    gpu.func @rows(%n: i32, %x: !P, %out: !P) kernel {
      %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
      %l = fly.static : !fly.composed_layout<S<2,2,2> o 0 o (8,(4,4)):(16,(1,4))>
      %v = fly.make_view(%x, %l) : (!P, !fly.composed_layout<S<2,2,2> o 0 o (8,(4,4)):(16,(1,4))>) -> !fly.memref<i32, global, S<2,2,2> o 0 o (8,(4,4)):(16,(1,4))>
      %c = fly.make_coord(%n) : (i32) -> !fly.int_tuple<(?,*)>
      %s = fly.slice(%v, %c) : (!fly.memref<i32, global, S<2,2,2> o 0 o (8,(4,4)):(16,(1,4))>, !fly.int_tuple<(?,*)>) -> !fly.memref<i32, global, S<2,2,2> o ?{div=16} o (4,4):(1,4)>
      %ol = fly.static : !fly.layout<(4,4):(1,4)>
      %d = fly.make_view(%out, %ol) : (!P, !fly.layout<(4,4):(1,4)>) -> !fly.memref<i32, global, (4,4):(1,4)>
      fly.copy(%atom, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<i32, global, S<2,2,2> o ?{div=16} o (4,4):(1,4)>, !fly.memref<i32, global, (4,4):(1,4)>) -> ()
      gpu.return
    }

    // Two swizzled arrays in shared memory, the first filled twice: neither
    // reaches into the other. One is read row by row, the other as it lies.
    gpu.func @pointer(%x: !P, %rows: !P, %raw: !P) kernel {
      %l = fly.static : !fly.layout<(8,8):(8,1)>
      %f = fly.static : !fly.layout<64:1>
      %s = fly.memref.alloca(%l) : (!fly.layout<(8,8):(8,1)>) -> !fly.memref<i32, shared, (8,8):(8,1), align<512>, S<2,4,3>>
      %t = fly.memref.alloca(%l) : (!fly.layout<(8,8):(8,1)>) -> !fly.memref<i32, shared, (8,8):(8,1), S<3,4,3>>
      %src = fly.make_view(%x, %l) : (!P, !fly.layout<(8,8):(8,1)>) -> !fly.memref<i32, global, (8,8):(8,1)>
      %dst = fly.make_view(%rows, %f) : (!P, !fly.layout<64:1>) -> !fly.memref<i32, global, 64:1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          %row = arith.index_cast %i : index to i32
          %col = arith.index_cast %j : index to i32
          %at = fly.make_coord(%row, %col) : (i32, i32) -> !fly.int_tuple<(?,?)>
          %v = fly.memref.load(%src, %at) : (!fly.memref<i32, global, (8,8):(8,1)>, !fly.int_tuple<(?,?)>) -> i32
          fly.memref.store(%v, %t, %at) : (i32, !fly.memref<i32, shared, (8,8):(8,1), S<3,4,3>>, !fly.int_tuple<(?,?)>) -> ()
          fly.memref.store(%v, %s, %at) : (i32, !fly.memref<i32, shared, (8,8):(8,1), align<512>, S<2,4,3>>, !fly.int_tuple<(?,?)>) -> ()
        }
      }
      // A row through the swizzle.
      scf.for %i = %c0 to %c8 step %c1 {
        %row = arith.index_cast %i : index to i32
        %c = fly.make_coord(%row) : (i32) -> !fly.int_tuple<(?,*)>
        %r = fly.slice(%t, %c) : (!fly.memref<i32, shared, (8,8):(8,1), S<3,4,3>>, !fly.int_tuple<(?,*)>) -> !fly.memref<i32, shared, 8:1, S<3,4,3>>
        %v = fly.memref.load_vec(%r) : (!fly.memref<i32, shared, 8:1, S<3,4,3>>) -> vector<8xi32>
        %dl = fly.static : !fly.layout<(8,8):(8,1)>
        %dv = fly.make_view(%rows, %dl) : (!P, !fly.layout<(8,8):(8,1)>) -> !fly.memref<i32, global, (8,8):(8,1)>
        %dr = fly.slice(%dv, %c) : (!fly.memref<i32, global, (8,8):(8,1)>, !fly.int_tuple<(?,*)>) -> !fly.memref<i32, global, 8:1>
        fly.memref.store_vec(%v, %dr) : (vector<8xi32>, !fly.memref<i32, global, 8:1>) -> ()
      }
      // The bytes of the first array in order.
      %p = fly.get_iter(%s) : (!fly.memref<i32, shared, (8,8):(8,1), align<512>, S<2,4,3>>) -> !fly.ptr<i32, shared, align<512>, S<2,4,3>>
      %none = fly.static : !fly.swizzle<S<0,0,0>>
      %q = fly.apply_swizzle(%p, %none) : (!fly.ptr<i32, shared, align<512>, S<2,4,3>>, !fly.swizzle<S<0,0,0>>) -> !fly.ptr<i32, shared, align<512>>
      %m = fly.make_view(%q, %f) : (!fly.ptr<i32, shared, align<512>>, !fly.layout<64:1>) -> !fly.memref<i32, shared, 64:1, align<512>>
      %o = fly.make_view(%raw, %f) : (!P, !fly.layout<64:1>) -> !fly.memref<i32, global, 64:1>
      %v = fly.memref.load_vec(%m) : (!fly.memref<i32, shared, 64:1, align<512>>) -> vector<64xi32>
      fly.memref.store_vec(%v, %o) : (vector<64xi32>, !fly.memref<i32, global, 64:1>) -> ()
      gpu.return
    }

    // A swizzled array between two others, whose own alignment is that of an
    // element: pieces of 4 bytes move within 16, but not into its neighbours.
    gpu.func @neighbours(%x: !P, %out: !P) kernel {
      %l5 = fly.static : !fly.layout<5:1>
      %l6 = fly.static : !fly.layout<6:1>
      %l16 = fly.static : !fly.layout<16:1>
      %a = fly.memref.alloca(%l5) : (!fly.layout<5:1>) -> !fly.memref<i32, shared, 5:1>
      %b = fly.memref.alloca(%l6) : (!fly.layout<6:1>) -> !fly.memref<i32, shared, 6:1, S<2,2,1>>
      %c = fly.memref.alloca(%l5) : (!fly.layout<5:1>) -> !fly.memref<i32, shared, 5:1>
      %src = fly.make_view(%x, %l16) : (!P, !fly.layout<16:1>) -> !fly.memref<i32, global, 16:1>
      %dst = fly.make_view(%out, %l16) : (!P, !fly.layout<16:1>) -> !fly.memref<i32, global, 16:1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %five = arith.constant 5 : i32
      %eleven = arith.constant 11 : i32
      scf.for %i = %c0 to %c5 step %c1 {
        %k = arith.index_cast %i : index to i32
        %m = arith.addi %k, %eleven : i32
        %at = fly.make_coord(%k) : (i32) -> !fly.int_tuple<?>
        %last = fly.make_coord(%m) : (i32) -> !fly.int_tuple<?>
        %v = fly.memref.load(%src, %at) : (!fly.memref<i32, global, 16:1>, !fly.int_tuple<?>) -> i32
        %w = fly.memref.load(%src, %last) : (!fly.memref<i32, global, 16:1>, !fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %a, %at) : (i32, !fly.memref<i32, shared, 5:1>, !fly.int_tuple<?>) -> ()
        fly.memref.store(%w, %c, %at) : (i32, !fly.memref<i32, shared, 5:1>, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c6 step %c1 {
        %k = arith.index_cast %i : index to i32
        %m = arith.addi %k, %five : i32
        %at = fly.make_coord(%k) : (i32) -> !fly.int_tuple<?>
        %from = fly.make_coord(%m) : (i32) -> !fly.int_tuple<?>
        %v = fly.memref.load(%src, %from) : (!fly.memref<i32, global, 16:1>, !fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %b, %at) : (i32, !fly.memref<i32, shared, 6:1, S<2,2,1>>, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c5 step %c1 {
        %k = arith.index_cast %i : index to i32
        %m = arith.addi %k, %eleven : i32
        %at = fly.make_coord(%k) : (i32) -> !fly.int_tuple<?>
        %last = fly.make_coord(%m) : (i32) -> !fly.int_tuple<?>
        %v = fly.memref.load(%a, %at) : (!fly.memref<i32, shared, 5:1>, !fly.int_tuple<?>) -> i32
        %w = fly.memref.load(%c, %at) : (!fly.memref<i32, shared, 5:1>, !fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %dst, %at) : (i32, !fly.memref<i32, global, 16:1>, !fly.int_tuple<?>) -> ()
        fly.memref.store(%w, %dst, %last) : (i32, !fly.memref<i32, global, 16:1>, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c6 step %c1 {
        %k = arith.index_cast %i : index to i32
        %m = arith.addi %k, %five : i32
        %at = fly.make_coord(%k) : (i32) -> !fly.int_tuple<?>
        %to = fly.make_coord(%m) : (i32) -> !fly.int_tuple<?>
        %v = fly.memref.load(%b, %at) : (!fly.memref<i32, shared, 6:1, S<2,2,1>>, !fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %dst, %to) : (i32, !fly.memref<i32, global, 16:1>, !fly.int_tuple<?>) -> ()
      }
      gpu.return
    }
  }

  func.func @recast(%x: !X, %whole: !X, %diff: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !P
    %q = fly.get_iter(%whole) : (!X) -> !P
    %r = fly.get_iter(%diff) : (!X) -> !P
    gpu.launch_func @k::@recast blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%p : !P, %q : !P, %r : !P)
    return
  }
  func.func @narrow(%x: !X, %diff: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !P
    %q = fly.get_iter(%diff) : (!X) -> !P
    gpu.launch_func @k::@narrow blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%p : !P, %q : !P)
    return
  }
  func.func @rows(%n: i32, %x: !X, %out: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !P
    %q = fly.get_iter(%out) : (!X) -> !P
    gpu.launch_func @k::@rows blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%n : i32, %p : !P, %q : !P)
    return
  }
  func.func @pointer(%x: !X, %rows: !X, %raw: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !P
    %q = fly.get_iter(%rows) : (!X) -> !P
    %r = fly.get_iter(%raw) : (!X) -> !P
    gpu.launch_func @k::@pointer blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%p : !P, %q : !P, %r : !P)
    return
  }
  func.func @neighbours(%x: !X, %out: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !P
    %q = fly.get_iter(%out) : (!X) -> !P
    gpu.launch_func @k::@neighbours blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%p : !P, %q : !P)
    return
  }
}
