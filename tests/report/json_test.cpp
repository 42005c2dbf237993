// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>

#include "report/by_letter.hpp"
#include "report/model.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string_view>

namespace {

using namespace report_model;

constexpr std::string_view expected = R"({
  "baton_report": 1,
  "program": "forward",
  "totals": {"nodes": 4, "delegated": 2, "delegates": 1, "multiply_adds": 2304, "delegated_multiply_adds": 2304, "boundary_bytes": 192, "processed_bytes": 4},
  "shares": [
    {"computed_by": "device", "is_backend": true, "delegates": 1, "nodes": 2, "multiply_adds": 2304, "output_bytes": 256, "boundary_bytes": 192, "processed_bytes": 4},
    {"computed_by": "portable kernels", "is_backend": false, "delegates": 0, "nodes": 1, "multiply_adds": 0, "output_bytes": 128, "boundary_bytes": 0, "processed_bytes": 0},
    {"computed_by": "no kernel", "is_backend": false, "delegates": 0, "nodes": 1, "multiply_adds": 0, "output_bytes": 512, "boundary_bytes": 0, "processed_bytes": 0}],
  "reasons": [
    {"operator": "tfl.softmax", "reason": "the device has no softmax; no kernel in the list supports this operator", "nodes": 1, "multiply_adds": 0, "separated_parts": 0, "avoidable_parts": 0}],
  "graphs": [
    {"name": "forward", "role": "root", "inputs": [0, 1], "outputs": [{"value": 8}]},
    {"name": "forward", "role": "original", "of_delegate": 0, "inputs": [3, 4], "outputs": [{"value": 6}]}],
  "values": [
    {"name": "a\u000aline", "kind": "user_input", "type": "int8[1,8,8,1]", "bytes": 64},
    {"name": "p_w", "kind": "parameter", "type": "int8[2,3,3,1]", "bytes": 18},
    {"name": "conv_1", "kind": "intermediate", "type": "int8[1,8,8,2]", "bytes": 128},
    {"name": "a\u000aline", "kind": "user_input", "type": "int8[1,8,8,1]", "bytes": 64},
    {"name": "p_w", "kind": "user_input", "type": "int8[2,3,3,1]", "bytes": 18},
    {"name": "conv", "kind": "intermediate", "type": "int8[1,8,8,2]", "bytes": 128},
    {"name": "conv_1", "kind": "intermediate", "type": "int8[1,8,8,2]", "bytes": 128},
    {"name": "MobilenetV1/MobilenetV1/Logits/SpatialSqueeze", "kind": "intermediate", "type": "int8[1,128]", "bytes": 128},
    {"name": "softmax", "kind": "intermediate", "type": "float32[1,128]", "bytes": 512}],
  "nodes": [
    {"name": "executorch_call_delegate", "operator": "executorch_call_delegate", "graph": 0, "inputs": [0, 1], "outputs": [2], "debug_handle": 5, "delegate": 0, "computed_by": "device", "output_bytes": 128, "constant_bytes": 18, "multiply_adds": 0},
    {"name": "MobilenetV1/MobilenetV1/Logits/SpatialSqueeze", "operator": "tfl.reshape", "graph": 0, "inputs": [2], "outputs": [7], "debug_handle": 3, "computed_by": "portable kernels", "output_bytes": 128, "constant_bytes": 0, "multiply_adds": 0},
    {"name": "softmax", "operator": "tfl.softmax", "graph": 0, "inputs": [7], "outputs": [8], "debug_handle": 4, "computed_by": "no kernel", "not_delegated": "the device has no softmax; no kernel in the list supports this operator", "output_bytes": 512, "constant_bytes": 0, "multiply_adds": 0},
    {"name": "conv", "operator": "tfl.conv_2d", "graph": 1, "inputs": [3, 4, null], "outputs": [5], "debug_handle": 1, "within": 0, "computed_by": "device", "output_bytes": 128, "constant_bytes": 0, "multiply_adds": 1152},
    {"name": "conv_1", "operator": "tfl.conv_2d", "graph": 1, "inputs": [5, 4, null], "outputs": [6], "debug_handle": 2, "within": 0, "computed_by": "device", "output_bytes": 128, "constant_bytes": 0, "multiply_adds": 1152}],
  "delegates": [
    {"name": "lowered_module_0", "backend": "device", "graph": 1, "processed_bytes": 4, "scratch_bytes": 40, "argument_bytes": 64, "result_bytes": 128, "multiply_adds": 2304, "nodes": 2, "separation": {"kind": "first", "between": [], "text": "the first part of device"}, "debug_map": []}],
  "memory": {"arena_bytes": 640, "lower_bound": 640, "is_optimal": true, "strategy": "largest first", "alignment": 16, "steps": [[0], [1], [2]], "entries": [
      {"name": "a\u000aline", "values": [0], "offset": 0, "bytes": 64, "first": 0, "last": 0},
      {"name": "conv_1 = MobilenetV1/MobilenetV1/Logits/SpatialSqueeze", "values": [2, 7], "offset": 512, "bytes": 128, "first": 0, "last": 2},
      {"name": "scratch of lowered_module_0", "values": [], "node": 0, "offset": 64, "bytes": 48, "first": 0, "last": 0},
      {"name": "softmax", "values": [8], "offset": 0, "bytes": 512, "first": 2, "last": 3}], "graphs": [], "overlaps": [], "copies": []}}
)";

constexpr auto the_program_is_shown() -> bool {
  const auto program = lowered();
  const auto facts = report::survey_of(program, explain_undelegated);
  const auto memory = plan();
  return view(report::json(program, facts, &memory)) == expected;
}
static_assert(the_program_is_shown());
/// The provenance of a report is at the beginning; empty members are omitted.
constexpr auto its_provenance_is_shown() -> bool {
  const auto program = lowered();
  const auto text = report::json(program, report::survey_of(program), nullptr, {.file = "net.tflite", .policy = {}, .target = "npu"});
  return view(text).starts_with("{\n  \"baton_report\": 1,\n  \"program\": \"forward\", \"file\": \"net.tflite\", \"target\": \"npu\",\n");
}
static_assert(its_provenance_is_shown());
TEST_CASE("json: the file and the target are members if they are known") { CHECK(its_provenance_is_shown()); }

TEST_CASE("json: a whole program is written") { CHECK(the_program_is_shown()); }

/// A node of a quantized model that computes in float32 has the reason.
constexpr auto reasons_for_float_are_reported() -> bool {
  const auto program = lowered();
  const auto facts = report::survey_of(program, [](const program_view& of, const node& record) {
    report::undelegated_reason why;
    if (record.is("tfl.softmax")) why.float_reason = join(of.text(record.name), " has no quantized form");
    return why;
  });
  const auto text = report::json(program, facts);
  return view(text).find(R"("float_reason": "softmax has no quantized form", "output_bytes": 512)") != std::string_view::npos &&
         view(text).find("float_reason") == view(text).rfind("float_reason");
}
static_assert(reasons_for_float_are_reported());
TEST_CASE("json: nodes of a quantized model that compute in float32 have the reason") { CHECK(reasons_for_float_are_reported()); }

/// A graph that a node calls has a separate plan, and its memory is one of the caller's entries.
constexpr auto memory_of_called_graphs_is_reported() -> bool {
  program_builder build;
  const auto xs = build.user_input("xs", tensor(dtype::int8, 3, 16));
  const auto body = build.add_graph("body");
  build.output(build.call("in", "op", {build.user_input("x", tensor(dtype::int8, 16))}, tensor(dtype::int8, 16)));
  build.enter(graph_id{0});
  build.output(build.call_many("map", "map", {xs}, {tensor(dtype::int8, 3, 16)}, {{"mapped", 1}}, {body})[0]);
  const auto program = build.finish();
  const auto memory = plan_memory(program).value;
  const auto text = report::json(program, report::survey_of(program), &memory);
  const auto has = [&](std::string_view part) { return view(text).find(part) != std::string_view::npos; };
  return has(R"({"name": "graphs of map", "values": [], "node": 0, "offset": 96, "bytes": 32, "first": 0, "last": 0})") &&
         has(R"({"graph": 1, "bytes": 32, "lower_bound": 32, "is_optimal": true, "strategy": "largest first", "entries": [)") &&
         has(R"({"name": "x", "values": [1], "offset": 0, "bytes": 16, "first": 0, "last": 0})");
}
static_assert(memory_of_called_graphs_is_reported());
TEST_CASE("json: called graphs have separate plans") { CHECK(memory_of_called_graphs_is_reported()); }

/// Two delegates with another backend and a node between them, and the reason of that backend.
constexpr auto boundaries_are_reported() -> bool {
  program_builder build;
  auto x = build.call("a", "my.op", {build.user_input("x", one)}, one);
  x = build.call("stays", "my.op", {build.call("P", "my.op", {x}, one)}, one);
  build.output(build.call("b", "my.op", {x}, one));
  const auto program = to_backend(backends<device, other>, build.finish(), by_letter{});
  const auto text = report::json(program, report::survey_of(program));
  const auto has = [&](std::string_view part) { return view(text).find(part) != std::string_view::npos; };
  return has(R"("separation": {"kind": "nodes_between", "follows": 0, "between": [1, 2], "text": "lowered_module_1 and stays are between)") &&
         has(R"({"backend": "other", "nodes": 1, "multiply_adds": 0, "separated_parts": 1, "avoidable_parts": 0})");
}
static_assert(boundaries_are_reported());
TEST_CASE("json: nodes between delegates are written with the reason") { CHECK(boundaries_are_reported()); }

/// One literal of each kind, and a number that JSON cannot represent.
constexpr auto attributes_are_reported() -> bool {
  constexpr std::int64_t strides[] = {2, -1};
  program_builder build;
  build.output(build.call("a", "my.op", {build.user_input("x", one)}, one,
                          {{"stride", strides},
                           {"axis", -1},
                           {"keep_dims", true},
                           {"beta", 1.0},
                           {"least", -std::numeric_limits<double>::infinity()},
                           {"mode", "same \"padding\""},
                           {"scales", strides}}));
  auto program = build.finish();
  auto& scales = program.attributes.back();
  scales.kind = attribute_kind::reals;  // the builder has no literal of that kind
  scales.list = {static_cast<std::uint32_t>(program.reals.size()), 2};
  program.reals.push_back(0.5);
  program.reals.push_back(-1e300);
  const auto text = report::json(program, report::survey_of(program));
  return view(text).find(R"("attributes": {"stride": [2, -1], "axis": -1, "keep_dims": true, "beta": 1.0, "least": "-inf", )"
                         R"("mode": "same \"padding\"", "scales": [0.5, -1e+300]}, "debug_handle")") != std::string_view::npos;
}
static_assert(attributes_are_reported());
TEST_CASE("json: attributes of each kind are written") { CHECK(attributes_are_reported()); }

constexpr auto external_constants_are_reported() -> bool {
  const auto program = with_external_weight();
  const auto text = report::json(program, report::survey_of(program));
  return view(text).find(R"({"name": "p_w", "kind": "external_constant")") != std::string_view::npos;
}
static_assert(external_constants_are_reported());
TEST_CASE("json: external constants are written") { CHECK(external_constants_are_reported()); }

constexpr auto folded_handles_are_reported() -> bool {
  program_builder build;
  build.output(build.call("a", "my.op", {build.user_input("x", one)}, one));
  auto program = build.finish();
  program.nodes[0].folded_handles = {static_cast<std::uint32_t>(program.integers.size()), 2};
  program.integers.push_back(5);
  program.integers.push_back(7);
  const auto text = report::json(program, report::survey_of(program));
  return view(text).find(R"("debug_handle": 1, "folded_handles": [5, 7], )") != std::string_view::npos;
}
static_assert(folded_handles_are_reported());
TEST_CASE("json: folded debug handles are written") { CHECK(folded_handles_are_reported()); }

constexpr auto an_empty_program_is_valid_json() -> bool {
  const auto program = program_builder().finish();
  const auto text = report::json(program, report::survey_of(program));
  return view(text).find("\"memory\": null") != std::string_view::npos;
}
static_assert(an_empty_program_is_valid_json());
TEST_CASE("json: an empty program is written, without a plan") { CHECK(an_empty_program_is_valid_json()); }

/// Quotes, backslashes, control characters, bytes that are not UTF-8, and the end tag of a script.
constexpr auto texts_are_escaped() -> bool {
  program_builder build;
  build.user_input("\"\\\t\xff</script>", tensor(dtype::int8, 1));
  const auto program = build.finish();
  const auto text = report::json(program, report::survey_of(program));
  return view(text).find(R"("name": "\"\\\u0009\u00ff\u003c/script>")") != std::string_view::npos;
}
static_assert(texts_are_escaped());
TEST_CASE("json: texts are escaped") { CHECK(texts_are_escaped()); }

}  // namespace
