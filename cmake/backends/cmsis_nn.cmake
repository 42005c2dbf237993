# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# CMSIS-NN: BATON_CMSIS_NN_DIR is a checkout of it, of which a static library is made, as Arm says: of plain C, with the DSP extension or
# Helium where the compiler's flags say so.
set(BATON_CMSIS_NN_DIR "$ENV{BATON_CMSIS_NN_DIR}" CACHE PATH "A checkout of Arm's CMSIS-NN, for baton::cmsis_nn")

# A function, so that its variables are nobody else's.
function(baton_cmsis_nn)
  set(checkout "${BATON_CMSIS_NN_DIR}")
  if(NOT checkout AND BATON_BUILD_TESTS)
    get_filename_component(checkout "${PROJECT_SOURCE_DIR}/../shared/third-party/cmsis-nn" ABSOLUTE)
  endif()
  if(NOT checkout OR NOT EXISTS "${checkout}/Include/arm_nnfunctions.h")
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
  file(GLOB sources CONFIGURE_DEPENDS "${checkout}/Source/*/arm_*s8*.c" "${checkout}/Source/*/arm_*_with_offset.c")
  # As C by the C++ compiler: one compiler, one set of flags and of sanitizers. Its shifts of negative numbers are its own affair.
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
  add_library(baton_cmsis_nn_library STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(baton_cmsis_nn_library SYSTEM PUBLIC "${checkout}/Include")
  target_compile_options(baton_cmsis_nn_library PRIVATE -O2 -w -fno-sanitize=undefined -std=gnu11 -xc)
  # Of a project's CMAKE_CXX_STANDARD, which would be the last word, nothing: Clang compiles no C with it.
  set_property(TARGET baton_cmsis_nn_library PROPERTY CXX_STANDARD)
  baton_backend(cmsis_nn baton_cmsis_nn_library)
endfunction()
baton_cmsis_nn()
