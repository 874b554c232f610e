# Configuration of the lit suite.  Tests name tools without folder or version
# suffix: fly-opt, fly-translate, fly-run, mlir-opt, FileCheck, llvm-readelf.

import os

import lit.formats
from lit.llvm import llvm_config

config.name = "Fly"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fly_obj_root, "test")

library = os.path.join(config.fly_obj_root, "lib")
config.substitutions.append(("%plugin", os.path.join(library, "FlyPlugin.so")))
config.substitutions.append(("%fly_lib", library))
config.substitutions.append(("%fly_bin", os.path.join(config.fly_obj_root, "bin")))
config.substitutions.append(("%fly_src", config.fly_src_root))
config.substitutions.append(
    ("%mlir_include", os.path.join(config.llvm_tools_dir, "..", "include"))
)
config.substitutions.append(
    ("%examples", os.path.join(config.fly_src_root, "examples"))
)
config.substitutions.append(("%python", config.python_executable))

llvm_config.with_system_environment(
    ["HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_PRELOAD"]
)
llvm_config.with_environment(
    "PATH",
    [os.path.join(config.fly_obj_root, "bin"), config.llvm_tools_dir],
    append_path=True,
)
if not config.fly_sanitize:
    # The distribution's mlir-opt cannot load an instrumented plugin.
    config.available_features.add("plugin")
if config.fly_libfuzzer:
    config.available_features.add("libfuzzer")
