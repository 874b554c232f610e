// The scale of v_cvt_scale_* lies in the register of another lane. If that lane
// is inactive, this is a fault at the operation. A constant is every lane's, and
// so is the scale of the conversions that the pipelines make.

// RUN: fly-run %s --chip=gfx1250 --device=cpu --input=32xf32=0 --input=0 --expected=0:32xf32=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2
// RUN: fly-run %s --chip=gfx1250 --device=cpu --input=32xf32=0 --input=1 --expected=0:32xf32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,32,32,32,32,32,32,32,32,32,32,32,32,32,32,32,32
// RUN: not fly-run %s --chip=gfx1250 --device=cpu --input=32xf32=0 --input=2 2>&1 | FileCheck %s --check-prefix=LOWER
// RUN: not fly-run %s --chip=gfx1250 --device=cpu --input=32xf32=0 --input=3 2>&1 | FileCheck %s --check-prefix=UPPER
// RUN: fly-run %s --chip=gfx1250 --device=cpu --input=32xf32=0 --input=4 --expected=0:32xf32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// RUN: fly-run %s --chip=gfx1250 --device=cpu --schedule=reverse --input=32xf32=0 --input=5 --expected=0:32xf32=6,6,6,6,6,6,6,6,6,6,6,6,6,6,6,6,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scaled(%out: !fly.memref<f32, global, ?:1>, %case: i32) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c16 = arith.constant 16 : i32
      %zero = arith.constant 0.0 : f32
      %low = arith.cmpi ult, %tid, %c16 : i32
      // Eight times 1. The bytes of a scale are 2^0 to 2^3 in lanes 0 to 15, 2^4 to 2^7 above.
      %codes = arith.constant 0x22222222 : i32
      %below = arith.constant 0x8281807f : i32
      %above = arith.constant 0x86858483 : i32
      // Sixteen times 0.75.
      %six = arith.constant dense<[-2045222522, 1636178017, 409044504]> : vector<3xi32>
      %scale = arith.select %low, %below, %above : i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %which = arith.index_cast %case : i32 to index
      %result = scf.index_switch %which -> f32
      case 0 {
        %half = scf.if %low -> f32 {
          %v = rocdl.cvt.scale.pk8.f32.fp4 %codes, %scale[0] : vector<8xf32>
          %x = vector.extract %v[0] : f32 from vector<8xf32>
          scf.yield %x : f32
        } else {
          %constant = arith.constant 0x0000807f : i32
          %v = rocdl.cvt.scale.pk8.f32.fp4 %codes, %constant[0] : vector<8xf32>
          %x = vector.extract %v[7] : f32 from vector<8xf32>
          scf.yield %x : f32
        }
        scf.yield %half : f32
      }
      case 1 {
        %half = scf.if %low -> f32 {
          scf.yield %zero : f32
        } else {
          %v = rocdl.cvt.scale.pk8.f32.fp4 %codes, %scale[1] : vector<8xf32>
          %x = vector.extract %v[3] : f32 from vector<8xf32>
          scf.yield %x : f32
        }
        scf.yield %half : f32
      }
      case 2 {
        %half = scf.if %low -> f32 {
          scf.yield %zero : f32
        } else {
          // LOWER: error: {{.*}}scales-of-lanes.mlir:[[# @LINE + 1]]:{{.*}}: rocdl.cvt.scale: the operation reads the register of lane 0, which is inactive (kernel 'scaled', workgroup (0, 0, 0), wave 0, lane 16)
          %v = rocdl.cvt.scale.pk16.f16.bf6 %six, %scale[0] : vector<16xf16>
          %h = vector.extract %v[0] : f16 from vector<16xf16>
          %x = arith.extf %h : f16 to f32
          scf.yield %x : f32
        }
        scf.yield %half : f32
      }
      case 3 {
        %bytes = arith.constant dense<0x38383838> : vector<2xi32>
        %half = scf.if %low -> f32 {
          // UPPER: error: {{.*}}scales-of-lanes.mlir:[[# @LINE + 1]]:{{.*}}: rocdl.cvt.scale: the operation reads the register of lane 16, which is inactive (kernel 'scaled', workgroup (0, 0, 0), wave 0, lane 0)
          %v = rocdl.cvt.scale.pk8.f32.fp8 %bytes, %scale[9] : vector<8xf32>
          %x = vector.extract %v[0] : f32 from vector<8xf32>
          scf.yield %x : f32
        } else {
          scf.yield %zero : f32
        }
        scf.yield %half : f32
      }
      case 4 {
        %half = scf.if %low -> f32 {
          scf.yield %zero : f32
        } else {
          %word = vector.broadcast %codes : i32 to vector<1xi32>
          %fours = vector.bitcast %word : vector<1xi32> to vector<8xi4>
          %narrow = arith.bitcast %fours : vector<8xi4> to vector<8xf4E2M1FN>
          %v = arith.extf %narrow : vector<8xf4E2M1FN> to vector<8xf32>
          %x = vector.extract %v[5] : f32 from vector<8xf32>
          scf.yield %x : f32
        }
        scf.yield %half : f32
      }
      case 5 {
        // In a loop that the lower lanes leave first: only while all are there.
        %c2 = arith.constant 2 : i32
        %c4 = arith.constant 4 : i32
        %rounds = arith.select %low, %c2, %c4 : i32
        %sum = scf.for %i = %c0 to %rounds step %c1 iter_args(%acc = %zero) -> f32 : i32 {
          %all = arith.cmpi ult, %i, %c2 : i32
          %next = scf.if %all -> f32 {
            %v = rocdl.cvt.scale.pk16.f32.fp6 %six, %scale[2] : vector<16xf32>
            %x = vector.extract %v[15] : f32 from vector<16xf32>
            %a = arith.addf %acc, %x : f32
            scf.yield %a : f32
          } else {
            scf.yield %acc : f32
          }
          scf.yield %next : f32
        }
        scf.yield %sum : f32
      }
      default {
        scf.yield %zero : f32
      }
      fly.memref.store(%result, %out, %at) : (f32, !fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%out: !fly.memref<f32, global, ?:1>, %case: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    gpu.launch_func @kernels::@scaled blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%out : !fly.memref<f32, global, ?:1>, %case : i32)
    return
  }
}
