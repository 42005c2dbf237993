// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/summary.hpp>
#include <baton/core/builder.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/detail/reason_forms.hpp>
#include <baton/report/detail/reasons.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "report/by_letter.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace report_model;

/// Two backends, with a part of one between parts of the other, and operators that neither supports.
constexpr auto mixed() -> exported_program {
  program_builder build;
  const auto x = build.user_input("x", one);
  auto y = build.call("a", "aten.mm.default", {x, x}, one);
  y = build.call("b", "aten.relu.default", {build.call("tanh", "aten.tanh.default", {y}, one)}, one);
  y = build.call("c", "aten.relu.default",
                 {build.call("tanh_1", "aten.tanh.default", {build.call("P", "aten.relu.default", {y}, one)}, one)}, one);
  y = build.call("d", "aten.relu.default", {build.call("tanh_2", "aten.tanh.default", {y}, one)}, one);
  build.output(build.call("sin", "aten.sin.default", {y}, one));
  return to_backend(backends<device, other>, build.finish(), by_letter{});
}
constexpr auto why(const program_view&, const node& record) -> report::undelegated_reason {
  if (record.is("aten.sin.default")) return {join("no kernel"), join("no sine")};
  return {join("portable kernels"), join("no tangent")};
}

constexpr std::string_view expected =
    R"(node assignment: 5 of 9 nodes delegated, in 5 parts
  assigned to       parts   nodes  multiply-adds  output B  boundary B  processed B
  device                4  4  44%         1 100%    4  44%           8           16
  other                 1  1  11%         0   0%    1  11%           2            2
  portable kernels      -  3  33%         0   0%    3  33%           -            -
  no kernel             -  1  11%         0   0%    1  11%           -            -
  total                 5       9              1         9          10           18

reasons for undelegated nodes and separate parts
  operator           nodes  multiply-adds  separated parts  avoidable parts
  aten.tanh.default      3              0                3                2
      no tangent
  other                  1              0                1                0
      parts of this backend are between parts of another
  aten.sin.default       1              0                0                0
      no sine

parts: 5, each with the reason why it is separate
  part              assigned to  nodes  multiply-adds  input bytes  output bytes
  lowered_module_0  device           1              1            1             1
      the first part of device
  lowered_module_1  device           1              0            1             1
      tanh is between it and lowered_module_0: no tangent
  lowered_module_2  other            1              0            1             1
      the first part of other
  lowered_module_3  device           1              0            1             1
      lowered_module_2 and tanh_1 are between it and lowered_module_1: assigned to other; no tangent
  lowered_module_4  device           1              0            1             1
      tanh_2 is between it and lowered_module_3: no tangent
)";

constexpr auto the_program_is_shown() -> bool {
  const auto program = mixed();
  return view(report::summary(program, report::survey_of(program, why))) == expected;
}
static_assert(the_program_is_shown());
TEST_CASE("summary: it has delegated nodes, the reasons for other nodes, and the boundaries of parts") { CHECK(the_program_is_shown()); }

constexpr auto an_empty_program_has_a_short_summary() -> bool {
  const auto program = program_builder().finish();
  return view(report::summary(program, report::survey_of(program))) ==
         "node assignment: 0 of 0 nodes delegated, in 0 parts\n"
         "  assigned to  parts  nodes  multiply-adds  output B  boundary B  processed B\n"
         "  total            0      0              0         0           0            0\n"
         "\nreasons for undelegated nodes: none\n\nparts: none\n";
}
static_assert(an_empty_program_has_a_short_summary());
TEST_CASE("summary: an empty program is reported") { CHECK(an_empty_program_has_a_short_summary()); }

/// Names are unique in a graph only, so delegates in branches are named with their graph.
constexpr auto branches_are_named() -> bool {
  const auto program =
      to_backend(backends<conformance::backend_with_compiler_demo>, conformance::g_cond(), conformance::add_mul_partitioner_demo{});
  const auto text = report::detail::delegates_table(program, report::survey_of(program));
  const auto has = [&](std::string_view part) { return view(text).find(part) != std::string_view::npos; };
  return has("\n  lowered_module_0                 BackendWithCompilerDemo ") &&
         has("\n  lowered_module_0 of true_graph   BackendWithCompilerDemo ") &&
         has("\n      the first part of BackendWithCompilerDemo in false_graph; a part cannot cross a graph boundary\n");
}
static_assert(branches_are_named());
TEST_CASE("summary: delegates in branches are named with their graph") { CHECK(branches_are_named()); }

/// Four nodes are named, and each reason once.
constexpr auto long_lists_are_truncated() -> bool {
  program_builder build;
  auto x = build.call("a", "my.op", {build.user_input("x", one)}, one);
  for (int i = 0; i < 6; ++i) x = build.call("between", "aten.tanh.default", {x}, one);
  build.output(build.call("b", "my.op", {x}, one));
  const auto program = to_backend(backends<device>, build.finish(), by_letter{});
  const auto facts = report::survey_of(program, why);
  const auto reasons = report::reasons_of(program, facts);
  return view(report::separation_text(program, facts, delegate_id{1})) ==
             "between, between, between, between and 2 more are between it and lowered_module_0: no tangent" &&
         reasons.size() == 1 && reasons[0].nodes == 6 && reasons[0].separated_parts == 1 && reasons[0].avoidable_parts == 1;
}
static_assert(long_lists_are_truncated());
TEST_CASE("summary: of many nodes between two delegates, four are named") { CHECK(long_lists_are_truncated()); }

/// A reason that is a part of another reason is also written. Equal reasons are written once.
constexpr auto different_reasons_are_written() -> bool {
  program_builder build;
  auto x = build.call("a", "my.op", {build.user_input("x", one)}, one);
  for (const auto* op : {"aten.tanh.default", "aten.sin.default", "aten.tanh.default"}) x = build.call("other", op, {x}, one);
  build.output(build.call("b", "my.op", {x}, one));
  const auto program = to_backend(backends<device>, build.finish(), by_letter{});
  const auto facts = report::survey_of(program, [](const program_view&, const node& record) {
    return report::undelegated_reason{join("no kernel"), join(record.is("aten.sin.default") ? "int8" : "int8 is refused")};
  });
  return view(report::separation_text(program, facts, delegate_id{1})) ==
         "other, other and other are between it and lowered_module_0: int8 is refused; int8";
}
static_assert(different_reasons_are_written());
TEST_CASE("summary: each different reason of nodes between delegates is written") { CHECK(different_reasons_are_written()); }

/// Reasons of one operator that differ only in numbers are merged; reasons that differ in words are not.
constexpr auto reasons_that_differ_in_numbers_are_merged() -> bool {
  program_builder build;
  auto x = build.user_input("x", one);
  for (int i = 0; i < 6; ++i) x = build.call("n", i == 5 ? "aten.tanh.default" : "aten.sin.default", {x}, one);
  build.output(x);
  constexpr std::string_view sizes[] = {"216 bytes, not 4", "72 bytes, not 4", "1152 bytes, not -8",
                                        "72 bytes, not 4",  "int16",           "72 bytes, not 4"};
  const auto program = build.finish();
  const auto facts = report::survey_of(program, [&](const program_view& all, const node& record) {
    return report::undelegated_reason{join("no kernel"), join("int8 filter has ", sizes[&record - all.nodes.data()])};
  });
  const auto reasons = report::reasons_of(program, facts);
  if (reasons.size() != 3) return false;
  const auto& merged = reasons[0];
  if (view(merged.reason) != "int8 filter has 72 to 1152 bytes, not -8 or 4" || merged.op != "aten.sin.default") return false;
  if (merged.nodes != 4 || merged.texts != 3 || merged.numbers.size() != 2 || merged.numbers[0].size() != 3) return false;
  if (view(merged.numbers[0][1]) != "216" || reasons[1].texts != 1 || reasons[2].texts != 1) return false;
  const auto text = report::json(program, facts);
  return view(text).find(R"("reason": "int8 filter has 72 to 1152 bytes, not -8 or 4", "texts": 3, "numbers": [["72", "216", "1152"], )"
                         R"(["-8", "4"]], "nodes": 4,)") != std::string_view::npos;
}
static_assert(reasons_that_differ_in_numbers_are_merged());
TEST_CASE("summary: reasons that differ only in numbers are merged") { CHECK(reasons_that_differ_in_numbers_are_merged()); }

constexpr auto numbers_are_distinguished_from_names() -> bool {
  const auto is = [](std::string_view text, std::string_view words, std::size_t numbers) {
    auto form = report::form_of(text);
    for (auto& c : form.words) c = c == '\0' ? '#' : c;
    return view(form.words) == words && form.numbers.size() == numbers;
  };
  return is("int8 conv_2d 3 4, (5) [-6.5]; 7.", "int8 conv_2d # #, (#) [#]; #.", 5) && is("", "", 0) && is(" a  1 ", " a  # ", 1) &&
         is("- . 1.2.3 4x 1-2", "- . 1.2.3 4x 1-2", 0) && is("12", "#", 1);
}
static_assert(numbers_are_distinguished_from_names());
TEST_CASE("summary: numbers and names") { CHECK(numbers_are_distinguished_from_names()); }

/// With a terminal of 80 characters, wide cells lose their beginnings; numbers are complete.
constexpr auto tables_fit_a_terminal(std::size_t width) -> bool {
  program_builder build;
  auto x = build.call("a", "my.op", {build.user_input("a_name_of_an_input_that_is_long", one)}, one);
  x = build.call("a_name_of_a_node_that_is_long_and_stays", "aten.an_operator_with_a_long_name.default", {x}, one);
  build.output(build.call("b", "my.op", {x}, one));
  const auto program = to_backend(backends<device>, build.finish(), by_letter{});
  const auto facts = report::survey_of(program, why);
  const auto plan = plan_memory(program).value;
  for (const auto& text : {report::summary(program, facts, width), report::assignment_table(program, facts, width),
                           report::partition_table(program, why, width), report::memory_table(program, plan, width),
                           report::operator_table(program, graph_id{0}, width)}) {
    auto unread = view(text);
    for (auto end = unread.find('\n'); end != unread.npos; end = unread.find('\n')) {
      if (end > width) return false;
      unread.remove_prefix(end + 1);
    }
  }
  return view(report::assignment_table(program, facts, width)).find("ng_and_stays") != std::string_view::npos;
}
static_assert(tables_fit_a_terminal(80));
TEST_CASE("summary: tables fit a terminal") {
  CHECK(tables_fit_a_terminal(80));
  CHECK(tables_fit_a_terminal(120));
}

}  // namespace
