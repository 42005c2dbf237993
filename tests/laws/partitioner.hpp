// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of partitioners and of operator supports, which every model must keep on every program.
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstddef>

namespace laws::partitioner {

/// Its result belongs to the program.
template <baton::partitioner Model>
constexpr auto result_matches_program(const baton::exported_program& program, const Model& model) -> bool {
  const baton::result<baton::partition_result> partition = model.partition(program);
  return partition && partition.value.is_of(program);
}

/// The same program gets the same tags.
template <baton::partitioner Model>
constexpr auto is_deterministic(const baton::exported_program& program, const Model& model) -> bool {
  const auto once = baton::tag_program(program, model);
  const auto again = baton::tag_program(program, model);
  return once && again && baton::same(once.value, again.value);
}

/// Its parts can be extracted: no tagged inputs or outputs, no data of a part with other users, no cycles.
template <baton::partitioner Model>
constexpr auto parts_are_extractable(const baton::exported_program& program, const Model& model) -> bool {
  const auto tagged = baton::tag_program(program, model);
  return tagged && !baton::check_parts(baton::split_shared_constants(tagged.value));
}

/// Every tag of its map exists and names a backend.
template <baton::partitioner Model>
constexpr auto tags_have_backends(const baton::exported_program& program, const Model& model) -> bool {
  const baton::result<baton::partition_result> partition = model.partition(program);
  for (const auto& [tag, spec] : partition.value.partition_tags) {
    if (baton::index(tag) >= partition.value.tag_count() || spec.backend_id.empty()) return false;
  }
  return static_cast<bool>(partition);
}

/// If it explains itself, it has a reason for every node that it leaves.
template <baton::partitioner Model>
constexpr auto undelegated_nodes_have_reasons(const baton::exported_program& program, const Model& model) -> bool {
  if constexpr (baton::explaining_partitioner<Model>) {
    auto tagged = baton::tag_program(program, model);
    if (!tagged) return false;
    auto explain_undelegated = model.explain_undelegated(tagged.value);
    const auto verdicts = baton::verdicts_of(program, model);
    for (const auto& verdict : verdicts.value) {
      if (!verdict.is_delegated && explain_undelegated(verdict.node).empty()) return false;
      if (verdict.is_delegated && !verdict.reason.empty()) return false;
    }
    return static_cast<bool>(verdicts);
  }
  return true;
}

template <baton::partitioner Model>
constexpr auto all(const baton::exported_program& program, const Model& model) -> bool {
  return result_matches_program(program, model) && is_deterministic(program, model) && parts_are_extractable(program, model) &&
         tags_have_backends(program, model) && undelegated_nodes_have_reasons(program, model);
}

}  // namespace laws::partitioner

namespace laws::operator_support {

/// Its answer depends on the node alone, and not on the order of the questions.
template <baton::operator_support Model>
constexpr auto is_stateless(const baton::program_view& program) -> bool {
  const auto accepts = [&](const baton::node& candidate) { return Model::supports(program, candidate).accepted; };
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    const bool answer = accepts(program.nodes[n]);
    for (std::size_t other = program.nodes.size(); other-- > 0;) static_cast<void>(accepts(program.nodes[other]));
    if (answer != accepts(program.nodes[n])) return false;
  }
  return true;
}

/// An accepting verdict has no reason.
template <baton::operator_support Model>
constexpr auto acceptance_has_no_reason(const baton::program_view& program) -> bool {
  for (const auto& candidate : program.nodes) {
    const auto answer = Model::supports(program, candidate);
    if (answer.accepted && !answer.reason.empty()) return false;
  }
  return true;
}

template <baton::operator_support Model>
constexpr auto all(const baton::program_view& program) -> bool {
  return is_stateless<Model>(program) && acceptance_has_no_reason<Model>(program);
}

}  // namespace laws::operator_support
