// RUN: fly-opt %s -fly-lower-host-asserts -split-input-file -verify-diagnostics

func.func @inside_structured_control_flow(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{'cf.assert' op stands in 'scf.if', lower structured control flow first}}
    cf.assert %c, "no"
  }
  return
}

// -----

func.func @result_without_zero(%c: i1, %t: !gpu.async.token) -> !gpu.async.token {
  // expected-error @+1 {{'cf.assert' op cannot leave a function that returns '!gpu.async.token'}}
  cf.assert %c, "no"
  return %t : !gpu.async.token
}
