// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes the report of a program of 1,000 nodes with residual links, some of them delegated, one with two branches.
#include <baton/baton.hpp>
#include <baton/plan.hpp>
#include <baton/report.hpp>

#include <cstdio>

namespace {

using namespace baton;

constexpr auto type = tensor(dtype::float32, 2, 2);

struct accelerator {
  static constexpr auto id = name<"accelerator">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result result("blob");
    for (const auto& record : part.nodes_of(part.root()))
      result.debug_handle_map.push_back({record.debug_handle, {}, false, {record.debug_handle}});
    return result;
  }
};

auto thousand() -> exported_program {
  program_builder b;
  auto latest = b.user_input("x", type);
  auto earlier = latest;
  const auto weights = b.parameter("weights", type);
  for (int i = 0; i < 332; ++i) {
    const auto product = b.call("aten.mm.default", {latest, weights}, type);
    const auto next =
        i % 10 == 9 ? b.call("aten.softmax.int", {product}, type, {{"dim", -1}}) : b.call("aten.relu.default", {product}, type);
    latest = b.call("aten.add.Tensor", {next, earlier}, type);
    earlier = next;
  }
  const auto branch = [&](const char* graph, const char* op) {
    const auto id = b.add_graph(graph);
    b.output(b.call(op, {b.user_input("taken", type)}, type));
    return id;
  };
  const auto on_true = branch("if_true", "aten.relu.default");
  const auto on_false = branch("if_false", "aten.neg.default");
  b.enter(graph_id{0});
  const auto flag = b.user_input("flag", tensor(dtype::boolean));
  latest = b.call_many("choice", "cond", {flag, latest}, {type}, {}, {on_true, on_false})[0];
  b.output(b.call("aten.neg.default", {latest}, type));
  return b.finish();
}

auto why_not_delegated(const program_view&, const node& record) -> report::undelegated_reason {
  return {join("portable kernels"), join("the accelerator has no ", record.is("aten.softmax.int") ? "softmax" : "such operator")};
}

}  // namespace

auto main() -> int {
  using support = operator_names<"aten.mm.default", "aten.relu.default", "aten.add.Tensor">;
  const auto program = to_backend(backends<accelerator>, thousand(), by_support<accelerator, support>{});
  const auto plan = plan_memory(program);
  const auto page = report::html(program, report::survey_of(program, why_not_delegated), &plan.value,
                                 {"thousand.tflite", "no_overlap", "an accelerator"});
  std::fwrite(page.data(), 1, page.size(), stdout);
}
