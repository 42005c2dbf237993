// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which outputs have the memory of an operand.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/shared/kernel_members.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/plan/shared/locations.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// By value, whether it is a state that a graph below its own uses, too, and may write before its own is done. Empty: none is.
constexpr auto states_used_below(const program_view& program) -> vector<char> {
  vector<char> found;
  for (const auto& state : states_of_several_graphs(program)) {
    if (found.empty()) found.assign(program.values.size(), 0);
    for (const auto id : state) {
      const auto below = nested_graphs(program, program[id].graph);
      for (const auto other : state) {
        if (other != id && std::find(below.begin(), below.end(), program[other].graph) != below.end()) found[index(id)] = 1;
      }
    }
  }
  return found;
}
/// Returns the last node that writes each state in place, by value; 0 for all other values. Empty if there is no such node.
constexpr auto last_writes_in_place(const program_view& program) -> vector<std::uint32_t> {
  vector<std::uint32_t> last;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto& record = program.nodes[n];
    if (!writes_a_state(program, record)) continue;
    last.resize(program.values.size(), 0);
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id> && program[input].kind == value_kind::mutable_buffer) last[index(input)] = n;
    }
  }
  return last;
}

}  // namespace detail

/// By value, the value whose memory it shares: the outputs of forwarding kernels, unless a state may be written while they are used.
/// `chosen` is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto shared_storage(kernel_list<Kernels...>, const program_view& program, span<const std::uint32_t> chosen) -> vector<value_id> {
  constexpr std::array<bool, sizeof...(Kernels) + 1> forwards{forwarding_kernel<Kernels>..., false};
  vector<value_id> storage(program.values.size(), none<value_id>);
  const auto used_below = detail::states_used_below(program);
  const auto last_writes = detail::last_writes_in_place(program);
  for (std::uint32_t n = 0; n < chosen.size(); ++n) {
    if (chosen[n] == npos || !forwards[chosen[n]]) continue;
    const auto& record = program.nodes[n];
    const auto from = program.inputs(record)[0];
    if (!needs_memory(program[from]) || (!used_below.empty() && used_below[index(from)] != 0)) continue;
    const auto owner = storage[index(from)] == none<value_id> ? from : storage[index(from)];
    if (!last_writes.empty() && last_writes[index(owner)] > n) continue;
    storage[index(program.outputs_of(record)[0])] = owner;
  }
  return storage;
}

}  // namespace baton
