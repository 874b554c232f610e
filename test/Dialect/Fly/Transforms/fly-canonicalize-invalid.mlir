// A field that the atom does not have must not vanish with a rebuilt atom.
// RUN: fly-opt %s -split-input-file -fly-canonicalize -verify-diagnostics
// RUN: fly-opt %s -split-input-file -fly-to-rocdl=chip=gfx942 -verify-diagnostics

func.func @atom_set_value_c1(%s: !fly.memref<f16, global, 4:1>, %d: !fly.memref<f16, global, 4:1>, %x: f32) {
  %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  // expected-error @+1 {{'fly.atom.set_value' op the atom '!fly.copy_atom<!fly.universal_copy<64>, 16>' has no state field "field"; it has no state [atom_set_value_c1]}}
  %w = fly.atom.set_value(%u, "field", %x) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, f32) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
  fly.copy(%w, %s, %d) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, global, 4:1>) -> ()
  return
}

// -----

func.func @known_fields(%x: i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16> {
  %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>
  // expected-error @+1 {{has no state field "offset"; it has soffset [atom_set_value_c1]}}
  %w = fly.atom.set_value(%u, "offset", %x) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>
  return %w : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>
}
