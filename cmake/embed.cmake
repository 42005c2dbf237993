# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_embed(<target> <file> [NAME <identifier>] [SECTION <section>]): makes <file name>.hpp in the target's build folder, at build time
# and again whenever <file> changes, and lets the target (and what links to it) include it by that name:
# keyword.tflite gives "keyword.tflite.hpp" with `inline constexpr char keyword_tflite[]`. The bytes number sizeof - 1.
# SECTION puts the bytes into a section of that name, with -flto too, where a linker script can place them (in external flash, say): for a file
# that is read while the program runs. Executors have the operands that they use apart from it; docs/install.md has patterns for those.
function(baton_embed target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAME;SECTION" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "baton_embed(${target}): what is \"${arg_UNPARSED_ARGUMENTS}\"? Write baton_embed(<target> <file> [NAME <identifier>] [SECTION <section>])")
  endif()
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_file.cmake")
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  get_filename_component(name "${file}" NAME)
  # A folder a target: two targets may embed the same file, but one output cannot have two rules.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.embed")
  set(header "${folder}/${name}.hpp")
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${file}" "-DOUTPUT=${header}" "-DNAME=${arg_NAME}" "-DSECTION=${arg_SECTION}" -P "${script}"
    DEPENDS "${file}" "${script}"
    COMMENT "Embedding ${name}"
    VERBATIM)
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
