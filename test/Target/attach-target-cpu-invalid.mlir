// RUN: fly-opt %s -fly-attach-target=device=cpu -split-input-file -verify-diagnostics

// The CPU runs a chip with the waves that Fly compiles for.
// expected-error @below {{'gpu.module' op asks for the feature '+wavefrontsize64', but the CPU runs 'gfx1100' with waves of 32 lanes only}}
gpu.module @waves [#rocdl.target<chip = "gfx1100", features = "+cumode,+wavefrontsize64">] {
}

// -----

gpu.module @same [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize32">] {
}
