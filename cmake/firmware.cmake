# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_firmware_image(<target>): links the target as an image for QEMU's mps2-an386.
function(baton_firmware_image target)
  set(around "${PROJECT_SOURCE_DIR}/examples/cortex_m")
  target_compile_options(${target} PRIVATE -mfloat-abi=hard -mfpu=fpv4-sp-d16)
  target_link_options(${target} PRIVATE -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=nano.specs -nostartfiles -Wl,--gc-sections
                      "-Wl,-Map=$<TARGET_FILE:${target}>.map" "-L${around}" "-T${around}/boards/mps2-an386.ld")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${around}/boards/mps2-an386.ld;${around}/sections.ld" SUFFIX ".elf")
endfunction()

# baton_firmware_run(<test> <target>): adds the CTest <test>, which runs an image and passes if main() returns 0.
# An instruction takes one virtual nanosecond, so that instruction counts are equal in every run.
function(baton_firmware_run test target)
  find_program(BATON_QEMU qemu-system-arm REQUIRED)
  mark_as_advanced(BATON_QEMU)
  add_test(NAME ${test} COMMAND "${BATON_QEMU}" -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native
                                -icount shift=0 -kernel $<TARGET_FILE:${target}>)
  set_tests_properties(${test} PROPERTIES TIMEOUT 300)
endfunction()

# baton_firmware_test(<source>): adds an image for QEMU's mps2-an386, with the start-up code and the sections of examples/cortex_m, and the
# CTest firmware.<name>, which runs it and passes if main() returns 0. The source can include "<model>.tflite.hpp" of every model that
# baton_test_models has found. If a model is missing, the image is omitted; the CTest shared_models reports that.
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
  baton_firmware_image(${target})
  baton_firmware_run(firmware.${name} ${target})
endfunction()
