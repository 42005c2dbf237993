// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks that CMSIS-NN is configured to round twice, as the reference kernels of TensorFlow Lite do.
#pragma once

#include <baton/core/config.hpp>

#if defined(CMSIS_NN_USE_SINGLE_ROUNDING)
static_assert(!"CMSIS_NN_USE_SINGLE_ROUNDING",
              "baton cmsis_nn: with CMSIS_NN_USE_SINGLE_ROUNDING, the results of CMSIS-NN differ from the reference; do not define it, "
              "neither here nor for the library");
#endif
