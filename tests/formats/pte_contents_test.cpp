// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Imported ExecuTorch programs against the contents of their files: nodes, operands, attributes, constants, delegates and states. Also the
// damaged files.
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include "formats/damaged_files.hpp"
#include "formats/manifest.hpp"
#include "formats/pte_case.hpp"
#include "laws/importer.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using formats::items_of;
using formats::json_at;
using formats::number_at;
using formats::unquoted;

using json = std::string_view;

auto integers_of(json list) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> numbers;
  for (const auto item : items_of(list)) numbers.push_back(std::stoll(std::string(item)));
  return numbers;
}
auto same_list(const auto& actual, const auto& expected) -> bool {
  return std::equal(actual.begin(), actual.end(), expected.begin(), expected.end());
}
auto type_of(json value) -> json { return value.starts_with('{') ? unquoted(json_at(value, "t")) : json{}; }
auto is_tensor(json value) -> bool { return type_of(value) == "Tensor"; }
auto is_constant(json value) -> bool {
  const bool has_data = value.find("data_buffer_idx") != json::npos || value.find("EXTERNAL") != json::npos;
  return is_tensor(value) && has_data && json_at(value, "memory").empty();
}

/// The contents of one method.
struct method_contents {
  method_contents(const formats::pte_case& from, std::string_view method)
      : model(from),
        text(json_at(json_at(from.contents(), "methods"), std::string(method))),
        values(items_of(json_at(text, "values"))),
        instructions(items_of(json_at(text, "instructions"))) {
    for (auto& each : values) {
      while (each.back() == '\n' || each.back() == ' ') each.remove_suffix(1);
    }
  }

  const formats::pte_case& model;
  json text;
  std::vector<json> values, instructions;
};

/// Compares the type of a value, and the bytes of a constant.
void check_value(const method_contents& in, const program_view& program, value_id id, json stated) {
  static const std::map<std::string_view, dtype> types = {{"FLOAT", dtype::float32},  {"CHAR", dtype::int8},  {"BYTE", dtype::uint8},
                                                          {"INT", dtype::int32},      {"LONG", dtype::int64}, {"BOOL", dtype::boolean},
                                                          {"DOUBLE", dtype::float64}, {"SHORT", dtype::int16}};
  CAPTURE(stated);
  REQUIRE(id != none<value_id>);
  const auto sizes = integers_of(json_at(stated, "sizes"));
  std::vector<std::int64_t> stored;
  for (const auto d : integers_of(json_at(stated, "dim_order"))) stored.push_back(sizes.at(static_cast<std::size_t>(d)));
  CHECK(program[id].type == types.at(unquoted(json_at(stated, "dtype"))));
  CHECK(same_list(program.shape(id), stored));
  if (!is_constant(stated) || stated.find("EXTERNAL") != json::npos) return;
  const auto data = program.data(program[id].data);
  CHECK(static_cast<std::int64_t>(data.size()) == byte_count(program[id].type, program.shape(id)));
  const auto constants = json_at(in.model.contents(), "constants");
  const auto segment = items_of(json_at(in.model.contents(), "segments")).at(static_cast<std::size_t>(number_at(constants, "segment", 0)));
  const auto offset = integers_of(json_at(constants, "offsets")).at(static_cast<std::size_t>(number_at(stated, "data_buffer_idx", 0)));
  CHECK(data.data() == in.model.model().data() + static_cast<std::int64_t>(number_at(segment, "offset", 0)) + offset);
}

void check_literal(const method_contents& in, const program_view& program, const node& record, std::size_t position, json stated) {
  const auto name = "arg_" + std::to_string(position);
  CAPTURE(name);
  const attribute* actual = nullptr;
  for (const auto& each : program.attributes_of(record)) {
    if (program.text(each.name) == name) actual = &each;
  }
  REQUIRE(actual != nullptr);
  CHECK(actual->key == hash_of(name));
  const auto type = type_of(stated);
  if (type == "Double") {
    CHECK(actual->kind == attribute_kind::real);
    const auto real = json_at(stated, "v");
    CHECK(actual->real == (real.find("-inf") != json::npos ? -HUGE_VAL : number_at(stated, "v", -1)));
  } else if (type == "String") {
    CHECK(actual->kind == attribute_kind::text);
  } else if (type == "IntList") {
    std::vector<std::int64_t> numbers;
    for (const auto item : integers_of(json_at(stated, "items")))
      numbers.push_back(std::stoll(std::string(in.values.at(static_cast<std::size_t>(item)))));
    CHECK(same_list(program.integer_list(actual->list), numbers));
  } else {
    const auto number = stated == "true" ? 1 : stated == "false" ? 0 : std::stoll(std::string(stated));
    CHECK((actual->kind == attribute_kind::integer && actual->integer == number));
  }
}

/// Compares a kernel call with its node. Outputs are the last arguments, without the repetition of their memory.
void check_call(const method_contents& in, const program_view& program, const node& record, json name,
                const std::vector<std::int64_t>& list) {
  std::string target(name);
  target.replace(target.find("::"), 2, ".");
  CHECK(program.text(record.target) == target);
  CHECK(record.op == hash_of(target));
  const auto value = [&](std::size_t position) { return in.values.at(static_cast<std::size_t>(list.at(position))); };
  const auto outputs = program.outputs_of(record);
  const auto last = value(list.size() - 1);
  std::size_t inputs = list.size() - 2;
  if (type_of(last) == "TensorList") {
    const auto items = integers_of(json_at(last, "items"));
    inputs = list.size() - 1 - (type_of(value(list.size() - 2)) == "TensorList" ? 1 : items.size());
    REQUIRE(outputs.size() == items.size());
    for (std::size_t i = 0; i < items.size(); ++i) check_value(in, program, outputs[i], in.values.at(static_cast<std::size_t>(items[i])));
  } else {
    REQUIRE(outputs.size() == 1);
    check_value(in, program, outputs[0], last);
  }
  const auto operands = program.inputs(record);
  std::size_t next = 0;
  std::size_t attributes = 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto stated = value(i);
    const bool is_scratch = is_tensor(stated) && stated.find("\"BYTE\"") != json::npos && record.op != hash_of("aten.embedding.out");
    if (is_scratch) continue;
    if (stated == "null") {
      if (next < operands.size()) CHECK(operands[next] == none<value_id>);
      ++next;
    } else if (is_tensor(stated)) {
      REQUIRE(next < operands.size());
      check_value(in, program, operands[next++], stated);
    } else if (type_of(stated) == "OptionalTensorList" || type_of(stated) == "TensorList") {
      for (const auto item : integers_of(json_at(stated, "items")))
        check_value(in, program, operands[next++], in.values.at(static_cast<std::size_t>(item)));
      ++attributes;
    } else {
      check_literal(in, program, record, i, stated);
      ++attributes;
    }
  }
  CHECK(operands.size() <= next);
  if (program.find(record, "dim_orders") != nullptr) ++attributes;
  CHECK(program.attributes_of(record).size() == attributes);
}

void check_delegate(const method_contents& in, const program_view& program, const node& record, std::size_t number, std::size_t arguments) {
  const auto stated = items_of(json_at(in.text, "delegates")).at(number);
  const auto& module = program[record.delegate];
  CHECK(program.text(module.backend_id) == unquoted(json_at(stated, "id")));
  const auto bytes = program.data(module.processed_bytes);
  CHECK(static_cast<double>(bytes.size()) == number_at(stated, "bytes", -1));
  if (!bytes.empty()) CHECK(bytes.data() - in.model.model().data() == static_cast<std::ptrdiff_t>(number_at(stated, "offset", -1)));
  CHECK(module.compile_specs.size == items_of(json_at(stated, "compile_specs")).size());
  CHECK(program.inputs(record).size() + program.outputs_of(record).size() == arguments);
  // The texts of ExecuTorch's demo backends are not decoded.
  CHECK((program.find(record, "decoded") != nullptr) == (program.text(module.backend_id).find("BackendWith") == std::string_view::npos));
  CHECK(module.named_data.size >= items_of(json_at(in.model.contents(), "named_data")).size());
}

/// True if the importer creates no node for a kernel call, because it is part of a loop, or a copy.
auto is_folded(json name) -> bool {
  return name.starts_with("executorch_prim::") || name == "aten::sym_size.int" || name == "aten::copy_" ||
         name == "aten::select_copy.int_out";
}

void check_method(const formats::pte_case& model, std::string_view method) {
  CAPTURE(method);
  const auto imported = model.read(method);
  REQUIRE(imported);
  const program_view program = imported.value;
  const method_contents in(model, method);
  std::map<std::uint32_t, const node*> nodes;
  const auto modules = modules_of_graphs(program);  // their nodes are not instructions of this method
  for (std::size_t g = 0; g < modules.size(); ++g) {
    if (modules[g] != none<delegate_id>) continue;
    for (const auto& each : program.nodes_of(program.graphs[g])) CHECK(nodes.emplace(each.debug_handle, &each).second);
  }
  for (std::size_t i = 0; i < in.instructions.size(); ++i) {
    CAPTURE(i);
    const auto parts = items_of(in.instructions[i]);
    const auto kind = unquoted(parts.at(0));
    const auto entry = nodes.find(static_cast<std::uint32_t>(i + 1));
    if (kind == "kernel" && !is_folded(unquoted(parts.at(1)))) {
      REQUIRE(entry != nodes.end());
      check_call(in, program, *entry->second, unquoted(parts.at(1)), integers_of(parts.at(2)));
    } else if (kind == "delegate") {
      REQUIRE(entry != nodes.end());
      check_delegate(in, program, *entry->second, static_cast<std::size_t>(std::stoll(std::string(parts.at(1)))),
                     integers_of(parts.at(2)).size());
    }
  }
  std::size_t states = 0, mutations = 0;
  for (const auto input : program.inputs(program.root())) states += program[input].kind == value_kind::mutable_buffer ? 1 : 0;
  for (const auto& spec : program.outputs_of(program.root())) mutations += spec.kind == output_kind::buffer_mutation ? 1 : 0;
  std::size_t named = 0;
  for (const auto value : in.values) named += value.find("fully_qualified_name") != json::npos && !is_constant(value) ? 1 : 0;
  CHECK(states >= named);  // a state may have no name
  CHECK(mutations <= states);
  CHECK(program.outputs_of(program.root()).size() - mutations == integers_of(json_at(in.text, "outputs")).size());
}

}  // namespace

TEST_CASE("pte: imported nodes, attributes, constants and delegates are those of the file" * tests::needs_shared("formats")) {
  for (const auto& model : formats::pte_cases()) {
    CAPTURE(model.name());
    const auto methods = pte::importer::entry_points(model.model());
    CHECK(laws::importer::all<pte::importer>(model.model()));
    CHECK(methods.size() == items_of(json_at(model.contents(), "methods")).size());
    for (const auto& method : methods) check_method(model, method.name);
  }
}

TEST_CASE("pte: damaged files are refused with the damaged record" * tests::needs_shared("formats/damaged")) {
  const std::map<std::string, std::string_view> reasons = {
      {"pte_buffer_index_outside", "value 0 is constant 900, but the number of constants is 9"},
      {"pte_constant_offset_outside", "value 1 is at byte 1048576 of its segment, 128 bytes long; the segment has 2804 bytes"},
      {"pte_delegate_segment_outside", "the delegate of instruction 0 is in segment 77, but the number of segments is 8"},
      {"pte_jump_outside", "instruction 2 jumps to an instruction that does not exist; the number of instructions is 15"},
      {"pte_root_outside", "the root table cannot be read"},
      {"pte_segment_size_overflow",
       "value 0 is in segment 0, which begins 0 bytes after byte 3712 and ends outside the file of 6516 bytes"},
      {"pte_truncated_flatbuffer", "the header states a program of 3656 bytes; the file has 1629 bytes"},
      {"pte_truncated_segment", "the header states segments at byte 3712, 2804 bytes long; the file has 5816 bytes"},
      {"pte_value_index_outside", "argument 0 of instruction 0 is value 60000, but the number of values is 42"},
      {"pte_values_length_huge", "the values or the instructions of method forward cannot be read"},
      {"pte_vtable_outside", "the root table cannot be read"},
      {"pte_wrong_identifier", "ExecuTorch programs have the identifier ET12 at byte 4"}};
  formats::check_damaged_files(".pte", reasons, [](const auto& bytes) {
    const auto why = pte::try_read_bytes(bytes).error;
    CHECK((pte::importer::planned_bytes(bytes) || why));  // the sizes of the memories may be intact
    return why;
  });
}
