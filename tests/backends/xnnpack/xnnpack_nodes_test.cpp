// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Every node that XNNPACK supports matches the reference, on one-node models with recorded outputs, and on the nodes of the shared models
// with their inputs.
#include "delegates.hpp"

#include <baton/import/tflite.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using delegates::bytes;

auto file(const fs::path& path) -> bytes {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Measurements of an operator in one type.
struct measure {
  int nodes = 0;
  double max = 0;
};
using measures = std::map<std::string, measure>;

void note(measures& all, const baton::program_view& program, const baton::node& record, double distance) {
  const auto type = program[program.outputs_of(record)[0]].type;
  auto& one = all[std::string(program.text(record.target)) + " " + std::string(baton::facts(type).name)];
  ++one.nodes;
  one.max = std::max(one.max, distance);
}
/// True if the table of the page contains an operator in a type for XNNPACK or a newer version: `| \`tfl.add\` | yes | newer |`.
auto page_has(const std::string& page, const std::string& operator_and_type) -> bool {
  const auto blank = operator_and_type.find(' ');
  const auto begin = page.find("\n| `" + operator_and_type.substr(0, blank) + "` | ");
  if (begin == std::string::npos) return false;
  const auto first = page.find(" | ", begin) + 3;
  const auto at = operator_and_type.substr(blank + 1) == "float32" ? first : page.find(" | ", first) + 3;
  return page.compare(at, 4, "yes ") == 0 || page.compare(at, 6, "newer ") == 0;
}
void show(const measures& all) {
  for (const auto& [name, one] : all) std::cout << "  " << name << ": " << one.nodes << " nodes, at most " << one.max << " off\n";
}

/// Returns the maximum distance: one step for int8, 1e-5 for float32. Hybrid layers quantize their input with a zero point, unlike the
/// reference; `xnnpack_hybrid_test.cpp` derives their accuracy.
auto bound_of(const baton::program_view& program, const baton::node& record) -> double {
  if (program[program.outputs_of(record)[0]].type != baton::dtype::float32) return 1;
  for (const auto input : program.inputs(record)) {
    if (input != baton::none<baton::value_id> && program[input].type == baton::dtype::int8 && !record.is("tfl.dequantize")) return 0.1;
  }
  return 1e-5;
}

/// One-node models that exceed the bound, with the reason.
struct exception {
  std::string_view name;
  std::string_view why;
};
constexpr exception exceptions[] = {
    {"logistic_float32", "of 1e30 some of the library's kernels make no number"},
    {"logistic_int8_2", "the reference makes 0 a smallest number, where a step of the input is more than the function's range"},
    {"tanh_int8_2", "the same, of versions that have a hyperbolic tangent: the reference is 128 steps off at 0"},
};
auto is_exception(const std::string& name) -> bool {
  return std::ranges::any_of(exceptions, [&](const exception& one) { return one.name == name; });
}

/// The maximum distance of a model's outputs in steps. A step of an inner value is many steps of outputs that are close to one another.
struct from_end_to_end {
  std::string_view name;
  double max;
};
constexpr from_end_to_end measured[] = {{"ad01_int8", 2},     {"hello_world_float", 1e-5},    {"hello_world_int8", 0}, {"kws_ref_model", 9},
                                        {"person_detect", 3}, {"pretrainedResnet_quant", 42}, {"vww_96_int8", 1}};
auto measured_of(const std::string& name) -> double {
  for (const auto& one : measured) {
    if (one.name == name) return one.max;
  }
  return 0;
}

}  // namespace

TEST_CASE("xnnpack: one-node models match their recorded outputs") {
  measures all;
  for (const auto& entry : fs::recursive_directory_iterator(BATON_NODES_DIR)) {
    if (entry.path().extension() != ".tflite") continue;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    const auto model = file(entry.path());
    const auto program = baton::tflite::read_bytes(model);
    const auto view = baton::program_view(program);
    if (view.graphs.size() != 1) continue;
    const auto nodes = view.nodes_of(view.root());
    if (nodes.size() != 1 || !baton::xnnpack::support::supports(view, nodes[0])) continue;
    const auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, program, baton::xnnpack::partitioner{});
    REQUIRE(lowered.delegates.size() == 1);
    delegates::net net{lowered};
    REQUIRE(net.why == "");
    const auto golden = file(fs::path(entry.path()).replace_extension(".golden"));
    const auto type = view[view.outputs_of(nodes[0])[0]].type;
    for (std::size_t at = 0; at < golden.size();) {
      const auto size = nodes::input_bytes_of(view);
      REQUIRE(at + size <= golden.size());
      const auto actual =
          net.run({golden.begin() + static_cast<std::ptrdiff_t>(at), golden.begin() + static_cast<std::ptrdiff_t>(at + size)});
      REQUIRE(net.why == "");
      at += size;
      REQUIRE(at + actual.size() <= golden.size());
      const auto off = delegates::distance(type, actual.data(), golden.data() + at, actual.size());
      at += actual.size();
      if (is_exception(name)) continue;
      CHECK(off <= bound_of(view, nodes[0]));
      note(all, view, nodes[0], off);
    }
  }
  show(all);
  CHECK(all.size() >= 30);
  const auto text = file(fs::path{BATON_EXAMPLES_DIR} / ".." / "docs" / "xnnpack.md");
  const std::string page(text.begin(), text.end());
  for (const auto& [name, one] : all) CHECK_MESSAGE(page_has(page, name), name);
  CHECK_FALSE(page_has(page, "tfl.abs int8"));
  CHECK_FALSE(page_has(page, "tfl.sin float32"));
}

TEST_CASE("xnnpack: every node of the shared models matches the reference on its own inputs") {
  const std::string shared = BATON_SHARED_DIR;
  if (shared.empty()) {
    std::cout << "xnnpack: skipped, there is no folder ../shared with models\n";
    return;
  }
  measures all;
  int delegated = 0;
  for (const auto& entry : fs::directory_iterator(fs::path{shared} / "models")) {
    if (entry.path().extension() != ".tflite") continue;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    const auto model = file(entry.path());
    const auto program = baton::tflite::read_bytes(model);
    const auto view = baton::program_view(program);
    nodes::interpreter reference{view};
    bytes output;
    const auto golden = fs::path{shared} / "golden" / name;
    const auto why = reference.run(baton::portable_kernels, file(golden / "input_0.bin"), output, [&](const baton::node& record) {
      if (!baton::xnnpack::support::supports(view, record)) return;
      const baton::node_id id{static_cast<std::uint32_t>(&record - view.nodes.data())};
      const auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, program, delegates::one_node{id});
      delegates::delegate alone{lowered, baton::delegate_id{0}};
      REQUIRE(alone.init() == baton::status::ok);
      std::vector<bytes> inputs;
      for (const auto input : view.inputs(record)) {
        if (input != baton::none<baton::value_id> && !baton::is_owned_data(view[input].kind)) inputs.push_back(reference.at(input));
      }
      const auto output_id = view.outputs_of(record)[0];
      std::vector<bytes> outputs(1, bytes(reference.size_of(output_id)));
      REQUIRE(alone.run(inputs, outputs) == baton::status::ok);
      const auto off = delegates::distance(view[output_id].type, outputs[0].data(), reference.at(output_id).data(), outputs[0].size());
      CHECK(off <= bound_of(view, record));
      note(all, view, record, off);
      ++delegated;
    });
    CHECK(why == "");
  }
  show(all);
  CHECK(delegated >= 100);
}

TEST_CASE("xnnpack: shared models match their recorded outputs within bounds") {
  const std::string shared = BATON_SHARED_DIR;
  if (shared.empty()) return;
  for (const auto& entry : fs::directory_iterator(fs::path{shared} / "models")) {
    if (entry.path().extension() != ".tflite") continue;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    const auto model = file(entry.path());
    const auto program = baton::tflite::read_bytes(model);
    const auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, program, baton::xnnpack::partitioner{});
    CHECK(lowered.delegates.size() == 1);
    delegates::net net{lowered};
    delegates::net threaded{lowered, 2};
    const auto golden = fs::path{shared} / "golden" / name;
    const auto type = program[program.outputs[0].value].type;
    double max = 0;
    int runs = 0;
    for (const std::string prefix : {"", "extra_"}) {
      for (int k = 0; k < 4; ++k) {
        const auto number = std::to_string(k) + ".bin";
        const auto input = file(golden / (prefix + "input_" + number));
        if (input.empty()) continue;
        const auto expected = file(golden / (prefix + "output_" + number));
        const auto actual = net.run(input);
        REQUIRE(net.why == "");
        REQUIRE(actual.size() == expected.size());
        max = std::max(max, delegates::distance(type, actual.data(), expected.data(), actual.size()));
        CHECK(threaded.run(input) == actual);
        ++runs;
      }
    }
    std::cout << "  " << name << ": " << runs << " runs, at most " << max << " off\n";
    CHECK(runs >= 4);
    CHECK(max <= measured_of(name));
  }
}
