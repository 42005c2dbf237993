// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of kernels that call Arm's CMSIS-NN. New kernels are added here.
#pragma once

#include <baton/backends/cmsis_nn/detail/double_rounding.hpp>
#include <baton/kernel/kernel.hpp>

#if __has_include(<arm_nnfunctions.h>)

#include <baton/backends/cmsis_nn/convolution.hpp>
#include <baton/backends/cmsis_nn/depthwise.hpp>
#include <baton/backends/cmsis_nn/elementwise.hpp>
#include <baton/backends/cmsis_nn/fully_connected.hpp>
#include <baton/backends/cmsis_nn/pooling.hpp>
#include <baton/backends/cmsis_nn/softmax.hpp>

namespace baton {

// clang-format off
/// Kernels that call CMSIS-NN. Put them before other kernels in the list of an executor. Requires the CMake target `baton::cmsis_nn`.
/// Example: `baton::executor<lowered, baton::with_kernels<baton::cmsis_nn_kernels + baton::portable_kernels>>`.
inline constexpr auto cmsis_nn_kernels = kernels<
    cmsis_nn::conv_2d,
    cmsis_nn::depthwise_conv_2d,
    cmsis_nn::fully_connected,
    cmsis_nn::add,
    cmsis_nn::mul,
    cmsis_nn::maximum,
    cmsis_nn::minimum,
    cmsis_nn::average_pool_2d,
    cmsis_nn::max_pool_2d,
    cmsis_nn::softmax
    >;
// clang-format on

}  // namespace baton

#else

static_assert(!"arm_nnfunctions.h",
              "baton cmsis_nn: arm_nnfunctions.h of Arm's CMSIS-NN is not on the include path; set BATON_CMSIS_NN_DIR to "
              "a checkout of CMSIS-NN, and link baton::cmsis_nn");
namespace baton {
inline constexpr auto cmsis_nn_kernels = kernels<>;
}  // namespace baton

#endif
