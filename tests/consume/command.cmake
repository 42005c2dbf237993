# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Installs the command `baton` with CMake, moves the installation, and calls the command. The programs of the command take half a minute to
# compile, so INSPECT is the built example inspect, and BUILD has a program of baton_model(). COMPILER is GCC.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
set(ENV{CXX} "${COMPILER}")
set(ENV{BATON_CACHE} "${SCRATCH}/cache")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target baton_model_files OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(configure "${CMAKE_COMMAND}" -S "${ROOT}" -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" -DBATON_INSTALL_COMMAND=ON)
execute_process(COMMAND ${configure} -B "${SCRATCH}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${SCRATCH}/build" --target baton_external_files OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE "${INSPECT}" "${SCRATCH}/build/bin/inspect")
file(COPY_FILE "${BUILD}/baton_model_files/model_files" "${SCRATCH}/build/bin/model_files")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${SCRATCH}/build" --prefix "${SCRATCH}/installed" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(prefix "${SCRATCH}/a prefix")
file(RENAME "${SCRATCH}/installed" "${prefix}")
file(CREATE_LINK "${prefix}/bin/baton" "${SCRATCH}/linked" SYMBOLIC)
file(COPY "${ROOT}/examples/digits/digits_int8.tflite" DESTINATION "${SCRATCH}")

# expect(<status> <pattern> <argument>...): calls the command, and matches all that it prints.
function(expect status pattern)
  execute_process(COMMAND "${SCRATCH}/linked" ${ARGN} WORKING_DIRECTORY "${SCRATCH}" RESULT_VARIABLE actual OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT actual EQUAL status OR NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "baton ${ARGN}: expected exit status ${status} and \"${pattern}\", actual: ${actual}\n${output}")
  endif()
endfunction()
expect(0 "^baton [0-9.]+\n$" --version)
expect(0 "^${prefix}/share/cmake/baton\n$" --cmake-dir)
expect(0 "node assignment: 6 of 7 nodes delegated" inspect digits_int8.tflite --partitioner npu)
expect(0 "digits.hpp: the interface" compile digits_int8.tflite -o model --name digits --no-object)
expect(0 "build it with: make" export digits_int8.tflite -o exported --c --name digits)
foreach(file IN ITEMS model/digits.cpp model/digits_bytes.hpp exported/baton/baton.hpp exported/LICENSE)
  if(NOT EXISTS "${SCRATCH}/${file}")
    message(FATAL_ERROR "the installed command has not written ${file}")
  endif()
endforeach()

# Bad input; tests/wheel/run.sh has more of it.
expect(2 "^no command is given\nusage: baton COMMAND")
expect(2 "^there is no command train\nusage: baton COMMAND" train)
expect(2 "^no model is given\nusage: baton inspect MODEL" inspect)
expect(1 "^cannot read [.]: it is not a regular file\n$" inspect .)
expect(1 "^exported/LICENSE: baton unknown_format: " inspect exported/LICENSE)
expect(1 "^cannot write /dev/full: No space left on device\n$" inspect digits_int8.tflite --html /dev/full)
set(ENV{BATON_CACHE} /proc/baton)
expect(1 "^cannot write /proc/baton, the folder for compiled programs; " compile digits_int8.tflite -o unwritten --no-object)
set(ENV{BATON_CACHE} "${SCRATCH}/cache")
if(EXISTS "${SCRATCH}/unwritten")
  message(FATAL_ERROR "a command without rights has written a folder")
endif()

# The command compiles programs again if the installed headers have changed, and refuses headers of another version.
function(fingerprint out)
  execute_process(COMMAND sh -c "root=$1; . \"$root/tools/build.sh\"; fingerprint run_model.cpp" sh "${prefix}/libexec/baton" OUTPUT_VARIABLE hash
                          COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()
set(header "${prefix}/include/baton/core/config.hpp")
fingerprint(before)
file(APPEND "${header}" "\n")
fingerprint(after)
if(before STREQUAL after)
  message(FATAL_ERROR "the installed command ignores a changed header")
endif()
file(READ "${header}" text)
string(REGEX REPLACE "BATON_VERSION_PATCH [0-9]+" "BATON_VERSION_PATCH 77" text "${text}")
file(WRITE "${header}" "${text}")
expect(1 "^the command baton is version [0-9.]+, but its headers in [^\n]* are version [0-9.]*77; install baton again" inspect digits_int8.tflite)

# A build for another machine.
execute_process(COMMAND ${configure} -B "${SCRATCH}/cross" -DCMAKE_SYSTEM_NAME=Generic RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(status EQUAL 0 OR NOT output MATCHES "The command baton runs on the build machine, so do not set BATON_INSTALL_COMMAND when cross-compiling")
  message(FATAL_ERROR "expected an error for a build for another machine, actual output:\n${output}")
endif()
