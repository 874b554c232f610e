// Symbols that inline assembly names and nothing defines: each error stands at the operation.

// RUN: fly-opt %s -fly-module-to-binary -split-input-file -verify-diagnostics

gpu.module @undefined [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @below {{'llvm.inline_asm' op names the symbol 'unknown', which nothing defines}}
    llvm.inline_asm has_side_effects ".set alias, unknown\0As_mov_b32 s0, alias", "~{s0}" : () -> ()
    // What only looks like the name is not meant.
    llvm.inline_asm has_side_effects ".set unknown2, 1\0As_mov_b32 s0, unknown2 ; unknown", "~{s0}" : () -> ()
    llvm.return
  }
  llvm.func @other(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @below {{'llvm.inline_asm' op names the symbol '_Z3foov', which nothing defines}}
    // expected-error @below {{'llvm.inline_asm' op names the symbol 'elsewhere', which nothing defines}}
    llvm.inline_asm has_side_effects "s_mov_b32 s0, _Z3foov\0A s_mov_b32 s1, elsewhere", "~{s0},~{s1}" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op names the symbol 'elsewhere', which nothing defines}}
    llvm.inline_asm has_side_effects "s_mov_b32 s0, elsewhere", "~{s0}" : () -> ()
    llvm.return
  }
}

// -----

// A symbol of the module, and one that the text defines.
gpu.module @defined [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    llvm.inline_asm has_side_effects ".set number, 5\0As_mov_b32 s0, number", "~{s0}" : () -> ()
    llvm.return
  }
}
