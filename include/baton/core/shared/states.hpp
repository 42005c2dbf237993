// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which mutable buffers of a program's graphs are one state: those of one fully qualified name.
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

/// By graph, the lowered module to whose original it belongs, `none`: to the program itself. Names are those of one of these.
constexpr auto modules_of_graphs(const program_view& program) -> vector<delegate_id> {
  vector<delegate_id> found(program.graphs.size(), none<delegate_id>);
  for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
    const auto original = program.delegates[d].original;
    if (found[index(original)] != none<delegate_id>) continue;
    for (const auto id : nested_graphs(program, original)) found[index(id)] = delegate_id{d};
  }
  return found;
}

/// In what the types of two values differ, each of its program: "dtype", "shape" or "quantization"; empty: in nothing.
constexpr auto type_difference(const program_view& one, value_id a, const program_view& other, value_id b) -> std::string_view {
  if (one[a].type != other[b].type) return "dtype";
  if (!same(one.shape(a), other.shape(b))) return "shape";
  return detail::record_comparison(one, other).same(one[a].quant, other[b].quant) ? std::string_view{} : "quantization";
}
/// The same for two mutable buffers that are to be one state, which may also differ in their "initial value".
constexpr auto state_difference(const program_view& one, value_id a, const program_view& other, value_id b) -> std::string_view {
  const auto of_types = type_difference(one, a, other, b);
  if (!of_types.empty()) return of_types;
  return detail::record_comparison(one, other).same(one[a].data, other[b].data) ? std::string_view{} : "initial value";
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
  sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
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
