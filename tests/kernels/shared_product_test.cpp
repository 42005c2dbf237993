// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The code that products of different quantization share.
#include <baton/kernels/detail/shared_product.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/detail/pairing.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using baton::portable::detail::pairing;
using baton::portable::detail::product_code_of;

constexpr auto product(std::int32_t count, std::int32_t zero_point, std::int32_t shift) -> pairing {
  pairing plan;
  plan.kind.function = baton::portable::detail::pair_function::mul;
  plan.kind.type = static_cast<std::int32_t>(baton::dtype::int8);
  plan.loops.sizes.back() = count;
  plan.loops.output.back() = plan.loops.operands[0].back() = plan.loops.operands[1].back() = 1;
  plan.left.zero_point = plan.right.zero_point = plan.zero_point = zero_point;
  plan.by = {1 << 30, shift};
  plan.range = {-128, 127};
  return plan;
}
constexpr auto repeated(pairing plan) -> pairing {
  plan.loops.operands[1].back() = 0;
  return plan;
}

template <pairing A, pairing B>
constexpr bool share_code =
    product_code_of(A).loops.sizes == product_code_of(B).loops.sizes && product_code_of(A).by == product_code_of(B).by &&
    product_code_of(A).zero_point == product_code_of(B).zero_point;

constexpr auto equal_signs_share_code() -> bool {
  return share_code<product(8, -3, -5), product(64, -128, -1)> && !share_code<product(8, -3, -5), product(8, 3, -5)> &&
         !share_code<product(8, -3, -5), product(8, -3, 0)> && !share_code<repeated(product(8, -3, -5)), repeated(product(64, -3, -5))>;
}
static_assert(equal_signs_share_code());

/// Compares the plan that the shared code computes with the plan of the node.
template <pairing Plan>
auto is_restored() -> bool {
  const auto numbers = baton::portable::detail::product_numbers_of(Plan);
  const auto plan = baton::portable::detail::product_plan<product_code_of(Plan)>(numbers, Plan.loops.sizes.back());
  return plan.loops.sizes == Plan.loops.sizes && plan.left.zero_point == Plan.left.zero_point &&
         plan.right.zero_point == Plan.right.zero_point && plan.zero_point == Plan.zero_point && plan.by == Plan.by &&
         plan.range == Plan.range;
}

}  // namespace

TEST_CASE("products share code if they differ only in numbers with equal signs") { CHECK(equal_signs_share_code()); }

TEST_CASE("the shared code of a product computes with the numbers of the node") {
  CHECK(is_restored<product(8, -3, -5)>());
  CHECK(is_restored<product(64, 127, 0)>());
  CHECK(is_restored<product(1, 0, 7)>());
  CHECK(is_restored<repeated(product(8, -128, -31))>());
}
