// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Folds the `tfl.dequantize` nodes that converters insert after float16 constants.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/half.hpp>
#include <baton/transform/rewriter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// A folding of the float16 constants of one program. The caller calls `fold` for each node in order. Float32 layers read a float16 filter
/// or bias directly, which takes half the memory of float32. Any other use of a constant needs float32. A constant of up to `max_elements`
/// elements with such a use is widened to float32 for all its uses. A larger constant keeps the `tfl.dequantize` for the uses that need
/// float32.
class float16_constants {
 public:
  static constexpr std::int64_t max_elements = 1024;

  constexpr explicit float16_constants(const program_view& program) {
    const bool has_one = std::any_of(program.values.begin(), program.values.end(),
                                     [](const value& of) { return of.type == dtype::float16 && is_owned_data(of.kind); });
    if (!has_one) return;
    has_other_use_.assign(program.values.size(), 0);
    for (const auto& record : program.nodes) {
      const auto inputs = program.inputs(record);
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != none<value_id> && !is_layer_weight(program, record, i)) has_other_use_[index(inputs[i])] = 1;
      }
    }
  }

  /// True if the program has a float16 constant.
  constexpr auto is_needed() const -> bool { return !has_other_use_.empty(); }

  /// If the node `id` is a `tfl.dequantize` whose output has a use other than the filter or bias of a float32 layer, widens the constant to
  /// float32, unless it has more than `max_elements` elements. If the node is a float32 layer whose filter or bias is dequantized from
  /// float16, makes the float16 constant the operand. Does nothing for other nodes.
  constexpr void fold(rewriter& change, node_id id) const {
    const auto out = change.output(id);
    if (out == none<value_id>) return;
    if (change[id].is("tfl.dequantize")) {
      if (!change.is_output(out) && has_other_use_[index(out)] != 0) widen(change, id);
      return;
    }
    for (std::uint32_t i = 0; i < change[id].inputs.size; ++i) {
      if (!is_layer_weight(change.program(), change[id], i)) continue;
      const auto producer = change.producer_of(change.input(id, i));
      if (producer == none<node_id> || change[producer].tag != change[id].tag) continue;
      if (const auto half = source_of(change, producer); half != none<value_id>) change.set_input(id, i, half);
    }
  }

 private:
  /// True if operand `at` of a node is the filter or the bias of a float32 layer.
  static constexpr auto is_layer_weight(const program_view& program, const node& record, std::uint32_t at) -> bool {
    const bool is_transposed = record.is("tfl.transpose_conv");
    if (!is_transposed && !record.is("tfl.conv_2d") && !record.is("tfl.depthwise_conv_2d") && !record.is("tfl.fully_connected"))
      return false;
    const auto image = program.inputs(record)[is_transposed && record.inputs.size > 2 ? 2 : 0];
    return (at == 1 || at == (is_transposed ? 3 : 2)) && image != none<value_id> && program[image].type == dtype::float32;
  }
  /// Returns the operand of a `tfl.dequantize`, or `none` if the operand cannot be folded. The operand must be a float16 constant without a
  /// tag, so that it is not assigned to a delegate. The size of its data must match its shape.
  static constexpr auto source_of(rewriter& change, node_id id) -> value_id {
    const auto in = change.input(id, 0);
    if (!change[id].is("tfl.dequantize") || in == none<value_id>) return none<value_id>;
    const auto& operand = change[in];
    const bool is_constant = operand.type == dtype::float16 && is_owned_data(operand.kind) && operand.kind != value_kind::mutable_buffer &&
                             operand.tag == none<tag_id>;
    return is_constant && operand.data.size == byte_count(dtype::float16, change.program().shape(in)) ? in : none<value_id>;
  }
  static constexpr void widen(rewriter& change, node_id id) {
    const auto in = source_of(change, id);
    if (in == none<value_id> || change[in].data.size > 2 * max_elements) return;
    const auto half = change.program().data(change[in].data);
    vector<char> wide(2 * half.size(), 0);
    for (std::size_t i = 0; i < half.size(); i += 2) store(half.data() + i, wide.data() + 2 * i);
    change.replace_by_constant(id, change.own(std::string_view{wide.data(), wide.size()}));
  }
  static constexpr void store(const char* half, char* to) {
    const auto bits =
        float_bits_of_half(static_cast<std::uint16_t>(static_cast<unsigned char>(half[0]) | static_cast<unsigned char>(half[1]) << 8));
    to[0] = static_cast<char>(bits & 255), to[1] = static_cast<char>(bits >> 8 & 255), to[2] = static_cast<char>(bits >> 16 & 255),
    to[3] = static_cast<char>(bits >> 24);
  }

  vector<char> has_other_use_;  ///< indexed by value: whether a use is not a layer's filter or bias; empty without float16 constants
};

}  // namespace baton::detail
