// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that join tensors along an axis or split them; every dtype of whole bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/inference.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// The maximum number of parts of different sizes. The number of equal parts is not limited.
inline constexpr std::size_t max_parts = 64;

/// The compile-time plan that joins parts to a whole, or splits a whole into parts. The whole has `rows` rows. Each row contains the bytes
/// of one row of each part, in the order of the parts.
struct joint {
  std::int32_t rows = 1;
  std::int32_t row_bytes = 0;  ///< of the whole
  std::int32_t parts = 0;
  std::int32_t part_bytes = 0;  ///< of each part in a row; 0 if the parts differ or are empty
  std::array<std::int32_t, max_parts> bytes_of{};
  std::int32_t whole_operand = 0;  ///< of a split: the operand that is split

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

/// Sets the number of rows of the whole, the product of the dimensions before the axis, and the bytes of a row.
constexpr void describe_whole(node_check& check, const operand& whole, const joined_axis& axis, joint& plan) {
  if (!check.demand(axis.dimension < whole.shape.size(), "there is no such dimension")) return;
  const auto bytes = moved_bytes(check, whole, "the joined tensor");
  for (std::size_t d = 0; d < axis.dimension; ++d) plan.rows *= whole.size(d);
  plan.row_bytes = whole.count / plan.rows * bytes;
}
/// Adds a part, which may differ from the whole only along the axis.
constexpr void describe_part(node_check& check, const operand& whole, const operand& part, const joined_axis& axis, joint& plan) {
  check.demand(part.type == whole.type, "a part is ", facts(part.type).name, ", the whole ", facts(whole.type).name);
  check.demand(part.shape.size() + (axis.is_in_parts ? 0 : 1) == whole.shape.size(), "a part has rank ", part.shape.size());
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
constexpr void check_sum(node_check& check, const joint& plan) {
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
    check.demand(check.per_tensor(part, "input").zero_point == 0, "input of int16 has a zero point");
    check.demand(check.per_tensor(whole, "output").zero_point == 0, "output of int16 has a zero point");
  }
}

/// Returns the facts of a node. If the whole has one row, the parts are adjacent subviews of it, and need not be copied.
constexpr auto facts_of_parts(const joint& plan, std::size_t whole_operand) -> kernel_facts {
  kernel_facts result;
  if (plan.rows == 1) result.subviews = {.offset = 0, .whole_operand = whole_operand};
  return result;
}

constexpr auto describe_join(const program_view& program, const node& record) -> node_description<joint> {
  node_check check{program, record};
  check.conforms();
  const bool is_pack = record.is("tfl.pack");
  const auto whole = check.output();
  const joined_axis axis{inference::dimension(program.integer(record, "axis", 0), whole.shape.size()), whole.shape.size(), !is_pack};
  joint plan;
  if (check.ok()) describe_whole(check, whole, axis, plan);
  for (std::size_t i = 0; check.ok() && i < record.inputs.size; ++i) {
    const auto part = check.input_or_empty(i, "input");
    describe_part(check, whole, part, axis, plan);
    if (!is_pack && part.count != 0) check_part_quantization(check, part, whole);
  }
  if (!is_pack) {
    const auto fused = check.fused();
    check.demand(fused == quantized::activation::none, "there is a fused activation");
  }
  check_sum(check, plan);
  return {check.verdict_so_far(), plan, facts_of_parts(plan, npos)};
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
    if (check.demand(axes.count == 1, "axis has ", axes.count, " numbers")) stated = axes[0];
  }
  const joined_axis axis{inference::dimension(stated, whole.shape.size()), whole.shape.size(), !is_unpack};
  if (check.ok()) describe_whole(check, whole, axis, plan);
  for (std::size_t i = 0; check.ok() && i < record.outputs.size; ++i) describe_part(check, whole, check.output_or_empty_at(i), axis, plan);
  check_sum(check, plan);
  return {check.verdict_so_far(), plan, facts_of_parts(plan, static_cast<std::size_t>(plan.whole_operand))};
}

/// Calls `copy(part, in_whole, in_part, bytes)` for each row of a part. `in_whole` and `in_part` are offsets in bytes. `first` is the
/// offset of the part in a row of the whole, in bytes. Returns the offset of the next part.
template <class F>
[[gnu::always_inline]] inline auto for_rows(const joint& plan, std::int32_t part, std::int32_t first, const F& copy) -> std::int32_t {
  const auto bytes = plan.bytes(part);
  if (bytes == 0) return first;
  for (std::int32_t row = 0; row < plan.rows; ++row) {
    copy(static_cast<std::size_t>(part), row * plan.row_bytes + first, row * bytes, static_cast<std::size_t>(bytes));
  }
  return first + bytes;
}
/// Calls `copy` for each row of each part. The loop over the first four parts is unrolled. Their sizes are then constants, and copies of a
/// few bytes are inlined.
template <class F>
[[gnu::always_inline]] inline void for_parts(const joint& plan, const F& copy) {
  constexpr std::int32_t unrolled = 4;
  std::int32_t first = 0;
  if (plan.parts > 0) first = for_rows(plan, 0, first, copy);
  if (plan.parts > 1) first = for_rows(plan, 1, first, copy);
  if (plan.parts > 2) first = for_rows(plan, 2, first, copy);
  if (plan.parts > 3) first = for_rows(plan, 3, first, copy);
  for (auto part = unrolled; part < plan.parts; ++part) first = for_rows(plan, part, first, copy);
}

/// Copies a part. If the whole has one row, the part may already be in its place; it is not copied then. `memmove` is used in this case,
/// because GCC at -O1 warns of a `memcpy` that is never executed.
[[gnu::always_inline]] inline void copy_part(const joint& plan, const char* from, char* to, std::size_t bytes) {
  if (plan.rows != 1) {
    std::memcpy(to, from, bytes);
  } else if (from != to) {
    std::memmove(to, from, bytes);
  }
}

/// `tfl.concatenation`, and `tfl.pack`, whose operands do not have the axis.
struct join_parts {
  static constexpr literal_name operators[] = {"tfl.concatenation", "tfl.pack"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::joint> {
    return detail::describe_join(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::joint& plan, const node_memory& at) {
    detail::for_parts(plan, [&](std::size_t part, std::int32_t in_whole, std::int32_t in_part, std::size_t bytes) __attribute__((
                                always_inline)) { detail::copy_part(plan, at.inputs[part] + in_part, at.outputs[0] + in_whole, bytes); });
  }
};
static_assert(kernel<join_parts>);

/// `tfl.split`, `tfl.split_v`, and `tfl.unpack`, whose outputs do not have the axis.
struct split_parts {
  static constexpr literal_name operators[] = {"tfl.split", "tfl.split_v", "tfl.unpack"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::joint> {
    return detail::describe_split(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::joint& plan, const node_memory& at) {
    detail::for_parts(plan,
                      [&](std::size_t part, std::int32_t in_whole, std::int32_t in_part, std::size_t bytes) __attribute__((always_inline)) {
                        detail::copy_part(plan, at.inputs[plan.whole_operand] + in_whole, at.outputs[part] + in_part, bytes);
                      });
  }
};
static_assert(kernel<split_parts>);

}  // namespace detail

}  // namespace baton::portable
