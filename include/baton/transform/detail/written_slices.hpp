// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces slices of a tensor at positions (indices) along one dimension, as PyTorch's index_put and index_copy do.
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

/// An emitter of nodes that replace slices of operand 0 by `source`, or add `source` to the slices (`adds`). The slices are at `positions`
/// along dimension `axis`. If `source` replaces slices and is broadcast along `axis`, all slices get the same elements. A mask along `axis`
/// then selects the slices, and positions may be equal. In all other cases, transposes exchange `axis` and dimension 0 if `axis` is not 0.
/// Replaced slices must then have different positions, because the kernel adds slices at equal positions. Equal constant positions of
/// replaced slices are refused (the pass then fails with `unsupported_operator`). Computed positions are not checked.
class written_slices {
 public:
  constexpr written_slices(emission& emitter, std::size_t axis)
      : emitter_(emitter),
        axis_(axis),
        type_(emitter.stored_type(emitter.operand_in_file_layout(0))) {}

  constexpr void write(value_id positions, value_id source, bool adds) {
    const auto where = emitter_.stored_type(positions);
    if (where.type == dtype::boolean) return emitter_.refuse("a mask of positions is not supported");
    const auto count = element_count(where.shape());
    if (count < 1) return emitter_.refuse("there are no positions");
    auto updates = type_;  // the type of all slices
    updates.sizes[axis_] = count;
    auto of = emitter_.stored_type(source);
    if (of.type != type_.type) source = converted(emitter_, "converted_source", source, type_.type);
    of.type = type_.type;
    const auto rows = tensor(where.type, count, 1);
    const auto list = emitter_.is_data(positions) ? emitter_.reshaped(positions, rows)
                                                  : emitter_.add("rows", "tfl.reshape", {positions}, rows, {{"new_shape", rows.shape()}});
    const bool is_broadcast = element_count(of.shape()) != element_count(updates.shape());
    if (is_broadcast && where.rank != 1 && element_count(of.shape()) != 1)
      return emitter_.refuse("elements that are broadcast to positions of ", where.rank, " dimensions are not supported");
    if (!adds && is_broadcast && is_equal_along_axis(of)) return write_equal(list, source, count);
    if (is_broadcast) {
      const auto shape = emitter_.integer_constant("slices_shape", updates.shape());
      source = emitter_.add("slices", "tfl.broadcast_to", {source, shape}, updates);
    } else if (of.rank != updates.rank) {
      source = emitter_.add("slices", "tfl.reshape", {source}, updates, {{"new_shape", updates.shape()}});
    }
    auto whole = type_;
    std::swap(whole.sizes[0], whole.sizes[axis_]);
    emitter_.set_operands({exchanged("whole", emitter_.operand_in_file_layout(0)), list, exchanged("source", source)});
    emitter_.set_attributes({{"reduction", adds ? "add" : "none"}});
    if (axis_ != 0) emitter_.begin_inner("written", whole);
    emit_scatter_nd(emitter_);
    if (axis_ != 0) emitter_.end_inner("order", "tfl.transpose", {}, order("order_back"));
  }

 private:
  /// True if a tensor of type `source` is broadcast along dimension `axis_`, so that its elements are equal for all positions.
  constexpr auto is_equal_along_axis(const tensor_type& source) const -> bool {
    if (element_count(source.shape()) == 1) return true;
    if (source.rank > type_.rank) return false;
    const auto added = type_.rank - source.rank;
    return axis_ < added || source.sizes[axis_ - added] == 1;
  }
  /// Replaces the slices at the `count` positions in `list` by `source`, which is equal for all positions.
  constexpr void write_equal(value_id list, value_id source, std::int64_t count) {
    if (count > max_positions) return emitter_.refuse("there are more than ", max_positions, " positions");
    const auto data = emitter_.operand_in_file_layout(0);
    emitter_.set_operands({data, list});
    const std::int64_t limit[] = {type_.sizes[axis_]};
    const auto positions = counted_from_start(emitter_, 1, limit);
    if (emitter_.is_refused()) return;
    const vector<std::int64_t> numbers(static_cast<std::size_t>(count), 1);
    const auto ones = emitter_.constant("ones", tensor(dtype::int32, count), view(bytes_of(numbers, dtype::int32)));
    // `counts` has, for each index of dimension `axis_`, the number of positions that equal the index. `shaped_counts` has the same
    // numbers, followed by a dimension of size 1 for each dimension after `axis_`, so that the counts can be broadcast to the tensor.
    auto type = tensor(dtype::int32, limit[0]);
    const auto counts =
        emitter_.add("counts", "tfl.scatter_nd", {positions, ones, emitter_.integer_constant("counts_shape", type.shape())}, type);
    type.rank = type_.rank - axis_;
    for (std::size_t d = 1; d < type.rank; ++d) type.sizes[d] = 1;
    const auto shaped = emitter_.add("shaped_counts", "tfl.reshape", {counts}, type, {{"new_shape", type.shape()}});
    type.type = dtype::boolean;
    emitter_.finish("tfl.select_v2", {emitter_.add("is_written", "tfl.cast", {shaped}, type), source, data});
  }
  constexpr auto exchanged(std::string_view suffix, value_id in) -> value_id {
    if (axis_ == 0) return in;
    auto type = emitter_.stored_type(in);
    std::swap(type.sizes[0], type.sizes[axis_]);
    return emitter_.add(suffix, "tfl.transpose", {in, order(view(join(suffix, "_order")))}, type);
  }
  constexpr auto order(std::string_view suffix) -> value_id {
    std::array<std::int64_t, tensor_type::max_rank> numbers{};
    for (std::size_t d = 0; d < type_.rank; ++d) numbers[d] = static_cast<std::int64_t>(d == 0 ? axis_ : d == axis_ ? 0 : d);
    return emitter_.integer_constant(suffix, {numbers.data(), type_.rank});
  }

  emission& emitter_;
  std::size_t axis_;
  tensor_type type_;
};

}  // namespace baton::detail
