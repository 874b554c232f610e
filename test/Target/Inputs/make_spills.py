"""Prints a kernel with more live values than it may have registers."""

COUNT = 160
print('gpu.module @kernels [#rocdl.target<chip = "gfx942">] {')
print('  llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel,'
      ' rocdl.flat_work_group_size = "1024,1024", rocdl.waves_per_eu = 8 : i32} {')
for i in range(COUNT):
    print(f'    %p{i} = llvm.getelementptr %p[{i}]'
          ' : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32')
    print(f'    %v{i} = llvm.load volatile %p{i} : !llvm.ptr<1> -> f32')
for i in reversed(range(COUNT)):
    print(f'    llvm.store volatile %v{i}, %p{i} : f32, !llvm.ptr<1>')
print('    llvm.return')
print('  } loc("spills.mlir":1:1)')
print('}')
