// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks at compile time that each backend that the executor calls has `execute` and correct lifecycle functions.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/detail/delegate_constants.hpp>
#include <baton/run/shared/rules.hpp>

namespace baton::detail {

/// Fails with `backend_without_execute` for the first delegate whose backend has no `execute`. If the executor runs the original graph of a
/// delegate (the part before `preprocess`), the backend needs no `execute`, so this delegate is not checked.
template <class Execution, class... Backends>
constexpr auto check_execute(backend_list<Backends...> list) -> failure {
  failure why;
  for (const auto& each : running_delegates<Execution>::all) {
    const auto program = Execution::view();
    const auto backend_id = lowered_module_view(program, each.id).backend_id();
    list.with(backend_id, [&](auto backend) {
      if (executable_backend<typename decltype(backend)::type>) return;
      why = broken_at<"backend_without_execute">(program, each.node);
      why.backend = join(backend_id);
    });
    if (why) return why;
  }
  return why;
}

template <class Execution, class Backend>
consteval auto require_lifecycle_if_used() -> bool {
  if constexpr (running_delegates<Execution>::uses_backend(to_text(Backend::id))) return require_delegate_lifecycle<Backend>();
  return true;
}

template <class Execution, class... Backends>
consteval auto require_lifecycles(backend_list<Backends...>) -> bool {
  return (require_lifecycle_if_used<Execution, Backends>() && ...);
}

/// Fails at compile time at the first delegate that needs `execute` but has a backend without `execute`. If there is no such delegate,
/// checks the signatures of the lifecycle functions of each used backend. Returns true if no check fails.
template <class Execution>
consteval auto require_executable_backends() -> bool {
  using list = typename Execution::backend_types;
  constexpr static_failure why{check_execute<Execution>(list{})};
  require_no_failure<why>();
  if constexpr (why.is_set) {
    return false;
  } else {
    return require_lifecycles<Execution>(list{});
  }
}

}  // namespace baton::detail
