// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Detection of the optional backend members that concern the executor and its memory. `executable_backend` documents these members.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/io_offsets.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

template <class Backend>
concept kernel_providing_backend = requires { Backend::kernels.types; };

template <class Backend>
concept original_running_backend =
    kernel_providing_backend<Backend> || requires { requires std::bool_constant<Backend::runs_original>::value; };

template <class Backend>
constexpr auto kernels_of_backend() {
  if constexpr (kernel_providing_backend<Backend>) {
    return Backend::kernels;
  } else {
    return kernel_list<>{};
  }
}

/// Returns the range of the kernels of `Wanted` in the concatenated kernels of all backends.
template <class Wanted, class... Backends>
constexpr auto range_of_kernels(backend_list<Backends...>) -> range {
  std::uint32_t first = 0;
  static_cast<void>(((std::is_same_v<Wanted, Backends> || (first += decltype(kernels_of_backend<Backends>())::size, false)) || ...));
  return {first, decltype(kernels_of_backend<Wanted>())::size};
}

template <class Backend>
concept overreading_backend = requires { typename std::integral_constant<std::uint32_t, Backend::overread_bytes>; };

template <class Backend>
concept aligning_backend = requires {
  { Backend::argument_alignment } -> std::convertible_to<std::uint32_t>;
};

template <class Backend>
concept scratch_placing_backend = requires(const lowered_module_view& module) {
  { Backend::io_offsets_in_scratch(module) } -> std::same_as<io_offsets>;
};

/// True if a backend is known at compile time to be unavailable.
template <class Backend>
inline constexpr bool is_never_available = false;
template <class Backend>
  requires requires { typename std::bool_constant<Backend::is_available()>; }
inline constexpr bool is_never_available<Backend> = !Backend::is_available();

}  // namespace baton::detail
