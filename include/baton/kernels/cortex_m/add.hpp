// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums and differences of int8 tensors for a Cortex-M, by table lookup.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/outputs.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/element_rows.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m {

namespace detail {

/// The plan of the sum of two tensors of equal shape. Each operand has a table with an entry for each of the 256 int8 numbers. An entry is
/// the difference of its int8 number and the zero point, rescaled as in `portable::pairwise`. For `tfl.add` and `tfl.sub`, the unit of an
/// entry is 2^-19 times the larger of the two operand scales. Stored entries are also multiplied by 2^`scale_bits`.
struct sum_of_tables {
  static constexpr std::int32_t scale_bits = 2;
  static constexpr std::int32_t table_entries = 256;

  std::int32_t count = 0;  ///< the number of output elements
  scaled_requantization by{};
  portable::flag corrects_ties = 0;  ///< whether negative sums need the correction (`correction_of`)
  quantized::bounds<std::int32_t> range{};
};
static_assert(portable::has_no_padding<sum_of_tables>);

/// Returns the table entry of `number`, before the scaling by 2^`scale_bits`. Entries of a subtrahend are negated.
constexpr auto sum_entry(const portable::detail::pairing& plan, bool is_right, std::int32_t number) -> std::int32_t {
  const auto& operand = is_right ? plan.right : plan.left;
  const auto result = quantized::requantize((number - operand.zero_point) * (1 << 20), operand.by);
  return is_right && plan.kind.function == portable::detail::pair_function::sub ? -result : result;
}

/// Returns the bounds of a sum of two entries, one from each table. Entries are monotonic in the number, so the bounds follow from the
/// entries of -128 and 127.
constexpr auto table_sum_bounds(const portable::detail::pairing& plan) -> quantized::bounds<std::int64_t> {
  quantized::bounds<std::int64_t> result;
  for (const bool is_right : {false, true}) {
    const std::int64_t a = sum_entry(plan, is_right, -128);
    const std::int64_t b = sum_entry(plan, is_right, 127);
    result.lower += a < b ? a : b;
    result.upper += a < b ? b : a;
  }
  return result;
}

constexpr auto describe_sum(const program_view& program, const node& record, const options& with) -> node_description<sum_of_tables> {
  using portable::detail::pair_function;
  sum_of_tables plan;
  auto description = portable::pairwise::describe(program, record);
  if (!description.support) return {std::move(description.support), plan};
  const auto& pair_plan = description.plan;
  plan.count = static_cast<std::int32_t>(element_count(program.shape(program.outputs_of(record)[0])));
  if (pair_plan.kind.type != static_cast<std::int32_t>(dtype::int8)) return {refuse("tables of sums support only int8"), plan};
  if (!pair_plan.loops.is_whole(0) || !pair_plan.loops.is_whole(1)) return {refuse("an operand of the sum is broadcast"), plan};
  // The tables take 2 KiB of flash, so they are worthwhile only for hundreds of elements.
  if (with.optimize == optimize_for::code_size) return {refuse("tables of sums are disabled by optimize_for::code_size"), plan};
  if (plan.count < 512) return {refuse(plan.count, " elements are too few for tables of 2 KiB"), plan};
  const channel_requantization rule{pair_plan.by.value, -pair_plan.by.shift, pair_plan.zero_point, pair_plan.range};
  if (rule.right <= 0 || rule.right + sum_of_tables::scale_bits > 32)
    return {refuse("the sum needs a right shift by ", rule.right, ", which tables of sums do not support"), plan};
  if (!fits_scaled(table_sum_bounds(pair_plan), rule, sum_of_tables::scale_bits))
    return {refuse("the scaled sums may not fit 32 bits"), plan};
  plan.by = scaled_by(rule, sum_of_tables::scale_bits);
  plan.corrects_ties = rule.hides_negative_rounding() ? 0 : 1;
  plan.range = pair_plan.range;
  return {accept(), plan};
}

/// Computes the elements [`first`, `plan.count`) in portable C++.
inline void add_plainly(const sum_of_tables& plan, const char* tables, const char* left, const char* right, char* to, std::int32_t first) {
  for (auto i = first; i < plan.count; ++i) {
    const auto sum = portable::load<std::int32_t>(tables, portable::load<std::uint8_t>(left, i)) +
                     portable::load<std::int32_t>(tables, sum_of_tables::table_entries + portable::load<std::uint8_t>(right, i));
    const auto correction = plan.corrects_ties != 0 ? correction_of(sum, 1, sum_of_tables::scale_bits) : 0;
    portable::store(to, i, static_cast<std::int8_t>(requantize_scaled(sum, plan.by, correction)));
  }
}

#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'

/// Computes four elements per iteration until `to` reaches `end`. An element takes 8 instructions, or 10 with the correction
/// (`correction_of`). The operands of an element are read before the element is written. Registers are assigned explicitly, because GCC
/// runs out of registers without optimization.
template <std::int32_t Shift, bool RoundsAway>
[[gnu::noinline]] inline void add_fours(const char* tables, const char* left, const char* right, char* to, const char* end,
                                        std::int32_t multiplier, std::int32_t offset) {
  register const char* left_table asm("r4") = tables;
  register const char* right_table asm("r5") = tables + 4 * sum_of_tables::table_entries;
  register const char* from_left asm("r0") = left;
  register const char* from_right asm("r1") = right;
  register char* out asm("r2") = to;
  register const char* last asm("r3") = end;
  register std::int32_t by asm("r6") = multiplier;
  register std::int32_t constant asm("r8") = offset;
  asm volatile(
      "1:\n .irp at,0,1,2,3\n"
      " ldrb r9,[r0,#\\at]\n ldrb r10,[r1,#\\at]\n"
      " ldr r9,[r4,r9,lsl #2]\n ldr r10,[r5,r10,lsl #2]\n add r9,r9,r10\n"
      ".if %c[rounds]\n asr r10,r9,#31\n .endif\n"
      " smmla r9,r9,r6,r8\n"
      ".if %c[rounds]\n add r9,r9,r10,lsl #1\n .endif\n"
      " ssat r9,#8,r9,asr %[shift]\n strb r9,[r2,#\\at]\n"
      ".endr\n"
      " add r0,r0,#4\n add r1,r1,#4\n add r2,r2,#4\n cmp r2,r3\n bne 1b\n"
      : "+r"(from_left), "+r"(from_right), "+r"(out)
      : "r"(left_table), "r"(right_table), "r"(last), "r"(by), "r"(constant), [rounds] "i"(RoundsAway ? 1 : 0), [shift] "i"(Shift)
      : "r9", "r10", "cc", "memory");
}

#endif

/// A kernel that computes `tfl.add` and `tfl.sub`, and `baton.add` and `baton.sub`, on two int8 tensors of equal shape, with any fused
/// activation. Requires `optimize_for::speed`, at least 512 elements, and scaled sums that provably fit 32 bits. Also requires that the
/// requantization of the sum shifts right by 1 to 30 bits. Results are bit-identical to `portable::pairwise`. Elements are written in
/// ascending order, each after its operands are read. So the output may share the memory of either operand.
template <options Options = options{}>
struct add : portable::detail::element_rows<add<Options>> {
  static constexpr literal_name operators[] = {"tfl.add", "tfl.sub", "baton.add", "baton.sub"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::sum_of_tables> {
    auto result = detail::describe_sum(program, record, Options);
    if (!result.support) return result;
    result.facts.prepared = {2, detail::sum_of_tables::table_entries};
    // Each output element depends on the elements of the operands at the same position. So each output pixel depends on one pixel of each
    // operand. Elements are written in ascending order.
    result.facts.operands[0] = result.facts.operands[1] = {.distance = {.ascending = 0}, .window = {}};
    portable::detail::add_element_chunks(result.plan.count, result.facts);
    return result;
  }
  /// Computes the node in portable C++.
  static void compute(const detail::sum_of_tables& plan, const node_memory& memory) {
    detail::add_plainly(plan, memory.prepared.data(), memory.inputs[0], memory.inputs[1], memory.outputs[0], 0);
    detail::clamp_outputs(plan.range, memory.outputs[0], plan.count);
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    const auto pair_plan = portable::pairwise::describe(program, record).plan;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto byte = static_cast<std::uint8_t>(i);
      const bool is_right = first + i / detail::sum_of_tables::table_entries != 0;
      to[i] = detail::sum_entry(pair_plan, is_right, static_cast<std::int8_t>(byte)) * (1 << detail::sum_of_tables::scale_bits);
    }
  }

  using portable::detail::element_rows<add<Options>>::compute;
  /// Computes the output elements [`begin`, `end`).
  template <class Call>
  static void compute_range(const Call& call, std::int32_t begin, std::int32_t end) {
    constexpr const auto& all = node_plan<add, Call>;
    auto plan = all;
    plan.count = end - begin;
    const char* tables = reinterpret_cast<const char*>(call.prepared().data());
    const char* left = call.template input<0>() + begin;
    const char* right = call.template input<1>() + begin;
    char* to = call.template output<0>() + begin;
    std::int32_t first = 0;
#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'
    first = plan.count / 4 * 4;
    if (first != 0)
      detail::add_fours<all.by.shift, all.corrects_ties != 0>(tables, left, right, to, to + first, plan.by.multiplier, plan.by.offset);
#endif
    detail::add_plainly(plan, tables, left, right, to, first);
    detail::clamp_outputs(plan.range, to, plan.count);
  }
};
static_assert(kernel<add<>>);

}  // namespace detail

}  // namespace baton::cortex_m
