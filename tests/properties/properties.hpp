// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The properties of every program and every tagging. A check returns a sentence about the violation, or an empty text.
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "properties/random_program.hpp"
#include "properties/random_tags.hpp"
#include "reference/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace properties {

/// A backend whose processed bytes and debug handle map list the nodes of the part.
template <baton::fixed_string Id>
struct listing_backend {
  static constexpr auto id = baton::name<Id>;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
    for (const auto& record : part.nodes_of(part.root())) {
      baton::append(baton::append(result.processed_bytes, part.text(record.name)), ";");
      baton::debug_map_entry entry;
      entry.identifier = record.debug_handle;
      entry.handles.push_back(record.debug_handle);
      result.debug_handle_map.push_back(std::move(entry));
    }
    return result;
  }
};

inline constexpr auto target = baton::backends<listing_backend<"First">, listing_backend<"Second">>;

struct empty_partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    return baton::partition_result{program};
  }
};

/// True if two tensors have the same bits, so that a NaN equals itself.
constexpr auto same_bits(const reference::tensor& a, const reference::tensor& b) -> bool {
  return a.shape == b.shape && std::equal(a.data.begin(), a.data.end(), b.data.begin(), b.data.end(), [](float x, float y) {
           return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
         });
}

/// Returns the fully qualified names of the buffers that graphs of a program mutate, sorted and unique.
constexpr auto mutated_buffers(const baton::program_view& program) -> baton::vector<std::string_view> {
  baton::vector<std::string_view> names;
  for (const auto& spec : program.outputs) {
    if (spec.kind == baton::output_kind::buffer_mutation) names.push_back(program.text(spec.target));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Returns the fully qualified names of the mutable buffers of a program, sorted and unique.
constexpr auto mutable_buffers(const baton::program_view& program) -> baton::vector<std::string_view> {
  baton::vector<std::string_view> names;
  for (const auto& record : program.values) {
    if (record.kind == baton::value_kind::mutable_buffer) names.push_back(program.text(record.target));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// True if both programs compute the same in two runs. The second run uses the buffers of the first.
constexpr auto computes_the_same(const baton::program_view& before, const baton::program_view& after) -> bool {
  const auto names = mutable_buffers(before);
  reference::state old_state;
  reference::state new_state;
  for (std::uint64_t run = 1; run <= 2; ++run) {
    const auto inputs = reference::some_inputs(before, run);
    const auto expected = reference::evaluate(before, inputs, old_state);
    const auto actual = reference::evaluate(after, inputs, new_state);
    if (!std::equal(expected.begin(), expected.end(), actual.begin(), actual.end(), same_bits)) return false;
    for (const auto name : names) {
      const auto* old_contents = old_state.find(name);
      const auto* new_contents = new_state.find(name);
      if ((old_contents == nullptr) != (new_contents == nullptr)) return false;
      if (old_contents != nullptr && !same_bits(*old_contents, *new_contents)) return false;
    }
  }
  return true;
}

/// True if several nodes call one graph, in which case a part contains a copy of it.
constexpr auto has_shared_graphs(const baton::program_view& program) -> bool {
  baton::vector<int> callers(program.graphs.size(), 0);
  for (const auto& record : program.nodes) {
    for (const auto g : program.subgraphs_of(record)) callers[index(g)] += 1;
  }
  return std::any_of(callers.begin(), callers.end(), [](int count) { return count > 1; });
}

/// True if no delegate call has the debug handle of another node. A copy of a shared graph has the handles of the graph.
constexpr auto has_unique_call_handles(const baton::program_view& program, bool has_copies) -> bool {
  baton::vector<std::uint32_t> handles;
  baton::vector<std::uint32_t> call_handles;
  for (const auto& record : program.nodes) {
    (record.delegate != baton::none<baton::delegate_id> ? call_handles : handles).push_back(record.debug_handle);
  }
  std::sort(call_handles.begin(), call_handles.end());
  if (!has_copies && std::adjacent_find(call_handles.begin(), call_handles.end()) != call_handles.end()) return false;
  return std::none_of(handles.begin(), handles.end(),
                      [&](std::uint32_t handle) { return std::binary_search(call_handles.begin(), call_handles.end(), handle); });
}

/// True if `after` contains every node of `before`, exactly once unless graphs are shared. Nodes are identified by their debug handles.
constexpr auto has_all_nodes_of(const baton::program_view& before, const baton::program_view& after) -> bool {
  baton::vector<std::uint32_t> count;
  for (const auto& record : after.nodes) {
    count.resize(std::max<std::size_t>(count.size(), record.debug_handle + 1), 0);
    count[record.debug_handle] += 1;
  }
  const bool may_repeat = has_shared_graphs(before);
  return std::all_of(before.nodes.begin(), before.nodes.end(), [&](const baton::node& record) {
    const auto times = record.debug_handle < count.size() ? count[record.debug_handle] : 0;
    return times == 1 || (times > 1 && may_repeat);
  });
}

/// Returns the first error of a lowered program. `original` is the program before one or several lowerings.
constexpr auto wrong_with(const baton::program_view& original, const baton::program_view& lowered) -> std::string_view {
  if (baton::verify(lowered)) return "the lowered program does not verify";
  if (!lowered.tags.empty()) return "tags were left";
  if (!has_unique_call_handles(lowered, has_shared_graphs(original))) return "a delegate call has the debug handle of another node";
  if (!has_all_nodes_of(original, lowered)) return "a node was lost, or occurs twice";
  if (!std::ranges::equal(mutated_buffers(original), mutated_buffers(lowered))) return "a mutation was lost or added";
  if (!computes_the_same(original, lowered)) return "the lowered program computes something else";
  return {};
}

/// True if this rule may reject the tags of a random partitioner.
constexpr auto may_refuse(const baton::failure& why) -> bool {
  return why.is<"tagged_output">() || why.is<"tagged_user_input">() || why.is<"shared_constant">() || why.is<"shared_mutable_buffer">() ||
         why.is<"unowned_state">() || why.is<"foreign_mutation">() || why.is<"shared_mutation">() || why.is<"dependency_cycle">() ||
         why.is<"part_without_outputs">() || why.is<"shared_state">() || why.is<"split_state">();
}

/// The outcome of one seed.
struct verdict {
  std::string_view wrong;  ///< empty if there is no error
  bool was_lowered = false;
  bool has_delegates = false;
  bool was_lowered_again = false;
};

constexpr auto lower(const baton::exported_program& program, std::uint64_t seed) -> baton::result<baton::exported_program> {
  return baton::try_to_backend(target, program, random_partitioner{seed}, baton::validation::on);
}

/// Lowers a program with the tags of a seed, and then the result with the tags of another seed.
constexpr auto check_lowering(const baton::exported_program& program, std::uint64_t seed) -> verdict {
  if (baton::verify(program)) return {"the random program does not verify"};
  const auto lowered = lower(program, seed);
  if (!lowered) return {may_refuse(lowered.error) ? "" : "it was refused by a rule that says nothing of tags"};
  verdict outcome{wrong_with(program, lowered.value), true, !lowered.value.delegates.empty(), false};
  if (!outcome.wrong.empty()) return outcome;
  const auto again = lower(program, seed);
  if (!again || !baton::same(lowered.value, again.value) || lowered.value.bytes != again.value.bytes) {
    outcome.wrong = "lowering twice gives two programs";
    return outcome;
  }
  const auto nothing = baton::try_to_backend(target, lowered.value, empty_partitioner{}, baton::validation::on);
  if (!nothing || !baton::same(lowered.value, nothing.value)) {
    outcome.wrong = "a partitioner that tags nothing changes a lowered program";
    return outcome;
  }
  const auto second = lower(lowered.value, seed + 1);
  if (!second) {
    outcome.wrong = may_refuse(second.error) ? "" : "the second lowering was refused by a rule that says nothing of tags";
    return outcome;
  }
  outcome.was_lowered_again = true;
  outcome.wrong = wrong_with(program, second.value);
  return outcome;
}

}  // namespace properties
