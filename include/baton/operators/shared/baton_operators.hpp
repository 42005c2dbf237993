// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of the namespace `baton`: layers with the arithmetic of ONNX and PyTorch. Each has a sibling of the same name in the
// namespace `tfl`. They are separate operators, so that a support for the sibling never takes a node with other arithmetic.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// True if the node is a layer with weights whose arithmetic is stated by its attributes `rounding`, `output_min` and `output_max`.
constexpr auto is_baton_layer(const node& record) -> bool {
  return record.is("baton.conv_2d") || record.is("baton.depthwise_conv_2d") || record.is("baton.fully_connected");
}

/// The operands of a layer with weights in the namespace `baton` that state its factors: an int32 multiplier and an int32 shift for all
/// channels, or for each. Without them, the scales of the operands state the factors.
struct factor_operands {
  static constexpr std::size_t multipliers = 3;
  static constexpr std::size_t shifts = 4;

  /// True if the node has such operands. Its values then need no quantization, and its attributes state their zero points.
  static constexpr auto are_in(const program_view& program, const node& record) -> bool {
    return is_baton_layer(record) && record.inputs.size > multipliers && program.inputs(record)[multipliers] != none<value_id>;
  }
};

/// True if the node's window has explicit padding, the attribute `pads`, instead of SAME or VALID.
constexpr auto has_pads(const node& record) -> bool {
  return record.is("baton.conv_2d") || record.is("baton.depthwise_conv_2d") || record.is("baton.max_pool_2d") ||
         record.is("baton.average_pool_2d");
}

/// The padding of an image on its four sides, in pixels.
struct image_pads {
  /// The maximum number of pixels on a side. The sum of a size and its padding therefore fits int32.
  static constexpr std::int64_t most = std::int64_t{1} << 28;

  std::int32_t top = 0;
  std::int32_t left = 0;
  std::int32_t bottom = 0;
  std::int32_t right = 0;
  bool is_valid = true;  ///< false if the attribute is no list of four numbers from 0 to `most`

  /// Returns the padding of an attribute `pads`: top, left, bottom, right. If the attribute is absent, there is no padding.
  static constexpr auto of(bool is_present, span<const std::int64_t> list) -> image_pads {
    if (!is_present) return {};
    if (list.size() != 4) return {.is_valid = false};
    for (std::size_t i = 0; i < 4; ++i) {
      if (list[i] < 0 || list[i] > most) return {.is_valid = false};
    }
    return {static_cast<std::int32_t>(list[0]), static_cast<std::int32_t>(list[1]), static_cast<std::int32_t>(list[2]),
            static_cast<std::int32_t>(list[3])};
  }
  static constexpr auto of(const program_view& program, const node& record) -> image_pads {
    const auto* const stored = program.find(record, "pads");
    if (stored == nullptr) return {};
    return of(true, stored->kind == attribute_kind::integers ? program.integer_list(stored->list) : span<const std::int64_t>{});
  }
};

}  // namespace baton
