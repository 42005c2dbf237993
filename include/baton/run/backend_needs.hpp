// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What backends ask of the executor and of its memory, said as constants of their types.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/graph_calls.hpp>
#include <baton/run/kernel.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace baton {

/// Whether a part's original graph runs with kernels of the backend's own, in the place of the executor's: `static constexpr auto kernels =
/// baton::kernels<my_kernel>;`. `kernel_backend` makes a backend of a list.
template <class Backend>
concept kernel_bringing_backend = requires { Backend::kernels.types; };

/// Whether a backend has the executor run a part's original graph in place of a blob: `static constexpr bool runs_original = true;`, or
/// kernels of its own.
template <class Backend>
concept original_running_backend = kernel_bringing_backend<Backend> || requires { requires Backend::runs_original; };

namespace detail {
template <class Backend>
constexpr auto kernels_of_backend() {
  if constexpr (kernel_bringing_backend<Backend>) {
    return Backend::kernels;
  } else {
    return kernel_list<>{};
  }
}
}  // namespace detail

/// The kernels of an executor, and behind them those of each backend that brings some, in the order of the backends.
template <class... Kernels, class... Backends>
constexpr auto with_kernels_of_backends(kernel_list<Kernels...> own, backend_list<Backends...>) {
  return (own + ... + detail::kernels_of_backend<Backends>());
}

/// Whether a backend reads behind the ends of its arguments: `static constexpr std::uint32_t read_ahead_bytes = 64;`. What it reads there
/// has no meaning; the arena is so much larger that the memory is there.
template <class Backend>
concept reading_ahead_backend = requires {
  { Backend::read_ahead_bytes } -> std::convertible_to<std::uint32_t>;
};

/// Whether a backend needs its arguments and results at addresses that are multiples of some power of two, as DMA may: `static constexpr
/// std::uint32_t argument_alignment = 64;`. Everything in the arena of a program that has a delegate of it is so aligned, and the arena,
/// too. 16 has everything, unless the plan's options say less. Scratch is aligned like arguments.
template <class Backend>
concept aligning_backend = requires {
  { Backend::argument_alignment } -> std::convertible_to<std::uint32_t>;
};

/// Where in the scratch of a delegate its arguments and results would lie if nothing were copied: offsets in bytes, in the order of
/// arguments and of results; -1, and what is left out at the end: anywhere. Arguments do not overlap, nor do results.
struct scratch_places {
  vector<std::int64_t> inputs;
  vector<std::int64_t> outputs;
};

/// Whether a backend works on arguments and results inside its scratch: `static constexpr auto places_in_scratch(const
/// baton::lowered_module_view&) -> baton::scratch_places`. They are placed there where that can be, so `execute` copies only what it finds
/// elsewhere: arguments that something reads after the call, or parts of them (the delegate may overwrite them), constants, states, values
/// that two delegates want, or for which the arena would grow (many are tried together, not each), and those of branches and loops.
template <class Backend>
concept scratch_placing_backend = requires(const lowered_module_view& module) {
  { Backend::places_in_scratch(module) } -> std::same_as<scratch_places>;
};

/// What the backends of a program's delegates ask for, by delegate. Empty lists: nothing.
struct backend_needs {
  vector<char> runs_original;  ///< whether the original graph runs in the delegate's place
  vector<std::uint32_t> read_ahead_bytes;
  vector<std::uint32_t> argument_alignment;  ///< 1, where nothing is asked for
  vector<scratch_places> places;             ///< empty: no backend asks
  vector<range> kernels;                     ///< among those that backends bring; of size 0: its graph runs with the executor's
  std::uint32_t brought = 0;                 ///< how many kernels backends bring: the last of `with_kernels_of_backends`

  /// Which of so many kernels compute the nodes of a delegate's original; of none, those of the root.
  constexpr auto kernels_of(delegate_id id, std::uint32_t all) const -> range {
    const auto own = all - std::min(all, brought);
    if (id == none<delegate_id>) return {0, own};
    return {own + kernels[index(id)].first, kernels[index(id)].size};
  }

  /// The most that any backend asks for arguments, at least the given.
  constexpr auto most_alignment(std::uint32_t least) const -> std::uint32_t {
    for (const auto alignment : argument_alignment) least = std::max(least, alignment);
    return least;
  }

  /// The most that any backend reads ahead in the graphs that run.
  constexpr auto most_read_ahead(const program_view& program, const graph_calls& calls) const -> std::uint32_t {
    std::uint32_t most = 0;
    if (read_ahead_bytes.empty()) return most;
    for (const auto id : calls.order) {
      for (const auto& record : program.nodes_of(program[id])) {
        if (record.delegate != none<delegate_id>) most = std::max(most, read_ahead_bytes[index(record.delegate)]);
      }
    }
    return most;
  }
};

namespace detail {
/// Where the kernels of a backend stand among those that backends bring.
template <class Wanted, class... Backends>
constexpr auto kernels_brought(backend_list<Backends...>) -> range {
  std::uint32_t first = 0;
  static_cast<void>(((std::is_same_v<Wanted, Backends> || (first += decltype(kernels_of_backend<Backends>())::size, false)) || ...));
  return {first, decltype(kernels_of_backend<Wanted>())::size};
}
}  // namespace detail

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

/// What the backends of a list ask for. A delegate whose backend is not in the list asks for nothing.
template <class... Backends>
constexpr auto needs_of_backends(backend_list<Backends...> list, const program_view& program) -> backend_needs {
  backend_needs needs;
  if constexpr ((scratch_placing_backend<Backends> || ...)) needs.places.assign(program.delegates.size(), scratch_places{});
  needs.brought = (0 + ... + static_cast<std::uint32_t>(decltype(detail::kernels_of_backend<Backends>())::size));
  for (const auto& delegate : program.delegates) {
    char runs = 0;
    std::uint32_t ahead = 0;
    std::uint32_t alignment = 1;
    range kernels;
    with_backend(list, program.text(delegate.backend_id), [&](auto backend) {
      using type = typename decltype(backend)::type;
      if constexpr (original_running_backend<type>) runs = 1;
      if constexpr (kernel_bringing_backend<type>) kernels = detail::kernels_brought<type>(list);
      if constexpr (reading_ahead_backend<type>) ahead = type::read_ahead_bytes;
      if constexpr (aligning_backend<type>) alignment = type::argument_alignment;
      if constexpr (scratch_placing_backend<type>) {
        const auto id = static_cast<delegate_id>(&delegate - program.delegates.data());
        needs.places[index(id)] = type::places_in_scratch({program, id});
      }
    });
    needs.runs_original.push_back(runs);
    needs.read_ahead_bytes.push_back(ahead);
    needs.argument_alignment.push_back(alignment);
    needs.kernels.push_back(kernels);
  }
  return needs;
}

}  // namespace baton
