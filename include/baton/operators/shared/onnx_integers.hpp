// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Integers that ONNX nodes compute from shapes and constants, such as the shape of a reshape.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/detail/integer_operands.hpp>
#include <baton/operators/shared/integer_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::onnx {

namespace detail {

/// A computation of the elements of a node's output. The result is unknown if the elements do not follow from shapes and known integers.
/// The output has at most one dimension. onnx/docs/Operators.md defines the semantics.
class integer_folder : baton::detail::integer_operands {
 public:
  constexpr integer_folder(const program_view& program, const node& record) : integer_operands(program, record) {}

  constexpr auto run() -> integer_list {
    if (record_.is("onnx.Shape")) return shape();
    if (record_.is("onnx.Size")) return size();
    if (record_.is("onnx.Gather")) return gather();
    if (record_.is("onnx.Concat")) return concat();
    if (record_.is("onnx.Slice")) return slice();
    if (record_.is("onnx.ConstantOfShape")) return constant_of_shape();
    if (is_among(record_.op, same_elements)) return input(0);
    if (record_.is("onnx.Add")) return each_pair(sum);
    if (record_.is("onnx.Sub")) return each_pair(difference);
    if (record_.is("onnx.Mul")) return each_pair(product);
    if (record_.is("onnx.Div")) return divide();
    if (record_.is("onnx.Min")) return each_pair(minimum);
    if (record_.is("onnx.Max")) return each_pair(maximum);
    return {};
  }

 private:
  static constexpr literal_name same_elements[] = {"onnx.Unsqueeze", "onnx.Squeeze", "onnx.Reshape",
                                                   "onnx.Identity",  "onnx.Cast",    "onnx.Flatten"};

  constexpr auto shape() const -> integer_list {
    if (operand(0) == none<value_id>) return {};
    const auto sizes = program_.shape(operand(0));
    const auto rank = static_cast<std::int64_t>(sizes.size());
    const auto limited = [rank](std::int64_t axis) {
      return std::clamp<std::int64_t>(axis < 0 ? std::max(axis, -rank) + rank : axis, 0, rank);
    };
    const auto last = limited(program_.integer(record_, "end", rank));
    integer_list result{true, {}};
    for (auto d = limited(program_.integer(record_, "start", 0)); d < last; ++d) {
      result.is_known = result.is_known && sizes[static_cast<std::size_t>(d)] >= 0;
      result.elements.push_back(sizes[static_cast<std::size_t>(d)]);
    }
    return result;
  }
  constexpr auto size() const -> integer_list {
    if (operand(0) == none<value_id>) return {};
    const auto count = element_count(program_.shape(operand(0)));
    return {count >= 0, {count}};
  }
  /// Folds a Gather of one-dimensional data.
  constexpr auto gather() const -> integer_list {
    const auto from = input(0), positions = input(1);
    if (!from.is_known || !positions.is_known || program_.shape(operand(0)).size() != 1) return {};
    const auto count = static_cast<std::int64_t>(from.elements.size());
    integer_list result{true, {}};
    for (const auto position : positions.elements) {
      if (position < -count || position >= count) return {};
      result.elements.push_back(from.elements[static_cast<std::size_t>(position < 0 ? position + count : position)]);
    }
    return result;
  }
  /// Folds a Concat of one-dimensional data.
  constexpr auto concat() const -> integer_list {
    for (std::uint32_t i = 0; i < record_.inputs.size; ++i) {
      if (operand(i) == none<value_id> || program_.shape(operand(i)).size() != 1) return {};
    }
    return elements_of_operands();
  }
  /// Folds a Slice of one-dimensional data.
  constexpr auto slice() const -> integer_list {
    const auto from = input(0), starts = input(1), ends = input(2);
    const auto steps = operand(4) == none<value_id> ? integer_list{true, {1}} : input(4);
    const bool is_list = from.is_known && starts.elements.size() == 1 && ends.elements.size() == 1 && steps.elements.size() == 1 &&
                         program_.shape(operand(0)).size() == 1;
    constexpr std::int64_t limit = 0x7fffffff;
    if (!is_list || steps.elements[0] < 1 || steps.elements[0] > limit) return {};
    return selected(from, {static_cast<std::int64_t>(from.elements.size()), std::clamp(starts.elements[0], -limit, limit),
                           std::clamp(ends.elements[0], -limit, limit), steps.elements[0]});
  }
  constexpr auto constant_of_shape() const -> integer_list {
    const auto sizes = input(0);
    if (!sizes.is_known || sizes.elements.size() > 1) return {};
    const auto count = sizes.elements.empty() ? 1 : sizes.elements[0];
    if (count < 0 || count > static_cast<std::int64_t>(integer_list::max_size)) return {};
    return {true, vector<std::int64_t>(static_cast<std::size_t>(count), program_.integer(record_, "value", 0))};
  }
  /// Divides, and rounds toward zero. The result is unknown if a divisor is 0.
  constexpr auto divide() -> integer_list {
    for (const auto divisor : input(1).elements) {
      if (divisor == 0) return {};
    }
    return each_pair([](std::int64_t a, std::int64_t b) { return a / b; });
  }
};

}  // namespace detail

/// Returns the elements of a node's output if they follow from shapes and constant integers, else an unknown list. The list is also
/// unknown if the output has more than one dimension, or if the elements do not fit the output (`fit`).
constexpr auto folded_integers(const program_view& program, const node& record) -> integer_list {
  const auto id = baton::detail::integer_output(program, record);
  if (id == none<value_id> || program[id].shape.size > 1) return {};
  auto folded = detail::integer_folder(program, record).run();
  folded.is_known = fit(folded, program, id);
  return folded;
}

}  // namespace baton::onnx
