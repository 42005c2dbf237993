# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks that names in `detail` namespaces of ROOT/include/baton are used only by their room and the tests of that room. direction.cmake
# checks the same for includes.
#   cmake -DROOT=<repository> -P tests/rooms/detail_names.cmake
# A name after `detail::` counts as a use. In headers, whose namespace may also be `detail`, a call without `detail::` counts, too, unless
# the file or a member of its room declares the name.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)
include("${CMAKE_CURRENT_LIST_DIR}/declarations.cmake")

# rooms_<name>: the rooms that declare a name in `detail`; inner: these names; outer: the other names.
file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/baton" "${ROOT}/include/baton/*/*.hpp")
if(NOT headers)
  message(FATAL_ERROR "there are no headers in ${ROOT}/include/baton")
endif()
set(inner "")
set(outer "")
foreach(header IN LISTS headers)
  string(REGEX REPLACE "/.*$" "" room "${header}")
  file(STRINGS "${ROOT}/include/baton/${header}" members REGEX "^ +[a-z ]*(auto|void|bool) [a-z_0-9]+[(]")
  list(TRANSFORM members REPLACE "^ +[a-z ]*(auto|void|bool) ([a-z_0-9]+)[(].*$" "\\2")
  list(APPEND members_${room} ${members})
  baton_declarations("${ROOT}/include/baton/${header}" declared)
  foreach(name IN LISTS declared)
    string(REGEX REPLACE "^.*::" "" last "${name}")
    if(name MATCHES "::detail::")
      list(APPEND inner "${last}")
      list(APPEND rooms_${last} "${room}")
    else()
      list(APPEND outer "${last}")
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES inner)
list(REMOVE_DUPLICATES outer)
# The names that no public declaration shares.
set(only_inner "${inner}")
list(REMOVE_ITEM only_inner ${outer})

set(faults 0)
file(GLOB_RECURSE users RELATIVE "${ROOT}" "${ROOT}/include/baton/*.hpp" "${ROOT}/tests/*.[ch]pp" "${ROOT}/examples/*.[ch]pp")
foreach(user IN LISTS users)
  set(room "")
  if(user MATCHES "^(include/baton|tests)/([a-z_]+)/")
    set(room "${CMAKE_MATCH_2}")
  endif()
  file(READ "${ROOT}/${user}" text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
  string(REGEX REPLACE "(return|else|requires) " "" text "${text}")  # these words are not types before a name
  string(REGEX MATCHALL "detail::[a-z_0-9]+" used "${text}")
  list(TRANSFORM used REPLACE "^detail::" "")
  list(REMOVE_DUPLICATES used)
  set(called "")
  if(user MATCHES "^include/")
    # In a list of CMake, an unbalanced square bracket joins elements, and a semicolon splits them. The space after a bracket keeps it apart
    # from the next call.
    string(REGEX REPLACE "[][;\\]" " " calls " ${text}")
    string(REGEX REPLACE "([<({])" "\\1 " calls "${calls}")
    string(REGEX MATCHALL "[^a-zA-Z_0-9.:>][a-z_0-9]+[<({]" called "${calls}")
    list(FILTER called INCLUDE REGEX "_")  # single words are often names of members
    list(TRANSFORM called REPLACE "^.([a-z_0-9]+).$" "\\1")
    list(REMOVE_DUPLICATES called)
  endif()
  foreach(name IN LISTS used called)
    if(name IN_LIST inner AND NOT room IN_LIST rooms_${name})
      if(NOT name IN_LIST used)
        if(NOT name IN_LIST only_inner OR name IN_LIST members_${room} OR text MATCHES "(auto|void|bool|_t|[a-z]>|[&*]|int|struct|class|using)[ &*]+${name}[^a-z_0-9]|[*&>a-z]${name} =|[.]${name}[^a-z_0-9]|[a-z_0-9]+ ${name}{|[a-zA-Z_0-9]+ ${name}[(),;]|rule::${name}[^a-z_0-9]")
          continue()
        endif()
      endif()
      list(REMOVE_DUPLICATES rooms_${name})
      list(JOIN rooms_${name} ", " owner)
      message(NOTICE "${user}: ${name} is a detail of ${owner}; move it to shared/ or to the root of the room, or do not use it")
      math(EXPR faults "${faults} + 1")
    endif()
  endforeach()
endforeach()
if(faults GREATER 0)
  message(FATAL_ERROR "faults: ${faults}")
endif()
