// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that move elements along axes: transposes, slices, padding, repetition, blocks. The kernels support every dtype with elements
// of whole bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/moved_tensors.hpp>
#include <baton/kernels/detail/nest_chunks.hpp>
#include <baton/kernels/detail/ordered_walk.hpp>
#include <baton/kernels/detail/strided_slicing.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/inference.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// The value of the output elements to which no input element is moved:
/// - `none`: there are no such elements;
/// - `byte`: all their bytes are `movement::fill_byte`;
/// - `third_operand`: they are copies of the only element of operand 2 (counted from 0).
enum class filling : std::int32_t { none, byte, third_operand };

/// The compile-time plan of a movement.
struct movement {
  walk moved{};
  walk_rows rows{};
  std::int32_t moved_operand = 0;  ///< the operand whose elements are moved
  filling filled = filling::none;
  std::int32_t fill_byte = 0;
  std::int32_t element_bytes = 1;
  std::int32_t output_bytes = 0;

  constexpr auto is_one_run() const -> bool { return filled == filling::none && moved.run == output_bytes; }
};

/// Returns the loops of a transpose, as in `lite/kernels/internal/reference/transpose.h`. Dimension d of the output is dimension
/// `permutation[d]` of the input.
constexpr auto transposed(node_check& check, const moved_tensors& t) -> moving_loops {
  const auto order = check.constant_integers(1, "permutation");
  walk_builder loops;
  unsigned seen = 0;
  for (std::size_t d = 0; check.ok() && d < t.out.shape.size(); ++d) {
    const auto from = inference::dimension(order[d], t.in.shape.size());
    check.demand((seen >> from & 1u) == 0, "permutation has dimension ", from, " twice");
    seen |= 1u << from;
    loops.add(t.out.size(d), t.from[from], t.to[d]);
  }
  return {loops};
}

/// Returns the loops of a slice, as in `lite/kernels/internal/reference/slice.h`.
constexpr auto sliced(node_check& check, const moved_tensors& t) -> moving_loops {
  const auto begin = check.constant_integers(1, "begin");
  walk_builder loops;
  std::int32_t first = 0;
  for (std::size_t d = 0; check.ok() && d < t.out.shape.size(); ++d) {
    check.demand(begin[d] >= 0 && begin[d] <= t.in.size(d) - t.out.size(d), "the slice is out of range in dimension ", d);
    if (!check.ok()) break;
    first += static_cast<std::int32_t>(begin[d]) * t.from[d];
    loops.add(t.out.size(d), t.from[d], t.to[d]);
  }
  return {loops, first};
}

/// Returns the loops of a reversal, as in `lite/kernels/internal/reference/reverse.h`. The order of the elements is reversed along each
/// axis in operand 1.
constexpr auto reversed(node_check& check, const moved_tensors& t) -> moving_loops {
  const auto axes = check.constant_integers(1, "axis");
  const auto rank = t.in.shape.size();
  unsigned reversed_axes = 0;
  for (std::size_t i = 0; check.ok() && i < axes.count; ++i) {
    const auto axis = inference::dimension(axes[i], rank);
    if (!check.demand(axis < rank, "there is no dimension ", axes[i])) break;
    check.demand((reversed_axes >> axis & 1u) == 0, "dimension ", axis, " is given twice");
    reversed_axes |= 1u << axis;
  }
  walk_builder loops;
  std::int32_t first = 0;
  for (std::size_t d = 0; check.ok() && d < rank; ++d) {
    const bool is_reversed = (reversed_axes >> d & 1u) != 0;
    if (is_reversed) first += (t.in.size(d) - 1) * t.from[d];
    loops.add(t.in.size(d), is_reversed ? -t.from[d] : t.from[d], t.to[d]);
  }
  return {loops, first};
}

/// Returns the loops that repeat the whole input along each dimension until it fills the output (`tile`, `broadcast_to`, `fill`). The
/// operand with the shape or the multiples is not read, because the program fixes the output's shape.
constexpr auto repeated(node_check& check, const moved_tensors& t) -> moving_loops {
  const auto rank = t.out.shape.size();
  walk_builder loops;
  if (!check.demand(t.in.shape.size() <= rank, "the output has fewer dimensions than the input")) return {};
  const auto missing = rank - t.in.shape.size();
  for (std::size_t d = 0; check.ok() && d < rank; ++d) {
    const auto size = d < missing ? 1 : t.in.size(d - missing);
    const auto step = d < missing ? 0 : t.from[d - missing];
    check.demand(t.out.size(d) % size == 0, "size ", size, " does not divide ", t.out.size(d));
    loops.add(t.out.size(d) / size, 0, t.to[d] * size);
    loops.add(size, step, t.to[d]);
  }
  return {loops};
}

/// Requires that each size of the input is 1 or equals the output's size along the same axis. `repeated` accepts every divisor of the
/// output size, but `broadcast_to` does not.
constexpr void check_broadcast(node_check& check, const moved_tensors& t) {
  for (std::size_t back = 1; check.ok() && back <= t.in.shape.size(); ++back) {
    const auto in = t.in.size(t.in.shape.size() - back);
    const auto out = t.out.size(t.out.shape.size() - back);
    check.demand(in == 1 || in == out, "size ", in, " does not broadcast to ", out);
  }
}

/// Returns the loops between depth and space, as in `lite/kernels/internal/reference/{depth_to_space,space_to_depth}.h`. Let b be the block
/// size. The deep tensor has the shape [N, H, W, b · b · C], the wide tensor the shape [N, b · H, b · W, C]. The channels of a pixel of the
/// deep tensor are one block of b · b pixels of the wide tensor, in row-major order. The C channels of each of these pixels are contiguous.
constexpr auto between_depth_and_space(node_check& check, const moved_tensors& t, bool is_to_space) -> moving_loops {
  const auto block = check.option("block_size", 0, 1, 0x7fff);
  const auto& deep = is_to_space ? t.in : t.out;
  const auto& wide = is_to_space ? t.out : t.in;
  const auto& deep_steps = is_to_space ? t.from : t.to;
  const auto& wide_steps = is_to_space ? t.to : t.from;
  if (!check.demand(deep.shape.size() == 4 && wide.shape.size() == 4, "input does not have four dimensions")) return {};
  const bool fits = deep.shape[0] == wide.shape[0] && deep.shape[1] * block == wide.shape[1] && deep.shape[2] * block == wide.shape[2] &&
                    deep.shape[3] == wide.shape[3] * block * block;
  if (!check.demand(fits, "blocks of ", block, " do not divide the input")) return {};
  const auto depth_bytes = wide.size(3) * t.bytes;
  walk_builder loops;
  const auto add = [&](std::int32_t count, std::int32_t deep_step, std::int32_t wide_step) {
    loops.add(count, is_to_space ? deep_step : wide_step, is_to_space ? wide_step : deep_step);
  };
  add(deep.size(0), deep_steps[0], wide_steps[0]);
  add(deep.size(1), deep_steps[1], wide_steps[1] * block);
  // The loops are in the order of the output, because the output may overlap the input.
  if (is_to_space) add(block, depth_bytes * block, wide_steps[1]);
  add(deep.size(2), deep_steps[2], wide_steps[2] * block);
  if (!is_to_space) add(block, depth_bytes * block, wide_steps[1]);
  add(block, depth_bytes, wide_steps[2]);
  add(wide.size(3), t.bytes, t.bytes);
  return {loops};
}

/// Describes a padding as in `micro/kernels/pad_common.cc`. The fill value is the third operand. If there is none, the fill value is 0, or
/// the output's zero point for quantized 8-bit types.
constexpr auto describe_padding(node_check& check, const moved_tensors& t, movement& plan) -> moving_loops {
  const auto paddings = check.constant_integers(1, "paddings");
  walk_builder loops;
  std::int32_t first = 0;
  for (std::size_t d = 0; check.ok() && d < t.in.shape.size(); ++d) {
    const auto before = paddings[2 * d];
    const auto after = paddings[2 * d + 1];
    if (!check.demand(before >= 0 && after >= 0, "padding of dimension ", d, " is negative")) break;
    first += static_cast<std::int32_t>(before) * t.to[d];
    loops.add(t.in.size(d), t.from[d], t.to[d]);
  }
  const moving_loops result{loops, 0, first};
  if (t.in.count == t.out.count) return result;
  if (check.has_input(2)) {
    const auto value = check.input(2, "value");
    check.demand(value.count == 1, "value has ", value.count, " elements, not 1");
    check.demand(value.type == t.out.type, "value is ", facts(value.type).name, ", output ", facts(t.out.type).name);
    if (t.out.is_int8() && t.out.quant.channels == 1 && value.quant.channels == 1) check.same_quantization(value, t.out);
    plan.filled = filling::third_operand;
    return result;
  }
  plan.filled = filling::byte;
  plan.fill_byte = filling_byte(check, t.out);
  return result;
}

constexpr auto describe_movement(const program_view& program, const node& record) -> node_description<movement> {
  node_check check{program, record};
  movement plan;
  const bool fills = record.is("tfl.fill");
  plan.moved_operand = fills ? 1 : 0;
  const bool pads = record.is("tfl.pad") || record.is("tfl.padv2");
  const auto t = check_moved(check, fills ? 1 : 0, pads);
  if (!check.ok()) return {check.verdict_so_far(), plan};
  plan.element_bytes = t.bytes;
  plan.output_bytes = t.out.count * t.bytes;
  moving_loops moves;
  if (record.is("tfl.transpose")) moves = transposed(check, t);
  if (record.is("tfl.slice")) moves = sliced(check, t);
  if (record.is("tfl.strided_slice")) moves = strided_slicing(check, program, record, t).build();
  if (record.is("tfl.reverse_v2")) moves = reversed(check, t);
  if (record.is("tfl.depth_to_space")) moves = between_depth_and_space(check, t, true);
  if (record.is("tfl.space_to_depth")) moves = between_depth_and_space(check, t, false);
  if (record.is("tfl.tile")) {
    check.demand(t.in.shape.size() == t.out.shape.size(), "output and input have different ranks");
    moves = repeated(check, t);
  }
  if (record.is("tfl.broadcast_to")) {
    moves = repeated(check, t);
    check_broadcast(check, t);
  }
  if (fills) {
    check.demand(t.in.count == 1, "value has ", t.in.count, " elements, not 1");
    moves = repeated(check, t);
  }
  if (pads) moves = describe_padding(check, t, plan);
  if (record.is("tfl.zeros_like")) {
    plan.filled = filling::byte;
  } else {
    plan.moved = moves.loops.build(check, t.bytes, moves.from, moves.to);
    plan.rows = rows_of(check, moves.loops, t.in, t.out, t.bytes, moves.from, moves.to);
  }
  node_description<movement> result{check.verdict_so_far(), plan};
  if (!check.ok() || plan.moved.run == 0) return result;
  auto& moved = result.facts.operands[static_cast<std::size_t>(plan.moved_operand)];
  moved.distance = distance_of_walk(plan.moved, t.in.count * t.bytes, plan.output_bytes);
  if (plan.rows.exist()) moved.window = {plan.rows.window, {0, 0, t.in.size(2)}};
  return result;
}

template <class T>
[[gnu::always_inline]] inline void fill_with(const char* value, std::int32_t count, char* to) {
  const auto number = load<T>(value);
  for (std::int32_t i = 0; i < count; ++i) store(to, i, number);
}
/// Fills `output_bytes` bytes with copies of one element. `bytes` is the size of the element: 1, 2, 4, 8 or 16.
[[gnu::always_inline]] inline void fill_with(const char* value, std::int32_t bytes, std::int32_t output_bytes, char* to) {
  const auto count = output_bytes / bytes;
  if (bytes == 1) return fill_with<std::uint8_t>(value, count, to);
  if (bytes == 2) return fill_with<std::uint16_t>(value, count, to);
  if (bytes == 4) return fill_with<std::uint32_t>(value, count, to);
  if (bytes == 8) return fill_with<std::uint64_t>(value, count, to);
  fill_with<std::array<std::uint64_t, 2>>(value, count, to);
}

/// Returns a function that fills bytes of the output to which no element is moved.
[[gnu::always_inline]] inline auto filler(const movement& plan, const node_memory& memory) {
  return [&plan, &memory](char* to, std::int32_t bytes) __attribute__((always_inline)) {
    if (plan.filled == filling::byte) std::memset(to, plan.fill_byte, static_cast<std::size_t>(bytes));
    if (plan.filled == filling::third_operand) fill_with(memory.inputs[2], plan.element_bytes, bytes, to);
  };
}

/// Divides a walk into chunks (see `kernel_facts::chunks`). A chunk moves at most 64 bytes, or a single run (`walk::run`) if runs are
/// longer.
constexpr auto chunks_of(const walk& along) -> nest_chunks<max_walk_loops> {
  std::array<std::int32_t, max_walk_loops> counts{};
  for (std::size_t loop = 0; loop < max_walk_loops; ++loop) counts[loop] = along.loops[loop].count;
  return {counts, along.run, elements_per_chunk};
}
/// True if a movement can be divided into chunks: it writes every element of the output, in ascending order.
constexpr auto has_chunks(const movement& plan) -> bool { return plan.filled == filling::none && ascends(plan.moved); }

/// A kernel that computes operators that move elements of whole bytes. Each operator is a walk over two tensors. The reference copies
/// elements unchanged, so this kernel does not check the quantization. It checks only the quantization of the fill value of an int8
/// padding.
struct move_elements {
  static constexpr literal_name operators[] = {"tfl.transpose",      "tfl.slice",          "tfl.strided_slice", "tfl.pad",
                                               "tfl.padv2",          "tfl.broadcast_to",   "tfl.tile",          "tfl.reverse_v2",
                                               "tfl.space_to_depth", "tfl.depth_to_space", "tfl.fill",          "tfl.zeros_like"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::movement> {
    auto result = detail::describe_movement(program, record);
    const auto& plan = result.plan;
    if (result.support && detail::has_chunks(plan)) detail::chunks_of(plan.moved).add_to(result.facts);
    if (!result.support || !plan.is_one_run()) return result;
    // If the output is a single contiguous part of the input, such as whole rows, the output may be a subview of the input.
    result.facts.subviews = {.offset = plan.moved.from, .whole_operand = static_cast<std::size_t>(plan.moved_operand)};
    return result;
  }
  [[gnu::always_inline]] static void compute(const detail::movement& plan, const node_memory& memory) {
    auto* const to = memory.outputs[0];
    const auto* const from = memory.inputs[plan.moved_operand];
    if (plan.is_one_run() && from + plan.moved.from == to) return;
    const auto fill = detail::filler(plan, memory);
    if (memory.order == write_order::ascending) {
      detail::copy_filled<write_order::ascending>(plan.moved, from, to, plan.output_bytes, fill);
    } else {
      detail::copy_filled<write_order::descending>(plan.moved, from, to, plan.output_bytes, fill);
    }
  }
  /// Computes the output rows [`first`, `last`). Available if the node has a window (see `row_window`).
  template <class Call>
    requires(detail::has_window<move_elements, Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<move_elements, Call>;
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      const auto fill = detail::filler(plan, memory);
      for (std::int32_t i = 0; i < last - first; ++i) {
        const auto row = first + nth(Call::order(), i, last - first);
        char* const to = memory.outputs[0] + row * plan.rows.row_bytes;
        const auto moved = row - plan.rows.first;
        if (moved < 0 || moved >= plan.rows.count) {
          fill(to, plan.rows.row_bytes);
        } else {
          const char* const from = memory.inputs[plan.moved_operand] + moved * plan.rows.step;
          detail::copy_filled<Call::order()>(plan.rows.row, from, to, plan.rows.row_bytes, fill);
        }
      }
    });
  }
  /// Computes the chunks [`first`, `last`), in ascending order (`detail::chunks_of`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& whole = node_plan<move_elements, Call>.moved;
    constexpr auto chunks = detail::chunks_of(whole);
    const char* const from = call.template input<static_cast<std::size_t>(node_plan<move_elements, Call>.moved_operand)>();
    auto part = whole;
    for (std::size_t outer = 0; outer < chunks.loop; ++outer) part.loops[outer].count = 1;
    chunks.for_executions(first, last, [&](const auto& begin, std::int32_t iterations) {
      part.loops[chunks.loop].count = iterations;
      std::ptrdiff_t source = whole.from;
      std::ptrdiff_t destination = whole.to;
      for (std::size_t loop = 0; loop <= chunks.loop; ++loop) {
        source += begin[loop] * whole.loops[loop].from;
        destination += begin[loop] * whole.loops[loop].to;
      }
      detail::copy_in_order<write_order::ascending, 0>(part, from + source, call.template output<0>() + destination,
                                                       [](char*, std::int32_t) {});
    });
  }
};
static_assert(kernel<move_elements>);

}  // namespace detail

}  // namespace baton::portable
