// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Options of backends, passed to an executor as values of the backends' own types.
#pragma once

#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/detail/lazy_value.hpp>

#include <cstddef>
#include <type_traits>

namespace baton {

/// The options of a backend, as a constructor argument of an executor.
template <class Backend>
struct given_options {
  options_of<Backend> options;
};

namespace detail {

/// The parameter type of `with_options` for a backend that declares no options. Accepts any arguments, so that only `required_options`
/// reports an error.
struct ignored_options {
  template <class... Given>
  constexpr ignored_options(const Given&...) {}         // NOLINT(google-explicit-constructor): replaces an aggregate
  constexpr operator no_options() const { return {}; }  // NOLINT(google-explicit-constructor): for `with_options`
};

template <class Backend>
struct required_options {
  static constexpr bool are_declared = backend_with_options<Backend>;
  using type = std::conditional_t<are_declared, options_of<Backend>, ignored_options>;
  static_assert(are_declared, "baton with_options: the backend declares no options; write in it: struct options { int threads = 1; };");
};

template <class Backend, class Initial>
struct options_slot {
  lazy_value<options_of<Backend>, Initial> options;
};

/// The number of occurrences of a type in a list.
template <class Wanted, class... List>
inline constexpr std::size_t times_in = (std::size_t{0} + ... + (std::is_same_v<Wanted, List> ? 1 : 0));

}  // namespace detail

/// Returns the options of a backend as an argument for the constructor of an executor: `baton::executor<lowered>
/// net{baton::with_options<my_npu>({.threads = 4})};`. An executor at namespace scope that is constructed with options is in .data. To keep
/// the executor in .bss, use `initial_options`.
template <class Backend>
constexpr auto with_options(const typename detail::required_options<Backend>::type& options) -> given_options<Backend> {
  return {options};
}

/// A service of an executor that sets the initial options of a backend: `baton::executor<lowered, baton::initial_options<my_npu,
/// my_npu::options{.threads = 4}>> net;`. The options are copied from read-only memory at their first use.
template <class Backend, typename detail::required_options<Backend>::type Options>
struct initial_options {
  using backend = Backend;
  static constexpr options_of<Backend> value = Options;
};

namespace detail {

template <class Service>
inline constexpr bool is_initial_options = false;
template <class Backend, options_of<Backend> Options>
inline constexpr bool is_initial_options<initial_options<Backend, Options>> = true;

template <class Backend, class Service>
inline constexpr bool is_initial_options_of = false;
template <class Backend, options_of<Backend> Options>
inline constexpr bool is_initial_options_of<Backend, initial_options<Backend, Options>> = true;

}  // namespace detail

}  // namespace baton
