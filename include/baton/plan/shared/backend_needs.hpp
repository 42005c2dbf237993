// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What backends ask of the executor and of its memory, said as constants of their types.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/scratch_places.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/plan/detail/backend_members.hpp>
#include <baton/plan/shared/graph_calls.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// The kernels of an executor, and behind them those of each backend that brings some, in the order of the backends.
template <class... Kernels, class... Backends>
constexpr auto with_kernels_of_backends(kernel_list<Kernels...> own, backend_list<Backends...>) {
  return (own + ... + detail::kernels_of_backend<Backends>());
}

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

/// What the backends of a list ask for. A delegate whose backend is not in the list asks for nothing.
template <class... Backends>
constexpr auto needs_of_backends(backend_list<Backends...> list, const program_view& program) -> backend_needs {
  backend_needs needs;
  if constexpr ((detail::scratch_placing_backend<Backends> || ...)) needs.places.assign(program.delegates.size(), scratch_places{});
  needs.brought = (0 + ... + static_cast<std::uint32_t>(decltype(detail::kernels_of_backend<Backends>())::size));
  for (const auto& delegate : program.delegates) {
    char runs = 0;
    std::uint32_t ahead = 0;
    std::uint32_t alignment = 1;
    range kernels;
    list.with(program.text(delegate.backend_id), [&](auto backend) {
      using type = typename decltype(backend)::type;
      if constexpr (detail::original_running_backend<type>) runs = 1;
      if constexpr (detail::kernel_bringing_backend<type>) kernels = detail::kernels_brought<type>(list);
      if constexpr (detail::reading_ahead_backend<type>) ahead = type::read_ahead_bytes;
      if constexpr (detail::aligning_backend<type>) alignment = type::argument_alignment;
      if constexpr (detail::scratch_placing_backend<type>) {
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
