// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Adds the nodes of a torch.export program: operands, attributes and outputs.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_text.hpp>
#include <baton/import/detail/pt2_aliases.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_keywords.hpp>
#include <baton/import/detail/pt2_reading.hpp>
#include <baton/import/detail/pt2_scope.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// An emitter of nodes. A node is represented like a kernel call of ExecuTorch (`pte::detail::kernel_calls`), so the operator tables of
/// both formats can share rules:
/// - The operator of the node has the name in the file without `torch.ops.`, such as `aten.add.Tensor`. An in-place operator becomes the
///   functional operator: its name has no underscore, and its output is the new value of the operand. So `aten.copy_` becomes `aten.copy`.
/// - The operands of the node are the arguments that are tensors, in order of position; a list of tensors is replaced by its elements. An
///   argument `None` is an omitted operand. Omitted operands at the end are removed if no argument is a list of tensors.
/// - If an argument is a list of tensors, the attribute `list_sizes` has the number of elements of each list.
/// - Every other argument at position i is the attribute `arg_<i>`: an integer, a real, a text, integers or reals. Booleans become
///   integers. A dtype, a memory format or a layout has the number that ExecuTorch uses. Devices are omitted. The file omits an
///   argument with its default value, so the node has no attribute for this argument.
/// - The position of a keyword argument is its position in the operator's schema. If `keyword_rows` does not list the keyword, the keyword
///   is the name of the attribute.
/// - The debug handle of a node is its position in the file, counted from 1. A debug handle is the number that identifies a node of the
///   model. The nodes of branches and bodies follow the nodes of the enclosing graph.
class node_emitter {
 public:
  constexpr node_emitter(reading& model, location_table& locations, scope_values& values)
      : model_(model),
        locations_(locations),
        values_(values) {}

  /// After this call, the emitter records which tensors are views of other tensors (`scope_values::add_view`). Must be called before the
  /// first node if the program has in-place operators.
  constexpr void track_views() { tracks_views_ = true; }

  /// Returns the name of a node. If the file does not state it, as in old files, returns the name of the first output.
  constexpr auto name_of(const node_entry& from) const -> stored_text {
    if (from.name.size != 0 || from.output_count == 0) return from.name;
    const argument_view first(from.outputs);
    return first.kind == argument::tensor ? word_reader(first.words).name() : from.name;
  }

  /// Adds the node whose index entry is `at` (`entry::node`). The node is in graph `scope`, and `handle` is its debug handle. Omits
  /// assertions, and nodes whose outputs are all numbers. Returns false after an error.
  constexpr auto emit(std::uint32_t scope, const std::uint32_t* at, std::uint32_t handle) -> bool {
    const node_entry from(at);
    const auto name = name_of(from);
    const auto target = model_.text(from.target);
    if (has_only_numbers(from)) return true;
    if (is_assertion(target)) return true;
    // `detach_` writes no element, so it is not treated as an in-place operator. It becomes `detach`.
    const bool is_detach = from.op == literal_name{"aten.detach_.default"}.hash;
    const bool is_in_place = is_in_place_operator(target) && !is_detach;
    if (!read_operands(scope, from, name)) return false;
    if (is_in_place) return emit_in_place(scope, at, from, name, handle);
    if (!read_outputs(scope, from, name)) return false;
    node record{.name = model_.view(name), .target = model_.view(from.target), .op = from.op, .debug_handle = handle};
    if (is_detach) {
      constexpr literal_name detach{"aten.detach.default"};
      record.target = program_builder::view(detach.text);
      record.op = detach.hash;
    }
    add_node(record, operands_, outputs_);
    if (!add_attributes(scope, from, name)) return false;
    if (tracks_views_ && (is_detach || is_view_operator(target))) note_views(scope, from, name);
    return model_.check_errors("node ", baton::view(model_.printable_name(name)));
  }

  // Functions that `graph_emitter` also uses

  constexpr void add_node(const node& record, span<const value_id> operands, span<const value_id> outputs) {
    model_.reader.charge(reading::cost_of_record + reading::cost_of_element * (operands.size() + outputs.size()));
    model_.builder.add_node(record, operands, outputs);
  }
  constexpr void add_integer(literal_name key, std::int64_t number) {
    add_attribute({.name = program_builder::view(key.text), .key = key.hash, .kind = attribute_kind::integer, .integer = number});
  }
  /// Appends the values of an argument of node `user`. The argument must be a tensor or a list of tensors. Returns false after an error.
  constexpr auto append_tensors(std::uint32_t scope, const argument_view& from, stored_text user, vector<value_id>& to) -> bool {
    auto words = from.words;
    if (from.kind == argument::tensor) {
      to.push_back(values_.read(scope, words.name(), user));
    } else if (from.kind == argument::tensors) {
      const auto count = words.word();
      model_.reader.charge(reading::cost_of_element * count);
      auto next = words.position();
      for (std::uint32_t i = 0; i < count && model_.reader.ok() && !model_.why; ++i) {
        const argument_view each(next);
        to.push_back(each.kind == argument::tensor ? values_.read(scope, word_reader(each.words).name(), user) : none<value_id>);
        next = each.end;
      }
    } else {
      return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(user)), " has an argument that is not a tensor");
    }
    return !model_.why;
  }
  /// Sets `outputs()` to new values for the outputs of a node. An output must be a tensor, a list of tensors or `None`. Returns false after
  /// an error.
  constexpr auto read_outputs(std::uint32_t scope, const node_entry& from, stored_text user) -> bool {
    outputs_.clear();
    auto next = from.outputs;
    for (std::uint32_t i = 0; i < from.output_count && !model_.why; ++i) {
      const argument_view each(next);
      next = each.end;
      auto words = each.words;
      if (each.kind == argument::tensor) {
        add_output(scope, words.name(), user);
      } else if (each.kind == argument::tensors) {
        const auto count = words.word();
        auto item = words.position();
        for (std::uint32_t k = 0; k < count && !model_.why; ++k) {
          const argument_view output(item);
          item = output.end;
          if (output.kind == argument::tensor) add_output(scope, word_reader(output.words).name(), user);
        }
      } else if (each.kind != argument::none) {
        return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(user)), " has an output that is not a tensor");
      }
    }
    return !model_.why;
  }
  constexpr auto outputs() const -> const vector<value_id>& { return outputs_; }

 private:
  /// True if the node has outputs, and all of them are numbers. Such a node is omitted, because the file states the values of the numbers.
  static constexpr auto has_only_numbers(const node_entry& from) -> bool {
    auto next = from.outputs;
    for (std::uint32_t i = 0; i < from.output_count; ++i) {
      const argument_view each(next);
      next = each.end;
      if (each.kind != argument::symbol && each.kind != argument::integer) return false;
    }
    return from.output_count != 0;
  }

  constexpr void add_output(std::uint32_t scope, stored_name name, stored_text user) {
    const auto at = locations_.find(scope, name);
    if (at == npos) {
      model_.refuse<"damaged_model">("node ", baton::view(model_.printable_name(user)), " defines value ",
                                     baton::view(model_.printable_name(name)), ", which tensor_values does not have");
      return;
    }
    outputs_.push_back(values_.add_output(at, user));
  }

  constexpr auto read_operands(std::uint32_t scope, const node_entry& from, stored_text name) -> bool {
    operands_.clear();
    list_sizes_.clear();
    auto next = from.inputs;
    for (std::uint32_t i = 0; i < from.input_count && !model_.why; ++i) {
      const argument_view each(next + 2);
      next = each.end;
      if (each.kind == argument::none) {
        operands_.push_back(none<value_id>);
      } else if (each.kind == argument::tensor || each.kind == argument::tensors) {
        const auto before = operands_.size();
        if (!append_tensors(scope, each, name, operands_)) return false;
        if (each.kind == argument::tensors) list_sizes_.push_back(static_cast<std::int64_t>(operands_.size() - before));
      }
    }
    while (!operands_.empty() && operands_.back() == none<value_id> && list_sizes_.empty()) operands_.pop_back();
    return model_.check_errors("the operands of node ", baton::view(model_.printable_name(name)));
  }

  // In-place operators

  constexpr auto emit_in_place(std::uint32_t scope, const std::uint32_t* at, const node_entry& from, stored_text name, std::uint32_t handle)
      -> bool {
    const auto written = first_tensor(scope, from);
    const bool has_output = from.output_count == 1 && argument_view(from.outputs).kind == argument::tensor;
    if (written == npos || !has_output) {
      return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(name)),
                                                " has an in-place operator, which must write one tensor and return it");
    }
    const auto output = values_.find(scope, argument_view(from.outputs).words.name(), name);
    if (output == npos) return false;
    const auto target = functional_name(model_.text(from.target));
    if (!values_.add_alias(output, written, name)) return false;
    const auto id = values_.add_value(output);
    outputs_.assign(1, id);
    if (model_.why) return false;
    add_node({.name = model_.view(name), .target = model_.own(target), .op = hash_of(baton::view(target)), .debug_handle = handle},
             operands_, outputs_);
    if (!add_attributes(scope, from, name)) return false;
    return values_.assign(written, id, at) && model_.check_errors("node ", baton::view(model_.printable_name(name)));
  }
  /// Returns the location of the first argument if it is a tensor, else `npos`.
  constexpr auto first_tensor(std::uint32_t scope, const node_entry& from) -> std::uint32_t {
    if (from.input_count == 0) return npos;
    const argument_view first(from.inputs + 2);
    if (first.kind != argument::tensor) return npos;
    const auto at = locations_.find(scope, word_reader(first.words).name());
    return at == npos ? at : locations_.resolved(at);
  }
  constexpr void note_views(std::uint32_t scope, const node_entry& from, stored_text name) {
    const auto base = first_tensor(scope, from);
    if (base == npos) return;
    auto next = from.outputs;
    for (std::uint32_t i = 0; i < from.output_count; ++i) {
      const argument_view each(next);
      next = each.end;
      auto words = each.words;
      if (each.kind == argument::tensor) values_.add_view(values_.find(scope, words.name(), name), base);
      if (each.kind != argument::tensors) continue;
      const auto count = words.word();
      auto item = words.position();
      for (std::uint32_t k = 0; k < count; ++k) {
        const argument_view output(item);
        item = output.end;
        if (output.kind == argument::tensor) values_.add_view(values_.find(scope, word_reader(output.words).name(), name), base);
      }
    }
  }

  // Attributes

  constexpr void add_attribute(const attribute& record) {
    model_.reader.charge(reading::cost_of_attribute);
    model_.builder.add_attribute(record);
  }
  /// Returns an attribute, without its value, for an argument. `keyword` is empty if the argument is positional. If `keyword_rows` does not
  /// list the keyword, the name of the attribute is the keyword, otherwise `arg_<position>`. All nodes share the texts of the names
  /// `arg_<position>`.
  constexpr auto named(const node_entry& from, std::uint32_t position, stored_text keyword, attribute_kind kind) -> attribute {
    if (keyword.size != 0) {
      const auto target = model_.text(from.target);
      const auto op = is_in_place_operator(target) ? hash_of(baton::view(functional_name(target))) : from.op;
      const auto known = keyword_position(op, model_.text(keyword));
      if (known == npos) return {.name = model_.view(keyword), .key = hash_of(model_.text(keyword)), .kind = kind};
      position = known;
    }
    while (names_.size() <= position) {
      const auto name = join("arg_", names_.size());
      names_.push_back({model_.own(name), hash_of(baton::view(name))});
    }
    return {.name = names_[position].text, .key = names_[position].hash, .kind = kind};
  }
  constexpr auto add_attributes(std::uint32_t scope, const node_entry& from, stored_text name) -> bool {
    auto next = from.inputs;
    for (std::uint32_t i = 0; i < from.input_count && model_.reader.ok() && !model_.why; ++i) {
      const stored_text keyword{next[0], next[1]};
      const argument_view each(next + 2);
      next = each.end;
      auto words = each.words;
      switch (each.kind) {
        case argument::integer:
        case argument::symbol: {
          auto record = named(from, i, keyword, attribute_kind::integer);
          record.integer = integer_of(scope, each, name);
          add_attribute(record);
          break;
        }
        case argument::real: {
          auto record = named(from, i, keyword, attribute_kind::real);
          record.real = words.real();
          add_attribute(record);
          break;
        }
        case argument::text: {
          auto record = named(from, i, keyword, attribute_kind::text);
          const auto text = model_.text(words.text());
          record.bytes =
              text.find('\\') == std::string_view::npos ? program_builder::view(text) : model_.own(baton::detail::json_text(text));
          add_attribute(record);
          break;
        }
        case argument::integers:
        case argument::symbols:
          add_integers(scope, named(from, i, keyword, attribute_kind::integers), each, name);
          break;
        case argument::reals: {
          auto record = named(from, i, keyword, attribute_kind::reals);
          vector<double> list;
          const auto count = words.word();
          model_.reader.charge(reading::cost_of_element * count);
          for (std::uint32_t k = 0; k < count; ++k) list.push_back(words.real());
          record.list = model_.builder.reals(list);
          add_attribute(record);
          break;
        }
        case argument::graph:
          return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(name)), " of operator ",
                                                    baton::view(model_.printable_name(from.target)),
                                                    " has a graph as an argument, which is not supported");
        case argument::other:
          return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(name)), " has an argument ",
                                                    baton::view(model_.printable_name(words.text())), ", which is not supported");
        default:
          break;
      }
    }
    if (list_sizes_.empty()) return !model_.why;
    constexpr literal_name key{"list_sizes"};
    attribute record{.name = program_builder::view(key.text), .key = key.hash, .kind = attribute_kind::integers};
    record.list = model_.builder.integers(list_sizes_);
    add_attribute(record);
    return !model_.why;
  }
  constexpr void add_integers(std::uint32_t scope, attribute record, const argument_view& from, stored_text name) {
    auto words = from.words;
    const auto count = words.word();
    model_.reader.charge(reading::cost_of_element * count);
    vector<std::int64_t> list;
    auto next = words.position();
    for (std::uint32_t k = 0; k < count && !model_.why; ++k) {
      if (from.kind == argument::integers) {
        list.push_back(words.number());
        continue;
      }
      const argument_view each(next);
      next = each.end;
      list.push_back(integer_of(scope, each, name));
    }
    record.list = model_.builder.integers(list);
    add_attribute(record);
  }
  /// Returns the value of an argument of kind `integer` or `symbol`.
  constexpr auto integer_of(std::uint32_t scope, const argument_view& from, stored_text user) -> std::int64_t {
    auto words = from.words;
    return from.kind == argument::symbol ? number_of(scope, words.name(), user) : words.number();
  }
  /// Returns the value of a named integer.
  constexpr auto number_of(std::uint32_t scope, stored_name name, stored_text user) -> std::int64_t {
    const auto at = locations_.find(scope, name);
    if (at == npos || static_cast<entry>(locations_[at].entry[0]) != entry::symbol) {
      model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(user)), " uses the number ",
                                         baton::view(model_.printable_name(name)), ", which the file does not state");
      return 0;
    }
    const auto* const words = locations_[at].entry + 5;
    return model_.size_of(words[0] != 0, word_reader(words + 1), baton::view(model_.printable_name(user)));
  }

  struct attribute_name {
    byte_ref text;
    std::uint64_t hash;
  };

  reading& model_;
  location_table& locations_;
  scope_values& values_;
  bool tracks_views_ = false;
  vector<attribute_name> names_;  ///< the names `arg_<position>`, indexed by position
  vector<value_id> operands_, outputs_;
  vector<std::int64_t> list_sizes_;
};

}  // namespace baton::pt2::detail
