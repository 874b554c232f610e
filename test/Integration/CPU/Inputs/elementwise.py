# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The frame of a test whose lanes each compute one column of arrays of numbers.

Arrays have rows of `count` elements; lane %i works on column %i, at which `module`
puts the text of a body.
"""
import os
import subprocess

import numpy as np

BLOCK = 256


def memref(element, rows, count):
    return f"!fly.memref<{element}, global, ({rows},{count}):({count},1)>"


def load(value, argument, element, rows, row, count):
    """Lines that make %value the lane's element of `row` of the array %argument."""
    return [f"%{value}_at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<({row},?)>",
            f"%{value} = fly.memref.load(%{argument}, %{value}_at) : ({memref(element, rows, count)}, !fly.int_tuple<({row},?)>) -> {element}"]


def store(value, argument, element, rows, row, count):
    """Lines that put %value to the lane's element of `row` of the array %argument; of one value for each row."""
    return [f"%{argument}_to{row} = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<({row},?)>",
            f"fly.memref.store(%{value}, %{argument}, %{argument}_to{row}) : "
            f"({element}, {memref(element, rows, count)}, !fly.int_tuple<({row},?)>) -> ()"]


def module(arguments, body, count):
    """A module whose kernel has the lines `body`, with the arguments (name, element type, rows)."""
    parameters = ", ".join(f"%{name}: {memref(element, rows, count)}" for name, element, rows in arguments)
    values = ", ".join(f"%{name} : {memref(element, rows, count)}" for name, element, rows in arguments)
    text = "\n".join("      " + line for line in body)
    return f"""module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @compute({parameters}) kernel {{
      %tid = gpu.thread_id x
      %bid = gpu.block_id x
      %block = arith.constant {BLOCK} : index
      %first = arith.muli %bid, %block : index
      %sum = arith.addi %first, %tid : index
      %i = arith.index_cast %sum : index to i32
{text}
      gpu.return
    }}
  }}
  func.func @host({parameters}) {{
    %c1 = arith.constant 1 : index
    %grid = arith.constant {count // BLOCK} : index
    %block = arith.constant {BLOCK} : index
    gpu.launch_func @kernels::@compute blocks in (%grid, %c1, %c1) threads in (%block, %c1, %c1) args({values})
    return
  }}
}}
"""


def run(fly_run, folder, name, text, chip, inputs, outputs, count, options=()):
    """Runs the module `text` with arrays of rows, and gives the arrays after it of the (element type, rows) in `outputs`."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    command = [fly_run, path, "--chip=" + chip, "--device=cpu", *options]
    for k, array in enumerate(inputs):
        source = os.path.join(folder, f"{name}.in{k}.npy")
        np.save(source, np.ascontiguousarray(array).reshape(-1, count))
        command.append("--input=@" + source)
    targets = [os.path.join(folder, f"{name}.out{k}.npy") for k in range(len(outputs))]
    command += [f"--input={rows}x{count}x{element}=0" for element, rows in outputs]
    command += [f"--output={len(inputs) + k}:@{target}" for k, target in enumerate(targets)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [np.load(target).reshape(rows, count) for target, (_, rows) in zip(targets, outputs)]
