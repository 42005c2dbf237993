// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which of the members a backend has that say what it asks of the executor and of its memory. What they mean stands at
// `executable_backend`.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/run/kernel.hpp>
#include <baton/run/scratch_places.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

template <class Backend>
concept kernel_bringing_backend = requires { Backend::kernels.types; };

template <class Backend>
concept original_running_backend = kernel_bringing_backend<Backend> || requires { requires Backend::runs_original; };

template <class Backend>
constexpr auto kernels_of_backend() {
  if constexpr (kernel_bringing_backend<Backend>) {
    return Backend::kernels;
  } else {
    return kernel_list<>{};
  }
}

/// Where the kernels of a backend stand among those that backends bring.
template <class Wanted, class... Backends>
constexpr auto kernels_brought(backend_list<Backends...>) -> range {
  std::uint32_t first = 0;
  static_cast<void>(((std::is_same_v<Wanted, Backends> || (first += decltype(kernels_of_backend<Backends>())::size, false)) || ...));
  return {first, decltype(kernels_of_backend<Wanted>())::size};
}

template <class Backend>
concept reading_ahead_backend = requires {
  { Backend::read_ahead_bytes } -> std::convertible_to<std::uint32_t>;
};

template <class Backend>
concept aligning_backend = requires {
  { Backend::argument_alignment } -> std::convertible_to<std::uint32_t>;
};

template <class Backend>
concept scratch_placing_backend = requires(const lowered_module_view& module) {
  { Backend::places_in_scratch(module) } -> std::same_as<scratch_places>;
};

/// Stops the compiler with a sentence if a backend asks for something in a form that nobody reads.
template <class Backend>
consteval auto require_backend_needs() -> bool {
  if constexpr (requires { &Backend::places_in_scratch; }) {
    constexpr bool has_places = scratch_placing_backend<Backend>;
    static_assert(has_places,
                  "baton not_a_backend: a backend that works in its scratch says where; write: static constexpr auto "
                  "places_in_scratch(const baton::lowered_module_view& module) -> baton::scratch_places");
  }
  if constexpr (aligning_backend<Backend>) {
    constexpr bool is_power_of_two = std::has_single_bit(std::uint32_t{Backend::argument_alignment});
    static_assert(is_power_of_two,
                  "baton not_a_backend: what arguments are aligned to is a power of two; write: static constexpr std::uint32_t "
                  "argument_alignment = 64;");
  }
  return true;
}
template <class... Backends>
consteval auto require_backend_needs(backend_list<Backends...>) -> bool {
  return (require_backend_needs<Backends>() && ...);
}

}  // namespace baton::detail
