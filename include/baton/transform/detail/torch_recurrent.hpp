// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Unrolls recurrent cells and layers of torch.export into matrix products and elementwise operators.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/torch_cell.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Inserts a reshape of `in` to `type`, and returns its output.
constexpr auto reshaped_to(emission& emitter, std::string_view suffix, value_id in, const tensor_type& type) -> value_id {
  return emitter.add(suffix, "tfl.reshape", {in}, type, {{"new_shape", type.shape()}});
}
/// Inserts a reshape that computes output `at` from `in`.
constexpr void finish_reshaped(emission& emitter, std::size_t at, value_id in) {
  const auto type = emitter.stored_type(emitter.output(at));
  emitter.finish_output(at, "tfl.reshape", {in}, {{"new_shape", type.shape()}});
}

/// Emits a recurrent cell, for example `aten.gru_cell.default`. The operands are the input, the hidden state, the cell state (LSTM only),
/// the input weights, the recurrent weights, and two optional biases.
template <torch_cell_kind Kind>
constexpr void emit_torch_cell(emission& emitter) {
  constexpr bool has_cell_state = Kind == torch_cell_kind::lstm;
  constexpr std::size_t first_weights = has_cell_state ? 3 : 2;
  if (!has_float_operand(emitter)) return;
  const auto in = emitter.stored_type(emitter.operand(0)), state = emitter.stored_type(emitter.operand(1));
  if (state.rank == 0 || state.rank > 2 || in.rank != state.rank)
    return emitter.refuse("the input and the state must have the same number of dimensions, 1 or 2");
  const auto rows = state.rank == 1 ? 1 : state.sizes[0], inputs = in.sizes[in.rank - 1];
  torch_cell cell(emitter, Kind, rows, state.sizes[state.rank - 1]);
  if (!cell.has_weights(emitter.operand(first_weights), emitter.operand(first_weights + 1), inputs)) return;
  const auto bias = [&](std::size_t at) { return emitter.has(at) ? emitter.operand_in_file_layout(at) : none<value_id>; };
  const auto row = reshaped_to(emitter, "row", emitter.operand_in_file_layout(0), tensor(in.type, rows, inputs));
  cell.set_state(reshaped_to(emitter, "state", emitter.operand_in_file_layout(1), cell.row()),
                 has_cell_state ? reshaped_to(emitter, "cell", emitter.operand_in_file_layout(2), cell.row()) : none<value_id>);
  const auto input_product =
      cell.products("input_product", row, rows, emitter.operand_in_file_layout(first_weights), bias(first_weights + 2));
  const auto state_product =
      cell.products("state_product", cell.state(), rows, emitter.operand_in_file_layout(first_weights + 1), bias(first_weights + 3));
  cell.step(input_product, state_product);
  finish_reshaped(emitter, 0, cell.state());
  if (has_cell_state && emitter.output_count() > 1) finish_reshaped(emitter, 1, cell.cell());
}

/// An emitter of one or more recurrent layers, each with one or both directions. The operands are the input, the initial hidden states of
/// all layers and directions, the initial cell states (LSTM only), and the weights. Each layer and direction has input weights, recurrent
/// weights, and, if argument 3 is true, two biases.
class torch_recurrent_layers {
 public:
  /// The maximum number of steps, summed over all layers and directions.
  static constexpr std::int64_t max_steps = 128;

  constexpr torch_recurrent_layers(emission& emitter, torch_cell_kind kind)
      : emitter_(emitter),
        kind_(kind),
        has_cell_state_(kind == torch_cell_kind::lstm),
        has_biases_(emitter.integer("arg_3") != 0),
        layers_(emitter.integer("arg_4", 1)),
        directions_(emitter.integer("arg_7") != 0 ? 2 : 1),
        is_batch_first_(emitter.integer("arg_8") != 0),
        next_(has_cell_state_ ? 3 : 2) {}

  constexpr void emit() {
    const auto in = emitter_.file_type(emitter_.operand(0)), states = emitter_.file_type(emitter_.operand(1));
    if (!has_float_operand(emitter_)) return;
    if (emitter_.integer("arg_6") != 0) return emitter_.refuse("training is not supported; export the model in evaluation mode");
    if (in.rank != 3 || states.rank != 3) return emitter_.refuse("a sequence without batches is not supported; add a dimension to it");
    steps_ = in.sizes[is_batch_first_ ? 1 : 0];
    batches_ = in.sizes[is_batch_first_ ? 0 : 1];
    hidden_ = states.sizes[2];
    const bool fits = layers_ > 0 && layers_ <= max_steps && states.sizes[0] == layers_ * directions_ && states.sizes[1] == batches_;
    if (!fits) return emitter_.refuse("the states do not fit the input");
    if (steps_ > max_steps || steps_ * layers_ * directions_ > max_steps)
      return emitter_.refuse("there are ", steps_ * layers_ * directions_, " steps in all layers and directions, more than ", max_steps,
                             "; rewrite the layer with the scan operator and export again");
    auto rows = emitter_.operand_in_file_layout(0);
    if (is_batch_first_ && batches_ != 1 && steps_ != 1)
      rows = transpose_steps_and_batch("steps", rows, tensor(in.type, steps_, batches_, in.sizes[2]));
    rows = reshaped_to(emitter_, "rows", rows, tensor(in.type, steps_ * batches_, in.sizes[2]));
    torch_cell cell(emitter_, kind_, batches_, hidden_);
    for (layer_ = 0; layer_ < layers_ && !emitter_.is_refused(); ++layer_) rows = run_layer(cell, rows);
    if (!emitter_.is_refused()) finish(rows);
  }

 private:
  constexpr auto transpose_steps_and_batch(std::string_view suffix, value_id in, const tensor_type& type) -> value_id {
    const std::int64_t order[] = {1, 0, 2};
    return emitter_.add(suffix, "tfl.transpose", {in, emitter_.integer_constant(view(join(suffix, "_order")), order)}, type);
  }
  constexpr auto joined(std::string_view suffix, span<const value_id> parts, std::int64_t axis, const tensor_type& type) -> value_id {
    if (parts.size() == 1) return parts[0];
    const named_literal literals[] = {{"axis", axis}, {"fused_activation_function", "none"}};
    return emitter_.add(suffix, "tfl.concatenation", parts, type, literals);
  }
  /// Inserts the nodes of a layer. Returns its outputs, [steps · batches, directions · hidden].
  constexpr auto run_layer(torch_cell& cell, value_id rows) -> value_id {
    std::array<vector<value_id>, 2> outputs;
    for (std::int64_t d = 0; d < directions_ && !emitter_.is_refused(); ++d)
      outputs[static_cast<std::size_t>(d)] = run_direction(cell, rows, d);
    if (emitter_.is_refused()) return rows;
    vector<value_id> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(steps_); ++i) {
      if (directions_ == 1) {
        all.push_back(outputs[0][i]);
        continue;
      }
      const value_id both[] = {outputs[0][i], outputs[1][i]};
      all.push_back(joined(view(join("layer_", layer_, "_step_", i)), both, 1, tensor(dtype::float32, batches_, 2 * hidden_)));
    }
    const auto type = tensor(dtype::float32, steps_ * batches_, directions_ * hidden_);
    return joined(view(join("layer_", layer_, "_rows")), all, 0, type);
  }
  /// Inserts the nodes of one direction of the current layer. Returns the output of each step, [batches, hidden].
  constexpr auto run_direction(torch_cell& cell, value_id rows, std::int64_t direction) -> vector<value_id> {
    vector<value_id> outputs(static_cast<std::size_t>(steps_), none<value_id>);
    const auto weights_per_direction = has_biases_ ? std::size_t{4} : std::size_t{2};
    const auto first_weights = next_;
    next_ += weights_per_direction;
    for (std::size_t i = 0; i < weights_per_direction; ++i) {
      if (!emitter_.has(first_weights + i)) return emitter_.refuse("weights of layer ", layer_, " are missing"), outputs;
    }
    if (!cell.has_weights(emitter_.operand(first_weights), emitter_.operand(first_weights + 1), emitter_.stored_type(rows).sizes[1]))
      return outputs;
    const auto bias = [&](std::size_t at) { return has_biases_ ? emitter_.operand_in_file_layout(at) : none<value_id>; };
    const auto prefix = join("layer_", layer_, "_direction_", direction, "_");
    cell.set_prefix(prefix);
    const auto all =
        cell.products("input_products", rows, steps_ * batches_, emitter_.operand_in_file_layout(first_weights), bias(first_weights + 2));
    cell.set_state(initial_state(cell, "state", 1, direction),
                   has_cell_state_ ? initial_state(cell, "cell", 2, direction) : none<value_id>);
    for (std::int64_t i = 0; i < steps_; ++i) {
      const auto at = direction == 0 ? i : steps_ - 1 - i;
      cell.set_prefix(join(view(prefix), "step_", at, "_"));
      const auto input_product = cell.block("input_product", all, at * batches_, 0, tensor(dtype::float32, batches_, cell.width()));
      cell.step(input_product, cell.products("state_product", cell.state(), batches_, emitter_.operand_in_file_layout(first_weights + 1),
                                             bias(first_weights + 3)));
      outputs[static_cast<std::size_t>(at)] = cell.state();
    }
    states_.push_back(cell.state());
    cells_.push_back(cell.cell());
    return outputs;
  }
  /// Returns the initial state of the current layer and `direction`, a slice of operand `at`.
  constexpr auto initial_state(torch_cell& cell, std::string_view suffix, std::size_t at, std::int64_t direction) -> value_id {
    const auto count = layers_ * directions_;
    const auto rows = reshaped_to(emitter_, view(cell.named(view(join("first_", suffix)))), emitter_.operand_in_file_layout(at),
                                  tensor(dtype::float32, count * batches_, hidden_));
    return count == 1 ? rows : cell.block(suffix, rows, (layer_ * directions_ + direction) * batches_, 0, cell.row());
  }
  constexpr void finish(value_id rows) {
    const auto width = directions_ * hidden_;
    if (is_batch_first_ && batches_ != 1 && steps_ != 1) {
      rows = reshaped_to(emitter_, "sequence", rows, tensor(dtype::float32, steps_, batches_, width));
      rows = transpose_steps_and_batch("batches", rows, tensor(dtype::float32, batches_, steps_, width));
    }
    finish_reshaped(emitter_, 0, rows);
    const auto all = tensor(dtype::float32, layers_ * directions_ * batches_, hidden_);
    if (emitter_.output_count() > 1) finish_reshaped(emitter_, 1, joined("last_states", states_, 0, all));
    if (has_cell_state_ && emitter_.output_count() > 2) finish_reshaped(emitter_, 2, joined("last_cells", cells_, 0, all));
  }

  emission& emitter_;
  torch_cell_kind kind_;
  bool has_cell_state_;
  bool has_biases_;
  std::int64_t layers_;
  std::int64_t directions_;
  bool is_batch_first_;
  std::size_t next_;  ///< the position of the first operand with weights that are not yet used
  std::int64_t steps_ = 0;
  std::int64_t batches_ = 0;
  std::int64_t hidden_ = 0;
  std::int64_t layer_ = 0;
  vector<value_id> states_, cells_;  ///< the last hidden states, and the last cell states, of each layer and direction
};
/// Emits recurrent layers, for example `aten.lstm.input`. The class `torch_recurrent_layers` describes the operands. The arguments 3 to 8
/// are has_biases, num_layers, dropout, train, bidirectional and batch_first.
template <torch_cell_kind Kind>
constexpr void emit_torch_recurrent_layers(emission& emitter) {
  torch_recurrent_layers(emitter, Kind).emit();
}

/// The rows (`legalization_row`) of recurrent cells and layers.
inline constexpr legalization_row torch_recurrent[] = {
    {"aten.gru_cell.default", layout_rule::fixed, emit_torch_cell<torch_cell_kind::gru>, 4},
    {"aten.rnn_tanh_cell.default", layout_rule::fixed, emit_torch_cell<torch_cell_kind::rnn_tanh>, 4},
    {"aten.rnn_relu_cell.default", layout_rule::fixed, emit_torch_cell<torch_cell_kind::rnn_relu>, 4},
    {"aten.lstm_cell.default", layout_rule::fixed, emit_torch_cell<torch_cell_kind::lstm>, 5, 2},
    {"aten.gru.input", layout_rule::fixed, emit_torch_recurrent_layers<torch_cell_kind::gru>, 4, 2},
    {"aten.rnn_tanh.input", layout_rule::fixed, emit_torch_recurrent_layers<torch_cell_kind::rnn_tanh>, 4, 2},
    {"aten.rnn_relu.input", layout_rule::fixed, emit_torch_recurrent_layers<torch_cell_kind::rnn_relu>, 4, 2},
    {"aten.lstm.input", layout_rule::fixed, emit_torch_recurrent_layers<torch_cell_kind::lstm>, 5, 3},
};

}  // namespace baton::detail
