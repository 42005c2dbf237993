// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Folding of integers: the integers that a node computes from shapes and other known integers.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Computes the elements of one node's output, if they are known.
class integer_folder {
 public:
  constexpr integer_folder(const program_view& program, const node& record) : program_(program), record_(record) {}

 private:
  // This member is defined before its first use, because Clang does not evaluate a member template that is defined later in the class.
  /// kernels/add.cc, sub.cc, mul.cc, maximum_minimum.cc: the operands have equally many elements, or one operand has a single element.
  /// Elements outside int32 are not folded, so that the arithmetic in int64 does not overflow.
  template <class F>
  constexpr auto each_pair(F f) -> integer_list {
    const auto left = input(0), right = input(1);
    const auto count = std::max(left.elements.size(), right.elements.size());
    const auto fits = [count](const integer_list& of) {
      return of.is_known && (of.elements.size() == count || of.elements.size() == 1) && fit(of.elements, dtype::int32);
    };
    if (!fits(left) || !fits(right) || count == 0 || !is_without_activation()) return {};
    integer_list result{true, {}};
    for (std::size_t i = 0; i < count; ++i) {
      result.elements.push_back(f(left.elements[left.elements.size() == 1 ? 0 : i], right.elements[right.elements.size() == 1 ? 0 : i]));
    }
    return result;
  }

 public:
  constexpr auto run() -> integer_list {
    if (record_.is("tfl.shape")) return shape();
    if (record_.is("tfl.rank")) return rank();
    if (record_.is("tfl.strided_slice")) return strided_slice();
    if (record_.is("tfl.pack")) return pack();
    if (record_.is("tfl.concatenation")) return concatenation();
    if (record_.is("tfl.gather")) return gather();
    if (record_.is("tfl.reduce_prod")) return product();
    if (record_.is("tfl.cast")) return input(0);
    if (record_.is("tfl.expand_dims") || record_.is("tfl.reshape") || record_.is("tfl.squeeze")) return input(0);
    if (record_.is("tfl.add")) return each_pair([](std::int64_t a, std::int64_t b) { return a + b; });
    if (record_.is("tfl.sub")) return each_pair([](std::int64_t a, std::int64_t b) { return a - b; });
    if (record_.is("tfl.mul")) return each_pair([](std::int64_t a, std::int64_t b) { return a * b; });
    if (record_.is("tfl.minimum")) return each_pair([](std::int64_t a, std::int64_t b) { return a < b ? a : b; });
    if (record_.is("tfl.maximum")) return each_pair([](std::int64_t a, std::int64_t b) { return a < b ? b : a; });
    return {};
  }

 private:
  /// Returns the value of an operand, or `none` if it is omitted.
  constexpr auto operand(std::uint32_t at) const -> value_id {
    return at < record_.inputs.size ? program_.inputs(record_)[at] : none<value_id>;
  }
  constexpr auto input(std::uint32_t at) const -> integer_list { return list_of(known_integers::in(program_, operand(at))); }
  constexpr auto option(literal_name key) const -> std::int64_t { return program_.integer(record_, key); }
  constexpr auto is_without_activation() const -> bool { return program_.text(record_, "fused_activation_function", "none") == "none"; }
  /// Returns the rank of the first operand, or -1 if the operand is omitted.
  constexpr auto rank_of_input() const -> std::int64_t {
    return operand(0) == none<value_id> ? -1 : static_cast<std::int64_t>(program_.shape(operand(0)).size());
  }

  /// kernels/shape.cc
  constexpr auto shape() -> integer_list {
    const auto input_id = operand(0);
    integer_list result;
    if (input_id == none<value_id>) return result;
    result.is_known = true;
    for (const auto size : program_.shape(input_id)) {
      result.is_known = result.is_known && size >= 0;
      result.elements.push_back(size);
    }
    return result;
  }
  /// kernels/rank.cc
  constexpr auto rank() -> integer_list {
    integer_list result;
    result.is_known = operand(0) != none<value_id>;
    if (result.is_known) result.elements.push_back(rank_of_input());
    return result;
  }

  /// kernels/strided_slice.cc, only for one-dimensional inputs.
  constexpr auto strided_slice() -> integer_list {
    const auto in = input(0), begin = input(1), end = input(2), stride = input(3);
    const bool is_list = in.is_known && begin.elements.size() == 1 && end.elements.size() == 1 && stride.elements.size() == 1 &&
                         rank_of_input() == 1 && option("ellipsis_mask") == 0 && option("new_axis_mask") == 0 && option("offset") == 0;
    if (!is_list || stride.elements[0] == 0) return {};
    const auto size = static_cast<std::int64_t>(in.elements.size());
    const auto step = stride.elements[0];
    integer_list result{true, {}};
    if ((option("shrink_axis_mask") & 1) != 0) {  // one element
      const auto at = begin.elements[0] < 0 ? begin.elements[0] + size : begin.elements[0];
      if (at < 0 || at >= size || step != 1 || option("begin_mask") != 0) return {};
      result.elements.push_back(in.elements[static_cast<std::size_t>(at)]);
      return result;
    }
    const auto first = (option("begin_mask") & 1) != 0 ? strided_axis::from_start(step) : begin.elements[0];
    const auto last = (option("end_mask") & 1) != 0 ? strided_axis::to_end(step) : end.elements[0];
    const strided_axis axis{size, first, last, step};
    for (std::int64_t i = 0; i < axis.count(); ++i)
      result.elements.push_back(in.elements[static_cast<std::size_t>(axis.first() + i * step)]);
    return result;
  }

  /// Returns the elements of all operands, in order.
  constexpr auto elements_of_operands() -> integer_list {
    integer_list result{true, {}};
    for (std::uint32_t i = 0; i < record_.inputs.size; ++i) {
      const auto in = input(i);
      if (!in.is_known) return {};
      result.elements.insert(result.elements.end(), in.elements.begin(), in.elements.end());
    }
    return result;
  }
  /// kernels/pack.cc, only along the first axis, or for scalars.
  constexpr auto pack() -> integer_list {
    if (record_.inputs.size == 0 || (option("axis") != 0 && (option("axis") != -1 || rank_of_input() != 0))) return {};
    return elements_of_operands();
  }
  /// kernels/concatenation.cc, only along the first axis.
  constexpr auto concatenation() -> integer_list {
    if (record_.inputs.size == 0 || (option("axis") != 0 && option("axis") != -rank_of_input()) || !is_without_activation()) return {};
    return elements_of_operands();
  }

  /// kernels/gather.cc, only for one-dimensional inputs.
  constexpr auto gather() -> integer_list {
    const auto in = input(0), positions = input(1);
    if (!in.is_known || !positions.is_known || rank_of_input() != 1 || option("batch_dims") != 0) return {};
    integer_list result{true, {}};
    for (const auto position : positions.elements) {
      if (position < 0 || position >= static_cast<std::int64_t>(in.elements.size())) return {};
      result.elements.push_back(in.elements[static_cast<std::size_t>(position)]);
    }
    return result;
  }
  /// kernels/reduce.cc, only for all elements of a one-dimensional input.
  constexpr auto product() -> integer_list {
    const auto in = input(0), axes = input(1);
    if (!in.is_known || rank_of_input() != 1 || axes.elements.size() != 1 || !fit(in.elements, dtype::int32)) return {};
    std::int64_t result = 1;
    for (const auto element : in.elements) {
      result *= element;
      if (!fit({&result, 1}, dtype::int32)) return {};
    }
    return {true, {result}};
  }

  program_view program_;
  const node& record_;
};

}  // namespace detail

/// Returns the elements of a node's output if they follow from shapes and constant integers, else an unknown list. Supports the operators
/// from which converters compute the shape of a reshape. Examples are `tfl.shape`, slices, packs, concatenations, gathers, products and
/// sums. The caller must check that the number and the range of the elements fit the output's type. The results equal those of TensorFlow
/// Lite's kernels; the comments above name their files.
constexpr auto folded_integers(const program_view& program, const node& record) -> integer_list {
  return detail::integer_folder(program, record).run();
}

}  // namespace baton
