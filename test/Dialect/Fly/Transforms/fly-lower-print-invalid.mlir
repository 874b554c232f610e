// RUN: fly-opt %s -fly-lower-print -verify-diagnostics

func.func @long_vector(%v: vector<70000xf32>) {
  // expected-error @+1 {{'fly.print' op prints 'vector<70000xf32>', which has more than 65536 elements}}
  fly.print(%v) {format = "{}"} : (vector<70000xf32>) -> ()
  return
}
