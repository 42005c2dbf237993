// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of random networks: portable ones, and the fast ones from which the limits select.
#pragma once

#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reshape.hpp>

namespace plan_tests {

inline constexpr auto portable_list =
    baton::kernels<baton::portable::conv_2d, baton::portable::depthwise_conv_2d, baton::portable::fully_connected,
                   baton::portable::pairwise, baton::portable::average_pool_2d, baton::portable::max_pool_2d, baton::portable::reshape>;
inline constexpr auto fast_list = baton::cortex_m_kernels + portable_list;

}  // namespace plan_tests
