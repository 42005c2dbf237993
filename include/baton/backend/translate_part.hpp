// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The part that a backend is given, translated by its table: the first half of a `preprocess`.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/translation_table.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/vector.hpp>

#include <concepts>
#include <utility>

namespace baton {

/// What the rows of a `translation_table` make of a part's nodes, an instruction a node, in order; nodes within branches are for the row of
/// the node that has them. Errors: `refused_part`, at the first node that no row accepts, with the reason.
template <class Table>
  requires requires(const program_view& part, const node& candidate) {
    { Table::translate(part, candidate) } -> std::same_as<translation<typename Table::instruction>>;
  }
constexpr auto translate_part(const program_view& part) -> result<vector<typename Table::instruction>> {
  vector<typename Table::instruction> made;
  const auto run = part.root().nodes;
  made.reserve(run.size);
  for (auto n = run.first; n < run.first + run.size; ++n) {
    auto answer = Table::translate(part, part.nodes[n]);
    if (!answer.found) return locate(refuse_part(view(answer.found.reason)), part, node_id{n});
    made.push_back(std::move(answer.made));
  }
  return made;
}

}  // namespace baton
