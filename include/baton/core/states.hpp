// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which mutable buffers of a program's graphs are one state: those of one fully qualified name.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// By graph, the lowered module to whose original it belongs, `none`: to the program itself. Names are those of one of these.
constexpr auto modules_of_graphs(const program_view& program) -> vector<delegate_id> {
  vector<delegate_id> found(program.graphs.size(), none<delegate_id>);
  for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
    vector<graph_id> open{program.delegates[d].original};
    if (found[index(open[0])] != none<delegate_id>) continue;
    found[index(open[0])] = delegate_id{d};
    for (std::size_t at = 0; at < open.size(); ++at) {
      for (const auto& record : program.nodes_of(program[open[at]])) {
        for (const auto inner : program.subgraphs_of(record)) {
          if (found[index(inner)] == delegate_id{d}) continue;
          found[index(inner)] = delegate_id{d};
          open.push_back(inner);
        }
      }
    }
  }
  return found;
}

/// The mutable buffers of a program that are one state, in the order of graphs.
using same_state = vector<value_id>;

/// The states that several graphs of a program use: mutable buffers of one fully qualified name. Empty where each graph has its own.
/// Near-linear in mutable buffers.
constexpr auto states_of_several_graphs(const program_view& program) -> vector<same_state> {
  vector<same_state> found;
  if (program.graphs.size() < 2) return found;
  vector<value_id> buffers;
  for (const auto& graph : program.graphs) {
    for (const auto input : program.inputs(graph)) {
      if (program[input].kind == value_kind::mutable_buffer) buffers.push_back(input);
    }
  }
  if (buffers.size() < 2) return found;
  const auto modules = modules_of_graphs(program);
  const auto module_of = [&](value_id id) { return modules[index(program[id].graph)]; };
  const auto name_of = [&](value_id id) { return program.text(program[id].target); };
  vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const auto a = buffers[i], b = buffers[j];
    if (module_of(a) != module_of(b)) return index(module_of(a)) < index(module_of(b));
    const auto by_name = name_of(a).compare(name_of(b));
    return by_name != 0 ? by_name < 0 : i < j;
  });
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const auto id = buffers[order[first]];
    for (last = first + 1; last < order.size(); ++last) {
      const auto other = buffers[order[last]];
      if (module_of(other) != module_of(id) || name_of(other) != name_of(id)) break;
    }
    if (last - first == 1) continue;
    found.push_back({});
    for (auto i = first; i < last; ++i) found.back().push_back(buffers[order[i]]);
  }
  return found;
}

}  // namespace baton
