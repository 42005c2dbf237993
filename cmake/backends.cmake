# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The backends of include/baton/backends, which need what others make: backends/<name>.cmake looks for it and calls baton_backend, or
# baton_no_backend where it is not there.
set(BATON_BACKENDS xnnpack cmsis_nn ethos_u)

# baton_backend(<name> [<library>...]): makes the target baton::<name>, Baton with what that backend needs.
function(baton_backend name)
  add_library(baton_${name} INTERFACE)
  add_library(baton::${name} ALIAS baton_${name})
  target_link_libraries(baton_${name} INTERFACE baton::baton ${ARGN})
endfunction()

# baton_no_backend(<name> <reason>): says why there is no baton::<name>; tests of it skip themselves with that line.
function(baton_no_backend name reason)
  set_property(GLOBAL PROPERTY baton_no_${name} "${reason}")
  message(STATUS "No target baton::${name}: ${reason}")
endfunction()

foreach(backend IN LISTS BATON_BACKENDS)
  include("${CMAKE_CURRENT_LIST_DIR}/backends/${backend}.cmake")
endforeach()
