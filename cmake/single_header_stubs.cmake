# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_single_header_stubs(<source dir> <folder>): writes to <folder> a stub for each header of include/baton. A stub includes the
# committed single header, so that all tests compile against it unchanged. The single header omits core/query.hpp, backends/, compat/, and
# the kernels of audio front ends and of some targets. Their stubs include the real file.
function(baton_single_header_stubs source folder)
  set(single "${source}/single_include/baton/baton.hpp")
  if(NOT EXISTS "${single}")
    message(FATAL_ERROR "BATON_TEST_SINGLE_HEADER: there is no ${single}; generate it with: cmake -P cmake/single_include.cmake")
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${source}/include" "${source}/include/baton/*.hpp")
  # A stub without a header would hide an invalid include.
  file(GLOB_RECURSE old RELATIVE "${folder}" "${folder}/*.hpp")
  foreach(stub IN LISTS old)
    if(NOT stub IN_LIST headers)
      file(REMOVE "${folder}/${stub}")
    endif()
  endforeach()
  foreach(header IN LISTS headers)
    set(forward "${single}")
    if(header STREQUAL "baton/core/query.hpp" OR header MATCHES "^baton/(backends|compat|kernels/signal|kernels/cortex_m|kernels/helium)/|^baton/kernels/(signal|cortex_m|helium)_kernels.hpp$")
      set(forward "${source}/include/${header}")
    endif()
    file(CONFIGURE OUTPUT "${folder}/${header}" CONTENT "#pragma once\n#include \"${forward}\"\n" @ONLY)
  endforeach()
endfunction()
