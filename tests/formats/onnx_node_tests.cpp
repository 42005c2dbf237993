// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the node tests of ONNX (Debian's libonnx-testdata): imports each model, applies the default passes, runs it with the portable
// kernels, and compares the outputs. Prints a page: one row for each operator. `onnx_node_tests.sh` builds and runs it.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/onnx.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/transform/default_passes.hpp>

#include "formats/onnx_tree.hpp"
#include "nodes/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using bytes = std::vector<char>;
using formats::message_kind;
using formats::tree_field;

auto file(const std::filesystem::path& path) -> std::string {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
auto text_of(std::string_view text) -> std::string { return std::string(text); }

/// A tensor of a test: its message, and its elements as a program stores them.
struct test_tensor {
  tree_field message;
  std::vector<std::int64_t> sizes;
  std::uint64_t type = 0;
  bytes data;
};
auto width_of(std::uint64_t type) -> std::size_t {
  constexpr std::size_t widths[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return type < std::size(widths) ? widths[type] : 0;
}
auto tensor_of(std::string_view content) -> test_tensor {
  test_tensor result{.message = {.kind = message_kind::tensor, .fields = formats::fields_of(content, message_kind::tensor)}};
  result.sizes = result.message.integers(1);
  result.type = result.message.integer(2);
  for (const auto& each : result.message.fields) {
    const bool is_data = each.number == 4 || each.number == 9 || each.number == 10;
    if (is_data) result.data.insert(result.data.end(), each.bytes.begin(), each.bytes.end());
  }
  for (const std::uint32_t list : {5u, 7u, 11u}) {
    for (const auto number : result.message.integers(list)) {
      const auto* const at = reinterpret_cast<const char*>(&number);
      result.data.insert(result.data.end(), at, at + width_of(result.type));
    }
  }
  return result;
}

/// A model of a test, with the names of its inputs and the operator of its only node.
struct test_model {
  tree_field content;
  std::vector<std::string> inputs;
  std::vector<std::uint64_t> types;  ///< of the elements of each input; 0 for other types than tensors
  std::string op;
  bool has_one_node = false;

  explicit test_model(const std::filesystem::path& folder) : content(formats::read_tree(file(folder / "model.onnx"))) {
    std::size_t nodes = 0;
    for (const auto& each : graph().fields) {
      nodes += each.kind == message_kind::node ? 1 : 0;
      if (each.kind == message_kind::node) op = each.text(4);
      if (each.number != 11) continue;
      inputs.push_back(each.text(1));
      types.push_back(0);
      auto input = each;
      formats::for_each_message(input, message_kind::tensor_type, [&](const tree_field& type) { types.back() = type.integer(1); });
    }
    has_one_node = nodes == 1;
  }
  auto graph() const -> const tree_field& {
    return *std::find_if(content.fields.begin(), content.fields.end(),
                         [](const tree_field& each) { return each.kind == message_kind::graph; });
  }

  /// Returns the model with constants in place of the inputs in `constants`, by name. Its operator sets have at least the oldest version
  /// that the importer reads. The operators of older tests have the same meaning in this version.
  auto with_constants(const std::map<std::string, tree_field>& constants) const -> std::string {
    constexpr std::uint64_t oldest = 11;
    auto model = content;
    for (auto& set : model.fields) {
      const auto domain = set.text(1);
      if (set.kind != message_kind::opset || !(domain.empty() || domain == "ai.onnx")) continue;
      const auto version = std::max(set.integer(2), oldest);
      set.remove(2);
      set.fields.push_back(formats::integer_field(2, version));
    }
    for (auto& each : model.fields) {
      if (each.kind != message_kind::graph) continue;
      std::erase_if(each.fields, [&](const tree_field& input) { return input.number == 11 && constants.contains(input.text(1)); });
      for (const auto& [name, tensor] : constants) {
        auto initializer = tensor;
        initializer.number = 5;
        initializer.remove(8);
        initializer.fields.push_back(formats::text_field(8, name));
        each.fields.push_back(initializer);
      }
    }
    return formats::bytes_of_tree(model);
  }
};

// Results

enum class outcome { passed, refused, wrong };
struct verdict {
  outcome is = outcome::refused;
  std::string reason{};
  bool has_unknown_operators = false;  ///< the importer does not know all operators; the reason lists them
};

auto is_near(std::uint64_t type, const bytes& actual, const bytes& expected) -> bool {
  if (type != 1) return actual == expected;
  for (std::size_t i = 0; i + 4 <= expected.size(); i += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, actual.data() + i, 4);
    std::memcpy(&b, expected.data() + i, 4);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    // The tolerance of ONNX's own test runner, with an absolute part for formulas that subtract.
    if (!(std::abs(static_cast<double>(a) - static_cast<double>(b)) <= 1e-6 + 1e-3 * std::abs(static_cast<double>(b)))) return false;
  }
  return true;
}

/// True if each bfloat16 number is the expected one or the next larger in magnitude: the tests of ONNX 1.12 truncate, and `tfl.cast`
/// rounds.
auto is_rounded_or_truncated(const bytes& actual, const bytes& expected) -> bool {
  for (std::size_t i = 0; i + 2 <= expected.size(); i += 2) {
    std::uint16_t a = 0, b = 0;
    std::memcpy(&a, actual.data() + i, 2);
    std::memcpy(&b, expected.data() + i, 2);
    if (a != b && a != b + 1) return false;
  }
  return true;
}

auto reason_of(const baton::failure& why) -> std::string {
  auto reason = text_of(baton::view(why.reason));
  for (const std::string prefix : {"pass legalize: ", "pass legalize_onnx: "}) {
    if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
  }
  return reason.empty() ? text_of(baton::view(message(why))) : reason;
}

/// Imports, legalizes and runs a model.
auto run(const std::string& model, const std::map<std::string, test_tensor>& inputs, const std::vector<test_tensor>& expected) -> verdict {
  const baton::result<baton::exported_program> imported = baton::onnx::importer::read({model.data(), model.size()});
  if (!imported) return {outcome::refused, reason_of(imported.error), imported.error.is<"unsupported_operators">()};
  const baton::result<baton::exported_program> legal = baton::legalize::run(imported.value);
  if (!legal) return {outcome::refused, reason_of(legal.error)};
  const auto passed = decltype(baton::default_passes)::run(imported.value);
  const baton::result<baton::exported_program>& result = passed;
  if (!result) return {outcome::wrong, reason_of(result.error)};
  const baton::program_view program = result.value;
  bytes input, output;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind != baton::value_kind::user_input) continue;
    const auto entry = inputs.find(text_of(program.text(program[id].name)));
    if (entry == inputs.end()) return {outcome::refused, "an input has no tensor"};
    input.insert(input.end(), entry->second.data.begin(), entry->second.data.end());
  }
  const auto why = nodes::interpreter(program).run(baton::portable_kernels, input, output);
  if (!why.empty()) return {outcome::refused, why.substr(why.find(": ") == std::string::npos ? 0 : why.find(": ") + 2)};
  std::size_t at = 0, number = 0;
  for (const auto& spec : program.outputs_of(program.root())) {
    if (number == expected.size()) return {outcome::wrong, "there are more outputs than the test has"};
    const auto& tensor = expected[number++];
    const auto shape = program.shape(spec.value);
    if (!std::equal(shape.begin(), shape.end(), tensor.sizes.begin(), tensor.sizes.end())) return {outcome::wrong, "another shape"};
    if (at + tensor.data.size() > output.size()) return {outcome::wrong, "too few bytes"};
    const bytes part(output.begin() + static_cast<std::ptrdiff_t>(at),
                     output.begin() + static_cast<std::ptrdiff_t>(at + tensor.data.size()));
    const bool is_bfloat16 = program[spec.value].type == baton::dtype::bfloat16;
    const bool is_equal = is_bfloat16 ? is_rounded_or_truncated(part, tensor.data) : is_near(tensor.type, part, tensor.data);
    if (!is_equal) return {outcome::wrong, "output " + std::to_string(number - 1) + " differs"};
    at += tensor.data.size();
  }
  return {at == output.size() ? outcome::passed : outcome::wrong, "another size"};
}

/// Runs a test three times: as it is, with constants in place of all inputs but the first, and with constants alone, because weights,
/// shapes and axes of models are constants. A test passes if one run passes, and no run has wrong outputs.
auto run_test(const std::filesystem::path& folder, const test_model& model) -> verdict {
  std::map<std::string, test_tensor> inputs;
  std::map<std::string, tree_field> all, others;
  std::vector<test_tensor> outputs;
  const auto data = folder / "test_data_set_0";
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const auto& input = inputs[model.inputs[i]] = tensor_of(file(data / ("input_" + std::to_string(i) + ".pb")));
    if (input.type != model.types[i]) continue;  // bfloat16 numbers are stored as uint16
    all[model.inputs[i]] = input.message;
    if (i != 0) others[model.inputs[i]] = input.message;
  }
  for (int i = 0; std::filesystem::exists(data / ("output_" + std::to_string(i) + ".pb")); ++i) {
    outputs.push_back(tensor_of(file(data / ("output_" + std::to_string(i) + ".pb"))));
  }
  verdict best;
  for (const auto& constants : {std::map<std::string, tree_field>{}, others, all}) {
    const auto result = run(model.with_constants(constants), inputs, outputs);
    if (result.is == outcome::wrong) return result;
    if (result.is == outcome::passed) best = result;
    if (best.is != outcome::passed && constants.size() <= others.size()) best = result;
  }
  return best;
}

struct operator_row {
  int passed = 0;
  int refused = 0;
  int wrong = 0;
  std::map<std::string, int> reasons{};
};

/// Returns a text as a cell of a table.
auto cell(std::string text) -> std::string {
  for (auto& c : text) c = c == '|' || c == '\n' ? '/' : c;
  constexpr std::size_t most = 130;
  return text.size() > most ? text.substr(0, most) + "..." : text;
}

}  // namespace

auto main(int count, char** words) -> int {
  if (count < 2) return std::fprintf(stderr, "usage: %s FOLDER_OF_NODE_TESTS [TEST...]\n", words[0]), 2;
  std::set<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(words[1])) folders.insert(entry.path());
  const std::set<std::string> chosen(words + 2, words + count);
  std::map<std::string, operator_row> rows;
  operator_row all;
  std::map<std::string, int> unknown;
  for (const auto& folder : folders) {
    const auto name = folder.filename().string();
    if (!chosen.empty() && !chosen.contains(name)) continue;
    const test_model model(folder);
    if (!model.has_one_node) continue;  // functions that are written out; their operators have tests of their own
    const auto result = run_test(folder, model);
    if (!chosen.empty()) {
      std::printf("%s: %s %s\n", name.c_str(),
                  result.is == outcome::passed  ? "passed"
                  : result.is == outcome::wrong ? "WRONG"
                                                : "refused",
                  result.is == outcome::passed ? "" : result.reason.c_str());
    }
    if (result.is == outcome::wrong) std::fprintf(stderr, "wrong: %s: %s\n", name.c_str(), result.reason.c_str());
    // A body may have unknown operators, too.
    const bool is_known = !result.has_unknown_operators || !result.reason.starts_with(model.op + " (");
    if (!is_known) unknown[model.op] += 1;
    const auto reason = (result.has_unknown_operators ? "operators that the importer does not know: " : "") + result.reason;
    for (auto* const row : {&all, &rows[model.op]}) {
      row->passed += result.is == outcome::passed ? 1 : 0;
      row->refused += result.is == outcome::refused ? 1 : 0;
      row->wrong += result.is == outcome::wrong ? 1 : 0;
      if (result.is == outcome::refused) row->reasons[reason] += 1;
    }
  }
  if (!chosen.empty()) return all.wrong;
  std::printf("%d node tests of one operator: %d passed, %d refused, %d wrong.\n\n", all.passed + all.refused + all.wrong, all.passed,
              all.refused, all.wrong);
  std::printf("| operator | passed | refused | reasons |\n|---|---|---|---|\n");
  for (const auto& [op, row] : rows) {
    if (unknown.contains(op) && row.passed == 0) continue;
    std::string reasons;
    std::size_t shown = 0;
    for (const auto& [reason, times] : row.reasons) {
      if (++shown > 2) continue;
      reasons += (reasons.empty() ? "" : "; ") + cell(reason);
    }
    if (row.reasons.size() > 2) reasons += "; and others";
    std::printf("| %s | %d | %d | %s |\n", op.c_str(), row.passed, row.refused, reasons.c_str());
  }
  std::printf("\nTests of operators that the importer does not know, which it refuses:");
  const char* separator = " ";
  for (const auto& [op, times] : unknown) {
    std::printf("%s%s (%d)", separator, op.c_str(), times);
    separator = ", ";
  }
  std::printf(".\n");
  return all.wrong == 0 ? 0 : 1;
}
