# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The warnings of this project. Only tests and examples link this target, so that users do not get these flags. The presets turn warnings
# into errors.
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
