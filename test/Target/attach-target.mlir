// RUN: fly-opt %s -fly-attach-target=chip=gfx942 | FileCheck %s --check-prefix=GFX942
// RUN: fly-opt %s -fly-attach-target="chip=gfx1201 opt-level=3" | FileCheck %s --check-prefix=GFX1201
// RUN: fly-opt %s -fly-attach-target="chip=gfx1250 device=cpu" | FileCheck %s --check-prefix=CPU

// GFX942: gpu.module @bare [#rocdl.target<chip = "gfx942">] {
// GFX1201: gpu.module @bare [#rocdl.target<O = 3, chip = "gfx1201", flags = {no_wave64}>] {
// CPU: gpu.module @bare [#fly_rocdl.cpu<chip = "gfx1250">] {
gpu.module @bare {
}
