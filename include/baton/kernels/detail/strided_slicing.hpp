// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The loops of a strided slice.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/detail/moved_tensors.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// A builder of the loops of a strided slice, as in `lite/kernels/strided_slice.cc` and `internal/strided_slice_logic.h`. The entries of
/// begin, end and strides apply to the dimensions of the input in order, with two exceptions. An entry in `new_axis_mask` adds an output
/// dimension of size 1. The entry in `ellipsis_mask` covers all dimensions without an entry of their own. (TensorFlow Lite Micro ignores
/// both masks.) Dimensions after the last entry are not sliced.
class strided_slicing {
 public:
  constexpr strided_slicing(node_check& check, const program_view& program, const node& record, const moved_tensors& t)
      : check_(check),
        t_(t),
        begin_(check.constant_integers(1, "begin")),
        end_(check.constant_integers(2, "end")),
        strides_(check.constant_integers(3, "strides")),
        begin_mask_(mask_of(program, record, "begin_mask")),
        end_mask_(mask_of(program, record, "end_mask")),
        ellipsis_mask_(mask_of(program, record, "ellipsis_mask")),
        new_axis_mask_(mask_of(program, record, "new_axis_mask")),
        shrink_axis_mask_(mask_of(program, record, "shrink_axis_mask")),
        counts_from_begin_(program.integer(record, "offset", 0) != 0) {}

  constexpr auto build() -> moving_loops {
    check_.demand(begin_.count == end_.count && begin_.count == strides_.count && begin_.count <= 32,
                  "begin, end and strides have different lengths, or more than 32 numbers");
    if (!check_.ok()) return {};
    const auto rank = t_.in.shape.size();
    std::size_t named = 0;  // the number of dimensions that have an entry of their own
    std::size_t ellipses = 0;
    for (std::size_t i = 0; i < begin_.count; ++i) {
      if (has(ellipsis_mask_, i)) ++ellipses;
      if (!has(ellipsis_mask_, i) && !has(new_axis_mask_, i)) ++named;
    }
    check_.demand(ellipses <= 1, "there are ", ellipses, " ellipses; at most one is supported");
    check_.demand(named <= rank, "the slice has ", named, " dimensions, the input ", rank);
    for (std::size_t i = 0; check_.ok() && i < begin_.count; ++i) {
      if (has(ellipsis_mask_, i)) {
        for (auto remaining = rank - named; remaining > 0; --remaining) add_whole_dimension();
      } else if (has(new_axis_mask_, i)) {
        add_output_dimension(1);
      } else {
        add_slice(i);
      }
    }
    while (check_.ok() && dimension_ < rank) add_whole_dimension();
    check_.demand(output_dimension_ == t_.out.shape.size(), "output and slice have different shapes");
    return {loops_, first_};
  }

 private:
  static constexpr auto mask_of(const program_view& program, const node& record, literal_name key) -> std::uint32_t {
    return static_cast<std::uint32_t>(program.integer(record, key, 0));
  }
  static constexpr auto has(std::uint32_t mask, std::size_t i) -> bool { return (mask >> i & 1u) != 0; }

  /// Advances to the next dimension of the output. Requires that this dimension has size `size`.
  constexpr void add_output_dimension(std::int64_t size) {
    check_.demand(output_dimension_ < t_.out.shape.size() && t_.out.shape[output_dimension_] == size,
                  "output and slice have different shapes");
    ++output_dimension_;
  }
  constexpr void add_whole_dimension() {
    const auto size = t_.in.size(dimension_);
    add_output_dimension(size);
    if (check_.ok()) loops_.add(size, t_.from[dimension_], t_.to[output_dimension_ - 1]);
    ++dimension_;
  }
  constexpr void add_slice(std::size_t i) {
    const auto size = t_.in.size(dimension_);
    const auto stride = strides_[i];
    if (!check_.demand(stride != 0, "the stride of dimension ", dimension_, " is 0")) return;
    const auto begin = has(begin_mask_, i) ? strided_axis::from_start(stride) : begin_[i];
    const auto first = strided_axis{size, begin, 0, stride}.first();
    if (has(shrink_axis_mask_, i)) {
      if (!check_.demand(stride > 0 && first < size, "the element of dimension ", dimension_, " is out of range")) return;
      skip(first);
    } else {
      const auto end = has(end_mask_, i) ? strided_axis::to_end(stride) : counts_from_begin_ ? first + end_[i] : end_[i];
      const auto count = strided_axis{size, begin, end, stride}.count();
      add_output_dimension(count);
      if (!check_.ok()) return;
      skip(first);
      const auto step = count > 1 ? static_cast<std::int32_t>(stride) * t_.from[dimension_] : 0;
      loops_.add(static_cast<std::int32_t>(count), step, t_.to[output_dimension_ - 1]);
    }
    ++dimension_;
  }
  constexpr void skip(std::int64_t elements) { first_ += static_cast<std::int32_t>(elements) * t_.from[dimension_]; }

  node_check& check_;
  const moved_tensors& t_;
  known_sizes begin_;
  known_sizes end_;
  known_sizes strides_;
  std::uint32_t begin_mask_;
  std::uint32_t end_mask_;
  std::uint32_t ellipsis_mask_;
  std::uint32_t new_axis_mask_;
  std::uint32_t shrink_axis_mask_;
  bool counts_from_begin_;
  walk_builder loops_;
  std::int32_t first_ = 0;
  std::size_t dimension_ = 0;         // the next dimension of the input
  std::size_t output_dimension_ = 0;  // the next dimension of the output
};

}  // namespace baton::portable::detail
