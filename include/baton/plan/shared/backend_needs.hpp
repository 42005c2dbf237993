// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The requirements of backends for the executor and its memory. Members of the backend types declare these requirements.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/io_offsets.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/plan/detail/backend_members.hpp>
#include <baton/plan/shared/graph_calls.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Returns the kernels of an executor, followed by the kernels that backends provide, in the order of the backends.
template <class... Kernels, class... Backends>
constexpr auto with_kernels_of_backends(kernel_list<Kernels...> own, backend_list<Backends...>) {
  return (own + ... + detail::kernels_of_backend<Backends>());
}

/// The requirements of backends, indexed by delegate of a program. An empty list means that no delegate has requirements.
struct backend_needs {
  vector<char> runs_original;  ///< whether the original graph (the part before `preprocess`) runs instead of the delegate
  vector<std::uint32_t> overread_bytes;
  vector<std::uint32_t> argument_alignment;  ///< 1 if there is no requirement
  /// The offsets in scratch at which a backend prefers its arguments and results; empty if no backend has preferred offsets.
  vector<io_offsets> preferred_offsets;
  /// The kernels of the delegate's backend, as a range in the concatenated kernels of all backends. If the range is empty, the original
  /// graph uses the kernels of the calling graph.
  vector<range> kernels;
  std::uint32_t provided_kernels = 0;  ///< the number of kernels of all backends; they are last in the list (`with_kernels_of_backends`)

  /// Returns the range of the kernels that compute the original graph of delegate `id`. `count` is the number of kernels in the list
  /// (`with_kernels_of_backends`). If `id` is `none`, returns the range of the executor's own kernels, which compute the root.
  constexpr auto kernels_of(delegate_id id, std::uint32_t count) const -> range {
    const auto own = count - std::min(count, provided_kernels);
    if (id == none<delegate_id>) return {0, own};
    return {own + kernels[index(id)].first, kernels[index(id)].size};
  }

  /// Returns the maximum of `minimum` and of all argument alignments that backends require.
  constexpr auto max_alignment(std::uint32_t minimum) const -> std::uint32_t {
    for (const auto alignment : argument_alignment) minimum = std::max(minimum, alignment);
    return minimum;
  }

  /// Returns the maximum of `overread_bytes` over the delegates that the graphs in `calls` call: the largest number of bytes that one of
  /// these delegates may read past the end of an argument.
  constexpr auto max_overread(const program_view& program, const graph_calls& calls) const -> std::uint32_t {
    std::uint32_t max_bytes = 0;
    if (overread_bytes.empty()) return max_bytes;
    for (const auto id : calls.order) {
      for (const auto& record : program.nodes_of(program[id])) {
        if (record.delegate != none<delegate_id>) max_bytes = std::max(max_bytes, overread_bytes[index(record.delegate)]);
      }
    }
    return max_bytes;
  }
};

/// Returns the requirements that the backends in `list` have for the delegates of `program`. A delegate whose backend is not in `list` has
/// no requirements.
template <class... Backends>
constexpr auto needs_of_backends(backend_list<Backends...> list, const program_view& program) -> backend_needs {
  backend_needs needs;
  if constexpr ((detail::scratch_placing_backend<Backends> || ...)) needs.preferred_offsets.assign(program.delegates.size(), io_offsets{});
  needs.provided_kernels = (0 + ... + static_cast<std::uint32_t>(decltype(detail::kernels_of_backend<Backends>())::size));
  for (const auto& delegate : program.delegates) {
    char runs = 0;
    std::uint32_t overread = 0;
    std::uint32_t alignment = 1;
    range kernels;
    list.with(program.text(delegate.backend_id), [&](auto backend) {
      using type = typename decltype(backend)::type;
      if constexpr (detail::original_running_backend<type>) runs = 1;
      if constexpr (detail::kernel_providing_backend<type>) kernels = detail::range_of_kernels<type>(list);
      if constexpr (detail::overreading_backend<type>) overread = type::overread_bytes;
      if constexpr (detail::aligning_backend<type>) alignment = type::argument_alignment;
      if constexpr (detail::scratch_placing_backend<type>) {
        const auto id = static_cast<delegate_id>(&delegate - program.delegates.data());
        needs.preferred_offsets[index(id)] = type::io_offsets_in_scratch({program, id});
      }
    });
    needs.runs_original.push_back(runs);
    needs.overread_bytes.push_back(overread);
    needs.argument_alignment.push_back(alignment);
    needs.kernels.push_back(kernels);
  }
  return needs;
}

}  // namespace baton
