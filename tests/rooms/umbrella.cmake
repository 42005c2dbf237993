# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the committed doors are current. The generator puts every public header in a door, after its includes.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

set(fresh "${SCRATCH}/doors")
file(MAKE_DIRECTORY "${fresh}")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${fresh}" -P "${ROOT}/cmake/umbrella.cmake" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB doors RELATIVE "${fresh}" "${fresh}/*.hpp")
list(LENGTH doors count)
if(count LESS 2)
  message(FATAL_ERROR "cmake/umbrella.cmake generates fewer than two doors")
endif()
foreach(door IN LISTS doors)
  file(READ "${fresh}/${door}" generated)
  file(READ "${ROOT}/include/baton/${door}" committed)
  if(NOT generated STREQUAL committed)
    message(FATAL_ERROR "include/baton/${door} is stale; run in the repository:\n  cmake -P cmake/umbrella.cmake")
  endif()
endforeach()
