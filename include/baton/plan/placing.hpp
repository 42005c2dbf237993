// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placing in an order of one's own, which a memory policy may do.
#pragma once

#include <baton/core/span.hpp>
#include <baton/plan/detail/first_fit.hpp>
#include <baton/plan/memory_problem.hpp>

#include <string_view>

namespace baton {

/// An order in which entries may be placed; each wins on some graphs.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

/// Each item in such an order, the earlier one first where it gives none, at the lowest offset where it overlaps nothing that lives with
/// it. Near-linear where little lives at once.
constexpr auto place_in_order(span<const lifetime> needs, const placing_order& order) -> memory_layout {
  return detail::first_fit(needs).run(detail::ordered(needs, order.before));
}

}  // namespace baton
