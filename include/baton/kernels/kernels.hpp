// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of portable kernels: a new one is a line here.
#pragma once

#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/detection.hpp>
#include <baton/kernels/portable/elementwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/matrix.hpp>
#include <baton/kernels/portable/normalization.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reduction.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/resizing.hpp>
#include <baton/kernels/portable/searching.hpp>
#include <baton/kernels/portable/softmax.hpp>
#include <baton/run/kernel.hpp>

namespace baton {

// clang-format off
/// The kernels that run everywhere: constants, loops and nothing else.
inline constexpr auto portable_kernels = kernels<
    portable::conv_2d,
    portable::depthwise_conv_2d,
    portable::fully_connected,
    portable::add,
    portable::average_pool_2d,
    portable::max_pool_2d,
    portable::reshape,
    portable::softmax,
    portable::softmax_int16,
    portable::l2_normalization,
    portable::reduce,
    portable::arg_min_max,
    portable::cumsum,
    portable::resize,
    portable::batch_matmul,
    portable::detection_postprocess>;
// clang-format on

}  // namespace baton
