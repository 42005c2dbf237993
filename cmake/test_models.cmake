# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_test_models(<folder> <zoo>): finds the models in this folder, in the zoo, in <zoo>-vela (models compiled by Vela) and in examples/,
# for the functions below. The first three folders may be missing. If <folder> has no models, adds the skipped CTest shared_models.
function(baton_test_models folder zoo)
  set(in_zoo "")
  if(zoo)
    file(GLOB in_zoo CONFIGURE_DEPENDS "${zoo}/*/*.tflite" "${zoo}-vela/*.tflite")
  endif()
  set_property(GLOBAL PROPERTY baton_zoo_models ${in_zoo})
  set(shared "")
  if(folder)
    file(GLOB shared CONFIGURE_DEPENDS "${folder}/*.tflite")
  endif()
  file(GLOB_RECURSE own CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.tflite")
  set_property(GLOBAL PROPERTY baton_test_models ${shared} ${own})
  set_property(GLOBAL PROPERTY baton_has_shared_models "${shared}")
  if(NOT shared)
    add_test(NAME shared_models COMMAND "${CMAKE_COMMAND}" -E echo
                                        "SKIPPED: no models in ../shared/models, so tests that need them, such as tests/models, are not built")
    set_tests_properties(shared_models PROPERTIES SKIP_REGULAR_EXPRESSION "^SKIPPED: ")
  endif()
endfunction()

# baton_model_of(<source> <out>): returns the model whose name is the beginning of the source's name: kws_ref_model.tflite for
# kws_ref_model_run.cpp. After the prefix `zoo_`, the model is in the zoo.
function(baton_model_of source out)
  get_property(models GLOBAL PROPERTY baton_test_models)
  cmake_path(GET source STEM stem)
  if(stem MATCHES "^zoo_(.*)$")
    set(stem "${CMAKE_MATCH_1}")
    get_property(models GLOBAL PROPERTY baton_zoo_models)
  endif()
  set(${out} "" PARENT_SCOPE)
  foreach(model IN LISTS models)
    cmake_path(GET model STEM name)
    if(stem STREQUAL name OR stem MATCHES "^${name}_")
      set(${out} "${model}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# baton_model_named(<name> <out>): returns the path of the model of this name, or an empty string if no folder has it.
function(baton_model_named name out)
  get_property(models GLOBAL PROPERTY baton_test_models)
  get_property(zoo GLOBAL PROPERTY baton_zoo_models)
  list(FILTER models INCLUDE REGEX "/${name}\\.tflite$")
  list(FILTER zoo INCLUDE REGEX "/${name}\\.tflite$")
  set(models ${models} ${zoo} "")
  list(GET models 0 model)
  set(${out} "${model}" PARENT_SCOPE)
endfunction()

# baton_model_tests(<source>...): adds an executable and the CTest `models.<model>` for all <model>_*.cpp, which can include
# "<model>.tflite.hpp". Sources that do not begin with the name of a model become `models.all` and can include every model, if the shared
# models exist. zoo_<model>_*.cpp become `models.zoo_<model>` if the zoo has the model.
function(baton_model_tests)
  get_property(models GLOBAL PROPERTY baton_test_models)
  get_property(has_shared GLOBAL PROPERTY baton_has_shared_models)
  set(names "")
  foreach(source IN LISTS ARGV)
    baton_model_of("${source}" model)
    set(name all)
    cmake_path(GET source STEM stem)
    if(model)
      cmake_path(GET model STEM name)
      string(REGEX MATCH "^zoo_" prefix "${stem}")
      string(PREPEND name "${prefix}")
    elseif(stem MATCHES "^zoo_")
      message(STATUS "SKIPPED: ${stem}: its model is not in ../shared/zoo")
      continue()
    elseif(NOT has_shared)
      continue()
    endif()
    list(APPEND names "${name}")
    list(APPEND sources_${name} "${source}")
    set(models_${name} "${model}")
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(models_all "${models}")
  foreach(name IN LISTS names)
    add_executable(models_${name}_test ${sources_${name}})
    target_link_libraries(models_${name}_test PRIVATE baton_test)
    # Unoptimized, because the optimizer would take half of the time; zoo/ and the budgets test optimized code. The limits for constant
    # expressions are three quarters of the compilers' defaults, so that a model that needs more steps fails here before it fails for users.
    target_compile_options(models_${name}_test PRIVATE -O0 $<$<CXX_COMPILER_ID:Clang>:-fconstexpr-steps=786432>
                                                       $<$<CXX_COMPILER_ID:GNU>:-fconstexpr-ops-limit=25165824>)
    foreach(model IN LISTS models_${name})
      baton_embed(models_${name}_test "${model}")
    endforeach()
    add_test(NAME models.${name} COMMAND models_${name}_test)
  endforeach()
endfunction()
