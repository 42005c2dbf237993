# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# CMSIS-NN. Compiles the checkout BATON_CMSIS_NN_DIR into a static library. The compiler's flags select plain C, the DSP extension or Helium.
set(BATON_CMSIS_NN_DIR "$ENV{BATON_CMSIS_NN_DIR}" CACHE PATH "A checkout of Arm's CMSIS-NN, for baton::cmsis_nn")

# A function, so that its variables stay local.
function(baton_cmsis_nn)
  set(checkout "${BATON_CMSIS_NN_DIR}")
  if(NOT checkout AND BATON_BUILD_TESTS)
    get_filename_component(checkout "${PROJECT_SOURCE_DIR}/../shared/third-party/cmsis-nn" ABSOLUTE)
  endif()
  if(NOT checkout OR NOT EXISTS "${checkout}/Include/arm_nnfunctions.h")
    if(BATON_CMSIS_NN_DIR)
      message(FATAL_ERROR "BATON_CMSIS_NN_DIR is ${BATON_CMSIS_NN_DIR}, which has no Include/arm_nnfunctions.h; set it to a checkout of CMSIS-NN")
    endif()
    baton_no_backend(cmsis_nn "CMSIS-NN is not available; set BATON_CMSIS_NN_DIR to a checkout of it")
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_LOADED)
    baton_no_backend(cmsis_nn "CXX is not enabled, so CMSIS-NN cannot be compiled; add CXX to the languages of the project")
    return()
  endif()

  # The int8 functions, and the functions that they call.
  file(GLOB sources CONFIGURE_DEPENDS "${checkout}/Source/*/arm_*s8*.c" "${checkout}/Source/*/arm_*_with_offset.c")
  # Compiled as C by the C++ compiler, with its flags and sanitizers. The undefined-behavior sanitizer is off, because CMSIS-NN shifts
  # negative numbers.
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
  add_library(baton_cmsis_nn_library STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(baton_cmsis_nn_library SYSTEM PUBLIC "${checkout}/Include")
  target_compile_options(baton_cmsis_nn_library PRIVATE -O2 -w -fno-sanitize=undefined -std=gnu11 -xc)
  # Unset, because CMAKE_CXX_STANDARD of the project would override -std=gnu11, and Clang does not compile C with a C++ standard.
  set_property(TARGET baton_cmsis_nn_library PROPERTY CXX_STANDARD)
  baton_backend(cmsis_nn baton_cmsis_nn_library)
endfunction()
baton_cmsis_nn()
