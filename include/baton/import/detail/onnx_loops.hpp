// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Loops of ONNX. A loop becomes a `scan` over the iteration numbers if the number of iterations is known and at most 4096. Any other loop
// becomes a `while_loop`.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_bodies.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/detail/onnx_stated_types.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton::onnx::detail {

/// An emitter of `Loop` nodes. The operands of a `Loop` are the maximum number of iterations `M`, the initial condition, and the initial
/// carried values. The inputs of the body are the iteration number, the condition and the carried values. The outputs of the body are the
/// next condition, the next carried values, and the outputs that are stacked over the iterations.
///
/// The carried values of the `while_loop` are the iteration number, the condition, the carried values of the `Loop`, and a buffer for each
/// stacked output. An iteration number or a condition that is not needed is omitted. A buffer has room for `M` slices. `Slice` nodes after
/// the loop shorten the buffers to the number of executed iterations.
template <class Emitter>
class loop_emitter : body_emitter<Emitter> {
  using base = body_emitter<Emitter>;
  using base::constant, base::integer_constant, base::name_of;
  using base::emitter_, base::scope_, base::record_;

 public:
  constexpr loop_emitter(Emitter& emit, scope& in, const node_record& record) : base(emit, in, record) {}

  constexpr auto run() -> bool {
    const auto at = base::body("body");
    if (at == npos) return base::template refuse<"malformed_operator">("attribute body is missing");
    auto& body = emitter_.scope_at(at);
    carried_ = record_.inputs.size < 2 ? 0 : record_.inputs.size - 2;
    if (body.inputs.size() != carried_ + 2 || body.outputs.size() < carried_ + 1 || body.outputs.size() - 1 < record_.outputs.size) {
      return base::template refuse<"malformed_operator">("its body has ", body.inputs.size(), " inputs and ", body.outputs.size(),
                                                         " outputs, which do not fit its ", carried_, " carried values");
    }
    stacked_ = body.outputs.size() - 1 - carried_;
    limit_ = base::operand(0);
    initial_ = base::operand(1);
    const auto known = known_integers::in(base::program(), limit_);
    if (known.are_known && known.count == 1) iterations_ = std::clamp<std::int64_t>(known[0], 0, INT64_MAX);
    const bool has_constant_condition = (initial_ == none<value_id> || is_true(scope_, operand_name(1))) && keeps_condition(body);
    const bool is_limited = iterations_ >= 0 && iterations_ <= max_iterations;
    if (is_limited && has_constant_condition) return add_counted(body);
    if (stacked_ != 0 && iterations_ > max_iterations) {
      return base::template refuse<"unsupported_model">("it stacks outputs over ", iterations_, " iterations; the maximum is ",
                                                        max_iterations);
    }
    if (stacked_ != 0 && !is_limited) {
      return base::template refuse<"unsupported_model">(
          "it stacks outputs over an unknown number of iterations; make its operand M a "
          "constant of at most ",
          max_iterations);
    }
    if (limit_ == none<value_id> && has_constant_condition)
      return base::template refuse<"unsupported_model">("it never ends: its operand M is omitted, and its condition is always true");
    return add_while(body, has_constant_condition);
  }

 private:
  /// The maximum number of iterations of a `Loop` that becomes a `scan`, or that becomes a `while_loop` with stacked outputs.
  static constexpr std::int64_t max_iterations = 4096;

  constexpr auto operand_name(std::uint32_t at) const -> std::uint32_t {
    return at < record_.inputs.size ? scope_.operands[record_.inputs.first + at] : npos;
  }
  /// True if a value is the constant true.
  constexpr auto is_true(scope& where, std::uint32_t named) -> bool {
    if (named == npos || where.names[named].constant == npos) return false;
    const auto& record = where.constants[where.names[named].constant];
    const auto bytes = baton::program_view(base::program()).data(record.data);
    return record.type == dtype::boolean && bytes.size() == 1 && bytes[0] != 0;
  }
  /// True if the body returns the condition that it receives, or the constant true. Traverses at most seven `Identity` nodes.
  constexpr auto keeps_condition(scope& body) -> bool {
    auto named = body.outputs[0];
    for (std::size_t steps = 0; steps < 8; ++steps) {
      if (named == body.inputs[1] || is_true(body, named)) return true;
      for (std::size_t c = 0; c < body.captures.size(); ++c) {
        if (body.captures[c] == named) return is_true(scope_, body.captured_from[c]);
      }
      if (body.names[named].producer == npos) return false;
      const auto& producer = body.nodes[body.names[named].producer];
      if (!producer.is("onnx.Identity") || producer.inputs.size != 1) return false;
      named = body.operands[producer.inputs.first];
      if (named == npos) return false;
    }
    return false;
  }
  /// Returns the type of the iteration number, which is input 0 of the body. The type is int64 of shape [1] if the file states one
  /// dimension for this input, otherwise an int64 scalar.
  constexpr auto iteration_number_type(scope& body) -> tensor_type {
    const auto stated = read_stated_type(base::model(), body.input_types[0]);
    return stated.sizes.size() == 1 ? tensor(dtype::int64, 1) : tensor(dtype::int64);
  }

  constexpr auto add_counted(scope& body) -> bool {
    const auto numbers = iteration_number_type(body).rank == 1 ? tensor(dtype::int64, iterations_, 1) : tensor(dtype::int64, iterations_);
    vector<value_id> operands;
    for (std::uint32_t i = 0; i < carried_; ++i) operands.push_back(base::operand(i + 2));
    operands.push_back(iteration_numbers(numbers));
    base::append_captures(operands);
    const graph_id graphs[] = {base::begin(body)};
    for (std::uint32_t i = 0; i < carried_; ++i) {
      if (!base::add_input(body, i + 2, operands[i], false)) return false;
    }
    if (!base::add_input(body, 0, operands[carried_], true)) return false;
    body.names[body.inputs[1]].id = constant(name_of("condition"), tensor(dtype::boolean), "\1");
    if (!base::emit(body)) return false;
    vector<value_id> results;
    for (std::size_t i = 1; i < body.outputs.size(); ++i) results.push_back(base::add_graph_output(body, body.outputs[i]));
    base::end();
    return base::add_scan_node(operands, carried_, 1, results, graphs);
  }

  /// True if a value is an operand of a node of the body, or an output of the body.
  static constexpr auto is_used(const scope& body, std::uint32_t named) -> bool {
    const auto is_in = [named](const vector<std::uint32_t>& list) { return std::find(list.begin(), list.end(), named) != list.end(); };
    return is_in(body.operands) || is_in(body.outputs);
  }

  constexpr auto add_while(scope& body, bool has_constant_condition) -> bool {
    const auto number = iteration_number_type(body);
    const bool has_number = limit_ != none<value_id> || stacked_ != 0 || is_used(body, body.inputs[0]);
    vector<value_id> operands;
    if (has_number) operands.push_back(constant(name_of("iteration"), number, {"\0\0\0\0\0\0\0\0", 8}));
    if (!has_constant_condition)
      operands.push_back(initial_ == none<value_id> ? constant(name_of("condition"), tensor(dtype::boolean), "\1") : initial_);
    const auto first = operands.size();
    for (std::uint32_t i = 0; i < carried_; ++i) operands.push_back(base::operand(i + 2));
    // The body is added before the buffers, because the body determines the types of the buffers.
    const auto body_graph = base::begin(body);
    if (has_number) body.names[body.inputs[0]].id = base::add_input_like(operands[0]);
    if (has_constant_condition) body.names[body.inputs[1]].id = constant(name_of("condition"), tensor(dtype::boolean), "\1");
    if (!has_constant_condition && !base::add_input(body, 1, operands[first - 1], false)) return false;
    for (std::uint32_t i = 0; i < carried_; ++i) {
      if (!base::add_input(body, i + 2, operands[first + i], false)) return false;
    }
    const auto buffers = base::reserve_inputs(stacked_);
    if (limit_ != none<value_id>) base::add_input_like(limit_);
    if (!base::emit(body)) return false;
    vector<value_id> results;
    if (has_number) {
      const auto one = constant(name_of("one"), tensor(dtype::int64), {"\1\0\0\0\0\0\0\0", 8});
      results.push_back(call(name_of("next"), "onnx.Add", {body.names[body.inputs[0]].id, one}, number));
      base::builder().output(results[0]);
    }
    if (!has_constant_condition) {
      const auto condition = next_condition(body, type_of(operands[first - 1]));
      if (condition == none<value_id>) return false;
      base::builder().output(condition);
      results.push_back(condition);
    }
    for (std::size_t i = 1; i <= carried_; ++i) results.push_back(base::add_graph_output(body, body.outputs[i]));
    if (base::model().why) return false;
    vector<tensor_type> stacks;
    for (std::size_t i = 0; i < stacked_; ++i) {
      if (!store_slice(body, i, buffers + i, stacks, results)) return false;
    }
    base::end();
    for (std::size_t i = 0; i < stacks.size(); ++i) operands.push_back(zeros(name_of("stack", i), stacks[i]));
    if (base::model().why) return false;
    const auto carried = operands.size();
    if (limit_ != none<value_id>) operands.push_back(limit_);
    base::append_captures(operands);
    const graph_id graphs[] = {add_condition(operands, carried, has_constant_condition ? npos : first - 1), body_graph};
    return add_node(operands, carried, first, results, stacks, graphs);
  }

  /// Returns the next condition of the body, reshaped to the shape of the initial condition. Both conditions must have one element, and the
  /// next condition must be a boolean. Otherwise, records `malformed_operator` and returns `none`.
  constexpr auto next_condition(scope& body, const tensor_type& initial) -> value_id {
    const auto id = emitter_.value_of(body, body.outputs[0]);
    const auto type = id == none<value_id> ? tensor(dtype::variant) : type_of(id);
    if (type.type != dtype::boolean || element_count(type.shape()) != 1 || element_count(initial.shape()) != 1) {
      base::template refuse<"malformed_operator">("its condition is not one boolean");
      return none<value_id>;
    }
    if (type.rank == initial.rank) return id;
    return call(name_of("next_condition"), "onnx.Reshape", {id, integer_constant(name_of("condition_shape"), initial.shape())}, initial);
  }

  /// Returns the type of a boolean that an operator computes from two values with one element each.
  constexpr auto broadcast_boolean(value_id left, value_id right) -> tensor_type {
    const auto first = type_of(left), second = type_of(right);
    return with_type(first.rank < second.rank ? second : first, dtype::boolean);
  }

  /// Adds the graph that decides whether the loop runs another iteration. `condition` is the operand position of the carried condition, or
  /// `npos` if the condition is constant. The limit `M`, if present, is the operand at position `carried`.
  constexpr auto add_condition(span<const value_id> operands, std::size_t carried, std::size_t condition) -> graph_id {
    const auto id = base::begin_graph(name_of("condition"));
    vector<value_id> inputs;
    for (const auto operand : operands) inputs.push_back(base::add_input_like(operand));
    auto result = condition == npos ? none<value_id> : inputs[condition];
    if (limit_ != none<value_id>) {
      const auto less = call(name_of("less"), "onnx.Less", {inputs[0], inputs[carried]}, broadcast_boolean(inputs[0], inputs[carried]));
      result = result == none<value_id> ? less : call(name_of("and"), "onnx.And", {less, result}, broadcast_boolean(less, result));
    }
    base::builder().output(result);
    base::end();
    return id;
  }

  /// Adds nodes to the body. They write the slice of stacked output `at` to the buffer of this output, at the index of the iteration. The
  /// written buffer becomes an output of the body. `buffer` is the position of the buffer among the body's inputs. Appends the type of the
  /// buffer to `stacks`, and the written buffer to `results`.
  constexpr auto store_slice(scope& body, std::size_t at, std::size_t buffer, vector<tensor_type>& stacks, vector<value_id>& results)
      -> bool {
    const auto slice = emitter_.value_of(body, body.outputs[1 + carried_ + at]);
    if (slice == none<value_id>) return base::template refuse<"damaged_model">("nothing defines an output of its body");
    const auto type = type_of(slice);
    if (type.rank == tensor_type::max_rank || element_count(type.shape()) < 0)
      return base::template refuse<"unsupported_model">("it stacks outputs of unknown size; export the model with fixed shapes");
    auto stack = tensor(type.type, iterations_);
    auto one = tensor(type.type, 1);
    auto comparison = tensor(dtype::boolean, iterations_);
    for (std::size_t d = 0; d < type.rank; ++d) {
      stack.sizes[++stack.rank - 1] = type.sizes[d];
      one.sizes[++one.rank - 1] = type.sizes[d];
      comparison.sizes[++comparison.rank - 1] = 1;
    }
    const auto items =
        base::set_input(buffer, {.name = name_of("stack", at), .type = stack.type, .shape = base::builder().integers(stack.shape())});
    const auto numbers = iteration_numbers(with_type(comparison, dtype::int64));
    const auto here = call(name_of("here", at), "onnx.Equal", {numbers, body.names[body.inputs[0]].id}, comparison);
    const auto shape = integer_constant(name_of("slice_shape", at), one.shape());
    const auto row = call(name_of("slice", at), "onnx.Reshape", {slice, shape}, one);
    const auto stored = call(name_of("store", at), "onnx.Where", {here, row, items}, stack);
    base::builder().output(stored);
    results.push_back(stored);
    stacks.push_back(stack);
    return true;
  }

  constexpr auto add_node(span<const value_id> operands, std::size_t carried, std::size_t first, span<const value_id> results,
                          span<const tensor_type> stacks, span<const graph_id> graphs) -> bool {
    auto& builder = base::builder();
    vector<value_id> outputs;
    for (std::size_t i = 0; i < carried; ++i) {
      const bool is_own = i >= first && i < carried - stacks.size();
      outputs.push_back(is_own ? emitter_.add_output(scope_, record_, static_cast<std::uint32_t>(i - first))
                               : builder.add_value({.name = builder.own(baton::view(join(record_.name, "_carried_", i)))}));
    }
    emitter_.add_node(record_, "while_loop", operands, outputs);
    builder.set_subgraphs(graphs);
    for (std::size_t i = 0; i < carried; ++i) {
      const auto is_same = base::has_same_type(operands[i], results[i]);
      if (!is_same && i >= first)
        return base::template refuse<"malformed_operator">("its body changes the type of carried value ", i - first,
                                                           "; stack a value that grows as a scan output");
      if (!is_same) return base::template refuse<"malformed_operator">("its condition is not one boolean");
      base::set_common_type(i, operands[i], results[i]);
    }
    // If the loop ends early, the buffers are longer than the stacked outputs, so `Slice` nodes shorten the buffers.
    if (stacks.empty()) return true;
    const std::int64_t single[] = {1}, zero[] = {0};
    const auto count =
        call(name_of("count"), "onnx.Reshape", {outputs[0], integer_constant(name_of("count_shape"), single)}, tensor(dtype::int64, 1));
    const auto start = integer_constant(name_of("first"), zero);
    for (std::size_t i = 0; i < stacks.size(); ++i) {
      auto type = stacks[i];
      type.sizes[0] = -1;
      const auto output = emitter_.add_output(scope_, record_, static_cast<std::uint32_t>(carried_ + i));
      builder.at(output).type = type.type;
      builder.at(output).shape = builder.integers(type.shape());
      const value_id inputs[] = {outputs[carried - stacks.size() + i], start, count, start};
      emitter_.add_node(record_, "onnx.Slice", inputs, {&output, 1});
    }
    return true;
  }

  // Values

  constexpr auto type_of(value_id id) -> tensor_type {
    tensor_type type{.type = base::program().values[index(id)].type};
    const auto shape = baton::program_view(base::program()).shape(id);
    for (std::size_t d = 0; d < shape.size() && d < tensor_type::max_rank; ++d) type.sizes[type.rank++] = shape[d];
    return type;
  }
  static constexpr auto with_type(tensor_type type, dtype element) -> tensor_type {
    type.type = element;
    return type;
  }
  /// Adds a constant with the iteration numbers along dimension 0; the other sizes of `type` are 1.
  constexpr auto iteration_numbers(const tensor_type& type) -> value_id {
    vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < iterations_; ++i) numbers.push_back(i);
    base::model().reader.charge(numbers.size());
    const auto id = integer_constant(name_of("iterations"), numbers);
    base::builder().at(id).shape = base::builder().integers(type.shape());
    return id;
  }
  constexpr auto zeros(byte_ref name, const tensor_type& type) -> value_id {
    const auto bytes = byte_count(type.type, type.shape());
    if (bytes < 0 || !base::model().reader.charge(static_cast<std::uint64_t>(bytes))) {
      base::template refuse<"unsupported_model">(
          "its stacked outputs need more bytes than the limit for a file of this size; store the model without this Loop");
      return value_id{0};
    }
    return constant(name, type, baton::view(text_buffer(static_cast<std::size_t>(bytes), '\0')));
  }
  constexpr auto call(byte_ref name, literal_name op, std::initializer_list<value_id> inputs, const tensor_type& type) -> value_id {
    auto& builder = base::builder();
    const auto id = builder.add_value({.name = name, .type = type.type, .shape = builder.integers(type.shape())});
    emitter_.add_node(record_, op, {inputs.begin(), inputs.size()}, {&id, 1});
    builder.latest_node().name = name;
    return id;
  }

  std::size_t carried_ = 0;
  std::size_t stacked_ = 0;
  std::int64_t iterations_ = -1;  ///< the value of `M`, or -1 if it is unknown
  value_id limit_ = none<value_id>;
  value_id initial_ = none<value_id>;
};

}  // namespace baton::onnx::detail
