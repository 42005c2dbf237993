// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time check that every delegate that runs has an available backend. This check replaces a backend registry on the target.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/detail/backend_members.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/rules.hpp>

#include <cstdint>

namespace baton {

/// Checks all delegates in the graphs that run. The backend of each delegate must be in `list`, and its `is_available()` must not be the
/// constant false. Fails with `nameless_delegate`, `unknown_backend` or `unavailable_backend`.
template <class... Backends>
constexpr auto check_delegates(backend_list<Backends...> list, const program_view& program, const graph_calls& calls) -> failure {
  for (const auto graph : calls.order) {
    const auto nodes = program[graph].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto id = program.nodes[n].delegate;
      if (id == none<delegate_id>) continue;
      const auto backend_id = lowered_module_view(program, id).backend_id();
      if (backend_id.empty()) return broken_at<"nameless_delegate">(program, static_cast<node_id>(n));
      failure why;
      const bool is_listed = list.with(backend_id, [&](auto backend) {
        if (!detail::is_never_available<typename decltype(backend)::type>) return;
        why = broken<"unavailable_backend">("is_available() returns false at compile time");
        why.backend = join(backend_id);
      });
      if (!is_listed) why = list.unknown(backend_id);
      if (why) return locate(std::move(why), program, static_cast<node_id>(n));
    }
  }
  return {};
}

}  // namespace baton
