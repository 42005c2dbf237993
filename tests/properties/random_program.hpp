// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random valid programs: owned data with many users, mutated buffers, nodes with several outputs, nested branches and loops, graphs with
// several callers, unused values, and outputs that are inputs. A seed produces the same program at compile time and at run time.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include "properties/random.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace properties {

/// The amount of state. `much`: many buffers that take each other's values, and graphs that return the old values of their buffers.
/// `in_place`: nodes also write buffers in place (`tfl.custom.STEP`), and views of buffers are read after that.
enum class amount_of_state : std::uint8_t { none, some, much, in_place };

/// The size of programs.
struct program_limits {
  std::size_t nodes = 14;  ///< of the root graph; subgraphs have a third
  std::size_t depth = 3;   ///< of nested graphs
  amount_of_state state = amount_of_state::some;
};

class random_program {
 public:
  constexpr explicit random_program(std::uint64_t seed, program_limits limits = {}) : random_(seed), limits_(limits) {}

  constexpr auto make() -> baton::exported_program {
    scope root;
    for (auto left = 1 + random_.below(3); left-- > 0;) root.add(square, build_.user_input(baton::view(numbered("x")), type_of(square)));
    if (random_.once_in(2)) root.add(single, build_.user_input("flag", type_of(single)));
    add_owned_data(root, 5);
    add_nodes(root, 1 + random_.below(limits_.nodes));
    add_mutations(root);
    for (auto left = 1 + random_.below(4); left-- > 0;) build_.output(any_value(root));
    if (has_much_state()) build_.output(result(root, square));
    return build_.finish();
  }

 private:
  enum shape : std::size_t { square, row, line, single, shapes };

  static constexpr auto type_of(shape of) -> baton::tensor_type {
    using enum baton::dtype;
    if (of == square) return baton::tensor(float32, 2, 2);
    if (of == row) return baton::tensor(float32, 1, 2);
    return of == line ? baton::tensor(float32, 2) : baton::tensor(float32, 1);
  }

  /// The values of one graph by shape, and its mutable buffers.
  struct scope {
    std::array<baton::vector<baton::value_id>, shapes> values;
    baton::vector<baton::text_buffer> states;
    baton::vector<baton::value_id> state_values;  ///< the values of the states
    std::size_t depth = 0;

    constexpr void add(shape of, baton::value_id id) { values[of].push_back(id); }
  };

  constexpr auto numbered(std::string_view name) -> baton::text_buffer { return baton::join(name, "_", next_number_++); }

  constexpr auto call(std::string_view name, std::string_view op, std::initializer_list<baton::value_id> inputs, shape of,
                      std::initializer_list<baton::named_literal> literals = {}) -> baton::value_id {
    return build_.call(baton::view(numbered(name)), op, inputs, type_of(of), literals);
  }
  constexpr auto call_many(std::string_view name, std::string_view op, std::initializer_list<baton::value_id> inputs,
                           std::initializer_list<baton::tensor_type> types, std::initializer_list<baton::named_literal> literals,
                           std::initializer_list<baton::graph_id> subgraphs = {}) -> baton::vector<baton::value_id> {
    return build_.call_many(baton::view(numbered(name)), op, inputs, types, literals, subgraphs);
  }

  // Values

  constexpr auto pick(scope& from, shape of) -> baton::value_id {
    if (from.values[of].empty()) from.add(of, derive_from_square(from, of));
    return random_.one_of(from.values[of]);
  }
  constexpr auto derive_from_square(scope& from, shape of) -> baton::value_id {
    if (of == square) {
      const auto constant = build_.constant(baton::view(numbered("square")), type_of(square));
      return constant;
    }
    const auto source = pick(from, square);
    if (of == row) return split(from, source)[0];
    if (of == line) return call("select", "aten.select_copy.int", {source}, line, {{"dim", 0}, {"index", 1}});
    return call("sum", "aten.sum.default", {source}, single);
  }
  constexpr auto any_value(scope& from) -> baton::value_id { return pick(from, static_cast<shape>(random_.below(shapes))); }

  constexpr auto split(scope& into, baton::value_id source) -> baton::vector<baton::value_id> {
    auto rows = call_many("split", "aten.split.Tensor", {source}, {type_of(row), type_of(row)}, {{"dim", 0}});
    for (const auto id : rows) into.add(row, id);
    return rows;
  }

  constexpr void add_owned_data(scope& to, std::size_t max) {
    if (has_much_state()) {
      for (auto left = random_.below(4) + (to.depth == 0 ? 1 : 0); left-- > 0;)
        add_state(to, random_.once_in(2) ? some_bytes(square) : baton::span<const char>{});
      return;
    }
    if (limits_.state == amount_of_state::in_place) add_state(to, some_bytes(square));
    for (auto left = random_.below(max + 1); left-- > 0;) {
      const auto of = random_.once_in(4) ? line : square;
      const auto bytes = random_.once_in(2) ? some_bytes(of) : baton::span<const char>{};
      switch (random_.below(4)) {
        case 0:
          to.add(of, build_.parameter(baton::view(numbered("weight")), type_of(of), bytes));
          break;
        case 1:
          to.add(of, build_.constant(baton::view(numbered("lifted")), type_of(of), bytes));
          break;
        case 2:
          to.add(of, build_.buffer(baton::view(numbered("buffer")), type_of(of), bytes, random_.once_in(2)));
          break;
        default:
          if (limits_.state == amount_of_state::none) break;
          add_state(to, bytes.size() == 16 ? bytes : baton::span<const char>{});
      }
    }
  }
  constexpr auto has_much_state() const -> bool { return limits_.state == amount_of_state::much; }
  constexpr void add_state(scope& to, baton::span<const char> bytes) { add_state(to, numbered("state"), bytes); }
  constexpr void add_state(scope& to, const baton::text_buffer& name, baton::span<const char> bytes) {
    to.states.push_back(name);
    states_ += 1;
    to.state_values.push_back(build_.mutable_buffer(baton::view(name), type_of(square), bytes));
    to.add(square, to.state_values.back());
  }
  /// Returns the value of a state, sometimes through a view. Without much state, returns any value.
  constexpr auto result(scope& from, shape of) -> baton::value_id {
    if (!has_much_state() || of != square || from.state_values.empty() || random_.once_in(3)) return pick(from, of);
    const auto state = random_.one_of(from.state_values);
    return random_.once_in(2) ? state : call("view", "aten.view_copy.default", {state}, square);
  }
  constexpr auto some_bytes(shape of) -> baton::span<const char> {
    const std::size_t count = of == square ? 4 : 2;
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(random_.below(7)) / 4);
      for (std::size_t b = 0; b < 4; ++b) bytes_[4 * i + b] = static_cast<char>(bits >> (8 * b) & 0xff);
    }
    return {bytes_.data(), 4 * count};
  }

  constexpr void add_mutations(scope& of) {
    if (has_much_state()) return rotate(of);
    for (const auto& state : of.states) {
      if (random_.once_in(4)) continue;
      const auto kind = random_.below(8);
      const auto value = kind == 0 ? pick(of, square) : call("next", "aten.add.Tensor", {pick(of, square), pick(of, square)}, square);
      build_.mutation(value, baton::view(state));
      if (random_.once_in(4)) of.add(square, value);
    }
  }

  /// Assigns to every state the value of another state; some states get a new value or none.
  constexpr void rotate(scope& of) {
    const auto by = random_.below(of.states.size());
    for (std::size_t i = 0; i < of.states.size(); ++i) {
      auto value = of.state_values[(i + by) % of.state_values.size()];
      switch (random_.below(10)) {
        case 0:
          value = call("next", "aten.add.Tensor", {pick(of, square), pick(of, square)}, square);
          break;
        case 1:
          value = result(of, square);
          break;
        case 2:
          value = call("view", "aten.view_copy.default", {value}, square);
          break;
        default:
          break;
      }
      if (!random_.once_in(10)) build_.mutation(value, baton::view(of.states[i]));
    }
  }

  // Nodes

  constexpr void add_nodes(scope& to, std::size_t count) {
    for (; count > 0; --count) {
      if (to.depth < limits_.depth && random_.once_in(has_much_state() ? 3 : 7)) {
        add_control_flow(to);
      } else {
        add_node(to);
      }
    }
  }

  constexpr void add_node(scope& to) {
    const auto of = random_.once_in(3) ? static_cast<shape>(random_.below(single)) : square;
    if (limits_.state == amount_of_state::in_place && !to.state_values.empty() && random_.once_in(2)) return add_access(to);
    switch (random_.below(9)) {
      case 0:
        return add(to, square, call("mm", "aten.mm.default", {pick(to, square), pick(to, square)}, square));
      case 1:
        return add(to, of, call("relu", "aten.relu.default", {pick(to, of)}, of));
      case 2:
        return add(to, of, call("mul", "aten.mul.Tensor", {pick(to, of), pick(to, of)}, of));
      case 3:
        return add(to, of, call("sub", "aten.sub.Tensor", {pick(to, of), pick(to, of)}, of));
      case 4:
        split(to, pick(to, square));
        return;
      case 5:
        return add(to, square, call("cat", "aten.cat.default", {pick(to, row), pick(to, row)}, square, {{"dim", 0}}));
      case 6:
        return add(to, square,
                   call("linear", "aten.linear.default", {pick(to, square), pick(to, square), baton::none<baton::value_id>}, square));
      case 7:
        return add(to, square, call("clamp", "aten.clamp.default", {pick(to, square)}, square, {{"min", -2}, {"max", 2}}));
      default:
        return add(to, of, call("add", "aten.add.Tensor", {pick(to, of), pick(to, of)}, of));
    }
  }
  static constexpr void add(scope& to, shape of, baton::value_id id) { to.add(of, id); }

  /// Adds a node that writes a state in place, a view of the state, or another reader.
  constexpr void add_access(scope& to) {
    const auto state = random_.one_of(to.state_values);
    switch (random_.below(3)) {
      case 0:
        return add(to, square, call("step", "tfl.custom.STEP", {state, pick(to, square)}, square));
      case 1:
        return add(to, square, call("view", "aten.view_copy.default", {state}, square));
      default:
        return add(to, square, call("read", "aten.sub.Tensor", {state, pick(to, square)}, square));
    }
  }

  // Control flow

  constexpr void add_control_flow(scope& to) {
    switch (random_.below(4)) {
      case 0:
        return add_while(to);
      case 1:
        return add_map(to);
      case 2:
        return add_scan(to);
      default:
        return add_cond(to);
    }
  }

  /// Adds a graph with placeholders of these shapes. `finish` adds its nodes and outputs.
  template <class Finish>
  constexpr auto add_graph(const scope& outer, std::string_view name, std::initializer_list<shape> inputs, Finish finish)
      -> baton::graph_id {
    const auto here = build_.current();
    const auto id = build_.add_graph(baton::view(numbered(name)));
    scope inner;
    inner.depth = outer.depth + 1;
    baton::vector<baton::value_id> placeholders;
    for (const auto of : inputs) {
      placeholders.push_back(build_.user_input(baton::view(numbered("arg")), type_of(of)));
      inner.add(of, placeholders.back());
    }
    add_owned_data(inner, 2);
    finish(inner, placeholders);
    build_.enter(here);
    return id;
  }
  constexpr void add_body_nodes(scope& to) { add_nodes(to, random_.below(limits_.nodes / 3 + 1)); }

  /// Returns a new or known branch. If `common` is not empty, it names a state that both branches of a choice have.
  constexpr auto branch(const scope& outer, const baton::text_buffer& common) -> baton::graph_id {
    if (!known_.empty() && random_.once_in(4)) return random_.one_of(known_);
    // A graph with several callers must not have state, or it is rejected.
    const auto states_before = states_;
    const auto id = add_graph(outer, "branch", {square}, [&](scope& inner, const auto&) {
      constexpr std::array<char, 16> zeros{};
      if (!common.empty()) add_state(inner, common, zeros);
      add_body_nodes(inner);
      add_mutations(inner);
      build_.output(result(inner, square));
    });
    if (outer.depth == 0 && (states_ == states_before || (!has_much_state() && random_.once_in(10)))) known_.push_back(id);
    return id;
  }
  constexpr void add_cond(scope& to) {
    auto predicate = pick(to, single);
    if (random_.once_in(2)) {
      predicate = call("gt", "aten.gt.Scalar", {predicate}, single, {{"other", 0.25}});
      to.add(single, predicate);
    }
    const auto operand = pick(to, square);
    baton::text_buffer common;
    if (has_much_state() && random_.once_in(2)) common = numbered("common");
    const auto yes = branch(to, common);
    const auto no = branch(to, common);
    to.add(square, call_many("cond", "cond", {predicate, operand}, {type_of(square)}, {}, {yes, no})[0]);
  }
  /// Adds a loop of at most three iterations, which carries a counter.
  constexpr void add_while(scope& to) {
    const auto counter = call("zero", "aten.clamp.default", {pick(to, single)}, single, {{"min", 0}, {"max", 0}});
    const auto carried = pick(to, square);
    const auto fixed = pick(to, line);
    const auto rounds = static_cast<std::int64_t>(random_.below(4));
    const auto condition = add_graph(to, "condition", {single, square, line}, [&](scope&, const auto& placeholders) {
      build_.output(call("lt", "aten.lt.Scalar", {placeholders[0]}, single, {{"other", rounds}}));
    });
    const auto body = add_graph(to, "body", {single, square, line}, [&](scope& inner, const auto& placeholders) {
      const auto next = call("count", "aten.add.Tensor", {placeholders[0]}, single, {{"other", 1}});
      add_body_nodes(inner);
      add_mutations(inner);
      build_.output(next);
      build_.output(result(inner, square));
    });
    const auto results =
        call_many("while", "while_loop", {counter, carried, fixed}, {type_of(single), type_of(square)}, {}, {condition, body});
    to.add(single, results[0]);
    to.add(square, results[1]);
  }
  constexpr void add_map(scope& to) {
    const auto stack = pick(to, square);
    const auto fixed = pick(to, line);
    const auto body = add_graph(to, "body", {line, line}, [&](scope& inner, const auto&) {
      add_body_nodes(inner);
      add_mutations(inner);
      build_.output(pick(inner, line));
    });
    to.add(square, call_many("map", "map", {stack, fixed}, {type_of(square)}, {{"mapped", 1}}, {body})[0]);
  }
  constexpr void add_scan(scope& to) {
    const auto initial = pick(to, line);
    const auto stack = pick(to, square);
    const auto body = add_graph(to, "body", {line, line}, [&](scope& inner, const auto&) {
      add_body_nodes(inner);
      add_mutations(inner);
      build_.output(pick(inner, line));
      build_.output(pick(inner, line));
    });
    const auto results =
        call_many("scan", "scan", {initial, stack}, {type_of(line), type_of(square)}, {{"carried", 1}, {"scanned", 1}}, {body});
    to.add(line, results[0]);
    to.add(square, results[1]);
  }

  baton::program_builder build_;
  random_numbers random_;
  program_limits limits_;
  baton::vector<baton::graph_id> known_;  ///< branches that may be called again
  std::array<char, 16> bytes_{};
  std::uint32_t next_number_ = 0;
  std::uint32_t states_ = 0;  ///< mutable buffers so far
};

constexpr auto make_program(std::uint64_t seed, program_limits limits = {}) -> baton::exported_program {
  return random_program(seed, limits).make();
}

/// Tags every third node of a program with a tag that has no delegation spec (R59).
constexpr auto with_earlier_tags(baton::exported_program program) -> baton::exported_program {
  baton::tag earlier;
  earlier.name = baton::own_bytes(program, "earlier");
  program.tags.push_back(earlier);
  for (std::size_t n = 0; n < program.nodes.size(); n += 3) program.nodes[n].tag = static_cast<baton::tag_id>(program.tags.size() - 1);
  return program;
}

}  // namespace properties
