// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Imported archives of torch.export against the contents of their files: nodes, operands, attributes, types, weights and states. Also the
// damaged files.
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/pt2_source_lines.hpp>
#include <baton/import/source_line.hpp>

#include "formats/damaged_files.hpp"
#include "formats/json_tree.hpp"
#include "formats/manifest.hpp"
#include "formats/pt2_case.hpp"
#include "formats/zip_records.hpp"
#include "laws/importer.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using formats::json_tree;

/// Maps the names of one graph to values of the program, also after in-place operators.
class names {
 public:
  auto operator[](const std::string& name) const -> std::string {
    const auto alias = alias_.find(name);
    const auto current = current_.find(alias == alias_.end() ? name : alias->second);
    return current == current_.end() ? name : current->second;
  }
  void write(const std::string& operand, const std::string& output) {
    const auto alias = alias_.find(operand);
    const auto base = alias == alias_.end() ? operand : alias->second;
    alias_[output] = base;
    current_[base] = output;
  }

 private:
  std::map<std::string, std::string> alias_, current_;
};

auto name_in(const json_tree& argument) -> const std::string& { return argument.at("as_tensor").at("name").value; }
auto type_number(dtype type) -> long long {
  static const std::map<dtype, long long> numbers = {{dtype::uint8, 1}, {dtype::int8, 2},    {dtype::int16, 3},   {dtype::int32, 4},
                                                     {dtype::int64, 5}, {dtype::float32, 7}, {dtype::float64, 8}, {dtype::boolean, 12}};
  return numbers.at(type);
}

struct program_check {
  const program_view program;
  const json_tree& contents;
  baton::span<const char> file;
  std::map<std::string, std::pair<std::size_t, std::size_t>> records;  ///< offset and size
  baton::vector<baton::source_line> lines{};
  std::size_t graphs = 0;
  std::uint32_t next_handle = 1;

  void check_type(value_id id, const json_tree& values) const {
    const auto& record = program[id];
    const auto& stated = values.at(std::string(program.text(record.name)));
    CHECK(type_number(record.type) == stated.at("dtype").number());
    const auto shape = program.shape(id);
    const auto& sizes = stated.at("sizes").items;
    REQUIRE(shape.size() == sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (const auto* size = sizes[i].find("as_int"))
        CHECK(shape[i] == size->number());
      else
        CHECK(shape[i] == 1);  // the batch
    }
  }

  void check_attribute(const node& record, const std::string& name, const json_tree& argument) const {
    CAPTURE(name);
    const attribute* actual = nullptr;
    for (const auto& each : program.attributes_of(record)) {
      if (program.text(each.name) == name) actual = &each;
    }
    REQUIRE(actual != nullptr);
    CHECK(actual->key == hash_of(name));
    if (const auto* number = argument.find("as_int")) {
      CHECK((actual->kind == attribute_kind::integer && actual->integer == number->number()));
    } else if (const auto* type = argument.find("as_scalar_type")) {
      CHECK((actual->kind == attribute_kind::integer && actual->integer + 1 == type->number()));
    } else if (const auto* boolean = argument.find("as_bool")) {
      CHECK((actual->kind == attribute_kind::integer && actual->integer == (boolean->value == "true" ? 1 : 0)));
    } else if (const auto* real = argument.find("as_float")) {
      CHECK((actual->kind == attribute_kind::real && actual->real == std::stod(real->value)));
    } else {
      const auto& items = argument.at("as_ints").items;
      const auto list = program.integer_list(actual->list);
      REQUIRE(list.size() == items.size());
      for (std::size_t i = 0; i < items.size(); ++i) CHECK(list[i] == items[i].number());
    }
  }

  static void check_line(const baton::source_line& line, const json_tree& metadata) {
    const auto* const trace = metadata.find("stack_trace");
    CHECK((trace == nullptr) == line.file.empty());
    if (trace == nullptr) return;
    CHECK(trace->value.find("line " + std::to_string(line.number) + ", in " + std::string(view(line.function))) != std::string::npos);
    CHECK(view(line.file).find("torch/") == std::string_view::npos);
    CHECK(!line.text.empty());
  }
  void check_node(const node& record, const json_tree& stated, const json_tree& values, names& current) {
    CAPTURE(stated.at("name").value);
    auto target = stated.at("target").value;
    target.erase(0, std::string_view("torch.ops.").size());
    const bool is_control_flow = target.starts_with("higher_order.");
    const auto dot = target.rfind('.');
    const bool is_in_place = target[dot - 1] == '_';
    if (is_in_place) target.erase(dot - 1, 1);
    if (target == "higher_order.map_impl") target = "map";
    if (is_control_flow && target != "map") target.erase(0, std::string_view("higher_order.").size());
    CHECK(program.text(record.target) == target);
    CHECK(record.op == hash_of(target));
    CHECK(program.text(record.name) == stated.at("name").value);
    CHECK(record.debug_handle == next_handle++);
    check_line(lines[static_cast<std::size_t>(record.debug_handle) - 1], stated.at("metadata"));
    const auto operands = program.inputs(record);
    std::size_t next = 0, position = 0, attributes = 0;
    const auto check_operand = [&](const std::string& name) {
      REQUIRE(next < operands.size());
      CHECK(program.text(program[operands[next++]].name) == current[name]);
    };
    bool has_lists = false;
    for (const auto& input : stated.at("inputs").items) {
      const auto& argument = input.at("arg");
      if (argument.find("as_tensor") != nullptr) {
        check_operand(name_in(argument));
      } else if (const auto* list = argument.find("as_tensors")) {
        for (const auto& each : list->items) check_operand(each.at("name").value);
        has_lists = has_lists || !is_control_flow;
      } else if (argument.find("as_none") != nullptr) {
        if (next < operands.size()) CHECK(operands[next] == none<value_id>);
        ++next;
      } else if (argument.find("as_graph") == nullptr && argument.find("as_device") == nullptr) {
        const bool is_pin = input.at("name").value == "pin_memory";  // the only keyword argument of the files
        check_attribute(record, "arg_" + std::to_string(is_pin ? 4 : position), argument);
        ++attributes;
      }
      ++position;
    }
    CHECK(operands.size() <= next);
    if (!is_control_flow) CHECK(program.attributes_of(record).size() == attributes + (has_lists ? 1 : 0));
    if (is_in_place) current.write(name_in(stated.at("inputs").items[0].at("arg")), name_in(stated.at("outputs").items[0]));
    std::vector<std::string> outputs;
    for (const auto& output : stated.at("outputs").items) {
      if (const auto* list = output.find("as_tensors")) {
        for (const auto& each : list->items) outputs.push_back(each.at("name").value);
      } else {
        outputs.push_back(name_in(output));
      }
    }
    const auto results = program.outputs_of(record);
    REQUIRE(results.size() == outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      CHECK(program.text(program[results[i]].name) == outputs[i]);
      check_type(results[i], values);
    }
  }

  /// Checks a graph, and then the graphs of its nodes: debug handles count the nodes in this order.
  void check_graph(const graph& g, const json_tree& stated) {
    ++graphs;
    names current;
    const auto& values = stated.at("tensor_values");
    const auto nodes = program.nodes_of(g);
    const auto& items = stated.at("nodes").items;
    REQUIRE(nodes.size() == items.size());
    for (std::size_t i = 0; i < items.size(); ++i) check_node(nodes[i], items[i], values, current);
    for (const auto id : program.inputs(g)) {
      check_type(id, values);
      if (is_owned_data(program[id].kind)) check_data(id);
    }
    std::vector<output_spec> results;
    for (const auto& spec : program.outputs_of(g)) {
      if (spec.kind == output_kind::user_output || g.name.outside != program.root().name.outside) results.push_back(spec);
    }
    const auto& outputs = stated.at("outputs").items;
    const auto mutations = outputs.size() - results.size();
    for (std::size_t i = mutations; i < outputs.size(); ++i)
      CHECK(program.text(program[results[i - mutations].value].name) == current[name_in(outputs[i])]);
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::size_t inner = 0;
      for (const auto& input : items[i].at("inputs").items) {
        if (const auto* nested = input.at("arg").find("as_graph"))
          check_graph(program[program.subgraphs_of(nodes[i])[inner++]], nested->at("graph"));
      }
    }
  }

  /// Compares the bytes of owned data with those of the record, element by element.
  void check_data(value_id id) const {
    const std::string target(program.text(program[id].target));
    CAPTURE(target);
    const auto& facts = contents.at(target);
    const auto [offset, size] = records.at(facts.at("path_name").value);
    const auto& meta = facts.at("tensor_meta");
    const auto width = static_cast<std::size_t>(baton::facts(program[id].type).bits / 8);
    const auto data = program.data(program[id].data);
    const auto shape = program.shape(id);
    REQUIRE(static_cast<std::int64_t>(data.size()) == byte_count(program[id].type, shape));
    std::vector<std::size_t> at(shape.size());
    bool is_equal = true;
    for (std::size_t element = 0; element * width < data.size(); ++element) {
      auto from = static_cast<std::size_t>(meta.at("storage_offset").at("as_int").number());
      for (std::size_t d = 0; d < shape.size(); ++d)
        from += at[d] * static_cast<std::size_t>(meta.at("strides").items[d].at("as_int").number());
      is_equal = is_equal && (from + 1) * width <= size &&
                 std::equal(&data[element * width], &data[element * width] + width, &file[offset + from * width]);
      for (auto d = shape.size(); d-- > 0 && ++at[d] == static_cast<std::size_t>(shape[d]);) at[d] = 0;
    }
    CHECK(is_equal);
  }
};

void check_program(const formats::pt2_case& model, std::string_view name) {
  CAPTURE(name);
  const auto imported = model.read(name);
  REQUIRE(imported);
  const auto records = formats::zip_records_of(model.model());
  const auto text = [&](const char* folder, const std::string& ending) {
    for (const auto& record : records) {
      if (record.name.ends_with("/" + (folder + std::string(name)) + ending)) return formats::json_tree_of(record.bytes);
    }
    throw std::out_of_range(ending);
  };
  auto contents = text("data/weights/", "_weights_config.json").at("config");
  const auto constants = text("data/constants/", "_constants_config.json").at("config");
  for (const auto& each : constants.items) contents.items.push_back(each);
  program_check check{imported.value, contents, model.model(), {}};
  for (const auto record : formats::items_of(formats::json_at(model.manifest(), "records"))) {
    const std::string path(formats::unquoted(formats::json_at(record, "name")));
    check.records[path.substr(path.rfind('/') + 1)] = {static_cast<std::size_t>(formats::number_at(record, "offset", -1)),
                                                       static_cast<std::size_t>(formats::number_at(record, "bytes", -1))};
  }
  const auto lines = pt2::source_lines_of(model.model(), name);
  REQUIRE(lines);
  REQUIRE(lines.value.size() == check.program.nodes.size());
  check.lines = lines.value;
  const auto stated = text("models/", ".json").at("graph_module");
  check.check_graph(check.program.root(), stated.at("graph"));
  CHECK(check.graphs == check.program.graphs.size());
  CHECK(check.next_handle == check.program.nodes.size() + 1);
  std::size_t states = 0, mutations = 0;
  for (const auto id : check.program.inputs(check.program.root())) states += check.program[id].kind == value_kind::mutable_buffer ? 1 : 0;
  for (const auto& spec : check.program.outputs_of(check.program.root())) mutations += spec.kind == output_kind::buffer_mutation ? 1 : 0;
  CHECK(states == mutations);
  if (model.name().starts_with("pt2_counter")) CHECK(states == 3);
}

}  // namespace

TEST_CASE("pt2: imported nodes, attributes, types and weights are those of the file" * tests::needs_shared("formats")) {
  for (const auto& model : formats::pt2_cases()) {
    CAPTURE(model.name());
    CHECK(laws::importer::result_is_valid<pt2::importer>(model.model()));
    CHECK(laws::importer::is_deterministic<pt2::importer>(model.model()));
    if (model.name() != "pt2_odd_weights_fp32") CHECK(laws::importer::data_are_views<pt2::importer>(model.model()));
    const auto programs = pt2::importer::entry_points(model.model());
    CHECK(programs.size() == (model.name() == "pt2_two_methods_package" ? 2 : 1));
    for (const auto& each : programs) check_program(model, each.name);
  }
}

TEST_CASE("pt2: a symbolic batch has the size of the option" * tests::needs_shared("formats")) {
  for (const auto& model : formats::pt2_cases()) {
    if (model.name() != "pt2_autoencoder_dyn_dynamic") continue;
    const std::int64_t sizes[] = {5, 64}, too_large[] = {33, 64};
    const pt2::read_options::bound_shape five[] = {{"x", sizes}}, large[] = {{"x", too_large}};
    const auto imported = model.read({}, five);
    REQUIRE(imported);
    CHECK(imported.value.shape(imported.value.outputs[0].value)[0] == 5);
    CHECK(view(model.read({}, large).error.reason) == "the range of symbol s77 is 1 to 32; its size cannot be 33");
  }
}

TEST_CASE("pt2: damaged files are refused with the damaged record" * tests::needs_shared("formats/damaged")) {
  const std::map<std::string, std::string_view> reasons = {
      {"pt2_cycle", "node tanh reads value linear_2, which no earlier node defines"},
      {"pt2_deflated", "record model/data/weights/weight_0 is compressed (method 8); store it uncompressed, as torch.export.save does"},
      {"pt2_duplicate_value", "node add defines value tanh, which is already defined"},
      {"pt2_json_cut", "record model/models/model.json ends in the middle of a value, at its byte 8524"},
      {"pt2_json_deep", "record model/models/model.json is nested deeper than 100 levels at its byte 107"},
      {"pt2_legacy_layout",
       "the archive has the record serialized_exported_program.json, the layout of torch before 2.8; save it again with a newer torch"},
      {"pt2_local_offset_outside", "record model/data/weights/weight_1 has no local header at byte 24763; the records end at byte 20645"},
      {"pt2_missing_weight", "the archive has no record data/weights/weight_2 for tensor l.1.weight"},
      {"pt2_schema_major_9", "record model/models/model.json has version 9 of the schema; the importer reads version 8"},
      {"pt2_short_weight",
       "tensor l.0.weight of 144 bytes, from element 0, is not inside record model/data/weights/weight_0 of the archive, which has 140 "
       "bytes"},
      {"pt2_storage_offset_outside",
       "tensor l.0.bias of 24 bytes, from element 1000000, is not inside record model/data/weights/weight_1 of the archive, which has 24 "
       "bytes"},
      {"pt2_truncated_half", "the zip archive has no end of its central directory; the file of 10333 bytes is cut off"}};
  formats::check_damaged_files(".pt2", reasons, [](const auto& bytes) { return pt2::try_read_bytes(bytes).error; });
}
