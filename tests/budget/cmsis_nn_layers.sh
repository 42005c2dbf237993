#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares the outputs of CMSIS-NN (DSP or Helium) for random layers with those of the portable kernels, in one image:
# sh tests/budget/cmsis_nn_layers.sh [mps2-an386|mps3-an547]
# Fails if a byte differs. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
run_image tests/budget/cmsis_nn_layers.cpp "${1-mps3-an547}"
