# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Writes a bill of materials in the format SPDX 2.3 (JSON):
#   cmake -DOUTPUT=<file> [-DARCHIVES=<folder>] [-DCREATED=<seconds since 1970>] [-DBUNDLED=<version of Boost>] -P cmake/sbom.cmake
# The bill describes Baton, the archives baton*-VERSION* in the folder, with their SHA-256, and the components whose headers are included by include/
# and tests/. BUNDLED is the version of Boost whose Hana is in the bundle. Equal inputs have equal outputs. Fails if an included header
# belongs to no component of cmake/sbom_components.txt, or if a component is not included any more. -DROOT=<repository> reads another one.
cmake_minimum_required(VERSION 3.25)

if("${ROOT}" STREQUAL "")
  set(ROOT "${CMAKE_CURRENT_LIST_DIR}/..")
endif()
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
if("${OUTPUT}" STREQUAL "")
  message(FATAL_ERROR "usage: cmake -DOUTPUT=<file> [-DARCHIVES=<folder>] [-DCREATED=<seconds>] [-DBUNDLED=<version>] -P cmake/sbom.cmake")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/version.cmake")
baton_read_version("${ROOT}" version)
if(NOT "${CREATED}" STREQUAL "")
  set(ENV{SOURCE_DATE_EPOCH} "${CREATED}")
endif()
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)

# The included headers of others: everything in < > that is neither Baton's nor a header of the standard library or the compiler.
set(included "")
foreach(folder IN ITEMS include tests)
  file(GLOB_RECURSE files "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*_test.cpp")
  foreach(file IN LISTS files)
    file(STRINGS "${file}" lines REGEX "^ *# *include *<[a-z0-9_/]+(/|[.]h)[^>]*>")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^ *# *include *<([^>]+)>.*$" "\\1" name "${line}")
      if(NOT name MATCHES "^(baton|bits|sys)/|^(arm_mve|emmintrin|fcntl|unistd)[.]h$")
        list(APPEND included "${name}")
      endif()
    endforeach()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES included)

# add_package(<id> <name> <version> <license> <address> <file> <sha256>)
set(packages "")
function(add_package id name of license address file sha256)
  set(fields "")
  string(APPEND fields "      \"name\": \"${name}\",\n      \"SPDXID\": \"SPDXRef-${id}\",\n")
  if(NOT of STREQUAL "")
    string(APPEND fields "      \"versionInfo\": \"${of}\",\n")
  endif()
  if(NOT file STREQUAL "")
    string(APPEND fields "      \"packageFileName\": \"${file}\",\n")
    string(APPEND fields "      \"checksums\": [{ \"algorithm\": \"SHA256\", \"checksumValue\": \"${sha256}\" }],\n")
  endif()
  string(APPEND fields "      \"downloadLocation\": \"${address}\",\n      \"filesAnalyzed\": false,\n      \"licenseConcluded\": \"${license}\",\n"
         "      \"licenseDeclared\": \"${license}\",\n      \"copyrightText\": \"NOASSERTION\"\n")
  if(NOT packages STREQUAL "")
    string(APPEND packages ",\n")
  endif()
  string(APPEND packages "    {\n${fields}    }")
  set(packages "${packages}" PARENT_SCOPE)
endfunction()
set(relations "")
# add_relation(<id> <relation> <id>)
function(add_relation from relation to)
  if(NOT relations STREQUAL "")
    string(APPEND relations ",\n")
  endif()
  string(APPEND relations "    { \"spdxElementId\": \"SPDXRef-${from}\", \"relationshipType\": \"${relation}\", "
         "\"relatedSpdxElement\": \"SPDXRef-${to}\" }")
  set(relations "${relations}" PARENT_SCOPE)
endfunction()

add_package(Baton baton "${version}" Apache-2.0 NOASSERTION "" "")
add_relation(DOCUMENT DESCRIBES Baton)
set(known "")
file(STRINGS "${ROOT}/cmake/sbom_components.txt" lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([^ ]+) ([^ ]+) ([^ ]+) (DEPENDENCY_OF|OPTIONAL_DEPENDENCY_OF|TEST_DEPENDENCY_OF) ([^ ]+)$")
    message(FATAL_ERROR "cmake/sbom_components.txt: write \"<prefix> <component> <license> <relation> <address>\" instead of: ${line}")
  endif()
  set(name "${CMAKE_MATCH_2}")
  set(license "${CMAKE_MATCH_3}")
  set(relation "${CMAKE_MATCH_4}")
  set(address "git+${CMAKE_MATCH_5}")
  string(REPLACE "." "[.]" prefix "${CMAKE_MATCH_1}")
  set(own "${included}")
  list(FILTER own INCLUDE REGEX "^${prefix}")
  if(own STREQUAL "")
    message(FATAL_ERROR "cmake/sbom_components.txt names ${name}, but no header includes <${CMAKE_MATCH_1}...>; remove the line")
  endif()
  list(FILTER included EXCLUDE REGEX "^${prefix}")
  set(of "")
  if(name STREQUAL "Boost.Hana")
    set(of "${BUNDLED}")
  endif()
  add_package("${name}" "${name}" "${of}" "${license}" "${address}" "" "")
  add_relation("${name}" "${relation}" Baton)
endforeach()
if(included)
  list(JOIN included ">, <" included)
  message(FATAL_ERROR "these headers belong to no component: <${included}>; add a line to cmake/sbom_components.txt")
endif()

if(NOT "${ARCHIVES}" STREQUAL "")
  file(GLOB archives "${ARCHIVES}/baton*-${version}*.tar.gz" "${ARCHIVES}/baton-${version}-*.whl")
  list(SORT archives)
  foreach(archive IN LISTS archives)
    cmake_path(GET archive FILENAME file)
    string(REGEX REPLACE "[^A-Za-z0-9.]" "-" id "${file}")
    string(REGEX REPLACE "-${version}.*$" "" name "${file}")
    file(SHA256 "${archive}" sha256)
    set(license Apache-2.0)
    if(name STREQUAL "baton-bundle")
      set(license "Apache-2.0 AND BSL-1.0")
      add_relation("${id}" CONTAINS Boost.Hana)
    endif()
    add_package("${id}" "${name}" "${version}" "${license}" NOASSERTION "${file}" "${sha256}")
    add_relation(DOCUMENT DESCRIBES "${id}")
    add_relation("${id}" GENERATED_FROM Baton)
  endforeach()
endif()

# The namespace has to be unique for the contents.
string(SHA256 digest "${created}${packages}${relations}")
file(WRITE "${OUTPUT}" "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"baton-${version}\",
  \"documentNamespace\": \"https://spdx.org/spdxdocs/baton-${version}-${digest}\",
  \"creationInfo\": { \"created\": \"${created}\", \"creators\": [\"Tool: cmake/sbom.cmake\", \"Organization: The Baton authors\"] },
  \"packages\": [
${packages}
  ],
  \"relationships\": [
${relations}
  ]
}
")
