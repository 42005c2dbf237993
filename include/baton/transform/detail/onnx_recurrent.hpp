// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX recurrent layers by float32 operators, with separate nodes for each time step.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

enum class recurrent_cell : std::uint8_t { rnn, gru, lstm };

/// An emitter that unrolls a recurrent layer: it inserts separate nodes for each time step. Exception: in each direction, one node computes
/// the products of the inputs and the input weights for all steps. The formulas and the order of the gates follow the ONNX standard. The
/// order is i, o, f, c for `LSTM`, and z, r, h for `GRU`.
class recurrent_layer {
 public:
  /// The maximum number of steps, summed over both directions.
  static constexpr std::int64_t max_steps = 128;

  constexpr recurrent_layer(emission& emitter, recurrent_cell cell)
      : emitter_(emitter),
        cell_(cell),
        gates_(cell == recurrent_cell::rnn   ? 1
               : cell == recurrent_cell::gru ? 3
                                             : 4),
        is_batch_first_(emitter.integer("layout") != 0) {}

  constexpr void emit() {
    read_sizes();
    check();
    if (emitter_.is_refused()) return;
    auto sequence = emitter_.operand_in_file_layout(0);
    if (is_batch_first_ && batches_ != 1) {
      const std::int64_t order[] = {1, 0, 2};
      sequence = emitter_.add("steps", "tfl.transpose", {sequence, emitter_.integer_constant("order", order)},
                              tensor(dtype::float32, steps_, batches_, inputs_));
    }
    const auto rows = tensor(dtype::float32, steps_ * batches_, inputs_);
    sequence = reshaped("rows", sequence, rows);
    for (std::size_t d = 0; d < directions_; ++d) run(d, sequence);
    finish();
  }

 private:
  constexpr void read_sizes() {
    const auto in = emitter_.file_type(emitter_.operand(0)), weights = emitter_.file_type(emitter_.operand(1)),
               recurrence = emitter_.file_type(emitter_.operand(2));
    if (in.rank != 3 || weights.rank != 3 || recurrence.rank != 3) return emitter_.refuse("an operand does not have three dimensions");
    steps_ = in.sizes[is_batch_first_ ? 1 : 0];
    batches_ = in.sizes[is_batch_first_ ? 0 : 1];
    inputs_ = in.sizes[2];
    hidden_ = recurrence.sizes[2];
    directions_ = weights.sizes[0] == 2 ? 2 : 1;
    const auto rows = static_cast<std::int64_t>(gates_) * hidden_;
    const bool fits = steps_ > 0 && batches_ > 0 && inputs_ > 0 && hidden_ > 0 && weights.sizes[1] == rows && weights.sizes[2] == inputs_ &&
                      recurrence.sizes[1] == rows && recurrence.sizes[0] == weights.sizes[0] && weights.sizes[0] <= 2 &&
                      weights.sizes[0] > 0;
    if (!fits) {
      emitter_.refuse("the weights do not fit the input; expected ", directions_, " by ", rows, " by ", inputs_, " and ", directions_,
                      " by ", rows, " by ", hidden_);
    }
  }
  constexpr void check() {
    if (emitter_.is_refused()) return;
    if (steps_ * static_cast<std::int64_t>(directions_) > max_steps) {
      return emitter_.refuse("there are ", steps_ * static_cast<std::int64_t>(directions_), " steps in all directions, more than ",
                             max_steps, "; use Scan or Loop");
    }
    if (emitter_.has_attribute("clip")) return emitter_.refuse("clip is not supported");
    for (const std::size_t at : {1u, 2u, 3u}) {
      if (emitter_.has(at) && !emitter_.is_data(emitter_.operand(at)))
        return emitter_.refuse("operand ", at, " is not a constant; export constant weights");
      if (emitter_.has(at) && emitter_.record(emitter_.operand(at)).type != dtype::float32)
        return emitter_.refuse("operand ", at, " is not float32");
    }
    const auto lengths = emitter_.integers(4);
    if (emitter_.has(4) && !lengths.are_known) return emitter_.refuse("the lengths of sequences are not a constant");
    for (std::size_t i = 0; emitter_.has(4) && i < lengths.count; ++i) {
      if (lengths[i] != steps_) return emitter_.refuse("a sequence is shorter than the input");
    }
    if (cell_ == recurrent_cell::lstm && emitter_.has(7) && !emitter_.is_data(emitter_.operand(7)))
      return emitter_.refuse("the peepholes are not a constant");
    read_activations();
  }

  /// Reads the activation functions from the attribute `activations`, a list separated by commas. The functions of direction 0 precede the
  /// functions of direction 1.
  constexpr void read_activations() {
    constexpr std::string_view default_names[3][3] = {{"Tanh", "", ""}, {"Sigmoid", "Tanh", ""}, {"Sigmoid", "Tanh", "Tanh"}};
    const auto count = static_cast<std::size_t>(cell_) + 1;
    auto remaining = emitter_.text("activations");
    if (emitter_.has_attribute("activation_alpha") || emitter_.has_attribute("activation_beta")) {
      return emitter_.refuse("parameters of activations are not supported");
    }
    for (std::size_t i = 0; i < directions_ * count; ++i) {
      auto named = default_names[static_cast<std::size_t>(cell_)][i % count];
      if (emitter_.has_attribute("activations")) {
        const auto end = remaining.find(',');
        named = remaining.substr(0, end);
        remaining = end == std::string_view::npos ? std::string_view{} : remaining.substr(end + 1);
      }
      const auto op = named == "Tanh" ? "tfl.tanh" : named == "Sigmoid" ? "tfl.logistic" : named == "Relu" ? "tfl.relu" : "";
      if (std::string_view(op).empty()) return emitter_.refuse("activation ", named, " is not supported");
      activations_[i / count][i % count] = op;
    }
  }

  // Values of one direction

  constexpr auto name_in_direction(std::string_view suffix) const -> text_buffer { return join("direction_", direction_, "_", suffix); }
  constexpr auto name_in_step(std::string_view suffix) const -> text_buffer {
    return join("direction_", direction_, "_step_", step_, "_", suffix);
  }
  constexpr auto call(std::string_view suffix, std::string_view op, std::initializer_list<value_id> inputs, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    return emitter_.add(view(name_in_step(suffix)), op, inputs, type, literals);
  }
  constexpr auto reshaped(std::string_view suffix, value_id in, const tensor_type& type) -> value_id {
    return call(suffix, "tfl.reshape", {in}, type, {{"new_shape", type.shape()}});
  }
  constexpr auto row(std::size_t parts = 1) const -> tensor_type {
    return tensor(dtype::float32, batches_, static_cast<std::int64_t>(parts) * hidden_);
  }
  constexpr auto sum(std::string_view suffix, value_id a, value_id b, std::size_t parts = 1) -> value_id {
    return call(suffix, "tfl.add", {a, b}, row(parts), {{"fused_activation_function", "none"}});
  }
  constexpr auto product(std::string_view suffix, value_id a, value_id b) -> value_id {
    return call(suffix, "tfl.mul", {a, b}, row(), {{"fused_activation_function", "none"}});
  }
  constexpr auto layer(std::string_view suffix, value_id in, value_id weights, value_id bias, const tensor_type& type) -> value_id {
    const named_literal literals[] = {{"fused_activation_function", "none"}, {"weights_format", "default"}, {"keep_num_dims", false}};
    if (bias == none<value_id>) return call(suffix, "tfl.fully_connected", {in, weights}, type, {literals[0], literals[1], literals[2]});
    return call(suffix, "tfl.fully_connected", {in, weights, bias}, type, {literals[0], literals[1], literals[2]});
  }
  /// Returns a constant with rows [`first`, `first` + `rows`) of constant operand `at`. Row 0 is the first row of the current direction.
  /// The rows have `columns` elements. If `columns` is 0, the constant is a list of `rows` elements.
  constexpr auto rows_of_operand(std::string_view suffix, std::size_t at, std::int64_t first, std::int64_t rows, std::int64_t columns)
      -> value_id {
    const auto whole = emitter_.settled(emitter_.operand(at));
    const auto bytes = 4 * (columns == 0 ? 1 : columns),
               in_each = static_cast<std::int64_t>(whole.size) / static_cast<std::int64_t>(directions_);
    const auto named = name_in_direction(suffix);
    const auto result =
        emitter_.constant(view(named), columns == 0 ? tensor(dtype::float32, rows) : tensor(dtype::float32, rows, columns), "");
    const auto offset = static_cast<std::int64_t>(direction_) * in_each + first * bytes;
    if (offset + rows * bytes > static_cast<std::int64_t>(whole.size))
      return emitter_.refuse("operand ", at, " has an unexpected shape"), result;
    auto part = whole;
    part.size = static_cast<std::uint32_t>(rows * bytes);
    if (part.outside != nullptr) part.outside += offset;
    if (part.outside == nullptr) part.first += static_cast<std::uint32_t>(offset);
    emitter_.value_at(result).data = part;
    return result;
  }
  /// Returns the initial hidden or cell state of the current direction from operand `at`. Returns zeros if the operand is omitted.
  constexpr auto initial_state(std::string_view suffix, std::size_t at) -> value_id {
    const auto count = static_cast<std::size_t>(4 * batches_ * hidden_);
    const auto named = name_in_direction(suffix);
    if (!emitter_.has(at)) return emitter_.constant(view(named), row(), view(text_buffer(count, '\0')));
    const auto in = emitter_.operand_in_file_layout(at);
    if (directions_ == 1) return reshaped(suffix, in, row());
    const auto d = static_cast<std::int64_t>(direction_);
    const std::int64_t begin[] = {is_batch_first_ ? 0 : d, is_batch_first_ ? d : 0, 0};
    const auto type = is_batch_first_ ? tensor(dtype::float32, batches_, 1, hidden_) : tensor(dtype::float32, 1, batches_, hidden_);
    const auto part = join(suffix, "_part"), first = join(view(named), "_begin"), size = join(view(named), "_size");
    const auto slice = call(view(part), "tfl.slice",
                            {in, emitter_.integer_constant(view(first), begin), emitter_.integer_constant(view(size), type.shape())}, type);
    return reshaped(suffix, slice, row());
  }
  /// Returns the bias of all gates. For gates [0, `both`), the bias is the sum of the input bias and the state bias. For the other gates,
  /// the bias is the input bias. Returns `none` if the layer has no bias.
  constexpr auto input_bias(std::size_t both) -> value_id {
    if (!emitter_.has(3)) return none<value_id>;
    vector<float> numbers;
    const auto rows = gates_ * static_cast<std::size_t>(hidden_), first = direction_ * 2 * rows;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto own = emitter_.real_element(3, first + i, 0), other = emitter_.real_element(3, first + rows + i, 0);
      numbers.push_back(i < both * static_cast<std::size_t>(hidden_) ? own + other : own);
    }
    return emitter_.real_constant(view(name_in_direction("bias")), numbers, tensor(dtype::float32, static_cast<std::int64_t>(rows)));
  }
  constexpr auto activation(std::string_view suffix, std::size_t which, value_id in, std::size_t parts = 1) -> value_id {
    return call(suffix, activations_[direction_][which], {in}, row(parts));
  }
  /// Returns the columns of gates [`first`, `first` + `count`) of `in`. Each row of `in` contains several gates, one after the other.
  constexpr auto gates(std::string_view suffix, value_id in, std::size_t first, std::size_t count) -> value_id {
    const std::int64_t begin[] = {0, static_cast<std::int64_t>(first) * hidden_};
    const auto type = row(count);
    const auto from = join("gate_", first, "_of_", count, "_begin"), size = join("gate_", first, "_of_", count, "_size");
    return call(suffix, "tfl.slice", {in, shared_list(view(from), {begin, 2}), shared_list(view(size), type.shape())}, type);
  }
  /// Returns a constant list of two numbers. All steps share one constant for equal numbers.
  constexpr auto shared_list(std::string_view suffix, span<const std::int64_t> numbers) -> value_id {
    for (const auto& each : lists_) {
      if (each.first == numbers[0] && each.second == numbers[1]) return each.id;
    }
    const auto id = emitter_.integer_constant(suffix, numbers);
    lists_.push_back({numbers[0], numbers[1], id});
    return id;
  }

  /// Inserts the nodes of all steps of a direction. `rows` is the input of all steps, [steps · batches, inputs].
  constexpr void run(std::size_t direction, value_id rows) {
    direction_ = direction;
    step_ = 0;
    const auto all = static_cast<std::int64_t>(gates_) * hidden_;
    const bool resets_product = cell_ == recurrent_cell::gru && emitter_.integer("linear_before_reset") != 0;
    const auto bias = input_bias(resets_product ? 2 : gates_);
    const auto gates_in =
        layer("gates", rows, rows_of_operand("input_weights", 1, 0, all, inputs_), bias, tensor(dtype::float32, steps_ * batches_, all));
    hidden_state_ = initial_state("hidden", 5);
    if (cell_ == recurrent_cell::lstm) cell_state_ = initial_state("cell", 6);
    read_weights(resets_product);
    const bool is_reverse = direction == 1 || emitter_.text("direction") == "reverse";
    outputs_[direction].resize(static_cast<std::size_t>(steps_), none<value_id>);
    for (std::int64_t i = 0; i < steps_ && !emitter_.is_refused(); ++i) {
      step_ = static_cast<std::size_t>(i);
      const auto at = is_reverse ? steps_ - 1 - i : i;
      auto in = gates_in;
      if (steps_ != 1) {
        const std::int64_t begin[] = {at * batches_, 0};
        const auto type = row(gates_);
        const auto from = emitter_.integer_constant(view(name_in_step("begin")), begin);
        in = call("in", "tfl.slice", {gates_in, from, shared_list("step_size", type.shape())}, type);
      }
      if (cell_ == recurrent_cell::rnn) step_of_rnn(in);
      if (cell_ == recurrent_cell::gru) step_of_gru(in, resets_product);
      if (cell_ == recurrent_cell::lstm) step_of_lstm(in);
      outputs_[direction][static_cast<std::size_t>(at)] = hidden_state_;
    }
    last_hidden_[direction] = hidden_state_;
    last_cell_[direction] = cell_state_;
  }
  constexpr void read_weights(bool resets_product) {
    const auto all = static_cast<std::int64_t>(gates_) * hidden_;
    if (cell_ == recurrent_cell::lstm) read_constants_of_lstm();
    if (cell_ != recurrent_cell::gru) {
      weights_ = rows_of_operand("state_weights", 2, 0, all, hidden_);
      return;
    }
    weights_ = rows_of_operand("gate_weights", 2, 0, 2 * hidden_, hidden_);
    candidate_weights_ = rows_of_operand("candidate_weights", 2, 2 * hidden_, hidden_, hidden_);
    candidate_bias_ = none<value_id>;
    if (!resets_product || !emitter_.has(3)) return;
    vector<float> numbers;  // the state bias of gate h, the last of the six biases of a direction
    const auto size = static_cast<std::size_t>(hidden_), first = direction_ * 6 * size + 5 * size;
    for (std::size_t i = 0; i < size; ++i) numbers.push_back(emitter_.real_element(3, first + i, 0));
    candidate_bias_ = emitter_.real_constant(view(name_in_direction("candidate_bias")), numbers, tensor(dtype::float32, hidden_));
  }

  constexpr void read_constants_of_lstm() {
    constexpr std::string_view names[] = {"input_peepholes", "output_peepholes", "forget_peepholes"};
    for (std::size_t gate = 0; gate < 3 && emitter_.has(7); ++gate)
      peepholes_[gate] = rows_of_operand(names[gate], 7, static_cast<std::int64_t>(gate) * hidden_, hidden_, 0);
    const float one = 1;
    if (is_coupled()) one_ = emitter_.real_constant(view(name_in_direction("one")), {&one, 1}, tensor(dtype::float32));
  }
  constexpr auto is_coupled() const -> bool { return emitter_.integer("input_forget") != 0; }

  constexpr void step_of_rnn(value_id in) {
    hidden_state_ = activation("hidden", 0, sum("sum", in, layer("state", hidden_state_, weights_, none<value_id>, row())));
  }
  /// Computes one step of a GRU from `in` = x · W + b, where b is the sum of the input bias and the state bias. The activations are f and
  /// g, h is the state, and R is the state weights. The product ◦ is elementwise.
  /// - The update gate z and the reset gate r are f(x · W + h · R + b).
  /// - The candidate c is g(x · W + (r ◦ h) · R + b). If `resets_product` is set, c is g(x · W + b_in + r ◦ (h · R + b_state)) instead. In
  ///   this formula, b_in is the input bias, and b_state is the state bias.
  /// - The next state is (1 - z) ◦ c + z ◦ h, computed as c + z ◦ (h - c).
  constexpr void step_of_gru(value_id in, bool resets_product) {
    const auto state = layer("state", hidden_state_, weights_, none<value_id>, row(2));
    const auto both = activation("both", 0, sum("sum", gates("in_both", in, 0, 2), state, 2), 2);
    const auto update = gates("update", both, 0, 1), reset = gates("reset", both, 1, 1);
    value_id candidate{};
    if (resets_product) {
      candidate = product("reset_state", reset, layer("candidate_state", hidden_state_, candidate_weights_, candidate_bias_, row()));
    } else {
      candidate = layer("candidate_state", product("reset_state", reset, hidden_state_), candidate_weights_, none<value_id>, row());
    }
    candidate = activation("candidate", 1, sum("candidate_sum", gates("in_candidate", in, 2, 1), candidate));
    const auto difference = call("difference", "tfl.sub", {hidden_state_, candidate}, row(), {{"fused_activation_function", "none"}});
    hidden_state_ = sum("hidden", candidate, product("update_part", update, difference));
  }
  /// Computes one step of an LSTM from `in` = x · W + b, where b is the sum of the input bias and the state bias. The activations are a0,
  /// a1 and a2, h is the hidden state, and C is the cell state. R is the state weights, and p is the peepholes, the weights of the cell
  /// state in a gate. The product ◦ is elementwise.
  /// - The gates i, o and f are a0(x · W + h · R + b + p ◦ C), where o uses the next cell state instead of C. With `is_coupled()`, f is 1 -
  ///   i instead.
  /// - The candidate c is a1(x · W + h · R + b).
  /// - The next cell state is f ◦ C + i ◦ c. The next hidden state is o ◦ a2(next cell state).
  constexpr void step_of_lstm(value_id in) {
    const auto all = sum("sum", in, layer("state", hidden_state_, weights_, none<value_id>, row(4)), 4);
    const bool has_peepholes = emitter_.has(7);
    value_id input{}, output{}, forget{};
    if (has_peepholes) {
      input = activation("input", 0, add_peephole("input_sum", gates("in_input", all, 0, 1), 0));
      forget = activation("forget", 0, add_peephole("forget_sum", gates("in_forget", all, 2, 1), 2));
    } else {
      const auto three = activation("gates", 0, gates("in_gates", all, 0, 3), 3);
      input = gates("input", three, 0, 1);
      output = gates("output", three, 1, 1);
      forget = gates("forget", three, 2, 1);
    }
    if (is_coupled()) forget = call("coupled", "tfl.sub", {one_, input}, row(), {{"fused_activation_function", "none"}});
    const auto candidate = activation("candidate", 1, gates("in_candidate", all, 3, 1));
    cell_state_ = sum("cell", product("kept", forget, cell_state_), product("new", input, candidate));
    if (has_peepholes) output = activation("output", 0, add_peephole("output_sum", gates("in_output", all, 1, 1), 1));
    hidden_state_ = product("hidden", output, activation("cell_activation", 2, cell_state_));
  }
  /// Returns `in` + p ◦ C, where p is the peepholes of `gate` and C the cell state.
  constexpr auto add_peephole(std::string_view suffix, value_id in, std::size_t gate) -> value_id {
    return sum(suffix, in, product(view(join(suffix, "_peep")), cell_state_, peepholes_[gate]));
  }

  /// Joins the outputs of all steps and directions. Output 0 is [steps, directions, batches, hidden], and outputs 1 and 2, the last states,
  /// are [directions, batches, hidden]. If `is_batch_first_` is set, the batches are the first dimension.
  constexpr void finish() {
    if (emitter_.is_refused()) return;
    vector<value_id> all;
    for (std::int64_t i = 0; i < steps_; ++i) {
      for (std::size_t d = 0; d < directions_; ++d) all.push_back(outputs_[d][static_cast<std::size_t>(i)]);
    }
    finish_joined(0, all);
    finish_joined(1, {last_hidden_, directions_});
    finish_joined(2, {last_cell_, directions_});
  }
  constexpr void finish_joined(std::size_t at, span<const value_id> parts) {
    if (at >= emitter_.output_count() || !emitter_.is_used(at)) return;
    const auto shape = emitter_.stored_type(emitter_.output(at));
    auto joined = parts[0];
    if (parts.size() != 1) {
      const std::int64_t axis = is_batch_first_ ? 1 : 0;
      auto type = row();
      type.sizes[static_cast<std::size_t>(axis)] *= static_cast<std::int64_t>(parts.size());
      const named_literal literals[] = {{"axis", axis}, {"fused_activation_function", "none"}};
      const auto named = join("joined_", at);
      joined = emitter_.add(view(named), "tfl.concatenation", parts, type, literals);
    }
    emitter_.finish_output(at, "tfl.reshape", {joined}, {{"new_shape", shape.shape()}});
  }

  struct list {
    std::int64_t first;
    std::int64_t second;
    value_id id;
  };

  emission& emitter_;
  recurrent_cell cell_;
  std::size_t gates_;
  bool is_batch_first_;
  std::int64_t steps_ = 0;
  std::int64_t batches_ = 0;
  std::int64_t inputs_ = 0;
  std::int64_t hidden_ = 0;
  std::size_t directions_ = 1;
  std::string_view activations_[2][3];
  std::size_t direction_ = 0;
  std::size_t step_ = 0;
  value_id hidden_state_ = none<value_id>;
  value_id cell_state_ = none<value_id>;
  value_id weights_ = none<value_id>;
  value_id candidate_weights_ = none<value_id>;
  value_id candidate_bias_ = none<value_id>;
  value_id peepholes_[3] = {none<value_id>, none<value_id>, none<value_id>};  ///< the peepholes of the gates i, o, f
  value_id one_ = none<value_id>;
  vector<value_id> outputs_[2];
  value_id last_hidden_[2] = {none<value_id>, none<value_id>};
  value_id last_cell_[2] = {none<value_id>, none<value_id>};
  vector<list> lists_;
};

/// Replaces `onnx.RNN`, `onnx.GRU` and `onnx.LSTM`.
template <recurrent_cell Cell>
constexpr void emit_recurrent(emission& emitter) {
  recurrent_layer(emitter, Cell).emit();
}

/// The rows (`legalization_row`) of recurrent layers.
inline constexpr legalization_row onnx_recurrent[] = {
    {"onnx.RNN", layout_rule::fixed, emit_recurrent<recurrent_cell::rnn>, 3, 2},
    {"onnx.GRU", layout_rule::fixed, emit_recurrent<recurrent_cell::gru>, 3, 2},
    {"onnx.LSTM", layout_rule::fixed, emit_recurrent<recurrent_cell::lstm>, 3, 3},
};

}  // namespace baton::detail
