// RUN: fly-opt %s -fly-module-to-binary=format=isa -split-input-file -verify-diagnostics
//
// Constraints of inline assembly: each error stands at the operation. LLVM ends, writes beyond
// its memory or takes other registers where they are not checked before.

gpu.module @text [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%x: i32, %y: i64) attributes {rocdl.kernel} {
    // expected-error @below {{'llvm.inline_asm' op has the constraint '=@ccz', which is no kind of output on AMD GPUs: 'v', 's', 'a', '^VA', registers as '{v[0:1]}'}}
    %0 = llvm.inline_asm "", "=@ccz,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint 'm', which is no kind of input on AMD GPUs: 'v', 's', 'a', '^VA', registers as '{v[0:1]}', the number of an output or a constant: 'I', 'J', 'A', 'B', 'C', '^DA', '^DB', 'i', 'n'}}
    %1 = llvm.inline_asm "", "=v,m" %x : (i32) -> i32
    // expected-error @below {{has the constraint '=VA', which is no kind of output}}
    %2 = llvm.inline_asm "", "=VA,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '=&&v', which is no kind of output}}
    %3 = llvm.inline_asm "", "=&&v,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '+v', which is none of inline assembly for AMD GPUs; a value that is read and written is an output and an input tied to it}}
    %4 = llvm.inline_asm "", "+v,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '', which is none of inline assembly}}
    %5 = llvm.inline_asm "", "=v,,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '=', which is no kind of output}}
    %6 = llvm.inline_asm "", "=,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '=v', an output behind the inputs}}
    %7 = llvm.inline_asm "", "v,=v" %x : (i32) -> i32
    // expected-error @below {{has the constraint 'v', which stands behind those of clobbers}}
    %8 = llvm.inline_asm "", "=v,~{v1},v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '~{v999}', which names no register}}
    %9 = llvm.inline_asm "", "=v,v,~{v999}" %x : (i32) -> i32
    // expected-error @below {{has the constraint '~v', which names no register}}
    %10 = llvm.inline_asm "", "=v,v,~v" %x : (i32) -> i32
    llvm.return
  }
}

// -----

gpu.module @numbers [#rocdl.target<chip = "gfx950">] {
  llvm.func @k(%x: i32, %y: i64) attributes {rocdl.kernel} {
    // expected-error @below {{has the constraint '=v', but the operation has 0 results}}
    llvm.inline_asm has_side_effects "", "=v,v" %x : (i32) -> ()
    // expected-error @below {{has 0 outputs among its constraints 'v', but 1 result}}
    %0 = llvm.inline_asm "", "v" %x : (i32) -> i32
    // expected-error @below {{has the constraint 'v', but the operation has 1 operand}}
    %1 = llvm.inline_asm "", "=v,v,v" %x : (i32) -> i32
    // expected-error @below {{has 1 input among its constraints '=v,v', but 2 operands}}
    %2 = llvm.inline_asm "", "=v,v" %x, %x : (i32, i32) -> i32
    // expected-error @below {{has the constraint '7', which names none of the 1 output}}
    %3 = llvm.inline_asm "", "=v,7" %x : (i32) -> i32
    // expected-error @below {{has the constraint '0', but another operand is tied to that output}}
    %4 = llvm.inline_asm "", "=v,=v,0,0" %x, %x : (i32, i32) -> !llvm.struct<(i32, i32)>
    // expected-error @below {{has the constraint '0', which ties a value of type i64 to an output of type i32}}
    %5 = llvm.inline_asm "", "=v,0" %y : (i64) -> i32
    llvm.return
  }
}

// -----

gpu.module @registers [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%x: i32, %f: f32, %v: vector<33xf32>, %b: i8) attributes {rocdl.kernel} {
    // expected-error @below {{has the constraint '={v[0:3]}', which names 128 bits for a value of type f32}}
    %0 = llvm.inline_asm "", "={v[0:3]},v" %x : (i32) -> f32
    // expected-error @below {{has the constraint '{v5}', which names 32 bits for a value of type vector<33xf32>}}
    %1 = llvm.inline_asm "", "=v,{v5}" %v : (vector<33xf32>) -> f32
    // expected-error @below {{has the constraint '={v[0:3]}', which names 128 bits for a value of type !llvm.ptr<7>}}
    %2 = llvm.inline_asm "", "={v[0:3]},v" %x : (i32) -> !llvm.ptr<7>
    // expected-error @below {{has the constraint '={v999}', which names no register}}
    %3 = llvm.inline_asm "", "={v999},v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '={v0', which names no register}}
    %4 = llvm.inline_asm "", "={v0,v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '={v[3:0]}', which names no register}}
    %5 = llvm.inline_asm "", "={v[3:0]},v" %x : (i32) -> vector<4xf32>
    // expected-error @below {{has the constraint '={s102}', which names no register}}
    %6 = llvm.inline_asm "", "={s102},v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '=v', but no registers hold a value of type i24; take one of 16 bits or of whole words}}
    %7 = llvm.inline_asm "", "=v,v" %x : (i32) -> i24
    // expected-error @below {{has the constraint 'v', but no registers hold a value of type i8}}
    %8 = llvm.inline_asm "", "=v,v" %b : (i8) -> i32
    // expected-error @below {{has the constraint '=v', but no registers hold a value of type !llvm.struct}}
    %9 = llvm.inline_asm "", "=v,v" %x : (i32) -> !llvm.struct<(struct<()>)>
    llvm.return
  }
}

// -----

// Ranges that LLVM has no registers for: of a clobber it takes none, or ends.
gpu.module @ranges [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%x: i32, %y: i32) attributes {rocdl.kernel} {
    // expected-error @below {{has the constraint '={v[1:2]}', which names no register of gfx942; ranges have 2 to 12, 16 or 32 registers, vector ones begin at an even number, scalar ones at a multiple of 2, or of 4 if they are more than two}}
    %0 = llvm.inline_asm "", "={v[1:2]},v" %x : (i32) -> i64
    // expected-error @below {{has the constraint '~{v[1:2]}', which names no register of gfx942}}
    llvm.inline_asm has_side_effects "", "~{v[1:2]}" : () -> ()
    // expected-error @below {{has the constraint '~{v[0:0]}', which names no register}}
    llvm.inline_asm has_side_effects "", "~{v[0:0]}" : () -> ()
    // expected-error @below {{has the constraint '~{v[0:12]}', which names no register}}
    llvm.inline_asm has_side_effects "", "~{v[0:12]}" : () -> ()
    // expected-error @below {{has the constraint '~{a[0:255]}', which names no register}}
    llvm.inline_asm has_side_effects "", "~{a[0:255]}" : () -> ()
    // expected-error @below {{has the constraint '~{s[2:5]}', which names no register}}
    llvm.inline_asm has_side_effects "", "~{s[2:5]}" : () -> ()
    // expected-error @below {{has the constraint '{v1}', but another operand is in that register}}
    llvm.inline_asm has_side_effects "", "{v1},{v1}" %x, %y : (i32, i32) -> ()
    // expected-error @below {{has the constraint '={v[0:3]}', but another result is in one of those registers}}
    %1 = llvm.inline_asm "", "={v1},={v[0:3]}" : () -> !llvm.struct<(i32, vector<4xf32>)>
    llvm.return
  }
}

// -----

gpu.module @rdna [#rocdl.target<chip = "gfx1100">] {
  llvm.func @k(%x: i32, %e: !llvm.struct<()>, %v: vector<32xi32>) attributes {rocdl.kernel} {
    // expected-error @below {{has the constraint '={a0}', which names no register of gfx1100; ranges have 2 to 12, 16 or 32 registers, scalar ones at a multiple of 2}}
    %0 = llvm.inline_asm "", "={a0},v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '~{a0}', which names no register}}
    llvm.inline_asm has_side_effects "", "~{a0}" : () -> ()
    llvm.inline_asm has_side_effects "", "~{v[1:2]}" : () -> ()
    // expected-error @below {{has the constraint 'i', but no constant has type !llvm.struct<()>}}
    llvm.inline_asm has_side_effects "", "i" %e : (!llvm.struct<()>) -> ()
    // expected-error @below {{has the constraint 'v', but the operands of this kind are more than 256 words}}
    llvm.inline_asm has_side_effects "", "v,v,v,v,v,v,v,v,v" %v, %v, %v, %v, %v, %v, %v, %v, %v : (vector<32xi32>, vector<32xi32>, vector<32xi32>, vector<32xi32>, vector<32xi32>, vector<32xi32>, vector<32xi32>, vector<32xi32>, vector<32xi32>) -> ()
    llvm.return
  }
}

// -----

// The text: what stands behind '$', and directives behind what is no comment.
gpu.module @references [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%x: i32) attributes {rocdl.kernel} {
    // expected-error @below {{has '$5' in its text, but results and operands are 2}}
    %0 = llvm.inline_asm "s_nop $5", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has '$' in its text, expected the number of an operand as '$0' or '${0}', or '$$' for the sign itself}}
    %1 = llvm.inline_asm "s_nop $", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has '${0:' in its text}}
    %2 = llvm.inline_asm "s_nop ${0:", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has '${:foo}' in its text}}
    %3 = llvm.inline_asm "s_nop ${:foo}", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has '$' in its text}}
    %4 = llvm.inline_asm "$(.section foo$|s_nop 0$)", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has the directive '.fill'}}
    %5 = llvm.inline_asm "; /*\0A .fill 3000000000, 1, 0 ; */", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has the directive '.section'}}
    %6 = llvm.inline_asm "# /*\0A .section foo\0A # */", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has the directive '.section'}}
    %7 = llvm.inline_asm "s_nop 0\0D.section foo", "=v,v" %x : (i32) -> i32
    // expected-error @below {{has the directive '.section'}}
    %8 = llvm.inline_asm "\22a\22 : b: .section foo", "=v,v" %x : (i32) -> i32
    llvm.return
  }
}

// -----

// What LLVM reports stands at the operation, too, whatever the order of blocks.
gpu.module @reported [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%x: i32, %c: i1, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    llvm.cond_br %c, ^b, ^a
  ^end(%r: i32):
    llvm.inline_asm has_side_effects "s_nop 1", "" : () -> ()
    llvm.store %r, %p : i32, !llvm.ptr<1>
    llvm.return
  ^a:
    // expected-error @below {{constraint 'n' expects an integer constant expression}}
    %0 = llvm.inline_asm has_side_effects "; a", "=v,n" %x : (i32) -> i32
    llvm.br ^end(%0 : i32)
  ^b:
    // expected-error @below {{invalid operand for inline asm constraint 'I'}}
    %2 = llvm.inline_asm has_side_effects "; b", "=v,I" %x : (i32) -> i32
    llvm.br ^end(%2 : i32)
  }
}

// -----

gpu.module @valid [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%x: i32, %h: f16, %v: vector<4xf32>, %d: f64, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %16 = llvm.mlir.constant(16 : i32) : i32
    %0 = llvm.inline_asm has_side_effects "; $0", "=&v,%v,s,I,~{memory},~{vcc}" %x, %x, %16 : (i32, i32, i32) -> i32
    %1 = llvm.inline_asm has_side_effects "; $0", "=^VA,0" %v : (vector<4xf32>) -> vector<4xf32>
    %2 = llvm.inline_asm has_side_effects "; $0", "={v[4:5]},={a3},=s|v,{s[4:5]}" %p : (!llvm.ptr<1>) -> !llvm.struct<(f64, i32, i16)>
    %3 = llvm.inline_asm has_side_effects "; $0", "={v7},{v6}" %h : (f16) -> f16
    llvm.inline_asm has_side_effects "; ${0} $$ ${:uid} /* .section */\0A/* \0A.fill */ s_nop 0", "{v1},{v1},~{v[2:5]},~{s[4:7]}" %x, %x : (i32, i32) -> ()
    llvm.return
  }
}

// -----

gpu.module @registers_of_the_chip [#rocdl.target<chip = "gfx1100">] {
  llvm.func @k(%x: i32) attributes {rocdl.kernel} {
    // expected-error @below {{has the constraint '={a0}', which names no register}}
    %0 = llvm.inline_asm "", "={a0},v" %x : (i32) -> i32
    // expected-error @below {{has the constraint '={s106}', which names no register}}
    %1 = llvm.inline_asm "", "={s106},v" %x : (i32) -> i32
    // expected-error @below {{has '${:comment}' in its text, expected the number of an operand}}
    llvm.inline_asm has_side_effects "${:comment} /*\0A.section foo\0A; */", "" : () -> ()
    llvm.return
  }
}
