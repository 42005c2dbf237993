#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of nodes on a Cortex-M4 and on a Cortex-M55 for each form of kernel, and fits the rows of
# kernels/detail/cortex_m4_rows.hpp, kernels/detail/cortex_m55_rows.hpp and backends/cmsis_nn/measured_costs.hpp to it:
# sh tests/budget/kernel_costs.sh [--write]
# --write writes the rows into the headers. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
measured=$(for board in mps2-an386 mps3-an547; do
  for source in tests/budget/kernel_costs.cpp tests/kernels/costs/slice_costs.cpp; do (run_image $source $board); done
done)
printf '%s\n' "$measured" | python3 tests/budget/kernel_costs.py include/baton/kernels/detail/cortex_m4_rows.hpp \
  include/baton/kernels/detail/cortex_m55_rows.hpp include/baton/backends/cmsis_nn/measured_costs.hpp "$@"
