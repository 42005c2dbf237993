// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ONNX models of ../shared/formats after the default passes: outputs, debug handles, and a backend that supports every convolution of
// TensorFlow Lite.
#include <baton/core/compare.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/transform/shared/rules.hpp>

#include "formats/golden_output.hpp"
#include "formats/onnx_case.hpp"
#include "formats/portable_run.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using formats::onnx_case;

/// Returns the program after the default passes, for the shapes of `input(k)`.
auto legal_program(const onnx_case& model, int k = 0) -> exported_program {
  const auto imported = model.read(k);
  REQUIRE_MESSAGE(imported, formats::text_of(message(imported.error)));
  const auto legal = formats::legalized(imported.value);
  REQUIRE_MESSAGE(legal, formats::text_of(message(legal.error)));
  return legal.value;
}

/// Returns the recorded output. A loop that may end early has a stack with room for all iterations. Its last slices are 0; the file of the
/// output does not have them. The loop of this model does not end early for input 0.
auto expected_output(const onnx_case& model, int k) -> vector<char> {
  auto expected = model.output(k);
  if (model.name() == "onnx_made_loop") expected.resize(model.output(0).size(), '\0');
  return expected;
}

void check_outputs(const onnx_case& model) {
  auto program = legal_program(model);
  for (int k = 0; k < 4; ++k) {
    CAPTURE(k);
    if (k > 0 && model.has_symbols()) program = legal_program(model, k);
    std::vector<char> output;
    const auto why = formats::run_portable(program, model.input(k), output);
    REQUIRE(why == "");
    // Quantized models are equal in every byte.
    const auto allowed = model.is_quantized() ? formats::tolerance{} : model.allowed_difference();
    CHECK(formats::difference(program, output, expected_output(model, k), allowed) == "");
  }
}

/// Returns the debug handles of all nodes, ascending. A folded handle is present as often as nodes have it.
auto handles_of(const program_view& program) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> handles;
  for (const auto& record : program.nodes) {
    handles.push_back(record.debug_handle);
    for (const auto handle : program.folded_handles(record)) handles.push_back(handle);
  }
  std::sort(handles.begin(), handles.end());
  return handles;
}

/// Returns the handles of the nodes with subgraphs.
auto handles_of_control_flow(const program_view& program) -> std::set<std::int64_t> {
  std::set<std::int64_t> handles;
  for (const auto& record : program.nodes) {
    if (control_flow_of(program, record) != control_flow::none) handles.insert(record.debug_handle);
  }
  return handles;
}

/// Each handle of the file is present once. New nodes have handles that the file does not have. The nodes of a loop that the importer adds
/// have the handle of the loop.
void check_handles(const onnx_case& model) {
  const auto imported = model.read();
  REQUIRE(imported);
  const auto program = legal_program(model);
  const auto before = handles_of(imported.value), after = handles_of(program);
  const auto loops = handles_of_control_flow(imported.value);
  for (const auto handle : before) {
    const auto count = std::count(after.begin(), after.end(), handle);
    const bool is_of_loop = loops.contains(handle) && std::count(before.begin(), before.end(), handle) != 1;
    CHECK_MESSAGE((is_of_loop ? count >= 1 : count == 1), "debug handle ", handle, " is on ", count, " nodes");
  }
  for (const auto& record : program.nodes) CHECK(record.debug_handle != 0);
}

/// Computes a convolution as TensorFlow Lite does, which is wrong for the models of another exporter.
struct greedy_backend {
  static constexpr auto id = name<"Greedy">;
  static auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
using greedy_partitioner = by_support<greedy_backend, operator_names<"tfl.conv_2d">>;

/// Returns the number of parts that the backend gets.
auto greedy_parts(const exported_program& program) -> std::size_t {
  const auto lowered = to_backend(backends<greedy_backend>, program, greedy_partitioner{});
  if (lowered.delegates.empty()) CHECK(same(lowered, program));
  return lowered.delegates.size();
}

}  // namespace

TEST_CASE("onnx: outputs of all shared models are equal to the recorded ones" * tests::needs_shared("formats")) {
  const auto cases = formats::onnx_cases();
  CHECK(cases.size() >= 27);
  for (const auto& model : cases) {
    CAPTURE(model.name());
    check_outputs(model);
  }
}

TEST_CASE("onnx: every debug handle of a file is on one node after the default passes" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    check_handles(model);
  }
}

TEST_CASE("onnx: a backend for all convolutions of TensorFlow Lite gets none of a quantized model" * tests::needs_shared("formats")) {
  std::size_t float_parts = 0;
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    const auto imported = model.read();
    REQUIRE(imported);
    CHECK(greedy_parts(imported.value) == 0);
    const auto program = legal_program(model);
    const auto parts = greedy_parts(program);
    if (model.is_quantized()) CHECK(parts == 0);
    float_parts += parts;
  }
  CHECK(float_parts > 0);  // convolutions in float32, whose operator is that of TensorFlow Lite
}
