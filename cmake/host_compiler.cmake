# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_host_compiler(<out>): returns a compiler for the build machine: the project's compiler, or when cross-compiling BATON_HOST_CXX,
# which is g++ or clang++ by default.
function(baton_host_compiler out)
  set(compiler "${CMAKE_CXX_COMPILER}")
  if(CMAKE_CROSSCOMPILING)
    find_program(BATON_HOST_CXX NAMES g++ clang++ REQUIRED)
    mark_as_advanced(BATON_HOST_CXX)
    set(compiler "${BATON_HOST_CXX}")
  endif()
  set(${out} "${compiler}" PARENT_SCOPE)
endfunction()
