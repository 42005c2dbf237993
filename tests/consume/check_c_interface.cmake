# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# check_c_interface(<build folder of project/>): runs the programs in C, and fails if a model needs the C++ library.
function(check_c_interface build)
  execute_process(COMMAND "${build}/c_consumer" "${build}/models_for_c.model/updated.weights" COMMAND_ERROR_IS_FATAL ANY)
  # The program that writes weights, for the same model and for another network.
  set(tool "${build}/models_for_c.model/updated_weights")
  execute_process(COMMAND "${tool}" "${build}/../project/updated.tflite" "${build}/again.weights" "${build}/models_for_c.model/updated.weights"
                          COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 "${build}/again.weights" again)
  file(SHA256 "${build}/models_for_c.model/updated.weights" first)
  execute_process(COMMAND "${tool}" "${build}/../project/digits_int8.tflite" "${build}/other.weights" "${build}/models_for_c.model/updated.weights"
                  RESULT_VARIABLE status ERROR_VARIABLE output)
  if(NOT again STREQUAL first OR status EQUAL 0 OR EXISTS "${build}/other.weights" OR NOT output MATCHES "another network: its operators, shapes")
    message(FATAL_ERROR "the program that writes weights accepts another network, or writes other bytes:\n${output}")
  endif()
  execute_process(COMMAND "${build}/micropython" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${build}/c/seven" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "^it is a 7, by 0\\.[0-9][0-9]\n$")
    message(FATAL_ERROR "the example in C printed: ${output}")
  endif()
  find_program(NM nm REQUIRED)
  foreach(library IN ITEMS c/libdigits.a libmodels_for_c.a)
    execute_process(COMMAND "${NM}" "${build}/${library}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    # Exceptions, type information, guards of static variables, operators new and delete, and functions of the C++ library.
    if(symbols MATCHES "_Unwind|__cxa|__gxx|_ZTI|_ZGV| U _Zn| U _Zd| U _ZN?K?S")
      message(FATAL_ERROR "${library} needs the C++ library, because of \"${CMAKE_MATCH_0}\" in:\n${symbols}")
    endif()
  endforeach()
  # Only the linker of C, without the libraries that CMake adds for sources in C++.
  find_program(CC NAMES gcc cc REQUIRED)
  execute_process(COMMAND "${CC}" "${build}/c/CMakeFiles/seven.dir/main.c.o" "${build}/c/libdigits.a" -lm -o "${build}/seven_by_c" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${build}/seven_by_c" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()
