// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces slices of a tensor at positions along one dimension, as PyTorch's index_put and index_copy do.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/onnx_gathering.hpp>
#include <baton/transform/detail/torch_argument.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// An emitter of nodes that replace the slices of operand 0 at positions along a dimension by `source`, or add `source` to them. If the
/// dimension is not dimension 0, the two dimensions are exchanged. If all slices get the same elements, positions may be equal. Otherwise,
/// slices at equal positions are refused if the positions are constants; computed positions must differ, because the kernel would add the
/// slices.
class written_slices {
 public:
  constexpr written_slices(emission& to, std::size_t axis) : to_(to), axis_(axis), type_(to.stored_type(to.in_file(0))) {}

  constexpr void write(value_id positions, value_id source, bool adds) {
    const auto where = to_.stored_type(positions);
    if (where.type == dtype::boolean) return to_.refuse("a mask of positions is not supported");
    const auto count = element_count(where.shape());
    if (count < 1) return to_.refuse("there are no positions");
    auto updates = type_;  // of the slices
    updates.sizes[axis_] = count;
    auto of = to_.stored_type(source);
    if (of.type != type_.type) source = converted(to_, "converted_source", source, type_.type);
    of.type = type_.type;
    const auto rows = tensor(where.type, count, 1);
    const auto list = to_.is_data(positions) ? to_.viewed(positions, rows)
                                             : to_.add("rows", "tfl.reshape", {positions}, rows, {{"new_shape", rows.shape()}});
    const bool is_broadcast = element_count(of.shape()) != element_count(updates.shape());
    if (is_broadcast && where.rank != 1 && element_count(of.shape()) != 1)
      return to_.refuse("elements that are broadcast to positions of ", where.rank, " dimensions are not supported");
    if (!adds && is_broadcast && is_equal_along_axis(of)) return write_equal(list, source, count);
    if (is_broadcast) {
      const auto shape = to_.integer_constant("slices_shape", updates.shape());
      source = to_.add("slices", "tfl.broadcast_to", {source, shape}, updates);
    } else if (of.rank != updates.rank) {
      source = to_.add("slices", "tfl.reshape", {source}, updates, {{"new_shape", updates.shape()}});
    }
    auto whole = type_;
    std::swap(whole.sizes[0], whole.sizes[axis_]);
    to_.set_operands({exchanged("whole", to_.in_file(0)), list, exchanged("source", source)});
    to_.state({{"reduction", adds ? "add" : "none"}});
    if (axis_ != 0) to_.begin_inner("written", whole);
    emit_scatter_nd(to_);
    if (axis_ != 0) to_.end_inner("order", "tfl.transpose", {}, order("order_back"));
  }

 private:
  /// True if a source is broadcast along the dimension of the positions.
  constexpr auto is_equal_along_axis(const tensor_type& source) const -> bool {
    if (element_count(source.shape()) == 1) return true;
    if (source.rank > type_.rank) return false;
    const auto added = type_.rank - source.rank;
    return axis_ < added || source.sizes[axis_ - added] == 1;
  }
  /// Selects `source` where one of the `count` positions is.
  constexpr void write_equal(value_id list, value_id source, std::int64_t count) {
    if (count > max_positions) return to_.refuse("there are more than ", max_positions, " positions");
    const auto data = to_.in_file(0);
    to_.set_operands({data, list});
    const std::int64_t limit[] = {type_.sizes[axis_]};
    const auto positions = counted_from_start(to_, 1, limit);
    if (to_.is_refused()) return;
    const vector<std::int64_t> numbers(static_cast<std::size_t>(count), 1);
    const auto ones = to_.constant("ones", tensor(dtype::int32, count), view(bytes_of(numbers, dtype::int32)));
    // The number of positions at each place of the dimension. The dimensions after it have the size 1.
    auto type = tensor(dtype::int32, limit[0]);
    const auto counts = to_.add("counts", "tfl.scatter_nd", {positions, ones, to_.integer_constant("counts_shape", type.shape())}, type);
    type.rank = type_.rank - axis_;
    for (std::size_t d = 1; d < type.rank; ++d) type.sizes[d] = 1;
    const auto shaped = to_.add("shaped_counts", "tfl.reshape", {counts}, type, {{"new_shape", type.shape()}});
    type.type = dtype::boolean;
    to_.finish("tfl.select_v2", {to_.add("is_written", "tfl.cast", {shaped}, type), source, data});
  }
  constexpr auto exchanged(std::string_view suffix, value_id in) -> value_id {
    if (axis_ == 0) return in;
    auto type = to_.stored_type(in);
    std::swap(type.sizes[0], type.sizes[axis_]);
    return to_.add(suffix, "tfl.transpose", {in, order(view(join(suffix, "_order")))}, type);
  }
  constexpr auto order(std::string_view suffix) -> value_id {
    std::array<std::int64_t, tensor_type::max_rank> numbers{};
    for (std::size_t d = 0; d < type_.rank; ++d) numbers[d] = static_cast<std::int64_t>(d == 0 ? axis_ : d == axis_ ? 0 : d);
    return to_.integer_constant(suffix, {numbers.data(), type_.rank});
  }

  emission& to_;
  std::size_t axis_;
  tensor_type type_;
};

}  // namespace baton::detail
