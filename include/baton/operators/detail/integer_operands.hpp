// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The integer operands of a node, and arithmetic on them. Importers and passes use them to fold a node: to compute its integer output in
// advance.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns the only output of a node if it is an unquantized int32 or int64 tensor. Returns `none` for any other tensor, or if the node
/// does not have exactly one output.
constexpr auto integer_output(const program_view& program, const node& record) -> value_id {
  if (record.outputs.size != 1) return none<value_id>;
  const auto id = program.outputs_of(record)[0];
  return bytes_of_integer(program[id].type) != 0 && program[id].quant.channels == 0 ? id : none<value_id>;
}

/// The integer operands of a node. Classes that compute the elements of a node's output derive from this class.
class integer_operands {
 protected:
  using pair_function = auto (*)(std::int64_t, std::int64_t) -> std::int64_t;

  constexpr integer_operands(const program_view& program, const node& record) : program_(program), record_(record) {}

  /// Returns the value id of an operand, or `none` if the operand is omitted.
  constexpr auto operand(std::uint32_t at) const -> value_id {
    return at < record_.inputs.size ? program_.inputs(record_)[at] : none<value_id>;
  }
  /// Returns the elements of an operand. The result is unknown if the operand is not a constant (`known_integers::in`).
  constexpr auto input(std::uint32_t at) const -> integer_list { return list_of(known_integers::in(program_, operand(at))); }

  static constexpr auto sum(std::int64_t a, std::int64_t b) -> std::int64_t { return a + b; }
  static constexpr auto difference(std::int64_t a, std::int64_t b) -> std::int64_t { return a - b; }
  static constexpr auto product(std::int64_t a, std::int64_t b) -> std::int64_t { return a * b; }
  static constexpr auto minimum(std::int64_t a, std::int64_t b) -> std::int64_t { return a < b ? a : b; }
  static constexpr auto maximum(std::int64_t a, std::int64_t b) -> std::int64_t { return a < b ? b : a; }

  /// Applies `f` to pairs of elements of operands 0 and 1. A single element is paired with each element of the other operand. The result is
  /// unknown if an operand is unknown or empty, or if the element counts do not match. The result is also unknown if an element is outside
  /// int32, so that the arithmetic in int64 does not overflow.
  constexpr auto each_pair(pair_function f) const -> integer_list {
    const auto left = input(0), right = input(1);
    const auto count = std::max(left.elements.size(), right.elements.size());
    const auto fits = [count](const integer_list& list) {
      return list.is_known && (list.elements.size() == count || list.elements.size() == 1) && fit(list.elements, dtype::int32);
    };
    if (!fits(left) || !fits(right) || count == 0) return {};
    integer_list result{true, {}};
    for (std::size_t i = 0; i < count; ++i) {
      result.elements.push_back(f(left.elements[left.elements.size() == 1 ? 0 : i], right.elements[right.elements.size() == 1 ? 0 : i]));
    }
    return result;
  }

  /// Returns the elements of all operands, in order. The result is unknown if the elements of an operand are unknown.
  constexpr auto elements_of_operands() const -> integer_list {
    integer_list result{true, {}};
    for (std::uint32_t i = 0; i < record_.inputs.size; ++i) {
      const auto in = input(i);
      if (!in.is_known) return {};
      result.elements.insert(result.elements.end(), in.elements.begin(), in.elements.end());
    }
    return result;
  }

  /// Returns the elements of `from` that a slice selects.
  static constexpr auto selected(const integer_list& from, const strided_axis& axis) -> integer_list {
    integer_list result{true, {}};
    for (std::int64_t i = 0; i < axis.count(); ++i)
      result.elements.push_back(from.elements[static_cast<std::size_t>(axis.first() + i * axis.stride)]);
    return result;
  }

  program_view program_;
  const node& record_;
};

}  // namespace baton::detail
