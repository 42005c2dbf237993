// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces one step of a recurrent layer of torch.export by products and functions.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_functions.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// One step of a recurrent layer. The gates are the parts of the rows of the weights, [gates · hidden, inputs] and [gates · hidden, hidden]
/// (torch.nn.GRUCell, LSTMCell and RNNCell).
class torch_cell {
 public:
  /// `weights` is the position of the weights of the input; those of the state and two biases follow.
  constexpr torch_cell(emission& to, std::int64_t gates, std::size_t weights) : to_(to), gates_(gates), weights_(weights) {
    if (!has_float_operand(to)) return;
    const auto state = to.stored_type(to.operand(1)), in = to.stored_type(to.operand(0));
    if (state.rank == 0 || state.rank > 2 || in.rank != state.rank) {
      to_.refuse("the input and the state are not rows");
      return;
    }
    hidden_ = state.sizes[state.rank - 1];
    rows_ = state.rank == 1 ? 1 : state.sizes[0];
    for (std::size_t i = 0; i < 2; ++i) {
      const auto type = to.stored_type(to.operand(weights + i));
      const bool fits = type.rank == 2 && type.sizes[0] == gates * hidden_ && type.sizes[1] == (i == 0 ? in.sizes[in.rank - 1] : hidden_);
      if (!fits) to_.refuse("the weights do not fit the input and the state");
    }
  }

  /// Returns operand `at`, the input or a state, as rows.
  constexpr auto rows(std::string_view suffix, std::size_t at) -> value_id {
    const auto in = to_.in_file(at);
    const auto type = to_.stored_type(in);
    if (type.rank == 2) return in;
    const auto wanted = tensor(type.type, 1, type.sizes[0]);
    return to_.add(suffix, "tfl.reshape", {in}, wanted, {{"new_shape", wanted.shape()}});
  }
  /// Returns the products of the input (`which` is 0) or of the state (1) with their weights, and their bias.
  constexpr auto products(std::string_view suffix, std::size_t which, value_id in) -> value_id {
    const auto bias = weights_ + 2 + which;
    const value_id operands[] = {in, to_.in_file(weights_ + which), to_.has(bias) ? to_.in_file(bias) : none<value_id>};
    const named_literal literals[] = {{"fused_activation_function", "none"}, {"weights_format", "default"}, {"keep_num_dims", false}};
    return to_.add(suffix, "tfl.fully_connected", span<const value_id>{operands, to_.has(bias) ? std::size_t{3} : std::size_t{2}},
                   tensor(dtype::float32, rows_, gates_ * hidden_), literals);
  }
  /// Returns `count` gates from gate `first` of a row of all gates.
  constexpr auto gates(std::string_view suffix, value_id of, std::int64_t first, std::int64_t count) -> value_id {
    const std::int64_t begin[] = {0, first * hidden_}, size[] = {rows_, count * hidden_};
    return to_.add(suffix, "tfl.slice",
                   {of, to_.integer_constant(view(join(suffix, "_begin")), begin), to_.integer_constant(view(join(suffix, "_size")), size)},
                   tensor(dtype::float32, rows_, count * hidden_));
  }
  /// A formula of rows of `count` gates.
  constexpr auto formula(std::int64_t count = 1) -> expression { return {to_, tensor(dtype::float32, rows_, count * hidden_), {}}; }

 private:
  emission& to_;
  std::int64_t gates_;
  std::size_t weights_;
  std::int64_t hidden_ = 0;
  std::int64_t rows_ = 0;
};

/// `aten.gru_cell.default`: r and z are sigmoids of sums, n = tanh(x_n + r · h_n), and the state is n + z · (h - n).
constexpr void emit_gru_cell(emission& to) {
  torch_cell cell(to, 3, 2);
  if (to.is_refused()) return;
  const auto state = cell.rows("state", 1);
  const auto of_input = cell.products("of_input", 0, cell.rows("row", 0)), of_state = cell.products("of_state", 1, state);
  auto f = cell.formula(), both = cell.formula(2);
  const auto sum = both.add("sum", cell.gates("input_gates", of_input, 0, 2), cell.gates("state_gates", of_state, 0, 2));
  const auto gates = both.call("gates", "tfl.logistic", {sum});
  const auto reset = cell.gates("reset", gates, 0, 1), update = cell.gates("update", gates, 1, 1);
  const auto part = f.mul("reset_state", reset, cell.gates("state_candidate", of_state, 2, 1));
  const auto candidate = f.call("candidate", "tfl.tanh", {f.add("candidate_sum", cell.gates("input_candidate", of_input, 2, 1), part)});
  const auto kept = f.mul("kept", update, f.sub("difference", state, candidate));
  if (to.output_type().rank == 2) return f.finish("tfl.add", candidate, kept);
  to.finish_reshape(f.add("next", candidate, kept));
}
/// `aten.rnn_tanh_cell.default` and `aten.rnn_relu_cell.default`: a function of the sum of both products.
template <fixed_string Op>
constexpr void emit_rnn_cell(emission& to) {
  torch_cell cell(to, 1, 2);
  if (to.is_refused()) return;
  auto f = cell.formula();
  const auto of_input = cell.products("of_input", 0, cell.rows("row", 0)), of_state = cell.products("of_state", 1, cell.rows("state", 1));
  const auto sum = f.add("sum", of_input, of_state);
  if (to.output_type().rank == 2) return to.finish(Op, {sum});
  to.finish_reshape(f.call("next", Op, {sum}));
}
/// `aten.lstm_cell.default`: the gates are i, f, g and o; the cell state is f · c + i · g, and the state o · tanh(c).
constexpr void emit_lstm_cell(emission& to) {
  torch_cell cell(to, 4, 3);
  if (to.is_refused()) return;
  const auto of_input = cell.products("of_input", 0, cell.rows("row", 0)), of_state = cell.products("of_state", 1, cell.rows("state", 1));
  auto f = cell.formula(), both = cell.formula(2), all = cell.formula(4);
  const auto sum = all.add("sum", of_input, of_state);
  const auto gates = both.call("gates", "tfl.logistic", {cell.gates("first_gates", sum, 0, 2)});
  const auto candidate = f.call("candidate", "tfl.tanh", {cell.gates("candidate_sum", sum, 2, 1)});
  const auto output = f.call("output", "tfl.logistic", {cell.gates("output_sum", sum, 3, 1)});
  const auto kept = f.mul("kept", cell.gates("forget", gates, 1, 1), cell.rows("cell", 2));
  const auto next = f.add("next_cell", kept, f.mul("new", cell.gates("input", gates, 0, 1), candidate));
  const auto state = f.mul("next", output, f.call("activation", "tfl.tanh", {next}));
  const value_id results[] = {state, next};
  for (std::size_t i = 0; i < to.output_count() && i < 2; ++i) {
    const auto type = to.stored_type(to.output(i));
    to.finish_output(i, "tfl.reshape", {results[i]}, {{"new_shape", type.shape()}});
  }
}

/// Steps of recurrent layers.
inline constexpr legalization_row torch_recurrent[] = {
    {"aten.gru_cell.default", manner::fixed, emit_gru_cell, 4},
    {"aten.rnn_tanh_cell.default", manner::fixed, emit_rnn_cell<"tfl.tanh">, 4},
    {"aten.rnn_relu_cell.default", manner::fixed, emit_rnn_cell<"tfl.relu">, 4},
    {"aten.lstm_cell.default", manner::fixed, emit_lstm_cell, 5, 2},
};

}  // namespace baton::detail
