// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Imported ONNX models against the messages of their files: nodes, operands, attributes and constants.
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/graph/def_use.hpp>

#include "formats/manifest.hpp"
#include "formats/onnx_case.hpp"
#include "formats/onnx_tree.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using formats::message_kind;
using formats::tree_field;

auto texts_of(const tree_field& message, std::uint32_t number) -> std::vector<std::string> {
  std::vector<std::string> texts;
  for (const auto& each : message.fields) {
    if (each.number == number) texts.push_back(each.bytes);
  }
  return texts;
}
auto reals_of(const tree_field& message, std::uint32_t number) -> std::vector<double> {
  std::vector<double> reals;
  for (const auto& text : texts_of(message, number)) {
    for (std::size_t at = 0; at + 4 <= text.size(); at += 4) {
      float real = 0;
      std::memcpy(&real, text.data() + at, 4);
      reals.push_back(static_cast<double>(real));
    }
  }
  return reals;
}

auto same_list(const auto& actual, const auto& expected) -> bool {
  return std::equal(actual.begin(), actual.end(), expected.begin(), expected.end());
}

/// Compares an attribute of a node with its message. Tensors and graphs are not compared.
void check_attribute(const program_view& program, const node& record, const tree_field& message) {
  const auto name = message.text(1);
  CAPTURE(name);
  const auto type = message.integer(20);
  if (type == 4 || type == 5) return;
  const attribute* actual = nullptr;
  for (const auto& each : program.attributes_of(record)) {
    if (program.text(each.name) == name) actual = &each;
  }
  REQUIRE(actual != nullptr);
  CHECK(actual->key == hash_of(name));
  if (type == 1) CHECK((actual->kind == attribute_kind::real && actual->real == reals_of(message, 2).at(0)));
  if (type == 2) CHECK((actual->kind == attribute_kind::integer && actual->integer == message.integers(3).at(0)));
  if (type == 3) CHECK((actual->kind == attribute_kind::text && program.text(actual->bytes) == message.text(4)));
  if (type == 6) CHECK((actual->kind == attribute_kind::reals && same_list(program.real_list(actual->list), reals_of(message, 7))));
  if (type == 7) CHECK((actual->kind == attribute_kind::integers && same_list(program.integer_list(actual->list), message.integers(8))));
  CHECK((type == 1 || type == 2 || type == 3 || type == 6 || type == 7));
}

void check_names(const program_view& program, span<const value_id> ids, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= ids.size()) CHECK(names[i] == "");  // omitted operands at the end
    if (i >= ids.size()) continue;
    CHECK((ids[i] == none<value_id>) == names[i].empty());
    if (ids[i] != none<value_id>) CHECK(program.text(program[ids[i]].name) == names[i]);
  }
  CHECK(ids.size() <= names.size());
}

void check_node(const program_view& program, const node& record, const tree_field& message) {
  const auto op = message.text(4), domain = message.text(7), name = message.text(3);
  CAPTURE(op);
  CAPTURE(name);
  CHECK(program.text(record.target) == "onnx." + (domain.empty() || domain == "ai.onnx" ? "" : domain + ".") + op);
  CHECK(record.op == hash_of(program.text(record.target)));
  if (!name.empty()) CHECK(program.text(record.name) == name);
  check_names(program, program.inputs(record), texts_of(message, 1));
  check_names(program, program.outputs_of(record), texts_of(message, 2));
  std::size_t attributes = program.find(record, "opset") != nullptr ? 1 : 0;
  for (const auto& each : message.fields) {
    if (each.kind != message_kind::attribute) continue;
    check_attribute(program, record, each);
    attributes += each.text(1) != "opset" ? 1 : 0;
  }
  CHECK(program.attributes_of(record).size() == attributes);
}

/// Compares the constant of an initializer. Elements that the file stores as varints or in another file are compared by number alone.
void check_initializer(const program_view& program, value_id id, const tree_field& message) {
  static const std::map<std::uint64_t, dtype> types = {{1, dtype::float32}, {2, dtype::uint8}, {3, dtype::int8},
                                                       {6, dtype::int32},   {7, dtype::int64}, {9, dtype::boolean}};
  CAPTURE(message.text(8));
  CHECK(program[id].type == types.at(message.integer(2)));
  CHECK(same_list(program.shape(id), message.integers(1)));
  const auto data = program.data(program[id].data);
  CHECK(static_cast<std::int64_t>(data.size()) == byte_count(program[id].type, program.shape(id)));
  if (message.has(9)) CHECK(std::string_view{data.data(), data.size()} == message.text(9));
  if (message.has(4)) CHECK(std::string_view{data.data(), data.size()} == message.text(4));
}

void check_contents(const formats::onnx_case& model) {
  const auto imported = model.read();
  REQUIRE(imported);
  const program_view program = imported.value;
  auto file = formats::read_tree({model.model().data(), model.model().size()});
  const auto stated = model.manifest().substr(model.manifest().find("\"onnx\": {"));
  std::size_t nodes = 0;
  formats::for_each_message(file, message_kind::node, [&](const tree_field&) { ++nodes; });
  CHECK(static_cast<double>(nodes) == formats::number_at(stated, "nodes", -1));

  std::map<std::string_view, value_id> values;
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    if (program.values[v].graph == graph_id{0}) values.emplace(program.text(program.values[v].name), value_id{v});
  }
  const auto producers = producers_of(program, program.root());
  std::size_t compared = 0;
  bool has_bodies = false;
  for (const auto& graph : file.fields) {
    if (graph.kind != message_kind::graph) continue;
    for (const auto& each : graph.fields) {
      if (each.kind == message_kind::tensor) {
        const auto entry = values.find(each.text(8));
        if (entry != values.end()) check_initializer(program, entry->second, each);
      }
      const auto op = each.text(4);
      const bool has_body = op == "If" || op == "Loop" || op == "Scan";
      has_bodies = has_bodies || has_body;
      if (each.kind != message_kind::node || op == "Constant" || has_body) continue;
      const auto output = values.find(each.text(2));
      REQUIRE(output != values.end());
      const auto producer = producers[index(output->second)];
      REQUIRE(producer != none<node_id>);
      check_node(program, program[producer], each);
      ++compared;
    }
  }
  if (!has_bodies) CHECK(compared == program.nodes.size());
}

}  // namespace

TEST_CASE("onnx: imported nodes, attributes and constants are those of the file" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    check_contents(model);
  }
}
