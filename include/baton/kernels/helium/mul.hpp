// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Products of int8 tensors for a Cortex-M with Helium.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/pairing.hpp>
#include <baton/kernels/helium/detail/element_output.hpp>
#include <baton/kernels/helium/detail/pair_kernel.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::helium {

namespace detail {

/// The plan of a product.
struct product {
  std::int32_t count = 0;  ///< the number of output elements
  std::int32_t left_zero_point = 0;
  std::int32_t right_zero_point = 0;
  element_output output{};
};
static_assert(portable::has_no_padding<product>);

#if defined(__ARM_FEATURE_MVE)

/// Computes `blocks` blocks of 8 elements. A block takes at least 12 instructions. The correction of negative sums (`corrects_ties`) and
/// the clamping of outputs take additional instructions.
template <element_output Output>
[[gnu::noinline]] inline void multiply_blocks(const char* left, const char* right, char* to, std::int32_t left_zero_point,
                                              std::int32_t right_zero_point, std::int32_t blocks) {
  asm volatile(
      "vdup.32 q7, %[multiplier]\n"
      "vdup.8 q6, %[lower]\n"
      "vdup.8 q5, %[upper]\n"
      "dls lr, %[blocks]\n"
      "1:\n"
      "vldrb.s16 q0, [%[left]], #8\n"
      "vldrb.s16 q1, [%[right]], #8\n"
      "vsub.i16 q0, q0, %[left_zero_point]\n"
      "vsub.i16 q1, q1, %[right_zero_point]\n"
      "vmullb.s16 q2, q0, q1\n"
      "vmullt.s16 q3, q0, q1\n"
      ".if %c[corrects_ties]\n vshr.s32 q0, q2, #31\n vshr.s32 q1, q3, #31\n .endif\n"
      "vqrdmlash.s32 q2, q7, %[addend]\n"
      "vqrdmlash.s32 q3, q7, %[addend]\n"
      ".if %c[corrects_ties]\n vadd.i32 q2, q2, q0\n vadd.i32 q3, q3, q1\n .endif\n"
      ".if %c[second_shift]\n vshrnb.i32 q2, q2, %[first_shift]\n .else\n vqrshrnb.s32 q2, q2, %[first_shift]\n .endif\n"
      ".if %c[second_shift]\n vshrnt.i32 q2, q3, %[first_shift]\n .else\n vqrshrnt.s32 q2, q3, %[first_shift]\n .endif\n"
      ".if %c[second_shift]\n vqrshrnb.s16 q2, q2, %[second_shift]\n .else\n vqmovnb.s16 q2, q2\n .endif\n"
      ".if %c[has_lower]\n vmax.s8 q2, q2, q6\n .endif\n"
      ".if %c[has_upper]\n vmin.s8 q2, q2, q5\n .endif\n"
      "vstrb.16 q2, [%[to]], #8\n"
      "le lr, 1b\n"
      : [left] "+r"(left), [right] "+r"(right), [to] "+r"(to)
      : [left_zero_point] "r"(left_zero_point), [right_zero_point] "r"(right_zero_point), [addend] "r"(Output.addend),
        [multiplier] "r"(Output.multiplier), [lower] "r"(Output.range.lower), [upper] "r"(Output.range.upper), [blocks] "r"(blocks),
        [first_shift] "i"(Output.first_shift()), [second_shift] "i"(Output.second_shift()), [corrects_ties] "i"(Output.corrects_ties),
        [has_lower] "i"(Output.range.lower > INT8_MIN), [has_upper] "i"(Output.range.upper < INT8_MAX)
      : "q0", "q1", "q2", "q3", "q5", "q6", "q7", "lr", "cc", "memory");
}

#endif

/// A kernel that computes `tfl.mul` on two int8 tensors of equal shape, with any fused activation. Requires a right shift of the product by
/// 1 to 22 bits. Also computes `baton.mul` if its attribute `rounding` is "twice". Results are bit-identical to `portable::pairwise`.
struct mul : detail::pair_kernel<mul, detail::product> {
  static constexpr literal_name operators[] = {"tfl.mul", "baton.mul"};
  static constexpr std::int32_t block = 8;

  static constexpr auto check(const portable::detail::pairing& plan) -> verdict {
    if (plan.round == quantized::rounding::twice) return accept();
    return refuse("the Helium kernel supports only products that are rounded twice");
  }
  static constexpr auto plan_of(const portable::detail::pairing& plan) -> detail::product {
    return {0, plan.left.zero_point, plan.right.zero_point, element_output_of(plan)};
  }

  static void compute_elements(const detail::product& plan, const std::int32_t*, const char* left, const char* right, char* to) {
    for (std::int32_t i = 0; i < plan.count; ++i) {
      const auto product =
          (portable::load<std::int8_t>(left, i) - plan.left_zero_point) * (portable::load<std::int8_t>(right, i) - plan.right_zero_point);
      portable::store(to, i, static_cast<std::int8_t>(plan.output.of(product)));
    }
  }

#if defined(__ARM_FEATURE_MVE)
  template <detail::element_output Output>
  static void compute_blocks(const detail::product& plan, const std::int32_t*, const char* left, const char* right, char* to,
                             std::int32_t blocks) {
    detail::multiply_blocks<Output>(left, right, to, plan.left_zero_point, plan.right_zero_point, blocks);
  }
#endif
};
static_assert(kernel<mul>);

}  // namespace detail

}  // namespace baton::helium
