// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The requantization that all elements of a sum or product share.
#pragma once

#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/pairing.hpp>
#include <baton/kernels/detail/single_rounding.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <cstdint>

namespace baton::helium::detail {

/// The requantization that `quantized::requantize` computes, with two roundings, for a right shift r from 1 to 22. Let t be
/// high_multiply(x, `multiplier`). Before clamping, the output is floor((t − [x < 0] + 2^(r − 1)) / 2^r) + zero point (see
/// `rounding_shift_right`). Here, [c] is 1 if c holds, otherwise 0. The zero point times 2^r is stored as `addend`, because it is added
/// before the shift.
struct element_output {
  /// The greatest right shift. The magnitude of `addend` is then at most 2^29, and |t| is below 2^29, so their sum fits 32 bits.
  static constexpr std::int32_t max_right = 22;

  std::int32_t multiplier = 0;
  std::int32_t right = 1;
  std::int32_t addend = 0;
  portable::flag corrects_ties = 0;  ///< whether the term [x < 0] can change the output
  quantized::bounds<std::int32_t> range{};

  /// True if `element_output_of` supports the factor of a plan.
  static constexpr auto supports(const portable::detail::pairing& plan) -> bool {
    return plan.by.value >= 0 && -plan.by.shift >= 1 && -plan.by.shift <= max_right;
  }

  constexpr auto operator==(const element_output&) const -> bool = default;

  // Vectors shift in two instructions: the first narrows to 16 bits, the second to 8 bits. The first can shift by at most 16 bits, the
  // second by at most 8 bits. Only the last shift rounds, so the first shift truncates if there is a second one. Without a second shift,
  // the second instruction only narrows. GCC's assembler (binutils 2.40) encodes VQSHRN, which does not round, as VQRSHRN, which rounds. So
  // VQSHRN is not used.
  constexpr auto first_shift() const -> std::int32_t { return right < 16 ? right : 16; }
  constexpr auto second_shift() const -> std::int32_t { return right - first_shift(); }

  /// Returns the output for `x`, whose magnitude must be below 2^29.
  constexpr auto of(std::int32_t x) const -> std::int32_t {
    const auto scaled = quantized::high_multiply(x, multiplier) + addend;
    return range.clamp(((corrects_ties != 0 && x < 0 ? scaled - 1 : scaled) + (1 << (right - 1))) >> right);
  }
};
static_assert(portable::has_no_padding<element_output>);

/// Returns the requantization of a plan. `element_output::supports` must be true for the plan.
constexpr auto element_output_of(const portable::detail::pairing& plan) -> element_output {
  const auto right = -plan.by.shift;
  const bool corrects_ties = portable::detail::corrects_ties(plan.zero_point, plan.range);
  return {plan.by.value, right, plan.zero_point * (1 << right), corrects_ties ? 1 : 0, plan.range};
}

}  // namespace baton::helium::detail
