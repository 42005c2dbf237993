// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// User inputs and user outputs that are in buffers of the caller. The arena contains only the addresses of these buffers.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The bound tensors: the positions of the user inputs and user outputs of the root that are in buffers of the caller. The struct is a
/// view. The arena contains a table of the addresses of these buffers: first the inputs, then the outputs, each in the order of their list.
struct bound_tensors {
  span<const std::uint32_t> inputs{};
  span<const std::uint32_t> outputs{};

  constexpr auto size() const -> std::size_t { return inputs.size() + outputs.size(); }
  /// Returns the size of the table of addresses in bytes.
  constexpr auto address_bytes() const -> std::uint32_t { return static_cast<std::uint32_t>(size() * sizeof(char*)); }
};

/// Returns the bound tensors that a `Setting` of `static_execution` declares. Returns no tensors if `Setting` declares none.
template <class Setting>
constexpr auto bound_tensors_of() -> bound_tensors {
  if constexpr (requires { Setting::bound(); }) return Setting::bound();
  return {};
}

/// Returns the bound values of a program, in the order of the table of addresses. Positions that do not exist are omitted here; the
/// executor reports them as errors.
constexpr auto values_of(const program_view& program, const bound_tensors& bound) -> vector<value_id> {
  vector<value_id> values;
  const auto add = [&values](const auto& ids, span<const std::uint32_t> positions) {
    for (const auto position : positions) {
      if (position < ids.size()) values.push_back(ids[position]);
    }
  };
  add(user_inputs_of(program, graph_id{0}), bound.inputs);
  add(user_outputs_of(program, graph_id{0}), bound.outputs);
  return values;
}

/// Records the bound values in a storage map. The first `inputs` elements of `values` are user inputs; the others are user outputs. Fails
/// with `unbindable_output` if a bound output is not the output of a node, or is bound twice.
constexpr auto add_bound_values(storage_map& map, const program_view& program, span<const value_id> values, std::size_t inputs) -> failure {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& record = program[values[i]];
    if (i >= inputs && (record.kind != value_kind::intermediate || map[values[i]].in == container::bound))
      return broken<"unbindable_output">("value ", program.text(record.name));
    map.place(values[i], {container::bound, storage_reason::bound, npos, i * sizeof(char*)});
  }
  return {};
}

/// Decides the memory of an output that aliases its operand `from`, if one of the two is in a buffer of the caller. Returns true if the
/// output must not be stored in the memory of the operand. There are two such cases:
/// - The output is bound. Then the value whose memory contains the operand moves to the buffer of the output, if possible. The value cannot
///   move if it is a placeholder, is stored outside the arena, is a user output, or shares its memory with a user output.
/// - The output is an unbound user output, and the memory of the operand is bound. Then the output has memory of its own, because the
///   caller may bind another buffer to the operand before reading the output.
constexpr auto place_bound_alias(storage_map& map, const program_view& program, value_id from, value_id output) -> bool {
  const auto owner = map.root_of(from).value;
  const auto is_bound = [&map](value_id id) { return map[id].in == container::bound; };
  if (!is_bound(owner) && !is_bound(output)) return false;
  const auto outputs = user_outputs_of(program, graph_id{0});
  if (is_bound(output)) {
    const auto is_owned = [&](value_id id) { return map.root_of(id).value == owner; };
    const bool is_movable =
        program[owner].kind == value_kind::intermediate && map.is_own(owner) && std::none_of(outputs.begin(), outputs.end(), is_owned);
    if (is_movable) map.place(owner, {container::value, storage_reason::forwarded, index(output)});
    return true;
  }
  return std::find(outputs.begin(), outputs.end(), output) != outputs.end();
}

/// Returns, for each bound value, the maximum number of bytes that a node reads past the end of the value. `overread_of(node)` is the
/// number of bytes that a node of the program reads past the ends of its operands.
template <class OverreadOf>
constexpr auto overreads_of_bound(const program_view& program, const storage_map& map, span<const value_id> values, OverreadOf overread_of)
    -> vector<std::uint32_t> {
  vector<std::uint32_t> bytes(values.size(), std::uint32_t{0});
  if (values.empty()) return bytes;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const std::uint32_t overread = overread_of(n);
    if (overread == 0) continue;
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input == none<value_id>) continue;
      const auto at = std::find(values.begin(), values.end(), memory_of(program, map, input)) - values.begin();
      if (static_cast<std::size_t>(at) < bytes.size())
        bytes[static_cast<std::size_t>(at)] = std::max(bytes[static_cast<std::size_t>(at)], overread);
    }
  }
  return bytes;
}

}  // namespace baton::detail
