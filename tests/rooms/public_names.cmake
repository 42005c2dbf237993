# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Counts the public names of ROOT/include/baton by room, and fails where they are more than LIMIT.
#   cmake -DROOT=<repository> [-DLIMIT=<number>] [-DLIST=ON] -P tests/rooms/public_names.cmake
# How it counts: each type, function, variable, concept and alias of a namespace once, whatever its overloads and specializations;
# not what stands in a `detail` namespace or folder, in the umbrella, in backends/ or compat/, nor operators, macros and members.
# It relies on the formatter: what begins in the first column stands in a namespace.
cmake_minimum_required(VERSION 3.25)

# baton_declared(<line> <out>): the name that a line declares, or nothing.
function(baton_declared line out)
  set(${out} "" PARENT_SCOPE)
  # Attributes and template arguments, innermost first; then parentheses that are no parameters.
  string(REGEX REPLACE "<<[^>]*>> ?" "" line "${line}")
  while(line MATCHES "<[^<>]*>")
    string(REGEX REPLACE "<[^<>]*>" "" line "${line}")
  endwhile()
  string(REGEX REPLACE "(alignas|decltype)[(][^)]*[)] ?" "" line "${line}")
  string(REGEX REPLACE "^((inline|constexpr|consteval|constinit|static|extern) )+" "" line "${line}")
  if(line MATCHES "^(template|requires|static_assert|namespace|})" OR line MATCHES "(^|[^A-Za-z0-9_])operator *([^A-Za-z0-9_ ]|\"\")")
    return()
  endif()
  set(word "([A-Za-z_][A-Za-z0-9_]*)")
  # Each tried alone, since a condition tries all and the last one sets CMAKE_MATCH.
  foreach(form IN ITEMS "(struct|class|union|enum class|enum|concept) ${word}" "(using) ${word} =" "(using) [A-Za-z0-9_:]*::${word},"
                        "([^(={]*[ &*])${word}[(]" # a function: behind a type, before its parameters
                        "([^(={]*[ &*])${word}( =|{|,$)") # a variable: behind a type, before its value
    if(line MATCHES "^${form}")
      set(${out} "${CMAKE_MATCH_2}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/baton" "${ROOT}/include/baton/*/*.hpp")
list(FILTER headers EXCLUDE REGEX "^(backends|compat)/|/(detail|shared)/")
list(SORT headers)
set(names "")
set(rooms "")
foreach(header IN LISTS headers)
  string(REGEX REPLACE "/.*$" "" room "${header}")
  if(NOT room IN_LIST rooms)
    list(APPEND rooms "${room}")
    set(of_${room} "")
  endif()
  file(READ "${ROOT}/include/baton/${header}" text)
  # What would end or join the elements of a CMake list.
  string(REPLACE "[" "<" text "\n${text}")
  string(REPLACE "]" ">" text "${text}")
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "\\" "" text "${text}")
  string(REGEX REPLACE "\n     *" " " text "${text}")  # what continues a line
  string(REGEX MATCHALL "\n[A-Za-z}<][^\n]*" lines "${text}")
  set(namespaces "")
  foreach(line IN LISTS lines)
    string(SUBSTRING "${line}" 1 -1 line)
    if(line MATCHES "^(inline )?namespace ([a-z_:]+) {$")
      list(APPEND namespaces "${CMAKE_MATCH_2}")
    elseif(line MATCHES "^}  // namespace")
      list(POP_BACK namespaces)
    elseif(namespaces AND NOT "${namespaces}" MATCHES "(^|;|::)detail(;|::|$)")
      baton_declared("${line}" name)
      if(NOT name STREQUAL "")
        list(JOIN namespaces "::" scope)
        if(NOT "${scope}::${name}" IN_LIST names)
          list(APPEND names "${scope}::${name}")
          list(APPEND of_${room} "${scope}::${name}")
        endif()
      endif()
    endif()
  endforeach()
endforeach()

foreach(room IN LISTS rooms)
  list(LENGTH of_${room} count)
  message(NOTICE "${room}: ${count}")
  if(LIST)
    list(SORT of_${room})
    list(JOIN of_${room} "\n  " listed)
    message(NOTICE "  ${listed}")
  endif()
endforeach()
list(LENGTH names total)
set(rules "${names}")
list(FILTER rules INCLUDE REGEX "^baton::rule::")
list(LENGTH rules rules)
message(NOTICE "public names: ${total}, ${rules} of them rules")
if(total EQUAL 0)
  message(FATAL_ERROR "there is no public name: the headers are not where they should be, or no longer formatted")
endif()
if(DEFINED LIMIT AND total GREATER LIMIT)
  message(FATAL_ERROR "more than ${LIMIT}: move into a room's detail/ what users do not need, or raise the limit in tests/rooms/CMakeLists.txt")
endif()
