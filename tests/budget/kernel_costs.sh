#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of nodes on a Cortex-M4 and on a Cortex-M55 for each form of kernel, and fits the rows of
# kernels/detail/cortex_m4_rows.hpp, kernels/detail/cortex_m55_rows.hpp and backends/cmsis_nn/measured_costs.hpp to it:
# sh tests/budget/kernel_costs.sh [--write]
# --write writes the rows into the headers, and formats these with clang-format-19. A run takes about 20 minutes.
# BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
writes=''
if [ "${1-}" = --write ]; then writes=--write; fi
if [ -n "$writes" ] && ! command -v clang-format-19 > /dev/null; then
  echo "--write needs clang-format-19" >&2
  exit 1
fi
costs=tests/kernels/costs
measured=$(for board in mps2-an386 mps3-an547; do
  for source in tests/budget/kernel_costs.cpp $costs/slice_costs.cpp $costs/int16_costs.cpp $costs/window_costs.cpp $costs/float_costs.cpp; do
    (run_image "$source" $board)
  done
done)
set -- include/baton/kernels/detail/cortex_m4_rows.hpp include/baton/kernels/detail/cortex_m55_rows.hpp \
  include/baton/backends/cmsis_nn/measured_costs.hpp
printf '%s\n' "$measured" | python3 tests/budget/kernel_costs.py "$@" $writes
if [ -n "$writes" ]; then clang-format-19 -i "$@"; fi
