# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_read_rooms(<rooms.txt> <out>): sets <out> to the list of rooms, and <out>_<room> to the rooms that <room> may include.
function(baton_read_rooms file out)
  file(STRINGS "${file}" lines REGEX "^[a-z_]+:")
  set(rooms "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z_]+):(.*)$" _ "${line}")
    set(room "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "[a-z_]+" edges "${CMAKE_MATCH_2}")
    foreach(edge IN LISTS edges)
      if(NOT edge IN_LIST rooms)
        message(FATAL_ERROR "${file}: ${room} may include ${edge}, but no line above it defines ${edge}; move the line of ${edge} up")
      endif()
    endforeach()
    list(APPEND rooms "${room}")
    set(${out}_${room} "${edges}" PARENT_SCOPE)
  endforeach()
  set(${out} "${rooms}" PARENT_SCOPE)
endfunction()
