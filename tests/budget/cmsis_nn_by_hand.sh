#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares the instructions of the digits model in one image: an executor with CMSIS-NN's kernels, and handwritten calls of the same functions:
# sh tests/budget/cmsis_nn_by_hand.sh [mps2-an386|mps3-an547]
# Fails if an output differs, or if the executor needs over 1 % more instructions. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in
# ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
run_image tests/budget/cmsis_nn_by_hand.cpp "${1-mps3-an547}"
