# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# CMSIS-NN: BATON_CMSIS_NN_DIR is a checkout of it, of which a static library is made, as Arm says: of plain C, with the DSP extension or
# Helium where the compiler's flags say so.
set(BATON_CMSIS_NN_DIR "" CACHE PATH "A checkout of Arm's CMSIS-NN, for baton::cmsis_nn")
set(cmsis_nn_dir "${BATON_CMSIS_NN_DIR}")
if(NOT cmsis_nn_dir AND BATON_BUILD_TESTS)
  get_filename_component(cmsis_nn_dir "${PROJECT_SOURCE_DIR}/../shared/third-party/cmsis-nn" ABSOLUTE)
endif()
if(NOT cmsis_nn_dir OR NOT EXISTS "${cmsis_nn_dir}/Include/arm_nnfunctions.h")
  if(BATON_CMSIS_NN_DIR)
    message(FATAL_ERROR "BATON_CMSIS_NN_DIR is ${BATON_CMSIS_NN_DIR}, where there is no Include/arm_nnfunctions.h; set it to a checkout of CMSIS-NN")
  endif()
  baton_no_backend(cmsis_nn "there is no CMSIS-NN; set BATON_CMSIS_NN_DIR to a checkout of it")
  return()
endif()

if(NOT CMAKE_CXX_COMPILER_LOADED)
  baton_no_backend(cmsis_nn "no language is enabled that CMSIS-NN could be compiled in")
  return()
endif()

# Functions of int8, and what they call.
file(GLOB cmsis_nn_sources CONFIGURE_DEPENDS "${cmsis_nn_dir}/Source/*/arm_*s8*.c" "${cmsis_nn_dir}/Source/*/arm_*_with_offset.c")
# As C by the C++ compiler: one compiler, one set of flags and of sanitizers. Its shifts of negative numbers are its own affair.
set_source_files_properties(${cmsis_nn_sources} PROPERTIES LANGUAGE CXX)
add_library(baton_cmsis_nn_library STATIC EXCLUDE_FROM_ALL ${cmsis_nn_sources})
target_include_directories(baton_cmsis_nn_library SYSTEM PUBLIC "${cmsis_nn_dir}/Include")
target_compile_options(baton_cmsis_nn_library PRIVATE -O2 -w -fno-sanitize=undefined -xc)
baton_backend(cmsis_nn baton_cmsis_nn_library)
