// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The seam between a delegate and what drives the accelerator.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace baton::ethos_u {

/// One run of the accelerator, as `ethosu_invoke_v3` of Arm's driver takes it: the payload, and the bases of its regions with their bytes.
struct invocation {
  span<const char> payload;
  span<std::uint64_t> bases;  ///< the driver may write to them: it puts its own fast memory there
  span<const std::size_t> sizes;
  void* user_argument = nullptr;  ///< `options::user_argument`, for the driver's callbacks
};

/// Runs payloads: `static auto invoke(const baton::ethos_u::invocation&) -> baton::status`, which returns when the accelerator is done.
/// What it returns but `ok` becomes the failure of the call. `core_driver` is Arm's.
template <class T>
concept driver = requires(const invocation& call) {
  { T::invoke(call) } -> std::same_as<status>;
};

/// In the place of a driver: the delegates are compiled and reported, and do not run.
struct no_driver {};

/// Stops the compiler with a sentence if a type is neither.
template <class T>
consteval auto require_driver() -> bool {
  constexpr bool is_driver = driver<T> || std::same_as<T, no_driver>;
  static_assert(is_driver,
                "baton not_a_driver: a driver has no invoke; write: static auto invoke(const baton::ethos_u::invocation& call) -> "
                "baton::status");
  return true;
}

}  // namespace baton::ethos_u
