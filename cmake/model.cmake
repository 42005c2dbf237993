# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_model(<target> <file> [NAME <identifier>] [BACKENDS <type>... PARTITIONER <expression>] [KERNELS <expression>] [HEADERS <file>...]
#             [IMPORTERS <expression>] [ENTRY <name>] [SECTION <section>] [ARENA <section>] [PASSES <expression>|none] [POLICY <type>] [SIZES]):
# makes one translation unit of the target own a model, so that the model is compiled when it changes and not when its callers do.
# keyword.tflite gives "keyword.hpp", which the target (and what links to it) may include: namespace `keyword` (NAME names it otherwise) with
# `input_0`, `output_0`, ... (element type, name, shape, size, scale, zero point, all constant) and `run`, all over spans of fixed extent;
# `reset`, and `save` and `restore` of `state_bytes()` bytes; `arena_bytes()`. It needs neither the model nor, without BACKENDS, Baton.
# BACKENDS and PARTITIONER lower the model, as in BACKENDS my_npu PARTITIONER "my_partitioner{}"; then `init` and `run` return a baton::status.
# KERNELS is a list of kernels in the place of baton::default_kernels. PASSES are applied first, as in PASSES "baton::passes<my_pass>"; without
# it baton::default_passes, and with none no pass. POLICY plans the memory, as in POLICY baton::memory_policies::in_place. HEADERS declare what these
# name. IMPORTERS is a list of importers in the place of baton::default_importers, as in IMPORTERS "baton::importers<my_importer>"; the first that
# recognizes the file reads it. With IMPORTERS, HEADERS are compiled for this machine, too. ENTRY chooses one of several entry points by its name.
# SECTION is the section of the file's bytes, as of baton_embed; ARENA that of the arena, `.bss` or a name that begins with `.bss.`, as in ARENA
# .bss.dtcm. With SIZES, `arena_bytes()` is a constant expression, for static_assert and array sizes: the build then plans the model twice, because
# callers need the size before the model is compiled. The facts of the tensors come from the model while building: a program for this machine
# reads it, made by the target's compiler or, when cross-compiling, by g++, clang++ or what BATON_HOST_CXX names.
function(baton_model target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "SIZES" "NAME;PARTITIONER;KERNELS;IMPORTERS;ENTRY;SECTION;ARENA;PASSES;POLICY" "BACKENDS;HEADERS")
  set(usage "write baton_model(<target> <file> [NAME <identifier>] [BACKENDS <type>... PARTITIONER <expression>] [KERNELS <expression>] [HEADERS <file>...] [IMPORTERS <expression>] [ENTRY <name>] [SECTION <section>] [ARENA <section>] [PASSES <expression>|none] [POLICY <type>] [SIZES])")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "baton_model(${target}): what is \"${arg_UNPARSED_ARGUMENTS}\"? ${usage}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES " and " words)
    message(FATAL_ERROR "baton_model(${target}): nothing stands behind ${words}; ${usage}")
  endif()
  if((arg_BACKENDS AND NOT arg_PARTITIONER) OR (arg_PARTITIONER AND NOT arg_BACKENDS))
    message(FATAL_ERROR "baton_model(${target}): BACKENDS and PARTITIONER go together: a partitioner says what a backend gets; ${usage}")
  endif()
  # In a section of another name the compiler stores the arena's zero bytes, and nothing clears it before main().
  if(arg_ARENA AND NOT arg_ARENA MATCHES "^\\.bss(\\..+)?$")
    message(FATAL_ERROR "baton_model(${target}): in the section \"${arg_ARENA}\" the zero bytes of the arena would take as much flash as RAM; give ARENA `.bss` or a name that begins with `.bss.`, as in ARENA .bss.dtcm")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "baton_model(${target}): there is no target ${target}; first add_executable or add_library, then baton_model")
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY" OR type STREQUAL "UTILITY")
    message(FATAL_ERROR "baton_model(${target}): ${target} compiles nothing, so it has no translation unit to own a model; name an executable, or a library with sources")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  get_source_file_property(is_made "${file}" GENERATED)
  if(NOT is_made AND (NOT EXISTS "${file}" OR IS_DIRECTORY "${file}"))
    message(FATAL_ERROR "baton_model(${target}): there is no file ${file}; correct the name, or if the build makes it, call baton_model after the add_custom_command that does")
  endif()
  cmake_path(GET file STEM LAST_ONLY stem)
  if(NOT arg_NAME)
    set(arg_NAME "${stem}")
  endif()
  if(NOT arg_NAME MATCHES "^[A-Za-z][A-Za-z0-9_]*$" OR arg_NAME MATCHES "__" OR arg_NAME MATCHES "^(baton|std)$")
    message(FATAL_ERROR "baton_model(${target}): \"${arg_NAME}\" cannot be a namespace of yours; give a NAME for ${file}")
  endif()
  string(MAKE_C_IDENTIFIER "${target}_model_${arg_NAME}" rule)
  if(TARGET ${rule})
    message(FATAL_ERROR "baton_model(${target}): there is a model ${arg_NAME} in ${target} already; give another NAME for ${file}")
  endif()

  set(cmake_folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.model")
  set(header "${folder}/${arg_NAME}.hpp")
  set(source "${folder}/${arg_NAME}.cpp")
  set(bytes "${folder}/${arg_NAME}_bytes.hpp")
  set(words "")
  set(includes "")
  foreach(each IN LISTS arg_HEADERS)
    # One that is not here is looked for where the target looks for its headers.
    cmake_path(ABSOLUTE_PATH each BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE here)
    if(EXISTS "${here}")
      set(each "${here}")
    endif()
    list(APPEND words --include "${each}")
    string(APPEND includes "#include \"${each}\"\n")
  endforeach()
  foreach(each IN LISTS arg_BACKENDS)
    list(APPEND words --backend "${each}")
  endforeach()
  if(NOT arg_PASSES)
    set(arg_PASSES baton::default_passes)
  elseif(arg_PASSES STREQUAL "none")
    set(arg_PASSES "")
  endif()
  foreach(option IN ITEMS PARTITIONER KERNELS IMPORTERS ENTRY PASSES POLICY ARENA)
    if(arg_${option})
      string(TOLOWER "${option}" word)
      list(APPEND words --${word} "${arg_${option}}")
    endif()
  endforeach()
  set(files "${source}" "${bytes}")
  set(probe "")
  if(arg_SIZES)
    set(probe "${folder}/${arg_NAME}_probe.cpp")
    list(APPEND words --sizes "${arg_NAME}_sizes.hpp" --probe "${probe}")
    list(APPEND files "${probe}")
  endif()

  # With the default importers, one program in the build tree serves all models.
  set(writer baton_model_files)
  set(program "${CMAKE_BINARY_DIR}/baton_model_files/model_files")
  if(arg_IMPORTERS)
    set(writer ${rule}_files)
    set(program "${folder}/${arg_NAME}_files")
    set(importers "${program}.hpp")
    file(CONFIGURE OUTPUT "${importers}" CONTENT "// Made by baton_model(): the importers that read this model. Do not edit.
#include <baton/baton.hpp>

${includes}
constexpr auto importers_of_model = ${arg_IMPORTERS};
" @ONLY)
    baton_model_files_program(${writer} "${program}" "${cmake_folder}" "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>"
                              "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>" "-DIMPORTERS_HEADER=\"${importers}\"")
  elseif(NOT TARGET ${writer})
    baton_model_files_program(${writer} "${program}" "${cmake_folder}" "$<TARGET_PROPERTY:baton::import,INTERFACE_INCLUDE_DIRECTORIES>" "")
  endif()
  file(MAKE_DIRECTORY "${folder}")
  # The header is a by-product: left alone where it says the same, so that other weights compile no caller anew.
  add_custom_command(
    OUTPUT "${source}" ${probe}
    BYPRODUCTS "${header}"
    COMMAND "${program}" "${file}" "${arg_NAME}" "${header}" "${source}" "${bytes}" ${words}
    DEPENDS "${file}" "${program}" ${writer}
    COMMENT "Writing ${arg_NAME}.hpp and ${arg_NAME}.cpp"
    VERBATIM)
  add_custom_command(
    OUTPUT "${bytes}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${file}" "-DOUTPUT=${bytes}" "-DNAME=${arg_NAME}_bytes" "-DSECTION=${arg_SECTION}" -P "${cmake_folder}/embed_file.cmake"
    DEPENDS "${file}" "${cmake_folder}/embed_file.cmake"
    COMMENT "Embedding ${arg_NAME}"
    VERBATIM)
  add_custom_target(${rule} DEPENDS ${files})
  if(probe)
    baton_model_sizes(${target} ${rule} ${arg_NAME} "${folder}" "${cmake_folder}")
  endif()
  add_dependencies(${target} ${rule})
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PUBLIC "${folder}")
  # Properties, since a target links by words like PRIVATE or without them, and not by both.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES baton::baton)
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES baton::baton)
endfunction()

# baton_model_sizes(<target> <rule> <name> <folder> <folder of model_sizes.cmake>): compiles the probe of a model as the target compiles the
# model, and writes <name>_sizes.hpp of what its object file says. Strings of an object for link-time optimization cannot be read.
function(baton_model_sizes target rule name folder cmake_folder)
  set(probe ${rule}_probe)
  add_library(${probe} OBJECT EXCLUDE_FROM_ALL "${folder}/${name}_probe.cpp")
  add_dependencies(${probe} ${rule})
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FEATURES COMPILE_OPTIONS INCLUDE_DIRECTORIES)
    set_property(TARGET ${probe} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
  endforeach()
  target_compile_options(${probe} PRIVATE -fno-lto)
  set_target_properties(${probe} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF LINK_LIBRARIES baton::baton)
  set(sizes "${folder}/${name}_sizes.hpp")
  # As the interface: left alone where it says the same.
  add_custom_command(
    OUTPUT "${sizes}.stamp"
    BYPRODUCTS "${sizes}"
    COMMAND "${CMAKE_COMMAND}" "-DOBJECT=$<TARGET_OBJECTS:${probe}>" "-DOUTPUT=${sizes}" "-DNAME=${name}" -P "${cmake_folder}/model_sizes.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${sizes}.stamp"
    DEPENDS "$<TARGET_OBJECTS:${probe}>" "${cmake_folder}/model_sizes.cmake"
    COMMENT "Writing ${name}_sizes.hpp"
    VERBATIM)
  add_custom_target(${rule}_sizes DEPENDS "${sizes}.stamp")
  add_dependencies(${rule}_sizes ${probe})
  add_dependencies(${target} ${rule}_sizes)
endfunction()

# baton_model_files_program(<name> <program> <folder of model_main.cpp> <include folders> <definitions> [<flag>...]): adds the target <name>, which
# compiles <program> for this machine: the tool that writes the files of a model.
function(baton_model_files_program name program cmake_folder includes definitions)
  baton_host_compiler(compiler)
  cmake_path(GET program PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${program}"
    COMMAND "${compiler}" -std=c++20 "-I$<JOIN:${includes},;-I>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${ARGN}
            -MD -MF "${program}.d" -MT "${program}" "${cmake_folder}/model_main.cpp" -o "${program}"
    DEPENDS "${cmake_folder}/model_main.cpp"
    DEPFILE "${program}.d"
    COMMENT "Building what writes the interfaces of models"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} DEPENDS "${program}")
endfunction()
