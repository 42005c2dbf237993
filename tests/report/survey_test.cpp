// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/survey.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "report/model.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto totals_are_those_of_the_operations() -> bool {
  const auto facts = report::survey_of(report_model::lowered(), report_model::explain);
  const auto& totals = facts.totals;
  return totals.nodes == 4 && totals.delegated == 2 && totals.delegates == 1 && totals.multiply_adds == 2 * 128 * 9 &&
         totals.delegated_multiply_adds == totals.multiply_adds && totals.boundary_bytes == 64 + 128 && totals.blob_bytes == 4 &&
         facts.delegates[0].nodes == 2 && view(facts.nodes[2].computed_by) == "nobody" && facts.nodes[0].delegate == 0 &&
         facts.nodes[0].constant_bytes == 18 && facts.nodes[3].within == 0;
}
static_assert(totals_are_those_of_the_operations());
TEST_CASE("survey: totals") { CHECK(totals_are_those_of_the_operations()); }

/// What the takers have adds up to the totals.
constexpr auto shares_add_up() -> bool {
  const auto facts = report::survey_of(report_model::lowered(), report_model::explain);
  report::survey::sums sum;
  for (const auto& share : facts.shares) {
    sum.nodes += share.nodes;
    sum.delegated += share.is_backend ? share.nodes : 0;
    sum.delegates += share.delegates;
    sum.multiply_adds += share.multiply_adds;
    sum.boundary_bytes += share.boundary_bytes;
    sum.blob_bytes += share.blob_bytes;
  }
  const auto& totals = facts.totals;
  return facts.shares.size() == 3 && sum.nodes == totals.nodes && sum.delegated == totals.delegated && sum.delegates == totals.delegates &&
         sum.multiply_adds == totals.multiply_adds && sum.boundary_bytes == totals.boundary_bytes && sum.blob_bytes == totals.blob_bytes;
}
static_assert(shares_add_up());
TEST_CASE("survey: what the takers have adds up") { CHECK(shares_add_up()); }

/// A branch, and a delegate within a branch, are counted where they lie.
constexpr auto branches_are_surveyed() -> bool {
  const auto program =
      to_backend(backends<conformance::backend_with_compiler_demo>, conformance::g_cond(), conformance::add_mul_partitioner_demo{});
  const auto facts = report::survey_of(program);
  std::size_t within = 0;
  std::size_t subgraphs = 0;
  for (const auto& node : facts.nodes) within += node.within != npos ? 1u : 0u;
  for (const auto& graph : facts.graphs) subgraphs += graph.role == report::survey::graph_role::subgraph ? 1u : 0u;
  return subgraphs == 2 && within == 3 && facts.totals.delegates == 3 && facts.totals.delegated == 3 && facts.totals.nodes == 12;
}
static_assert(branches_are_surveyed());
TEST_CASE("survey: branches and what is delegated within them") { CHECK(branches_are_surveyed()); }

}  // namespace
