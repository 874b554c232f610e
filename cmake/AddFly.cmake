# Thin wrappers over AddMLIR/AddLLVM: every Fly target carries its include
# paths, takes MLIR from the shared library and is built with one set of
# warnings.
include_guard()

option(FLY_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(FLY_FUZZ "Instrument Fly's libraries so that libFuzzer sees what an input reaches" OFF)
set(FLY_INCLUDE_DIRS "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")

function(fly_target_options target)
  target_include_directories(${target} PUBLIC ${FLY_INCLUDE_DIRS})
  # Without the time inside, ccache can keep a precompiled header.
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  if(FLY_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=address,undefined -fno-sanitize=vptr,function
      -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
  if(FLY_FUZZ)
    # Counters only: fly-libfuzzer alone links the driver.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

option(FLY_PRECOMPILE_HEADERS "Parse the MLIR headers once, not for every file" ON)
# Rooms whose every file reads the operations of the fly dialect.
set(FLY_OPS_ROOMS FlyIR FlyAnalysis FlyTransforms FlyToLLVM FlyToROCDL)

# Two targets that only make precompiled headers: FlyMLIRHeaders for all rooms
# that link MLIR, FlyOpsHeaders with the fly dialect on top. MLIR's headers are
# three quarters of the time that a file takes. A file still includes what it
# uses: -DFLY_PRECOMPILE_HEADERS=OFF builds the same.
function(fly_add_precompiled_headers)
  if(NOT FLY_PRECOMPILE_HEADERS)
    return()
  endif()
  set(mlir_headers
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/GPU/IR/GPUDialect.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/LLVMIR/ROCDLDialect.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/DialectConversion.h>)
  foreach(name FlyMLIRHeaders FlyOpsHeaders)
    add_llvm_library(${name} STATIC BUILDTREE_ONLY DISABLE_LLVM_LINK_LLVM_DYLIB
      PARTIAL_SOURCES_INTENDED "${PROJECT_SOURCE_DIR}/cmake/pch/pch.cpp")
    fly_target_options(${name})
  endforeach()
  target_precompile_headers(FlyMLIRHeaders PRIVATE ${mlir_headers})
  target_precompile_headers(FlyOpsHeaders PRIVATE ${mlir_headers}
    <Fly/Dialect/Fly/IR/FlyOps.h>)
  add_dependencies(FlyOpsHeaders FlyIRIncGen)
endfunction()

# add_fly_library(<name> <sources>... [DEPENDS <tablegen targets>...]
#                 [LINK_FLY <Fly libraries>...] [LINK_MLIR <MLIR libraries>...])
# One folder is one static library.
function(add_fly_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_FLY;LINK_MLIR" ${ARGN})
  add_llvm_library(${name} STATIC BUILDTREE_ONLY DISABLE_LLVM_LINK_LLVM_DYLIB
    PARTIAL_SOURCES_INTENDED
    ${ARG_UNPARSED_ARGUMENTS} DEPENDS ${ARG_DEPENDS})
  fly_target_options(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_FLY})
  if(ARG_LINK_MLIR)
    mlir_target_link_libraries(${name} PUBLIC ${ARG_LINK_MLIR})
    if(FLY_PRECOMPILE_HEADERS)
      if(name IN_LIST FLY_OPS_ROOMS)
        target_precompile_headers(${name} REUSE_FROM FlyOpsHeaders)
      else()
        target_precompile_headers(${name} REUSE_FROM FlyMLIRHeaders)
      endif()
    endif()
  endif()
  target_link_libraries(${name} PUBLIC LLVM)
  foreach(dep IN LISTS ARG_LINK_FLY)
    # Generated headers of the lower rooms must exist before this one compiles.
    if(TARGET ${dep})
      add_dependencies(${name} ${dep})
    endif()
  endforeach()
endfunction()

# add_fly_tool(<name> <sources>... [LINK_FLY ...] [LINK_MLIR ...])
function(add_fly_tool name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_FLY;LINK_MLIR" ${ARGN})
  add_llvm_executable(${name} DISABLE_LLVM_LINK_LLVM_DYLIB
    ${ARG_UNPARSED_ARGUMENTS} DEPENDS ${ARG_DEPENDS})
  llvm_update_compile_flags(${name})
  fly_target_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_FLY})
  if(ARG_LINK_MLIR)
    mlir_target_link_libraries(${name} PRIVATE ${ARG_LINK_MLIR})
  endif()
  target_link_libraries(${name} PRIVATE LLVM)
endfunction()

# add_fly_unittest(<name> <sources>... [LINK <libraries>...])
# A GoogleTest program; built by the target FlyUnitTests, run by ctest.
function(add_fly_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK;LINK_MLIR" ${ARGN})
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unittests")
  fly_target_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_LINK_MLIR)
    mlir_target_link_libraries(${name} PRIVATE ${ARG_LINK_MLIR})
  endif()
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
  if(NOT TARGET FlyUnitTests)
    add_custom_target(FlyUnitTests ALL)
  endif()
  add_dependencies(FlyUnitTests ${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 DISCOVERY_MODE PRE_TEST)
endfunction()
