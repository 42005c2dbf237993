// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of portable kernels: a new one is a line here.
#pragma once

#include <baton/kernels/portable/add_n.hpp>
#include <baton/kernels/portable/comparison.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/select.hpp>
#include <baton/kernels/portable/softmax.hpp>
#include <baton/run/kernel.hpp>

namespace baton {

// clang-format off
/// The kernels that run everywhere: constants, loops and nothing else.
inline constexpr auto portable_kernels = kernels<
    portable::conv_2d,
    portable::depthwise_conv_2d,
    portable::fully_connected,
    portable::pairwise,
    portable::comparison,
    portable::select,
    portable::add_n,
    portable::average_pool_2d,
    portable::max_pool_2d,
    portable::reshape,
    portable::softmax>;
// clang-format on

}  // namespace baton
