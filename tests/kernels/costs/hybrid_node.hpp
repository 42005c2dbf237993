// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one hybrid layer: float32 inputs and outputs, int8 weights.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include "kernels/layer.hpp"

#include <cstdint>

namespace measured_node {

using namespace baton;

/// A hybrid layer. `L.is_int8` has no meaning.
template <one_layer::layer L>
struct hybrid_node {
  constexpr auto operator()() const -> exported_program {
    using one_layer::op;
    constexpr bool is_dense = L.is == op::fully_connected;
    constexpr auto& weights = one_layer::symmetric_filter_bytes<L>;
    program_builder b;
    const auto x = b.user_input(
        "x", is_dense ? tensor(dtype::float32, L.batch, L.channels) : tensor(dtype::float32, L.batch, L.height, L.width, L.channels));
    const auto filter = b.parameter(
        "filter", is_dense              ? tensor(dtype::int8, L.out_channels, L.channels)
                  : L.is == op::conv_2d ? tensor(dtype::int8, L.out_channels, L.filter_height, L.filter_width, L.channels / L.groups)
                                        : tensor(dtype::int8, 1, L.filter_height, L.filter_width, L.out_channels));
    b.at(filter).data = b.view({weights.data() + 1, weights.size() - 1});
    vector<float> scales;
    for (int c = 0; c < (L.is_per_channel ? L.out_channels : 1); ++c) scales.push_back(L.filter_scale(c));
    b.quantize(filter, scales, vector<std::int64_t>(scales.size(), 0), L.is == op::depthwise_conv_2d ? 3 : 0);
    b.output(b.call(one_layer::name_of(L.is), {x, filter, none<value_id>},
                    is_dense ? tensor(dtype::float32, L.batch, L.out_channels)
                             : tensor(dtype::float32, L.batch, L.out_height(), L.out_width(), L.out_channels),
                    {{"padding", L.is_same ? "same" : "valid"},
                     {"stride_h", L.stride_h},
                     {"stride_w", L.stride_w},
                     {"dilation_h_factor", L.dilation_h},
                     {"dilation_w_factor", L.dilation_w},
                     {"depth_multiplier", L.out_channels / L.channels},
                     {"fused_activation_function", one_layer::name_of(L.fused)},
                     {"asymmetric_quantize_inputs", false},
                     {"keep_num_dims", false}}));
    return b.finish();
  }
};

}  // namespace measured_node
