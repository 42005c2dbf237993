// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Copies of a `walk` in the order of the output's addresses, so that the output may overlap the operand. Also walks of single rows of an
// image.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable::detail {

/// Returns the size of the smallest range of the destination that contains all bytes that loop `Loop` and the loops inside it write.
template <std::size_t Loop = 0>
[[gnu::always_inline]] constexpr auto extent(const walk& along) -> std::int32_t {
  if constexpr (Loop == max_walk_loops) {
    return along.run;
  } else {
    return (along.loops[Loop].count - 1) * along.loops[Loop].to + extent<Loop + 1>(along);
  }
}

/// True if a walk writes its runs (copies of `walk::run` bytes) in ascending order of addresses, and no run overlaps another. False if the
/// walk copies nothing.
template <std::size_t Loop = 0>
constexpr auto ascends(const walk& along) -> bool {
  if constexpr (Loop == max_walk_loops) {
    return along.run != 0;
  } else {
    return (along.loops[Loop].count == 1 || along.loops[Loop].to >= extent<Loop + 1>(along)) && ascends<Loop + 1>(along);
  }
}

/// Returns the `min_distance` of a walk, or `disjoint` if the walk does not ascend. The extreme leads (see `lead_bounds`) of a loop are the
/// leads of its first and last iterations. Each returned distance above 0 is the smallest safe distance.
constexpr auto distance_of_walk(const walk& along, std::int64_t in_bytes, std::int64_t out_bytes) -> min_distance {
  if (!ascends(along)) return {};
  const auto first = std::int64_t{along.to} - along.from;
  lead_bounds leads{first, first};
  for (const auto& loop : along.loops) {
    const auto last = std::int64_t{loop.count - 1} * (std::int64_t{loop.to} - loop.from);
    leads.add({std::min<std::int64_t>(0, last), std::max<std::int64_t>(0, last)});
  }
  return leads.distance(in_bytes, out_bytes);
}

/// The rows of an output image [1, H', W', C'] that a walk writes. Each row depends on a fixed number of rows of the input image [1, H, W,
/// C].
struct walk_rows {
  walk row{};                  ///< the runs of the first row that receives elements; `row.to` is an offset in this row
  std::int32_t row_bytes = 0;  ///< the bytes of an output row; 0 if the walk has no rows
  std::int32_t first = 0;      ///< the first row that receives elements
  std::int32_t count = 0;      ///< the number of rows that receive elements, from `first` on
  std::int32_t step = 0;       ///< the distance from the source of a row to the source of the next row, in bytes
  row_window::axis window{};

  constexpr auto exist() const -> bool { return row_bytes != 0; }
};

/// Returns the rows of the walk with the loops `loops`. The first run of this walk is copied from offset `from` to offset `to`. Returns no
/// rows (`exist` is false) if the walk cannot be computed row by row.
constexpr auto rows_of(node_check& check, const walk_builder& loops, const operand& in, const operand& out, std::int32_t element_bytes,
                       std::int32_t from, std::int32_t to) -> walk_rows {
  if (!check.ok() || in.shape.size() != 4 || out.shape.size() != 4 || in.size(0) != 1 || out.size(0) != 1) return {};
  if (in.count == 0 || out.count == 0) return {};
  const auto in_row_bytes = in.size(2) * in.size(3) * element_bytes;
  walk_rows rows{.row_bytes = out.size(2) * out.size(3) * element_bytes, .count = 1};
  walk_builder inside;
  for (const auto& loop : loops.added()) {
    if (loop.to < rows.row_bytes) {
      inside.add(loop.count, loop.from, loop.to);
    } else if (rows.count == 1 && loop.to == rows.row_bytes) {
      rows.count = loop.count;
      rows.step = loop.from;
    } else {
      return {};
    }
  }
  rows.first = to / rows.row_bytes;
  rows.row = inside.build(check, element_bytes, from, to % rows.row_bytes);
  if (!check.ok() || !ascends(rows.row) || rows.row.to + extent(rows.row) > rows.row_bytes) return {};
  if (rows.step < 0 || rows.step % in_row_bytes != 0 || (rows.step == 0 && rows.count != 1)) return {};
  auto min_from = from;
  auto max_from = from + rows.row.run - 1;
  for (const auto& loop : rows.row.loops) {
    min_from += std::min<std::int32_t>(0, (loop.count - 1) * loop.from);
    max_from += std::max<std::int32_t>(0, (loop.count - 1) * loop.from);
  }
  const auto stride = rows.count == 1 ? 1 : rows.step / in_row_bytes;
  const auto first_read = min_from / in_row_bytes;
  rows.window = {stride, rows.first * stride - first_read, max_from / in_row_bytes - first_read + 1};
  return rows;
}

/// True if `Kernel` has the operator of `Call`, and if the facts of the node declare a window (see `row_window`) for at least one operand.
template <class Kernel, class Call>
consteval auto has_window() -> bool {
  if constexpr (is_among(Call::record().op, Kernel::operators)) {
    for (const auto& operand : node_facts<Kernel, Call>.operands) {
      if (operand.window != row_window::none()) return true;
    }
  }
  return false;
}

/// Copies `bytes` bytes in ascending order of addresses. The ranges may overlap if the destination is lower. The function is not inlined,
/// so that all nodes share the function.
[[gnu::noinline]] inline void copy_upward(char* to, const char* from, std::ptrdiff_t bytes) {
  struct words {
    std::uint32_t each[4];
  };
  for (; bytes >= 16; bytes -= 16, to += 16, from += 16) store(to, 0, load<words>(from));
  for (; bytes > 0; --bytes) *to++ = *from++;
}
/// Copies `bytes` bytes in descending order of addresses. The ranges may overlap if the destination is higher.
[[gnu::noinline]] inline void copy_downward(char* to, const char* from, std::ptrdiff_t bytes) {
  struct words {
    std::uint32_t each[4];
  };
  for (; bytes >= 16; bytes -= 16) store(to + bytes - 16, 0, load<words>(from + bytes - 16));
  for (; bytes > 0; --bytes) to[bytes - 1] = from[bytes - 1];
}

/// True if the C library's `memmove` may copy byte by byte, and the target can load words from any address.
#if defined(__ARM_FEATURE_UNALIGNED) && __ARM_ARCH_PROFILE == 'M'
inline constexpr bool copies_words = true;
#else
inline constexpr bool copies_words = false;
#endif

/// Copies a run. Source and destination may overlap if a copy in the order `Order` reads each byte before it overwrites the byte.
template <write_order Order>
[[gnu::always_inline]] inline void copy_run(char* to, const char* from, std::int32_t bytes) {
  if (bytes == 1) return store(to, 0, load<std::uint8_t>(from));
  if (bytes == 2) return store(to, 0, load<std::uint16_t>(from));
  if (bytes == 4) return store(to, 0, load<std::uint32_t>(from));
  if (bytes == 8) return store(to, 0, load<std::uint64_t>(from));
  if (bytes == 3) {
    const auto last = from[2];
    store(to, 0, load<std::uint16_t>(from));
    to[2] = last;
    return;
  }
  const auto size = static_cast<std::size_t>(bytes);
  if constexpr (!copies_words) {
    std::memmove(to, from, size);
  } else {
    // Source and destination are disjoint, or the source is at the higher address (in descending order, at the lower address).
    const auto between = Order == write_order::ascending ? from - to : to - from;
    if (static_cast<std::size_t>(between) >= size) {
      std::memcpy(to, from, size);
    } else if constexpr (Order == write_order::ascending) {
      copy_upward(to, from, bytes);
    } else {
      copy_downward(to, from, bytes);
    }
  }
}

/// Copies the runs of the loops from loop `Loop` on, in the order `Order`. `fill(first, bytes)` fills each gap between two runs.
template <write_order Order, std::size_t Loop, class Fill>
[[gnu::always_inline]] inline void copy_in_order(const walk& along, const char* from, char* to, const Fill& fill) {
  if constexpr (Loop == max_walk_loops) {
    copy_run<Order>(to, from, along.run);
  } else {
    const auto& loop = along.loops[Loop];
    const auto inside = extent<Loop + 1>(along);
    const auto gap = loop.to - inside;
    for (std::int32_t i = 0; i < loop.count; ++i) {
      const auto at = nth(Order, i, loop.count);
      char* const first = to + at * loop.to;
      if (i != 0 && gap > 0) fill(Order == write_order::ascending ? first - gap : first + inside, gap);
      copy_in_order<Order, Loop + 1>(along, from + at * loop.from, first, fill);
    }
  }
}

/// Writes `bytes` bytes in the order `Order`: the runs of a walk, and the output of `fill(first, bytes)` everywhere else.
template <write_order Order, class Fill>
[[gnu::always_inline]] inline void copy_filled(const walk& along, const char* from, char* to, std::int32_t bytes, const Fill& fill) {
  if (along.run == 0) return fill(to, bytes);
  const auto end = along.to + extent(along);
  const bool has_before = along.to != 0;
  const bool has_after = end != bytes;
  if (Order == write_order::ascending && has_before) fill(to, along.to);
  if (Order == write_order::descending && has_after) fill(to + end, bytes - end);
  copy_in_order<Order, 0>(along, from + along.from, to + along.to, fill);
  if (Order == write_order::ascending && has_after) fill(to + end, bytes - end);
  if (Order == write_order::descending && has_before) fill(to, along.to);
}

}  // namespace baton::portable::detail
