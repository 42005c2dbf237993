// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which kernels have which of the optional members: a member of another form would be no member, and nothing would say so but the figures.
#include <baton/kernel/shared/kernel_members.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;

/// How many kernels of a list `has` holds of.
template <class... Kernels>
constexpr auto count(kernel_list<Kernels...>, auto has) -> int {
  return (0 + ... + (has.template operator()<Kernels>() ? 1 : 0));
}
/// Of a list: how many run by rows, by pixels, sum up rows, overlap, prepare, need scratch, keep states and nest.
struct counts {
  int by_rows, by_pixels, sums, overlaps, prepares, scratch, states, nests;
  constexpr auto operator==(const counts&) const -> bool = default;
};
constexpr auto counts_of(auto list) -> counts {
  return {.by_rows = count(list, []<class K>() { return streaming_kernel<K> && row_kernel<K>; }),
          .by_pixels = count(list, []<class K>() { return pixel_kernel<K>; }),
          .sums = count(list, []<class K>() { return summing_kernel<K>; }),
          .overlaps = count(list, []<class K>() { return overlapping_kernel<K>; }),
          .prepares = count(list, []<class K>() { return preparing_kernel<K>; }),
          .scratch = count(list, []<class K>() { return scratch_kernel<K>; }),
          .states = count(list, []<class K>() { return stateful_kernel<K>; }),
          .nests = count(list, []<class K>() { return nesting_kernel<K>; })};
}

// What a list of a user's is checked for.
template <class... Kernels>
consteval auto are_of_their_form(kernel_list<Kernels...>) -> bool {
  constexpr auto checked = kernels<Kernels...>;
  return checked.size == sizeof...(Kernels);
}
static_assert(are_of_their_form(portable_kernels) && are_of_their_form(cortex_m_kernels) && are_of_their_form(helium_kernels) &&
              are_of_their_form(signal_kernels));

constexpr auto as_many_as_are_meant_to() -> bool {
  return counts_of(portable_kernels) == counts{5, 3, 3, 19, 1, 3, 3, 3} && counts_of(cortex_m_kernels) == counts{5, 0, 2, 7, 5, 5, 1, 0} &&
         counts_of(helium_kernels) == counts{2, 0, 0, 3, 3, 3, 0, 0} && counts_of(signal_kernels) == counts{0, 0, 0, 0, 1, 0, 5, 0};
}
static_assert(as_many_as_are_meant_to());

}  // namespace

TEST_CASE("as many kernels of each list have an optional member as are meant to") { CHECK(as_many_as_are_meant_to()); }
