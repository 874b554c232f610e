// RUN: fly-opt %s -fly-module-to-binary=format=isa -split-input-file -verify-diagnostics

// LLVM would crash.
gpu.module @split [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    // expected-error @below {{'rocdl.s.barrier.signal' op is no instruction of the chip 'gfx942': split and named barriers begin with gfx12}}
    rocdl.s.barrier.signal id = -1
    // expected-error @below {{'rocdl.s.barrier.wait' op is no instruction of the chip 'gfx942'}}
    rocdl.s.barrier.wait id = -1
    llvm.return
  }
}

// -----

gpu.module @has [#rocdl.target<chip = "gfx1201">] {
  llvm.func @k() attributes {rocdl.kernel} {
    rocdl.s.barrier.signal id = -1
    rocdl.s.barrier.wait id = -1
    llvm.return
  }
}

// -----

// Comments, labels, operands with a dot and data are no directives.
gpu.module @assembly [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    llvm.inline_asm has_side_effects "s_nop 0 ; .section x\0A.long 0xbf800000\0A// .text\0As_nop 1", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.section'; in inline assembly only those of data, alignment, repetition and .set are allowed}}
    llvm.inline_asm has_side_effects "s_nop 0\0Alabel: .section .data", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.amdhsa_kernel'}}
    llvm.inline_asm has_side_effects ".amdhsa_kernel other", "" : () -> ()
    llvm.return
  }
}
