# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_firmware_image(<target> [<board>]): links the target as an image for a board of QEMU: mps2-an386 (default), which is a Cortex-M4, or
# mps3-an547, a Cortex-M55.
function(baton_firmware_image target)
  set(around "${PROJECT_SOURCE_DIR}/examples/cortex_m")
  set(board mps2-an386)
  set(core -mfloat-abi=hard -mfpu=fpv4-sp-d16)
  if("${ARGN}" STREQUAL "mps3-an547")
    set(board mps3-an547)
    set(core -mcpu=cortex-m55 -mfloat-abi=hard) # after the -mcpu of the toolchain
  endif()
  target_compile_options(${target} PRIVATE ${core})
  target_link_options(${target} PRIVATE ${core} --specs=nano.specs -nostartfiles -Wl,--gc-sections
                      "-Wl,-Map=$<TARGET_FILE:${target}>.map" "-L${around}" "-T${around}/boards/${board}.ld")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${around}/boards/${board}.ld;${around}/sections.ld" SUFFIX ".elf" BOARD ${board})
endfunction()

# baton_firmware_run(<test> <target>): adds the CTest <test>, which runs an image and passes if main() returns 0.
# An instruction takes one virtual nanosecond, so that instruction counts are equal in every run.
function(baton_firmware_run test target)
  find_program(BATON_QEMU qemu-system-arm REQUIRED)
  mark_as_advanced(BATON_QEMU)
  get_target_property(board ${target} BOARD)
  add_test(NAME ${test} COMMAND "${BATON_QEMU}" -M ${board} -nographic -monitor none -serial none -semihosting-config enable=on,target=native
                                -icount shift=0 -kernel $<TARGET_FILE:${target}>)
  set_tests_properties(${test} PROPERTIES TIMEOUT 300)
endfunction()

# baton_firmware_test(<source>): adds an image for QEMU's mps2-an386, or for mps3-an547 if the file's name begins with "armv8" or "helium",
# with the start-up code and the sections of examples/cortex_m. Adds the CTest firmware.<name>, which runs it and passes if main() returns 0. The
# source can include "<model>.tflite.hpp" of every model that baton_test_models has found. If a model is missing, the image is omitted; the CTest
# shared_models reports that.
function(baton_firmware_test source)
  set(around "${PROJECT_SOURCE_DIR}/examples/cortex_m")
  cmake_path(GET source STEM name)
  set(target firmware_${name})
  file(STRINGS "${source}" includes REGEX "^#include \".*\\.tflite\\.hpp\"")
  set(embedded "")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"(.*)\\.tflite\\.hpp\"$" "\\1" included "${line}")
    baton_model_named("${included}" model)
    if(NOT model)
      message(STATUS "Omitted: firmware/${name}.cpp, because the model ${included} is missing")
      return()
    endif()
    list(APPEND embedded "${model}")
  endforeach()
  add_executable(${target} "${source}" "${around}/startup.cpp" "${around}/emulated.cpp")
  target_link_libraries(${target} PRIVATE baton_test_includes)
  foreach(model IN LISTS embedded)
    baton_embed(${target} "${model}")
  endforeach()
  set(board "")
  if(name MATCHES "^(armv8|helium)")
    set(board mps3-an547)
  endif()
  baton_firmware_image(${target} ${board})
  baton_firmware_run(firmware.${name} ${target})
endfunction()
