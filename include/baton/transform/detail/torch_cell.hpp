// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Expands one time step of a recurrent layer of torch.export into fully connected layers and elementwise operators.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton::detail {

enum class torch_cell_kind : std::uint8_t { rnn_tanh, rnn_relu, gru, lstm };

/// An emitter of steps of a recurrent layer. The weights have the shapes [gates · hidden, inputs] and [gates · hidden, hidden]. Each gate
/// is a block of `hidden` consecutive rows. The order of the gates is r, z, n for a GRU, and i, f, g, o for an LSTM (torch.nn.GRUCell,
/// LSTMCell and RNNCell).
class torch_cell {
 public:
  /// `rows` is the batch size, and `hidden` is the size of the state of one batch element.
  constexpr torch_cell(emission& emitter, torch_cell_kind kind, std::int64_t rows, std::int64_t hidden)
      : emitter_(emitter),
        kind_(kind),
        rows_(rows),
        hidden_(hidden) {}

  static constexpr auto gates_of(torch_cell_kind kind) -> std::int64_t {
    return kind == torch_cell_kind::gru ? 3 : kind == torch_cell_kind::lstm ? 4 : 1;
  }
  constexpr auto width() const -> std::int64_t { return gates_of(kind_) * hidden_; }
  constexpr auto row() const -> tensor_type { return tensor(dtype::float32, rows_, hidden_); }

  /// True if the shapes of both weight matrices match an input of size `inputs` and the state. Otherwise, refuses the node (the pass then
  /// fails with `unsupported_operator`).
  constexpr auto has_weights(value_id input_weights, value_id state_weights, std::int64_t inputs) const -> bool {
    const auto first = emitter_.stored_type(input_weights), second = emitter_.stored_type(state_weights);
    const bool fits = first.rank == 2 && second.rank == 2 && first.sizes[0] == width() && first.sizes[1] == inputs &&
                      second.sizes[0] == width() && second.sizes[1] == hidden_;
    if (!fits) emitter_.refuse("the weights do not fit the input and the state");
    return fits;
  }
  /// Sets the prefix of the names of nodes that are inserted later.
  constexpr void set_prefix(text_buffer prefix) { prefix_ = prefix; }
  constexpr auto named(std::string_view suffix) const -> text_buffer { return join(view(prefix_), suffix); }

  /// Inserts a fully connected layer that multiplies the `count` rows of `in` by `weights`, and adds `bias` unless `bias` is `none`.
  /// Returns the output of the layer.
  constexpr auto products(std::string_view suffix, value_id in, std::int64_t count, value_id weights, value_id bias) -> value_id {
    const value_id operands[] = {in, weights, bias};
    const named_literal literals[] = {{"fused_activation_function", "none"}, {"weights_format", "default"}, {"keep_num_dims", false}};
    return emitter_.add(view(named(suffix)), "tfl.fully_connected",
                        span<const value_id>{operands, bias == none<value_id> ? std::size_t{2} : std::size_t{3}},
                        tensor(dtype::float32, count, width()), literals);
  }
  /// Returns the block of the matrix `of` that begins at `row` and `column` and has the type `type`.
  constexpr auto block(std::string_view suffix, value_id of, std::int64_t row, std::int64_t column, const tensor_type& type) -> value_id {
    return emitter_.add(view(named(suffix)), "tfl.slice", {of, list(row, column), list(type.sizes[0], type.sizes[1])}, type);
  }

  /// Sets the initial hidden state, and the initial cell state of an LSTM (otherwise `none`).
  constexpr void set_state(value_id state, value_id cell) {
    state_ = state;
    cell_ = cell;
  }
  constexpr auto state() const -> value_id { return state_; }
  constexpr auto cell() const -> value_id { return cell_; }
  /// Computes the next state. `input_product` is the product of the input and the input weights, `state_product` the product of the state
  /// and the recurrent weights.
  constexpr void step(value_id input_product, value_id state_product) {
    if (kind_ == torch_cell_kind::gru) return step_of_gru(input_product, state_product);
    if (kind_ == torch_cell_kind::lstm) return step_of_lstm(input_product, state_product);
    const auto sum = add("sum", input_product, state_product);
    state_ = call("next", kind_ == torch_cell_kind::rnn_tanh ? "tfl.tanh" : "tfl.relu", {sum});
  }

 private:
  /// Let x be `input_product`, s `state_product` and h the state. The part of x for gate r is x_r. The gates are r = sigmoid(x_r + s_r), z
  /// = sigmoid(x_z + s_z) and n = tanh(x_n + r · s_n). The next state is n + z · (h - n).
  constexpr void step_of_gru(value_id input_product, value_id state_product) {
    const auto sum = add("gate_sum", gates("input_gates", input_product, 0, 2), gates("state_gates", state_product, 0, 2), 2);
    const auto both = call("gates", "tfl.logistic", {sum}, 2);
    const auto reset = gates("reset", both, 0, 1), update = gates("update", both, 1, 1);
    const auto kept = mul("reset_state", reset, gates("state_candidate", state_product, 2, 1));
    const auto candidate = call("candidate", "tfl.tanh", {add("candidate_sum", gates("input_candidate", input_product, 2, 1), kept)});
    const auto difference = formula(1).sub(view(named("difference")), state_, candidate);
    state_ = add("next", candidate, mul("kept", update, difference));
  }
  /// Computes the gates i, f and o as sigmoids, and g as a tanh. With the cell state c, the next cell state is f · c + i · g. The next
  /// state is o · tanh(next cell state).
  constexpr void step_of_lstm(value_id input_product, value_id state_product) {
    const auto sum = add("gate_sum", input_product, state_product, 4);
    const auto both = call("gates", "tfl.logistic", {gates("first_gates", sum, 0, 2)}, 2);
    const auto candidate = call("candidate", "tfl.tanh", {gates("candidate_sum", sum, 2, 1)});
    const auto output = call("output", "tfl.logistic", {gates("output_sum", sum, 3, 1)});
    const auto kept = mul("kept", gates("forget", both, 1, 1), cell_);
    cell_ = add("next_cell", kept, mul("new", gates("input", both, 0, 1), candidate));
    state_ = mul("next", output, call("activation", "tfl.tanh", {cell_}));
  }

  constexpr auto formula(std::int64_t count) -> expression { return {emitter_, tensor(dtype::float32, rows_, count * hidden_), {}}; }
  constexpr auto call(std::string_view suffix, std::string_view op, std::initializer_list<value_id> inputs, std::int64_t count = 1)
      -> value_id {
    return formula(count).call(view(named(suffix)), op, inputs);
  }
  constexpr auto add(std::string_view suffix, value_id a, value_id b, std::int64_t count = 1) -> value_id {
    return formula(count).add(view(named(suffix)), a, b);
  }
  constexpr auto mul(std::string_view suffix, value_id a, value_id b) -> value_id { return formula(1).mul(view(named(suffix)), a, b); }
  /// Returns the columns of gates [`first`, `first` + `count`) of `of`. Each row of `of` contains several gates, one after the other.
  constexpr auto gates(std::string_view suffix, value_id of, std::int64_t first, std::int64_t count) -> value_id {
    return block(suffix, of, 0, first * hidden_, tensor(dtype::float32, rows_, count * hidden_));
  }
  /// Returns a constant list of two numbers. All steps share one constant for equal numbers.
  constexpr auto list(std::int64_t first, std::int64_t second) -> value_id {
    for (const auto& each : lists_) {
      if (each.first == first && each.second == second) return each.id;
    }
    const std::int64_t numbers[] = {first, second};
    const auto id = emitter_.integer_constant(view(join("list_", lists_.size())), numbers);
    lists_.push_back({first, second, id});
    return id;
  }

  struct shared_list {
    std::int64_t first;
    std::int64_t second;
    value_id id;
  };

  emission& emitter_;
  torch_cell_kind kind_;
  std::int64_t rows_;
  std::int64_t hidden_;
  text_buffer prefix_;
  value_id state_ = none<value_id>;
  value_id cell_ = none<value_id>;
  vector<shared_list> lists_;
};

}  // namespace baton::detail
