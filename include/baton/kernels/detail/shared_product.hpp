// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lets products with different quantizations share code. Splits the plan of a product into a template argument, and numbers that the code
// reads at run time.
#pragma once

#include <baton/kernels/detail/pairing.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// The numbers of a product that its code reads at run time.
struct product_numbers {
  std::int32_t left_zero_point = 0;
  std::int32_t right_zero_point = 0;
  std::int32_t zero_point = 0;
  quantized::fixed_multiplier by{};
};

constexpr auto product_numbers_of(const pairing& plan) -> product_numbers {
  return {plan.left.zero_point, plan.right.zero_point, plan.zero_point, plan.by};
}

constexpr auto sign_of(std::int32_t x) -> std::int32_t { return x < 0 ? -1 : x > 0 ? 1 : 0; }

/// Returns the plan of a product, with each zero point, multiplier and shift replaced by its sign. The signs select the branches of the
/// arithmetic. If no operand is broadcast, the number of elements is replaced by 0. Nodes with equal results share one function.
constexpr auto product_code_of(const pairing& plan) -> pairing {
  auto code = plan;
  code.left.zero_point = sign_of(plan.left.zero_point);
  code.right.zero_point = sign_of(plan.right.zero_point);
  code.zero_point = sign_of(plan.zero_point);
  code.by = {sign_of(plan.by.value), sign_of(plan.by.shift)};
  if (plan.loops.is_whole(0) && plan.loops.is_whole(1)) code.loops.sizes.back() = 0;
  return code;
}

/// Returns `number`, whose sign must be `Sign`, so that the compiler omits branches.
template <std::int32_t Sign>
[[gnu::always_inline]] inline auto number_with_sign(std::int32_t number) -> std::int32_t {
  if constexpr (Sign == 0) return 0;
  if (sign_of(number) != Sign) __builtin_unreachable();
  return number;
}

/// Returns the plan of a node whose `product_code_of` is `Code`. `count` is the number of elements to compute if no operand is broadcast.
template <pairing Code>
[[gnu::always_inline]] inline auto product_plan(const product_numbers& numbers, std::int32_t count) -> pairing {
  auto plan = Code;
  plan.left.zero_point = number_with_sign<Code.left.zero_point>(numbers.left_zero_point);
  plan.right.zero_point = number_with_sign<Code.right.zero_point>(numbers.right_zero_point);
  plan.zero_point = number_with_sign<Code.zero_point>(numbers.zero_point);
  plan.by = {number_with_sign<Code.by.value>(numbers.by.value), number_with_sign<Code.by.shift>(numbers.by.shift)};
  if constexpr (Code.loops.sizes.back() == 0) plan.loops.sizes.back() = count;
  return plan;
}

}  // namespace baton::portable::detail
