// RUN: fly-opt %s -split-input-file -verify-diagnostics -o /dev/null

func.func @accepted(%n: i32, %t: !fly.int_tuple<(?,2E0)>, %s: !fly.int_tuple<(8,2E0)>) {
  %0 = fly.assume(%n, %n) : (i32, i32) -> i32
  %1 = fly.assume(%t, %s) : (!fly.int_tuple<(?,2E0)>, !fly.int_tuple<(8,2E0)>) -> !fly.int_tuple<(?{div=8},2E0)>
  %2 = fly.assume(%s, %t) : (!fly.int_tuple<(8,2E0)>, !fly.int_tuple<(?,2E0)>) -> !fly.int_tuple<(8,2E0)>
  return
}

// -----

func.func @assume_c1(%n: i64) {
  // DIFF: assume-types
  // expected-error@+1 {{'fly.assume' op 'dst' of type 'i64' cannot be the result of type 'i32'; expected that type, or int tuples of one profile whose leaves can be equal [assume_c1]}}
  %0 = fly.assume(%n, %n) : (i64, i64) -> i32
  return
}

// -----

func.func @assume_c1_src(%n: i32, %m: i64) {
  // expected-error@+1 {{'src' of type 'i64' cannot be the result of type 'i32'}}
  %0 = fly.assume(%n, %m) : (i32, i64) -> i32
  return
}

// -----

func.func @assume_c1_profile(%t: !fly.int_tuple<(?,?)>) {
  // expected-error@+1 {{'dst' of type '!fly.int_tuple<(?,?)>' cannot be the result of type '!fly.int_tuple<?>'}}
  %0 = fly.assume(%t, %t) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,?)>) -> !fly.int_tuple<?>
  return
}

// -----

func.func @assume_c1_value(%t: !fly.int_tuple<4>) {
  // expected-error@+1 {{'dst' of type '!fly.int_tuple<4>' cannot be the result of type '!fly.int_tuple<8>'}}
  %0 = fly.assume(%t, %t) : (!fly.int_tuple<4>, !fly.int_tuple<4>) -> !fly.int_tuple<8>
  return
}

// -----

func.func @assume_c1_width(%t: !fly.int_tuple<?{i64}>) {
  // expected-error@+1 {{'dst' of type '!fly.int_tuple<?{i64}>' cannot be the result of type '!fly.int_tuple<?>'}}
  %0 = fly.assume(%t, %t) : (!fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64}>) -> !fly.int_tuple<?>
  return
}

// -----

func.func @assume_c1_mode(%t: !fly.int_tuple<?E0>) {
  // expected-error@+1 {{'dst' of type '!fly.int_tuple<?E0>' cannot be the result of type '!fly.int_tuple<?E1>'}}
  %0 = fly.assume(%t, %t) : (!fly.int_tuple<?E0>, !fly.int_tuple<?E0>) -> !fly.int_tuple<?E1>
  return
}
