# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests the harness on one file of harness/, whose first comments say what it must answer:
#   // HARNESS: <the reason with which it fails>, or `passes`
#   cmake -DFILE=<file.cpp> -DCOMPILER=<path> -DFLAGS=<list> -DHARNESS=<harness.cmake> -P harness_test.cmake
# The reason is compared too: a harness that fails for another one has not seen what the file shows.
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
    message(FATAL_ERROR "the harness must accept this file, but says the above")
  endif()
  return()
endif()
if(status STREQUAL "0")
  message(FATAL_ERROR "the harness accepts this file, but must answer: ${wanted}")
endif()
string(FIND "${said}" "${wanted}" at)
if(at EQUAL -1)
  message(NOTICE "${said}")
  message(FATAL_ERROR "the harness must answer \"${wanted}\", but says the above")
endif()
