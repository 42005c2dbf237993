// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Batches: the parts of all methods, backend by backend, and whether what a backend made of one answers it.
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

/// A part among those of several methods: `number` is its position in `parts_of` its method.
struct batch_member {
  std::uint32_t method = 0;
  std::uint32_t number = 0;
  part_id id;
};

/// A tagged program with the name of its method; one that is lowered alone has none.
struct tagged_method {
  std::string_view name;
  program_view program;
};

/// All parts of a program that is lowered alone.
constexpr auto parts_of_all(const program_view& tagged) -> vector<batch_member> {
  vector<batch_member> members;
  for (const auto& id : parts_of(tagged)) members.push_back({0, static_cast<std::uint32_t>(members.size()), id});
  return members;
}

/// The parts that one backend takes.
struct batch {
  std::string_view backend_id;
  vector<batch_member> members;
};

/// Gathers the parts of tagged methods by backend. Backends stand as they are first met: method by method, graph by graph, in the order of
/// the tag map; the parts of one graph stand as their calls will. A batch has the parts of a method side by side.
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
  vector<std::uint32_t> number_of_tag_;  ///< in the graph at hand
};

/// The failure of a batch whose results are not one a part, if they are not.
constexpr auto check_results(const by_method<exported_program>& parts, const by_method<preprocess_result>& made) -> failure {
  const auto mismatch = [](const text_buffer& method, std::size_t asked, std::size_t got) {
    auto why = broken<"unmatched_results">(asked, " parts, ", got, " results");
    why.method = method;
    return why;
  };
  for (const auto& [method, programs] : parts) {
    const auto* results = made.find(view(method));
    const auto count = results == nullptr ? 0 : results->size();
    if (count != programs.size()) return mismatch(method, programs.size(), count);
  }
  for (const auto& [method, results] : made) {
    if (parts.find(view(method)) == nullptr) return mismatch(method, 0, results.size());
  }
  return {};
}

}  // namespace baton::detail
