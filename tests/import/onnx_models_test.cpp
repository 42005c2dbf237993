// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX models of several exporters, read at run time and compared with their manifests; and damaged models.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/onnx.hpp>
#include <baton/operators/infer.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/manifest.hpp"
#include "formats/onnx_case.hpp"
#include "laws/importer.hpp"
#include "needs_shared.hpp"

namespace {

namespace fs = std::filesystem;
using namespace baton;
using formats::bytes_of;
using formats::items_of;
using formats::json_at;
using formats::text_of;
using formats::unquoted;

auto dtype_name(std::string_view name) -> std::string_view {
  return name == "FLOAT" ? "float32" : name == "INT64" ? "int64" : name == "BOOL" ? "boolean" : name;
}
/// Compares a value with an input or output of a manifest. A symbolic batch is 1; another symbol is an unknown size.
void check_value(const exported_program& program, value_id id, std::string_view expected) {
  CHECK(program.text(program[id].name) == unquoted(json_at(expected, "name")));
  CHECK(facts(program[id].type).name == dtype_name(unquoted(json_at(expected, "dtype"))));
  const auto sizes = items_of(json_at(expected, "dims"));
  REQUIRE(program.shape(id).size() == sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto size = sizes[d] == "\"batch\"" ? 1 : sizes[d][0] == '"' ? -1 : std::atoll(std::string(sizes[d]).c_str());
    CHECK(program.shape(id)[d] == size);
  }
}

void check_operators(const exported_program& program, std::string_view expected) {
  std::map<std::string, int> counts;
  for (const auto& node : program.nodes) counts[std::string(program.text(node.target))] += 1;
  bool has_loop = false;
  for (const auto item : items_of(expected)) has_loop = has_loop || item.starts_with("\"Loop\"");
  std::size_t names = 0;
  for (const auto item : items_of(expected)) {
    const auto name = std::string(item.substr(1, item.find('"', 1) - 1));
    const auto count = std::atoi(std::string(item.substr(item.find(": ") + 2)).c_str());
    const auto domain = name.find("::");
    const auto target = name == "If"                  ? "cond"
                        : name == "Loop"              ? "while_loop"
                        : name == "Scan"              ? "scan"
                        : domain == std::string::npos ? "onnx." + name
                                                      : "onnx." + name.substr(0, domain) + "." + name.substr(domain + 2);
    CAPTURE(target);
    if (name == "Constant") {
      CHECK(counts["onnx.Constant"] == 0);
      counts.erase("onnx.Constant");
      continue;
    }
    ++names;
    // A loop needs nodes of its own.
    CHECK((has_loop ? counts[target] >= count : counts[target] == count));
  }
  if (!has_loop) CHECK(counts.size() == names);
}

void check_model(const fs::path& folder) {
  const formats::onnx_case model(folder);
  const auto& bytes = model.model();
  const auto expected = model.manifest().substr(model.manifest().find("\"onnx\": {"));
  const auto read = onnx::try_read_bytes(bytes, {.files = model.files()});
  CAPTURE(text_of(message(read.error)));
  REQUIRE(read);
  const auto& program = read.value;
  CHECK(!check_inference(program));

  std::vector<value_id> inputs;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind == value_kind::user_input) inputs.push_back(id);
    if (program[id].kind != value_kind::user_input) CHECK(program[id].kind == value_kind::constant);
  }
  const auto expected_inputs = items_of(json_at(expected, "inputs"));
  REQUIRE(inputs.size() == expected_inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) check_value(program, inputs[i], expected_inputs[i]);
  const auto outputs = program.outputs_of(program.root());
  const auto expected_outputs = items_of(json_at(expected, "outputs"));
  REQUIRE(outputs.size() == expected_outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) check_value(program, outputs[i].value, expected_outputs[i]);
  check_operators(program, json_at(expected, "operators"));
  for (const auto& node : program.nodes) CHECK((node.debug_handle > 0 && !program.text(node.name).empty()));

  CHECK(onnx::importer::recognizes(bytes));
  CHECK(laws::importer::result_is_valid<onnx::importer>(bytes));
  CHECK(laws::importer::is_deterministic<onnx::importer>(bytes));
  if (model.files().empty()) CHECK(static_cast<bool>(default_importers.read(bytes)));
}

}  // namespace

TEST_CASE("onnx: the shared models agree with their manifests" * tests::needs_shared("formats")) {
  std::size_t models = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(BATON_SHARED_DIR) / "formats")) {
    if (!entry.path().filename().string().starts_with("onnx_")) continue;
    CAPTURE(entry.path().string());
    check_model(entry.path());
    ++models;
  }
  CHECK(models >= 27);
}

TEST_CASE("onnx: damaged models are rejected, each with its rule" * tests::needs_shared("formats/damaged")) {
  const std::map<std::string, std::vector<std::string>> expected = {
      {"onnx_cycle", {"baton cyclic_graph", "node /conv1/Conv is in the cycle, or depends on it"}},
      {"onnx_duplicate_value", {"baton value_defined_twice", "/conv1/Conv_output_0"}},
      {"onnx_external_missing", {"baton missing_file", "tensor conv1.weight is in nothing.bin"}},
      {"onnx_if_without_else", {"baton malformed_operator", "attribute else_branch is missing"}},
      {"onnx_length_overrun", {"baton damaged_model", "the fields of the model"}},
      {"onnx_missing_initializer", {"baton damaged_model", "node /conv1/Conv uses conv1.bias, which nothing defines"}},
      {"onnx_short_raw_data", {"baton malformed_data", "tensor conv1.weight needs 288 bytes and has 284"}},
      {"onnx_truncated", {"baton damaged_model", "the fields of the model cannot be read"}},
      {"onnx_varint_overlong", {"baton damaged_model", "the fields of the model"}},
  };
  std::size_t models = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(BATON_SHARED_DIR) / "formats" / "damaged")) {
    const auto name = entry.path().stem().string();
    if (entry.path().extension() != ".onnx") continue;
    CAPTURE(name);
    REQUIRE(expected.contains(name));
    const auto read = default_importers.read(bytes_of(entry.path()));
    REQUIRE(!read);
    const auto sentence = text_of(message(read.error));
    CAPTURE(sentence);
    CHECK(read.value.graphs.empty());
    for (const auto& part : expected.at(name)) CHECK(sentence.find(part) != std::string::npos);
    ++models;
  }
  CHECK(models == expected.size());
}
