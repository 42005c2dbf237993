# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Compiles and installs the parts of the wheel that the package does not have: the command `baton`, its compiled programs in bin, and the
# sources that its other commands compile. Included by the top CMakeLists.txt if scikit-build-core runs it.
include(CheckCXXSourceCompiles)

# Static programs run on every Linux of this processor, with any C and C++ library.
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("int main() { return 0; }" BATON_LINKS_STATICALLY)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
foreach(source IN ITEMS examples/inspect.cpp examples/external_files.cpp cmake/model_main.cpp)
  cmake_path(GET source STEM name)
  string(REPLACE model_main model_files name "${name}")
  add_executable(baton_${name} "${source}")
  target_link_libraries(baton_${name} PRIVATE baton::baton)
  target_compile_definitions(baton_${name} PRIVATE WITHOUT_VENDOR_LIBRARIES)
  target_compile_options(baton_${name} PRIVATE -O1) # as in tools/build.sh
  target_link_options(baton_${name} PRIVATE "$<$<BOOL:${BATON_LINKS_STATICALLY}>:-static>" -s)
  set_target_properties(baton_${name} PROPERTIES OUTPUT_NAME ${name} CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  install(TARGETS baton_${name} RUNTIME DESTINATION bin)
endforeach()

install(PROGRAMS tools/baton DESTINATION tools)
install(DIRECTORY tools/ DESTINATION tools FILES_MATCHING PATTERN "*.sh" PATTERN "*.awk" PATTERN python EXCLUDE)
# The sources that the commands compile.
install(DIRECTORY examples/ DESTINATION examples FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY examples/cortex_m DESTINATION examples PATTERN "*.md" EXCLUDE PATTERN run.sh EXCLUDE PATTERN run_test.sh EXCLUDE)
install(FILES examples/check_model.cpp examples/external_files.cpp examples/inspect.cpp examples/run_arrays.cpp examples/run_model.cpp
        DESTINATION examples)
install(FILES cmake/single_include.cmake cmake/version.cmake DESTINATION cmake)
