// A module that names its chip needs no option, and keeps its flags.
// RUN: fly-opt %s -fly-attach-target | FileCheck %s --check-prefix=KEEP
// RUN: fly-opt %s -fly-attach-target="chip=gfx950 opt-level=1" | FileCheck %s --check-prefix=LEVEL
// RUN: fly-opt %s -fly-attach-target=device=cpu | FileCheck %s --check-prefix=CPU

// KEEP: gpu.module @amd [#rocdl.target<O = 3, chip = "gfx950", flags = {fast}>] {
// LEVEL: gpu.module @amd [#rocdl.target<O = 1, chip = "gfx950", flags = {fast}>] {
// CPU: gpu.module @amd [#fly_rocdl.cpu<chip = "gfx950">] {
gpu.module @amd [#rocdl.target<O = 3, chip = "gfx950", flags = {fast}>] {
}

// KEEP: gpu.module @host [#rocdl.target<chip = "gfx950">] {
// LEVEL: gpu.module @host [#rocdl.target<O = 1, chip = "gfx950">] {
// CPU: gpu.module @host [#fly_rocdl.cpu<chip = "gfx950">] {
gpu.module @host [#fly_rocdl.cpu<chip = "gfx950">] {
}
