// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that join tensors along an axis or split them. The kernels support every dtype with elements of whole bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/ordered_walk.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/inference.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace baton::portable {

namespace detail {

/// The maximum number of parts if their sizes differ. If all parts have the same size, their number is not limited.
inline constexpr std::size_t max_parts = 64;

/// The compile-time plan that joins parts to a whole, or splits a whole into parts. The whole has `rows` rows. Each row contains the bytes
/// of one row of each part, in the order of the parts.
struct joint {
  std::int32_t rows = 1;
  std::int32_t row_bytes = 0;  ///< bytes of a row of the whole
  std::int32_t parts = 0;
  std::int32_t part_bytes = 0;  ///< bytes of a part in a row, if all parts have the same size; 0 if the sizes differ or are 0
  std::array<std::int32_t, max_parts> bytes_of{};
  std::int32_t whole_operand = 0;  ///< for a split: the operand that is split
  /// The bytes of an image row if the whole is an output [1, H, W, C] whose parts have windows (see `row_window`); otherwise 0.
  std::int32_t image_row_bytes = 0;
  std::int32_t image_pixel_bytes = 0;  ///< bytes of a pixel of this image; 0 if `image_row_bytes` is 0

  constexpr auto bytes(std::int32_t part) const -> std::int32_t {
    return part_bytes != 0 ? part_bytes : bytes_of[static_cast<std::size_t>(part)];
  }
};

/// The axis along which parts are joined, the rank of the whole, and whether the parts have the axis, too.
struct joined_axis {
  std::size_t dimension = 0;
  std::size_t rank = 0;
  bool is_in_parts = true;
};

/// Sets the number of rows of the whole (the product of the dimensions before the axis), and the size of a row in bytes. `name` names the
/// whole in messages.
constexpr void describe_whole(node_check& check, const operand& whole, const joined_axis& axis, std::string_view name, joint& plan) {
  if (!check.demand(axis.dimension < whole.shape.size(), "the axis is out of range")) return;
  const auto bytes = moved_bytes(check, whole, name);
  for (std::size_t d = 0; d < axis.dimension; ++d) plan.rows *= whole.size(d);
  plan.row_bytes = whole.count / plan.rows * bytes;
}
/// Adds a part. The shapes of the part and the whole may differ only along the axis.
constexpr void describe_part(node_check& check, const operand& whole, const operand& part, const joined_axis& axis, joint& plan) {
  check.demand(part.type == whole.type, "a part is ", facts(part.type).name, ", the whole ", facts(whole.type).name);
  check.demand(part.shape.size() + (axis.is_in_parts ? 0 : 1) == whole.shape.size(), "a part has rank ", part.shape.size(), ", not ",
               whole.shape.size() - (axis.is_in_parts ? 0 : 1));
  for (std::size_t d = 0; check.ok() && d < whole.shape.size(); ++d) {
    if (d == axis.dimension) continue;
    const auto size = part.shape[d < axis.dimension || axis.is_in_parts ? d : d - 1];
    check.demand(size == whole.shape[d], "dimension ", d, " of a part is ", size, ", of the whole ", whole.shape[d]);
  }
  if (!check.ok()) return;
  const auto bytes = part.count / plan.rows * (facts(part.type).bits / 8);
  if (plan.parts == 0) plan.part_bytes = bytes;
  if (bytes != plan.part_bytes) plan.part_bytes = 0;
  const auto at = static_cast<std::size_t>(plan.parts++);
  check.demand(plan.part_bytes != 0 || at < max_parts, "more than ", max_parts, " parts of different sizes");
  if (at < max_parts) plan.bytes_of[at] = bytes;
}
/// Requires that the parts fill the whole.
constexpr void check_parts_fill_whole(node_check& check, const joint& plan) {
  std::int64_t sum = std::int64_t{plan.part_bytes} * plan.parts;
  for (std::int32_t i = 0; check.ok() && plan.part_bytes == 0 && i < plan.parts; ++i) sum += plan.bytes(i);
  check.demand(sum == plan.row_bytes, "the sizes of the parts do not add up to the whole");
}

/// Checks the quantization of a part and the whole, as in `micro/kernels/concatenation.cc`. In int8, scales and zero points must be equal;
/// uint8 is checked like int8. In int16, zero points must be 0, and scales are not compared.
constexpr void check_part_quantization(node_check& check, const operand& part, const operand& whole) {
  if (part.quant.channels == 0 && whole.quant.channels == 0) return;
  if (whole.is_int8() || whole.type == dtype::uint8) {
    const auto from = check.per_tensor(part, "input");
    const auto to = check.per_tensor(whole, "output");
    check.demand(from.scale >= to.scale && from.scale <= to.scale, "scales of input and output differ");
    check.demand(from.zero_point == to.zero_point, "zero points of input and output differ: ", from.zero_point, " and ", to.zero_point);
  }
  if (whole.type == dtype::int16) {
    check.demand(check.per_tensor(part, "input").zero_point == 0, "an input of int16 has a zero point other than 0");
    check.demand(check.per_tensor(whole, "output").zero_point == 0, "an output of int16 has a zero point other than 0");
  }
}

/// Returns the facts of a node. If the whole has one row, the parts are adjacent subviews of the whole (see `kernel_facts::subviews`), and
/// need not be copied. `whole_operand` is the operand that is the whole, or `npos` if the output is the whole.
constexpr auto facts_of_parts(const joint& plan, std::size_t whole_operand) -> kernel_facts {
  kernel_facts result;
  if (plan.rows == 1) result.subviews = {.offset = 0, .whole_operand = whole_operand};
  return result;
}

/// Adds the `min_distance` between the whole and each of the parts into which it is split. Rows are copied in order, and in each row the
/// parts are copied in order. When the byte at offset i of the whole is read, at most i bytes of a part have been written. Each of these
/// bytes is a copy of an earlier byte of the whole. So the lead of each byte (see `lead_bounds`), which is its offset in the part minus its
/// offset in the whole, is at most 0. In descending order, the same is true of offsets from the ends. So distance 0 is safe for every part
/// in both orders. Smaller distances can be safe for some parts, but a node has one distance for all outputs.
constexpr void add_split_distance(const joint& plan, kernel_facts& to) {
  to.operands[static_cast<std::size_t>(plan.whole_operand)].distance = {0, 0};
}

/// Adds the distance between each part and the whole to which it is joined. The extreme leads (see `lead_bounds`) of a part are the leads
/// of its first and last rows. There are bytes with exactly these leads. So the computed distance is exact if it is above 0 (see
/// `lead_bounds::distance`). All operands from the fourth on share the last element of `kernel_facts::operands`.
constexpr void add_distances(const joint& plan, kernel_facts& to) {
  std::int64_t first = 0;
  for (std::int32_t part = 0; part < plan.parts; ++part) {
    const std::int64_t bytes = plan.bytes(part);
    const auto at = static_cast<std::size_t>(std::min<std::int32_t>(part, 3));
    auto& distance = to.operands[at].distance;
    const lead_bounds leads{first, first + (plan.rows - 1) * (plan.row_bytes - bytes)};
    const auto own = leads.distance(plan.rows * bytes, std::int64_t{plan.rows} * plan.row_bytes);
    if (part > 3) {
      distance = {std::max(distance.ascending, own.ascending), std::max(distance.descending, own.descending)};
    } else {
      distance = own;
    }
    first += bytes;
  }
}

/// Sets the windows of the parts if the output is an image [1, H, W, C], joined along the rows, the columns or the channels. A join along
/// the rows has no windows if it has more than four parts. With windows, also sets the sizes of the image's rows and pixels in `plan`.
constexpr void add_windows(const program_view& program, const node& record, std::size_t axis, joint& plan, kernel_facts& to) {
  const auto whole = program.shape(program.outputs_of(record)[0]);
  if (whole.size() != 4 || whole[0] != 1 || axis == 0 || plan.row_bytes == 0 || (axis == 1 && plan.parts > 4)) return;
  const auto bytes = static_cast<std::int64_t>(plan.rows) * plan.row_bytes;
  plan.image_row_bytes = static_cast<std::int32_t>(bytes / whole[1]);
  plan.image_pixel_bytes = static_cast<std::int32_t>(bytes / (whole[1] * whole[2]));
  std::int32_t first = 0;
  for (std::int32_t part = 0; part < plan.parts; ++part) {
    auto& window = to.operands[static_cast<std::size_t>(std::min<std::int32_t>(part, 3))].window;
    window = {};
    if (axis == 1) window.rows.before = first / plan.image_row_bytes;
    // A join along the rows or the columns is not computed by pixels, because a part may have fewer pixels than the whole.
    if (axis != 3) window.columns = {0, 0, static_cast<std::int32_t>(whole[2])};
    first += plan.bytes(part);
  }
}

constexpr auto describe_join(const program_view& program, const node& record) -> node_description<joint> {
  node_check check{program, record};
  check.conforms();
  const bool is_pack = record.is("tfl.pack");
  const auto whole = check.output();
  const joined_axis axis{inference::dimension(program.integer(record, "axis", 0), whole.shape.size()), whole.shape.size(), !is_pack};
  joint plan;
  if (check.ok()) describe_whole(check, whole, axis, "the output", plan);
  for (std::size_t i = 0; check.ok() && i < record.inputs.size; ++i) {
    const auto part = check.input_or_empty(i, "input");
    describe_part(check, whole, part, axis, plan);
    if (!is_pack && part.count != 0) check_part_quantization(check, part, whole);
  }
  if (!is_pack) {
    const auto fused = check.fused();
    check.demand(fused == quantized::activation::none, "a fused activation is not supported");
  }
  check_parts_fill_whole(check, plan);
  auto facts = facts_of_parts(plan, npos);
  if (check.ok()) add_distances(plan, facts);
  if (check.ok() && !is_pack) add_windows(program, record, axis.dimension, plan, facts);
  return {check.verdict_so_far(), plan, facts};
}

constexpr auto describe_split(const program_view& program, const node& record) -> node_description<joint> {
  node_check check{program, record};
  check.conforms(record.outputs.size);
  const bool is_unpack = record.is("tfl.unpack");
  joint plan;
  plan.whole_operand = record.is("tfl.split") ? 1 : 0;
  const auto whole = check.input(static_cast<std::size_t>(plan.whole_operand), "input");
  auto stated = program.integer(record, "axis", 0);
  if (!is_unpack) {
    const auto axes = check.constant_integers(record.is("tfl.split") ? 0 : 2, "axis");
    if (check.demand(axes.count == 1, "axis has ", axes.count, " numbers, not 1")) stated = axes[0];
  }
  const joined_axis axis{inference::dimension(stated, whole.shape.size()), whole.shape.size(), !is_unpack};
  if (check.ok()) describe_whole(check, whole, axis, "the input", plan);
  for (std::size_t i = 0; check.ok() && i < record.outputs.size; ++i) describe_part(check, whole, check.output_or_empty_at(i), axis, plan);
  check_parts_fill_whole(check, plan);
  auto facts = facts_of_parts(plan, static_cast<std::size_t>(plan.whole_operand));
  if (check.ok()) add_split_distance(plan, facts);
  return {check.verdict_so_far(), plan, facts};
}

/// Calls `f` with the number of each part, in the order `Order`. The loop over the first four parts is unrolled. Their sizes are then
/// constants, and copies of a few bytes are inlined.
template <write_order Order, class F>
[[gnu::always_inline]] inline void for_parts(const joint& plan, const F& f) {
  constexpr std::int32_t unrolled = 4;
  if constexpr (Order == write_order::ascending) {
    if (plan.parts > 0) f(0);
    if (plan.parts > 1) f(1);
    if (plan.parts > 2) f(2);
    if (plan.parts > 3) f(3);
    for (auto part = unrolled; part < plan.parts; ++part) f(part);
  } else {
    for (auto part = plan.parts; part > unrolled; --part) f(part - 1);
    if (plan.parts > 3) f(3);
    if (plan.parts > 2) f(2);
    if (plan.parts > 1) f(1);
    if (plan.parts > 0) f(0);
  }
}

/// Copies row `row` of a part from the whole. `first` is the offset of the part in a row of the whole, in bytes. Copies nothing if the part
/// is a subview of the whole. Only a whole of one row has subviews.
template <write_order Order>
[[gnu::always_inline]] inline void split_part(const joint& plan, const node_memory& memory, std::int32_t part, std::int32_t row,
                                              std::int32_t first) {
  const auto bytes = plan.bytes(part);
  if (bytes == 0) return;
  const char* const from = memory.inputs[plan.whole_operand] + (row * plan.row_bytes + first);
  char* const to = memory.outputs[part] + row * bytes;
  if (plan.rows != 1 || from != to) copy_run<Order>(to, from, bytes);
}
/// Copies row `row` of all parts from the whole.
template <write_order Order>
[[gnu::always_inline]] inline void split_row(const joint& plan, const node_memory& memory, std::int32_t row) {
  std::int32_t first = Order == write_order::ascending ? 0 : plan.row_bytes;
  for_parts<Order>(plan, [&](std::int32_t part) __attribute__((always_inline)) {
    if (Order == write_order::descending) first -= plan.bytes(part);
    split_part<Order>(plan, memory, part, row, first);
    if (Order == write_order::ascending) first += plan.bytes(part);
  });
}

/// Copies the bytes of a part that belong to row `row` of the whole. These bytes begin at offset `first` of the row. Copies nothing if the
/// part is a subview of the whole. Only a whole of one row has subviews.
template <write_order Order>
[[gnu::always_inline]] inline void join_part(const joint& plan, const node_memory& memory, std::int32_t part, std::int32_t row,
                                             std::int32_t first) {
  const auto bytes = plan.bytes(part);
  if (bytes == 0) return;
  const char* const from = memory.inputs[static_cast<std::size_t>(part)] + row * bytes;
  char* const to = memory.outputs[0] + row * plan.row_bytes + first;
  if (plan.rows != 1 || from != to) copy_run<Order>(to, from, bytes);
}
/// Copies the bytes of all parts that belong to row `row` of the whole.
template <write_order Order>
[[gnu::always_inline]] inline void join_row(const joint& plan, const node_memory& memory, std::int32_t row) {
  std::int32_t first = Order == write_order::ascending ? 0 : plan.row_bytes;
  for_parts<Order>(plan, [&](std::int32_t part) __attribute__((always_inline)) {
    if (Order == write_order::descending) first -= plan.bytes(part);
    join_part<Order>(plan, memory, part, row, first);
    if (Order == write_order::ascending) first += plan.bytes(part);
  });
}

/// Writes the bytes [`begin`, `end`) of the whole, in the order `Order`. The range must consist of whole rows, or be inside one row. Copies
/// nothing of a part that is a subview of the whole.
template <write_order Order>
[[gnu::always_inline]] inline void join_bytes(const joint& plan, const node_memory& memory, std::int32_t begin, std::int32_t end) {
  const auto row = begin / plan.row_bytes;
  if (begin % plan.row_bytes == 0 && end % plan.row_bytes == 0) {
    const auto rows = (end - begin) / plan.row_bytes;
    for (std::int32_t i = 0; i < rows; ++i) join_row<Order>(plan, memory, row + nth(Order, i, rows));
    return;
  }
  std::int32_t first = Order == write_order::ascending ? row * plan.row_bytes : (row + 1) * plan.row_bytes;
  for_parts<Order>(plan, [&](std::int32_t part) __attribute__((always_inline)) {
    const auto bytes = plan.bytes(part);
    if (Order == write_order::descending) first -= bytes;
    const auto from = std::max(begin, first);
    const auto to = std::min(end, first + bytes);
    if (from < to) {
      const char* const source = memory.inputs[static_cast<std::size_t>(part)] + row * bytes + (from - first);
      char* const destination = memory.outputs[0] + from;
      if (source != destination) copy_run<Order>(destination, source, to - from);
    }
    if (Order == write_order::ascending) first += bytes;
  });
}

/// Returns the number of chunks (see `kernel_facts::chunks`) of a row of the whole. A chunk has at most 64 bytes.
constexpr auto chunks_of_row(const joint& plan) -> std::int32_t { return element_chunks(plan.row_bytes); }

/// A kernel that computes `tfl.concatenation` without a fused activation, and `tfl.pack`. The operands of `tfl.pack` do not have the axis.
struct join_parts {
  static constexpr literal_name operators[] = {"tfl.concatenation", "tfl.pack"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::joint> {
    auto result = detail::describe_join(program, record);
    if (result.support) detail::set_chunks(result.facts, result.plan.rows, {result.plan.row_bytes, detail::elements_per_chunk});
    return result;
  }
  [[gnu::always_inline]] static void compute(const detail::joint& plan, const node_memory& memory) {
    for (std::int32_t i = 0; i < plan.rows; ++i) {
      if (memory.order == write_order::ascending) {
        detail::join_row<write_order::ascending>(plan, memory, i);
      } else {
        detail::join_row<write_order::descending>(plan, memory, plan.rows - 1 - i);
      }
    }
  }
  /// Computes the rows [`first`, `last`) of the output image. Available if the node has a window.
  template <class Call>
    requires(detail::has_window<join_parts, Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<join_parts, Call>;
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      detail::join_bytes<Call::order()>(plan, memory, first * plan.image_row_bytes, last * plan.image_row_bytes);
    });
  }
  /// Computes the chunks [`first`, `last`), each of at most 64 bytes of a row of the whole, in ascending order.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<join_parts, Call>;
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      detail::for_row_ranges(detail::chunks_of_row(plan), first, last, [&](std::int32_t row, std::int32_t begin, std::int32_t end) {
        const auto row_begin = row * plan.row_bytes;
        detail::join_bytes<write_order::ascending>(plan, memory, row_begin + begin * detail::elements_per_chunk,
                                                   row_begin + std::min(end * detail::elements_per_chunk, plan.row_bytes));
      });
    });
  }
  /// Computes the columns [`first`, `last`) of row `row` of the output image.
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<join_parts, Call>;
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      const auto begin = row * plan.image_row_bytes;
      detail::join_bytes<Call::order()>(plan, memory, begin + first * plan.image_pixel_bytes, begin + last * plan.image_pixel_bytes);
    });
  }
};
static_assert(kernel<join_parts>);

/// A kernel that computes `tfl.split`, `tfl.split_v` and `tfl.unpack`. The outputs of `tfl.unpack` do not have the axis. The kernel
/// declares no windows, because a node with several outputs is not computed row by row.
struct split_parts {
  static constexpr literal_name operators[] = {"tfl.split", "tfl.split_v", "tfl.unpack"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::joint> {
    auto result = detail::describe_split(program, record);
    if (result.support) result.facts.chunks = std::max<std::int32_t>(1, result.plan.rows);
    return result;
  }
  /// Computes the chunks [`first`, `last`), each of one row of the whole, in ascending order.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<split_parts, Call>;
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      for (auto row = first; row < last; ++row) detail::split_row<write_order::ascending>(plan, memory, row);
    });
  }
  [[gnu::always_inline]] static void compute(const detail::joint& plan, const node_memory& memory) {
    for (std::int32_t i = 0; i < plan.rows; ++i) {
      if (memory.order == write_order::ascending) {
        detail::split_row<write_order::ascending>(plan, memory, i);
      } else {
        detail::split_row<write_order::descending>(plan, memory, plan.rows - 1 - i);
      }
    }
  }
};
static_assert(kernel<split_parts>);

}  // namespace detail

}  // namespace baton::portable
