#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the layers of tests/budget/targets.txt that are in none of the shared models, on a Cortex-M4: sh tests/budget/targets.sh
set -eu
cd "$(dirname "$0")/../.."
. tests/budget/cmsis_nn_image.sh
(run_image tests/budget/target_layers.cpp mps2-an386)
