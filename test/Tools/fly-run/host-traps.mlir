// Host code that traps ends the call with an error and exit status 2; the
// process goes on to say so.

// RUN: fly-run %s --chip=gfx942 --function=divide --input=-7 --input=2 | FileCheck %s --check-prefix=RESULT
// RESULT: result: -3
// RUN: not fly-run %s --chip=gfx942 --function=divide --input=7 --input=0 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: error: host function 'divide' stopped: an integer division without a result

// RUN: not fly-run %s --chip=gfx942 --function=recurse --input=1 2>&1 | FileCheck %s --check-prefix=RECURSE
// RECURSE: error: host function 'recurse' stopped: the stack is full, as of a recursion that does not end

// RUN: not fly-run %s --chip=gfx942 --function=null 2>&1 | FileCheck %s --check-prefix=NULL
// NULL: error: host function 'null' stopped: an access to unmapped memory at 0x10

// RUN: not fly-run %s --chip=gfx942 --function=trap 2>&1 | FileCheck %s --check-prefix=TRAP
// TRAP: error: host function 'trap' stopped: a trap instruction

// RUN: fly-run %s --chip=gfx942 --function=assert --input=0
// RUN: not fly-run %s --chip=gfx942 --function=assert --input=5 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: error: {{.*}}host-traps.mlir:[[#@LINE+47]]:3: assertion failed: at most 4

// Where no code comes next nothing else runs either.
// RUN: fly-run %s --chip=gfx942 --function=end --input=4 | FileCheck %s --check-prefix=END
// END: result: 5
// RUN: not fly-run %s --chip=gfx942 --function=end --input=5 2>&1 | FileCheck %s --check-prefix=UNREACHABLE
// UNREACHABLE: error: {{.*}}host-traps.mlir:{{[0-9]+}}:3: reached llvm.unreachable

// A stream that the function is given: there is something to wait for, or not.
// RUN: fly-run %s --chip=gfx942 --function=wait | FileCheck %s --check-prefix=WAIT
// WAIT: result: 3

// RUN: fly-run %s --chip=gfx942 --function=small | FileCheck %s --check-prefix=SMALL
// SMALL: result: 1.5

// RUN: not fly-run %s --chip=gfx942 --function=two 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: the function returns !llvm.struct<(i32, i32)>, expected a number or nothing

func.func @divide(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}

func.func @recurse(%a: i32) attributes {passthrough = ["noinline"]} {
  %p = llvm.mlir.constant(4096 : i64) : i64
  %m = llvm.alloca %p x i8 : (i64) -> !llvm.ptr
  llvm.store volatile %a, %m : i32, !llvm.ptr
  func.call @recurse(%a) : (i32) -> ()
  llvm.store volatile %a, %m : i32, !llvm.ptr
  return
}

func.func @null() {
  %a = llvm.mlir.constant(16 : i64) : i64
  %p = llvm.inttoptr %a : i64 to !llvm.ptr
  llvm.store volatile %a, %p : i64, !llvm.ptr
  return
}

func.func @trap() {
  llvm.intr.trap
  return
}

func.func @assert(%a: i32) {
  %c = arith.constant 4 : i32
  %0 = arith.cmpi ule, %a, %c : i32
  cf.assert %0, "at most 4"
  return
}

func.func @two() -> (i32, i32) {
  %c = arith.constant 4 : i32
  return %c, %c : i32, i32
}

func.func @small() -> f8E4M3FN {
  %c = arith.constant 1.5 : f8E4M3FN
  return %c : f8E4M3FN
}

func.func @end(%a: i32) -> i32 {
  %c = arith.constant 4 : i32
  %c1 = arith.constant 1 : i32
  %0 = arith.cmpi ule, %a, %c : i32
  cf.cond_br %0, ^small, ^large
^small:
  %1 = arith.addi %a, %c1 : i32
  return %1 : i32
^large:
  llvm.unreachable
}

func.func @wait(%stream: !gpu.async.token) -> i32 {
  %c3 = arith.constant 3 : i32
  gpu.wait [%stream]
  return %c3 : i32
}
