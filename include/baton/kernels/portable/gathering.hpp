// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that read or write parts of a tensor at positions that need not be constants: `gather`, `gather_nd`, `embedding_lookup`,
// `dynamic_update_slice`, `slice`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/positions.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/inference.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a gathering. The operands are a table and positions, both divided into `batches` batches. A batch has `count`
/// positions, and `outer` blocks of the table, which have equal sizes. For each position, one slice (a range of contiguous elements) is
/// copied from each block of the same batch.
struct gathering {
  std::int32_t table = 0;  ///< the operand that contains the slices
  std::int32_t batches = 1;
  std::int32_t outer = 1;
  std::int32_t block_bytes = 0;
  std::int32_t count = 1;  ///< the number of positions per batch
  std::int32_t slice_bytes = 1;
  positions at{};
  std::int32_t is_hybrid = 0;  ///< whether int8 slices become float32
  float scale = 1;             ///< the scale of a hybrid table

  /// Returns the size of a slice in the output, in bytes.
  constexpr auto out_slice_bytes() const -> std::int32_t { return is_hybrid != 0 ? 4 * slice_bytes : slice_bytes; }
};

/// Describes `tfl.gather` as in `micro/kernels/gather.cc`. The first `batch_dims` dimensions of the table and of the positions must be
/// equal.
constexpr void describe_gather(node_check& check, const program_view& program, const node& record, const operand& table,
                               const operand& indices, std::int32_t bytes, gathering& plan) {
  const auto rank = table.shape.size();
  const auto axis = inference::dimension(program.integer(record, "axis", 0), rank);
  const auto stated = program.integer(record, "batch_dims", 0);
  // A negative `batch_dims` is relative to the rank of the positions: -1 means the rank minus 1.
  const auto depth = inference::dimension(stated < 0 ? stated - 1 : stated, indices.shape.size() + 1);
  check.demand(axis < rank && depth <= axis && depth <= indices.shape.size(), "the axis or batch_dims ", stated, " is out of range");
  for (std::size_t d = 0; check.ok() && d < depth; ++d) {
    check.demand(table.shape[d] == indices.shape[d], "dimension ", d, " of the input is ", table.shape[d], ", of the positions ",
                 indices.shape[d]);
    plan.batches *= table.size(d);
  }
  if (!check.ok()) return;
  for (auto d = depth; d < axis; ++d) plan.outer *= table.size(d);
  for (auto d = axis + 1; d < rank; ++d) bytes *= table.size(d);
  plan.slice_bytes = bytes;
  plan.block_bytes = bytes * table.size(axis);
  plan.count = indices.count / plan.batches;
  plan.at.axes[0] = {table.size(axis), bytes};
}

/// Describes `tfl.gather_nd` as in `micro/kernels/gather_nd.cc`. Each row of `indices`, along its last dimension, is one position.
constexpr void describe_gather_nd(node_check& check, const operand& table, const operand& indices, std::int32_t bytes, gathering& plan) {
  const byte_steps steps(table.shape, bytes);
  choose_dimensions(check, table, indices, steps, plan.at);
  plan.count = indices.count / plan.at.index_count;
  plan.slice_bytes = steps[static_cast<std::size_t>(plan.at.index_count) - 1];
}

/// Describes `tfl.embedding_lookup`, which copies rows of a table, as in `micro/kernels/embedding_lookup.cc`. The output of an int8 table
/// may be float32; each element is then multiplied by the table's scale.
constexpr void describe_lookup(node_check& check, const operand& table, const operand& indices, const operand& out, std::int32_t bytes,
                               gathering& plan) {
  plan.count = indices.count;
  plan.slice_bytes = table.count / table.size(0) * bytes;
  plan.at.axes[0] = {table.size(0), plan.slice_bytes};
  if (table.type == out.type) return;
  check.demand(table.is_int8() && out.is_float(), "the table is ", facts(table.type).name, ", output ", facts(out.type).name);
  const auto quant = check.per_tensor(table, "table");
  check.demand(quant.zero_point == 0, "the table has zero point ", quant.zero_point);
  plan.is_hybrid = 1;
  plan.scale = quant.scale;
}

constexpr auto describe_gathering(const program_view& program, const node& record) -> node_description<gathering> {
  node_check check{program, record};
  check.conforms();
  const bool is_lookup = record.is("tfl.embedding_lookup");
  gathering plan;
  plan.table = is_lookup ? 1 : 0;
  const auto table = check.input(is_lookup ? 1 : 0, "input");
  const auto indices = check.input(is_lookup ? 0 : 1, "position");
  const auto out = check.output();
  const auto bytes = moved_bytes(check, table, "input");
  plan.at = describe_positions(check, indices);
  if (!is_lookup) check.same_type(table, out);
  if (!check.ok()) return {check.verdict_so_far(), plan};
  if (is_lookup) {
    describe_lookup(check, table, indices, out, bytes, plan);
  } else if (record.is("tfl.gather_nd")) {
    describe_gather_nd(check, table, indices, bytes, plan);
  } else {
    describe_gather(check, program, record, table, indices, bytes, plan);
  }
  const auto gathered = std::int64_t{plan.batches} * plan.outer * plan.count * (plan.slice_bytes / bytes);
  check.demand(gathered == out.count, "output has ", out.count, " elements, but ", gathered, " are gathered");
  return {check.verdict_so_far(), plan};
}

/// Copies a slice, and converts it to float32 if the plan is hybrid.
[[gnu::always_inline]] inline void copy_slice(const gathering& plan, const char* from, char* to) {
  if (plan.is_hybrid == 0) {
    std::memcpy(to, from, static_cast<std::size_t>(plan.slice_bytes));
    return;
  }
  for (std::int32_t i = 0; i < plan.slice_bytes; ++i) store(to, i, plan.scale * static_cast<float>(load<std::int8_t>(from, i)));
}

/// The compile-time plan of a copy between a tensor (the part) and a region of the same shape in another tensor (the whole). The position
/// of the region is only known at run time.
struct placed_part {
  std::int32_t whole_bytes = 0;
  positions at{};
  walk moved{};
};

/// Describes a copy between `part` and the region of `whole` at position `begin`. If `is_read` is true, the region is copied to the part,
/// otherwise the part is copied to the region. `begin` is clamped, so that the region is inside the whole.
constexpr auto describe_placed_part(node_check& check, const operand& whole, const operand& part, const operand& begin, bool is_read)
    -> placed_part {
  placed_part plan;
  const auto bytes = moved_bytes(check, whole, "input");
  check.demand(part.type == whole.type, "the part is ", facts(part.type).name, ", the whole ", facts(whole.type).name);
  check.demand(part.shape.size() == whole.shape.size(), "the part has rank ", part.shape.size(), ", but the whole has rank ",
               whole.shape.size());
  plan.at = describe_positions(check, begin);
  check.demand(static_cast<std::size_t>(begin.count) == whole.shape.size(), "begin has ", begin.count, " numbers for ", whole.shape.size(),
               " dimensions");
  if (!check.ok()) return plan;
  plan.whole_bytes = whole.count * bytes;
  plan.at.index_count = begin.count;
  const byte_steps in_part(part.shape, bytes);
  const byte_steps in_whole(whole.shape, bytes);
  walk_builder loops;
  for (std::size_t d = 0; d < whole.shape.size(); ++d) {
    check.demand(part.size(d) <= whole.size(d), "dimension ", d, " of the part is ", part.size(d), ", of the whole ", whole.size(d));
    plan.at.axes[d] = {whole.size(d) - part.size(d) + 1, in_whole[d]};
    loops.add(part.size(d), is_read ? in_whole[d] : in_part[d], is_read ? in_part[d] : in_whole[d]);
  }
  plan.moved = loops.build(check, bytes);
  return plan;
}

/// Describes `tfl.dynamic_update_slice` as in `micro/kernels/dynamic_update_slice.cc`.
constexpr auto describe_update(const program_view& program, const node& record) -> node_description<placed_part> {
  node_check check{program, record};
  check.conforms();
  const auto whole = check.input(0, "input");
  const auto part = check.input_or_empty(1, "update");
  const auto plan = describe_placed_part(check, whole, part, check.input(2, "begin"), false);
  return {check.verdict_so_far(), plan};
}

/// Describes `tfl.slice` as in `micro/kernels/slice.cc`. The shape of the output is the size of the slice.
constexpr auto describe_slice_at(const program_view& program, const node& record) -> node_description<placed_part> {
  node_check check{program, record};
  check.conforms();
  const auto whole = check.input(0, "input");
  const auto begin = check.input(1, "begin");
  const auto plan = describe_placed_part(check, whole, check.output(), begin, true);
  return {check.verdict_so_far(), plan};
}

/// A kernel that computes `tfl.gather`, `tfl.gather_nd` and `tfl.embedding_lookup`. Supports every dtype with elements of whole bytes.
struct gather {
  static constexpr literal_name operators[] = {"tfl.gather", "tfl.gather_nd", "tfl.embedding_lookup"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::gathering> {
    auto result = detail::describe_gathering(program, record);
    if (result.support) result.facts.chunks = std::max<std::int32_t>(1, result.plan.batches * result.plan.outer * result.plan.count);
    return result;
  }
  /// Computes the chunks [`first`, `last`), each of one slice (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<gather, Call>;
    const char* const from = call.template input<plan.table>();
    const char* const indices = call.template input<1 - plan.table>();
    detail::for_row_ranges(plan.count, first, last, [&](std::int32_t block, std::int32_t begin, std::int32_t end) {
      for (auto i = begin; i < end; ++i) {
        detail::copy_slice(plan, from + block * plan.block_bytes + plan.at.offset(indices, block / plan.outer * plan.count + i),
                           call.template output<0>() + (block * plan.count + i) * plan.out_slice_bytes());
      }
    });
  }
  [[gnu::always_inline]] static void compute(const detail::gathering& plan, const node_memory& memory) {
    const auto* from = memory.inputs[plan.table];
    const auto* indices = memory.inputs[1 - plan.table];
    auto* to = memory.outputs[0];
    const auto out_bytes = plan.out_slice_bytes();
    for (std::int32_t batch = 0; batch < plan.batches; ++batch) {
      for (std::int32_t outer = 0; outer < plan.outer; ++outer, from += plan.block_bytes) {
        for (std::int32_t i = 0; i < plan.count; ++i, to += out_bytes) {
          detail::copy_slice(plan, from + plan.at.offset(indices, batch * plan.count + i), to);
        }
      }
    }
  }
};
static_assert(kernel<gather>);

/// A kernel that computes `tfl.dynamic_update_slice`. Supports every dtype with elements of whole bytes.
struct dynamic_update_slice {
  static constexpr literal_name operators[] = {"tfl.dynamic_update_slice"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::placed_part> {
    return detail::describe_update(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::placed_part& plan, const node_memory& memory) {
    std::memcpy(memory.outputs[0], memory.inputs[0], static_cast<std::size_t>(plan.whole_bytes));
    detail::copy(plan.moved, memory.inputs[1], memory.outputs[0] + plan.at.offset(memory.inputs[2], 0));
  }
};
static_assert(kernel<dynamic_update_slice>);

/// A kernel that computes `tfl.slice` with a `begin` that is computed at run time. Supports every dtype with elements of whole bytes.
struct slice_at {
  static constexpr literal_name operators[] = {"tfl.slice"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::placed_part> {
    const bool has_constant_begin = record.inputs.size > 1 && known_integers::in(program, program.inputs(record)[1]).are_known;
    if (has_constant_begin) return {refuse()};  // `move_elements` computes such a slice
    return detail::describe_slice_at(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::placed_part& plan, const node_memory& memory) {
    detail::copy(plan.moved, memory.inputs[0] + plan.at.offset(memory.inputs[1], 0), memory.outputs[0]);
  }
};
static_assert(kernel<slice_at>);

}  // namespace detail

}  // namespace baton::portable
