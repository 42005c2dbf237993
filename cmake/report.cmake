# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_report(<target> HEADER <file> PROGRAM <expression> [MODEL <expression> PARTITIONER <expression>] [KERNELS <expression>]
#              [BACKENDS <type>...] [POLICY <type>] [TITLE <text>] [FORMATS text|json|dot|html...]):
# writes <target>.report/report.txt, .json, .dot and .html (or those of FORMATS) into the build folder, whenever the program changes. The
# program is the very one that the target compiles: HEADER declares it, PROGRAM names it. MODEL is what it was lowered from, and PARTITIONER
# with what, as in my_partitioner{} or "baton::in_order(first{}, second{})": then the reports say why nodes were left. KERNELS, BACKENDS and
# POLICY are those of the executor, as of baton_model: the memory plan is made with them. They default to baton::default_kernels of the
# processor that CMAKE_CXX_FLAGS selects (give KERNELS if the target sets its own -mcpu), no backends and baton::memory_policies::no_overlap. TITLE is the title of the reports, such as the model's file; without it, they have HEADER's name. A firmware's reports
# are made by a compiler for this machine: g++, or what BATON_HOST_CXX names.
function(baton_report target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;PROGRAM;MODEL;PARTITIONER;KERNELS;POLICY;TITLE" "BACKENDS;FORMATS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_HEADER OR NOT arg_PROGRAM OR (arg_MODEL AND NOT arg_PARTITIONER) OR (arg_PARTITIONER AND NOT arg_MODEL))
    message(FATAL_ERROR "baton_report(${target}): write baton_report(<target> HEADER <file> PROGRAM <expression> [MODEL <expression> PARTITIONER <expression>] [KERNELS <expression>] [BACKENDS <type>...] [POLICY <type>] [TITLE <text>] [FORMATS text|json|dot|html...])")
  endif()
  if(NOT arg_FORMATS)
    set(arg_FORMATS text json dot html)
  endif()
  set(verdicts "{}")
  if(arg_MODEL)
    set(verdicts "baton::value_or_raise(baton::verdicts_of(baton::thaw(${arg_MODEL}), ${arg_PARTITIONER}))")
  endif()
  set(kernels_name "kernels")
  if(NOT arg_KERNELS)
    baton_default_kernels(arg_KERNELS)
  endif()
  if(arg_KERNELS STREQUAL "baton::portable_kernels")
    set(kernels_name "portable kernels")
  endif()
  if(NOT arg_POLICY)
    set(arg_POLICY baton::memory_policies::no_overlap)
  endif()
  if(NOT arg_TITLE)
    cmake_path(GET arg_HEADER FILENAME arg_TITLE)
  endif()
  list(JOIN arg_BACKENDS ", " backends)
  set(target_name "${arg_KERNELS}")
  if(backends)
    string(APPEND target_name ", ${backends}")
  endif()
  baton_host_compiler(compiler)
  set(template "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/report_main.cpp.in")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.report")
  cmake_path(ABSOLUTE_PATH arg_HEADER BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  configure_file("${template}" "${folder}/main.cpp" @ONLY)
  set(reports "")
  set(words "")
  foreach(format IN LISTS arg_FORMATS)
    string(REPLACE text txt ending "${format}")
    list(APPEND reports "${folder}/report.${ending}")
    list(APPEND words ${format} "${folder}/report.${ending}")
  endforeach()
  list(GET reports 0 first) # a list of dependencies must name an output, or ninja makes the reports anew every time
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_custom_command(
    OUTPUT ${reports}
    COMMAND "${compiler}" -std=c++20 "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            -MD -MF "${folder}/main.d" -MT "${first}" "${folder}/main.cpp" -o "${folder}/report"
    COMMAND "${folder}/report" ${words}
    DEPENDS "${folder}/main.cpp" "${arg_HEADER}" ${target}
    DEPFILE "${folder}/main.d"
    COMMENT "Reporting on ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target}_report ALL DEPENDS ${reports})
endfunction()

# baton_default_kernels(<out>): baton::default_kernels of the processor that is compiled for, as an expression for this machine.
function(baton_default_kernels out)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/baton_default_kernels.cpp" CONTENT "")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" ${flags} -dM -E "${CMAKE_CURRENT_BINARY_DIR}/baton_default_kernels.cpp" OUTPUT_VARIABLE macros ERROR_QUIET)
  set(kernels baton::portable_kernels)
  if(macros MATCHES "__ARM_FEATURE_DSP" AND macros MATCHES "__ARM_ARCH_PROFILE (77|'M')")
    string(PREPEND kernels "baton::cortex_m_kernels + ")
  endif()
  if(macros MATCHES "__ARM_FEATURE_MVE")
    string(PREPEND kernels "baton::helium_kernels + ")
  endif()
  set(${out} "${kernels}" PARENT_SCOPE)
endfunction()
