// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums and differences of int8 tensors for a Cortex-M with Helium.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/pairing.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/helium/detail/element_output.hpp>
#include <baton/kernels/helium/detail/pair_kernel.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::helium {

namespace detail {

/// The plan of a sum of two terms, one per operand. One operand has a rescaling factor r that is a power of two. The term of this operand
/// is exactly `scaled_factor` · (value − zero point). Here, `scaled_factor` is 2^20 · r, or −2^20 · r for a subtracted operand. The terms
/// of the other operand are in a table with an entry for each of the 256 int8 values. Each entry also includes −`scaled_factor` · z, where
/// z is the zero point of the operand without a table. The operand without a table then adds only `scaled_factor` · value.
struct table_sum {
  std::int32_t count = 0;            ///< the number of output elements
  portable::flag left_is_table = 0;  ///< whether the table has the terms of the left operand
  std::int32_t scaled_factor = 0;    ///< the factor of the operand without a table
  element_output output{};
};
static_assert(portable::has_no_padding<table_sum>);

/// True if rescaling multiplies the operand's (value − zero point) exactly by a power of two.
constexpr auto is_power_of_two(const portable::detail::scaled_operand& operand) -> bool {
  return operand.by.value == 1 << 30 && operand.by.shift > -20;
}

/// Returns the term that an operand with the quantized value `number` adds to the sum, as `portable::pairwise` computes it.
constexpr auto sum_term(const portable::detail::pairing& plan, bool is_right, std::int32_t number) -> std::int32_t {
  const auto& operand = is_right ? plan.right : plan.left;
  const auto result = quantized::requantize((number - operand.zero_point) * (1 << 20), operand.by);
  return is_right && plan.kind.function == portable::detail::pair_function::sub ? -result : result;
}

#if defined(__ARM_FEATURE_MVE)

/// Computes `blocks` blocks of 16 elements. Four elements take at least 8 instructions: two loads, a load from the table, two
/// multiplications, two narrowing shifts, and a store. The correction of negative sums (`corrects_ties`) and the
/// clamping of outputs take additional instructions.
template <element_output Output>
[[gnu::noinline]] inline void add_blocks(const std::int32_t* table, const char* numbers, const char* table_numbers, char* to,
                                         std::int32_t scaled_factor, std::int32_t blocks) {
  asm volatile(
      "vdup.32 q7, %[multiplier]\n"
      "vdup.8 q6, %[lower]\n"
      "vdup.8 q5, %[upper]\n"
      "dls lr, %[blocks]\n"
      "1:\n"
      ".rept 4\n"
      "vldrb.u32 q1, [%[table_numbers]], #4\n"
      "vldrb.s32 q0, [%[numbers]], #4\n"
      "vldrw.u32 q2, [%[table], q1, uxtw #2]\n"
      "vmla.s32 q2, q0, %[scaled_factor]\n"
      ".if %c[corrects_ties]\n vshr.s32 q3, q2, #31\n .endif\n"
      "vqrdmlash.s32 q2, q7, %[addend]\n"
      ".if %c[corrects_ties]\n vadd.i32 q2, q2, q3\n .endif\n"
      ".if %c[second_shift]\n vshrnb.i32 q2, q2, %[first_shift]\n .else\n vqrshrnb.s32 q2, q2, %[first_shift]\n .endif\n"
      ".if %c[second_shift]\n vqrshrnb.s16 q2, q2, %[second_shift]\n .else\n vqmovnb.s16 q2, q2\n .endif\n"
      ".if %c[has_lower]\n vmax.s8 q2, q2, q6\n .endif\n"
      ".if %c[has_upper]\n vmin.s8 q2, q2, q5\n .endif\n"
      "vstrb.32 q2, [%[to]], #4\n"
      ".endr\n"
      "le lr, 1b\n"
      : [numbers] "+r"(numbers), [table_numbers] "+r"(table_numbers), [to] "+r"(to)
      : [table] "r"(table), [scaled_factor] "r"(scaled_factor), [addend] "r"(Output.addend), [multiplier] "r"(Output.multiplier),
        [lower] "r"(Output.range.lower), [upper] "r"(Output.range.upper), [blocks] "r"(blocks), [first_shift] "i"(Output.first_shift()),
        [second_shift] "i"(Output.second_shift()), [corrects_ties] "i"(Output.corrects_ties),
        [has_lower] "i"(Output.range.lower > INT8_MIN), [has_upper] "i"(Output.range.upper < INT8_MAX)
      : "q0", "q1", "q2", "q3", "q5", "q6", "q7", "lr", "cc", "memory");
}

#endif

/// A kernel that computes `tfl.add` and `tfl.sub`, and `baton.add` and `baton.sub`, on two int8 tensors of equal shape, with any fused
/// activation. Requires at least 512 elements, and a right shift of the sum by 1 to 22 bits. The rescaling factor of at least one operand
/// must be a power of two. For `tfl.add` and `tfl.sub`, this is always true, because the operand with the larger scale has the factor 1/2.
/// Results are bit-identical to `portable::pairwise`.
struct add : detail::pair_kernel<add, detail::table_sum> {
  static constexpr literal_name operators[] = {"tfl.add", "tfl.sub", "baton.add", "baton.sub"};
  static constexpr std::int32_t table_entries = 256;
  static constexpr std::int32_t block = 16;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::table_sum> {
    auto result = detail::pair_kernel<add, detail::table_sum>::describe(program, record);
    // The table takes 1 KiB of flash, so it is worthwhile only for hundreds of elements.
    if (result.support && result.plan.count < 512) result.support = refuse(result.plan.count, " elements are too few for a table of 1 KiB");
    if (result.support) result.facts.prepared = {1, table_entries};
    return result;
  }

  static constexpr auto check(const portable::detail::pairing& plan) -> verdict {
    if (is_power_of_two(plan.left) || is_power_of_two(plan.right)) return accept();
    return refuse("the factor of neither operand is a power of two");
  }
  static constexpr auto plan_of(const portable::detail::pairing& plan) -> detail::table_sum {
    const bool left_is_table = !is_power_of_two(plan.left);
    const auto& operand = left_is_table ? plan.right : plan.left;
    const auto scaled_factor = sum_term(plan, left_is_table, operand.zero_point + 1);
    return {0, left_is_table ? 1 : 0, scaled_factor, element_output_of(plan)};
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t, span<std::int32_t> to) {
    const auto plan = portable::pairwise::describe(program, record).plan;
    const auto sum = plan_of(plan);
    const bool is_right = sum.left_is_table == 0;
    const auto constant = sum.scaled_factor * (is_right ? plan.left : plan.right).zero_point;
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = sum_term(plan, is_right, static_cast<std::int8_t>(static_cast<std::uint8_t>(i))) - constant;
    }
  }

  static void compute_elements(const detail::table_sum& plan, const std::int32_t* table, const char* left, const char* right, char* to) {
    const char* table_numbers = plan.left_is_table != 0 ? left : right;
    const char* numbers = plan.left_is_table != 0 ? right : left;
    for (std::int32_t i = 0; i < plan.count; ++i) {
      const auto sum = portable::load<std::int8_t>(numbers, i) * plan.scaled_factor + table[portable::load<std::uint8_t>(table_numbers, i)];
      portable::store(to, i, static_cast<std::int8_t>(plan.output.of(sum)));
    }
  }

#if defined(__ARM_FEATURE_MVE)
  template <detail::element_output Output>
  static void compute_blocks(const detail::table_sum& plan, const std::int32_t* table, const char* left, const char* right, char* to,
                             std::int32_t blocks) {
    const bool left_is_table = plan.left_is_table != 0;
    detail::add_blocks<Output>(table, left_is_table ? right : left, left_is_table ? left : right, to, plan.scaled_factor, blocks);
  }
#endif
};
static_assert(kernel<add>);

}  // namespace detail

}  // namespace baton::helium
