#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Random layers by CMSIS-NN's DSP or Helium form beside the portable kernels, in one image:
# sh tests/budget/cmsis_nn_layers.sh [mps2-an386|mps3-an547]
# Fails where a byte differs. CMSIS-NN is that of $BATON_CMSIS_NN_DIR, else of ../shared/third-party.
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
run_image tests/budget/cmsis_nn_layers.cpp "${1-mps3-an547}"
