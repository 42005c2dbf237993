// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The states of a program. Mutable buffers with the same fully qualified name are one state, unless they are in different lowered modules
// (parts of the program that a backend has compiled).
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// Returns, indexed by graph, the lowered module that contains the graph, or `none` for a graph outside all lowered modules. Graphs in
/// different lowered modules do not share states, even if their buffers have the same name.
constexpr auto modules_of_graphs(const program_view& program) -> vector<delegate_id> {
  vector<delegate_id> modules(program.graphs.size(), none<delegate_id>);
  for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
    const auto original = program.delegates[d].original;
    if (modules[index(original)] != none<delegate_id>) continue;
    for (const auto id : nested_graphs(program, original)) modules[index(id)] = delegate_id{d};
  }
  return modules;
}

/// Returns the first difference between the types of value `a` of program `one` and value `b` of program `other`: "dtype", "shape" or
/// "quantization". Returns an empty text if the types are equal.
constexpr auto type_difference(const program_view& one, value_id a, const program_view& other, value_id b) -> std::string_view {
  if (one[a].type != other[b].type) return "dtype";
  if (!same(one.shape(a), other.shape(b))) return "shape";
  return detail::record_comparison(one, other).same(one[a].quant, other[b].quant) ? std::string_view{} : "quantization";
}
/// Same as `type_difference`, for two mutable buffers. If the types are equal but the data differ, returns "initial value".
constexpr auto state_difference(const program_view& one, value_id a, const program_view& other, value_id b) -> std::string_view {
  const auto difference = type_difference(one, a, other, b);
  if (!difference.empty()) return difference;
  return detail::record_comparison(one, other).same(one[a].data, other[b].data) ? std::string_view{} : "initial value";
}

/// The mutable buffers of one state, in the order of their graphs.
using state_buffers = vector<value_id>;

/// Returns the states that several graphs of a program use, or an empty list if there are no such states. O(n log n) for n mutable buffers.
constexpr auto states_of_several_graphs(const program_view& program) -> vector<state_buffers> {
  vector<state_buffers> states;
  if (program.graphs.size() < 2) return states;
  vector<value_id> buffers;
  for (const auto& graph : program.graphs) {
    for (const auto input : program.inputs(graph)) {
      if (program[input].kind == value_kind::mutable_buffer) buffers.push_back(input);
    }
  }
  if (buffers.size() < 2) return states;
  const auto modules = modules_of_graphs(program);
  const auto module_of = [&](value_id id) { return modules[index(program[id].graph)]; };
  const auto name_of = [&](value_id id) { return program.text(program[id].target); };
  vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) order.push_back(i);
  sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const auto a = buffers[i], b = buffers[j];
    if (module_of(a) != module_of(b)) return index(module_of(a)) < index(module_of(b));
    const auto comparison = name_of(a).compare(name_of(b));
    return comparison != 0 ? comparison < 0 : i < j;
  });
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const auto id = buffers[order[first]];
    for (last = first + 1; last < order.size(); ++last) {
      const auto other = buffers[order[last]];
      if (module_of(other) != module_of(id) || name_of(other) != name_of(id)) break;
    }
    if (last - first == 1) continue;
    states.push_back({});
    for (auto i = first; i < last; ++i) states.back().push_back(buffers[order[i]]);
  }
  return states;
}

}  // namespace baton
