# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_find_headers(<target> <header> [FOLDERS <folder>...]): adds <target>, an imported interface library with the include directory of a
# header-only dependency. Adds nothing if <header> is not found. Cross compilers may use the copy of the build machine. All of /usr/include
# would shadow the cross compilers' own C library, so they use a folder with links to FOLDERS.
function(baton_find_headers target header)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FOLDERS")
  if(TARGET ${target})
    return()
  endif()
  string(REPLACE "::" "_" variable "${target}_INCLUDE_DIR")
  string(TOUPPER "${variable}" variable)
  find_path(${variable} "${header}" HINTS "${BOOST_ROOT}" "$ENV{BOOST_ROOT}" PATH_SUFFIXES include
            DOC "The folder that contains <${header}>" NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${variable} AND CMAKE_CROSSCOMPILING)
    find_path(${variable} "${header}" PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  endif()
  mark_as_advanced(${variable})
  if(NOT ${variable})
    return()
  endif()
  set(directory "${${variable}}")
  if(CMAKE_CROSSCOMPILING)
    set(links "${CMAKE_BINARY_DIR}/baton_headers")
    file(MAKE_DIRECTORY "${links}")
    foreach(folder IN LISTS arg_FOLDERS)
      file(CREATE_LINK "${directory}/${folder}" "${links}/${folder}" SYMBOLIC COPY_ON_ERROR)
    endforeach()
    set(directory "${links}")
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${directory}")
endfunction()
