// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of an execution: which kernel computes each node, and where each value lies.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/shared_states.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/detail/kernel_needs.hpp>
#include <baton/plan/detail/kernel_rows.hpp>
#include <baton/plan/detail/nested_storage.hpp>
#include <baton/plan/detail/plan_with_scratch.hpp>
#include <baton/plan/detail/shared_storage.hpp>
#include <baton/plan/detail/values_in_scratch.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/placing/best.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// What an executor does with a program, and where.
struct execution_plan {
  graph_calls calls;
  vector<std::uint32_t> kernels;      ///< by node: its kernel's place in the list; of control flow and delegate calls: the list's size
  vector<memory_location> locations;  ///< by value
  vector<memory_location> outputs;    ///< of the root, by user output: after a run
  vector<copy_locations> copies;      ///< those of `memory`, made when graphs are done
  memory_plan memory;
  vector<nested_value> nested;  ///< what lies inside another value or in scratch, and is not copied there
};

namespace detail {

/// The failure of the first delegate that asks for an alignment of its arguments and has a constant among them.
constexpr auto check_alignments(const program_view& program, const graph_calls& calls, const backend_needs& needs,
                                span<const memory_location> locations) -> failure {
  if (needs.most_alignment(1) == 1) return {};
  for (const auto id : calls.order) {
    const auto run = program[id].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto& record = program.nodes[n];
      if (record.delegate == none<delegate_id> || needs.argument_alignment[index(record.delegate)] == 1) continue;
      if (needs.runs_original[index(record.delegate)] != 0) continue;
      for (const auto input : program.inputs(record)) {
        if (input == none<value_id> || !locations[index(input)].is_constant()) continue;
        auto why = broken_at<"unaligned_argument">(program, static_cast<node_id>(n), program.text(program[input].name), ", alignment ",
                                                   needs.argument_alignment[index(record.delegate)]);
        why.backend = join(lowered_module_view(program, record.delegate).backend_id());
        return why;
      }
    }
  }
  return {};
}

/// The declared distances of a plan with segments: of each as of one node, which writes upward.
constexpr auto distances_between(const program_view& program, const stream_plan& streams, span<const declared_distance> declared)
    -> vector<declared_distance> {
  vector<declared_distance> found;
  const auto nodes = program.root().nodes;
  const auto* next = streams.segments.begin();
  const auto add_segments_to = [&](std::uint32_t node) {
    for (; next != streams.segments.end() && nodes.first + next->first <= node; ++next) {
      const auto output = streams.graph.nodes[next->last()].output;
      found.push_back({nodes.first + next->first, next->input, output, {next->distance, least_distance::apart}});
    }
  };
  const bool is_root_first = nodes.first == 0;
  for (const auto& each : declared) {
    const bool is_of_root = each.node >= nodes.first && each.node - nodes.first < nodes.size;
    if (is_of_root || (is_root_first && each.node >= nodes.size)) add_segments_to(each.node);
    if (!is_of_root || streams.segment_of(each.node - nodes.first) == nullptr) found.push_back(each);
  }
  add_segments_to(npos);
  return found;
}

/// The segments with which a policy would have the root run that is planned without any.
template <class... Kernels>
constexpr auto segments_for(kernel_list<Kernels...> list, const program_view& program, span<const std::uint32_t> chosen,
                            const memory_plan& without, span<const std::uint32_t> scratch_bytes, const chosen_policy& policy)
    -> stream_plan {
  const auto& root = without.graphs.back();
  const auto nodes = program.root().nodes;
  const auto items = span<const lifetime>{without.needs.lifetimes}.subspan(root.entries.first, root.entries.size);
  vector<distance> distances;
  for (auto each : span<const distance>{without.needs.distances}.subspan(root.distances.first, root.distances.size)) {
    each.input -= root.entries.first;
    each.output -= root.entries.first;
    distances.push_back(each);
  }
  auto rows = rows_of_kernels(list, program, chosen);
  const memory_problem memory{items, distances, without.alignment, root.lower_bound};
  const auto scratch = scratch_bytes.empty() ? scratch_bytes : scratch_bytes.subspan(nodes.first, nodes.size);
  auto found = policy.find_segments({rows, memory, without.needs.of_value, root.entries.first, scratch});
  found.graph = std::move(rows);
  return found;
}

/// `plan_execution`, where `pinned` are mutable buffers whose places are known, or `regions` those over which the arena is split.
/// `known_kernels` are choices that have been made, as `kernel_choices` takes them. Errors: also `regions_too_small`, `unsplit_policy`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options,
                              const backend_needs& needs, const pinned_states& pinned, const memory_regions& regions,
                              const chosen_policy& policy, span<const std::uint32_t> known_kernels = {}) -> result<execution_plan> {
  if (program.graphs.empty()) return execution_plan{};
  auto calls = graphs_that_run(program, needs.runs_original);
  if (!calls) return calls.error;
  const auto run_by = [&](const node& record) { return graphs_run_by(program, record, calls.value.runs_original); };
  if (auto why = check_shared_states(program, calls.value.order, run_by)) return why;
  auto chosen = kernel_choices<Kernels...>(program, needs, known_kernels).run(calls.value);
  if (!chosen) return chosen.error;
  const auto storage = shared_storage(list, program, chosen.value);
  const auto holders = held_by_caller(program, calls.value, storage);
  const auto of_kernels = needs_of_kernels(list, program, chosen.value, policy.ignores_distances);
  const auto read_ahead = std::max(needs.most_read_ahead(program, calls.value), of_kernels.read_ahead_bytes);
  const memory_request unstreamed{storage, holders, read_ahead, pinned, regions, of_kernels.distances, of_kernels.scratch_bytes};
  auto request = unstreamed;
  const plan_options aligned{needs.most_alignment(options.alignment)};
  auto memory = plan_memory(program, calls.value, aligned, request, policy);
  stream_plan streams;
  if (policy.find_segments != nullptr && memory) {
    streams = segments_for(list, program, chosen.value, memory.value, request.scratch_bytes, policy);
  }
  vector<declared_distance> distances;
  if (!streams.segments.empty()) {
    distances = distances_between(program, streams, of_kernels.distances);
    auto by_rows = request;
    by_rows.distances = distances;
    by_rows.streams = &streams;
    auto with_segments = plan_memory(program, calls.value, aligned, by_rows, policy);
    if (with_segments && with_segments.value.arena_bytes < memory.value.arena_bytes) {
      memory = std::move(with_segments);
      request = by_rows;
    }
  }
  nested_storage nested;
  const auto nest = [&](memory_request of_parts) {
    auto found = nest_values(list, program, chosen.value, storage, aligned.alignment, of_parts.streams);
    if (found.values.empty()) return;
    of_parts.storage_of = found.storage_of;
    of_parts.storage_within = found.within;
    auto with_parts = plan_memory(program, calls.value, aligned, of_parts, policy);
    if (!with_parts || (memory && with_parts.value.arena_bytes > memory.value.arena_bytes)) return;
    memory = std::move(with_parts);
    nested = std::move(found);
    request = of_parts;
  };
  if (request.streams != nullptr) nest(request);
  nest(unstreamed);
  const auto wishes = scratch_wishes(program, needs, request.storage_of, aligned.alignment).run();
  auto planned = scratch_planner(program, calls.value, aligned, request, policy, wishes).run(std::move(memory));
  if (!planned.memory) return planned.memory.error;
  nested.values.insert(nested.values.end(), planned.values.begin(), planned.values.end());
  auto locations = locations_of(program, calls.value, request.storage_of, holders, planned.memory.value);
  if (auto why = check_alignments(program, calls.value, needs, locations)) return why;
  auto outputs = locations_of_outputs(program, planned.memory.value, locations);
  auto copies = locations_of_copies(program, planned.memory.value, locations);
  return execution_plan{std::move(calls.value), std::move(chosen.value),         std::move(locations),    std::move(outputs),
                        std::move(copies),      std::move(planned.memory.value), std::move(nested.values)};
}

}  // namespace detail

/// Plans an execution with a list of kernels; what kernels join or part, and what delegates read and make in their scratch, is not copied
/// where its memory allows that (`nested`) and the arena does not grow by it; `policy` places. Errors: `recursive_graph`, `shared_state`,
/// `malformed_operator` (control flow), `missing_kernel`, `malformed_data` (a constant without data), `dynamic_shape`,
/// `unsound_policy`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options = {},
                              const chosen_policy& policy = planned_by<placing::best>{}) -> result<execution_plan> {
  return detail::plan_execution(list, program, options, {}, {}, {}, policy);
}
/// The same as an executor does it whose delegates run on these backends: with the kernels that these bring, and what they ask for.
/// Errors: also `unaligned_argument`.
template <class... Kernels, class... Backends>
constexpr auto plan_execution(kernel_list<Kernels...> list, backend_list<Backends...> target, const program_view& program,
                              const plan_options& options = {}, const chosen_policy& policy = planned_by<placing::best>{})
    -> result<execution_plan> {
  return detail::plan_execution(with_kernels_of_backends(list, target), program, options, needs_of_backends(target, program), {}, {},
                                policy);
}

}  // namespace baton
