// RUN: fly-opt %s -split-input-file -verify-diagnostics

func.func @not_a_pointer(%i: i32) {
  // expected-error@+2 {{GetBufferRsrcOp: expected a fly.ptr, got 'i32'}}
  // expected-error@+1 {{'fly_rocdl.get_buffer_rsrc' op failed to infer returned types}}
  %r = fly_rocdl.get_buffer_rsrc(%i) : (i32) -> !llvm.ptr<8>
  return
}

// -----

func.func @other_space(%p: !fly.ptr<f32, global>) {
  // expected-error@+2 {{GetBufferRsrcOp: expected a buffer_desc address space pointer, got #fly<address_space global>}}
  // expected-error@+1 {{'fly_rocdl.get_buffer_rsrc' op failed to infer returned types}}
  %r = fly_rocdl.get_buffer_rsrc(%p) : (!fly.ptr<f32, global>) -> !llvm.ptr<8>
  return
}

// -----

func.func @result_type(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) {
  // expected-error@+2 {{inferred type(s) '!llvm.ptr<8>' are incompatible with return type(s) of operation '!llvm.ptr<1>'}}
  // expected-error@+1 {{'fly_rocdl.get_buffer_rsrc' op failed to infer returned types}}
  %r = fly_rocdl.get_buffer_rsrc(%p) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<1>
  return
}
