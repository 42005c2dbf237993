# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Includes Baton in ways that cannot work, and checks that the first error is a specific sentence, in at most 25 lines of output.
#   cmake -DCOMPILER=<compiler> -DROOT=<repository> -P tests/fail/first_sentence.cmake
cmake_minimum_required(VERSION 3.25)

set(too_old "Baton needs C\\+\\+20 and GCC 12 or Clang 16, or newer ones; compile with -std=c\\+\\+20, or with a newer compiler")
set(two_folders "Baton is included from two folders; keep include/ or single_include/ on the include path, not both")

# expect(<sentence> <source> <compiler> <flag>...): tests that the source fails to compile with this sentence, in at most 25 lines.
function(expect sentence source compiler)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/first_sentence.cpp" "${source}")
  execute_process(COMMAND "${compiler}" ${ARGN} -fsyntax-only "${CMAKE_CURRENT_BINARY_DIR}/first_sentence.cpp" RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCHALL "\n" lines "${output}")
  list(LENGTH lines lines)
  if(code EQUAL 0 OR NOT output MATCHES "error: (#error )?\"?${sentence}" OR lines GREATER 25)
    message(FATAL_ERROR "${compiler} ${ARGN}: expected \"${sentence}\" in at most 25 lines, got ${lines}:\n${output}")
  endif()
endfunction()

foreach(header IN ITEMS baton.hpp core/program.hpp kernels/kernels.hpp report/html.hpp)
  expect("${too_old}" "#include <baton/${header}>\n" "${COMPILER}" -std=c++17 "-I${ROOT}/include")
endforeach()
expect("${too_old}" "#include <baton/baton.hpp>\n" "${COMPILER}" -std=c++17 "-I${ROOT}/single_include")
expect("${two_folders}" "#include <baton/baton.hpp>\n#include <baton/kernels/signal_kernels.hpp>\n" "${COMPILER}" -std=c++20
       "-I${ROOT}/single_include" "-I${ROOT}/include")

foreach(old IN ITEMS g++-11 clang++-15 clang++-14)
  find_program(compiler NAMES "${old}" NO_CACHE)
  if(compiler)
    expect("${too_old}" "#include <baton/baton.hpp>\n" "${compiler}" -std=c++20 "-I${ROOT}/include")
  else()
    message(STATUS "not tested with ${old}, which is not installed")
  endif()
  unset(compiler)
endforeach()
