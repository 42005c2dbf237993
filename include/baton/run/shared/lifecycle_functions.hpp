// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lifecycle functions of a backend, for callers that use a delegate without an executor.
#pragma once

#include <baton/run/detail/backend_steps.hpp>
#include <baton/run/shared/tracing_context.hpp>

namespace baton {

/// The lifecycle functions of a backend. Each function calls the backend's function, and passes only the parameters that the backend's
/// function declares. Call `init` and `destroy` only if the backend has them.
template <class Backend>
struct lifecycle_functions {
  using state = detail::state_of<Backend>;
  using init_call = detail::init_context_for<no_tracer, Backend>;
  using execute_call = detail::execution_context_for<no_tracer, Backend>;
  static constexpr bool has_init = detail::backend_with_init<Backend>;
  static constexpr bool has_destroy = detail::backend_with_destroy<Backend>;

  static auto init(init_call& call, state& self) { return detail::call_init<Backend>(call, self); }
  template <class Call>
  static auto execute(const Call& call, state& self) {
    return detail::call_execute<Backend>(call, self);
  }
  static void destroy(state& self) { detail::call_destroy<Backend>(self); }
};

}  // namespace baton
