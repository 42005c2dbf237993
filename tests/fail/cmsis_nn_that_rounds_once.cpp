// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton cmsis_nn: CMSIS_NN_USE_SINGLE_ROUNDING is defined, with which CMSIS-NN does not give the reference's bytes; leave it out,
#if defined(FIXED)
#include <baton/run/executor_backend.hpp>
#else
#define CMSIS_NN_USE_SINGLE_ROUNDING
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#endif
