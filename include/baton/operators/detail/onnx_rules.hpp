// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Helpers that the inference rules of ONNX operators share: lists of numbers, versions, and outputs of the same shape.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/onnx_types.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

// The rules of ONNX operators follow the standard (github.com/onnx/onnx, docs/Operators.md and docs/Changelog.md, operator set 24). If the
// standard does not define a shape, the rules follow ONNX Runtime. Tensors have channels-first layout. Versions of an operator are
// distinguished by the operands and attributes of the node. The attribute `opset` is read only if the operands and the other attributes do
// not suffice.
namespace baton::onnx::definitions {

using enum operand_definition::presence;

inline constexpr operand_definition one_operand[] = {{"X"}};
inline constexpr operand_definition two_operands[] = {{"A"}, {"B"}};

/// Returns the operator set version of a node. If the node has no attribute `opset`, returns a number above all versions.
constexpr auto version(const inference& node) -> std::int64_t { return node.integer("opset", known_sizes::max); }

/// A list of integers, from a constant operand or from an attribute. Elements are clamped to [-`known_sizes::max`, `known_sizes::max`].
/// `is_given` is false if the node has neither the operand nor the attribute. `is_known` is false if the operand is not a constant, or if
/// `is_given` is false.
struct numbers {
  known_sizes stored{};
  span<const std::int64_t> listed{};
  bool is_given = false;
  bool is_known = false;
  std::size_t count = 0;

  constexpr auto operator[](std::size_t i) const -> std::int64_t {
    if (stored.are_known) return stored[i];
    return listed[i] > known_sizes::max ? known_sizes::max : listed[i] < -known_sizes::max ? -known_sizes::max : listed[i];
  }
  /// True if the list is known and has `wanted` elements.
  constexpr auto has(std::size_t wanted) const -> bool { return is_known && count == wanted; }
  /// True if one of the numbers is the index of dimension `d` of a shape with `rank` dimensions. Negative indices count from the end.
  constexpr auto has_axis(std::size_t d, std::size_t rank) const -> bool {
    for (std::size_t i = 0; i < count; ++i) {
      if (inference::dimension((*this)[i], rank) == d) return true;
    }
    return false;
  }
};
/// Returns the list in the attribute `key`.
constexpr auto numbers_of(const inference& node, literal_name key) -> numbers {
  const auto list = node.list(key);
  return {{}, list, node.has(key), node.has(key), list.size()};
}
/// Returns the elements of an operand, which are known if the operand is constant.
constexpr auto numbers_of(const inference& node, std::size_t operand) -> numbers {
  const auto list = node.integers(operand);
  return {list, {}, node.has(operand), list.are_known, list.count};
}
/// Returns the list in operand `operand`, or the list in attribute `key` if the node does not have the operand. Newer versions of many
/// operators have an operand instead of an attribute.
constexpr auto numbers_of(const inference& node, std::size_t operand, literal_name key) -> numbers {
  return node.has(operand) ? numbers_of(node, operand) : numbers_of(node, key);
}

/// Returns element `i` of a list, or `absent` if the list is shorter. Returns -1 if the element is greater than `known_sizes::max`.
constexpr auto number_or(span<const std::int64_t> list, std::size_t i, std::int64_t absent) -> std::int64_t {
  return i >= list.size() ? absent : list[i] > known_sizes::max ? -1 : list[i];
}

/// Returns element `i` of packed little-endian float32 numbers.
constexpr auto float_at(span<const char> bytes, std::size_t i) -> float {
  return std::bit_cast<float>(quantized::little_endian_32(bytes, i));
}

/// Returns the shape of an operand, for arithmetic: sizes that are greater than `known_sizes::max` are unknown.
constexpr auto shape_of(const inference& node, std::size_t operand) -> inferred_shape {
  inferred_shape shape;
  for (std::size_t d = 0; d < node.rank(operand); ++d) shape.add(node.size(operand, d));
  return shape;
}
/// Sets the shape of output 0 to `rank` unknown sizes. Does nothing if `rank` is unknown (-1).
constexpr void set_rank(inference& node, std::int64_t rank) {
  inferred_shape shape;
  for (std::int64_t d = 0; d < rank && shape.has_rank; ++d) shape.add(-1);
  if (rank >= 0) node.set_shape(0, shape);
}
/// Sets the shape of output 0 to the elements of operand `operand`. If the elements are not constant, only the rank is set.
constexpr void set_listed_shape(inference& node, std::size_t operand) {
  if (!node.require_rank(operand, 1)) return;
  const auto sizes = numbers_of(node, operand);
  if (!sizes.is_known) return set_rank(node, node.size(operand, 0));
  inferred_shape shape;
  for (std::size_t i = 0; i < sizes.count && shape.has_rank; ++i) shape.add(sizes[i]);
  node.set_shape(0, shape);
}

using baton::definitions::infer_same;
/// Infers a boolean output with the shape of operand 0.
constexpr void infer_boolean(inference& node) { node.set_output(0, dtype::boolean, inferred_shape(node.shape(0))); }
/// Sets the type of output 0 to the type that the attribute `key` names, or to `absent` if the node has no such attribute.
constexpr void set_named_type(inference& node, literal_name key, dtype absent) {
  const auto named = element_type_of(node.integer(key));
  const bool is_absent = node.integer(key) == 0;
  if (named.is_known || is_absent) node.set_type(0, is_absent ? absent : named.type);
}

}  // namespace baton::onnx::definitions
