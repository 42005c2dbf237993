// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Queries about the lifecycle functions of a backend: which of them exist, and whether they can fail. Also diagnostics for wrong
// signatures.
#pragma once

#include <baton/core/shared/with_names.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/detail/archetype_module.hpp>
#include <baton/run/part_call.hpp>
#include <baton/run/shared/tracing_context.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace baton::detail {

struct no_state {};

template <class Backend>
struct state_type {
  using type = no_state;
};
template <class Backend>
  requires requires { typename Backend::state; }
struct state_type<Backend> {
  using type = typename Backend::state;
};

template <class Backend>
struct options_type {
  using type = no_options;
};
template <class Backend>
  requires requires { typename Backend::options; }
struct options_type<Backend> {
  using type = typename Backend::options;
};

template <class Function>
inline constexpr bool takes_plain_call = false;
template <class Result, class... More>
inline constexpr bool takes_plain_call<Result (*)(const delegate_call&, More...)> = true;
template <class Result, class... More>
inline constexpr bool takes_plain_call<Result (*)(const delegate_call&, More...) noexcept> = true;

/// Whether `execute` takes a plain `delegate_call`, so that no context needs to be constructed.
template <class Backend>
inline constexpr bool executes_plain_call = false;
template <class Backend>
  requires requires { typename std::type_identity<decltype(&Backend::execute)>; }
inline constexpr bool executes_plain_call<Backend> = takes_plain_call<decltype(&Backend::execute)>;

/// True if `&Backend::execute` has no unique type. In this case, `execute` is assumed to be a template, and is called with a `part_call`,
/// whose part is known at compile time.
template <class Backend>
inline constexpr bool executes_part_call = !requires { typename std::type_identity<decltype(&Backend::execute)>; };

template <class Tracer, class Backend>
using execution_context_for = tracing_context<execution_context<typename options_type<Backend>::type>, Tracer>;
template <class Tracer, class Backend>
using init_context_for = tracing_context<init_context<typename options_type<Backend>::type>, Tracer>;

/// The state type of a delegate; `no_state` if the backend declares none.
template <class Backend>
using state_of = typename state_type<Backend>::type;

template <class Backend>
concept backend_with_options = requires { typename Backend::options; };
template <class Backend>
concept backend_with_init = requires(init_context_for<no_tracer, Backend>& context) {
  Backend::init(context);
} || requires(init_context_for<no_tracer, Backend>& context, state_of<Backend>& state) { Backend::init(context, state); };
template <class Backend>
concept backend_with_destroy = requires { Backend::destroy(); } || requires(state_of<Backend>& state) { Backend::destroy(state); };
/// True if the backend has a `destroy` that returns `void`.
template <class Backend>
concept backend_with_void_destroy = requires {
  { Backend::destroy() } -> std::same_as<void>;
} || requires(state_of<Backend>& state) {
  { Backend::destroy(state) } -> std::same_as<void>;
};
template <class Backend>
concept backend_with_availability = requires {
  { Backend::is_available() } -> std::same_as<bool>;
};
/// True if the backend has an `is_available` that must be called at run time, because the call is not a constant expression.
template <class Backend>
concept backend_asked_at_run_time =
    requires { Backend::is_available(); } && !requires { typename std::bool_constant<Backend::is_available()>; };

template <class Backend, class Context>
auto call_init(Context& context, state_of<Backend>& state) {
  if constexpr (requires { Backend::init(context, state); }) {
    return Backend::init(context, state);
  } else {
    return Backend::init(context);
  }
}
template <class Backend, class Context>
auto call_execute(const Context& context, state_of<Backend>& state) {
  if constexpr (requires { Backend::execute(context, state); }) {
    return Backend::execute(context, state);
  } else {
    return Backend::execute(context);
  }
}
template <class Backend>
void call_destroy(state_of<Backend>& state) {
  if constexpr (requires { Backend::destroy(state); }) {
    Backend::destroy(state);
  } else {
    Backend::destroy();
  }
}

/// The parameter type of `execute`. If `execute` is a template, the type is a `part_call` for the part of `archetype_module`.
template <class Backend>
using execute_parameter = std::conditional_t<
    executes_plain_call<Backend>, delegate_call,
    std::conditional_t<executes_part_call<Backend>, part_call<archetype_module, execution_context_for<no_tracer, Backend>>,
                       execution_context_for<no_tracer, Backend>>>;

/// The return type of `execute`. If `execute` is a template with a declared return type, finding the type does not instantiate the body of
/// `execute`. So the body need not support the part of `archetype_module`.
template <class Backend>
struct execute_result {
  using type = decltype(Backend::execute(std::declval<const execute_parameter<Backend>&>()));
};
template <class Backend>
  requires requires(const execute_parameter<Backend>& context, state_of<Backend>& state) { Backend::execute(context, state); }
struct execute_result<Backend> {
  using type = decltype(Backend::execute(std::declval<const execute_parameter<Backend>&>(), std::declval<state_of<Backend>&>()));
};

template <class Result>
concept lifecycle_result = std::same_as<Result, void> || std::same_as<Result, status>;

template <class Backend>
concept has_execute = requires(const execute_parameter<Backend>& context) { Backend::execute(context); } ||
                      requires(const execute_parameter<Backend>& context, state_of<Backend>& state) { Backend::execute(context, state); };

/// The names of the optional members. The expression `&with_names<Backend, optional_member_names>::init` is valid only if `Backend` has no
/// member `init`. Otherwise, the name is ambiguous, because `with_names` derives from both classes.
struct optional_member_names {
  int state, options, init, destroy, is_available;
};

/// Fails at compile time if a lifecycle function of a backend has a wrong signature, or if `state` or `options` is not a type. Returns true
/// if the executor can call `execute`, and `init` if the backend has it.
template <class Backend>
consteval auto require_delegate_lifecycle() -> bool {
  using undeclared = with_names<Backend, optional_member_names>;
  constexpr bool is_state_valid = requires { typename Backend::state; } || requires { &undeclared::state; };
  static_assert(is_state_valid, "baton not_a_backend: state is not a type; write: struct state {...};");
  constexpr bool are_options_valid = requires { typename Backend::options; } || requires { &undeclared::options; };
  static_assert(are_options_valid, "baton not_a_backend: options is not a type; write: struct options {...};");
  constexpr bool is_destroy_valid = backend_with_void_destroy<Backend> || requires { &undeclared::destroy; };
  static_assert(is_destroy_valid, "baton not_a_backend: the signature of destroy is wrong; write: static void destroy(state& state)");
  constexpr bool is_availability_valid = backend_with_availability<Backend> || requires { &undeclared::is_available; };
  static_assert(is_availability_valid,
                "baton not_a_backend: the signature of is_available is wrong; write: static auto is_available() -> bool");
  constexpr bool has_valid_execute = has_execute<Backend>;
  if constexpr (has_valid_execute) {
    using result = typename execute_result<Backend>::type;
    constexpr bool is_result_valid = lifecycle_result<result>;
    static_assert(is_result_valid,
                  "baton not_a_backend: execute returns neither void nor a status; write: static auto execute(const "
                  "baton::delegate_call& call) -> baton::status");
  }
  if constexpr (backend_with_init<Backend>) {
    using context = init_context_for<no_tracer, Backend>;
    using result = decltype(call_init<Backend>(std::declval<context&>(), std::declval<state_of<Backend>&>()));
    constexpr bool is_result_valid = lifecycle_result<result>;
    static_assert(is_result_valid,
                  "baton not_a_backend: init returns neither void nor a status; write: static auto init(baton::init_context<>& context, "
                  "state& state) -> baton::status");
    return has_valid_execute && is_result_valid;
  } else {
    constexpr bool has_init = !requires { &undeclared::init; };
    static_assert(!has_init,
                  "baton not_a_backend: the parameters of init are wrong; write: static auto init(baton::init_context<>& context, "
                  "state& state) -> baton::status (init_context<options> if the backend has options)");
    return has_valid_execute && !has_init;
  }
}

template <class Backend>
inline constexpr bool execute_can_fail = false;
template <has_execute Backend>
inline constexpr bool execute_can_fail<Backend> = std::same_as<typename execute_result<Backend>::type, status>;

template <class Backend>
inline constexpr bool init_can_fail = false;
template <backend_with_init Backend>
inline constexpr bool init_can_fail<Backend> =
    std::same_as<decltype(call_init<Backend>(std::declval<init_context_for<no_tracer, Backend>&>(), std::declval<state_of<Backend>&>())),
                 status>;

}  // namespace baton::detail
