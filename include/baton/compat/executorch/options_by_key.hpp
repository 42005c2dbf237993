// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Options of backends by key, where id, key and value are known at run time only: of an executor, and before it is set up.
#pragma once

#include <baton/compat/executorch/load_options.hpp>
#include <baton/compat/executorch/option_set.hpp>
#include <baton/run/backend_life.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace baton {

/// Sets one of a backend's options by key: by the backend's own `static auto set_option(options&, const baton::option&) -> baton::status`,
/// or in the `option_set` that its options are. A backend that has neither takes no notice. Errors: the backend's own, or the set's.
template <class Backend>
constexpr auto set_option(options_of<Backend>& options, const option& given) -> status {
  if constexpr (requires { Backend::set_option(options, given); }) {
    return Backend::set_option(options, given);
  } else if constexpr (requires {
                         { options.set(given) } -> std::same_as<status>;
                       }) {
    return options.set(given);
  } else {
    return status::ok;
  }
}

/// One of a backend's options by key: by the backend's own `static auto get_option(const options&, std::string_view key) ->
/// baton::status_or<baton::option>`, or from the `option_set` that its options are. Error: `not_found`.
template <class Backend>
constexpr auto get_option(const options_of<Backend>& options, std::string_view key) -> status_or<option> {
  if constexpr (requires { Backend::get_option(options, key); }) {
    return Backend::get_option(options, key);
  } else if constexpr (requires { find_option(options.entries(), key); }) {
    const auto* const found = find_option(options.entries(), key);
    if (found != nullptr) return *found;
  }
  return status::not_found;
}

/// Sets an option by key of an executor's backend of that id. Errors: `not_found` where no delegate has that backend; the backend's own.
template <class Executor>
auto set_option(Executor& net, std::string_view backend_id, const option& given) -> status {
  status code = status::ok;
  const bool found = net.with_options_of(
      backend_id, [&]<class Backend>(std::type_identity<Backend>, auto& options) { code = set_option<Backend>(options, given); });
  return found ? code : status::not_found;
}

/// An option by key of an executor's backend of that id. Errors: `not_found` where no delegate has that backend, or it no such key.
template <class Executor>
auto get_option(const Executor& net, std::string_view backend_id, std::string_view key) -> status_or<option> {
  status_or<option> read = status::not_found;
  static_cast<void>(net.with_options_of(
      backend_id, [&]<class Backend>(std::type_identity<Backend>, const auto& options) { read = get_option<Backend>(options, key); }));
  return read;
}

/// An executor's `init`, after options by key have been set for the backends of its program; those for others are left alone. Errors: the
/// backends' own.
template <class Executor>
auto init_with(Executor& net, const load_options& given) -> status {
  for (const auto& each : given.entries()) {
    for (const auto& one : each.options) {
      if (const auto code = set_option(net, each.backend_id, one); code != status::ok && code != status::not_found) return code;
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
