# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_firmware_test(<source>): an image for QEMU's mps2-an386 and a CTest firmware.<name> that runs it; passing is main()
# returning 0. <model>_*.cpp can include "<model>.tflite.hpp" (and is left out where there is no such model: CTest shared_models says so).
# Each virtual nanosecond is one instruction, so that counts are the same in every run.
function(baton_firmware_test source)
  set(board "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/mps2-an386")
  cmake_path(GET source STEM name)
  set(target firmware_${name})
  file(STRINGS "${source}" includes REGEX "^#include \".*\\.tflite\\.hpp\"")
  baton_model_of("${source}" model)
  if(includes AND NOT model)
    message(STATUS "Left out: firmware/${name}.cpp, for want of its model")
    return()
  endif()
  add_executable(${target} "${source}" "${board}/startup.cpp")
  target_link_libraries(${target} PRIVATE baton_test_includes)
  if(model)
    baton_embed(${target} "${model}")
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
