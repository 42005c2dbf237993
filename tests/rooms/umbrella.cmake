# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The umbrella includes every room's faces: each header on disk but itself, core/query.hpp (range-v3), what stands in a room's detail/
# and shared/, compat/ and backends/ (vendors' libraries), what comes with a list (kernels/portable/, plan/placing/), the kernels of audio
# front ends and of some targets, and no other.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include" "${ROOT}/include/baton/*.hpp")
list(REMOVE_ITEM headers baton/baton.hpp baton/core/query.hpp)
list(FILTER headers EXCLUDE REGEX "^baton/(backends|compat|kernels/portable|kernels/signal|kernels/cortex_m|kernels/helium|plan/placing)/|^baton/kernels/(signal|cortex_m|helium)_kernels.hpp$|/(detail|shared)/")
file(STRINGS "${ROOT}/include/baton/baton.hpp" lines REGEX "^#include ")
set(faults 0)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^#include <([^>]*)>.*$" "\\1" header "${line}")
  if(NOT header IN_LIST headers)
    message(NOTICE "baton.hpp includes <${header}>, which is not there, stands apart, or came before")
    math(EXPR faults "${faults} + 1")
  endif()
  list(REMOVE_ITEM headers "${header}")
endforeach()
foreach(header IN LISTS headers)
  message(NOTICE "baton.hpp must include <${header}>")
  math(EXPR faults "${faults} + 1")
endforeach()
if(faults GREATER 0)
  message(FATAL_ERROR "faults: ${faults}")
endif()
