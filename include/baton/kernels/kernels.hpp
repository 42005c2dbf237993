// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of portable kernels. To add a kernel, add an include and an entry of the list here.
#pragma once

#include <baton/kernel/kernel.hpp>
#include <baton/kernels/portable/add_n.hpp>
#include <baton/kernels/portable/blocks.hpp>
#include <baton/kernels/portable/circular_buffer.hpp>
#include <baton/kernels/portable/comparison.hpp>
#include <baton/kernels/portable/complex_numbers.hpp>
#include <baton/kernels/portable/conversions.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/detection.hpp>
#include <baton/kernels/portable/empty_outputs.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/gathering.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/lookup.hpp>
#include <baton/kernels/portable/matrix.hpp>
#include <baton/kernels/portable/moving.hpp>
#include <baton/kernels/portable/normalization.hpp>
#include <baton/kernels/portable/one_hot.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/power.hpp>
#include <baton/kernels/portable/recurrent.hpp>
#include <baton/kernels/portable/reduction.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/resizing.hpp>
#include <baton/kernels/portable/scattering.hpp>
#include <baton/kernels/portable/searching.hpp>
#include <baton/kernels/portable/select.hpp>
#include <baton/kernels/portable/shape.hpp>
#include <baton/kernels/portable/softmax.hpp>
#include <baton/kernels/portable/svdf.hpp>
#include <baton/kernels/portable/topk.hpp>
#include <baton/kernels/portable/transpose_conv.hpp>
#include <baton/kernels/portable/unary.hpp>
#include <baton/kernels/portable/unary_int16.hpp>
#include <baton/kernels/portable/variables.hpp>

namespace baton {

// clang-format off
/// The kernels that run on every target. Some kernels use instructions of the target, such as SSE2, if the compiler enables these
/// instructions.
inline constexpr auto portable_kernels = kernel_list<
    portable::conv_2d,
    portable::depthwise_conv_2d,
    portable::fully_connected,
    portable::pairwise,
    portable::detail::comparison,
    portable::detail::select,
    portable::detail::add_n,
    portable::average_pool_2d,
    portable::detail::transpose_conv,
    portable::max_pool_2d,
    portable::detail::l2_pool_2d,
    portable::detail::lstm,
    portable::detail::circular_buffer,
    portable::detail::handled_variables,
    portable::detail::svdf,
    portable::detail::power,
    portable::reshape,
    portable::softmax,
    portable::detail::convert,
    portable::detail::lookup,
    portable::detail::unary,
    portable::detail::unary_int16,
    portable::detail::reduce,
    portable::detail::move_elements,
    portable::detail::join_parts,
    portable::detail::split_parts,
    portable::detail::gather,
    portable::detail::scatter_nd,
    portable::detail::one_hot,
    portable::detail::dynamic_update_slice,
    portable::detail::slice_at,
    portable::detail::batch_space,
    portable::detail::mirror_pad,
    portable::detail::shape_of,
    portable::detail::broadcast_args,
    portable::detail::softmax_int16,
    portable::detail::l2_normalization,
    portable::detail::arg_min_max,
    portable::detail::cumsum,
    portable::detail::topk,
    portable::detail::resize,
    portable::detail::batch_matmul,
    portable::detail::rfft2d,
    portable::detail::complex_parts,
    portable::detail::detection_postprocess,
    portable::detail::empty_outputs>{};
// clang-format on

}  // namespace baton
