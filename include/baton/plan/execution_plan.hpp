// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The execution plan: the kernel of each node, and the location of each value.
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
#include <baton/kernel/min_distance.hpp>
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
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/bound_tensors.hpp>
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

/// The execution plan of a program: the kernel of each node, and the location of each value.
struct execution_plan {
  graph_calls calls;
  /// Indexed by node: the kernel's index in the list. For control flow and delegate calls, the index is the size of the list. For nodes
  /// that do not run, it is `npos`.
  vector<std::uint32_t> kernels;
  vector<std::uint32_t> scratch_bytes;  ///< indexed by node: the bytes of its kernel's scratch; empty if no kernel needs scratch
  vector<memory_location> locations;    ///< indexed by value
  vector<memory_location> outputs;      ///< indexed by user output of the root: its location after a run
  vector<copy_locations> copies;        ///< the locations of the copies in `memory.needs.copies`
  /// Indexed by bound value (a value in a buffer of the caller): the maximum number of bytes that a node reads past the end of the value.
  vector<std::uint32_t> bound_overreads;
  memory_plan memory;

  /// Returns the accepted storage proposals of kernels and backends. Each accepted proposal stores a value inside another value, or in the
  /// scratch of a delegate.
  constexpr auto accepted() const -> vector<storage_proposal> {
    vector<storage_proposal> proposals;
    for (const auto& each : memory.decided) {
      if (each.why == refusal::none) proposals.push_back(each.proposal);
    }
    return proposals;
  }
};

namespace detail {

/// Fails with `unaligned_argument` if a constant is an argument of a delegate that requires an alignment, because constants may be
/// unaligned in the model. Reports the first delegate with such an argument. A delegate is not checked if its original graph (the part
/// before `preprocess`) runs instead of it.
constexpr auto check_alignments(const program_view& program, const graph_calls& calls, const backend_needs& needs,
                                span<const memory_location> locations) -> failure {
  if (needs.max_alignment(1) == 1) return {};
  for (const auto id : calls.order) {
    const auto nodes = program[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto& record = program.nodes[n];
      if (record.delegate == none<delegate_id> || needs.argument_alignment[index(record.delegate)] == 1) continue;
      if (needs.runs_original[index(record.delegate)] != 0) continue;
      for (const auto input : program.inputs(record)) {
        if (input == none<value_id> || !locations[index(input)].is_constant()) continue;
        auto why = broken_at<"unaligned_argument">(program, static_cast<node_id>(n), program.text(program[input].name),
                                                   " must be aligned to ", needs.argument_alignment[index(record.delegate)], " bytes");
        why.backend = join(lowered_module_view(program, record.delegate).backend_id());
        return why;
      }
    }
  }
  return {};
}

/// Returns the distances of a plan with segments. A segment consists of consecutive nodes that run row by row (see `stream_segment`). A
/// distance states how far an operand and an output may overlap (see `min_distance`). The result has one distance for each segment, and the
/// declared distances of all nodes outside of segments. The distance of a segment is between its input and its output, and holds for
/// ascending writes.
constexpr auto distances_with_segments(const program_view& program, const schedule& order, const stream_plan& streams,
                                       span<const declared_distance> declared) -> vector<declared_distance> {
  vector<declared_distance> distances;
  const auto root = program.root().nodes;
  for (const auto& each : declared) {
    const bool is_of_root = each.node - root.first < root.size;
    if (!is_of_root || streams.segment_of(order.step_of[each.node]) == nullptr) distances.push_back(each);
  }
  for (const auto& segment : streams.segments) {
    const auto output = streams.graph.nodes[segment.last()].output;
    distances.push_back({index(order.nodes[segment.first]), segment.input, output, {segment.distance, min_distance::disjoint}});
  }
  return distances;
}

/// Returns the segments that `policy` selects for the root, with their schedule and distances. If there are no segments, the result has no
/// schedule and no distances. `baseline` is the plan without segments.
template <class... Kernels>
constexpr auto propose_rows(kernel_list<Kernels...> list, const program_view& program, span<const chosen_kernel> chosen,
                            const schedule& order, const memory_plan& baseline, const kernel_needs& requirements,
                            const chosen_policy& policy) -> rows_proposal {
  if (policy.find_segments == nullptr) return {};
  const auto& root = baseline.graphs.back();
  const auto items = span<const lifetime>{baseline.needs.lifetimes}.subspan(root.entries.first, root.entries.size);
  vector<distance> distances;
  for (auto each : span<const distance>{baseline.needs.distances}.subspan(root.distances.first, root.distances.size)) {
    each.input -= root.entries.first;
    each.output -= root.entries.first;
    distances.push_back(each);
  }
  auto rows = rows_of_kernels(list, program, chosen, order);
  const memory_problem memory{items, distances, baseline.alignment, root.lower_bound};
  rows_proposal proposal{policy.find_segments({rows, memory, baseline.needs.value_entries, root.entries.first}), {}, {}};
  proposal.streams.graph = std::move(rows);
  if (proposal.streams.segments.empty()) return proposal;
  proposal.order = with_segments(order, proposal.streams);
  proposal.distances = distances_with_segments(program, order, proposal.streams, requirements.distances);
  return proposal;
}

/// The settings of an execution plan: states with fixed offsets, the regions of a split arena (see `memory_regions`), and policies. The
/// settings also contain the kernels that are already chosen (see `kernel_choices`), and the tensors that are in buffers of the caller.
struct execution_setting {
  pinned_states pinned{};
  memory_regions regions{};
  chosen_policy policy = planned_by<memory_policies::no_overlap>{};
  chosen_schedule order{};
  span<const chosen_kernel> known_kernels{};
  bound_tensors bound{};
};

/// Same as the public `plan_execution`, but with the requirements of backends (`needs`) and further settings. Also fails with
/// `unaligned_argument`, `regions_too_small`, `unsplit_policy` or `unbindable_output`.
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
  storage_map storage(program.values.size());
  const auto bound = values_of(program, setting.bound);
  if (auto why = add_bound_values(storage, program, bound, setting.bound.inputs.size())) return why;
  add_aliases(storage, program, chosen.value, order.value.step_of);
  add_storage_of_calls(storage, program, calls.value);
  auto kernel_requirements = needs_of_kernels(program, chosen.value, setting.policy.ignores_distances);
  const auto overread_bytes = std::max(needs.max_overread(program, calls.value), kernel_requirements.overread_bytes);
  const memory_request request{&storage,
                               overread_bytes,
                               setting.pinned,
                               setting.regions,
                               kernel_requirements.distances,
                               kernel_requirements.scratch_bytes,
                               &order.value,
                               nullptr,
                               setting.bound.address_bytes()};
  const plan_options aligned_options{needs.max_alignment(options.alignment)};
  const auto subview_proposals = proposals_of_kernels(program, chosen.value, order.value);
  const auto scratch_proposals = proposals_of_backends(program, needs, order.value);
  storage_search search(program, calls.value, aligned_options, request, setting.policy, subview_proposals, scratch_proposals);
  auto planned = search.run([&](const memory_plan& baseline) {
    return propose_rows(list, program, chosen.value, order.value, baseline, kernel_requirements, setting.policy);
  });
  if (!planned.memory) return planned.memory.error;
  if (planned.map.empty()) planned.map = std::move(storage);
  execution_plan plan;
  plan.bound_overreads = overreads_of_bound(program, planned.map, bound, [&](std::uint32_t n) {
    const auto delegate = program.nodes[n].delegate;
    if (delegate == none<delegate_id>) return chosen.value[n].facts.overread_bytes;
    return needs.overread_bytes.empty() ? 0 : needs.overread_bytes[index(delegate)];
  });
  plan.locations = locations_of(program, calls.value, planned.map, planned.memory.value);
  if (auto why = check_alignments(program, calls.value, needs, plan.locations)) return why;
  plan.outputs = locations_of_outputs(program, planned.memory.value, plan.locations);
  plan.copies = locations_of_copies(program, planned.memory.value, plan.locations);
  auto& steps = planned.memory.value.steps;
  if (planned.choice.is_by_rows) steps = search.take_order_by_rows();
  if (!planned.choice.is_by_rows) steps = std::move(order.value);
  add_copies(steps, planned.memory.value.needs.copies);
  plan.calls = std::move(calls.value);
  for (const auto& each : chosen.value) plan.kernels.push_back(each.index);
  plan.scratch_bytes = std::move(kernel_requirements.scratch_bytes);
  plan.memory = std::move(planned.memory.value);
  for (const auto& segment : plan.memory.streams.segments) {
    for (std::uint32_t i = 0; i < segment.count && !plan.scratch_bytes.empty(); ++i) {
      const auto at = index(plan.memory.steps.nodes[segment.first + i]);
      const auto& streams = plan.memory.streams;
      plan.scratch_bytes[at] = streams.kept_of(segment)[i].scratch_bytes(streams.graph.nodes[segment.first + i]);
    }
  }
  plan.memory.storage = std::move(planned.map);
  plan.memory.decided = std::move(planned.decided);
  return plan;
}

}  // namespace detail

/// Plans the execution of a program with a list of kernels. `policy` places the values, and `order` orders the nodes. A kernel that
/// concatenates or splits values copies nothing if the smaller values can be stored as subviews (inside the larger value) and the arena
/// does not grow. Operands and results of a delegate are stored in the delegate's scratch if the backend proposes this and the arena does
/// not grow. `memory_plan::decided` records each proposal and whether it was accepted.
///
/// Fails with `recursive_graph`, `shared_state`, `malformed_operator` (invalid control flow), `missing_kernel`, `malformed_data` (a
/// constant without data), `uneven_alignment`, `dynamic_shape`, `invalid_policy` or `invalid_schedule`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options = {},
                              const chosen_policy& policy = planned_by<memory_policies::no_overlap>{}, const chosen_schedule& order = {})
    -> result<execution_plan> {
  return detail::plan_execution(list, program, options, {}, {.policy = policy, .order = order});
}
/// Plans the execution for an executor whose delegates run on the backends in `target`. Also uses the kernels that these backends provide,
/// and meets the memory requirements of the backends. Also fails with `unaligned_argument`.
template <class... Kernels, class... Backends>
constexpr auto plan_execution(kernel_list<Kernels...> list, backend_list<Backends...> target, const program_view& program,
                              const plan_options& options = {}, const chosen_policy& policy = planned_by<memory_policies::no_overlap>{},
                              const chosen_schedule& order = {}) -> result<execution_plan> {
  return detail::plan_execution(with_kernels_of_backends(list, target), program, options, needs_of_backends(target, program),
                                {.policy = policy, .order = order});
}

}  // namespace baton
