#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of nodes on a Cortex-M4 for each kernel list, and fits the rows of backends/cmsis_nn/measured_costs.hpp to it:
# sh tests/budget/cmsis_nn_costs.sh [--write]
# --write writes the rows into the header. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
measured=$(run_image tests/budget/cmsis_nn_costs.cpp mps2-an386)
printf '%s\n' "$measured" | python3 tests/budget/cmsis_nn_costs.py include/baton/backends/cmsis_nn/measured_costs.hpp "$@"
