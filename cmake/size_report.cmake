# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_size_report(<target> [MODELS <name>...] [MAP <file>]): prints the flash and the RAM of an image by part whenever it is linked, and writes
# them to <target>.sizes.txt: weights, delegates, tables and code of the kernels, arena, libraries, the other firmware, stack.
# MODELS: the names of the models in the image. Default: those that baton_model() added to the target. A model that a library owns, or a
#   handwritten source file, must be named: NAME of baton_model(), or the stem of the file.
# MAP: the linker map, if the project already writes one. Default: <target>.map, which this function lets the linker write.
# Needs GNU ld, sh, awk, and the flags -ffunction-sections and -fdata-sections. The target may be of another folder, as in Zephyr.
function(baton_size_report target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAP" "MODELS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "baton_size_report(${target}): unknown or incomplete argument \"${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}\"; write baton_size_report(<target> [MODELS <name>...] [MAP <file>])")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "baton_size_report(${target}): there is no target ${target}; call add_executable before baton_size_report")
  endif()
  find_program(BATON_SH sh)
  find_program(BATON_READELF NAMES "${CMAKE_READELF}" readelf)
  mark_as_advanced(BATON_SH BATON_READELF)
  if(NOT BATON_SH OR NOT BATON_READELF)
    message(WARNING "baton_size_report(${target}): no report, because it needs sh and readelf")
    return()
  endif()
  if(NOT arg_MODELS)
    set(arg_MODELS "$<TARGET_PROPERTY:${target},BATON_MODELS>")
  endif()
  if(NOT arg_MAP)
    set(arg_MAP "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
    target_link_options(${target} PRIVATE "LINKER:-Map=${arg_MAP}")
  endif()
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/size_report")
  set(sizes "${CMAKE_CURRENT_BINARY_DIR}/${target}.sizes.txt")
  add_custom_command(
    OUTPUT "${sizes}"
    COMMAND "${CMAKE_COMMAND}" -E env "READELF=${BATON_READELF}" "${BATON_SH}" "${script}.sh" -o "${sizes}" "$<TARGET_FILE:${target}>" "${arg_MAP}" "${arg_MODELS}"
    DEPENDS ${target} "${script}.sh" "${script}.awk"
    COMMENT "Sizes of ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target}_sizes ALL DEPENDS "${sizes}")
endfunction()
