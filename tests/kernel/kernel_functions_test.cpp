// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The number of kernels that have each optional function. A function with a wrong signature is not detected as one, and only these counts
// show it.
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;

/// The number of kernels in a list for which `has` is true.
template <class... Kernels>
constexpr auto count(kernel_list<Kernels...>, auto has) -> int {
  return (0 + ... + (has.template operator()<Kernels>() ? 1 : 0));
}
/// The numbers of kernels that compute rows for every node, pixels, and sums of rows, and that prepare a constant.
struct counts {
  int rows, pixels, sums, prepare;
  constexpr auto operator==(const counts&) const -> bool = default;
};
constexpr auto counts_of(auto list) -> counts {
  return {.rows = count(list, []<class K>() { return row_kernel<K>; }),
          .pixels = count(list, []<class K>() { return pixel_kernel<K>; }),
          .sums = count(list, []<class K>() { return summing_kernel<K>; }),
          .prepare = count(list, []<class K>() { return preparing_kernel<K>; })};
}

// Checks a list as if a user had written it.
template <class... Kernels>
consteval auto pass_the_checks(kernel_list<Kernels...>) -> bool {
  constexpr auto checked = kernels<Kernels...>;
  return checked.size == sizeof...(Kernels);
}
static_assert(pass_the_checks(portable_kernels) && pass_the_checks(cortex_m_kernels) && pass_the_checks(helium_kernels) &&
              pass_the_checks(signal_kernels));

constexpr auto counts_are_expected() -> bool {
  return counts_of(portable_kernels) == counts{6, 6, 3, 1} && counts_of(cortex_m_kernels) == counts{7, 0, 2, 8} &&
         counts_of(helium_kernels) == counts{5, 0, 2, 5} && counts_of(signal_kernels) == counts{0, 0, 0, 1};
}
static_assert(counts_are_expected());

}  // namespace

TEST_CASE("the number of kernels with each optional function, in each list") { CHECK(counts_are_expected()); }
