// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What an executor keeps of its delegates; zero bytes until its first run, so that the executor lies in .bss.
#pragma once

#include <baton/run/backend_life.hpp>
#include <baton/run/blob.hpp>
#include <baton/run/detail/late_value.hpp>
#include <baton/run/run_failure.hpp>
#include <baton/run/with_options.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

template <std::size_t I, class State>
struct state_slot {
  late_value<State> kept;
};
template <std::size_t I>
struct state_slot<I, no_state> {};

template <std::size_t I, bool Keeps>
struct blob_slot {
  blob bytes;
};
template <std::size_t I>
struct blob_slot<I, false> {};

/// What one delegate keeps; nothing, where it needs nothing.
template <class Traits, std::size_t I>
struct delegate_slot : state_slot<I, state_of<typename Traits::backend>>, blob_slot<I, Traits::keeps_blob> {};

template <bool IsThere>
struct start_record {
  std::uint32_t ready = 0;  ///< how many delegates have begun their lives
};
template <>
struct start_record<false> {};

template <bool IsThere>
struct failure_record {
  late_value<run_failure> failed;
};
template <>
struct failure_record<false> {};

template <bool IsThere>
struct begin_record {
  bool has_begun = false;  ///< whether all that begins with other bytes than zero has its value
};
template <>
struct begin_record<false> {};

template <bool IsThere, class Backend, class Services>
struct options_part : options_slot<Backend, typename Services::template initial_options_of<Backend>> {};
template <class Backend, class Services>
struct options_part<false, Backend, Services> {};

/// Whether what a delegate keeps begins with other bytes than zero.
template <class State>
inline constexpr bool keeps_late = late_value<State>::is_late;
template <>
inline constexpr bool keeps_late<no_state> = false;

}  // namespace baton::detail
