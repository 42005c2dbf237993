// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The dimension orders of ExecuTorch's tensors, and the images of its operators as the kernels store them.
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

  /// The dimensions as in the tensor.
  static constexpr auto identity(std::size_t rank) -> dim_order {
    dim_order result{{}, rank};
    for (std::size_t i = 0; i < rank; ++i) result.at[i] = static_cast<std::uint8_t>(i);
    return result;
  }
  /// An image [N, C, H, W] that is stored as [N, H, W, C].
  static constexpr auto channels_last() -> dim_order { return {{0, 2, 3, 1}, 4}; }

  constexpr auto operator==(const dim_order&) const -> bool = default;
  /// Returns the position of a dimension of the tensor in the stored shape.
  constexpr auto position(std::size_t dimension) const -> std::size_t {
    std::size_t i = 0;
    while (i + 1 < rank && at[i] != dimension) ++i;
    return i;
  }
};

/// Returns the order of the tensor `tensor` of a node: its operands are counted first, then its outputs. The attribute `dim_orders` has the
/// orders of all tensors one after the other; without it, all orders are the identity. Refuses the node if the attribute is damaged.
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

/// Returns the permutation of a tensor of type `stored`, whose order is `from`, to the order `want`.
constexpr auto reordering(const tensor_type& stored, const dim_order& from, const dim_order& want) -> permutation {
  permutation by{stored, {}};
  for (std::size_t i = 0; i < stored.rank; ++i) by.order[i] = static_cast<std::uint8_t>(from.position(want.at[i]));
  return by;
}

/// Returns the layout of an image of type `type` that is stored with the channels last.
constexpr auto layout_of_last(const tensor_type& type) -> value_layout {
  return {.channels = type.sizes[3], .inner = type.sizes[1] * type.sizes[2], .has_layout = true, .is_last = true};
}

/// Returns operand `at` in the order `want`: the operand itself, a moved constant, a reshape if no element moves, or a transpose. A new
/// value has the layout `layout`.
constexpr auto operand_in(emission& emitter, std::size_t at, const dim_order& want, const value_layout& layout = {}) -> value_id {
  const auto id = emitter.operand(at);
  const auto from = order_of_operand(emitter, at);
  if (emitter.is_refused() || (from == want && !layout.is_last)) return id;
  if (from.rank != want.rank) {
    emitter.refuse("operand ", at, " has ", from.rank, " dimensions, not ", want.rank);
    return id;
  }
  const auto by = reordering(emitter.stored_type(id), from, want);
  const auto ordered = by.result();
  const auto stored = by.type.shape(), wanted = ordered.shape();
  const bool is_same = !by.moves() && std::equal(stored.begin(), stored.end(), wanted.begin(), wanted.end());
  if (is_same && !layout.is_last) return id;
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

/// The output of a node that computes it in an order that differs from the order in the file. `begin` is called before the computing node
/// is inserted, `end` afterwards.
class ordered_output {
 public:
  constexpr ordered_output(emission& emitter, const dim_order& want, bool is_image = false)
      : emitter_(emitter),
        stored_(emitter.output_type()) {
    const auto file = order_of_output(emitter);
    if (emitter.is_refused() || file.rank != want.rank) return;
    back_ = reordering(stored_, file, want);  // from the order of the file to the computed one
    const auto computed = back_.result();
    is_other_ = back_.moves() || !std::equal(computed.shape().begin(), computed.shape().end(), stored_.shape().begin());
    is_other_ = is_other_ || is_image;  // a value of its own, which has a layout
    if (is_other_) emitter.begin_inner("ordered", computed, is_image ? layout_of_last(computed) : value_layout{});
  }
  /// Inserts the node that brings the output to the order of the file.
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
