// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Integers that TensorFlow Lite nodes compute from shapes and other known integers.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/integer_operands.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::tflite {

namespace detail {

/// A computation of the elements of one node's output. The result is unknown if the elements do not follow from shapes and known integers.
class integer_folder : baton::detail::integer_operands {
 public:
  constexpr integer_folder(const program_view& program, const node& record) : integer_operands(program, record) {}

  constexpr auto run() -> integer_list {
    if (record_.is("tfl.shape")) return shape();
    if (record_.is("tfl.rank")) return rank();
    if (record_.is("tfl.strided_slice")) return strided_slice();
    if (record_.is("tfl.pack")) return pack();
    if (record_.is("tfl.concatenation")) return concatenation();
    if (record_.is("tfl.gather")) return gather();
    if (record_.is("tfl.reduce_prod")) return product_of_elements();
    if (record_.is("tfl.cast")) return input(0);
    if (record_.is("tfl.expand_dims") || record_.is("tfl.reshape") || record_.is("tfl.squeeze")) return input(0);
    if (record_.is("tfl.add")) return pairs(sum);
    if (record_.is("tfl.sub")) return pairs(difference);
    if (record_.is("tfl.mul")) return pairs(product);
    if (record_.is("tfl.minimum")) return pairs(minimum);
    if (record_.is("tfl.maximum")) return pairs(maximum);
    return {};
  }

 private:
  constexpr auto option(literal_name key) const -> std::int64_t { return program_.integer(record_, key); }
  constexpr auto is_without_activation() const -> bool { return program_.text(record_, "fused_activation_function", "none") == "none"; }
  /// Folds an element-wise operator with two operands (`lite/kernels/{add,sub,mul,maximum_minimum}.cc`). The result is unknown if the node
  /// has a fused activation.
  constexpr auto pairs(pair_function f) const -> integer_list {
    if (!is_without_activation()) return {};
    return each_pair(f);
  }
  /// Returns the rank of the first operand, or -1 if the operand is omitted.
  constexpr auto rank_of_input() const -> std::int64_t {
    return operand(0) == none<value_id> ? -1 : static_cast<std::int64_t>(program_.shape(operand(0)).size());
  }

  /// Returns the sizes of the input (`lite/kernels/shape.cc`).
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
  /// Returns the rank of the input (`lite/kernels/rank.cc`).
  constexpr auto rank() -> integer_list {
    integer_list result;
    result.is_known = operand(0) != none<value_id>;
    if (result.is_known) result.elements.push_back(rank_of_input());
    return result;
  }

  /// Folds a strided slice of a one-dimensional input (`lite/kernels/strided_slice.cc`).
  constexpr auto strided_slice() -> integer_list {
    const auto in = input(0), begin = input(1), end = input(2), stride = input(3);
    const bool is_list = in.is_known && begin.elements.size() == 1 && end.elements.size() == 1 && stride.elements.size() == 1 &&
                         rank_of_input() == 1 && option("ellipsis_mask") == 0 && option("new_axis_mask") == 0 && option("offset") == 0;
    if (!is_list || stride.elements[0] == 0) return {};
    const auto size = static_cast<std::int64_t>(in.elements.size());
    const auto step = stride.elements[0];
    if ((option("shrink_axis_mask") & 1) != 0) {  // one element
      const auto at = begin.elements[0] < 0 ? begin.elements[0] + size : begin.elements[0];
      if (at < 0 || at >= size || step != 1 || option("begin_mask") != 0) return {};
      return {true, {in.elements[static_cast<std::size_t>(at)]}};
    }
    const auto first = (option("begin_mask") & 1) != 0 ? strided_axis::from_start(step) : begin.elements[0];
    const auto last = (option("end_mask") & 1) != 0 ? strided_axis::to_end(step) : end.elements[0];
    return selected(in, {size, first, last, step});
  }

  /// Folds a pack along axis 0 (`lite/kernels/pack.cc`). Axis -1 is accepted for scalars, because the output has only axis 0.
  constexpr auto pack() -> integer_list {
    if (record_.inputs.size == 0 || (option("axis") != 0 && (option("axis") != -1 || rank_of_input() != 0))) return {};
    return elements_of_operands();
  }
  /// Folds a concatenation along the first axis (`lite/kernels/concatenation.cc`).
  constexpr auto concatenation() -> integer_list {
    if (record_.inputs.size == 0 || (option("axis") != 0 && option("axis") != -rank_of_input()) || !is_without_activation()) return {};
    return elements_of_operands();
  }

  /// Folds a gather from a one-dimensional input (`lite/kernels/gather.cc`).
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
  /// Folds the product of all elements of a one-dimensional input (`lite/kernels/reduce.cc`).
  constexpr auto product_of_elements() -> integer_list {
    const auto in = input(0), axes = input(1);
    if (!in.is_known || rank_of_input() != 1 || axes.elements.size() != 1 || !fit(in.elements, dtype::int32)) return {};
    std::int64_t result = 1;
    for (const auto element : in.elements) {
      result *= element;
      if (!fit({&result, 1}, dtype::int32)) return {};
    }
    return {true, {result}};
  }
};

}  // namespace detail

/// Returns the elements of a node's output if they follow from shapes and constant integers, else an unknown list. The list is also unknown
/// if its elements do not fit the output (`fit`). Supports the operators from which converters compute the shape of a reshape. Examples are
/// `tfl.shape`, slices, packs, concatenations, gathers, products and sums. The results equal the results of TensorFlow Lite's kernels; the
/// comments in `detail::integer_folder` name the files of these kernels.
constexpr auto folded_integers(const program_view& program, const node& record) -> integer_list {
  const auto id = baton::detail::integer_output(program, record);
  if (id == none<value_id>) return {};
  auto folded = detail::integer_folder(program, record).run();
  folded.is_known = fit(folded, program, id);
  return folded;
}

}  // namespace baton::tflite
