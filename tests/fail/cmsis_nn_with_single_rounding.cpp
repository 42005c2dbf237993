// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton cmsis_nn: with CMSIS_NN_USE_SINGLE_ROUNDING, the results of CMSIS-NN differ from the reference; do not define it,
#if defined(FIXED)
#include <baton/run/executor_backend.hpp>
#else
#define CMSIS_NN_USE_SINGLE_ROUNDING
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#endif
