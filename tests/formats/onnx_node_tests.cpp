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

auto file(const std::filesystem::path& path) -> bytes {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
auto text_of(std::string_view text) -> std::string { return std::string(text); }

// Protocol buffers

/// A field of a message: its number, and its integer or its bytes.
struct field {
  std::uint64_t number = 0;
  std::uint64_t integer = 0;
  std::string_view content{};
  std::string_view whole{};  ///< with the tag
};
auto varint(std::string_view& in) -> std::uint64_t {
  std::uint64_t result = 0;
  for (int shift = 0; !in.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(in[0]);
    in.remove_prefix(1);
    result |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  return result;
}
void append_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}
void append_message(std::string& out, std::uint64_t number, std::string_view content) {
  append_varint(out, number << 3 | 2);
  append_varint(out, content.size());
  out += content;
}
auto fields(std::string_view in) -> std::vector<field> {
  std::vector<field> result;
  while (!in.empty()) {
    const auto* const begin = in.data();
    const auto tag = varint(in);
    field next{tag >> 3};
    const auto kind = tag & 7;
    const auto size = kind == 0 ? 0 : kind == 1 ? 8 : kind == 5 ? 4 : varint(in);
    if (kind == 0) next.integer = varint(in);
    next.content = in.substr(0, size);
    in.remove_prefix(next.content.size());
    next.whole = {begin, static_cast<std::size_t>(in.data() - begin)};
    result.push_back(next);
  }
  return result;
}

/// A tensor of a test: its elements as a program stores them.
struct test_tensor {
  std::vector<std::int64_t> sizes;
  std::uint64_t type = 0;
  bytes data;
};
auto width_of(std::uint64_t type) -> std::size_t {
  constexpr std::size_t widths[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return type < std::size(widths) ? widths[type] : 0;
}
auto tensor_of(std::string_view message) -> test_tensor {
  test_tensor result;
  std::vector<std::uint64_t> numbers;
  const auto all = fields(message);
  for (const auto& f : all) {
    if (f.number == 2) result.type = f.integer;
  }
  const auto add = [&](auto& list, const field& f) {
    auto packed = f.content;
    if (packed.empty()) list.push_back(static_cast<std::int64_t>(f.integer));
    while (!packed.empty()) list.push_back(static_cast<std::int64_t>(varint(packed)));
  };
  std::vector<std::int64_t> integers;
  for (const auto& f : all) {
    if (f.number == 1) add(result.sizes, f);
    if (f.number == 9 || f.number == 4 || f.number == 10) result.data.insert(result.data.end(), f.content.begin(), f.content.end());
    if (f.number == 5 || f.number == 7 || f.number == 11) add(integers, f);
  }
  for (const auto number : integers) {
    const auto* const at = reinterpret_cast<const char*>(&number);
    result.data.insert(result.data.end(), at, at + width_of(result.type));
  }
  return result;
}

/// A model of a test, with the names of its inputs and the operator of its only node.
struct test_model {
  bytes content;
  std::vector<std::string> inputs;
  std::vector<std::uint64_t> types;  ///< of the elements of each input
  std::string op;
  bool has_one_node = false;

  explicit test_model(const std::filesystem::path& folder) : content(file(folder / "model.onnx")) {
    std::size_t nodes = 0;
    for (const auto& part : fields(view())) {
      if (part.number != 7) continue;
      for (const auto& f : fields(part.content)) {
        if (f.number == 1) {
          ++nodes;
          for (const auto& n : fields(f.content)) {
            if (n.number == 4) op = n.content;
          }
        }
        if (f.number != 11) continue;
        types.push_back(0);
        for (const auto& n : fields(f.content)) {
          if (n.number == 1) inputs.push_back(text_of(n.content));
          if (n.number == 2) types.back() = element_type_of(n.content);
        }
      }
    }
    has_one_node = nodes == 1;
  }
  /// Returns the type of the elements of a tensor, or 0 if the type is another one.
  static auto element_type_of(std::string_view type) -> std::uint64_t {
    for (const auto& f : fields(type)) {
      if (f.number != 1) continue;
      for (const auto& n : fields(f.content)) {
        if (n.number == 1) return n.integer;
      }
    }
    return 0;
  }
  auto view() const -> std::string_view { return {content.data(), content.size()}; }

  /// Returns an operator set with the oldest version that the importer reads. The operators of older tests have the same meaning in it.
  static auto raised_version(std::string_view set) -> std::string {
    constexpr std::uint64_t oldest = 11;
    std::string result;
    std::uint64_t version = 0;
    bool is_standard = true;
    for (const auto& f : fields(set)) {
      if (f.number == 1) is_standard = f.content.empty() || f.content == "ai.onnx";
      if (f.number == 2) version = f.integer;
      if (f.number != 2) result += f.whole;
    }
    append_varint(result, 2 << 3);
    append_varint(result, is_standard ? std::max(version, oldest) : version);
    return result;
  }
  /// Returns the model with constants in place of the inputs in `constants`, by name.
  auto with_constants(const std::map<std::string, bytes>& constants) const -> bytes {
    std::string result;
    for (const auto& part : fields(view())) {
      if (part.number == 8) {
        append_message(result, 8, raised_version(part.content));
        continue;
      }
      if (part.number != 7) {
        result += part.whole;
        continue;
      }
      std::string graph;
      for (const auto& f : fields(part.content)) {
        bool is_constant = false;
        for (const auto& n : fields(f.content))
          is_constant = is_constant || (f.number == 11 && n.number == 1 && constants.contains(text_of(n.content)));
        if (!is_constant) graph += f.whole;
      }
      for (const auto& [name, tensor] : constants) {
        std::string message;
        for (const auto& f : fields({tensor.data(), tensor.size()})) message += f.number == 8 ? std::string_view{} : f.whole;
        append_message(message, 8, name);
        append_message(graph, 5, message);
      }
      append_message(result, 7, graph);
    }
    return {result.begin(), result.end()};
  }
};

// Results

enum class outcome { passed, refused, wrong };
struct verdict {
  outcome is = outcome::refused;
  std::string reason{};
  bool is_known = true;  ///< the importer knows the operator
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

auto reason_of(const baton::failure& why) -> std::string {
  auto reason = text_of(baton::view(why.reason));
  for (const std::string prefix : {"pass legalize: ", "pass legalize_onnx: "}) {
    if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
  }
  return reason.empty() ? text_of(baton::view(message(why))) : reason;
}

/// Imports, legalizes and runs a model.
auto run(const bytes& model, const std::map<std::string, test_tensor>& inputs, const std::vector<test_tensor>& expected) -> verdict {
  const baton::result<baton::exported_program> imported = baton::onnx::importer::read({model.data(), model.size()});
  if (!imported) return {outcome::refused, reason_of(imported.error), !imported.error.is<"unsupported_operators">()};
  const baton::result<baton::exported_program> legal = baton::legalize::run(imported.value);
  if (!legal) return {outcome::refused, reason_of(legal.error)};
  const auto passed = decltype(baton::default_passes)::run(imported.value);
  const baton::result<baton::exported_program>& result = passed;
  if (!result) return {outcome::wrong, reason_of(result.error)};
  const baton::program_view program = result.value;
  bytes input, output;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind != baton::value_kind::user_input) continue;
    const auto found = inputs.find(text_of(program.text(program[id].name)));
    if (found == inputs.end()) return {outcome::refused, "an input has no tensor"};
    input.insert(input.end(), found->second.data.begin(), found->second.data.end());
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
    if (!is_near(tensor.type, part, tensor.data)) return {outcome::wrong, "output " + std::to_string(number - 1) + " differs"};
    at += tensor.data.size();
  }
  return {at == output.size() ? outcome::passed : outcome::wrong, "another size"};
}

/// Runs a test: as it is, with constants in place of all inputs but the first, and with constants alone. Weights, shapes and axes of
/// models are constants. A test passes if one of these does, and none is wrong.
auto run_test(const std::filesystem::path& folder, const test_model& model) -> verdict {
  std::map<std::string, test_tensor> inputs;
  std::map<std::string, bytes> all, others;
  std::vector<test_tensor> outputs;
  const auto data = folder / "test_data_set_0";
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const auto content = file(data / ("input_" + std::to_string(i) + ".pb"));
    inputs[model.inputs[i]] = tensor_of({content.data(), content.size()});
    if (inputs[model.inputs[i]].type != model.types[i]) continue;  // bfloat16 numbers are stored as uint16
    all[model.inputs[i]] = content;
    if (i != 0) others[model.inputs[i]] = content;
  }
  for (int i = 0; std::filesystem::exists(data / ("output_" + std::to_string(i) + ".pb")); ++i) {
    const auto content = file(data / ("output_" + std::to_string(i) + ".pb"));
    outputs.push_back(tensor_of({content.data(), content.size()}));
  }
  verdict best;
  for (const auto& constants : {std::map<std::string, bytes>{}, others, all}) {
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
    if (!result.is_known) unknown[model.op] += 1;
    for (auto* const row : {&all, &rows[model.op]}) {
      row->passed += result.is == outcome::passed ? 1 : 0;
      row->refused += result.is == outcome::refused ? 1 : 0;
      row->wrong += result.is == outcome::wrong ? 1 : 0;
      if (result.is == outcome::refused) row->reasons[result.reason] += 1;
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
