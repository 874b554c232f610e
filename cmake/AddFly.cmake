# Thin wrappers over AddMLIR/AddLLVM: every Fly target carries its include
# paths, takes MLIR from the shared library and is built with one set of
# warnings.
include_guard()

option(FLY_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
set(FLY_INCLUDE_DIRS "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")

function(fly_target_options target)
  target_include_directories(${target} PUBLIC ${FLY_INCLUDE_DIRS})
  if(FLY_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=address,undefined -fno-sanitize=vptr,function
      -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
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
