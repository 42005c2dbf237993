# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Every warning we ask of ourselves; linked by tests and examples only, never by a user. The presets of our own make them errors.
add_library(baton_warnings INTERFACE)
target_compile_options(
  baton_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wshadow
            -Wold-style-cast
            -Wcast-align
            -Wcast-qual
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wextra-semi
            -Wdouble-promotion
            -Wundef)
