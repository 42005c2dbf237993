// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/survey.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/onnx.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/report/summary.hpp>
#include <baton/report/verdict_reasons.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "report/model.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto totals_count_the_operations() -> bool {
  const auto facts = report::survey_of(report_model::lowered(), report_model::explain_undelegated);
  const auto& totals = facts.totals;
  return totals.nodes == 4 && totals.delegated == 2 && totals.delegates == 1 && totals.multiply_adds == 2 * 128 * 9 &&
         totals.delegated_multiply_adds == totals.multiply_adds && totals.boundary_bytes == 64 + 128 && totals.processed_bytes == 4 &&
         facts.delegates[0].nodes == 2 && view(facts.nodes[2].computed_by) == "no kernel" && facts.nodes[0].delegate == 0 &&
         facts.nodes[0].constant_bytes == 18 && facts.nodes[3].within == 0;
}
static_assert(totals_count_the_operations());
TEST_CASE("survey: totals are counted") { CHECK(totals_count_the_operations()); }

/// The shares of backends and kernels add up to the totals.
constexpr auto shares_add_up() -> bool {
  const auto facts = report::survey_of(report_model::lowered(), report_model::explain_undelegated);
  report::survey::sums sum;
  for (const auto& share : facts.shares) {
    sum.nodes += share.nodes;
    sum.delegated += share.is_backend ? share.nodes : 0;
    sum.delegates += share.delegates;
    sum.multiply_adds += share.multiply_adds;
    sum.boundary_bytes += share.boundary_bytes;
    sum.processed_bytes += share.processed_bytes;
  }
  const auto& totals = facts.totals;
  return facts.shares.size() == 3 && sum.nodes == totals.nodes && sum.delegated == totals.delegated && sum.delegates == totals.delegates &&
         sum.multiply_adds == totals.multiply_adds && sum.boundary_bytes == totals.boundary_bytes &&
         sum.processed_bytes == totals.processed_bytes;
}
static_assert(shares_add_up());
TEST_CASE("survey: the shares add up to the totals") { CHECK(shares_add_up()); }

// Custom operators: a program gets their definitions once, and keeps them through passes, parts and lowering.
constexpr auto work_of_fft(const program_view& program, const node& record) -> std::uint64_t {
  return static_cast<std::uint64_t>(4 * program.shape(program.outputs_of(record)[0])[0]);
}
constexpr operator_definition custom_operators[] = {{.name = "my.fft", .multiply_adds = work_of_fft}};
constexpr static_program two_transforms{[] {
  constexpr auto type = tensor(dtype::float32, 8);
  program_builder build;
  build.define(custom_operators);
  build.output(build.call("my.fft", {build.call("my.fft", {build.user_input("x", type)}, type, {{"on_npu", 1}})}, type));
  return build.finish();
}};
struct is_for_npu {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (program.integer(candidate, "on_npu") != 0) return accept();
    return refuse("the kernels run it");
  }
};
/// There is one processed byte for each multiply-add of the part's first node.
struct counting_npu {
  static constexpr auto id = name<"CountingNpu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result result;
    result.processed_bytes.resize(multiply_adds(part, part.nodes[0]));
    return result;
  }
};
constexpr auto lowered_transforms =
    to_backend(backends<counting_npu>, transform(two_transforms, default_passes), by_support<counting_npu, is_for_npu>{});
constexpr auto user_defined_work_is_counted() -> bool {
  const auto is_counted = [](const program_view& program) {
    const auto totals = report::survey_of(program).totals;
    return totals.multiply_adds == 64 && totals.delegated_multiply_adds == 32 && totals.processed_bytes == 32;
  };
  const auto at_run_time =
      to_backend(backends<counting_npu>, transform(thaw(two_transforms), default_passes), by_support<counting_npu, is_for_npu>{});
  return is_counted(lowered_transforms) && is_counted(at_run_time);
}
static_assert(user_defined_work_is_counted());
TEST_CASE("survey: the work of custom operators is counted") { CHECK(user_defined_work_is_counted()); }

// A program that stays in the dialect of its file format.
constexpr static_program onnx_network{[] {
  constexpr auto image = tensor(dtype::float32, 1, 4, 6, 6);
  program_builder build;
  build.set_dialect(onnx::dialect);
  const auto filter = build.user_input("filter", tensor(dtype::float32, 4, 3, 3, 3));
  const auto weights = build.user_input("weights", tensor(dtype::float32, 144, 10));
  const auto conv = build.call("onnx.Conv", {build.user_input("x", tensor(dtype::float32, 1, 3, 8, 8)), filter}, image);
  const auto row = build.call("onnx.Flatten", {build.call("onnx.Relu", {conv}, image)}, tensor(dtype::float32, 1, 144));
  build.output(build.call("onnx.Gemm", {row, weights}, tensor(dtype::float32, 1, 10)));
  return build.finish();
}};
using onnx_partitioner = by_support<counting_npu, operator_names<"onnx.Conv", "onnx.Relu">>;
constexpr auto lowered_network = to_backend(backends<counting_npu>, onnx_network, onnx_partitioner{});
constexpr auto programs_of_other_formats_are_surveyed() -> bool {
  constexpr std::uint64_t conv = std::uint64_t{4} * 6 * 6 * 3 * 3 * 3, gemm = 144 * 10;
  const auto facts = report::survey_of(lowered_network, report::verdict_reasons(verdicts_of(onnx_network, onnx_partitioner{})));
  const auto rows = report::assignment_table(lowered_network, facts);
  return facts.totals.multiply_adds == conv + gemm && facts.totals.delegated_multiply_adds == conv &&
         facts.totals.processed_bytes == conv && view(rows).find("onnx.Gemm") != std::string_view::npos &&
         view(rows).find("1440") != std::string_view::npos &&
         view(rows).find("not delegated: the operator is not in the list") != std::string_view::npos && !check_inference(lowered_network);
}
static_assert(programs_of_other_formats_are_surveyed());
TEST_CASE("survey: a program in the dialect of another format is counted") { CHECK(programs_of_other_formats_are_surveyed()); }

/// Branches, and delegates in branches, are counted in their graphs.
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
TEST_CASE("survey: branches and the delegates in branches are counted in their graphs") { CHECK(branches_are_surveyed()); }

}  // namespace
