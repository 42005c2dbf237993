# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_firmware_test(<source>): an image for QEMU's mps2-an386 and a CTest firmware.<name> that runs it; passing is main()
# returning 0. It can include "<model>.tflite.hpp" of every model that tests know, and is left out where there is no such model (CTest
# shared_models says so); <model>_*.cpp can also include what the reference computes of it.
# Each virtual nanosecond is one instruction, so that counts are the same in every run.
function(baton_firmware_test source)
  set(board "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/mps2-an386")
  cmake_path(GET source STEM name)
  set(target firmware_${name})
  file(STRINGS "${source}" includes REGEX "^#include \".*\\.tflite\\.hpp\"")
  set(embedded "")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"(.*)\\.tflite\\.hpp\"$" "\\1" included "${line}")
    baton_model_named("${included}" model)
    if(NOT model)
      message(STATUS "Left out: firmware/${name}.cpp, for want of the model ${included}")
      return()
    endif()
    list(APPEND embedded "${model}")
  endforeach()
  add_executable(${target} "${source}" "${board}/startup.cpp")
  target_link_libraries(${target} PRIVATE baton_test_includes)
  foreach(model IN LISTS embedded)
    baton_embed(${target} "${model}")
  endforeach()
  baton_model_of("${source}" model)
  if(model)
    cmake_path(GET model STEM model_name)
    cmake_path(GET model PARENT_PATH models)
    # What the reference computes for input 0: the image compares.
    baton_embed(${target} "${models}/../golden/${model_name}/output_0.bin" NAME golden_output)
  endif()
  target_compile_options(${target} PRIVATE -mfloat-abi=hard -mfpu=fpv4-sp-d16)
  target_link_options(${target} PRIVATE -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=nano.specs --specs=rdimon.specs -nostartfiles -Wl,--gc-sections,--wrap=_exit
                      "-Wl,-Map=$<TARGET_FILE:${target}>.map" "-T${board}/memory.ld")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${board}/memory.ld" SUFFIX ".elf")
  find_program(BATON_QEMU qemu-system-arm REQUIRED)
  mark_as_advanced(BATON_QEMU)
  add_test(NAME firmware.${name} COMMAND "${BATON_QEMU}" -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native
                                         -icount shift=0 -kernel $<TARGET_FILE:${target}>)
  set_tests_properties(firmware.${name} PROPERTIES TIMEOUT 300)
endfunction()
