// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// 3 × 3 depthwise convolution with stride 1 or 2. Four channels of the input are packed at a time. A packed word holds the inputs of one
// channel in two rows, or in two columns. One instruction (SMLAD) multiplies the two inputs of a word by two weights. At stride 1, four
// input rows are packed for two output rows; at stride 2, three input rows for one output row. Then each channel is computed along its
// packed columns. Packed rows are not reused for the next output rows, because packing these rows again costs less than reusing them.
#pragma once

#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_memory.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_pair_routines.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_pair_walk.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_walk.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/detail/row_ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::cortex_m::detail {

/// Writes the block (see `kernel_facts::prepared_blocks`) of a channel in the stream of packed constants (`streams.hpp`), at stride 1. If
/// `has_other_shifts`, the block begins with the shift of the channel, or 0 for the plan's shift. Bias, multiplier and offset follow, then
/// the correction if `corrects_ties`, then six words of weights. Let w_rk be the weight of row r and column k, times `channel.factor()`.
/// The first three words of weights are upper[k] = (w_0k, w_1k). The last three words are lower[k] = (w_1k, w_2k). A word (x, y) holds x in
/// its bottom half and y in its top half. Two output rows depend on four input rows a, b, c and d, which are packed as words (a, b) and (c,
/// d). Per column, the first output row adds upper[k] · (a, b) + w_2k · c, where w_2k is the top half of lower[k]. The second output row
/// adds w_0k · b + lower[k] · (c, d), where w_0k is the bottom half of upper[k].
constexpr void put_pair_channel(const depthwise_plan& plan, const depthwise_channel& channel, std::int32_t* to) {
  const scaled_channel numbers(plan, channel);
  const auto& weights = numbers.weights;
  to = numbers.put_shift(plan, to);
  *to++ = numbers.bias;
  *to++ = numbers.by.multiplier;
  *to++ = numbers.by.offset;
  if (plan.corrects_ties != 0) *to++ = channel.correction();
  for (std::int32_t k = 0; k < 6; ++k) *to++ = static_cast<std::int32_t>(halfwords(weights[k], weights[3 + k]));
}

constexpr auto pair_walk_of(const depthwise_plan& plan) -> pair_walk {
  return {plan.rows.stride, plan.channels, plan.columns.output, plan.shift, plan.block_words(), plan.corrects_ties, plan.begins_odd()};
}

/// Returns the size of the row of zero points that replaces input rows in the padding, in bytes. Returns 0 if there is no padding above or
/// below the image. Also returns 0 if `is_by_rows`, because the packed inputs of rows in the padding are replaced instead
/// (`put_padding_rows`).
constexpr auto pair_padding_bytes(const depthwise_plan& plan, bool is_by_rows) -> std::int32_t {
  return is_by_rows || !plan.rows.has_padding() ? 0 : padding_row_bytes(plan);
}

/// Returns the size of scratch, in bytes. Scratch holds the row of zero points, if there is one, then the packed columns.
constexpr auto pair_scratch_bytes(const depthwise_plan& plan, bool is_by_rows) -> std::uint32_t {
  return static_cast<std::uint32_t>(pair_padding_bytes(plan, is_by_rows) + 4 * plan.packed_words()) + 4;
}

struct pair_scratch {
  std::int8_t* padding_row;  ///< `pair_padding_bytes` bytes
  std::uint32_t* columns;
};
inline auto lay_out_pairs(const depthwise_plan& plan, char* scratch, bool is_by_rows) -> pair_scratch {
  auto* const words = aligned_in<std::uint32_t>(scratch);
  return {reinterpret_cast<std::int8_t*>(words), words + pair_padding_bytes(plan, is_by_rows) / 4};
}
/// True if an output row of [`first`, `last`) depends on rows outside its image. Also true for some other ranges that continue into the
/// next image.
constexpr auto depends_on_padding_rows(const depthwise_plan& plan, std::int32_t first, std::int32_t last) -> bool {
  const auto y = first % plan.rows.output;
  return plan.rows.origin(y) < 0 || plan.rows.origin(y + last - first - 1) + 3 > plan.rows.input;
}
/// Writes the zero points of the padding columns. Also writes the padding row if `is_by_rows` is false and `depends_on_padding_rows` is
/// true for [`first`, `last`). One call suffices for all output rows [`first`, `last`).
inline void begin_pairs(const depthwise_plan& plan, const pair_scratch& scratch, std::int32_t first, std::int32_t last, bool is_by_rows) {
  if (!is_by_rows && depends_on_padding_rows(plan, first, last)) {
    std::memset(scratch.padding_row, plan.input_zero_point, static_cast<std::size_t>(padding_row_bytes(plan)));
  }
  const auto word = halfwords(plan.input_zero_point, plan.input_zero_point);
  // At stride 2, the last column of the image can share a block of two columns with a column in the padding. So the whole block is filled.
  const auto block = plan.rows.stride == 1 ? column_words : strided_block_words;
  for (std::int32_t at = 0; at < plan.word_of_column(plan.first_inside()); ++at) scratch.columns[at] = word;
  for (auto at = plan.word_of_column(plan.last_inside()) / block * block; at < plan.packed_words(); ++at) scratch.columns[at] = word;
}

/// Returns the input rows of `count` output rows that are computed together. Rows outside the image are replaced with `padding`.
inline auto rows_of(const depthwise_plan& plan, const depthwise_memory& at, const std::int8_t* padding, std::int32_t row,
                    std::int32_t count) -> packed_rows {
  const auto* image = image_of(plan, at, row);
  const auto top = plan.rows.origin(row % plan.rows.output);
  const auto address = [&](std::int32_t y) { return row_of(plan, image, padding, y); };
  const auto* first = address(top);
  const auto from_first = [&](std::int32_t y) { return bytes_between(first, address(y)); };
  return {first, from_first(top + 1), from_first(top + 2), count == 2 ? from_first(top + 3) : 0};
}
/// Returns the address of the first input row inside the image that output row `row` depends on. This row is packed in place of each row
/// outside the image. Then `put_padding_rows` replaces the packed inputs with zero points.
inline auto inside_row(const depthwise_plan& plan, const depthwise_memory& at, std::int32_t row) -> const std::int8_t* {
  const auto top = plan.rows.origin(row % plan.rows.output);
  return image_of(plan, at, row) + (top < 0 ? 0 : top) * plan.in_row_bytes();
}
/// Writes `number` to one halfword of each channel. Repeats this for each packed column from `to` until `end`, or for each pair of columns
/// at stride 2. The halfwords of the four channels of a group are `step` bytes apart.
[[gnu::noinline]] inline void put_halfwords(std::int32_t number, char* to, const char* end, std::ptrdiff_t step) {
  const auto half = static_cast<std::int16_t>(number);
  for (; to < end; to += packed_channels * step) {
    std::memcpy(to, &half, sizeof half);
    std::memcpy(to + step, &half, sizeof half);
    std::memcpy(to + 2 * step, &half, sizeof half);
    std::memcpy(to + 3 * step, &half, sizeof half);
  }
}
/// Returns a bit mask of the input rows that are outside the image, in the windows of `count` output rows from `row` on. Bit r is for input
/// row r, counted from the top of the window.
constexpr auto outside_rows(const depthwise_plan& plan, std::int32_t row, std::int32_t count) -> std::int32_t {
  const auto top = plan.rows.origin(row % plan.rows.output);
  std::int32_t outside = 0;
  for (std::int32_t r = 0; r < 2 + count; ++r) outside |= top + r < 0 || top + r >= plan.rows.input ? 1 << r : 0;
  return outside;
}
/// Replaces the rows in the bit mask `outside` with zero points, in the packed columns [`columns`, `end`). At stride 1, a row has one
/// halfword of each channel in each column. At stride 2, a row has two halfwords of each channel in each pair of columns. The two halfwords
/// of row 0 or row 1 are in different words. The two halfwords of row 2 are in one word.
inline void put_padding_rows(const depthwise_plan& plan, std::int32_t outside, std::uint32_t* columns, const std::uint32_t* end) {
  const bool is_strided = plan.rows.stride != 1;
  const std::ptrdiff_t step = 4 * plan.words_per_channel();
  auto* to = reinterpret_cast<char*>(columns);
  const auto* const last = reinterpret_cast<const char*>(end);
  for (std::int32_t r = 0; outside >> r != 0; ++r, to += 2) {
    if ((outside >> r & 1) == 0) continue;
    put_halfwords(plan.input_zero_point, to, last, step);
    if (is_strided) put_halfwords(plan.input_zero_point, to + (r == 2 ? 2 : 8), last, step);
  }
}

/// Returns the first row (`begin_of_unit`), or the row after the last row (`end_of_unit`), of the unit that contains `row`. The output rows
/// of a unit are computed together. Units of two rows begin at the even rows of an image.
constexpr auto begin_of_unit(const depthwise_plan& plan, std::int32_t row) -> std::int32_t {
  return row - row % plan.rows.output % plan.rows_per_step();
}
constexpr auto end_of_unit(const depthwise_plan& plan, std::int32_t row) -> std::int32_t {
  return std::min(begin_of_unit(plan, row) + plan.rows_per_step(), row - row % plan.rows.output + plan.rows.output);
}

template <pair_walk Walk, std::int32_t Rows>
constexpr auto walk_of_rows() -> walk_function {
  if constexpr (Walk.stride == 1) {
    return walk_pairs<Walk, Rows>;
  } else {
    return walk_strided<Walk>;
  }
}

/// The routines of a unit.
struct unit_functions {
  pack_function pack;
  walk_function plan_shift;    ///< computes the channels with the plan's shift
  walk_function other_shifts;  ///< computes the other channels; may be null if there are none
};
/// The routines of a layer. They are called through pointers, so that layers share the callers.
struct pair_functions {
  unit_functions two_rows;  ///< for units of two output rows; not used at stride 2
  unit_functions one_row;   ///< for units of one output row
};
/// Returns the routines of a unit. If `IsSpecialized`, channels with the plan's shift use a routine that is specialized for the layer.
template <pair_walk Walk, std::int32_t Rows, bool IsSpecialized, bool HasOtherShifts>
constexpr auto unit_functions_of() -> unit_functions {
  unit_functions result{Walk.stride == 1 ? pack_columns<(Rows == 2)> : pack_strided_columns, nullptr, nullptr};
  if constexpr (!IsSpecialized || HasOtherShifts) result.other_shifts = walk_of_rows<Walk.shared(), Rows>();
  if constexpr (IsSpecialized) {
    result.plan_shift = walk_of_rows<Walk, Rows>();
  } else {
    result.plan_shift = result.other_shifts;
  }
  return result;
}
/// Returns routines that layers share. `Walk` is the result of `pair_walk::shared`.
template <pair_walk Walk>
constexpr auto shared_pair_functions() -> pair_functions {
  return {unit_functions_of<Walk, Walk.rows_per_step(), false, true>(), unit_functions_of<Walk, 1, false, true>()};
}
/// Returns the routines that are specialized for a layer. If `IsByRows`, single rows are frequent, so they also have a specialized routine.
template <pair_walk Walk, bool HasOtherShifts, bool IsByRows>
constexpr auto specialized_pair_functions() -> pair_functions {
  constexpr auto full_unit = unit_functions_of<Walk, Walk.rows_per_step(), true, HasOtherShifts>();
  if constexpr (Walk.stride == 1 && (IsByRows || Walk.outputs >= 6)) {
    return {full_unit, unit_functions_of<Walk, 1, IsByRows, HasOtherShifts>()};
  } else {
    // At stride 2, a full unit is one row. At stride 1, only layers with fewer than six outputs per row reach this branch. The specialized
    // routine computes two such rows in as few instructions as the shared routine takes for one row. So the specialized routine also
    // computes single rows.
    return {full_unit, full_unit};
  }
}

/// A range of groups of four channels. The last group of a layer may overlap the group before it. Example: the groups of 10 channels begin
/// at channels 0, 4 and 6. The range of the last two groups has `skipped` 4, `remaining` 6 and `after` 0.
struct group_range {
  std::int32_t skipped;    ///< the first channel of the first group
  std::int32_t remaining;  ///< the number of channels of the layer that are not in a group before the range
  std::int32_t after;      ///< the number of channels of the layer that are only in groups after the range
};

/// Computes `count` output rows, starting at `row`, one group of channels after the other. Members that loops use are copied to locals.
/// Without the copies, the compiler would load the members again after each call of a routine, because the routine could write to any
/// memory.
template <bool IsByRows>
[[gnu::always_inline]] inline void compute_unit(const depthwise_plan& plan, const depthwise_memory& at, const pair_scratch& scratch,
                                                const pair_functions& functions, std::int32_t row, std::int32_t count,
                                                const group_range& groups) {
  auto rows = rows_of(plan, at, IsByRows ? inside_row(plan, at, row) : scratch.padding_row, row, count);
  const auto outside = IsByRows ? outside_rows(plan, row, count) : 0;
  auto* to = at.output + row * plan.out_row_bytes();
  const auto second = count == 2 ? plan.out_row_bytes() : 0;
  const auto channels = plan.channels;
  const auto in_group = plan.in_group();
  const auto block_words = plan.block_words();
  const auto others = plan.has_other_shifts;
  const auto [pack, plan_shift, other_shifts] = count == 1 ? functions.one_row : functions.two_rows;
  const auto* stream = at.stream;
  auto* const words = scratch.columns;
  auto* const inside = words + plan.word_of_column(plan.first_inside());
  const auto* const end = words + plan.word_of_column(plan.last_inside());
  const auto channel_words = plan.words_per_channel();
  auto walk = pair_walk_of(plan);
  rows.first += groups.skipped;
  to += groups.skipped;
  stream += groups.skipped * block_words;
  for (auto left = groups.remaining;;) {
    pack(rows, channels, inside, end);
    if (outside != 0) put_padding_rows(plan, outside, inside, end);
    pair_memory memory{words, stream, to, to + second, in_group};
    if (others == 0) {
      plan_shift(walk, memory);
    } else {
      // Each iteration computes a range of adjacent channels with equal shifts.
      for (std::int32_t q = 0; q < in_group; q += memory.count) {
        memory = {words + channel_words * q, stream + q * block_words, to + q, to + q + second, 1};
        const auto shift = *memory.stream++;
        while (q + memory.count < in_group && stream[(q + memory.count) * block_words] == shift) ++memory.count;
        walk.shift = shift == 0 ? plan.shift : shift;
        (shift == 0 ? plan_shift : other_shifts)(walk, memory);
      }
    }
    left -= packed_channels;
    if (left <= groups.after) return;
    const auto step = left < packed_channels ? left : packed_channels;
    rows.first += step;
    to += step;
    stream += step * block_words;
  }
}

/// Computes output rows [`first`, `last`) in the order `order`.
template <bool IsByRows>
[[gnu::noinline]] inline void compute_pairs(const depthwise_plan& plan, const depthwise_memory& at, const pair_functions& functions,
                                            std::int32_t first, std::int32_t last, write_order order) {
  const auto scratch = lay_out_pairs(plan, at.scratch, IsByRows);
  begin_pairs(plan, scratch, first, last, IsByRows);
  const bool ascends = order == write_order::ascending;
  while (first < last) {
    const auto begin = ascends ? first : std::max(begin_of_unit(plan, last - 1), first);
    const auto end = ascends ? std::min(end_of_unit(plan, first), last) : last;
    compute_unit<IsByRows>(plan, at, scratch, functions, begin, end - begin, {0, plan.channels, 0});
    if (ascends) {
      first = end;
    } else {
      last = begin;
    }
  }
}

/// Returns the number of groups of four channels.
constexpr auto channel_groups(const depthwise_plan& plan) -> std::int32_t {
  return (plan.channels + packed_channels - 1) / packed_channels;
}
/// Returns the number of units of an image.
constexpr auto units_of_image(const depthwise_plan& plan) -> std::int32_t {
  return (plan.rows.output + plan.rows_per_step() - 1) / plan.rows_per_step();
}

/// Computes the chunks [`first`, `last`) in ascending order. A chunk (see `kernel_facts::chunks`) is a group of channels of a unit. Chunk
/// numbers continue from unit to unit, and from image to image of a batch. Scratch has the same layout as in `compute_pairs<true>`.
[[gnu::noinline]] inline void compute_pair_chunks(const depthwise_plan& plan, const depthwise_memory& at, const pair_functions& functions,
                                                  std::int32_t first, std::int32_t last) {
  const auto scratch = lay_out_pairs(plan, at.scratch, true);
  begin_pairs(plan, scratch, 0, plan.rows.output, true);
  portable::detail::for_row_ranges(channel_groups(plan), first, last, [&](std::int32_t unit, std::int32_t begin, std::int32_t end) {
    const auto units = units_of_image(plan);
    const auto row = unit / units * plan.rows.output + unit % units * plan.rows_per_step();
    compute_unit<true>(plan, at, scratch, functions, row, end_of_unit(plan, row) - row,
                       {.skipped = std::min(packed_channels * begin, plan.channels - plan.in_group()),
                        .remaining = plan.channels - packed_channels * begin,
                        .after = std::max<std::int32_t>(0, plan.channels - packed_channels * end)});
  });
}

}  // namespace baton::cortex_m::detail
