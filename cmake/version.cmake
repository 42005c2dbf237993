# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_read_version(<repository> <out>): returns the version, as in 0.1.0. It is defined once, in a header, so that code can read it.
function(baton_read_version root out)
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${root}/include/baton/core/config.hpp" line REGEX "^#define BATON_VERSION_${part} [0-9]+$")
    if(NOT line MATCHES " ([0-9]+)$")
      message(FATAL_ERROR "include/baton/core/config.hpp has no line `#define BATON_VERSION_${part} <number>`")
    endif()
    list(APPEND version "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN version "." version)
  set(${out} "${version}" PARENT_SCOPE)
endfunction()
