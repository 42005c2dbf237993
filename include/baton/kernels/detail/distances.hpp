// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How near to its output an operand may lie, in closed form, of kernels that write in one direction; and loops that run in either.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::portable {

/// What number i of `count` is, counted in an order of writing.
constexpr auto nth(write_order order, std::int32_t i, std::int32_t count) -> std::int32_t {
  return order == write_order::ascending ? i : count - 1 - i;
}

/// `for_runs` in an order of writing: downward, what is left over of whole runs comes first.
template <write_order Order, int Count, std::size_t AtOnce, class F>
inline void for_runs_in(F f) {
  if constexpr (Order == write_order::ascending) {
    detail::for_runs<Count, AtOnce>(f);
  } else {
    constexpr auto step = static_cast<int>(AtOnce);
    constexpr int rest = Count % step;
    if constexpr (rest != 0) f(Count - rest, std::integral_constant<std::size_t, static_cast<std::size_t>(rest)>{});
    for (int at = Count - rest - step; at >= 0; at -= step) f(at, std::integral_constant<std::size_t, AtOnce>{});
  }
}

/// What a kernel reads and writes that goes over the pixels of its output in row-major order, or from the last to the first, all channels
/// of a pixel inside, and makes each of a window of its input.
struct window_walk {
  window_axis rows{};
  window_axis columns{};
  std::int64_t in_pixel_bytes = 1;
  std::int64_t out_pixel_bytes = 1;
  std::int64_t batches = 1;
};

namespace detail {

/// The padding at the end along an axis where a walk downward begins; negative: elements that no window reads.
constexpr auto padding_after(const window_axis& axis) -> std::int64_t {
  return std::int64_t{axis.output - 1} * axis.stride + std::int64_t{axis.filter - 1} * axis.dilation + 1 - axis.input - axis.before;
}

/// The most, over the outputs r of an axis, that r · `written` exceeds the begin of the window, max(0, r · stride − padding) · `read`. The
/// function is concave in r, rising up to the window that leaves the padding: four outputs are enough. With dilation, the first tap that is
/// inside may lie later: then it is more than needed.
constexpr auto max_ahead(const window_axis& axis, std::int64_t padding, std::int64_t written, std::int64_t read) -> std::int64_t {
  const auto ahead = [&](std::int64_t r) { return r * written - std::max<std::int64_t>(0, r * axis.stride - padding) * read; };
  const auto leaves = std::max<std::int64_t>(0, padding) / axis.stride;
  const std::int64_t last = axis.output - 1;
  return std::max({ahead(0), ahead(std::min(leaves, last)), ahead(std::min(leaves + 1, last)), ahead(last)});
}

constexpr auto max_ahead(const window_walk& walk, write_order order) -> std::int64_t {
  const bool ascends = order == write_order::ascending;
  const auto in_row = walk.columns.input * walk.in_pixel_bytes;
  const auto out_row = walk.columns.output * walk.out_pixel_bytes;
  const auto of_rows = max_ahead(walk.rows, ascends ? walk.rows.before : padding_after(walk.rows), out_row, in_row);
  const auto of_columns =
      max_ahead(walk.columns, ascends ? walk.columns.before : padding_after(walk.columns), walk.out_pixel_bytes, walk.in_pixel_bytes);
  const auto of_batches = (walk.batches - 1) * (walk.rows.output * out_row - walk.rows.input * in_row);
  return of_rows + of_columns + std::max<std::int64_t>(0, of_batches);
}

}  // namespace detail

/// The distance of a walk over windows: the most bytes that are written when a pixel begins, beyond the first byte that its window reads.
/// Rows and columns count apart, since both sides are sums of a part for each. `inside` is what a kernel adds by reading on after it has
/// begun to write a pixel (below). Nothing needs more than to lie apart.
///
/// The least distance is the maximum of w − m over all reads, w being the bytes written by then, m the least offset read: a write spoils
/// a read at offset i where −i ≤ x − y < w − i, x and y being where input and output begin.
constexpr auto distance_of(const window_walk& walk, std::int64_t inside) -> min_distance {
  const auto output = walk.batches * walk.rows.output * walk.columns.output * walk.out_pixel_bytes;
  const auto in_order = [&](write_order order) { return std::min(output, detail::max_ahead(walk, order) + inside); };
  return {in_order(write_order::ascending), in_order(write_order::descending)};
}

/// What a kernel adds to the distance by writing a pixel while it still reads the pixel's window: nothing where it reads all of a window
/// before it writes; this, where each output channel is written as soon as the input channels of its group are read, so many bytes on
/// each side. One group: all channels but the last. A channel from each (depthwise, pools): nothing.
constexpr auto inside_of_groups(std::int64_t groups, std::int64_t in_bytes, std::int64_t out_bytes, std::int64_t element_bytes)
    -> std::int64_t {
  return out_bytes - element_bytes + std::max<std::int64_t>(0, (groups - 1) * (out_bytes - in_bytes));
}
/// The same of a kernel that makes `pixels` neighbours by `channel_bytes` of each at once, all channels of these pixels before the next: it
/// reads all that a block needs before it writes the block.
constexpr auto inside_of_blocks(std::int64_t out_pixel_bytes, std::int64_t pixels, std::int64_t channel_bytes) -> std::int64_t {
  return (pixels - 1) * out_pixel_bytes + (out_pixel_bytes - 1) / channel_bytes * channel_bytes;
}

/// The distance where element i of the output is made of element i of an operand.
constexpr auto distance_of_elements(std::int64_t count, std::int64_t in_bytes, std::int64_t out_bytes) -> min_distance {
  const auto ahead = std::max<std::int64_t>(0, (count - 1) * (out_bytes - in_bytes));
  return {ahead, ahead};
}

/// What is left of a distance to a kernel that writes upward only.
constexpr auto upward(min_distance both) -> min_distance { return {.ascending = both.ascending}; }

/// The distance of operand `i`, if element k of the output depends on element k of it alone, and elements are computed upward.
constexpr auto distance_of_elements(const program_view& program, const node& record, std::size_t i) -> min_distance {
  const auto& in = program[program.inputs(record)[i]];
  const auto& out = program[program.outputs_of(record)[0]];
  const auto count = element_count(program.shape(program.outputs_of(record)[0]));
  return upward(distance_of_elements(count, facts(in.type).bits / 8, facts(out.type).bits / 8));
}

/// The facts of a node whose output may be stored on its first operand, because element k of the one depends on element k of the other.
/// None if the node is not supported.
constexpr auto elementwise_facts(const node_check& check, const program_view& program, const node& record) -> kernel_facts {
  kernel_facts result;
  if (check.ok()) result.operands[0].distance = distance_of_elements(program, record, 0);
  return result;
}

}  // namespace baton::portable
