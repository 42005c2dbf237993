// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes small archives of torch.export, at compile time and at run time: arguments, graphs, programs, and then the file.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include "import/zip_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

using text = baton::text_buffer;
using texts = std::initializer_list<text>;

/// Returns items in brackets, separated by commas.
constexpr auto json_list(texts items) -> text {
  auto result = baton::join("[");
  for (const auto& each : items) baton::append(baton::append(result, result.size() == 1 ? "" : ", "), baton::view(each));
  result.push_back(']');
  return result;
}
/// Returns an argument of a kind: `{"as_int": 4}`.
constexpr auto argument_of(std::string_view kind, std::string_view value) -> text { return baton::join("{\"", kind, "\": ", value, "}"); }
constexpr auto argument_of(std::string_view kind, const text& value) -> text { return argument_of(kind, baton::view(value)); }
constexpr auto name_of(std::string_view name) -> text { return baton::join("{\"name\": \"", name, "\"}"); }
constexpr auto tensor_argument(std::string_view name) -> text { return argument_of("as_tensor", name_of(name)); }
constexpr auto int_argument(std::int64_t number) -> text { return argument_of("as_int", baton::join(number)); }
constexpr auto tensors_argument(std::initializer_list<std::string_view> names) -> text {
  auto list = baton::join("[");
  for (const auto name : names) baton::append(baton::append(list, list.size() == 1 ? "" : ", "), baton::view(name_of(name)));
  list.push_back(']');
  return argument_of("as_tensors", list);
}

/// A size: a number, or an expression.
struct pt2_size {
  std::int64_t number = 0;
  std::string_view expression{};

  constexpr pt2_size(int size) : number(size) {}              // NOLINT(google-explicit-constructor)
  constexpr pt2_size(long long size) : number(size) {}        // NOLINT(google-explicit-constructor)
  constexpr pt2_size(const char* text) : expression(text) {}  // NOLINT(google-explicit-constructor)
};
using pt2_sizes = std::initializer_list<pt2_size>;

constexpr auto json_sizes(pt2_sizes sizes) -> text {
  auto list = baton::join("[");
  for (const auto& each : sizes) {
    baton::append(list, list.size() == 1 ? "" : ", ");
    if (each.expression.empty()) baton::append(list, baton::view(int_argument(each.number)));
    if (!each.expression.empty())
      baton::append(list, baton::view(baton::join("{\"as_expr\": {\"expr_str\": \"", each.expression, "\", \"hint\": {\"as_int\": 3}}}")));
  }
  list.push_back(']');
  return list;
}

/// A graph: the root, a branch or a body.
class pt2_graph {
 public:
  constexpr void input(std::string_view name) { add(inputs_, baton::view(tensor_argument(name))); }
  constexpr void output(std::string_view name) { add(outputs_, baton::view(tensor_argument(name))); }
  /// Adds a tensor value; dtype 7 is float32, 5 int64, 12 boolean.
  constexpr void value(std::string_view name, pt2_sizes sizes, int type = 7) {
    add(values_, baton::view(baton::join("\"", name, "\": {\"dtype\": ", type, ", \"sizes\": ", baton::view(json_sizes(sizes)),
                                         ", \"requires_grad\": false, \"device\": {\"type\": \"cpu\", \"index\": null}, \"strides\": "
                                         "[], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}")));
  }
  constexpr void symbol(std::string_view name, std::string_view expression) {
    add(symbols_, baton::view(baton::join("\"", name, "\": {\"as_expr\": {\"expr_str\": \"", expression, "\"}}")));
  }
  /// Adds a node. `keywords` are the names of the last inputs, which are passed by keyword.
  constexpr void node(std::string_view name, std::string_view target, texts inputs, texts outputs,
                      std::initializer_list<std::string_view> keywords = {}) {
    auto record = baton::join("{\"target\": \"", target, "\", \"inputs\": [");
    std::size_t position = 0;
    for (const auto& each : inputs) {
      const auto positional = inputs.size() - keywords.size();
      const bool is_keyword = position >= positional;
      baton::append(record, baton::view(baton::join(position == 0 ? "" : ", ", "{\"name\": \"",
                                                    is_keyword ? keywords.begin()[position - positional] : "self",
                                                    "\", \"arg\": ", baton::view(each), ", \"kind\": ", is_keyword ? 2 : 1, "}")));
      ++position;
    }
    baton::append(
        baton::append(baton::append(record, "], \"outputs\": "), baton::view(json_list(outputs))),
        ", \"metadata\": {\"stack_trace\": \"File \\\"net.py\\\", line 1\"}, \"is_hop_single_tensor_return\": null, \"name\": \"");
    add(nodes_, baton::view(baton::join(baton::view(record), name, "\"}")));
  }
  constexpr auto json() const -> text {
    return baton::join("{\"inputs\": [", baton::view(inputs_), "], \"outputs\": [", baton::view(outputs_), "], \"nodes\": [",
                       baton::view(nodes_), "], \"tensor_values\": {", baton::view(values_), "}, \"sym_int_values\": {",
                       baton::view(symbols_), "}, \"sym_bool_values\": {}, \"is_single_tensor_return\": false}");
  }
  /// Returns the graph as an argument.
  constexpr auto argument(std::string_view name) const -> text {
    return argument_of("as_graph", baton::join("{\"name\": \"", name, "\", \"graph\": ", baton::view(json()), "}"));
  }

 protected:
  static constexpr void add(text& list, std::string_view item) { baton::append(baton::append(list, list.empty() ? "" : ", "), item); }

 private:
  text inputs_, outputs_, nodes_, values_, symbols_;
};

/// A program with its tensors.
class pt2_program : public pt2_graph {
 public:
  std::string_view name = "model";
  int schema = 8;

  constexpr void user_input(std::string_view input_name, pt2_sizes sizes, int type = 7) {
    input_spec(baton::view(baton::join("\"user_input\": {\"arg\": ", baton::view(tensor_argument(input_name)), "}")), input_name, sizes,
               type);
  }
  /// Adds a `parameter`, `buffer` or `tensor_constant` with its data. Empty strides are contiguous.
  constexpr void data(std::string_view kind, std::string_view input_name, std::string_view target, pt2_sizes sizes, std::string_view bytes,
                      pt2_sizes strides = {}, int offset = 0, int type = 7) {
    input_spec(baton::view(baton::join("\"", kind, "\": {\"arg\": ", baton::view(name_of(input_name)), ", \"", kind, "_name\": \"", target,
                                       "\", \"persistent\": true}")),
               input_name, sizes, type);
    const auto path = baton::join("weight_", records_.size());
    text strides_json;
    if (strides.size() != 0) strides_json = baton::join("\"strides\": ", baton::view(json_sizes(strides)), ", ");
    add(config_, baton::view(baton::join("\"", target, "\": {\"path_name\": \"", baton::view(path),
                                         "\", \"is_param\": true, \"use_pickle\": false, \"tensor_meta\": {\"dtype\": ", type,
                                         ", \"sizes\": ", baton::view(json_sizes(sizes)), ", ", baton::view(strides_json),
                                         "\"storage_offset\": {\"as_int\": ", offset, "}}}")));
    records_.push_back(baton::join(bytes));
  }
  constexpr void user_output(std::string_view value_name) {
    output_spec(baton::view(baton::join("\"user_output\": {\"arg\": ", baton::view(tensor_argument(value_name)), "}")), value_name);
  }
  constexpr void mutation(std::string_view value_name, std::string_view target) {
    output_spec(baton::view(baton::join("\"buffer_mutation\": {\"arg\": ", baton::view(name_of(value_name)), ", \"buffer_name\": \"",
                                        target, "\"}")),
                value_name);
  }
  /// Adds a specification as JSON, without its braces.
  constexpr void output_spec(std::string_view spec, std::string_view value_name) {
    output(value_name);
    add(output_specs_, baton::view(baton::join("{", spec, "}")));
  }
  constexpr void range(std::string_view symbol_name, int min, int max) {
    add(ranges_, baton::view(baton::join("\"", symbol_name, "\": {\"min_val\": ", min, ", \"max_val\": ", max, "}")));
  }

  constexpr auto program_json() const -> text {
    return baton::join("{\"graph_module\": {\"graph\": ", baton::view(json()), ", \"signature\": {\"input_specs\": [",
                       baton::view(input_specs_), "], \"output_specs\": [", baton::view(output_specs_),
                       "]}, \"module_call_graph\": [], \"metadata\": {}}, \"opset_version\": {\"aten\": 10}, \"range_constraints\": {",
                       baton::view(ranges_), "}, \"schema_version\": {\"major\": ", schema, ", \"minor\": 20}}");
  }
  constexpr auto config_json() const -> text { return baton::join("{\"config\": {", baton::view(config_), "}}"); }
  /// Adds the records of the program to an archive. `json` replaces the text of the program, if it is not empty.
  constexpr void add_to(zip_writer& archive, std::string_view json = {}) const {
    for (std::size_t i = 0; i < records_.size(); ++i)
      archive.add(baton::view(baton::join("net/data/weights/weight_", i)), baton::view(records_[i]));
    archive.add(baton::view(baton::join("net/data/weights/", name, "_weights_config.json")), baton::view(config_json()));
    archive.add(baton::view(baton::join("net/data/constants/", name, "_constants_config.json")), "{\"config\": {}}");
    archive.add(baton::view(baton::join("net/models/", name, ".json")), json.empty() ? baton::view(program_json()) : json);
  }
  constexpr auto file(std::string_view json = {}) const -> baton::vector<char> {
    zip_writer archive;
    add_to(archive, json);
    archive.add("net/archive_format", "pt2");
    archive.add("net/byteorder", "little");
    return archive.file();
  }

 private:
  constexpr void input_spec(std::string_view spec, std::string_view input_name, pt2_sizes sizes, int type) {
    input(input_name);
    value(input_name, sizes, type);
    add(input_specs_, baton::view(baton::join("{", spec, "}")));
  }

  text config_, input_specs_, output_specs_, ranges_;
  baton::vector<text> records_;
};

}  // namespace tests
