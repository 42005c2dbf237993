// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton cmsis_nn: arm_nnfunctions.h of Arm's CMSIS-NN is not on the include path; set BATON_CMSIS_NN_DIR to a
#if defined(FIXED)
#include <baton/run/executor_backend.hpp>
#else
#include <baton/backends/cmsis_nn/cmsis_nn.hpp>

using backend = baton::cmsis_nn::backend;
#endif
