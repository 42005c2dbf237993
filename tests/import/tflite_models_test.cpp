// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Real models, read at run time and compared with manifests of the reference runtime.
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "laws/importer.hpp"
#include "needs_shared.hpp"

namespace {

namespace fs = std::filesystem;
using namespace baton;

auto bytes_of(const fs::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

auto lines_of(const fs::path& path) -> std::vector<std::string> {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Returns the text of a field of a one-line object of a manifest: a list without its brackets, or a string without its quotes. Returns "-"
/// if the field is absent.
auto field_of(std::string_view line, const std::string& name) -> std::string {
  const auto label = "\"" + name + "\":";
  const auto at = line.find(label);
  if (at == std::string_view::npos) return "-";
  const auto value = line.substr(at + label.size());
  const auto up_to = [&](char last) { return std::string(value.substr(1, value.find(last, 1) - 1)); };
  return value[0] == '['   ? up_to(']')
         : value[0] == '"' ? up_to('"')
         : value[0] == '{' ? up_to('}')
                           : std::string(value.substr(0, value.find_first_of(",}")));
}

auto numbers_of(const std::string& list) -> baton::vector<double> {
  baton::vector<double> numbers;
  for (const char* at = list.c_str(); *at != '\0';) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    at = *end == ',' ? end + 1 : end;
  }
  return numbers;
}

auto lower(std::string text) -> std::string {
  for (auto& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

void check_tensor(const exported_program& program, value_id id, const std::string& line) {
  CAPTURE(line);
  const auto& value = program[id];
  CHECK(program.text(value.name) == field_of(line, "name"));
  CHECK(facts(value.type).name == lower(field_of(line, "dtype")));
  CHECK((value.kind == value_kind::constant) == (field_of(line, "const") == "true"));
  CHECK((value.kind == value_kind::mutable_buffer) == (field_of(line, "variable") == "true"));
  const auto sizes = numbers_of(field_of(line, "shape"));
  const auto shape = program.shape(id);
  REQUIRE(sizes.size() == shape.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) CHECK(sizes[i] == static_cast<double>(shape[i]));
  const auto scales = numbers_of(field_of(line, "scale"));
  const auto zero_points = numbers_of(field_of(line, "zero_point"));  // only one if all are equal
  REQUIRE(scales.size() == value.quant.channels);
  for (std::uint32_t i = 0; i < scales.size(); ++i) {
    CHECK(std::abs(static_cast<double>(program.scale(value.quant, i)) - scales[i]) <= 1e-8 * scales[i]);
    CHECK(static_cast<double>(program.zero_point(value.quant, i)) == zero_points[zero_points.size() == 1 ? 0 : i]);
  }
  if (scales.size() > 1 && shape.size() > 1) CHECK(value.quant.axis == std::stoi(field_of(line, "quantized_dimension")));
}

void check_options(const exported_program& program, const node& op, const std::string& options) {
  CAPTURE(options);
  const auto check_text = [&](const char* theirs, literal_name ours) {
    if (field_of(options, theirs) != "-") CHECK(lower(field_of(options, theirs)) == program.text(op, ours));
  };
  const auto check_number = [&](const char* theirs, literal_name ours) {
    if (field_of(options, theirs) != "-") CHECK(std::stoi(field_of(options, theirs)) == program.integer(op, ours, -99));
  };
  check_text("padding", "padding");
  check_text("activation", "fused_activation_function");
  check_number("stride_h", "stride_h");
  check_number("stride_w", "stride_w");
  check_number("depth_multiplier", "depth_multiplier");
  check_number("dilation_h", "dilation_h_factor");
  check_number("dilation_w", "dilation_w_factor");
  check_number("filter_h", "filter_height");
  check_number("filter_w", "filter_width");
  check_number("keep_num_dims", "keep_num_dims");
  check_number("pot_scale_int16", "pot_scale_int16");
  if (field_of(options, "beta") != "-") CHECK(std::stod(field_of(options, "beta")) == program.real(op, "beta"));
}

/// Compares every operator, each of its options and each of its tensors with the manifest.
void check_model(const fs::path& model, const fs::path& golden) {
  const auto bytes = bytes_of(model);
  const auto read = tflite::try_read_bytes(bytes);
  INFO(message(read.error).data());
  REQUIRE(read);
  const auto& program = read.value;
  std::vector<std::string> operators;
  std::vector<std::string> tensors;
  for (const auto& line : lines_of(golden / "manifest.json")) {
    if (line.find("{\"index\":") == std::string::npos) continue;
    (line.find("\"op\":") == std::string::npos ? tensors : operators).push_back(line);
  }
  REQUIRE(!operators.empty());
  REQUIRE(program.graphs.size() == 1);
  REQUIRE(program.nodes.size() == operators.size());
  for (std::size_t n = 0; n < operators.size(); ++n) {
    const auto& op = program.nodes[n];
    CHECK("tfl." + lower(field_of(operators[n], "op")) == program.text(op.target));
    CHECK(op.debug_handle == n + 1);
    check_options(program, op, field_of(operators[n], "options"));
    const auto inputs = numbers_of(field_of(operators[n], "inputs"));
    const auto outputs = numbers_of(field_of(operators[n], "outputs"));
    REQUIRE(inputs.size() == op.inputs.size);
    REQUIRE(outputs.size() == op.outputs.size);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto id = program.inputs(op)[i];
      REQUIRE((inputs[i] < 0) == (id == none<value_id>));
      if (id != none<value_id>) check_tensor(program, id, tensors.at(static_cast<std::size_t>(inputs[i])));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      check_tensor(program, program.outputs_of(op)[i], tensors.at(static_cast<std::size_t>(outputs[i])));
    }
  }
  CHECK(laws::importer::all<tflite::importer>(bytes));
}

}  // namespace

TEST_CASE("tflite: the shared models agree with the reference runtime" * tests::needs_shared("models")) {
  const fs::path shared = BATON_SHARED_DIR;
  for (const auto& entry : fs::directory_iterator(shared / "models")) {
    if (entry.path().extension() != ".tflite") continue;
    CAPTURE(entry.path().string());
    check_model(entry.path(), shared / "golden" / entry.path().stem());
  }
}

TEST_CASE("tflite: the digits model is read") {
  const auto bytes = bytes_of(fs::path(BATON_EXAMPLES_DIR) / "digits" / "digits_int8.tflite");
  const auto program = tflite::read_bytes(bytes);
  REQUIRE(program.nodes.size() == 7);
  CHECK(program.text(program.nodes[0].target) == "tfl.conv_2d");
  CHECK(program.text(program.nodes.back().target) == "tfl.softmax");
  CHECK(laws::importer::all<tflite::importer>(bytes));
}
