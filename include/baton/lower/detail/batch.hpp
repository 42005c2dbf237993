// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Batches: the parts (the nodes of a graph that become one delegate) of all methods, grouped by backend.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/contracted_graph.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/partition/partition_result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A part, and the method that contains it. `method` is the index of the method; `number` is the position of the part in the result of
/// `parts_of` for the method's program.
struct batch_member {
  std::uint32_t method = 0;
  std::uint32_t number = 0;
  part_id id;
};

/// A tagged program (a program whose nodes are assigned to parts) with the name of its method. The name is empty if a single program is
/// lowered.
struct tagged_method {
  std::string_view name;
  program_view program;
};

/// Returns all parts of a single program (method 0), in the order of `parts_of`.
constexpr auto batch_members_of(const program_view& tagged) -> vector<batch_member> {
  vector<batch_member> members;
  for (const auto& id : parts_of(tagged)) members.push_back({0, static_cast<std::uint32_t>(members.size()), id});
  return members;
}

/// The parts of one backend.
struct batch {
  std::string_view backend_id;
  vector<batch_member> members;
};

/// A search that groups the parts of tagged methods by backend. Backends are in order of first occurrence: by method, then by graph
/// (`graphs_in_order`), then in the order of the graph's tags in `partition_result::partition_tags`. In a batch, the parts of each method
/// are contiguous, and the parts of a graph are in the order of their delegate calls.
class batch_finder {
 public:
  constexpr auto run(span<const tagged_method> tagged) -> vector<batch> {
    for (std::uint32_t m = 0; m < tagged.size(); ++m) {
      const auto& program = tagged[m].program;
      const auto parts = parts_of(program);
      contraction_tables tables(program);
      number_of_tag_.assign(program.tags.size(), 0);
      for (const auto id : graphs_in_order(program)) add_graph(program, id, m, parts, tables);
    }
    return std::move(batches_);
  }

 private:
  constexpr void add_graph(const program_view& program, graph_id id, std::uint32_t method, span<const part_id> parts,
                           contraction_tables& tables) {
    const auto is_before = [](const part_id& part, graph_id graph) { return index(part.graph) < index(graph); };
    const auto first = static_cast<std::uint32_t>(std::lower_bound(parts.begin(), parts.end(), id, is_before) - parts.begin());
    if (first == parts.size() || parts[first].graph != id) return;
    for (auto i = first; i < parts.size() && parts[i].graph == id; ++i) {
      number_of_tag_[index(parts[i].tag)] = i;
      static_cast<void>(batch_of(program, parts[i].tag));
    }
    for (const auto at : contracted_graph(program, id, tables).order()) {
      const auto tag = program[at].tag;
      if (has_spec(program, tag)) batch_of(program, tag).members.push_back({method, number_of_tag_[index(tag)], {id, tag}});
    }
  }

  constexpr auto batch_of(const program_view& program, tag_id tag) -> batch& {
    const auto id = program.text(program[tag].backend_id);
    for (auto& known : batches_) {
      if (known.backend_id == id) return known;
    }
    batches_.push_back({id, {}});
    return batches_.back();
  }

  vector<batch> batches_;
  vector<std::uint32_t> number_of_tag_;  ///< indexed by tag: the index in `parts_of` of the current graph's part with this tag
};

/// Fails with `unmatched_results` if a backend has not returned exactly one result for each part of a batch.
constexpr auto check_results(const by_method<exported_program>& parts, const by_method<preprocess_result>& results_of_backend) -> failure {
  const auto mismatch = [](const text_buffer& method, std::size_t expected, std::size_t actual) {
    auto why = broken<"unmatched_results">("the number of parts is ", expected, ", the number of results is ", actual);
    why.method = method;
    return why;
  };
  for (const auto& [method, programs] : parts) {
    const auto* results = results_of_backend.find(view(method));
    const auto count = results == nullptr ? 0 : results->size();
    if (count != programs.size()) return mismatch(method, programs.size(), count);
  }
  for (const auto& [method, results] : results_of_backend) {
    if (parts.find(view(method)) == nullptr) return mismatch(method, 0, results.size());
  }
  return {};
}

}  // namespace baton::detail
