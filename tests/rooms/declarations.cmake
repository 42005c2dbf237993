# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Functions that list the names that a header declares. Each type, function, variable, concept and alias of a namespace counts once,
# regardless of overloads and specializations. Operators, macros and members do not count. Relies on the formatter: declarations in the
# first column are members of a namespace.

# baton_declared(<line> <out>): returns the name that a line declares, or an empty string.
function(baton_declared line out)
  set(${out} "" PARENT_SCOPE)
  # Removes attributes and template arguments, innermost first; then parentheses that are not parameter lists.
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
  # One condition per form, because a combined condition evaluates all of them, and the last one sets CMAKE_MATCH.
  foreach(form IN ITEMS "(struct|class|union|enum class|enum|concept) ${word}" "(using) ${word} =" "(using) [A-Za-z0-9_:]*::${word},"
                        "([^(={]*[ &*])${word}[(]" # a function: type, name, parameters
                        "([^(={]*[ &*])${word}( =|{|,$)") # a variable: type, name, value
    if(line MATCHES "^${form}")
      set(${out} "${CMAKE_MATCH_2}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# baton_declarations(<header> <out>): sets <out> to the names that the header declares, each with its namespaces.
function(baton_declarations header out)
  file(READ "${header}" text)
  # Replaces the characters that separate or join the elements of a CMake list.
  string(REPLACE "[" "<" text "\n${text}")
  string(REPLACE "]" ">" text "${text}")
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "\\" "" text "${text}")
  string(REGEX REPLACE "\n     *" " " text "${text}")  # joins continuation lines
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
