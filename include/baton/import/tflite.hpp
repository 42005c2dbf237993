// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite models: from the bytes of a .tflite file to a program, in the compiler and at run time.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verify.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/flatbuffer.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/tflite_options.hpp>
#include <baton/import/tflite_schema.hpp>
#include <baton/import/tflite_slots.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

/// Reads one model. Errors are noted and the reading goes on with something harmless to the end of the tensor or operator, which says where.
///
/// Work and memory are bounded by the size of the file, though its tables may be shared: whatever is looked at or made is paid for from the
/// reader's budget of 16 units a byte, at the prices below. Honest files, which share vtables and little else, pay a small part of it.
class model_reader {
 public:
  constexpr explicit model_reader(std::span<const char> bytes) : bytes_(bytes), reader_(bytes) {}

  constexpr auto run() -> result<exported_program> {
    if (!read_model()) return std::move(why_);
    auto program = builder_.finish();
    if (auto why = verify(program)) return why;
    return program;
  }

 private:
  using table = flatbuffer::table;

  static constexpr std::uint64_t price_of_record = 128;
  static constexpr std::uint64_t price_of_attribute = 64;
  /// Of an operand, an element of a list or a character that is copied; so no pool has more of them than the file has bytes.
  static constexpr std::uint64_t price_of_element = 16;

  enum class role : std::uint8_t { user_input, operand, result };

  // Failures: the first one stands.

  template <class Rule, class... Parts>
  constexpr auto refuse(const Parts&... reason) -> bool {
    if (!why_) why_ = broken<Rule>(reason...);
    return false;
  }
  /// Whether all is well so far; what the byte reader found is told with the place.
  template <class... Parts>
  constexpr auto all_is_well(const Parts&... place) -> bool {
    if (!reader_.ok()) refuse<rule::damaged_model>(place...);
    return !why_;
  }

  // Bytes

  constexpr auto view(std::string_view text) -> byte_ref {
    if (text.size() > 0xffffffffu) refuse<rule::unsupported_model>("more than 4 GiB in one piece");
    return program_builder::view(text);
  }
  constexpr auto view(std::span<const char> bytes) -> byte_ref { return view(std::string_view{bytes.data(), bytes.size()}); }
  /// The elements of a vector of numbers as they stand in the file.
  template <class T>
  constexpr auto packed(const flatbuffer::vector<T>& elements) -> byte_ref {
    if (elements.empty()) return {};
    return view(bytes_.subspan(elements.position(), elements.size() * sizeof(T)));
  }
  /// The bytes at a place counted from the beginning of the file.
  constexpr auto piece(std::uint64_t at, std::uint64_t size) -> byte_ref {
    if (at > bytes_.size() || size > bytes_.size()) return reader_.fail(), byte_ref{};
    return view(reader_.view(static_cast<std::size_t>(at), static_cast<std::size_t>(size)));
  }
  constexpr auto own(const text_buffer& text) -> byte_ref {
    reader_.spend(price_of_element * text.size());
    return builder_.own(baton::view(text));
  }

  // The model

  constexpr auto read_model() -> bool {
    if (!flatbuffer::has_identifier(reader_, file_identifier)) return refuse<rule::foreign_file>();
    const auto model = flatbuffer::root(reader_);
    const auto version = model.scalar<std::uint32_t>(slot::model::version);
    buffers_ = model.elements<table>(slot::model::buffers);
    const auto codes = model.elements<table>(slot::model::operator_codes);
    const auto graphs = model.elements<table>(slot::model::subgraphs);
    if (!all_is_well("its root table")) return false;
    if (version != schema_version) return refuse<rule::unsupported_model>("version ", version, " of the format");
    if (graphs.empty()) return refuse<rule::damaged_model>("there is no graph");
    for (std::size_t i = 0; i < codes.size(); ++i) {
      add_operator(codes[i]);
      if (!all_is_well("operator code ", i)) return false;
    }
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      add_graph(graphs[g], g);
      if (!all_is_well("graph ", g)) return false;
    }
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      builder_.enter(static_cast<graph_id>(g));
      if (!read_graph(graphs[g])) return false;
    }
    return true;
  }

  // Operators

  constexpr void add_operator(const table& stored) {
    const auto old_code = std::int32_t{stored.scalar<std::int8_t>(slot::operator_code::deprecated_builtin_code)};
    const auto new_code = stored.scalar<std::int32_t>(slot::operator_code::builtin_code);
    const auto code = new_code > old_code ? new_code : old_code;
    reader_.spend(price_of_record);
    auto entry = operator_entry{.first = static_cast<std::uint32_t>(operators_.size())};
    if (code == custom_operator) {
      entry.is_custom = true;
      name_operator(entry, join("tfl.custom.", stored.text(slot::operator_code::custom_code)));
    } else if (const auto* schema = find_operator(code)) {
      entry.schema = schema;
      entry.target = program_builder::view(schema->name.text);
      entry.op = schema->name.hash;
      entry.stem = program_builder::view(schema->name.text.substr(prefix.size()));
      auto& first = first_of_[static_cast<std::size_t>(code)];
      if (first == 0) first = entry.first + 1;
      entry.first = first - 1;
    } else {
      name_operator(entry, join("tfl.builtin_", code));
    }
    operators_.push_back(entry);
  }

  /// Names an operator that has no schema.
  constexpr void name_operator(operator_entry& entry, text_buffer name) {
    entry.target = own(name);
    entry.op = hash_of(baton::view(name));
    name.erase(name.begin(), name.begin() + prefix.size());
    for (auto& c : name) c = c == '.' ? '_' : c;
    entry.stem = own(name);
    reader_.spend(named_.size());
    for (const auto earlier : named_) {
      if (operators_[earlier].op == entry.op) entry.first = earlier;
    }
    if (entry.first == operators_.size()) named_.push_back(entry.first);
  }

  /// The name of one more node of an operator: `conv_2d`, `conv_2d_1`, ...
  constexpr auto name_of_node(operator_entry& entry) -> byte_ref {
    auto& first = operators_[entry.first];
    if (first.graph != builder_.current()) {
      first.graph = builder_.current();
      first.uses = 0;
    }
    const auto earlier = first.uses++;
    return earlier == 0 ? entry.stem : own(join(builder_.draft().text(entry.stem), "_", earlier));
  }

  // Graphs

  constexpr void add_graph(const table& stored, std::size_t g) {
    reader_.spend(price_of_record);
    if (g == 0) {
      builder_.draft().bytes.clear();  // the name that the builder gave the root
    } else {
      builder_.add_graph({});
    }
    const auto name = stored.text(slot::subgraph::name);
    auto& to = builder_.draft().graphs.back().name;
    if (!name.empty()) {
      to = view(name);
    } else if (g == 0) {
      to = program_builder::view("main");
    } else {
      to = own(join("subgraph_", g));
    }
  }

  constexpr auto read_graph(const table& stored) -> bool {
    tensors_ = stored.elements<table>(slot::subgraph::tensors);
    const auto inputs = stored.elements<std::int32_t>(slot::subgraph::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::subgraph::outputs);
    const auto operations = stored.elements<table>(slot::subgraph::operators);
    values_.assign(tensors_.size(), none<value_id>);
    reader_.spend(price_of_element * (inputs.size() + outputs.size()));
    for (std::size_t i = 0; i < inputs.size(); ++i) find_value(inputs[i], role::user_input);
    if (!all_is_well("the inputs of graph ", index(builder_.current()))) return false;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!read_operation(operations[i], i)) return false;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) builder_.output(find_value(outputs[i], role::operand));
    if (!all_is_well("the outputs of graph ", index(builder_.current()))) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) builder_.add_input(find_value(inputs[i], role::user_input));
    return true;
  }

  // Values: a tensor becomes one where it is first met; one that nobody uses never does.

  constexpr auto find_value(std::int32_t tensor, role as) -> value_id {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= values_.size()) {
      refuse<rule::damaged_model>("there is no tensor ", tensor);
      return none<value_id>;
    }
    auto& id = values_[static_cast<std::size_t>(tensor)];
    if (id == none<value_id>) id = add_value(static_cast<std::size_t>(tensor), as);
    return id;
  }

  constexpr auto add_value(std::size_t index, role as) -> value_id {
    const auto stored = tensors_[index];
    const auto name = stored.text(slot::tensor::name);
    const auto* type = find_tensor_type(stored.scalar<std::int8_t>(slot::tensor::type));
    const auto quant = stored.child(slot::tensor::quantization);
    reader_.spend(price_of_record);
    value record{.name = view(name), .type = type == nullptr ? dtype::float32 : *type, .shape = shape_of(stored)};
    if (name.empty()) record.name = own(join("tensor_", index));
    if (quant) record.quant = quantization_of(quant);
    if (record.shape.size == 1) record.quant.axis = 0;  // old converters note the axis of the weights at a bias, too
    if (type == nullptr) refuse<rule::unsupported_model>("tensor ", index, " has an unknown type");
    if (stored.field(slot::tensor::sparsity) != 0) refuse<rule::unsupported_model>("tensor ", index, " is sparse");
    if (!all_is_well("tensor ", index)) return none<value_id>;
    if (as == role::user_input) {
      record.kind = value_kind::user_input;
      return builder_.add_value(record);
    }
    record.data = data_of(stored);
    record.kind = kind_of(stored, record);
    if (!all_is_well("the data of tensor ", index)) return none<value_id>;
    if (record.kind == value_kind::intermediate) {
      if (as == role::operand) refuse<rule::damaged_model>("tensor ", index, " is used, but nothing made it before");
      return builder_.add_value(record);
    }
    record.target = record.name;
    return builder_.add_input(record);
  }

  constexpr auto kind_of(const table& stored, const value& record) -> value_kind {
    if (record.data.size != 0) return value_kind::constant;
    if (stored.scalar<bool>(slot::tensor::is_variable)) return value_kind::mutable_buffer;
    return value_kind::intermediate;
  }

  constexpr auto shape_of(const table& stored) -> range { return integers(stored.elements<std::int32_t>(slot::tensor::shape)); }

  constexpr auto quantization_of(const table& stored) -> quantization {
    const auto scales = stored.elements<float>(slot::quantization_parameters::scale);
    const auto zero_points = stored.elements<std::int64_t>(slot::quantization_parameters::zero_point);
    if (stored.scalar<std::uint8_t>(slot::quantization_parameters::details_type) != 0) {
      refuse<rule::unsupported_model>("a tensor is quantized by other means than scales and zero points");
    }
    if (scales.empty()) return {};
    return {packed(scales), packed(zero_points), static_cast<std::uint32_t>(scales.size()),
            stored.scalar<std::int32_t>(slot::quantization_parameters::quantized_dimension)};
  }

  constexpr auto data_of(const table& stored) -> byte_ref {
    if (stored.scalar<std::uint32_t>(slot::tensor::external_buffer) != 0) refuse<rule::unsupported_model>("data in another file");
    const auto number = stored.scalar<std::uint32_t>(slot::tensor::buffer);
    if (number == 0) return {};
    const auto buffer = buffers_[number];
    const auto at = buffer.scalar<std::uint64_t>(slot::buffer::offset);
    if (at > 1) return piece(at, buffer.scalar<std::uint64_t>(slot::buffer::size));
    return view(buffer.bytes(slot::buffer::data));
  }

  // Nodes

  constexpr auto read_operation(const table& stored, std::size_t place) -> bool {
    const auto code = stored.scalar<std::uint32_t>(slot::operation::opcode_index);
    if (code >= operators_.size()) return all_is_well("operator ", place) && refuse<rule::damaged_model>("there is no operator code ", code);
    auto& entry = operators_[code];
    const node record{.name = name_of_node(entry), .target = entry.target, .op = entry.op, .debug_handle = ++handles_};
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    reader_.spend(price_of_record + price_of_element * (inputs.size() + outputs.size()));
    operands_.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      operands_.push_back(inputs[i] == -1 ? none<value_id> : find_value(inputs[i], role::operand));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) operands_.push_back(find_value(outputs[i], role::result));
    const std::span<const value_id> operands{operands_};
    builder_.add_node(record, operands.first(inputs.size()), operands.subspan(inputs.size()));
    add_attributes(entry, stored);
    if (all_is_well("its table")) return true;
    why_ = locate(std::move(why_), builder_.draft(), static_cast<node_id>(builder_.draft().nodes.size() - 1));
    return false;
  }

  constexpr void add_attributes(const operator_entry& entry, const table& stored) {
    if (entry.schema == nullptr && !entry.is_custom) add_raw_options(stored);
    if (entry.schema != nullptr && !entry.schema->fields.empty()) add_fields(*entry.schema, stored);
    if (entry.is_custom || stored.field(slot::operation::custom_options) != 0) add_custom_options(stored);
  }

  constexpr void add_custom_options(const table& stored) {
    const auto at = stored.scalar<std::uint64_t>(slot::operation::large_custom_options_offset);
    add_bytes("custom_options", at > 1 ? piece(at, stored.scalar<std::uint64_t>(slot::operation::large_custom_options_size))
                                       : view(stored.bytes(slot::operation::custom_options)));
  }

  /// The options of an operator that has no schema: the type of the union, the table's own bytes, and its place in the file, at which
  /// `flatbuffer::table` opens it.
  constexpr void add_raw_options(const table& stored) {
    auto options = stored.member(slot::operation::builtin_options_type);
    if (!options.value) options = stored.member(slot::operation::builtin_options_2_type);
    add_integer("builtin_options_type", options.type);
    add_integer("builtin_options_position", static_cast<std::int64_t>(options.value.position()));
    add_bytes("builtin_options", options.value ? view(options.value.own_bytes()) : byte_ref{});
  }

  constexpr void add_fields(const operator_schema& schema, const table& stored) {
    const auto slot = schema.options == builtin_options ? slot::operation::builtin_options_type : slot::operation::builtin_options_2_type;
    auto options = stored.member(slot);
    if (options.type != schema.options_type) options.value = {};
    reader_.spend(price_of_attribute * schema.fields.size());
    subgraphs_.clear();
    for (const auto& field : schema.fields) add_field(field, options.value);
    if (!subgraphs_.empty()) builder_.set_subgraphs(subgraphs_);
  }

  constexpr void add_field(const field_schema& field, const table& options) {
    attribute literal{.name = program_builder::view(field.name.text), .key = field.name.hash};
    switch (field.type) {
      case field_type::boolean:
        literal.kind = attribute_kind::boolean;
        literal.integer = options.scalar<bool>(field.slot, field.default_value != 0) ? 1 : 0;
        break;
      case field_type::int32: literal.integer = options.scalar<std::int32_t>(field.slot, static_cast<std::int32_t>(field.default_value)); break;
      case field_type::int64: literal.integer = options.scalar<std::int64_t>(field.slot, field.default_value); break;
      case field_type::float32:
        literal.kind = attribute_kind::real;
        literal.real = static_cast<double>(options.scalar<float>(field.slot));
        break;
      case field_type::enumeration8:
      case field_type::enumeration32:
      case field_type::tensor_type:
        literal.kind = attribute_kind::text;
        literal.bytes = program_builder::view(symbol_of(field, code_of(field, options)));
        break;
      case field_type::subgraph: return add_subgraph(options.scalar<std::int32_t>(field.slot, static_cast<std::int32_t>(field.default_value)));
      case field_type::subgraph_vector: return add_subgraphs(options.elements<std::int32_t>(field.slot));
      default: fill_list(literal, field, options);
    }
    builder_.add_attribute(literal);
  }

  constexpr void fill_list(attribute& literal, const field_schema& field, const table& options) {
    literal.kind = attribute_kind::integers;
    switch (field.type) {
      case field_type::boolean_vector: literal.list = integers(options.elements<bool>(field.slot)); break;
      case field_type::int32_vector: literal.list = integers(options.elements<std::int32_t>(field.slot)); break;
      case field_type::int64_vector: literal.list = integers(options.elements<std::int64_t>(field.slot)); break;
      case field_type::float32_vector:
        literal.kind = attribute_kind::reals;
        literal.list = reals(options.elements<float>(field.slot));
        break;
      case field_type::enumeration32_vector:
        literal.kind = attribute_kind::text;
        literal.bytes = symbols_of(field, options.elements<std::int32_t>(field.slot));
        break;
      case field_type::uint8_vector:
        literal.kind = attribute_kind::bytes;
        literal.bytes = view(options.bytes(field.slot));
        break;
      default:
        literal.kind = attribute_kind::text;
        literal.bytes = view(options.text(field.slot));
    }
  }

  // Attributes

  constexpr void add_integer(literal_name name, std::int64_t number) {
    builder_.add_attribute({.name = program_builder::view(name.text), .key = name.hash, .integer = number});
  }
  constexpr void add_bytes(literal_name name, byte_ref bytes) {
    builder_.add_attribute({.name = program_builder::view(name.text), .key = name.hash, .kind = attribute_kind::bytes, .bytes = bytes});
  }

  static constexpr auto code_of(const field_schema& field, const table& options) -> std::int32_t {
    const auto absent = static_cast<std::int32_t>(field.default_value);
    if (field.type == field_type::enumeration32) return options.scalar<std::int32_t>(field.slot, absent);
    return options.scalar<std::int8_t>(field.slot, static_cast<std::int8_t>(absent));
  }
  constexpr auto symbol_of(const field_schema& field, std::int32_t code) -> std::string_view {
    if (field.type == field_type::tensor_type) {
      if (const auto* type = find_tensor_type(code)) return facts(*type).name;
    } else if (code >= 0 && static_cast<std::size_t>(code) < field.symbols.size()) {
      return field.symbols[static_cast<std::size_t>(code)];
    }
    refuse<rule::unsupported_model>("the field ", field.name.text, " has the unknown value ", code);
    return {};
  }
  /// The symbols of a vector of them, with commas between.
  constexpr auto symbols_of(const field_schema& field, const flatbuffer::vector<std::int32_t>& codes) -> byte_ref {
    text_buffer text;
    for (std::size_t i = 0; i < codes.size() && !why_; ++i) append(append(text, i == 0 ? "" : ","), symbol_of(field, codes[i]));
    return own(text);
  }

  template <class T>
  constexpr auto integers(const flatbuffer::vector<T>& elements) -> range {
    return copy_to(builder_.draft().integers, elements);
  }
  constexpr auto reals(const flatbuffer::vector<float>& elements) -> range { return copy_to(builder_.draft().reals, elements); }
  template <class To, class From>
  constexpr auto copy_to(std::vector<To>& pool, const flatbuffer::vector<From>& elements) -> range {
    const range run{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(elements.size())};
    reader_.spend(price_of_element * elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) pool.push_back(static_cast<To>(elements[i]));
    return run;
  }

  constexpr void add_subgraph(std::int32_t number) {
    if (number < 0 || static_cast<std::size_t>(number) >= builder_.draft().graphs.size()) {
      refuse<rule::damaged_model>("there is no graph ", number);
    } else {
      subgraphs_.push_back(static_cast<graph_id>(number));
    }
  }
  constexpr void add_subgraphs(const flatbuffer::vector<std::int32_t>& numbers) {
    reader_.spend(price_of_element * numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) add_subgraph(numbers[i]);
  }

  static constexpr std::string_view prefix = "tfl.";

  std::span<const char> bytes_;
  byte_reader reader_;
  program_builder builder_;
  failure why_;
  std::uint32_t handles_ = 0;
  flatbuffer::vector<table> buffers_;
  std::vector<operator_entry> operators_;
  std::array<std::uint32_t, std::size(operators)> first_of_{};  // builtin code: 1 + its first entry
  std::vector<std::uint32_t> named_;                            // the first entry of each operator that has no schema
  // Of the graph that is being read:
  flatbuffer::vector<table> tensors_;
  std::vector<value_id> values_;
  // Of the node that is being read:
  std::vector<value_id> operands_;
  std::vector<graph_id> subgraphs_;
};

}  // namespace detail

/// The importer of TensorFlow Lite models, as others see it.
///
/// Each subgraph becomes a graph, subgraph 0 the root. A tensor with data becomes a constant, a variable tensor a mutable buffer, both named
/// after the tensor; operators write variable tensors in place, so no mutations are listed. A builtin operator becomes `tfl.conv_2d` and the
/// like, with every field of its options as an attribute, enumerations as text (several with commas between); subgraphs that the options
/// name become the node's. A custom operator becomes `tfl.custom.<its code>` with the bytes `custom_options`; a builtin one that is younger
/// than `operators` becomes `tfl.builtin_<its number>` with `builtin_options_type`, `builtin_options_position` and the bytes `builtin_options`.
/// Names, weights, scales and zero points are views into the bytes, at any alignment, so the bytes must outlive the program.
/// Rules: `foreign_file`, `damaged_model`, `unsupported_model` (sparse tensors, data in other files, blockwise quantization, an unknown
/// type or symbol), and those of `verify`.
struct importer {
  static constexpr std::string_view format = "TensorFlow Lite";
  static constexpr auto recognizes(std::span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return flatbuffer::has_identifier(reader, file_identifier);
  }
  static constexpr auto read(std::span<const char> bytes) -> result<exported_program> { return detail::model_reader(bytes).run(); }
};
static_assert(baton::importer<importer>);

/// The program of a model, or the rule that it breaks.
constexpr auto try_read_bytes(std::span<const char> bytes) -> result<exported_program> { return importer::read(bytes); }

/// The program of a model; a broken rule is raised.
constexpr auto read_bytes(std::span<const char> bytes) -> exported_program { return value_or_raise(importer::read(bytes)); }

/// The program of an embedded model, made by the compiler: `constexpr auto model = baton::tflite::read<keyword_tflite>;`.
template <const auto& Bytes>
inline constexpr static_program<read_embedded<importer, Bytes>> read{};

}  // namespace baton::tflite
