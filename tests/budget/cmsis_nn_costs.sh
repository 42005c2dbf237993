#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# What nodes cost on a Cortex-M4 by list of kernels, and the rows of backends/cmsis_nn/measured_costs.hpp that are fitted to it:
# sh tests/budget/cmsis_nn_costs.sh [--write]
# --write puts them into the header. CMSIS-NN is that of $BATON_CMSIS_NN_DIR, else of ../shared/third-party.
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
measured=$(run_image tests/budget/cmsis_nn_costs.cpp mps2-an386)
printf '%s\n' "$measured" | python3 tests/budget/cmsis_nn_costs.py include/baton/backends/cmsis_nn/measured_costs.hpp "$@"
