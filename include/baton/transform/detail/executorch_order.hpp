// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The dimension orders of ExecuTorch's tensors, and conversions between the order in a file and the order that kernels require.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/permuted_bytes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// The order of a tensor's dimensions in memory: position i of the stored shape is dimension `at[i]` of the tensor.
struct dim_order {
  std::array<std::uint8_t, tensor_type::max_rank> at{};
  std::size_t rank = 0;

  /// Returns the order in which position i is dimension i.
  static constexpr auto identity(std::size_t rank) -> dim_order {
    dim_order result{{}, rank};
    for (std::size_t i = 0; i < rank; ++i) result.at[i] = static_cast<std::uint8_t>(i);
    return result;
  }
  /// Returns the order of an image [N, C, H, W] that is stored as [N, H, W, C].
  static constexpr auto channels_last() -> dim_order { return {{0, 2, 3, 1}, 4}; }

  constexpr auto operator==(const dim_order&) const -> bool = default;
  /// Returns the position of the tensor's dimension `dimension` in the stored shape.
  constexpr auto position(std::size_t dimension) const -> std::size_t {
    std::size_t i = 0;
    while (i + 1 < rank && at[i] != dimension) ++i;
    return i;
  }
};

/// Returns the dimension order of a tensor of the node. `tensor` is the index of the tensor: the operands have the first indices, and the
/// outputs the next ones. The attribute `dim_orders` is the concatenation of the orders of all tensors. Without this attribute, all orders
/// are the identity. Refuses the node (the pass then fails with `unsupported_operator`) if the attribute is invalid.
constexpr auto order_of_tensor(emission& emitter, std::size_t tensor) -> dim_order {
  const auto rank_of = [&](std::size_t i) {
    const auto id = i < emitter.operand_count() ? emitter.operand(i) : emitter.output(i - emitter.operand_count());
    return static_cast<std::size_t>(emitter.record(id).shape.size);
  };
  const auto rank = rank_of(tensor);
  auto result = dim_order::identity(rank);
  const auto list = emitter.list("dim_orders");
  if (list.empty()) return result;
  std::size_t first = 0;
  for (std::size_t i = 0; i < tensor; ++i) first += rank_of(i);
  if (first + rank > list.size() || !permutation::is_order(list.subspan(first, rank), rank)) {
    emitter.refuse("dim_orders has no order of dimensions for tensor ", tensor);
    return result;
  }
  for (std::size_t i = 0; i < rank; ++i) result.at[i] = static_cast<std::uint8_t>(list[first + i]);
  return result;
}
constexpr auto order_of_operand(emission& emitter, std::size_t at) -> dim_order { return order_of_tensor(emitter, at); }
constexpr auto order_of_output(emission& emitter, std::size_t at = 0) -> dim_order {
  return order_of_tensor(emitter, emitter.operand_count() + at);
}

/// Returns the permutation that converts a tensor with the stored type `stored` from the order `from` to the order `wanted`.
constexpr auto reordering(const tensor_type& stored, const dim_order& from, const dim_order& wanted) -> permutation {
  permutation by{stored, {}};
  for (std::size_t i = 0; i < stored.rank; ++i) by.order[i] = static_cast<std::uint8_t>(from.position(wanted.at[i]));
  return by;
}

/// Returns the layout of an image that is stored with the channels last. `type` is the stored type of the image, [batches, height, width,
/// channels].
constexpr auto layout_of_last(const tensor_type& type) -> value_layout {
  return {.channels = type.sizes[3], .inner = type.sizes[1] * type.sizes[2], .has_layout = true, .is_channels_last = true};
}

/// Returns operand `at` in the order `wanted`. The result is the operand itself, a permuted constant, or the output of an inserted node: a
/// reshape if no element moves, otherwise a transpose. The output of the inserted node has the layout `layout`. With
/// `layout.is_channels_last`, an operand that is not a constant gets a reshape even if the operand already has the order `wanted`.
constexpr auto operand_in(emission& emitter, std::size_t at, const dim_order& wanted, const value_layout& layout = {}) -> value_id {
  const auto id = emitter.operand(at);
  const auto from = order_of_operand(emitter, at);
  if (emitter.is_refused() || (from == wanted && !layout.is_channels_last)) return id;
  if (from.rank != wanted.rank) {
    emitter.refuse("operand ", at, " has ", from.rank, " dimensions, not ", wanted.rank);
    return id;
  }
  const auto by = reordering(emitter.stored_type(id), from, wanted);
  const auto ordered = by.result();
  const auto stored = by.type.shape(), permuted = ordered.shape();
  const bool is_same = !by.moves() && std::equal(stored.begin(), stored.end(), permuted.begin(), permuted.end());
  if (is_same && !layout.is_channels_last) return id;
  if (emitter.is_constant(id)) return emitter.permuted(id, by);
  const auto suffix = join("ordered_", at);
  auto result = id;
  if (!by.moves()) {
    result = emitter.add(view(suffix), "tfl.reshape", {id}, ordered, {{"new_shape", ordered.shape()}}, layout);
  } else {
    const auto list = emitter.order_constant(view(join("order_", at)), by);
    result = emitter.add(view(suffix), "tfl.transpose", {id, list}, ordered, {}, layout);
  }
  emitter.copy_quantization(id, result);
  return result;
}

/// A conversion of a node's output. The node computes the output in the order `wanted`; another node converts it to the order in the file.
/// Construct the object before the computing node is inserted, and call `end` afterwards.
class ordered_output {
 public:
  constexpr ordered_output(emission& emitter, const dim_order& wanted, bool is_image = false)
      : emitter_(emitter),
        stored_(emitter.output_type()) {
    const auto file = order_of_output(emitter);
    if (emitter.is_refused() || file.rank != wanted.rank) return;
    back_ = reordering(stored_, file, wanted);  // from the order in the file to `wanted`; `end` applies the inverse
    const auto computed = back_.result();
    is_other_ = back_.moves() || !std::equal(computed.shape().begin(), computed.shape().end(), stored_.shape().begin());
    is_other_ = is_other_ || is_image;  // an image is a separate value, because it has a layout
    if (is_other_) emitter.begin_inner("ordered", computed, is_image ? layout_of_last(computed) : value_layout{});
  }
  /// Inserts the node that converts the output to the order in the file, if a conversion is needed.
  constexpr void end() {
    if (!is_other_) return;
    if (!back_.moves()) return emitter_.end_inner("order", "tfl.reshape", {{"new_shape", stored_.shape()}});
    std::array<std::int64_t, tensor_type::max_rank> order{};
    for (std::size_t i = 0; i < stored_.rank; ++i) order[back_.order[i]] = static_cast<std::int64_t>(i);
    emitter_.end_inner("order", "tfl.transpose", {}, emitter_.integer_constant("output_order", {order.data(), stored_.rank}));
  }

 private:
  emission& emitter_;
  tensor_type stored_;
  permutation back_{};
  bool is_other_ = false;
};

}  // namespace baton::detail
