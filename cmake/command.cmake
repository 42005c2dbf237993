# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Compiles and installs the command `baton` (docs/tool.md). Its folder has the layout of the repository: the scripts of tools/ and the sources
# that they compile. Compiled programs are in bin/. Included by the top CMakeLists.txt if BATON_INSTALL_COMMAND is set, and for the wheel, where
# the folder is the Python package.
include(CheckCXXSourceCompiles)
if(CMAKE_CROSSCOMPILING)
  message(FATAL_ERROR "The command baton runs on the build machine, so do not set BATON_INSTALL_COMMAND when cross-compiling")
endif()

set(folder "${CMAKE_INSTALL_LIBEXECDIR}/baton")
if(SKBUILD)
  set(folder .)
  # Static programs run on every Linux of this processor, with any C and C++ library.
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_cxx_source_compiles("int main() { return 0; }" BATON_LINKS_STATICALLY)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()
foreach(source IN ITEMS examples/inspect.cpp examples/external_files.cpp cmake/model_main.cpp)
  cmake_path(GET source STEM name)
  string(REPLACE model_main model_files name "${name}")
  add_executable(baton_${name} "${source}")
  target_link_libraries(baton_${name} PRIVATE baton::baton)
  target_compile_definitions(baton_${name} PRIVATE WITHOUT_VENDOR_LIBRARIES)
  target_compile_options(baton_${name} PRIVATE -O1)
  target_link_options(baton_${name} PRIVATE "$<$<BOOL:${SKBUILD}>:-s>" "$<$<BOOL:${BATON_LINKS_STATICALLY}>:-static>")
  set_target_properties(baton_${name} PROPERTIES OUTPUT_NAME ${name} CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  install(TARGETS baton_${name} RUNTIME DESTINATION "${folder}/bin" COMPONENT command)
endforeach()

install(PROGRAMS tools/baton DESTINATION "${folder}/tools" COMPONENT command)
install(DIRECTORY tools/ DESTINATION "${folder}/tools" COMPONENT command FILES_MATCHING PATTERN "*.sh" PATTERN "*.awk" PATTERN python EXCLUDE)
# The sources that the commands compile.
install(DIRECTORY examples/ DESTINATION "${folder}/examples" COMPONENT command FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY examples/cortex_m DESTINATION "${folder}/examples" COMPONENT command
        PATTERN "*.md" EXCLUDE PATTERN run.sh EXCLUDE PATTERN run_test.sh EXCLUDE)
install(FILES examples/check_model.cpp examples/external_files.cpp examples/inspect.cpp examples/run_arrays.cpp examples/run_model.cpp
        DESTINATION "${folder}/examples" COMPONENT command)
install(FILES cmake/single_include.cmake cmake/version.cmake DESTINATION "${folder}/cmake" COMPONENT command)
# The command compares this file with the version of the headers.
file(CONFIGURE OUTPUT command/version CONTENT "${PROJECT_VERSION}\n")
install(FILES "${PROJECT_BINARY_DIR}/command/version" DESTINATION "${folder}" COMPONENT command)

# baton_install_link(<link> <target>): installs a symbolic link, with a relative path because CMake learns the prefix when it installs.
function(baton_install_link link target)
  cmake_path(GET link PARENT_PATH parent)
  cmake_path(GET link FILENAME name)
  cmake_path(ABSOLUTE_PATH parent BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE from)
  cmake_path(ABSOLUTE_PATH target BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  cmake_path(RELATIVE_PATH target BASE_DIRECTORY "${from}")
  string(MAKE_C_IDENTIFIER "${link}" built)
  set(built "${PROJECT_BINARY_DIR}/command/${built}")
  file(MAKE_DIRECTORY "${built}")
  file(CREATE_LINK "${target}" "${built}/${name}" SYMBOLIC)
  install(FILES "${built}/${name}" DESTINATION "${parent}" COMPONENT command)
endfunction()
if(NOT SKBUILD)
  baton_install_link("${CMAKE_INSTALL_BINDIR}/baton" "${folder}/tools/baton")
  baton_install_link("${folder}/include/baton" "${CMAKE_INSTALL_INCLUDEDIR}/baton")
  baton_install_link("${folder}/share" "${CMAKE_INSTALL_DATADIR}")
endif()
