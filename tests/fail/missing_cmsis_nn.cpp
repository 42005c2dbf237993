// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton cmsis_nn: these kernels call Arm's CMSIS-NN; its arm_nnfunctions.h is not among the includes; set BATON_CMSIS_NN_DIR to a
#if defined(FIXED)
#include <baton/run/executor_backend.hpp>
#else
#include <baton/backends/cmsis_nn/cmsis_nn.hpp>

using backend = baton::cmsis_nn::backend;
#endif
