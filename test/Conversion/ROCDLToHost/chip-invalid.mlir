// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))'

// expected-error @+1 {{no chip: give the module a target #fly_rocdl.cpu<chip = "..."> or set the pass option 'chip'}}
gpu.module @no_chip {
}

// -----

// expected-error @+1 {{has target #rocdl.target<chip = "gfx942">, expected #fly_rocdl.cpu<chip = "...">}}
gpu.module @other_target [#rocdl.target<chip = "gfx942">] {
}

// -----

// expected-error @+1 {{has 2 targets, expected one}}
gpu.module @two_targets [#fly_rocdl.cpu<chip = "gfx942">, #fly_rocdl.cpu<chip = "gfx950">] {
}
