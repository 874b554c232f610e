// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx12 -verify-diagnostics

// expected-error@+1 {{unknown chip 'gfx12'; the known chips are gfx90a,}}
module {
}
