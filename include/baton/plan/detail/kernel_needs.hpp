// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the kernels of a program ask of memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/plan/shared/lifetime.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// What the kernels of a program's nodes ask for.
struct kernel_needs {
  vector<std::uint32_t> scratch_bytes;  ///< by node; empty: none needs any
  std::uint32_t read_ahead_bytes = 0;   ///< the most that any reads ahead
  vector<declared_distance> distances;  ///< by ascending nodes
};

/// What one kernel asks for; null: nothing.
struct kernel_questions {
  std::uint32_t (*scratch_bytes)(const program_view&, const node&) = nullptr;
  std::uint32_t (*read_ahead_bytes)(const program_view&, const node&) = nullptr;
  least_distance (*distance_of)(const program_view&, const node&, std::size_t) = nullptr;
};

template <class Kernel>
inline constexpr bool asks_for_memory = scratch_kernel<Kernel> || reading_ahead_kernel<Kernel> || overlapping_kernel<Kernel>;

template <class Kernel>
constexpr auto questions_of() -> kernel_questions {
  kernel_questions asked;
  if constexpr (scratch_kernel<Kernel>) asked.scratch_bytes = Kernel::scratch_bytes;
  if constexpr (reading_ahead_kernel<Kernel>) asked.read_ahead_bytes = Kernel::read_ahead_bytes;
  if constexpr (overlapping_kernel<Kernel>) asked.distance_of = Kernel::distance_of;
  return asked;
}

constexpr void add_needs(kernel_needs& needs, const kernel_questions& asked, const program_view& program, std::uint32_t n) {
  const auto& record = program.nodes[n];
  if (asked.scratch_bytes != nullptr) {
    if (needs.scratch_bytes.empty()) needs.scratch_bytes.assign(program.nodes.size(), std::uint32_t{0});
    needs.scratch_bytes[n] = asked.scratch_bytes(program, record);
  }
  if (asked.read_ahead_bytes != nullptr) needs.read_ahead_bytes = std::max(needs.read_ahead_bytes, asked.read_ahead_bytes(program, record));
  if (asked.distance_of == nullptr || record.outputs.size != 1) return;
  const auto inputs = program.inputs(record);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == none<value_id>) continue;
    const auto least = asked.distance_of(program, record, i);
    bool overlaps = least != least_distance{};
    for (std::size_t j = 0; overlaps && j < inputs.size(); ++j) {  // a value that is another operand, too
      overlaps = j == i || inputs[j] != inputs[i] || asked.distance_of(program, record, j) != least_distance{};
    }
    if (overlaps) needs.distances.push_back({n, inputs[i], program.outputs_of(record)[0], least});
  }
}

/// What the kernels of a list ask for; `chosen` is `execution_plan::kernels`. Distances are left out where nobody wants to know.
template <class... Kernels>
constexpr auto needs_of_kernels(kernel_list<Kernels...>, const program_view& program, span<const std::uint32_t> chosen,
                                bool ignores_distances = false) -> kernel_needs {
  kernel_needs needs;
  if constexpr ((asks_for_memory<Kernels> || ...)) {
    std::array<kernel_questions, sizeof...(Kernels)> asked{questions_of<Kernels>()...};
    if (ignores_distances) {
      for (auto& each : asked) each.distance_of = nullptr;
    }
    for (std::uint32_t n = 0; n < chosen.size(); ++n) {
      if (chosen[n] < sizeof...(Kernels)) add_needs(needs, asked[chosen[n]], program, n);
    }
  }
  return needs;
}

}  // namespace baton::detail
