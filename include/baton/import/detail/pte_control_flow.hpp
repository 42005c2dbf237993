// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the jumps of an ExecuTorch program back to the `cond`, `map` and `scan` nodes that the exporter wrote as jumps. A stacked tensor
// has one slice per iteration, along dimension 0. A row is a slice that an iteration stores. A value number indexes the method's values.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_kernel_calls.hpp>
#include <baton/import/detail/pte_operators.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_values.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// The instructions of a method, and the targets of its jumps.
class instruction_list {
 public:
  constexpr instruction_list(reading& model, const flatbuffer::vector<table>& stored) : model_(model) {
    for (std::size_t i = 0; i < stored.size() && model_.reader.ok(); ++i) {
      list_.push_back(stored[i].member(slot::instruction::type));
      if (type_at(i) == instruction_type::jump_false_call && destination(i) <= i) loops_.push_back(static_cast<std::uint32_t>(i));
    }
  }

  constexpr auto size() const -> std::size_t { return list_.size(); }
  constexpr auto type_at(std::size_t i) const -> instruction_type { return static_cast<instruction_type>(list_[i].type); }
  constexpr auto operator[](std::size_t i) const -> const table& { return list_[i].value; }
  /// Returns the target of jump `i`. For a negative target in the file, returns a number greater than `size()`.
  constexpr auto destination(std::size_t i) const -> std::size_t {
    const auto to = list_[i].value.scalar<std::int32_t>(slot::jump_false_call::destination);
    return to < 0 ? static_cast<std::size_t>(-1) : static_cast<std::size_t>(to);
  }
  constexpr auto condition(std::size_t i) const -> std::int32_t {
    return list_[i].value.scalar<std::int32_t>(slot::jump_false_call::cond_value_index);
  }
  /// Returns the position of the last jump before `end` that jumps back to `begin`, or `npos` if there is none.
  constexpr auto loop_at(std::size_t begin, std::size_t end) const -> std::uint32_t {
    model_.reader.charge(loops_.size());
    for (std::size_t i = loops_.size(); i-- > 0;) {
      if (loops_[i] < end && loops_[i] >= begin && destination(loops_[i]) == begin) return loops_[i];
    }
    return npos;
  }

 private:
  reading& model_;
  vector<flatbuffer::union_member> list_;
  vector<std::uint32_t> loops_;  ///< the positions of the backward jumps
};

/// An emitter of control-flow nodes. `Method` emits ranges of instructions.
template <class Method>
class control_flow {
 public:
  constexpr control_flow(Method& method, reading& from, method_values& values, scope_values& in, kernel_calls& nodes)
      : method_(method),
        model_(from),
        values_(values),
        scopes_(in),
        nodes_(nodes) {}

  /// True if a call reads the slice of the current iteration from a stacked tensor: `select_copy(stack, dimension, counter)`.
  static constexpr auto is_slice(const auto& call, std::uint32_t counter) -> bool {
    return call.op == literal_name{"aten.select_copy.int_out"}.hash && call.arguments.size() == 5 &&
           call_reader::number_at(call.arguments, 2) == counter && call.arguments[3] == call.arguments[4];
  }
  /// True if a call stores the row of the current iteration in a stacked tensor: `et_copy_index(stack, row, counter)`.
  static constexpr auto is_row(const auto& call, std::uint32_t counter) -> bool {
    return call.is_copy_index() && call_reader::number_at(call.arguments, 2) == counter;
  }

  /// Adds the `cond` that begins with jump `at`, and sets `at` to the first instruction after the `cond`. The exporter writes a `cond` as
  /// `jump_false predicate, else; <then>; jump_false false, end; else: <else>; end:`. Both branches end with moves to the results. Returns
  /// false after an error.
  constexpr auto add_cond(scope& in, std::size_t& at, std::size_t end, std::uint32_t depth) -> bool {
    const auto& list = method_.instructions();
    const auto begin = at, middle = list.destination(at);
    if (!check_target(begin)) return false;
    if (middle <= begin + 1 || middle > end || list.type_at(middle - 1) != instruction_type::jump_false_call) return refuse_jump(begin);
    if (!check_target(middle - 1)) return false;
    const auto after = list.destination(middle - 1);
    if (after < middle || after > end || !is_false(list.condition(middle - 1))) return refuse_jump(middle - 1);
    const auto condition = list.condition(begin);
    if (!values_.has(condition) || !values_.is_tensor(static_cast<std::uint32_t>(condition)))
      return model_.refuse<"damaged_model">("the condition of instruction ", begin, " is value ", condition, ", which is not a tensor");
    const auto predicate = scopes_.read(in, static_cast<std::uint32_t>(condition));
    if (!model_.check_errors("instruction ", begin)) return false;
    auto first = inner_scope(in, begin, "_then");
    if (!emit(first, begin + 1, middle - 1, depth)) return false;
    auto second = inner_scope(in, begin, "_else");
    share_captures(first, second);
    if (!emit(second, middle, after, depth)) return false;
    vector<std::uint32_t> results;
    append_results(results, in, first);
    append_results(results, in, second);
    share_captures(first, second);
    if (results.empty()) return model_.refuse<"unsupported_model">("the branches of instruction ", begin, " have no results");
    vector<value_id> outputs;
    for (const auto number : results) {
      if (!has_value(in, first, number) || !has_value(in, second, number)) {
        return model_.refuse<"unsupported_model">("only one branch of instruction ", begin, " writes value ", number,
                                                  "; a jump must come from a cond of PyTorch");
      }
      const auto a = returned(first, number);
      share_captures(first, second);
      const auto b = returned(second, number);
      share_captures(first, second);
      if (model_.why) return false;
      if (scopes_.order_of(a) != scopes_.order_of(b))
        return model_.refuse<"unsupported_model">("the branches of instruction ", begin, " return value ", number,
                                                  " in two dimension orders");
      outputs.push_back(add_result(in, a, number, begin));
    }
    model_.builder.enter(in.graph);
    vector<value_id> operands{predicate};
    for (const auto id : first.captured) operands.push_back(id);
    nodes_.add_node("cond", begin, operands, outputs);
    model_.builder.set_subgraphs(vector<graph_id>{first.graph, second.graph});
    remove_overwritten(in, first);
    remove_overwritten(in, second);
    for (std::size_t i = 0; i < results.size(); ++i) scopes_.assign(in, results[i], outputs[i]);
    at = after;
    return model_.check_errors("the branches of instruction ", begin);
  }

  /// Adds the loop from instruction `at` to the jump `back`, and sets `at` to the first instruction after the loop. The exporter writes
  /// `map` and `scan` as `begin: slice = select_copy(stack, 0, i); …; copy_(carried, new); et_copy_index(result, row, i); add(i, 1, i);
  /// eq(i, count, done); jump_false done, begin`. Returns false after an error.
  constexpr auto add_loop(scope& in, std::size_t& at, std::size_t back, std::uint32_t depth) -> bool {
    loop current;
    current.begin = at;
    current.back = back;
    if (!find_counter(current) || !find_parts(in, current)) return false;
    auto body = inner_scope(in, back, "_body");
    vector<value_id> operands;
    // From the second iteration on, memory that the body writes no longer contains the tensors that it contained before the loop. So these
    // tensors are removed from `body.memory`, the known contents of memory.
    for (const auto number : current.written) remove_place(body, number);
    for (const auto number : current.carried) {
      operands.push_back(scopes_.read(in, number));
      if (model_.why) return false;
      body.names.define(number, scopes_.add_input_like(body, operands.back()));
      const auto facts = values_.tensor(number);
      if (facts.is_placed) body.memory.write({facts.place, facts.type, number});
    }
    for (const auto& each : current.stacks) {
      operands.push_back(scopes_.read(in, each.stack));
      if (model_.why || !add_slice(body, current, each, operands.back())) return false;
    }
    values_.set_number(current.counter, {}, true);
    body.counter = current.counter;
    if (!emit(body, current.begin, back - 2, depth)) return false;
    if (body.rows.size() != current.rows.size()) return refuse_jump(back);
    vector<value_id> outputs;
    for (const auto number : current.carried) {
      const auto id = returned(body, number);
      if (model_.why) return false;
      outputs.push_back(add_result(in, id, number, back));
    }
    for (std::size_t i = 0; i < current.rows.size(); ++i) {
      const auto& each = current.rows[i];
      const auto id = body.rows[i];
      model_.builder.enter(body.graph);
      model_.builder.output(id);
      outputs.push_back(scopes_.add_output(in, each.stack, nodes_.name_of(each.stack, back)));
      if (!model_.options.shapes.empty()) set_stack_shape(outputs.back(), id, current.count);
      if (scopes_.order_of(id) != 0 || scopes_.order_of(outputs.back()) != 0)
        return model_.refuse<"unsupported_model">("instruction ", back,
                                                  " ends a loop that stacks values in a dimension order that is not the identity");
    }
    model_.builder.enter(in.graph);
    for (const auto id : body.captured) operands.push_back(id);
    const auto carried = static_cast<std::int64_t>(current.carried.size()), stacks = static_cast<std::int64_t>(current.stacks.size());
    nodes_.add_node(carried == 0 ? literal_name{"map"} : literal_name{"scan"}, back, operands, outputs);
    if (carried != 0) nodes_.add_integer("carried", carried);
    nodes_.add_integer(carried == 0 ? literal_name{"mapped"} : literal_name{"scanned"}, stacks);
    model_.builder.set_subgraphs(span{&body.graph, 1});
    remove_overwritten(in, body);
    for (std::size_t i = 0; i < current.carried.size(); ++i) scopes_.assign(in, current.carried[i], outputs[i]);
    values_.set_number(current.counter, {true, current.count}, true);
    at = back + 1;
    return model_.check_errors("the loop that ends with instruction ", back);
  }

 private:
  /// The value numbers of a stacked tensor, and of the slice that each iteration reads from this tensor or stores in this tensor.
  struct stacked {
    std::uint32_t stack;
    std::uint32_t slice;
  };
  /// A loop from instruction `begin` to the jump `back`.
  struct loop {
    std::size_t begin = 0;
    std::size_t back = 0;
    std::uint32_t counter = 0;
    std::int64_t count = 0;           ///< the number of iterations
    vector<std::uint32_t> written{};  ///< the tensors that the body writes
    vector<std::uint32_t> carried{};  ///< the written tensors that have a value before the loop
    vector<stacked> stacks{};         ///< the stacked tensors that the body reads
    vector<stacked> rows{};           ///< the stacked tensors that the body writes
  };

  constexpr auto refuse_jump(std::size_t at) -> bool {
    return model_.refuse<"unsupported_model">("instruction ", at, " jumps to instruction ", method_.instructions().destination(at),
                                              ", which is neither a branch nor a loop; a jump must come from cond, map or scan of PyTorch");
  }
  constexpr auto check_target(std::size_t at) -> bool {
    const auto& list = method_.instructions();
    if (list.destination(at) <= list.size()) return true;
    return model_.refuse<"damaged_model">("instruction ", at,
                                          " jumps to an instruction that does not exist; the number of instructions is ", list.size());
  }
  /// True if value `number` is the constant `false`.
  constexpr auto is_false(std::int32_t number) -> bool {
    if (!values_.has(number) || values_.type_of(static_cast<std::uint32_t>(number)) != value_type::boolean) return false;
    const auto known = values_.number(static_cast<std::uint32_t>(number));
    return known.is_known && known.value == 0;
  }

  constexpr auto inner_scope(scope& in, std::size_t at, std::string_view suffix) -> scope {
    model_.reader.charge(reading::cost_of_record + values_.size() + in.memory.size());
    scope inner;
    inner.outer = &in;
    inner.graph = model_.builder.add_graph({});
    const auto name = model_.own(join(method_.name(), "_node_", at, suffix));
    model_.builder.draft().graphs[index(inner.graph)].name = name;
    if (model_.reader.ok()) inner.names = baton::detail::renaming(values_.size(), &in.names);
    inner.memory = in.memory;
    return inner;
  }
  constexpr auto emit(scope& inner, std::size_t begin, std::size_t end, std::uint32_t depth) -> bool {
    if (!model_.reader.ok()) return model_.check_errors("the branches and loops");
    if (depth >= reading::max_nesting) return model_.refuse<"nested_too_deep">("more than ", reading::max_nesting, " branches and loops");
    model_.reader.charge(reading::cost_of_element * values_.changed_numbers().size());
    if (!model_.reader.ok()) return model_.check_errors("the numbers of the method");
    const auto before = values_.changed_numbers();
    model_.builder.enter(inner.graph);
    if (!method_.emit(inner, begin, end, depth + 1)) return false;
    const auto changed = values_.changed_since(before);
    if (changed == npos) return true;
    return model_.refuse<"unsupported_model">("the branch or loop from instruction ", begin, " changes the number ", changed);
  }

  /// Appends the results of a branch: the targets of its moves, and all written value numbers that are known outside the branch
  /// (`scope_values::is_known_outside`).
  constexpr void append_results(vector<std::uint32_t>& results, const scope& in, const scope& branch) {
    for (const auto number : branch.moved) append_new(results, number);
    for (const auto number : branch.names.assigned()) {
      if (scopes_.is_known_outside(in, number)) append_new(results, number);
    }
  }
  constexpr void append_new(vector<std::uint32_t>& numbers, std::uint32_t number) {
    model_.reader.charge(numbers.size());
    for (const auto known : numbers) {
      if (known == number) return;
    }
    numbers.push_back(number);
  }
  constexpr auto has_value(const scope& in, const scope& branch, std::uint32_t number) -> bool {
    return branch.names.current(number) != none<value_id> || scopes_.is_known_outside(in, number);
  }
  /// Makes the current value of `number` an output of the graph of a branch or a body. Returns this value.
  constexpr auto returned(scope& inner, std::uint32_t number) -> value_id {
    const auto id = scopes_.read(inner, number);
    model_.builder.enter(inner.graph);
    if (!model_.why) model_.builder.output(id);
    return id;
  }
  /// Adds a value to the graph of `in`. The value has the type of `from`, a result of a branch or a body.
  constexpr auto add_result(scope& in, value_id from, std::uint32_t number, std::size_t at) -> value_id {
    const auto& inner = model_.builder.at(from);
    const value record{.type = inner.type, .shape = inner.shape};
    const auto id = scopes_.add(in, record, scopes_.order_of(from));
    model_.builder.at(id).name = nodes_.name_of(number, at);
    return id;
  }
  /// Removes the tensors that a branch or a body has overwritten, completely or in part, from the known contents of memory.
  constexpr void remove_overwritten(scope& in, const scope& inner) {
    for (const auto& each : inner.written) {
      model_.reader.charge(in.memory.size());
      in.memory.remove(each);
      if (in.outer != nullptr) in.written.push_back(each);
    }
  }
  /// Makes the branches capture the same outer values in the same order. At most one branch may have captured values since the last call.
  constexpr void share_captures(scope& first, scope& second) {
    for (auto i = second.captured.size(); i < first.captured.size(); ++i) static_cast<void>(scopes_.capture(second, first.captured[i]));
    for (auto i = first.captured.size(); i < second.captured.size(); ++i) static_cast<void>(scopes_.capture(first, second.captured[i]));
  }

  // Loops

  /// Finds the counter of a loop. The last three instructions add 1 to the counter, compare it with the number of iterations, and jump
  /// back.
  constexpr auto find_counter(loop& current) -> bool {
    const auto& list = method_.instructions();
    const auto back = current.back;
    if (back < current.begin + 2) return refuse_jump(back);
    const auto add = method_.call_at(back - 2), compare = method_.call_at(back - 1);
    if (model_.why) return false;
    const bool is_counted = add.op == literal_name{"executorch_prim.add.Scalar"}.hash && add.arguments.size() == 3 &&
                            compare.op == literal_name{"executorch_prim.eq.Scalar"}.hash && compare.arguments.size() == 3 &&
                            add.arguments[0] == add.arguments[2] && compare.arguments[0] == add.arguments[0] &&
                            compare.arguments[2] == list.condition(back);
    if (!is_counted) return refuse_jump(back);
    current.counter = call_reader::number_at(add.arguments, 0);
    const auto first = values_.number(current.counter), step = values_.number(call_reader::number_at(add.arguments, 1)),
               count = values_.number(call_reader::number_at(compare.arguments, 1));
    if (!first.is_known || first.value != 0 || !step.is_known || step.value != 1 || !count.is_known || count.value < 1) {
      return model_.refuse<"unsupported_model">("instruction ", back,
                                                " ends a loop that does not count from 0 by 1 to a known number of iterations");
    }
    current.count = count.value;
    return true;
  }

  /// Finds the stacked tensors and the carried values of a loop.
  constexpr auto find_parts(const scope& in, loop& current) -> bool {
    for (std::size_t i = current.begin; i + 2 < current.back; ++i) {
      vector<std::uint32_t> written;
      const auto call = method_.call_at(i);
      if (model_.why) return false;
      if (is_slice(call, current.counter)) {
        const auto dimension = values_.number(call_reader::number_at(call.arguments, 1));
        if (!dimension.is_known || dimension.value != 0)
          return model_.refuse<"unsupported_model">("instruction ", i, " reads a stack along another dimension than 0");
        current.stacks.push_back({call_reader::number_at(call.arguments, 0), call_reader::number_at(call.arguments, 4)});
      } else if (is_row(call, current.counter)) {
        current.rows.push_back({call_reader::number_at(call.arguments, 0), call_reader::number_at(call.arguments, 1)});
        current.written.push_back(current.rows.back().stack);
      } else {
        method_.append_written(in, i, written);
      }
      for (const auto number : written) add_written(in, current, number);
      if (!model_.check_errors("instruction ", i)) return false;
    }
    if (current.stacks.empty())
      return model_.refuse<"unsupported_model">("instruction ", current.back,
                                                " ends a loop that reads no stack; a loop must come from map or scan");
    if (current.carried.empty() && current.rows.empty())
      return model_.refuse<"unsupported_model">("instruction ", current.back, " ends a loop without results");
    return true;
  }
  constexpr void add_written(const scope& in, loop& current, std::uint32_t number) {
    const auto count = current.written.size();
    append_new(current.written, number);
    if (current.written.size() == count) return;
    if (scopes_.is_known_outside(in, number)) current.carried.push_back(number);
  }
  /// Sets the shape of a stacked tensor: `count` rows with the shape of `row`. This is necessary because the file may state only upper
  /// bounds of the sizes.
  constexpr void set_stack_shape(value_id stack, value_id row, std::int64_t count) {
    vector<std::int64_t> sizes{count};
    for (const auto size : model_.builder.draft().integer_list(model_.builder.at(row).shape)) sizes.push_back(size);
    model_.builder.at(stack).shape = model_.builder.integers(sizes);
  }
  constexpr void remove_place(scope& body, std::uint32_t number) {
    const auto facts = values_.tensor(number);
    model_.reader.charge(body.memory.size());
    if (facts.is_placed) body.memory.remove(facts.place);
  }
  /// Adds an input to the body: one slice of the stacked tensor `stack` along dimension 0.
  constexpr auto add_slice(scope& body, const loop& current, const stacked& each, value_id stack) -> bool {
    const auto& outer = model_.builder.at(stack);
    const auto shape = model_.builder.draft().integer_list(outer.shape);
    if (shape.empty() || shape[0] != current.count || scopes_.order_of(stack) != 0) {
      return model_.refuse<"unsupported_model">("instruction ", current.back, " ends a loop that does not read all of value ", each.stack,
                                                " along its first dimension");
    }
    const value record{.type = outer.type, .kind = value_kind::user_input, .shape = {outer.shape.first + 1, outer.shape.size - 1}};
    const auto id = scopes_.add_input(body, record, 0);
    model_.builder.at(id).name = nodes_.name_of(each.slice, current.begin);
    body.names.assign(each.slice, id);
    const auto facts = values_.tensor(each.slice);
    if (facts.is_placed) body.memory.write({facts.place, facts.type, each.slice});
    if (facts.is_placed) body.written.push_back(facts.place);
    return true;
  }

  Method& method_;
  reading& model_;
  method_values& values_;
  scope_values& scopes_;
  kernel_calls& nodes_;
};

}  // namespace baton::pte::detail
