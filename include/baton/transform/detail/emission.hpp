// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The class with which the emit functions of a `legalization_row` replace one node of a file format by operators of the kernels.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/text_argument.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/layout_emission.hpp>
#include <baton/transform/detail/permuted_bytes.hpp>
#include <baton/transform/rewriter.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton::detail {

/// The node that is being replaced, and functions that replace it. The `emit` function of a `legalization_row` reads operands and
/// attributes, and inserts nodes with `add`. The function ends with a call of a `finish` function, `forward` or `refuse`. A function that
/// "finishes the replacement with x" makes x the output of the replaced node. `operand(i)` is operand i of the replaced node. The stored
/// type of a value is the type in the chosen layout (`layout_emission`).
class emission : public layout_emission {
 public:
  using layout_emission::is_channels_last;

  constexpr emission(rewriter& change, const program_view& source, vector<value_layout>& layouts, byte_recipe::timing when)
      : layout_emission(change, source, layouts, when) {}

  /// Begins the replacement of a node of the source program.
  constexpr void begin(node_id id) {
    move_to(id);
    main_ = none<node_id>;
    operands_.clear();
    outputs_.clear();
    stated_.clear();
    const auto& record = source_[id];
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) operands_.push_back(change_.input(id, i));
    for (const auto output : source_.outputs_of(record)) outputs_.push_back(begin_output(output));
  }
  /// Ends the replacement. Returns false if the node was refused; `reason` says why.
  constexpr auto end() -> bool {
    if (!reason_.empty()) return false;
    change_.erase(id_, main_);
    const auto outputs = source_.outputs_of(source_[id_]);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i] == outputs[i]) continue;  // the values differ only for a graph output, which keeps the channels first
      convert(outputs_[i], outputs[i], false);
      set_converted(outputs[i], outputs_[i]);
      set_converted(outputs_[i], outputs[i]);
    }
    return true;
  }

  // The node

  constexpr auto operand_count() const -> std::size_t { return operands_.size(); }
  constexpr auto has(std::size_t at) const -> bool { return at < operands_.size() && operands_[at] != none<value_id>; }
  constexpr auto operand(std::size_t at) const -> value_id { return at < operands_.size() ? operands_[at] : none<value_id>; }
  constexpr auto output(std::size_t at = 0) const -> value_id { return outputs_[at]; }
  constexpr auto output_count() const -> std::size_t { return outputs_.size(); }
  /// Drops the outputs after the first `count`. The dropped outputs must have no use.
  constexpr void limit_outputs(std::size_t count) {
    if (count < outputs_.size()) outputs_.resize(count, none<value_id>);
  }
  /// True if output `at` has a use.
  constexpr auto is_used(std::size_t at) const -> bool { return change_.uses_of(source_.outputs_of(source_[id_])[at]) != 0; }
  /// True if output 0 has the channels last.
  constexpr auto is_channels_last() const -> bool { return is_channels_last(output()); }

  constexpr auto has_attribute(literal_name key) const -> bool {
    return stated(key) != nullptr || source_.find(source_[id_], key) != nullptr;
  }
  /// Returns the integer or boolean in the attribute `key`, clamped to [-(2^31 - 1), 2^31 - 1], so that sums of integers do not overflow.
  /// Returns 0 for a real number, and `absent` if there is no such attribute.
  constexpr auto integer(literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    return clamped(unclamped_integer(key, absent));
  }
  /// Returns the same as `integer`, but without the clamp.
  constexpr auto unclamped_integer(literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    const auto* const own = stated(key);
    return own != nullptr ? own->integer : source_.integer(source_[id_], key, absent);
  }
  constexpr auto real(literal_name key, double absent = 0) const -> double {
    if (const auto* const own = stated(key); own != nullptr)
      return own->kind == attribute_kind::real ? own->real : static_cast<double>(own->integer);
    return source_.real(source_[id_], key, absent);
  }
  constexpr auto text(literal_name key) const -> std::string_view {
    if (const auto* const own = stated(key); own != nullptr) return own->text;
    return source_.text(source_[id_], key);
  }
  constexpr auto list(literal_name key) const -> span<const std::int64_t> {
    if (const auto* const own = stated(key); own != nullptr) return own->list;
    const auto* const stored = source_.find(source_[id_], key);
    return stored == nullptr || stored->kind != attribute_kind::integers ? span<const std::int64_t>{} : source_.integer_list(stored->list);
  }
  /// Returns the list of real numbers in the attribute `key` of the file. Returns an empty list if the node has no such attribute, or if
  /// the attribute is not a list of real numbers.
  constexpr auto reals(literal_name key) const -> span<const double> {
    const auto* const stored = source_.find(source_[id_], key);
    return stored == nullptr || stored->kind != attribute_kind::reals ? span<const double>{} : source_.real_list(stored->list);
  }
  /// Returns number `at` of a list of integers, clamped as by `integer`. Returns `absent` if the list has no such number.
  static constexpr auto entry(span<const std::int64_t> numbers, std::size_t at, std::int64_t absent) -> std::int64_t {
    return at < numbers.size() ? clamped(numbers[at]) : absent;
  }
  /// Returns number `at` of the list in the attribute `key`, as the overload above does.
  constexpr auto entry(literal_name key, std::size_t at, std::int64_t absent) const -> std::int64_t { return entry(list(key), at, absent); }
  /// Returns the integers of a constant operand.
  constexpr auto integers(std::size_t at) const -> known_integers { return known_integers::in(change_.program(), operand(at)); }
  /// Returns number `at` of a constant float32 operand, or `absent` if the operand is omitted or has no such number.
  constexpr auto real_element(std::size_t operand_at, std::size_t at, float absent) -> float {
    if (!has(operand_at) || change_[operand(operand_at)].data.size / 4 <= at) return absent;
    return change_.program().scale({.scales = settled(operand(operand_at)), .channels = 2}, static_cast<std::uint32_t>(at));
  }

  // Values

  /// Returns the position of the file's dimension `axis` in a value that has `rank` dimensions and the layout of the output. A negative
  /// `axis` counts from the end.
  constexpr auto dimension(std::int64_t axis, std::size_t rank) const -> std::int64_t {
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    return is_channels_last() ? last_dimension(axis, rank) : axis;
  }
  /// Returns the stored type of output 0.
  constexpr auto output_type() const -> tensor_type { return stored_type(output()); }

  /// Sets the stored shape of output 0 to the shape of `type`. Use this function if the file does not state the shape.
  constexpr void set_shape(const tensor_type& type) { change_.edit(output()).shape = change_.own(type.shape()); }

  /// Returns operand `at` in the layout of the output. Before a constant is permuted, its shape is extended to the rank of the output, with
  /// sizes of 1 in front.
  constexpr auto in(std::size_t at) -> value_id {
    const auto id = operand(at);
    return is_constant(id) ? constant_in(id) : in_layout(id, is_channels_last());
  }
  /// Returns operand `at` with the channels last.
  constexpr auto channels_last_operand(std::size_t at) -> value_id { return in_layout(operand(at), true); }
  /// Returns operand `at` in the layout of the file.
  constexpr auto operand_in_file_layout(std::size_t at) -> value_id { return in_file_layout(operand(at)); }

  // Results

  /// Inserts a node with one output of the stored type `type` and the layout `to`, and returns the output. The name of the node is the name
  /// of the replaced node, "_" and `suffix`.
  constexpr auto add(text_argument suffix, text_argument op, std::initializer_list<value_id> inputs, const tensor_type& type,
                     std::initializer_list<named_literal> literals = {}, const value_layout& to = {}) -> value_id {
    return add(suffix, op, span<const value_id>{inputs.begin(), inputs.size()}, type, span_of(literals), to);
  }
  constexpr auto add(text_argument suffix, text_argument op, span<const value_id> inputs, const tensor_type& type,
                     span<const named_literal> literals, const value_layout& to = {}) -> value_id {
    const auto named = join(name(), "_", suffix.text);
    const auto result = add_value(view(named), type, to);
    insert(view(named), op, inputs, {&result, 1}, literals);
    return result;
  }
  /// Inserts a node with two outputs, of the types `first` and `second` and without a layout, and returns the outputs.
  constexpr auto add_two(text_argument suffix, text_argument op, std::initializer_list<value_id> inputs, const tensor_type& first,
                         const tensor_type& second) -> std::array<value_id, 2> {
    const auto named = join(name(), "_", suffix.text);
    const std::array<value_id, 2> results{add_value(view(named), first, {}), add_value(view(join(view(named), "_1")), second, {})};
    insert(view(named), op, {inputs.begin(), inputs.size()}, results, {});
    return results;
  }
  /// Inserts the main node. The main node has the name, the debug handle, the tag and all outputs of the replaced node. A debug handle is a
  /// number that identifies a node of the model. Nodes with the same tag become one delegate.
  constexpr void finish(text_argument op, span<const value_id> inputs, span<const named_literal> literals = {}) {
    main_ = change_.insert_before(
        id_, {.name = name(), .op = op, .inputs = inputs, .outputs = outputs_, .literals = literals, .handle_of = id_, .tag_of = id_});
  }
  constexpr void finish(text_argument op, std::initializer_list<value_id> inputs, std::initializer_list<named_literal> literals = {}) {
    finish(op, span<const value_id>{inputs.begin(), inputs.size()}, span<const named_literal>{literals.begin(), literals.size()});
  }
  /// Inserts a node that computes only output `at`. The first call for a replaced node inserts the main node, which has the debug handle of
  /// the replaced node.
  constexpr void finish_output(std::size_t at, text_argument op, span<const value_id> inputs, span<const named_literal> literals = {}) {
    auto named = join(name());
    if (at != 0) append(append(named, "_output_"), static_cast<std::int64_t>(at));
    const auto inserted = change_.insert_before(id_, {.name = view(named),
                                                      .op = op,
                                                      .inputs = inputs,
                                                      .outputs = {&outputs_[at], 1},
                                                      .literals = literals,
                                                      .handle_of = main_ == none<node_id> ? id_ : none<node_id>,
                                                      .tag_of = id_});
    if (main_ == none<node_id>) main_ = inserted;
  }
  constexpr void finish_output(std::size_t at, text_argument op, std::initializer_list<value_id> inputs,
                               std::initializer_list<named_literal> literals = {}) {
    finish_output(at, op, span<const value_id>{inputs.begin(), inputs.size()}, span_of(literals));
  }
  /// Finishes the replacement with a reshape of `id` to the stored type of the output.
  constexpr void finish_reshape(value_id id) {
    copy_quantization(id, output());
    const auto type = output_type();
    finish("tfl.reshape", {id}, {{"new_shape", type.shape()}});
  }
  /// Finishes the replacement with a transpose of `id`, or with a reshape if no element moves.
  constexpr void finish_transpose(value_id id, const permutation& axes) {
    if (!axes.moves()) return finish_reshape(id);
    copy_quantization(id, output());
    finish("tfl.transpose", {id, order_constant("order", axes)});
  }
  /// Replaces output 0 by `by`, a value of the same type and layout. If output 0 is a graph output, finishes the replacement with a reshape
  /// instead.
  constexpr void forward(value_id by) {
    const auto out = source_.outputs_of(source_[id_])[0];
    if (change_.is_output(out)) return finish_reshape(by);  // the output keeps its name
    change_.erase(id_);
    change_.replace_uses(out, by);
    outputs_[0] = out;
  }

  // Replacement by the emit functions of other operators

  /// Sets attributes that the emit function of another operator reads. An attribute of the file with the same name is then ignored. The
  /// lists and texts must stay valid until the node is replaced.
  constexpr void set_attributes(std::initializer_list<named_literal> literals) {
    stated_.insert(stated_.end(), literals.begin(), literals.end());
  }

  /// Replaces the operands of the node, for example by dequantized operands.
  constexpr void set_operands(const vector<value_id>& operands) { operands_ = operands; }
  /// Adds a value of the stored type `type`. The `finish` functions then compute this value instead of output 0. `end_inner` inserts the
  /// node that computes output 0 from this value.
  constexpr void begin_inner(text_argument suffix, const tensor_type& type, const value_layout& to = {}) {
    outer_.push_back(output());
    outputs_[0] = add_value(view(join(change_.program().text(change_[output()].name), "_", suffix.text)), type, to);
  }
  /// Ends the innermost `begin_inner`: inserts a node that computes output 0 from the value of `begin_inner`, and from `second` unless
  /// `second` is `none`.
  constexpr void end_inner(text_argument suffix, text_argument op, std::initializer_list<named_literal> literals = {},
                           value_id second = none<value_id>) {
    end_inner(suffix, op, span<const value_id>{&second, second == none<value_id> ? std::size_t{0} : std::size_t{1}}, span_of(literals));
  }
  /// Ends the innermost `begin_inner`. `others` are the operands of the inserted node after the first operand.
  constexpr void end_inner(text_argument suffix, text_argument op, span<const value_id> others, span<const named_literal> literals = {}) {
    vector<value_id> operands;
    operands.push_back(std::exchange(outputs_[0], outer_.back()));
    operands.insert(operands.end(), others.begin(), others.end());
    outer_.pop_back();
    if (is_refused()) return;
    insert(view(join(name(), "_", suffix.text)), op, operands, {&outputs_[0], 1}, literals);
  }

 private:
  constexpr auto stated(literal_name key) const -> const named_literal* {
    for (const auto& literal : stated_) {
      if (literal.name == key.text) return &literal;
    }
    return nullptr;
  }
  static constexpr auto clamped(std::int64_t number) -> std::int64_t {
    constexpr std::int64_t max_number = 0x7fffffff;
    return std::clamp(number, -max_number, max_number);
  }
  /// Returns the value that the new nodes compute for the output `id`. If `id` is a graph output with the channels last, returns a new
  /// value, because graph outputs stay as in the file. Otherwise, returns `id`, with its stored shape.
  constexpr auto begin_output(value_id id) -> value_id {
    if (!is_channels_last(id)) return id;
    auto type = stored_type(id);
    if (type.rank > 2) type = order_of(type, true).result();
    const auto to = layout(id);
    if (!change_.is_output(id)) {
      change_.edit(id).shape = change_.own(type.shape());
      return id;
    }
    layouts_[index(id)].is_channels_last = false;
    return add_value(view(join(change_.program().text(change_[id].name), "_channels_last")), type, to);
  }
  /// Returns a constant in the layout of the output, so that the constant can be broadcast.
  constexpr auto constant_in(value_id id) -> value_id {
    const auto type = stored_type(id), out = output_type();
    if (!is_channels_last() || element_count(type.shape()) == 1 || type.rank > out.rank) return id;
    permutation by{{type.type, out.rank, {}}, {}};
    const auto missing = out.rank - type.rank;
    for (std::size_t i = 0; i < out.rank; ++i) by.type.sizes[i] = i < missing ? 1 : type.sizes[i - missing];
    const auto axis = static_cast<std::size_t>(change_[data_of(id)].quant.axis) + missing;
    if (out.rank > 2) {
      by = order_of(by.type, true);
      return moved(id, by, by.result(), static_cast<std::int32_t>(last_dimension(static_cast<std::int64_t>(axis), out.rank)));
    }
    const auto row = layout(output());
    if (!row.moves() || type.sizes[type.rank - 1] == 1) return id;
    if (change_[data_of(id)].quant.channels > 1)
      return refuse("a constant that is quantized per channel cannot be permuted to the layout of a flattened image"), id;
    by = {tensor(type.type, element_count(type.shape()) / (row.channels * row.inner), row.channels, row.inner), {0, 2, 1}};
    return moved(id, by, type, 0);
  }

  node_id main_ = none<node_id>;
  vector<value_id> operands_;
  vector<value_id> outputs_;
  vector<named_literal> stated_;
  vector<value_id> outer_;  ///< the outputs that `end_inner` will compute, innermost last
};

}  // namespace baton::detail
