// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The partitioner concept, and `tag_program`, which checks the result of a partitioner and writes it into the program. A tag is the name of
// a part. A part is the nodes of a graph that become one delegate.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/shared/type_name.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partition_result.hpp>
#include <baton/partition/shared/rules.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

/// Whether lowering makes the optional checks: `verify` of the input program and of the lowered program, and the checks for
/// `node_tagged_twice` and `tag_without_spec`. All other checks are always made.
enum class validation : bool { off, on };

/// Omits the optional checks, at compile time or at run time: `baton::to_backend(target, model, partitioner{}, baton::without_validation)`.
inline constexpr std::integral_constant<validation, validation::off> without_validation{};

namespace archetypes {

/// The smallest partitioner. Tags nothing.
struct partitioner {
  constexpr auto partition(const exported_program& program) const -> partition_result { return partition_result{program}; }
};

}  // namespace archetypes

/// A partitioner assigns nodes to backends, and changes nothing else.
/// - `constexpr auto partition(const baton::exported_program&) const -> baton::partition_result`: the parameter can also be a
///   `program_view`. A partitioner that can fail returns `result<partition_result>`.
///
/// Laws: The result is for the program that was passed. Equal programs get equal tags. A node gets at most one tag. Each tag of a node has
/// a spec (`delegation_spec`). The parts form no cycle. Models: `by_support`. If one list of operators suffices, write an operator support
/// for `by_support` instead.
template <class T>
concept partitioner = requires(const T& candidate, const exported_program& program) {
  { candidate.partition(program) } -> std::convertible_to<result<partition_result>>;
};
static_assert(partitioner<archetypes::partitioner>);

/// A partitioner that explains why nodes are not delegated: `constexpr auto explain_undelegated(const baton::program_view& tagged) const`.
/// The member is called once with the tagged program, so it can build tables for all nodes. The member returns a callable that maps a
/// `baton::node_id` to a `baton::text_buffer`. The callable is called for each node that is not delegated, and only during the lifetime of
/// the program. Models: `by_support`, `by_pattern` and all other partitioners of Baton.
template <class T>
concept explaining_partitioner = partitioner<T> && requires(const T& candidate, const program_view& tagged, node_id id) {
  { candidate.explain_undelegated(tagged)(id) } -> std::same_as<text_buffer>;
};

/// A partitioner that can ask an exporter not to decompose an operator, because the partitioner's backend supports the operator. This
/// operator may have no kernel, so each node for which `prevents_decomposition` returns true must be delegated.
template <class T>
concept keeps_operators = requires(const T& candidate, const program_view& program, const node& of) {
  { candidate.prevents_decomposition(program, of) } -> std::same_as<bool>;
};

namespace detail {

/// Returns the failure for a node that has the tag `first` and is assigned the tag `second`.
constexpr auto tagged_twice(const program_view& program, node_id id, std::string_view first, std::string_view second) -> failure {
  auto why = broken_at<"node_tagged_twice">(program, id, "it already has tag ", first);
  why.tag = join(second);
  return why;
}

/// A writer of a partition result into a program. New specs are ordered as in `partition_tags`. Specs of earlier partitioners are
/// discarded.
class tag_writer {
 public:
  constexpr tag_writer(const partition_result& result, exported_program& program) : result_(result), program_(program) {}

  constexpr auto run(validation checks) -> failure {
    if (auto why = write_specs()) return why;
    if (checks == validation::on && result_.conflict.node != none<node_id>) {
      const auto& [node, first, second] = result_.conflict;
      return tagged_twice(program_, node, result_.name_of(first), result_.name_of(second));
    }
    if (auto why = write_nodes(checks)) return why;
    write_values();
    return {};
  }

 private:
  static constexpr auto no_order = tag{}.order;

  constexpr auto write_specs() -> failure {
    for (auto& record : program_.tags) record.order = no_order;
    program_.tags.reserve(result_.tag_count());
    for (auto t = static_cast<std::uint32_t>(program_.tags.size()); t < result_.tag_count(); ++t)
      add_to(program_.tags, {.name = own_bytes(program_, result_.name_of(tag_id{t}))});
    std::uint32_t order = 0;
    for (const auto& [id, spec] : result_.partition_tags) {
      if (index(id) >= program_.tags.size())
        return broken<"misplaced_index">("partition_tags has tag ", index(id), ", which does not exist");
      if (result_.name_of(id).empty()) return unnamed(spec);
      if (program_[id].order != no_order) {
        if (auto why = check_repeated_tag(id, spec)) return why;
        continue;
      }
      const auto backend = own_bytes(program_, view(spec.backend_id));
      const auto specs = own_compile_specs(program_, spec.compile_specs);
      auto& record = program_.tags[index(id)];
      record.backend_id = backend;
      record.compile_specs = specs;
      record.order = order++;
    }
    return {};
  }

  /// Returns the failure for a tag with an empty name.
  static constexpr auto unnamed(const delegation_spec& spec) -> failure {
    auto why = broken<"unnamed_tag">();
    why.backend = spec.backend_id;
    return why;
  }

  /// Checks that `spec` is equal to the first spec of the tag in `partition_tags`, which may contain a tag more than once.
  constexpr auto check_repeated_tag(tag_id id, const delegation_spec& spec) const -> failure {
    const auto& map = result_.partition_tags;
    const auto first = std::find_if(map.begin(), map.end(), [&](const auto& entry) { return entry.first == id; });
    return check_same_spec(result_.name_of(id), first->second, spec);
  }

  /// Writes the tags of nodes. A tag that the partitioner assigned to a node needs a spec. A tag that a node keeps from the input program
  /// needs no spec.
  constexpr auto write_nodes(validation checks) -> failure {
    const auto tags = result_.node_tags();
    auto* record = program_.nodes.data();
    for (std::uint32_t n = 0; n < tags.size(); ++n, ++record) {
      const auto id = tags[n];
      if (id == record->tag) continue;
      record->tag = id;
      if (checks == validation::off || id == none<tag_id> || program_[id].order != no_order) continue;
      auto why = broken_at<"tag_without_spec">(program_, node_id{n});
      why.tag = join(result_.name_of(id));
      return why;
    }
    return {};
  }

  constexpr void write_values() {
    const auto tags = result_.value_tags();
    for (std::size_t v = 0; v < tags.size(); ++v) {
      auto& record = program_.values[v];
      record.tag = tags[v].tag;
      record.sharing = tags[v].sharing;
    }
  }

  const partition_result& result_;
  exported_program& program_;
};

/// Fails with `kept_operator` if a node for which `prevents_decomposition` returns true is not delegated. Checks the nodes of the root
/// graph and, recursively, of the subgraphs of undelegated nodes. The subgraphs of a delegated node are delegated with the node.
template <keeps_operators Partitioner>
constexpr auto check_kept(const program_view& tagged, const Partitioner& partitioner) -> failure {
  vector<char> seen(tagged.graphs.size(), 0);
  vector<graph_id> open{graph_id{0}};
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    if (seen[index(id)] != 0) continue;
    seen[index(id)] = 1;
    for (std::uint32_t n = tagged[id].nodes.first; n < tagged[id].nodes.first + tagged[id].nodes.size; ++n) {
      const auto& record = tagged.nodes[n];
      if (has_spec(tagged, record.tag)) continue;
      if (partitioner.prevents_decomposition(tagged, record)) {
        constexpr auto name = type_name<Partitioner>();  // a constant, because Clang 16 would call `type_name` at run time
        return broken_at<"kept_operator">(tagged, static_cast<node_id>(n), "partitioner ", name);
      }
      for (const auto subgraph : tagged.subgraphs_of(record)) open.push_back(subgraph);
    }
  }
  return {};
}

}  // namespace detail

/// Returns the program with the tags and the delegation specs of a partitioner. Fails with the errors of the partitioner, or with
/// `foreign_result`, `node_tagged_twice`, `tag_without_spec`, `conflicting_tag`, `unnamed_tag`, `misplaced_index`, or `kept_operator`.
template <partitioner Partitioner>
constexpr auto tag_program(exported_program program, const Partitioner& partitioner, validation checks = validation::on)
    -> result<exported_program> {
  const result<partition_result> partitioned = partitioner.partition(program);
  if (!partitioned) return partitioned.error;
  if (!partitioned.value.is_of(program)) {
    constexpr auto name = type_name<Partitioner>();
    return broken<"foreign_result">("partitioner ", name);
  }
  if (const auto& why = partitioned.value.error) {
    if (why.node < 0) return why;
    return locate(why, program, static_cast<node_id>(why.node));
  }
  if (auto why = detail::tag_writer(partitioned.value, program).run(checks)) return why;
  if constexpr (keeps_operators<Partitioner>) {
    if (auto why = detail::check_kept(program, partitioner)) return why;
  }
  return program;
}

}  // namespace baton
