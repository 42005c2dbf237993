// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite models: from the bytes of a .tflite file to a program, in the compiler and at run time.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_attributes.hpp>
#include <baton/import/detail/tflite_input_shapes.hpp>
#include <baton/import/detail/tflite_offline_memory.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_variables.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/rules.hpp>
#include <baton/import/tflite_choices.hpp>
#include <baton/import/tflite_signatures.hpp>
#include <baton/operators/check_inference.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/verify.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::tflite {

namespace detail {

/// What an entry of a model's table of operator codes stands for, and how often the graph that is being read has used it.
struct operator_entry {
  const operator_schema* schema = nullptr;  ///< null: a custom operator, or one that is younger than the table of operators
  bool is_custom = false;
  byte_ref target{};
  std::uint64_t op = 0;
  byte_ref stem{};          ///< the name of the first such node of a graph
  std::uint32_t first = 0;  ///< the first entry with the same operator, which counts for all
  graph_id graph = none<graph_id>;
  std::uint32_t uses = 0;
};

/// What becomes of variables behind handles.
enum class variable_form : std::uint8_t { states, handles };

/// Reads one model; a number in an error is the index of a tensor, operator or graph in the file.
class model_reader {
 public:
  constexpr model_reader(span<const char> bytes, const choices& chosen, variable_form variables)
      : to_(bytes),
        attributes_(to_),
        chosen_(chosen),
        variables_(to_.reader),
        variable_form_(variables) {}
  model_reader(const model_reader&) = delete;  // its parts refer to one another
  auto operator=(const model_reader&) -> model_reader& = delete;

  constexpr auto run() -> result<exported_program> {
    if (!read_model()) return std::move(to_.why);
    auto program = to_.builder.finish();
    if (auto why = verify(program)) return why;
    if (auto why = check_inference(program, chosen_.operators)) return why;
    return program;
  }

 private:
  using table = flatbuffer::table;

  enum class role : std::uint8_t { user_input, operand, operand_of_custom, result };

  constexpr auto read_model() -> bool {
    if (!flatbuffer::has_identifier(to_.reader, file_identifier)) return to_.refuse<rule::foreign_file>();
    const auto model = flatbuffer::root(to_.reader);
    const auto version = model.scalar<std::uint32_t>(slot::model::version);
    buffers_ = model.elements<table>(slot::model::buffers);
    const auto codes = model.elements<table>(slot::model::operator_codes);
    const auto graphs = model.elements<table>(slot::model::subgraphs);
    if (!to_.all_is_well("its root table")) return false;
    if (version != schema_version) return to_.refuse<rule::unsupported_model>("version ", version, " of the format");
    if (graphs.empty()) return to_.refuse<rule::damaged_model>("there is no graph");
    for (std::size_t i = 0; i < codes.size(); ++i) {
      add_operator(codes[i]);
      if (!to_.all_is_well("operator code ", i)) return false;
    }
    const auto is_custom = [](const operator_entry& each) { return each.is_custom; };
    if (std::any_of(operators_.begin(), operators_.end(), is_custom)) memory_.find(to_.reader.view(0, to_.reader.size()));
    if (variable_form_ == variable_form::states) variables_.run(graphs, buffers_, uses_);
    if (!to_.all_is_well("its variables")) return false;
    const auto entry = find_entry(model, chosen_.entry);
    if (!to_.all_is_well("its signatures")) return false;
    if (!entry) to_.why = entry.error;
    to_.set_graphs(graphs);
    if (!entry || to_.find_graph(entry.value) == none<graph_id>) return false;
    for (std::uint32_t g = 0; g < to_.graphs_found(); ++g) {
      const auto id = static_cast<graph_id>(g);
      to_.builder.enter(id);
      if (!to_.all_is_well("graph ", to_.number_of(id)) || !read_graph(to_.stored_graph(id), to_.number_of(id))) return false;
    }
    return true;
  }

  // Operators

  constexpr void add_operator(const table& stored) {
    const auto old_code = std::int32_t{stored.scalar<std::int8_t>(slot::operator_code::deprecated_builtin_code)};
    const auto new_code = stored.scalar<std::int32_t>(slot::operator_code::builtin_code);
    const auto code = new_code > old_code ? new_code : old_code;
    to_.pay_for_records(1);
    auto entry = operator_entry{.first = static_cast<std::uint32_t>(operators_.size())};
    uses_.push_back(variable_use_of(code));
    if (code == custom_operator) {
      entry.is_custom = true;
      name_operator(entry, join(prefix, "custom.", stored.text(slot::operator_code::custom_code)));
    } else if (const auto* schema = find_operator(code)) {
      entry.schema = schema;
      entry.target = program_builder::view(schema->name.text);
      entry.op = schema->name.hash;
      entry.stem = program_builder::view(schema->name.text.substr(prefix.size()));
      auto& first = first_of_[static_cast<std::size_t>(code)];
      if (first == 0) first = entry.first + 1;
      entry.first = first - 1;
    } else {
      name_operator(entry, join(prefix, "builtin_", code));
    }
    operators_.push_back(entry);
  }

  /// Names an operator that has no schema.
  constexpr void name_operator(operator_entry& entry, text_buffer name) {
    entry.target = to_.own(name);
    entry.op = hash_of(baton::view(name));
    for (auto& c : name) c = c == '.' ? '_' : c;
    entry.stem = to_.own(name);
    constexpr auto skipped = static_cast<std::uint32_t>(prefix.size());
    entry.stem.first += skipped;
    entry.stem.size -= skipped;
    to_.reader.spend(unlisted_.size());
    for (const auto earlier : unlisted_) {
      if (operators_[earlier].op == entry.op) entry.first = earlier;
    }
    if (entry.first == operators_.size()) unlisted_.push_back(entry.first);
  }

  /// The name of one more node of an operator: `conv_2d`, `conv_2d_1`, ...
  constexpr auto name_of_node(const operator_entry& entry) -> byte_ref {
    auto& first = operators_[entry.first];
    if (first.graph != to_.builder.current()) {
      first.graph = to_.builder.current();
      first.uses = 0;
    }
    const auto earlier = first.uses++;
    return earlier == 0 ? entry.stem : to_.own_numbered(entry.stem, earlier);
  }

  // Graphs

  constexpr auto read_graph(const table& stored, std::uint32_t number) -> bool {
    tensors_ = stored.elements<table>(slot::subgraph::tensors);
    const auto inputs = stored.elements<std::int32_t>(slot::subgraph::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::subgraph::outputs);
    const auto operations = stored.elements<table>(slot::subgraph::operators);
    operations_ = operations;
    made_.clear();
    values_.assign(tensors_.size(), none<value_id>);
    if (variables_.are_states()) begin_variables();
    if (index(to_.builder.current()) == 0) to_.reserve(tensors_.size(), operations.size());
    to_.pay_for_elements(inputs.size() + outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) find_value(inputs[i], role::user_input);
    if (!to_.all_is_well("the inputs of graph ", number)) return false;
    if (index(to_.builder.current()) == 0 && !input_shapes(to_, chosen_.shapes).check(tensors_, inputs, values_)) return false;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!read_operation(operations[i], i)) return false;
    }
    for (const auto& each : held_) {
      if (each.now != each.buffer) to_.builder.add_output({output_kind::buffer_mutation, each.now, to_.builder.at(each.buffer).target});
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) to_.builder.output(find_value(outputs[i], role::operand));
    if (!to_.all_is_well("the outputs of graph ", number)) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) to_.builder.add_input(find_value(inputs[i], role::user_input));
    return true;
  }

  // Values: a tensor becomes one where it is first met; one that nobody uses never does.

  constexpr auto find_value(std::int32_t tensor, role as) -> value_id {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= values_.size()) {
      to_.refuse<rule::damaged_model>("there is no tensor ", tensor);
      return none<value_id>;
    }
    auto& id = values_[static_cast<std::size_t>(tensor)];
    if (id == none<value_id>) id = add_value(static_cast<std::size_t>(tensor), as);
    return id;
  }

  constexpr auto add_value(std::size_t tensor, role as) -> value_id {
    const auto stored = tensors_[tensor];
    auto record = read_value(stored, tensor);
    if (as == role::user_input) {
      record.kind = value_kind::user_input;
      return to_.builder.add_value(record);  // `read_graph` makes it an input after all owned data
    }
    record.data = data_of(stored);
    const bool is_operand = as != role::result;
    if (record.data.size != 0 || (is_operand && is_empty(record))) {
      record.kind = value_kind::constant;
    } else if (is_operand && stored.scalar<bool>(slot::tensor::is_variable)) {  // a result is made anew

      record.kind = value_kind::mutable_buffer;
      if (record.type == dtype::int8) record.data = zeros(record, stored);
    } else if (as == role::operand_of_custom && !is_made(tensor)) {
      record.kind = value_kind::scratch;
    } else if (is_operand && to_.all_is_well("tensor ", tensor)) {
      to_.refuse<rule::damaged_model>("tensor ", tensor, " is used before it is made");
    }
    if (!to_.all_is_well("tensor ", tensor)) return none<value_id>;
    if (record.kind == value_kind::intermediate || record.kind == value_kind::scratch) return to_.builder.add_value(record);
    record.target = record.name;
    return record.kind == value_kind::mutable_buffer ? add_state(record) : to_.builder.add_input(record);
  }

  /// Adds a mutable buffer of a graph: one name would be one state.
  constexpr auto add_state(value record) -> value_id {
    record.kind = value_kind::mutable_buffer;
    const auto g = index(to_.builder.current());
    if (g != 0) record.target = to_.own(join("subgraph_", g, ".", baton::program_view(to_.builder.draft()).text(record.name)));
    return to_.builder.add_input(record);
  }

  /// Whether an operator of the graph makes a tensor, be it later.
  constexpr auto is_made(std::size_t tensor) -> bool {
    if (made_.empty()) {
      made_.assign(tensors_.size(), 0);
      for (std::size_t i = 0; i < operations_.size(); ++i) {
        const auto outputs = operations_[i].elements<std::int32_t>(slot::operation::outputs);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (outputs[o] >= 0 && static_cast<std::size_t>(outputs[o]) < made_.size()) made_[static_cast<std::size_t>(outputs[o])] = 1;
        }
      }
    }
    return made_[tensor] != 0;
  }

  /// What is alike for tensors of all kinds.
  constexpr auto read_value(const table& stored, std::size_t tensor) -> value {
    to_.pay_for_records(1);
    value record;
    const auto name = stored.text(slot::tensor::name);
    if (name.empty()) {
      record.name = to_.own(join("tensor_", tensor));
    } else {
      record.name = to_.view(name);
    }
    if (const auto* type = find_tensor_type(stored.scalar<std::int8_t>(slot::tensor::type))) {
      record.type = *type;
    } else {
      to_.refuse<rule::unsupported_model>("tensor ", tensor, " has an unknown type");
    }
    record.shape = to_.integers(stored.elements<std::int32_t>(slot::tensor::shape));
    if (const auto quant = stored.child(slot::tensor::quantization)) record.quant = read_quantization(quant, tensor);
    if (record.shape.size == 1) record.quant.axis = 0;  // old converters note the axis of the weights at a bias, too
    if (stored.field(slot::tensor::sparsity) != 0) to_.refuse<rule::unsupported_model>("tensor ", tensor, " is sparse");
    return record;
  }

  constexpr auto read_quantization(const table& stored, std::size_t tensor) -> quantization {
    using field = slot::quantization_parameters;
    if (stored.scalar<std::uint8_t>(field::details_type) != 0) {
      to_.refuse<rule::unsupported_model>("tensor ", tensor, " is quantized by more than scales and zero points");
    }
    const auto scales = stored.elements<float>(field::scale);
    if (scales.empty()) return {};
    return {to_.packed(scales), to_.packed(stored.elements<std::int64_t>(field::zero_point)), static_cast<std::uint32_t>(scales.size()),
            stored.scalar<std::int32_t>(field::quantized_dimension)};
  }

  constexpr auto data_of(const table& stored) -> byte_ref {
    if (stored.scalar<std::uint32_t>(slot::tensor::external_buffer) != 0) {
      to_.refuse<rule::unsupported_model>("a tensor has its data in another file");
    }
    const auto number = stored.scalar<std::uint32_t>(slot::tensor::buffer);
    if (number == 0) return {};
    const auto buffer = buffers_[number];
    const auto at = buffer.scalar<std::uint64_t>(slot::buffer::offset);
    if (at > 1) return to_.piece(at, buffer.scalar<std::uint64_t>(slot::buffer::size));
    return to_.view(buffer.bytes(slot::buffer::data));
  }

  /// Whether a value has no elements, so that a constant needs no data: the shape that makes a scalar, for one.
  constexpr auto is_empty(const value& record) -> bool { return element_count(to_.builder.draft().integer_list(record.shape)) == 0; }

  // Variables: of a handle nothing is left, reading is a name for what was assigned last, which the variable is left with.

  /// What a variable is in the graph that is being read.
  struct held_variable {
    value_id buffer = none<value_id>;  ///< what it was when the graph began; `none`: nobody has asked
    value_id now = none<value_id>;
  };

  constexpr void begin_variables() {
    to_.reader.spend(variables_.variables().size() + tensors_.size());
    held_.assign(variables_.variables().size(), held_variable{});
    variable_of_.assign(tensors_.size(), npos);
  }

  /// Does what a node does with a variable; the scan has seen that its operands are there.
  constexpr auto use_variable(variable_use use, const table& stored) -> bool {
    ++handles_;
    if (use == variable_use::call_once) return true;  // its constants are what variables begin with
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    if (use == variable_use::handle) {
      variable_of_[static_cast<std::size_t>(outputs[0])] = variables_.find(stored);
      return to_.all_is_well("a variable");
    }
    const auto variable = variable_of_[static_cast<std::size_t>(inputs[0])];
    auto& held = held_[variable];
    if (held.buffer == none<value_id>) held.buffer = held.now = add_variable(variables_.variables()[variable]);
    if (use == variable_use::assign) {
      held.now = find_value(inputs[1], role::operand);
    } else if (values_[static_cast<std::size_t>(outputs[0])] != none<value_id>) {
      to_.refuse<rule::damaged_model>("tensor ", outputs[0], " is made twice");
    } else {
      values_[static_cast<std::size_t>(outputs[0])] = held.now;
    }
    return to_.all_is_well("a variable");
  }

  constexpr auto add_variable(const stored_variable& stored) -> value_id {
    auto record = read_value(stored.form, 0);
    record.kind = value_kind::mutable_buffer;
    if (stored.initial) {
      record.data = data_of(stored.initial);
    } else if (stored.assigned) {
      record.data = zeros(record, stored.assigned);
    }
    record.target = to_.view(stored.name.empty() ? std::string_view{"variable"} : stored.name);
    if (!stored.container.empty()) record.target = to_.own(join(stored.container, "/", stored.name));
    record.name = record.target;
    return to_.builder.add_input(record);
  }

  /// What a variable begins with that nobody gives a value: the zero point of a tensor in every byte, as in `micro_resource_variable.cc`
  /// and `ResetVariableTensors` of TensorFlow Lite Micro. No data where that is zero.
  constexpr auto zeros(const value& record, const table& stored) -> byte_ref {
    const auto points = stored.child(slot::tensor::quantization).elements<std::int64_t>(slot::quantization_parameters::zero_point);
    const auto zero = points.empty() ? 0 : static_cast<std::int8_t>(points[0] & 0xff);
    const auto bytes = byte_count(record.type, to_.builder.draft().integer_list(record.shape));
    if (zero == 0 || bytes <= 0 || !to_.reader.spend(static_cast<std::uint64_t>(bytes))) return {};
    return to_.builder.own(baton::view(text_buffer(static_cast<std::size_t>(bytes), static_cast<char>(zero))));
  }

  // Nodes

  constexpr auto read_operation(const table& stored, std::size_t position) -> bool {
    const auto code = stored.scalar<std::uint32_t>(slot::operation::opcode_index);
    if (!to_.all_is_well("operator ", position)) return false;
    if (code >= operators_.size()) return to_.refuse<rule::damaged_model>("operator ", position, ": there is no operator code ", code);
    if (variables_.are_states() && uses_[code] != variable_use::none) return use_variable(uses_[code], stored);
    const auto& entry = operators_[code];
    add_node({.name = name_of_node(entry), .target = entry.target, .op = entry.op, .debug_handle = ++handles_}, stored,
             entry.is_custom ? role::operand_of_custom : role::operand);
    attributes_.read(entry.schema, entry.is_custom, stored);
    if (entry.is_custom && memory_.is_there()) attributes_.add_arena_offsets(memory_, to_.number_of(to_.builder.current()), stored);
    if (entry.is_custom) add_hidden_state(find_definition(entry.op, chosen_.operators));
    if (to_.all_is_well("its table in the file")) return true;
    const auto& program = to_.builder.draft();
    to_.why = locate(std::move(to_.why), program, static_cast<node_id>(program.nodes.size() - 1));
    return false;
  }

  constexpr void add_node(const node& record, const table& stored, role of_operands) {
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    to_.pay_for_records(1);
    to_.pay_for_elements(inputs.size() + outputs.size());
    auto& operands = to_.builder.draft().operands;
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      operands.push_back(inputs[i] == -1 ? none<value_id> : find_value(inputs[i], of_operands));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) operands.push_back(find_value(outputs[i], role::result));
    const auto middle = first + static_cast<std::uint32_t>(inputs.size());
    to_.builder.add_node(record, {}, {});
    to_.builder.latest_node().inputs = {first, middle - first};
    to_.builder.latest_node().outputs = {middle, static_cast<std::uint32_t>(outputs.size())};
  }

  /// What the latest node keeps from run to run, which the file has no tensor for, becomes its last operand.
  constexpr void add_hidden_state(const operator_definition& definition) {
    auto& program = to_.builder.draft();
    const auto made = program.nodes.back();
    if (definition.hidden_state == nullptr || made.inputs.size + 1 != definition.operands.size() || !to_.all_is_well("its operands"))
      return;
    for (std::uint32_t i = 0; i < made.inputs.size; ++i) {
      if (program.operands[made.inputs.first + i] == none<value_id>) return;
    }
    const auto bytes = static_cast<std::int64_t>(definition.hidden_state(program_view(program), made));
    if (bytes == 0) return;
    to_.pay_for_records(1);
    const auto name = to_.own(join(program.text(made.name), ".state"));
    const auto id = add_state({.name = name, .type = dtype::uint8, .shape = to_.builder.integers({&bytes, 1}), .target = name});
    // Between the operands and the outputs, which stand side by side at the end of their pool.
    auto& operands = program.operands;
    operands.push_back(none<value_id>);
    for (auto at = operands.size() - 1; at > made.outputs.first; --at) operands[at] = operands[at - 1];
    operands[made.outputs.first] = id;
    ++to_.builder.latest_node().inputs.size;
    ++to_.builder.latest_node().outputs.first;
  }

  static constexpr std::string_view prefix = "tfl.";

  reading to_;
  attribute_reader attributes_;
  choices chosen_;
  variable_scan variables_;
  variable_form variable_form_;
  std::uint32_t handles_ = 0;
  flatbuffer::vector<table> buffers_;
  offline_memory memory_;
  vector<operator_entry> operators_;
  vector<variable_use> uses_;                                   // by operator code
  std::array<std::uint32_t, std::size(operators)> first_of_{};  // by builtin code: 1 + its first entry
  vector<std::uint32_t> unlisted_;                              // the first entry of each operator that has no schema
  // Of the graph that is being read:
  flatbuffer::vector<table> tensors_;
  flatbuffer::vector<table> operations_;
  vector<value_id> values_;            // by tensor
  vector<char> made_;                  // by tensor: whether an operator makes it; empty until somebody asks
  vector<held_variable> held_;         // by variable
  vector<std::uint32_t> variable_of_;  // by tensor: the variable that it is a handle of
};

}  // namespace detail

/// The importer of TensorFlow Lite models, as others see it.
///
/// The root is the graph of the entry point that is chosen, or subgraph 0; each subgraph that is called from it becomes a graph, further
/// entry points (`signatures_of` lists them) are left out. A size of an input that the file leaves open is its batch, which is as in the
/// file, or is refused (`input_shape`). A tensor with data becomes a constant, a variable tensor a mutable buffer, both named after the
/// tensor, a variable of another subgraph than the root with `subgraph_1.` or the like in front; operators write variable tensors in place,
/// so no mutations are listed. What a custom operator keeps without a tensor (`operator_definition::hidden_state`) becomes a mutable
/// buffer, its last operand. What lies behind a handle becomes a mutable buffer of the handle's name, which begins with what `call_once`
/// assigns, else with zero points; what is assigned last is its mutation, and the nodes that did so are gone. Where
/// that cannot be (a graph is handed a handle, or reads what one that it calls has written, or `call_once` computes), all of these nodes
/// stay. An operand of a custom operator that nobody makes is
/// scratch. A builtin operator becomes `tfl.conv_2d` and the like, with every field of its options as an attribute, enumerations as text
/// (several with commas between); subgraphs that the options name become the node's. A custom operator becomes `tfl.custom.<its code>` with
/// the bytes `custom_options` and, where the file places tensors in an arena (`OfflineMemoryAllocation`), the integers `arena_offsets`, one
/// an operand and then one an output, -1 for what has no place (of several such metadata the last counts; damaged metadata is none); a
/// builtin one that is younger than `operators` becomes `tfl.builtin_<its number>` with `builtin_options_type`, `builtin_options_position`
/// and the bytes `builtin_options`.
///
/// Names, weights, scales and zero points are views into the bytes, at any alignment, so the bytes must outlive the program.
/// Rules: `foreign_file`, `damaged_model`, `unsupported_model` (sparse tensors, data in other files, blockwise quantization, an unknown
/// type or symbol), `unknown_size`, `unknown_name`, those of `verify`, and those of `check_inference`: outputs that a file states otherwise
/// than they follow from operands and options.
struct importer {
  static constexpr std::string_view format = "TensorFlow Lite";
  static constexpr auto recognizes(span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return flatbuffer::has_identifier(reader, file_identifier);
  }
  static constexpr auto read(span<const char> bytes, const choices& chosen = {}) -> result<exported_program> {
    auto made = detail::model_reader(bytes, chosen, detail::variable_form::states).run();
    // Where graphs that are called write what others go on to read, a mutable buffer cannot say what a variable is.
    const auto broken = made.error.rule;
    if (broken != rule::stale_state::sentence && broken != rule::disagreeing_state::sentence) return made;
    return detail::model_reader(bytes, chosen, detail::variable_form::handles).run();
  }
};
static_assert(baton::importer<importer>);

/// The program of a model, or the rule that it breaks.
constexpr auto try_read_bytes(span<const char> bytes, const choices& chosen = {}) -> result<exported_program> {
  return importer::read(bytes, chosen);
}

/// The program of a model; a broken rule is raised.
constexpr auto read_bytes(span<const char> bytes, const choices& chosen = {}) -> exported_program {
  return value_or_raise(importer::read(bytes, chosen));
}

/// Stops the compiler with a sentence if something behind the bytes of a model is no choice. True, so that what was said stands alone.
template <class... Choices>
consteval auto require_choices() -> bool {
  constexpr bool are_choices = (choice<Choices> && ...);
  static_assert(are_choices,
                "baton tflite::read: behind the bytes of a model stand choices; write: baton::tflite::entry<\"decode\"> or "
                "baton::tflite::input_shape<\"audio\", 1, 49, 40>");
  return true;
}

/// The importer of models of which something is chosen.
template <class... Choices>
struct choosing_importer {
  static constexpr std::string_view format = importer::format;
  static constexpr auto recognizes(span<const char> bytes) -> bool { return importer::recognizes(bytes); }
  static constexpr auto read(span<const char> bytes) -> result<exported_program> {
    choices chosen;
    vector<bound_shape> shapes;
    if constexpr ((choice<Choices> && ...)) (Choices::add_to(chosen, shapes), ...);
    chosen.shapes = shapes;
    return importer::read(bytes, chosen);
  }
};

/// The program of an embedded model, made by the compiler: `constexpr auto model = baton::tflite::read<keyword_tflite>;`. Behind the bytes
/// may stand an `entry`, an `input_shape` an input, and what is `defined` of operators.
template <const auto& Bytes, class... Choices>
  requires(require_choices<Choices...>())
inline constexpr static_program<read_embedded<std::conditional_t<sizeof...(Choices) == 0, importer, choosing_importer<Choices...>>, Bytes>>
    read{};

}  // namespace baton::tflite
