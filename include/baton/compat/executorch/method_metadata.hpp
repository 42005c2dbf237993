// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backends that a method needs.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace baton {

/// Returns the ids of the backends whose delegates a program calls, including calls in branches and loop bodies. Each id occurs once. The
/// ids are in the order of the lowered modules (nodes that a backend's `preprocess` has compiled) in the program.
constexpr auto backend_names(const program_view& program) -> vector<std::string_view> {
  vector<std::string_view> names;
  const auto calls = graphs_that_run(program, {});
  for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
    const auto id = static_cast<delegate_id>(d);
    const auto is_call = [&](const node& record) { return record.delegate == id; };
    const bool is_called = std::any_of(calls.value.order.begin(), calls.value.order.end(), [&](graph_id graph) {
      const auto nodes = program.nodes_of(program[graph]);
      return std::any_of(nodes.begin(), nodes.end(), is_call);
    });
    const auto backend = lowered_module_view(program, id).backend_id();
    if (is_called && std::find(names.begin(), names.end(), backend) == names.end()) names.push_back(backend);
  }
  return names;
}

/// Returns the number of elements of `backend_names`.
constexpr auto backend_count(const program_view& program) -> std::size_t { return backend_names(program).size(); }

/// Returns the id of the backend at index `at` of `backend_names`. Fails with `invalid_argument` if the index is out of range.
constexpr auto backend_name(const program_view& program, std::size_t at) -> status_or<std::string_view> {
  const auto names = backend_names(program);
  if (at >= names.size()) return status::invalid_argument;
  return names[at];
}

/// True if `backend_names` contains `backend_id`.
constexpr auto uses_backend(const program_view& program, std::string_view backend_id) -> bool {
  const auto names = backend_names(program);
  return std::find(names.begin(), names.end(), backend_id) != names.end();
}

}  // namespace baton
