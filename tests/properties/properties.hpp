// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What holds of every program and every tagging: a sentence that says what does not, or nothing.
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

/// A blob and a debug handle map of what it was given.
template <baton::fixed_string Id>
struct listing_backend {
  static constexpr auto id = baton::name<Id>;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result made;
    for (const auto& record : part.nodes_of(part.root())) {
      baton::append(baton::append(made.processed_bytes, part.text(record.name)), ";");
      baton::debug_map_entry entry;
      entry.identifier = record.debug_handle;
      entry.handles.push_back(record.debug_handle);
      made.debug_handle_map.push_back(std::move(entry));
    }
    return made;
  }
};

inline constexpr auto target = baton::backends<listing_backend<"First">, listing_backend<"Second">>;

struct empty_partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    return baton::partition_result{program};
  }
};

/// Whether two tensors have the same bits, so that what is no number equals itself.
constexpr auto same_bits(const reference::tensor& a, const reference::tensor& b) -> bool {
  return a.shape == b.shape && std::equal(a.data.begin(), a.data.end(), b.data.begin(), b.data.end(), [](float x, float y) {
           return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
         });
}

/// The fully qualified names of the buffers that graphs of a program mutate, each once, sorted.
constexpr auto mutated_buffers(const baton::program_view& program) -> baton::vector<std::string_view> {
  baton::vector<std::string_view> names;
  for (const auto& spec : program.outputs) {
    if (spec.kind == baton::output_kind::buffer_mutation) names.push_back(program.text(spec.target));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// The fully qualified names of the mutable buffers of a program, each once, sorted.
constexpr auto mutable_buffers(const baton::program_view& program) -> baton::vector<std::string_view> {
  baton::vector<std::string_view> names;
  for (const auto& record : program.values) {
    if (record.kind == baton::value_kind::mutable_buffer) names.push_back(program.text(record.target));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Whether both programs compute the same in two runs, the second with the buffers that the first left.
constexpr auto computes_the_same(const baton::program_view& before, const baton::program_view& after) -> bool {
  const auto names = mutable_buffers(before);
  reference::state old_state;
  reference::state new_state;
  for (std::uint64_t run = 1; run <= 2; ++run) {
    const auto inputs = reference::some_inputs(before, run);
    const auto expected = reference::evaluate(before, inputs, old_state);
    const auto given = reference::evaluate(after, inputs, new_state);
    if (!std::equal(expected.begin(), expected.end(), given.begin(), given.end(), same_bits)) return false;
    for (const auto name : names) {
      const auto* old_contents = old_state.find(name);
      const auto* new_contents = new_state.find(name);
      if ((old_contents == nullptr) != (new_contents == nullptr)) return false;
      if (old_contents != nullptr && !same_bits(*old_contents, *new_contents)) return false;
    }
  }
  return true;
}

/// Whether several nodes call one graph: then a part takes a copy of it along.
constexpr auto has_shared_graphs(const baton::program_view& program) -> bool {
  baton::vector<int> callers(program.graphs.size(), 0);
  for (const auto& record : program.nodes) {
    for (const auto g : program.subgraphs_of(record)) callers[index(g)] += 1;
  }
  return std::any_of(callers.begin(), callers.end(), [](int count) { return count > 1; });
}

/// Whether no delegate call has the debug handle of another node; a copy of a shared graph has those of the graph.
constexpr auto has_calls_of_their_own(const baton::program_view& program, bool has_copies) -> bool {
  baton::vector<std::uint32_t> handles;
  baton::vector<std::uint32_t> of_calls;
  for (const auto& record : program.nodes) {
    (record.delegate != baton::none<baton::delegate_id> ? of_calls : handles).push_back(record.debug_handle);
  }
  std::sort(of_calls.begin(), of_calls.end());
  if (!has_copies && std::adjacent_find(of_calls.begin(), of_calls.end()) != of_calls.end()) return false;
  return std::none_of(handles.begin(), handles.end(),
                      [&](std::uint32_t handle) { return std::binary_search(of_calls.begin(), of_calls.end(), handle); });
}

/// Whether every node of the one program stands in the other, and once unless graphs are shared. Handles tell nodes apart.
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

/// What is wrong with a lowered program; `original` is what it was lowered from, at once or in several steps.
constexpr auto wrong_with(const baton::program_view& original, const baton::program_view& lowered) -> std::string_view {
  if (baton::verify(lowered)) return "the lowered program does not verify";
  if (!lowered.tags.empty()) return "tags were left";
  if (!has_calls_of_their_own(lowered, has_shared_graphs(original))) return "a delegate call has the debug handle of another node";
  if (!has_all_nodes_of(original, lowered)) return "a node was lost, or stands there twice";
  if (!std::ranges::equal(mutated_buffers(original), mutated_buffers(lowered))) return "a mutation was lost or added";
  if (!computes_the_same(original, lowered)) return "the lowered program computes something else";
  return {};
}

/// Whether a rule may refuse what a random partitioner tagged.
constexpr auto may_refuse(const baton::failure& why) -> bool {
  return why.is<"tagged_output">() || why.is<"tagged_user_input">() || why.is<"shared_constant">() || why.is<"shared_mutable_buffer">() ||
         why.is<"unowned_state">() || why.is<"foreign_mutation">() || why.is<"shared_mutation">() || why.is<"dependency_cycle">() ||
         why.is<"part_without_outputs">() || why.is<"shared_state">() || why.is<"split_state">();
}

/// What came of one seed.
struct verdict {
  std::string_view wrong;  ///< empty: nothing
  bool was_lowered = false;
  bool has_delegates = false;
  bool was_lowered_again = false;
};

constexpr auto lower(const baton::exported_program& program, std::uint64_t seed) -> baton::result<baton::exported_program> {
  return baton::try_to_backend(target, program, random_partitioner{seed}, baton::validation::on);
}

/// Lowers a program with the tags of a seed, and what came out with those of another.
constexpr auto check_lowering(const baton::exported_program& program, std::uint64_t seed) -> verdict {
  if (baton::verify(program)) return {"the random program does not verify"};
  const auto lowered = lower(program, seed);
  if (!lowered) return {may_refuse(lowered.error) ? "" : "it was refused by a rule that says nothing of tags"};
  verdict found{wrong_with(program, lowered.value), true, !lowered.value.delegates.empty(), false};
  if (!found.wrong.empty()) return found;
  const auto again = lower(program, seed);
  if (!again || !baton::same(lowered.value, again.value) || lowered.value.bytes != again.value.bytes) {
    found.wrong = "lowering twice gives two programs";
    return found;
  }
  const auto nothing = baton::try_to_backend(target, lowered.value, empty_partitioner{}, baton::validation::on);
  if (!nothing || !baton::same(lowered.value, nothing.value)) {
    found.wrong = "a partitioner that tags nothing changes a lowered program";
    return found;
  }
  const auto second = lower(lowered.value, seed + 1);
  if (!second) {
    found.wrong = may_refuse(second.error) ? "" : "the second lowering was refused by a rule that says nothing of tags";
    return found;
  }
  found.was_lowered_again = true;
  found.wrong = wrong_with(program, second.value);
  return found;
}

}  // namespace properties
