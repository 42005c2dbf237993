// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the kernel calls of an ExecuTorch program to nodes. A value number is a position in the method's list of values.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_operators.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_values.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/infer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// An emitter of the nodes of kernel calls. The file states arguments by position, without names. The operator tables and the passes depend
/// on the following representation of a node:
/// - The operator of the node has the name in the file, such as `aten.add.out`. An in-place operator has the name without the underscore,
///   and its output is a new value.
/// - The operands of the node are the arguments that are tensors, in order of position; a list of tensors is replaced by its elements. An
///   argument `None` is an omitted operand. Omitted operands at the end are removed if no argument is a list of tensors. The memory for
///   outputs and the working memory are not operands.
/// - If an argument is a list of tensors, the attribute `list_sizes` has the number of elements of each list.
/// - Every other argument at position i is the attribute `arg_<i>`: an integer, a real, a text, integers or reals. Booleans become
///   integers.
/// - The shape of a value is the shape in memory: the sizes in the dimension order (`dimension_order`). If an order is not the identity,
///   the attribute `dim_orders` has the orders of all operands, then of all outputs. Each order has one entry for each dimension.
/// - The debug handle of a node is the position of the instruction, counted from 1. A debug handle is the number that identifies a node of
///   the model. An omitted view (`scope_values`) has a debug handle that is greater than those of all instructions.
class kernel_calls {
 public:
  using arguments = call_reader::arguments;

  constexpr kernel_calls(reading& model, std::string_view method, method_values& values, operator_table& operators, call_reader& calls,
                         scope_values& in)
      : model_(model),
        method_(method),
        values_(values),
        operators_(operators),
        calls_(calls),
        scopes_(in) {}

  /// Adds instruction `at`, a call of operator `op` with the arguments `list`. The call must have been checked (`call_reader::check`).
  /// Returns false after an error.
  constexpr auto emit(scope& in, std::size_t op, const arguments& list, std::size_t at) -> bool {
    const auto& known = operators_[op];
    const auto layout = calls_.layout_of(known, list, at);
    if (model_.why) return false;
    if (layout.number != npos) return compute_number(in, op, list, at);
    if (known.is_in_place && is_copy(known) && layout.operands >= 2 && assign_copy(in, list))
      return model_.check_errors("instruction ", at);
    if (!read_operands(in, list, layout.operands, at)) return false;
    vector<value_id> outputs;
    for (const auto number : layout.outputs) outputs.push_back(scopes_.add_output(in, number, name_of(number, at)));
    add_node(node_name(at), known.target, known.hash, at, operands_, outputs);
    add_attributes(list, layout.operands, at);
    add_list_sizes();
    add_orders(operands_, outputs);
    return set_sizes(layout.outputs, outputs, at) && model_.check_errors("instruction ", at);
  }

  // Functions that the emitters of other instructions also use

  constexpr auto node_name(std::size_t at) -> byte_ref { return model_.own(join(method_, "_node_", at)); }
  /// Returns the name of the value that instruction `at` writes to value number `number`. A value number that is written several times has
  /// several names.
  constexpr auto name_of(std::uint32_t number, std::size_t at) -> byte_ref { return model_.own(join("value_", number, "_", at)); }

  constexpr void add_node(byte_ref name, byte_ref target, std::uint64_t hash, std::size_t at, span<const value_id> operands,
                          span<const value_id> outputs) {
    model_.reader.charge(reading::cost_of_record + reading::cost_of_element * (operands.size() + outputs.size()));
    model_.builder.add_node({.name = name, .target = target, .op = hash, .debug_handle = static_cast<std::uint32_t>(at + 1)}, operands,
                            outputs);
  }
  constexpr void add_node(literal_name op, std::size_t at, span<const value_id> operands, span<const value_id> outputs) {
    add_node(node_name(at), program_builder::view(op.text), op.hash, at, operands, outputs);
  }
  constexpr void add_integer(literal_name key, std::int64_t number) {
    add_attribute({.name = program_builder::view(key.text), .key = key.hash, .kind = attribute_kind::integer, .integer = number});
  }
  constexpr void add_list(literal_name key, span<const std::int64_t> list) {
    model_.reader.charge(reading::cost_of_element * list.size());
    add_attribute({.name = program_builder::view(key.text),
                   .key = key.hash,
                   .kind = attribute_kind::integers,
                   .list = model_.builder.integers(list)});
  }
  /// Adds the attribute `dim_orders` to the latest node if a dimension order is not the identity.
  constexpr void add_orders(span<const value_id> operands, span<const value_id> outputs) {
    bool has_order = false;
    for (const auto id : operands) has_order = has_order || (id != none<value_id> && scopes_.order_of(id) != 0);
    for (const auto id : outputs) has_order = has_order || scopes_.order_of(id) != 0;
    if (!has_order) return;
    vector<std::int64_t> orders;
    for (const auto id : operands) append_order(orders, id);
    for (const auto id : outputs) append_order(orders, id);
    add_list("dim_orders", orders);
  }

 private:
  static constexpr auto is_copy(const method_operator& op) -> bool { return op.hash == literal_name{"aten.copy"}.hash; }

  /// Makes the source of `copy_(x, source)` the value of `x`, if the source and `x` have the same type, shape and dimension order. Returns
  /// false if the source is not a tensor, or if one of these differs. If the file states only upper bounds of the sizes of `x`, the ranks
  /// are compared instead of the shapes.
  constexpr auto assign_copy(scope& in, const arguments& list) -> bool {
    const auto to = call_reader::number_at(list, 0), from = call_reader::number_at(list, 1);
    if (!values_.is_tensor(from)) return false;
    const auto source = scopes_.read(in, from);
    if (model_.why) return true;
    const auto facts = values_.tensor(to);
    const auto& record = model_.builder.at(source);
    const auto shape = model_.builder.draft().integer_list(record.shape);
    const bool has_shape = facts.is_dynamic ? shape.size() == facts.rank : same(shape, facts.shape());
    if (record.type != facts.type || scopes_.order_of(source) != facts.order || !has_shape) return false;
    scopes_.assign(in, to, source);
    return true;
  }

  /// If the options state input shapes, infers the sizes of outputs for which the file states only upper bounds. Fails with
  /// `unresolved_type` if inference does not determine the sizes, and with `unsupported_model` if the inferred sizes exceed the upper
  /// bounds.
  constexpr auto set_sizes(span<const std::uint32_t> numbers, span<const value_id> outputs, std::size_t at) -> bool {
    if (model_.options.shapes.empty()) return true;
    for (std::size_t i = 0; i < outputs.size() && !model_.why; ++i) {
      const auto facts = values_.tensor(numbers[i]);
      if (!facts.is_dynamic) continue;
      const auto& draft = model_.builder.draft();
      const auto types = infer(draft, draft.nodes.back());
      if (!types) return model_.refuse<"unresolved_type">("instruction ", at, ": ", baton::view(types.error.reason));
      if (i >= types.value.size() || !types.value[i].has_shape || element_count(types.value[i].shape.view()) < 0) {
        return model_.refuse<"unresolved_type">("the sizes of an output of instruction ", at, " do not follow from its operands");
      }
      const auto sizes = types.value[i].shape.view();
      bool fits = sizes.size() == facts.rank;
      for (std::size_t d = 0; fits && d < sizes.size(); ++d) fits = sizes[d] <= facts.sizes[d];
      if (!fits) return model_.refuse<"unsupported_model">("an output of instruction ", at, " exceeds the upper bounds in the file");
      model_.builder.at(outputs[i]).shape = model_.builder.integers(sizes);
    }
    return true;
  }

  constexpr auto read_operands(scope& in, const arguments& list, std::size_t count, std::size_t at) -> bool {
    operands_.clear();
    list_sizes_.clear();
    model_.reader.charge(reading::cost_of_element * count);
    for (std::size_t i = 0; i < count && model_.reader.ok(); ++i) {
      const auto number = call_reader::number_at(list, i);
      switch (values_.type_of(number)) {
        case value_type::tensor:
          read_operand(in, number);
          break;
        case value_type::null:
          operands_.push_back(none<value_id>);
          break;
        case value_type::tensors:
        case value_type::optional_tensors:
          read_list(in, number, at);
          break;
        default:
          break;
      }
    }
    while (!operands_.empty() && operands_.back() == none<value_id> && list_sizes_.empty()) operands_.pop_back();
    return model_.check_errors("the operands of instruction ", at);
  }
  constexpr void read_operand(scope& in, std::uint32_t number) {
    bool is_scratch = false;
    const auto id = scopes_.read_operand(in, number, is_scratch);
    if (!is_scratch) operands_.push_back(id);
  }
  constexpr void read_list(scope& in, std::uint32_t number, std::size_t at) {
    const auto items = values_.literal(number).elements<std::int32_t>(slot::literal::value);
    model_.reader.charge(2 * reading::cost_of_element * items.size());
    list_sizes_.push_back(static_cast<std::int64_t>(items.size()));
    for (std::size_t i = 0; i < items.size() && model_.reader.ok() && !model_.why; ++i) {
      const auto item = items[i];
      const auto type = values_.has(item) ? values_.type_of(static_cast<std::uint32_t>(item)) : value_type::none;
      if (type == value_type::tensor) {
        operands_.push_back(scopes_.read(in, static_cast<std::uint32_t>(item)));
      } else if (type == value_type::null || (item == -1 && values_.type_of(number) == value_type::optional_tensors)) {
        operands_.push_back(none<value_id>);
      } else {
        model_.refuse<"damaged_model">("instruction ", at, ": list value ", number, " contains value ", item, ", which is not a tensor");
      }
    }
  }

  // Attributes

  constexpr void add_attribute(const attribute& record) {
    model_.reader.charge(reading::cost_of_attribute);
    model_.builder.add_attribute(record);
  }
  constexpr void add_list_sizes() {
    if (!list_sizes_.empty()) add_list("list_sizes", list_sizes_);
  }
  /// Returns an attribute, without its value, with the name `arg_<position>`. All nodes share the texts of these names.
  constexpr auto named(std::size_t position, attribute_kind kind) -> attribute {
    while (names_.size() <= position) {
      const auto name = join("arg_", names_.size());
      names_.push_back({model_.own(name), hash_of(baton::view(name))});
    }
    return {.name = names_[position].text, .key = names_[position].hash, .kind = kind};
  }

  constexpr void add_attributes(const arguments& list, std::size_t count, std::size_t at) {
    for (std::size_t i = 0; i < count && model_.reader.ok() && !model_.why; ++i) {
      const auto number = call_reader::number_at(list, i);
      const auto type = values_.type_of(number);
      if (type == value_type::integer || type == value_type::boolean) {
        auto record = named(i, attribute_kind::integer);
        const auto known = values_.number(number);
        if (!known.is_known)
          model_.refuse<"unsupported_model">("instruction ", at, " uses the counter of a loop, value ", number, ", as argument ", i);
        record.integer = known.value;
        add_attribute(record);
      } else if (type == value_type::real) {
        auto record = named(i, attribute_kind::real);
        record.real = values_.real(number);
        add_attribute(record);
      } else if (type == value_type::text) {
        auto record = named(i, attribute_kind::text);
        record.bytes = model_.view(values_.literal(number).text(slot::literal::value));
        add_attribute(record);
      } else if (type >= value_type::integers && type <= value_type::booleans) {
        add_numbers(number, type, i, at);
      } else if (type == value_type::none || type > value_type::optional_tensors) {
        model_.refuse<"damaged_model">("argument ", i, " of instruction ", at, " is value ", number, " of the unknown type ",
                                       static_cast<std::uint32_t>(type));
      }
    }
  }
  constexpr void add_numbers(std::uint32_t number, value_type type, std::size_t position, std::size_t at) {
    const auto stored = values_.literal(number);
    if (type == value_type::reals) {
      const auto items = stored.elements<double>(slot::literal::value);
      model_.reader.charge(reading::cost_of_element * items.size());
      vector<double> list;
      for (std::size_t i = 0; i < items.size() && model_.reader.ok(); ++i) list.push_back(items[i]);
      auto record = named(position, attribute_kind::reals);
      record.list = model_.builder.reals(list);
      return add_attribute(record);
    }
    vector<std::int64_t> list;
    if (type == value_type::booleans) {
      const auto items = stored.elements<bool>(slot::literal::value);
      model_.reader.charge(reading::cost_of_element * items.size());
      for (std::size_t i = 0; i < items.size() && model_.reader.ok(); ++i) list.push_back(items[i] ? 1 : 0);
    } else {
      // Each item is a value number.
      const auto items = stored.elements<std::int64_t>(slot::literal::value);
      model_.reader.charge(reading::cost_of_element * items.size());
      for (std::size_t i = 0; i < items.size() && model_.reader.ok(); ++i) {
        const auto known = values_.has(items[i]) ? values_.number(static_cast<std::uint32_t>(items[i])) : method_values::known_number{};
        if (!known.is_known) {
          model_.refuse<"damaged_model">("argument ", position, " of instruction ", at, " is a list with value ", items[i],
                                         ", which is not a known integer");
        }
        list.push_back(known.value);
      }
    }
    auto record = named(position, attribute_kind::integers);
    record.list = model_.builder.integers(list);
    add_attribute(record);
  }
  constexpr void append_order(vector<std::int64_t>& orders, value_id id) {
    if (id == none<value_id>) return;
    const auto order = scopes_.order_of(id);
    for (std::uint32_t i = 0; i < model_.builder.at(id).shape.size; ++i) orders.push_back(dimension_at(order, i));
  }

  // Numbers that the importer computes: sizes, and the results of `executorch_prim` operators

  constexpr auto compute_number(scope& in, std::size_t op, const arguments& list, std::size_t at) -> bool {
    const auto to = call_reader::number_at(list, list.size() - 1);
    const auto result = number_of(in, operators_[op].hash, list);
    if (!model_.check_errors("instruction ", at)) return false;
    if (!result.is_known) {
      return model_.refuse<"unsupported_model">("instruction ", at, " calls ", operators_.name_of(op),
                                                ", which computes a number that is not known before the program runs");
    }
    values_.set_number(to, result, operators_[op].hash != literal_name{"aten.sym_size.int"}.hash);
    return true;
  }
  constexpr auto number_of(scope& in, std::uint64_t op, const arguments& list) -> method_values::known_number {
    if (list.size() != 3) return {};
    const auto first = call_reader::number_at(list, 0);
    const auto right = values_.number(call_reader::number_at(list, 1));
    if (op == literal_name{"aten.sym_size.int"}.hash)
      return values_.is_tensor(first) ? size_of(scopes_.read(in, first), right) : method_values::known_number{};
    const auto left = values_.number(first);
    if (!left.is_known || !right.is_known) return {};
    const auto a = left.value, b = right.value;
    // The product of two numbers within this limit cannot overflow.
    constexpr std::int64_t limit = INT32_MAX;
    if (a < -limit || a > limit || b < -limit || b > limit) return {};
    if (op == literal_name{"executorch_prim.add.Scalar"}.hash) return {true, a + b};
    if (op == literal_name{"executorch_prim.sub.Scalar"}.hash) return {true, a - b};
    if (op == literal_name{"executorch_prim.mul.Scalar"}.hash) return {true, a * b};
    if (op == literal_name{"executorch_prim.eq.Scalar"}.hash) return {true, a == b ? 1 : 0};
    if (op == literal_name{"executorch_prim.gt.Scalar"}.hash) return {true, a > b ? 1 : 0};
    if (op == literal_name{"executorch_prim.lt.Scalar"}.hash) return {true, a < b ? 1 : 0};
    if (op == literal_name{"executorch_prim.ge.Scalar"}.hash) return {true, a >= b ? 1 : 0};
    if (op == literal_name{"executorch_prim.le.Scalar"}.hash) return {true, a <= b ? 1 : 0};
    return {};
  }
  /// Returns the size of a dimension of a value. The size is unknown if the value has no such dimension.
  constexpr auto size_of(value_id id, method_values::known_number dimension) -> method_values::known_number {
    if (model_.why || !dimension.is_known) return {};
    const auto shape = model_.builder.draft().integer_list(model_.builder.at(id).shape);
    const auto order = scopes_.order_of(id);
    for (std::uint32_t i = 0; i < shape.size(); ++i) {
      const std::int64_t d = dimension_at(order, i);
      if (d == dimension.value || d - static_cast<std::int64_t>(shape.size()) == dimension.value) return {true, shape[i]};
    }
    return {};
  }

  struct attribute_name {
    byte_ref text;
    std::uint64_t hash;
  };

  reading& model_;
  std::string_view method_;
  method_values& values_;
  operator_table& operators_;
  call_reader& calls_;
  scope_values& scopes_;
  vector<value_id> operands_;
  vector<std::int64_t> list_sizes_;
  vector<attribute_name> names_;  ///< the names `arg_<position>`, indexed by position
};

}  // namespace baton::pte::detail
