// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reasons of nodes in branches, in every report.
#include <baton/report/verdict_reasons.hpp>

#include <baton/lower/to_backend.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/report/graphviz.hpp>
#include <baton/report/html.hpp>
#include <baton/report/json.hpp>
#include <baton/report/summary.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

using demo = conformance::backend_with_compiler_demo;
/// Supports sums only. The product `mm`, which is in a branch, is refused with a separate reason.
struct support {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (record.is("aten.add.Tensor")) return accept();
    if (program.text(record.name) == "mm") return refuse("no \"multiplier\" in <this> branch");
    return refuse("not a sum");
  }
};
using any_part = by_support<demo, support>;
using large_parts = by_support<demo, support, partition_options{.min_nodes = 2}>;

template <class Partitioner>
constexpr auto reasons() {
  return report::verdict_reasons(verdicts_of(conformance::g_cond(), Partitioner{}));
}

constexpr auto reasons_follow_their_nodes() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), any_part{});
  const auto facts = report::survey_of(lowered, reasons<any_part>());
  std::size_t in_branches = 0;
  for (std::size_t n = 0; n < lowered.nodes.size(); ++n) {
    const auto& fact = facts.nodes[n];
    const bool is_delegated = fact.within != npos || fact.delegate != npos;
    if (is_delegated != fact.reason.empty()) return false;
    in_branches += facts.graphs[fact.graph].role == report::survey::graph_role::subgraph && !is_delegated ? 1u : 0u;
  }
  return in_branches == 5;
}
static_assert(reasons_follow_their_nodes());

constexpr auto small_parts_are_reported_in_branches() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), large_parts{});
  const auto facts = report::survey_of(lowered, reasons<large_parts>());
  std::size_t small_parts = 0;
  for (const auto& node : facts.nodes) small_parts += view(node.reason).starts_with("it is supported, but its part has fewer") ? 1u : 0u;
  return small_parts == 2 && facts.totals.delegates == 0;  // one add in the root graph, one in a branch
}
static_assert(small_parts_are_reported_in_branches());

/// Nodes without debug handles cannot be distinguished, so none of them has the reason of another one.
constexpr auto nodes_without_handles_have_no_reason() -> bool {
  auto model = conformance::g_cond();
  const auto with_handles = report::verdict_reasons(verdicts_of(model, large_parts{}));
  std::size_t reasons_with_handles = 0;
  for (const auto& record : model.nodes) reasons_with_handles += with_handles(model, record).reason.empty() ? 0u : 1u;
  for (auto& record : model.nodes) record.debug_handle = 0;
  const auto explain = report::verdict_reasons(verdicts_of(model, large_parts{}));
  for (const auto& record : model.nodes) {
    if (!explain(model, record).reason.empty()) return false;
  }
  return reasons_with_handles > 1;
}
static_assert(nodes_without_handles_have_no_reason());

constexpr auto reasons_of_kernels_are_appended() -> bool {
  const auto computed = report::computed_by_kernels({{}, join("no conv")}, accept());
  const auto unsupported = report::computed_by_kernels({{}, join("no conv")}, refuse("int4"));
  const auto without_backend = report::computed_by_kernels({}, refuse("int4"));
  return view(computed.computed_by) == "portable kernels" && view(computed.reason) == "no conv" &&
         view(unsupported.computed_by) == "no kernel" && view(unsupported.reason) == "no conv; portable kernels: int4" &&
         view(without_backend.reason) == "portable kernels: int4";
}
static_assert(reasons_of_kernels_are_appended());

auto count(const text_buffer& text, std::string_view searched) -> std::size_t {
  std::size_t matches = 0;
  for (auto at = view(text).find(searched); at != std::string_view::npos; at = view(text).find(searched, at + 1)) ++matches;
  return matches;
}

}  // namespace

TEST_CASE("verdict reasons: the reasons of kernels are appended") { CHECK(reasons_of_kernels_are_appended()); }

TEST_CASE("verdict reasons: nodes without debug handles have no reason") { CHECK(nodes_without_handles_have_no_reason()); }

TEST_CASE("verdict reasons: reasons follow their nodes into the lowered program, also in branches") {
  CHECK(reasons_follow_their_nodes());
  CHECK(small_parts_are_reported_in_branches());
}

TEST_CASE("verdict reasons: every report shows the reasons of nodes in branches") {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), any_part{});
  const auto facts = report::survey_of(lowered, reasons<any_part>());
  const auto text = report::assignment_table(lowered, facts);
  CHECK(count(text, "not delegated: no \"multiplier\" in <this> branch") == 1);
  CHECK(count(text, "not delegated: not a sum") == 9);
  const auto json = report::json(lowered, facts, nullptr);
  CHECK(count(json, R"("not_delegated": "no \"multiplier\" in )") == 1);
  CHECK(count(json, R"("not_delegated": "not a sum")") == 9);
  const auto dot = report::graphviz(lowered, facts);
  CHECK(count(dot, R"(tooltip="no \"multiplier\" in <this> branch")") == 1);
  CHECK(count(dot, R"(tooltip="not a sum")") == 9);
  const auto page = report::html(lowered, facts);
  CHECK(count(page, R"("not_delegated": "no \"multiplier\" in )") == 1);
  CHECK(count(page, R"("not_delegated": "not a sum")") == 9);
}
