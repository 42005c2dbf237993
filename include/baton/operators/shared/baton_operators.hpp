// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of the namespace `baton`: layers with the arithmetic of ONNX and PyTorch. The namespace `tfl` has operators with the same
// names and the arithmetic of TensorFlow Lite. Because the namespaces differ, support for a `tfl` operator does not imply support for the
// `baton` operator of the same name.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// True if the node is a layer of the namespace `baton` with weights. The attributes `rounding`, `output_min` and `output_max` of such a
/// layer state its arithmetic.
constexpr auto is_baton_layer(const node& record) -> bool {
  return record.is("baton.conv_2d") || record.is("baton.depthwise_conv_2d") || record.is("baton.fully_connected");
}

/// The optional operands of a `baton` layer that contain its requantization factors: int32 multipliers and int32 shifts, one for all
/// channels or one per channel. If these operands are absent, the factors are computed from the scales of the input, the filter and the
/// output.
struct factor_operands {
  static constexpr std::size_t multipliers = 3;
  static constexpr std::size_t shifts = 4;

  /// True if the node has these operands. The input, filter and output of such a node need no quantization; attributes state their zero
  /// points.
  static constexpr auto are_in(const program_view& program, const node& record) -> bool {
    return is_baton_layer(record) && record.inputs.size > multipliers && program.inputs(record)[multipliers] != none<value_id>;
  }
};

/// True if the operator states the padding of its window by the attribute `pads` instead of SAME or VALID.
constexpr auto has_pads(const node& record) -> bool {
  return record.is("baton.conv_2d") || record.is("baton.depthwise_conv_2d") || record.is("baton.max_pool_2d") ||
         record.is("baton.average_pool_2d");
}

/// The padding of an image on its four sides, in pixels.
struct image_pads {
  /// The maximum padding of a side. The limit ensures that the sum of a size and its padding fits int32.
  static constexpr std::int64_t max_pixels = std::int64_t{1} << 28;

  std::int32_t top = 0;
  std::int32_t left = 0;
  std::int32_t bottom = 0;
  std::int32_t right = 0;
  bool is_valid = true;  ///< false if the attribute is not a list of four integers in [0, `max_pixels`]

  /// Returns the padding of an attribute `pads`: top, left, bottom, right. If the attribute is absent, there is no padding.
  static constexpr auto of(bool is_present, span<const std::int64_t> list) -> image_pads {
    if (!is_present) return {};
    if (list.size() != 4) return {.is_valid = false};
    for (std::size_t i = 0; i < 4; ++i) {
      if (list[i] < 0 || list[i] > max_pixels) return {.is_valid = false};
    }
    return {static_cast<std::int32_t>(list[0]), static_cast<std::int32_t>(list[1]), static_cast<std::int32_t>(list[2]),
            static_cast<std::int32_t>(list[3])};
  }
  /// Returns the padding that the attribute `pads` of a node states.
  static constexpr auto of(const program_view& program, const node& record) -> image_pads {
    const auto* const stored = program.find(record, "pads");
    if (stored == nullptr) return {};
    return of(true, stored->kind == attribute_kind::integers ? program.integer_list(stored->list) : span<const std::int64_t>{});
  }
};

}  // namespace baton
