// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sets and reads options of an executor's backends, for backend ids, keys and values that are known only at run time.
#pragma once

#include <baton/compat/executorch/load_options.hpp>
#include <baton/compat/executorch/option_set.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace baton {

/// Sets an option of a backend; `value` contains the key. Calls the backend's `static auto set_option(options&, const baton::option&) ->
/// baton::status`, or `set` if the backend's options are an `option_set`. Fails as the called function does. If the backend has neither
/// this function nor an `option_set`, ignores the option and returns `ok`.
template <class Backend>
constexpr auto set_option(options_of<Backend>& options, const option& value) -> status {
  if constexpr (requires { Backend::set_option(options, value); }) {
    return Backend::set_option(options, value);
  } else if constexpr (requires {
                         { options.set(value) } -> std::same_as<status>;
                       }) {
    return options.set(value);
  } else {
    return status::ok;
  }
}

/// Returns an option of a backend by key. Calls the backend's `static auto get_option(const options&, std::string_view key) ->
/// baton::status_or<baton::option>`, or searches the backend's options if they are an `option_set`. Fails with `not_found` if no option has
/// the key `key`, or as `Backend::get_option` does.
template <class Backend>
constexpr auto get_option(const options_of<Backend>& options, std::string_view key) -> status_or<option> {
  if constexpr (requires { Backend::get_option(options, key); }) {
    return Backend::get_option(options, key);
  } else if constexpr (requires { find_option(options.entries(), key); }) {
    const auto* const entry = find_option(options.entries(), key);
    if (entry != nullptr) return *entry;
  }
  return status::not_found;
}

/// Sets an option of the backend with the id `backend_id` in an executor; `value` contains the key. Fails with `not_found` if no delegate
/// uses this backend. Also fails as `set_option<Backend>` does.
template <class Executor>
auto set_option(Executor& net, std::string_view backend_id, const option& value) -> status {
  status code = status::ok;
  const bool is_used = net.with_options_of(
      backend_id, [&]<class Backend>(std::type_identity<Backend>, auto& options) { code = set_option<Backend>(options, value); });
  return is_used ? code : status::not_found;
}

/// Returns the option with the key `key` of the backend with the id `backend_id` in an executor. Fails with `not_found` if no delegate uses
/// this backend, or as `get_option<Backend>` does.
template <class Executor>
auto get_option(const Executor& net, std::string_view backend_id, std::string_view key) -> status_or<option> {
  status_or<option> result = status::not_found;
  static_cast<void>(net.with_options_of(
      backend_id, [&]<class Backend>(std::type_identity<Backend>, const auto& options) { result = get_option<Backend>(options, key); }));
  return result;
}

/// Sets options of the backends of an executor, then calls the executor's `init`. Ignores the options of a backend that the program does
/// not use. Also ignores an option if the backend fails with `not_found` (unknown key). If a backend fails with another status, returns
/// this status without a call of `init`. Otherwise fails as `init` does.
template <class Executor>
auto init_with(Executor& net, const load_options& options) -> status {
  for (const auto& each : options.entries()) {
    for (const auto& value : each.options) {
      if (const auto code = set_option(net, each.backend_id, value); code != status::ok && code != status::not_found) return code;
    }
  }
  if constexpr (std::is_void_v<typename Executor::init_result>) {
    net.init();
    return status::ok;
  } else {
    return net.init();
  }
}

}  // namespace baton
