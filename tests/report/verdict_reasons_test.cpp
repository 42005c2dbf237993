// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reasons inside branches, in every report.
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
/// Sums alone; a product, which stands in a branch, is refused with a reason of its own.
struct support {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (record.is("aten.add.Tensor")) return accept();
    if (program.text(record.name) == "mm") return refuse("no \"multiplier\" in <this> branch");
    return refuse("not a sum");
  }
};
using eager = by_support<demo, support>;
using choosy = by_support<demo, support, partition_options{.min_nodes = 2}>;

template <class Partitioner>
constexpr auto reasons() {
  return report::verdict_reasons(verdicts_of(conformance::g_cond(), Partitioner{}));
}

constexpr auto reasons_are_found_again() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), eager{});
  const auto facts = report::survey_of(lowered, reasons<eager>());
  std::size_t in_branches = 0;
  for (std::size_t n = 0; n < lowered.nodes.size(); ++n) {
    const auto& fact = facts.nodes[n];
    const bool is_taken = fact.within != npos || fact.delegate != npos;
    if (is_taken != fact.reason.empty()) return false;
    in_branches += facts.graphs[fact.graph].role == report::survey::graph_role::subgraph && !is_taken ? 1u : 0u;
  }
  return in_branches == 5;
}
static_assert(reasons_are_found_again());

constexpr auto what_is_left_is_told_in_branches() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), choosy{});
  const auto facts = report::survey_of(lowered, reasons<choosy>());
  std::size_t left = 0;
  for (const auto& node : facts.nodes) left += view(node.reason).starts_with("it is supported, but in a part smaller") ? 1u : 0u;
  return left == 2 && facts.totals.delegates == 0;  // one add in the root graph, one in a branch
}
static_assert(what_is_left_is_told_in_branches());

constexpr auto kernels_have_their_say() -> bool {
  const auto computed = report::computed_by_kernels({{}, join("no conv")}, accept());
  const auto nobody = report::computed_by_kernels({{}, join("no conv")}, refuse("int4"));
  const auto unasked = report::computed_by_kernels({}, refuse("int4"));
  return view(computed.computed_by) == "portable kernels" && view(computed.reason) == "no conv" && view(nobody.computed_by) == "nobody" &&
         view(nobody.reason) == "no conv; portable kernels: int4" && view(unasked.reason) == "portable kernels: int4";
}
static_assert(kernels_have_their_say());

auto count(const text_buffer& text, std::string_view what) -> std::size_t {
  std::size_t found = 0;
  for (auto at = view(text).find(what); at != std::string_view::npos; at = view(text).find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("reasons: what kernels say stands behind") { CHECK(kernels_have_their_say()); }

TEST_CASE("told reasons: found again in the lowered program, in branches too") {
  CHECK(reasons_are_found_again());
  CHECK(what_is_left_is_told_in_branches());
}

TEST_CASE("told reasons: every report shows those inside branches") {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), eager{});
  const auto facts = report::survey_of(lowered, reasons<eager>());
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
