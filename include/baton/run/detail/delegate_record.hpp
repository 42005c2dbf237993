// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The members of an executor for its delegates. They are zero bytes until `init` or the first run, so that the executor is in .bss. Options
// that are passed to the executor's constructor are an exception.
#pragma once

#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/detail/lazy_value.hpp>
#include <baton/run/processed_bytes.hpp>
#include <baton/run/run_failure.hpp>
#include <baton/run/with_options.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

template <std::size_t I, class State>
struct state_slot {
  lazy_value<State> kept;
};
template <std::size_t I>
struct state_slot<I, no_state> {};

template <std::size_t I, bool Keeps>
struct processed_bytes_slot {
  processed_bytes bytes;
};
template <std::size_t I>
struct processed_bytes_slot<I, false> {};

/// The state and the processed bytes of one delegate; an empty class if the delegate needs neither.
template <class Traits, std::size_t I>
struct delegate_slot : state_slot<I, state_of<typename Traits::backend>>, processed_bytes_slot<I, Traits::keeps_processed_bytes> {};

template <bool IsThere>
struct start_record {
  std::uint32_t initialized_count = 0;  ///< the number of initialized delegates
};
template <>
struct start_record<false> {};

template <bool IsThere>
struct failure_record {
  lazy_value<run_failure> failed;
};
template <>
struct failure_record<false> {};

template <bool IsThere>
struct initialization_record {
  bool is_initialized = false;  ///< true if the `lazy_value` members are initialized
};
template <>
struct initialization_record<false> {};

template <bool IsThere, class Backend, class Services>
struct options_part : options_slot<Backend, typename Services::template initial_options_of<Backend>> {};
template <class Backend, class Services>
struct options_part<false, Backend, Services> {};

/// True if the state of a delegate must be initialized before the first run, because its default value may contain bytes other than zero.
template <class State>
inline constexpr bool is_late_state = lazy_value<State>::is_late;
template <>
inline constexpr bool is_late_state<no_state> = false;

}  // namespace baton::detail
