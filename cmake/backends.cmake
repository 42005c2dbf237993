# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The backends of include/baton/backends, which depend on third-party software. backends/<name>.cmake searches for it, and calls
# baton_backend if it is installed, else baton_no_backend.
set(BATON_BACKENDS xnnpack cmsis_nn ethos_u)

# baton_backend(<name> [<library>...]): adds the target baton::<name>, which links Baton and the libraries of that backend. Does nothing if
# the target exists, because two subdirectories may call find_package(baton).
function(baton_backend name)
  if(TARGET baton_${name})
    return()
  endif()
  add_library(baton_${name} INTERFACE)
  add_library(baton::${name} ALIAS baton_${name})
  target_link_libraries(baton_${name} INTERFACE baton::baton ${ARGN})
endfunction()

# baton_no_backend(<name> <reason>): records why there is no target baton::<name>. The tests of that backend are skipped with this reason.
function(baton_no_backend name reason)
  set_property(GLOBAL PROPERTY baton_no_${name} "${reason}")
  message(STATUS "No target baton::${name}: ${reason}")
endfunction()

foreach(backend IN LISTS BATON_BACKENDS)
  include("${CMAKE_CURRENT_LIST_DIR}/backends/${backend}.cmake")
endforeach()
