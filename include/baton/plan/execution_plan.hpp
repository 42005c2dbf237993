// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of an execution: which kernel computes each node, and where each value lies.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
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
#include <baton/plan/detail/shared_storage.hpp>
#include <baton/plan/detail/storage_proposals.hpp>
#include <baton/plan/detail/storage_search.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/placing/best.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// What an executor does with a program, and where.
struct execution_plan {
  graph_calls calls;
  vector<std::uint32_t> kernels;        ///< by node: its kernel's place in the list; of control flow and delegate calls: the list's size
  vector<std::uint32_t> scratch_bytes;  ///< by node: the working memory of its kernel; empty if no kernel has any
  vector<memory_location> locations;    ///< by value
  vector<memory_location> outputs;      ///< of the root, by user output: after a run
  vector<copy_locations> copies;        ///< those of `memory`, made when graphs are done
  memory_plan memory;

  /// What lies in something else because a kernel or a backend would have it there.
  constexpr auto accepted() const -> vector<storage_proposal> {
    vector<storage_proposal> found;
    for (const auto& each : memory.decided) {
      if (each.why == refusal::none) found.push_back(each.proposal);
    }
    return found;
  }
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

/// The declared distances of a plan with segments: none between nodes of one, and of each segment as of one node, which writes upward.
constexpr auto distances_between(const program_view& program, const schedule& order, const stream_plan& streams,
                                 span<const declared_distance> declared) -> vector<declared_distance> {
  vector<declared_distance> found;
  const auto root = program.root().nodes;
  for (const auto& each : declared) {
    const bool is_of_root = each.node - root.first < root.size;
    if (!is_of_root || streams.segment_of(order.step_of[each.node]) == nullptr) found.push_back(each);
  }
  for (const auto& segment : streams.segments) {
    const auto output = streams.graph.nodes[segment.last()].output;
    found.push_back({index(order.nodes[segment.first]), segment.input, output, {segment.distance, least_distance::apart}});
  }
  return found;
}

/// The segments with which a policy would have the root run that is planned without any.
template <class... Kernels>
constexpr auto rows_for(kernel_list<Kernels...> list, const program_view& program, span<const chosen_kernel> chosen, const schedule& order,
                        const memory_plan& without, const kernel_needs& of_kernels, const chosen_policy& policy) -> rows_proposal {
  if (policy.find_segments == nullptr) return {};
  const auto& root = without.graphs.back();
  const auto items = span<const lifetime>{without.needs.lifetimes}.subspan(root.entries.first, root.entries.size);
  vector<distance> distances;
  for (auto each : span<const distance>{without.needs.distances}.subspan(root.distances.first, root.distances.size)) {
    each.input -= root.entries.first;
    each.output -= root.entries.first;
    distances.push_back(each);
  }
  auto rows = rows_of_kernels(list, program, chosen, order);
  const memory_problem memory{items, distances, without.alignment, root.lower_bound};
  vector<std::uint32_t> scratch;
  for (std::uint32_t n = 0; n < rows.nodes.size() && !of_kernels.scratch_bytes.empty(); ++n) {
    scratch.push_back(of_kernels.scratch_bytes[index(order.nodes[n])]);
  }
  rows_proposal made{policy.find_segments({rows, memory, without.needs.of_value, root.entries.first, scratch}), {}, {}};
  made.streams.graph = std::move(rows);
  if (made.streams.segments.empty()) return made;
  made.order = with_segments(order, made.streams);
  made.distances = distances_between(program, order, made.streams, of_kernels.distances);
  return made;
}

/// What is decided before an execution is planned: memory of methods and regions, policies, and kernels that have been chosen, as
/// `kernel_choices` takes them.
struct execution_setting {
  pinned_states pinned{};
  memory_regions regions{};
  chosen_policy policy = planned_by<placing::best>{};
  chosen_schedule order{};
  span<const chosen_kernel> known_kernels{};
};

/// `plan_execution`, where more is known. Errors: also `regions_too_small`, `unsplit_policy`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options,
                              const backend_needs& needs, const execution_setting& setting) -> result<execution_plan> {
  if (program.graphs.empty()) return execution_plan{};
  auto calls = graphs_that_run(program, needs.runs_original);
  if (!calls) return calls.error;
  const auto run_by = [&](const node& record) { return graphs_run_by(program, record, calls.value.runs_original); };
  if (auto why = check_shared_states(program, calls.value.order, run_by)) return why;
  auto chosen = kernel_choices<Kernels...>(program, needs, setting.known_kernels).run(calls.value);
  if (!chosen) return chosen.error;
  auto order = make_schedule(program, calls.value, setting.order);
  if (!order) return order.error;
  auto storage = shared_storage(program, chosen.value, order.value.step_of);
  add_storage_of_calls(storage, program, calls.value);
  auto of_kernels = needs_of_kernels(program, chosen.value, setting.policy.ignores_distances);
  const auto read_ahead = std::max(needs.most_read_ahead(program, calls.value), of_kernels.overread_bytes);
  const memory_request request{&storage,     read_ahead, setting.pinned, setting.regions, of_kernels.distances, of_kernels.scratch_bytes,
                               &order.value, nullptr};
  const plan_options aligned{needs.most_alignment(options.alignment)};
  const auto parts = proposals_of_kernels(program, chosen.value, order.value);
  const auto in_scratch = proposals_of_backends(program, needs, order.value);
  storage_search search(program, calls.value, aligned, request, setting.policy, parts, in_scratch);
  auto planned = search.run(
      [&](const memory_plan& without) { return rows_for(list, program, chosen.value, order.value, without, of_kernels, setting.policy); });
  if (!planned.memory) return planned.memory.error;
  if (planned.map.empty()) planned.map = std::move(storage);
  execution_plan made;
  made.locations = locations_of(program, calls.value, planned.map, planned.memory.value);
  if (auto why = check_alignments(program, calls.value, needs, made.locations)) return why;
  made.outputs = locations_of_outputs(program, planned.memory.value, made.locations);
  made.copies = locations_of_copies(program, planned.memory.value, made.locations);
  auto& steps = planned.memory.value.steps;
  if (planned.choice.is_by_rows) steps = search.take_order_by_rows();
  if (!planned.choice.is_by_rows) steps = std::move(order.value);
  add_copies(steps, planned.memory.value.needs.copies);
  made.calls = std::move(calls.value);
  for (const auto& each : chosen.value) made.kernels.push_back(each.index);
  made.scratch_bytes = std::move(of_kernels.scratch_bytes);
  made.memory = std::move(planned.memory.value);
  made.memory.storage = std::move(planned.map);
  made.memory.decided = std::move(planned.decided);
  return made;
}

}  // namespace detail

/// Plans an execution with a list of kernels; what kernels join or part, and what delegates read and make in their scratch, is not copied
/// where its memory allows that and the arena does not grow by it (`memory_plan::decided`); `policy` places, `order` puts nodes in order.
/// Errors: `recursive_graph`, `shared_state`, `malformed_operator` (control flow), `missing_kernel`, `malformed_data` (a constant without
/// data), `dynamic_shape`, `invalid_policy`, `invalid_schedule`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options = {},
                              const chosen_policy& policy = planned_by<placing::best>{}, const chosen_schedule& order = {})
    -> result<execution_plan> {
  return detail::plan_execution(list, program, options, {}, {.policy = policy, .order = order});
}
/// The same as an executor does it whose delegates run on these backends: with the kernels that these bring, and what they ask for.
/// Errors: also `unaligned_argument`.
template <class... Kernels, class... Backends>
constexpr auto plan_execution(kernel_list<Kernels...> list, backend_list<Backends...> target, const program_view& program,
                              const plan_options& options = {}, const chosen_policy& policy = planned_by<placing::best>{},
                              const chosen_schedule& order = {}) -> result<execution_plan> {
  return detail::plan_execution(with_kernels_of_backends(list, target), program, options, needs_of_backends(target, program),
                                {.policy = policy, .order = order});
}

}  // namespace baton
