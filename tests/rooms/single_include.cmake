# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the committed single header is current.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

set(fresh "${SCRATCH}/single_include/baton.hpp")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${fresh}" -P "${ROOT}/cmake/single_include.cmake" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${fresh}" "${ROOT}/single_include/baton/baton.hpp" RESULT_VARIABLE differs
                ERROR_QUIET)
if(differs)
  message(NOTICE "single_include/baton/baton.hpp is stale; run in the repository:\n  cmake -P cmake/single_include.cmake")
  message(FATAL_ERROR "stale")
endif()
file(STRINGS "${fresh}" own REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]baton/")
if(own)
  message(FATAL_ERROR "the single header still includes: ${own}")
endif()
