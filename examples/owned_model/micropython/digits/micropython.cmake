# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# For ports of MicroPython that CMake builds, such as rp2. The model is a separate library, because MicroPython scans the sources of a module.
find_package(baton 0.1 CONFIG REQUIRED)
add_library(digits_model STATIC)
baton_model(digits_model "${CMAKE_CURRENT_LIST_DIR}/../../../digits/digits_int8.tflite" NAME digits LANGUAGE C)

add_library(usermod_digits INTERFACE)
target_sources(usermod_digits INTERFACE "${CMAKE_CURRENT_LIST_DIR}/moddigits.c")
target_link_libraries(usermod_digits INTERFACE digits_model)
target_link_libraries(usermod INTERFACE usermod_digits)
