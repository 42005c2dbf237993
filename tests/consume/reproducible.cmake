# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Compiles a model in two folders, each with a copy of the library, and compares the generated files and the objects byte by byte. COMPILER
# is GCC. BUILD is a build tree whose project calls baton_model().
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target baton_model_files OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(files digits.hpp digits.cpp digits_bytes.hpp digits.o)
foreach(name IN ITEMS one "another folder")
  set(folder "${SCRATCH}/${name}")
  file(COPY "${ROOT}/include" "${ROOT}/examples/npu" "${ROOT}/examples/digits/digits_int8.tflite" DESTINATION "${folder}")
  # One part runs on the example backend, the others have kernels.
  execute_process(
    COMMAND "${BUILD}/baton_model_files/model_files" "${folder}/digits_int8.tflite" digits "${folder}/digits.hpp" "${folder}/digits.cpp"
            "${folder}/digits_bytes.hpp" --include npu/npu.hpp --backend npu_example::npu --partitioner npu_example::npu_partitioner{} --passes
            baton::default_passes COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DINPUT=${folder}/digits_int8.tflite" "-DOUTPUT=${folder}/digits_bytes.hpp" -DNAME=digits_bytes -P
                          "${ROOT}/cmake/embed_file.cmake" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${COMPILER}" -std=c++20 -O2 "-I${folder}" "-I${folder}/include" -c "${folder}/digits.cpp" -o "${folder}/digits.o"
                          COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(file IN LISTS files)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${SCRATCH}/one/${file}" "${SCRATCH}/another folder/${file}" RESULT_VARIABLE differs)
  if(differs)
    message(FATAL_ERROR "${file} is not reproducible: it depends on the folder of the build")
  endif()
endforeach()
