// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that only move, select or compare elements. They commute with dequantization.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include <cstdint>

namespace baton::detail {

/// Operators that move or select elements of one operand. Padding with 0 is included, because the zero point of a quantized tensor
/// represents 0 exactly.
inline constexpr literal_name moving_operators[] = {"tfl.reshape",
                                                    "tfl.transpose",
                                                    "tfl.pad",
                                                    "tfl.slice",
                                                    "tfl.strided_slice",
                                                    "tfl.squeeze",
                                                    "tfl.expand_dims",
                                                    "tfl.gather",
                                                    "tfl.split",
                                                    "tfl.split_v",
                                                    "tfl.unpack",
                                                    "tfl.tile",
                                                    "tfl.broadcast_to",
                                                    "tfl.mirror_pad",
                                                    "tfl.space_to_depth",
                                                    "tfl.depth_to_space",
                                                    "tfl.reverse_v2",
                                                    "tfl.gather_nd",
                                                    "tfl.max_pool_2d",
                                                    "baton.max_pool_2d",
                                                    "tfl.reduce_max",
                                                    "tfl.reduce_min",
                                                    "tfl.resize_nearest_neighbor"};

/// Operators that join or compare the elements of all operands.
inline constexpr literal_name joining_operators[] = {"tfl.concatenation", "tfl.pack", "tfl.maximum", "tfl.minimum"};

/// Returns the position of the moved operand of a node of `moving_operators`.
constexpr auto moved_operand(const node& record) -> std::uint32_t { return record.is("tfl.split") ? 1 : 0; }

/// True for `tfl.quantize` and `baton.quantize`.
constexpr auto is_quantize(const node& record) -> bool { return record.is("baton.quantize") || record.is("tfl.quantize"); }

}  // namespace baton::detail
