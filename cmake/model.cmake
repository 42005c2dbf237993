# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_model(<target> <file> [NAME <identifier>] [BACKENDS <type>... PARTITIONER <expression>] [KERNELS <expression>] [HEADERS <file>...]
#             [FILES <file>...] [IMPORTERS <expression>] [ENTRY <name>] [SECTION <section>] [ARENA <section>]
#             [PASSES <expression>|none] [POLICY <type>] [PARTITION_FIRST] [LANGUAGE C|CXX] [RUN_TIME_WEIGHTS] [SLICES [<operations>]] [SIZES]):
# adds a translation unit with a model to the target. The model is compiled again if it changes, but not if its callers change.
# For example, keyword.tflite becomes "keyword.hpp", which the target, and targets that link to it, can include. Its namespace is `keyword`,
# or NAME. It has the tensors `input_0`, `output_0`, ... (element type, name, shape, size, scale and zero point, all constant), and `run`.
# Their spans have a fixed extent. It also has `reset`, `save` and `restore` of `state_bytes()` bytes, and `arena_bytes()`. The header
# includes neither the model nor, without BACKENDS, Baton.
# BACKENDS, PARTITIONER: lower the model, as in BACKENDS my_npu PARTITIONER "my_partitioner{}". `init` and `run` return baton::status.
# KERNELS: a list of kernels instead of baton::default_kernels.
# FILES: the files that contain tensors of the model, as in FILES weights.bin. They are embedded and passed to the importer. An ONNX model
#   states their paths relative to its folder; a file that is not in this folder is found by its name. An ExecuTorch program states only the
#   names of the tensors.
# HEADERS: declare the names in the other arguments. With IMPORTERS, they are also compiled for the build machine.
# IMPORTERS: a list of importers instead of baton::default_importers, as in IMPORTERS "baton::importers<my_importer>". The first importer
#   that recognizes the file reads it.
# ENTRY: the name of an entry point, if the model has several.
# PASSES: applied before lowering, as in PASSES "baton::passes<my_pass>". Default: baton::default_passes; `none`: no passes.
# PARTITION_FIRST: applies the passes after lowering, so that partitioner and backends see the operators of the file, such as
#   aten.linear.default in a program of torch.export.
# POLICY: plans the memory, as in POLICY baton::memory_policies::in_place.
# SECTION: the section of the file's bytes, as for baton_embed.
# ARENA: the section of the arena, `.bss` or a name that begins with `.bss.`, as in ARENA .bss.dtcm.
# LANGUAGE C: the header is "keyword.h", for C99 and C++. Its functions are `keyword_init`, `keyword_run`, ..., and the facts of its tensors
#   are the macros KEYWORD_INPUT_0_SIZE, ... C++ compiles the model, without exceptions and run-time type information, so that the object
#   file can be linked without the C++ library. Default: CXX.
# RUN_TIME_WEIGHTS: the weights are not compiled, but set by `set_weights`, and `run` returns a status (docs/run.md). The build writes the
#   weights of the file to <target>.model/<NAME>.weights. The program <target>.model/<NAME>_weights MODEL WEIGHTS [<NAME>.weights] writes the
#   weights of another training, and checks that its structure is that of the last argument.
# SLICES: adds `start` and `step`, which run an inference in slices (docs/firmware.md). With a number, as in SLICES 50000, a node whose kernel
#   computes rows or chunks is cut into slices of at most this number of operations (baton::in_slices::of).
# SIZES: makes `arena_bytes()` a constant expression, for static_assert and array sizes. In C, it is the macro KEYWORD_ARENA_BYTES. The build
#   then plans the model twice, because callers need the size before the model is compiled.
# At build time, a program on the build machine reads the model and writes these files. It is compiled by the target's compiler or, when
# cross-compiling, by BATON_HOST_CXX (default: g++ or clang++).
function(baton_model target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PARTITION_FIRST;RUN_TIME_WEIGHTS;SIZES" "NAME;PARTITIONER;KERNELS;IMPORTERS;ENTRY;SECTION;ARENA;PASSES;POLICY;LANGUAGE" "BACKENDS;FILES;HEADERS;SLICES")
  set(usage "write baton_model(<target> <file> [NAME <identifier>] [BACKENDS <type>... PARTITIONER <expression>] [KERNELS <expression>] [HEADERS <file>...] [FILES <file>...] [IMPORTERS <expression>] [ENTRY <name>] [SECTION <section>] [ARENA <section>] [PASSES <expression>|none] [POLICY <type>] [PARTITION_FIRST] [LANGUAGE C|CXX] [RUN_TIME_WEIGHTS] [SLICES [<operations>]] [SIZES])")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "baton_model(${target}): unknown argument \"${arg_UNPARSED_ARGUMENTS}\"; ${usage}")
  endif()
  if("SLICES" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    set(arg_SLICES yes)
    list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES SLICES)
  elseif(arg_SLICES AND NOT arg_SLICES MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "baton_model(${target}): SLICES is \"${arg_SLICES}\"; write SLICES alone, or with the maximum number of operations of a slice, as in SLICES 50000")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES " and " words)
    message(FATAL_ERROR "baton_model(${target}): no value is given for ${words}; ${usage}")
  endif()
  if((arg_BACKENDS AND NOT arg_PARTITIONER) OR (arg_PARTITIONER AND NOT arg_BACKENDS))
    message(FATAL_ERROR "baton_model(${target}): BACKENDS and PARTITIONER need each other, because the partitioner assigns nodes to backends; ${usage}")
  endif()
  if(arg_PARTITION_FIRST AND NOT arg_PARTITIONER)
    message(FATAL_ERROR "baton_model(${target}): PARTITION_FIRST applies the passes after lowering, but there is no PARTITIONER; add BACKENDS and PARTITIONER, or omit PARTITION_FIRST")
  endif()
  if(NOT arg_LANGUAGE)
    set(arg_LANGUAGE CXX)
  elseif(NOT arg_LANGUAGE MATCHES "^(C|CXX)$")
    message(FATAL_ERROR "baton_model(${target}): LANGUAGE is \"${arg_LANGUAGE}\"; write LANGUAGE C for a header that C can include, or omit LANGUAGE")
  endif()
  if(arg_FILES AND arg_IMPORTERS)
    message(FATAL_ERROR "baton_model(${target}): FILES selects the importer of ONNX models or of ExecuTorch programs; omit FILES or IMPORTERS")
  endif()
  if(arg_RUN_TIME_WEIGHTS AND (arg_BACKENDS OR arg_FILES))
    message(FATAL_ERROR "baton_model(${target}): RUN_TIME_WEIGHTS needs a model in one file and no backends, because backends embed weights; omit BACKENDS and FILES, or omit RUN_TIME_WEIGHTS")
  endif()
  # In a section with another name, the compiler stores the zero bytes of the arena, and the start-up code does not clear it.
  if(arg_ARENA AND NOT arg_ARENA MATCHES "^\\.bss(\\..+)?$")
    message(FATAL_ERROR "baton_model(${target}): in the section \"${arg_ARENA}\", the zero bytes of the arena take as much flash as RAM; use .bss or a name that begins with .bss., as in ARENA .bss.dtcm")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "baton_model(${target}): there is no target ${target}; call add_executable or add_library before baton_model")
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY" OR type STREQUAL "UTILITY")
    message(FATAL_ERROR "baton_model(${target}): ${target} compiles nothing, so no translation unit of it can own a model; use an executable, or a library with sources")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  get_source_file_property(is_made "${file}" GENERATED)
  if(NOT is_made AND (NOT EXISTS "${file}" OR IS_DIRECTORY "${file}"))
    message(FATAL_ERROR "baton_model(${target}): there is no file ${file}; correct the name, or if the build generates it, call baton_model after its add_custom_command")
  endif()
  cmake_path(GET file STEM LAST_ONLY stem)
  if(NOT arg_NAME)
    set(arg_NAME "${stem}")
  endif()
  # Included here, because a caller whose subdirectory is this project does not see the variables of this file.
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/keywords.cmake")
  if(NOT arg_NAME MATCHES "^[A-Za-z][A-Za-z0-9_]*$" OR arg_NAME MATCHES "__" OR arg_NAME MATCHES "^(baton|std)$" OR arg_NAME IN_LIST baton_keywords)
    message(FATAL_ERROR "baton_model(${target}): \"${arg_NAME}\" cannot be used as a namespace; set NAME for ${file}")
  endif()
  if(arg_LANGUAGE STREQUAL "C")
    if(arg_NAME IN_LIST baton_c_keywords)
      message(FATAL_ERROR "baton_model(${target}): \"${arg_NAME}\" is a keyword of C; set NAME for ${file}")
    endif()
    if(arg_NAME IN_LIST baton_c_headers)
      message(FATAL_ERROR "baton_model(${target}): ${arg_NAME}.h would replace the system's header <${arg_NAME}.h>; set NAME for ${file}")
    endif()
    # The macros of two models would have the same names.
    get_target_property(names ${target} BATON_C_MODELS)
    foreach(other IN LISTS names)
      string(TOLOWER "${other}" lower)
      string(TOLOWER "${arg_NAME}" lower_name)
      if(lower STREQUAL lower_name AND NOT other STREQUAL arg_NAME)
        message(FATAL_ERROR "baton_model(${target}): the macros of ${other} and ${arg_NAME} would have the same names, because these names are equal in capital letters; set another NAME for ${file}")
      endif()
    endforeach()
    set_property(TARGET ${target} APPEND PROPERTY BATON_C_MODELS ${arg_NAME})
  endif()
  string(MAKE_C_IDENTIFIER "${target}_model_${arg_NAME}" rule)
  if(TARGET ${rule})
    message(FATAL_ERROR "baton_model(${target}): ${target} already has a model ${arg_NAME}; set another NAME for ${file}")
  endif()

  set(cmake_folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.model")
  set(suffix hpp)
  if(arg_LANGUAGE STREQUAL "C")
    set(suffix h)
  endif()
  set(header "${folder}/${arg_NAME}.${suffix}")
  set(source "${folder}/${arg_NAME}.cpp")
  set(bytes "${folder}/${arg_NAME}_bytes.hpp")
  set(words "")
  set(includes "")
  foreach(each IN LISTS arg_HEADERS)
    # A header that is not in this folder is searched on the include path of the target.
    cmake_path(ABSOLUTE_PATH each BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE here)
    if(EXISTS "${here}")
      set(each "${here}")
    endif()
    list(APPEND words --include "${each}")
    string(APPEND includes "#include \"${each}\"\n")
  endforeach()
  # The generated source includes <name>_file_<i>.hpp, which defines the array <name>_file_<i>.
  set(model_files "")
  set(embedded_files "")
  foreach(each IN LISTS arg_FILES)
    cmake_path(ABSOLUTE_PATH each BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    get_source_file_property(is_made "${each}" GENERATED)
    if(NOT is_made AND (NOT EXISTS "${each}" OR IS_DIRECTORY "${each}"))
      message(FATAL_ERROR "baton_model(${target}): there is no file ${each}, which is in FILES; correct the name, or if the build generates it, call baton_model after its add_custom_command")
    endif()
    list(LENGTH model_files number)
    list(APPEND words --file "${each}")
    list(APPEND model_files "${each}")
    list(APPEND embedded_files "${folder}/${arg_NAME}_file_${number}.hpp")
    baton_embed_bytes("${each}" "${folder}/${arg_NAME}_file_${number}.hpp" ${arg_NAME}_file_${number} "${arg_SECTION}")
  endforeach()
  foreach(each IN LISTS arg_BACKENDS)
    list(APPEND words --backend "${each}")
  endforeach()
  if(NOT arg_PASSES)
    set(arg_PASSES baton::default_passes)
  elseif(arg_PASSES STREQUAL "none")
    set(arg_PASSES "")
  endif()
  if(arg_PARTITION_FIRST AND arg_PASSES)
    list(APPEND words --late-passes "${arg_PASSES}")
    set(arg_PASSES "")
  endif()
  foreach(option IN ITEMS PARTITIONER KERNELS IMPORTERS ENTRY PASSES POLICY ARENA LANGUAGE)
    if(arg_${option})
      string(TOLOWER "${option}" word)
      list(APPEND words --${word} "${arg_${option}}")
    endif()
  endforeach()
  set(files "${source}" "${bytes}" ${embedded_files})
  if(arg_RUN_TIME_WEIGHTS)
    list(APPEND words --weights run_time)
  endif()
  if(arg_SLICES)
    list(APPEND words --slices "${arg_SLICES}")
  endif()
  set(probe "")
  if(arg_SIZES)
    set(probe "${folder}/${arg_NAME}_probe.cpp")
    list(APPEND words --sizes "${arg_NAME}_sizes.${suffix}" --probe "${probe}")
    list(APPEND files "${probe}")
  endif()

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "baton_model(${target}): the model needs a C++ compiler, but the project has none; write project(... LANGUAGES C CXX), or enable_language(CXX)")
  endif()

  # With the default importers, one program in the build tree serves all models.
  set(writer baton_model_files)
  set(program "${CMAKE_BINARY_DIR}/baton_model_files/model_files")
  if(arg_IMPORTERS)
    set(writer ${rule}_files)
    set(program "${folder}/${arg_NAME}_files")
    set(importers "${program}.hpp")
    file(CONFIGURE OUTPUT "${importers}" CONTENT "// Generated by baton_model(): the importers that read this model. Do not edit.
#include <baton/baton.hpp>

${includes}
constexpr auto importers_of_model = ${arg_IMPORTERS};
" @ONLY)
    baton_host_program(${writer} "${program}" "${cmake_folder}/model_main.cpp" "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>"
                       "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>" "-DIMPORTERS_HEADER=\"${importers}\"")
  elseif(NOT TARGET ${writer})
    baton_host_program(${writer} "${program}" "${cmake_folder}/model_main.cpp" "$<TARGET_PROPERTY:baton::import,INTERFACE_INCLUDE_DIRECTORIES>" "")
  endif()
  file(MAKE_DIRECTORY "${folder}")
  # The header is a by-product: it is written only if it changes, so that new weights do not recompile the callers.
  add_custom_command(
    OUTPUT "${source}" ${probe}
    BYPRODUCTS "${header}"
    COMMAND "${program}" "${file}" "${arg_NAME}" "${header}" "${source}" "${bytes}" ${words}
    DEPENDS "${file}" ${model_files} "${program}" ${writer}
    COMMENT "Writing ${arg_NAME}.${suffix} and ${arg_NAME}.cpp"
    VERBATIM)
  baton_embed_bytes("${file}" "${bytes}" ${arg_NAME}_bytes "${arg_SECTION}")
  if(arg_RUN_TIME_WEIGHTS)
    set(tool "${folder}/${arg_NAME}_weights")
    set(importers_of_weights "${arg_IMPORTERS}")
    if(NOT arg_IMPORTERS)
      set(importers_of_weights baton::default_importers)
    endif()
    set(passes_of_weights "${arg_PASSES}")
    if(NOT arg_PASSES)
      set(passes_of_weights "baton::passes<>")
    endif()
    configure_file("${cmake_folder}/weights_main.cpp.in" "${tool}.cpp" @ONLY)
    baton_host_program(${rule}_weights "${tool}" "${tool}.cpp" "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>"
                       "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    add_custom_command(
      OUTPUT "${tool}.stamp"
      BYPRODUCTS "${folder}/${arg_NAME}.weights"
      COMMAND "${tool}" "${file}" "${folder}/${arg_NAME}.weights"
      COMMAND "${CMAKE_COMMAND}" -E touch "${tool}.stamp"
      DEPENDS "${file}" "${tool}" ${rule}_weights
      COMMENT "Writing ${arg_NAME}.weights"
      VERBATIM)
    list(APPEND files "${tool}.stamp")
  endif()
  add_custom_target(${rule} DEPENDS ${files})
  if(probe)
    baton_model_sizes(${target} ${rule} ${arg_NAME} "${folder}" "${cmake_folder}" ${arg_LANGUAGE})
  endif()
  add_dependencies(${target} ${rule})
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PUBLIC "${folder}")
  # Sets properties, because all calls of target_link_libraries for a target must agree on whether they use keywords such as PRIVATE.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES baton::baton)
  set_property(TARGET ${target} APPEND PROPERTY BATON_MODELS ${arg_NAME}) # for baton_size_report()
  if(arg_LANGUAGE STREQUAL "CXX")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES baton::baton)
    return()
  endif()
  # A precompiled header of the target was compiled without these flags.
  set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "-fno-exceptions;-fno-rtti;-fno-threadsafe-statics"
                                                                         SKIP_PRECOMPILE_HEADERS ON)
  # The C compiler, unlike the C++ compiler, links the mathematical functions only with -lm.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES m)
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES m)
endfunction()

# baton_model_sizes(<target> <rule> <name> <folder> <folder of model_sizes.cmake> <language>): compiles the probe of a model with the flags
# of the target, and writes <name>_sizes.hpp, or <name>_sizes.h for C, from the text in its object file. Without link-time optimization,
# because its object files do not contain that text.
function(baton_model_sizes target rule name folder cmake_folder language)
  set(probe ${rule}_probe)
  add_library(${probe} OBJECT EXCLUDE_FROM_ALL "${folder}/${name}_probe.cpp")
  add_dependencies(${probe} ${rule})
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FEATURES COMPILE_OPTIONS INCLUDE_DIRECTORIES)
    set_property(TARGET ${probe} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
  endforeach()
  target_compile_options(${probe} PRIVATE -fno-lto)
  set_target_properties(${probe} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF LINK_LIBRARIES baton::baton)
  set(sizes "${folder}/${name}_sizes.hpp")
  if(language STREQUAL "C")
    set(sizes "${folder}/${name}_sizes.h")
  endif()
  cmake_path(GET sizes FILENAME sizes_name)
  # Like the interface, written only if it changes.
  add_custom_command(
    OUTPUT "${sizes}.stamp"
    BYPRODUCTS "${sizes}"
    COMMAND "${CMAKE_COMMAND}" "-DOBJECT=$<TARGET_OBJECTS:${probe}>" "-DOUTPUT=${sizes}" "-DNAME=${name}" "-DLANGUAGE=${language}"
            -P "${cmake_folder}/model_sizes.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${sizes}.stamp"
    DEPENDS "$<TARGET_OBJECTS:${probe}>" "${cmake_folder}/model_sizes.cmake"
    COMMENT "Writing ${sizes_name}"
    VERBATIM)
  add_custom_target(${rule}_sizes DEPENDS "${sizes}.stamp")
  add_dependencies(${rule}_sizes ${probe})
  add_dependencies(${target} ${rule}_sizes)
endfunction()

# baton_host_program(<name> <program> <source> <include folders> <definitions> [<flag>...]): adds the target <name>, which compiles
# <program> for the build machine.
function(baton_host_program name program source includes definitions)
  baton_host_compiler(compiler)
  cmake_path(GET program PARENT_PATH folder)
  cmake_path(GET program FILENAME file)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${program}"
    COMMAND "${compiler}" -std=c++20 "-I$<JOIN:${includes},;-I>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${ARGN}
            -MD -MF "${program}.d" -MT "${program}" "${source}" -o "${program}"
    DEPENDS "${source}"
    DEPFILE "${program}.d"
    COMMENT "Building ${file}, a program of baton_model()"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} DEPENDS "${program}")
endfunction()
