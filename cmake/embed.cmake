# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_embed(<target> <file> [NAME <identifier>] [SECTION <section>]): generates <file name>.hpp at build time, and again whenever <file>
# changes. The target, and targets that link to it, can include the header by that name. For example, keyword.tflite becomes
# "keyword.tflite.hpp", which defines `inline constexpr char keyword_tflite[]`. The file has sizeof(keyword_tflite) - 1 bytes.
# SECTION stores the bytes in a section of that name, also with -flto, so that a linker script can place them, for example in external
# flash. Use it for a file that is read at run time. The constants that an executor reads are stored separately; docs/install.md has
# linker-script patterns for them.
function(baton_embed target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAME;SECTION" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "baton_embed(${target}): unknown argument \"${arg_UNPARSED_ARGUMENTS}\"; write baton_embed(<target> <file> [NAME <identifier>] [SECTION <section>])")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  get_filename_component(name "${file}" NAME)
  # One folder per target, because two targets may embed the same file, and an output must not have two rules.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.embed")
  set(header "${folder}/${name}.hpp")
  baton_embed_bytes("${file}" "${header}" "${arg_NAME}" "${arg_SECTION}")
  string(MAKE_C_IDENTIFIER "${target}_embed_${name}" rule)
  add_custom_target(${rule} DEPENDS "${header}")
  add_dependencies(${target} ${rule})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_include_directories(${target} INTERFACE "${folder}")
  else()
    target_include_directories(${target} PUBLIC "${folder}")
  endif()
endfunction()

# baton_embed_bytes(<file> <header> <array> <section>): generates the header, which defines an array with the bytes of the file. An empty
# <array> selects the default name of baton_embed.
function(baton_embed_bytes file header array section)
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_file.cmake")
  get_filename_component(name "${file}" NAME)
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${file}" "-DOUTPUT=${header}" "-DNAME=${array}" "-DSECTION=${section}" -P "${script}"
    DEPENDS "${file}" "${script}"
    COMMENT "Embedding ${name}"
    VERBATIM)
endfunction()
