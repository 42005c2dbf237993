// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of portable kernels: a new one is a line here.
#pragma once

#include <baton/kernels/portable/blocks.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/elementwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/gathering.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/moving.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/shape.hpp>
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
    portable::move_elements,
    portable::join_parts,
    portable::split_parts,
    portable::gather,
    portable::dynamic_update_slice,
    portable::slice_at,
    portable::batch_space,
    portable::mirror_pad,
    portable::shape_of,
    portable::broadcast_args,
    portable::softmax>;
// clang-format on

}  // namespace baton
