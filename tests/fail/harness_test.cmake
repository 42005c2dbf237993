# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests the harness on one file of harness/, whose first comments state the expected result:
#   // HARNESS: <the reason of the failure>, or `passes`
#   cmake -DFILE=<file.cpp> -DCOMPILER=<path> -DFLAGS=<list> -DHARNESS=<harness.cmake> -P harness_test.cmake
# Compares the reason, too, because a harness that fails for another reason has not detected the fault of the file.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${FILE}" wanted REGEX "^// HARNESS: " LIMIT_COUNT 1)
string(REGEX REPLACE "^// HARNESS: +" "" wanted "${wanted}")
if(wanted STREQUAL "")
  message(FATAL_ERROR "${FILE}: no line `// HARNESS: <reason or passes>`")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" "-DFILE=${FILE}" "-DCOMPILER=${COMPILER}" "-DFLAGS=${FLAGS}" -P "${HARNESS}"
                RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(wanted STREQUAL "passes")
  if(NOT status STREQUAL "0")
    message(NOTICE "${said}")
    message(FATAL_ERROR "the harness must accept this file, but fails with the output above")
  endif()
  return()
endif()
if(status STREQUAL "0")
  message(FATAL_ERROR "the harness accepts this file, but must fail with: ${wanted}")
endif()
string(FIND "${said}" "${wanted}" at)
if(at EQUAL -1)
  message(NOTICE "${said}")
  message(FATAL_ERROR "the harness must fail with \"${wanted}\", but prints the output above")
endif()
