// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The interface between a delegate and the driver of the accelerator.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace baton::ethos_u {

/// The arguments of one run of the accelerator, as in `ethosu_invoke_v3` of Arm's driver. `payload` contains the commands. `bases[i]` is
/// the address of the memory that the commands access as region i, and `sizes[i]` is its size in bytes. Regions (`access::region`) are not
/// the regions of a split arena.
struct invocation {
  span<const char> payload;
  span<std::uint64_t> bases;  ///< the driver may change the bases, for example to the address of fast memory on the board
  span<const std::size_t> sizes;
  void* user_argument = nullptr;  ///< `options::user_argument`, for the driver's callbacks
};

/// A type that runs payloads with `static auto invoke(const baton::ethos_u::invocation&) -> baton::status`. `invoke` returns when the
/// accelerator is done. If `invoke` returns a status other than `ok`, the delegate's call fails with this status. `core_driver` is Arm's
/// driver.
template <class T>
concept driver = requires(const invocation& call) {
  { T::invoke(call) } -> std::same_as<status>;
};

/// The driver of a backend whose delegates can be compiled and listed in reports, but cannot run.
struct no_driver {};

/// Fails to compile with a message if a type is neither a driver nor `no_driver`.
template <class T>
consteval auto require_driver() -> bool {
  constexpr bool is_driver = driver<T> || std::same_as<T, no_driver>;
  static_assert(is_driver,
                "baton not_a_driver: the driver type has no invoke; write: static auto invoke(const baton::ethos_u::invocation& call) -> "
                "baton::status");
  return true;
}

}  // namespace baton::ethos_u
