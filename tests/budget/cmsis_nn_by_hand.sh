#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Instructions of the digits' model by CMSIS-NN's kernels, beside the same calls by hand, in one image:
# sh tests/budget/cmsis_nn_by_hand.sh [mps2-an386|mps3-an547]
# Fails where an output differs, or the executor takes over 1 % more. CMSIS-NN is that of $BATON_CMSIS_NN_DIR, else of ../shared/third-party.
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
run_image tests/budget/cmsis_nn_by_hand.cpp "${1-mps3-an547}"
