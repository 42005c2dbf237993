# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The committed doors are what the headers make today: every face stands in one, after what it includes.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

set(fresh "${SCRATCH}/doors")
file(MAKE_DIRECTORY "${fresh}")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${fresh}" -P "${ROOT}/cmake/umbrella.cmake" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB doors RELATIVE "${fresh}" "${fresh}/*.hpp")
list(LENGTH doors count)
if(count LESS 2)
  message(FATAL_ERROR "there are no doors")
endif()
foreach(door IN LISTS doors)
  file(READ "${fresh}/${door}" made)
  file(READ "${ROOT}/include/baton/${door}" committed)
  if(NOT made STREQUAL committed)
    message(FATAL_ERROR "include/baton/${door} is stale. Run in the repository:\n  cmake -P cmake/umbrella.cmake")
  endif()
endforeach()
