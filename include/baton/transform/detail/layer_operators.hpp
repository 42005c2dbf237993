// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators that compute a layer from weights, and functions that distinguish these operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include <cstddef>

namespace baton::detail {

/// The operators of convolutions and fully connected layers.
inline constexpr literal_name layer_operators[] = {
    "tfl.conv_2d", "baton.conv_2d", "tfl.depthwise_conv_2d", "baton.depthwise_conv_2d", "tfl.fully_connected", "baton.fully_connected"};

constexpr auto is_depthwise(const node& record) -> bool {
  return record.is("tfl.depthwise_conv_2d") || record.is("baton.depthwise_conv_2d");
}
/// True for fully connected layers, whose weights have two dimensions instead of four.
constexpr auto is_dense(const node& record) -> bool { return record.is("tfl.fully_connected") || record.is("baton.fully_connected"); }

/// Returns the dimension of the output channels in a layer's weights.
constexpr auto channel_dimension(const node& layer) -> std::size_t { return is_depthwise(layer) ? 3 : 0; }

}  // namespace baton::detail
