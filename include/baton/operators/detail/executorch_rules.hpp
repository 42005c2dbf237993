// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Inference rules that several operators of ExecuTorch's files share. An argument at position i that is not a tensor is the attribute
// `arg_i`.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::executorch::definitions {

using baton::definitions::infer_same;

inline constexpr auto optional = operand_definition::presence::optional;
inline constexpr auto repeated = operand_definition::presence::repeated;

inline constexpr operand_definition one_operand[] = {{"self"}};
inline constexpr operand_definition two_operands[] = {{"self"}, {"other"}};

/// The shapes of a node's tensors in dimension order (dimension 0 first). In contrast, the sizes in `value::shape` are in memory order. The
/// attribute `dim_orders` lists the dimensions of each operand, then of each output, in memory order. If the attribute is absent, the
/// memory order equals the dimension order.
class ordered_tensors {
 public:
  constexpr explicit ordered_tensors(inference& node) : at_(node), orders_(node.list("dim_orders")) {}

  /// Returns the shape of an operand in dimension order. The returned shape has no rank if `dim_orders` is invalid for the operand.
  constexpr auto shape(std::size_t operand) const -> inferred_shape {
    if (orders_.empty()) return inferred_shape(at_.shape(operand));
    const auto rank = at_.rank(operand), first = first_of(operand);
    inferred_shape result;
    for (std::size_t d = 0; d < rank; ++d) {
      std::size_t i = 0;
      while (i < rank && entry(first + i) != static_cast<std::int64_t>(d)) ++i;
      if (i == rank) result.has_rank = false;
      result.add(i == rank ? -1 : at_.size(operand, i));
    }
    return result;
  }
  /// True if the memory order of an operand's dimensions is `order`: dimension i in memory is dimension `order[i]` of the tensor.
  constexpr auto has_order(std::size_t operand, span<const std::int64_t> order) const -> bool {
    const auto first = first_of(operand);
    bool is_same = at_.rank(operand) == order.size();
    for (std::size_t i = 0; i < order.size(); ++i)
      is_same = is_same && (orders_.empty() ? static_cast<std::int64_t>(i) : entry(first + i)) == order[i];
    return is_same;
  }
  /// Sets the shape of an output to `shape`, whose sizes are in dimension order. All earlier outputs must have the rank of `shape`, because
  /// this rank determines the position of the output's dimensions in `dim_orders`.
  constexpr void set_output_shape(const inferred_shape& shape, std::size_t output = 0) const {
    if (orders_.empty() || !shape.has_rank) return at_.set_shape(output, shape);
    const auto first = first_of(at_.operand_count()) + output * shape.rank;
    inferred_shape stored;
    for (std::size_t i = 0; i < shape.rank; ++i) {
      const auto d = entry(first + i);
      if (d < 0 || d >= static_cast<std::int64_t>(shape.rank)) return;
      stored.add(shape.sizes[static_cast<std::size_t>(d)]);
    }
    at_.set_shape(output, stored);
  }

 private:
  constexpr auto first_of(std::size_t operand) const -> std::size_t {
    std::size_t first = 0;
    for (std::size_t i = 0; i < operand; ++i) first += at_.has(i) ? at_.rank(i) : 0;
    return first;
  }
  constexpr auto entry(std::size_t i) const -> std::int64_t { return i < orders_.size() ? orders_[i] : -1; }

  inference& at_;
  span<const std::int64_t> orders_;
};

/// Infers an output with the type and the dimensions of the input; the orders in memory may differ.
constexpr void infer_same_type_and_shape(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  tensors.set_output_shape(tensors.shape(0));
}
/// Infers an output with the dimensions of the input. Another rule, or the file, states the type.
constexpr void infer_same_shape(inference& node) {
  const ordered_tensors tensors(node);
  tensors.set_output_shape(tensors.shape(0));
}
constexpr void infer_boolean(inference& node) {
  node.set_type(0, dtype::boolean);
  return infer_same_shape(node);
}
constexpr void infer_dequantized(inference& node) {
  node.set_type(0, dtype::float32);
  return infer_same_shape(node);
}
/// Sets the shape of output 0 to the broadcast shape of the first two operands.
constexpr void set_pair(inference& node) {
  const ordered_tensors tensors(node);
  const auto a = tensors.shape(0), b = tensors.shape(1);
  inferred_shape shape;
  if (!a.has_rank || !b.has_rank) return;
  if (!broadcast(a.view(), b.view(), shape)) return node.fail({"the shapes of operands 0 and 1 cannot be broadcast"});
  tensors.set_output_shape(shape);
}
constexpr void infer_elementwise_binary(inference& node) {
  node.set_type(0, node.type(0));
  return set_pair(node);
}
constexpr void infer_boolean_pair(inference& node) {
  node.set_type(0, dtype::boolean);
  return set_pair(node);
}

/// Sets the type and the shape of all outputs to those of operand 0, except for the size along dimension `along`. In this dimension, the
/// size of output i is `size_of(i, size of the operand)`. A size is -1 if it is unknown.
template <class SizeOf>
constexpr void set_pieces(inference& node, std::int64_t along, SizeOf size_of) {
  for (std::size_t i = 0; i < node.output_count(); ++i) node.set_type(i, node.type(0));
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  if (!shape.has_rank) return;
  const auto axis = node.require_dimension(along, shape.rank);
  if (axis == shape.rank) return;
  const auto whole = shape.sizes[axis] > known_sizes::max ? -1 : shape.sizes[axis];
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    shape.sizes[axis] = std::max<std::int64_t>(size_of(i, whole), -1);
    tensors.set_output_shape(shape, i);
  }
}

/// Returns element `i` of a list, or the last element if the list is shorter. Returns `absent` if the list is empty, and -1 if the
/// magnitude of the element exceeds `known_sizes::max`.
constexpr auto number_of(span<const std::int64_t> list, std::size_t i, std::int64_t absent) -> std::int64_t {
  if (list.empty()) return absent;
  const auto number = list[list.size() == 1 ? 0 : i < list.size() ? i : list.size() - 1];
  return number > known_sizes::max || number < -known_sizes::max ? -1 : number;
}

}  // namespace baton::executorch::definitions
