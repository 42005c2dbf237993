# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

# baton_install(<target>...): installs headers, targets and the CMake functions for users, as a package for `find_package(baton)`.
function(baton_install)
  set(package "${CMAKE_INSTALL_DATADIR}/cmake/baton")
  install(TARGETS ${ARGV} EXPORT baton_targets)
  install(EXPORT baton_targets NAMESPACE baton:: FILE baton_targets.cmake DESTINATION "${package}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/laws/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/baton")
  set(BATON_HAS_QUERY FALSE)
  if(TARGET baton_query)
    set(BATON_HAS_QUERY TRUE)
  endif()
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/baton-config.cmake.in" "${PROJECT_BINARY_DIR}/baton-config.cmake"
                                INSTALL_DESTINATION "${package}" NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/baton-config-version.cmake" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
  install(FILES "${PROJECT_BINARY_DIR}/baton-config.cmake" "${PROJECT_BINARY_DIR}/baton-config-version.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/embed.cmake" "${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/find_headers.cmake" "${PROJECT_SOURCE_DIR}/cmake/host_compiler.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/keywords.cmake" "${PROJECT_SOURCE_DIR}/cmake/model.cmake" "${PROJECT_SOURCE_DIR}/cmake/model_main.cpp"
                "${PROJECT_SOURCE_DIR}/cmake/model_c_interface.hpp" "${PROJECT_SOURCE_DIR}/cmake/model_facts.hpp"
                "${PROJECT_SOURCE_DIR}/cmake/model_file_io.hpp" "${PROJECT_SOURCE_DIR}/cmake/model_sizes.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/weights_main.cpp.in"
                "${PROJECT_SOURCE_DIR}/cmake/report.cmake" "${PROJECT_SOURCE_DIR}/cmake/report_main.cpp.in"
                "${PROJECT_SOURCE_DIR}/cmake/size_report.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/size_report.awk"
                "${PROJECT_SOURCE_DIR}/cmake/backends.cmake" DESTINATION "${package}")
  install(PROGRAMS "${PROJECT_SOURCE_DIR}/cmake/size_report.sh" DESTINATION "${package}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/cmake/backends" DESTINATION "${package}")
endfunction()
