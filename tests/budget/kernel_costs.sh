#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of nodes on a Cortex-M4 for each form of kernel, and fits the rows of kernels/detail/cortex_m4_rows.hpp and
# backends/cmsis_nn/measured_costs.hpp to it: sh tests/budget/kernel_costs.sh [--write]
# --write writes the rows into the headers. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
measured=$(run_image tests/budget/kernel_costs.cpp mps2-an386)
printf '%s\n' "$measured" | python3 tests/budget/kernel_costs.py include/baton/kernels/detail/cortex_m4_rows.hpp include/baton/backends/cmsis_nn/measured_costs.hpp "$@"
