# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Which names a header declares: each type, function, variable, concept and alias of a namespace once, whatever its overloads and
# specializations; no operators, macros and members. It relies on the formatter: what begins in the first column stands in a namespace.

# baton_declared(<line> <out>): the name that a line declares, or nothing.
function(baton_declared line out)
  set(${out} "" PARENT_SCOPE)
  # Attributes and template arguments, innermost first; then parentheses that are no parameters.
  string(REGEX REPLACE "<<[^>]*>> ?" "" line "${line}")
  while(line MATCHES "<[^<>]*>")
    string(REGEX REPLACE "<[^<>]*>" "" line "${line}")
  endwhile()
  string(REGEX REPLACE "^alignas[(].*[)] (inline|constexpr) " "\\1 " line "${line}")
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

# baton_declarations(<header> <out>): <out> becomes the names that it declares, each with its namespaces before it.
function(baton_declarations header out)
  file(READ "${header}" text)
  # What would end or join the elements of a CMake list.
  string(REPLACE "[" "<" text "\n${text}")
  string(REPLACE "]" ">" text "${text}")
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "\\" "" text "${text}")
  string(REGEX REPLACE "\n     *" " " text "${text}")  # what continues a line
  string(REGEX MATCHALL "\n[A-Za-z}<][^\n]*" lines "${text}")
  set(namespaces "")
  set(names "")
  foreach(line IN LISTS lines)
    string(SUBSTRING "${line}" 1 -1 line)
    if(line MATCHES "^(inline )?namespace ([a-z_0-9:]+) {$")
      list(APPEND namespaces "${CMAKE_MATCH_2}")
    elseif(line MATCHES "^}  // namespace")
      list(POP_BACK namespaces)
    elseif(namespaces)
      baton_declared("${line}" name)
      if(NOT name STREQUAL "")
        list(JOIN namespaces "::" scope)
        list(APPEND names "${scope}::${name}")
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()
