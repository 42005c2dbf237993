// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The life of a delegate on a backend, for who calls its steps without an executor.
#pragma once

#include <baton/run/detail/backend_steps.hpp>
#include <baton/run/shared/traced.hpp>

namespace baton {

/// The steps of a backend's life, called with the parameters that the backend takes; `init` and `destroy` of one that has them.
template <class Backend>
struct life_of {
  using state = detail::state_of<Backend>;
  using init_call = detail::init_context_for<no_tracer, Backend>;
  using execute_call = detail::execution_context_for<no_tracer, Backend>;
  static constexpr bool has_init = detail::backend_with_init<Backend>;
  static constexpr bool has_destroy = detail::backend_with_destroy<Backend>;

  static auto init(init_call& call, state& own) { return detail::call_init<Backend>(call, own); }
  template <class Call>
  static auto execute(const Call& call, state& own) {
    return detail::call_execute<Backend>(call, own);
  }
  static void destroy(state& own) { detail::call_destroy<Backend>(own); }
};

}  // namespace baton
