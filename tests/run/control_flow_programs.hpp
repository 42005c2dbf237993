// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Small programs with branches and loops, each for one purpose.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>

#include "conformance/graphs.hpp"
#include "reference/kernels.hpp"

namespace control_flow_programs {

using namespace baton;

inline constexpr auto scalar = tensor(dtype::float32);
inline constexpr auto pair = tensor(dtype::float32, 2);
inline constexpr auto truth = tensor(dtype::boolean);
inline constexpr char one[] = {0, 0, '\x80', '\x3f'};

inline constexpr static_program cond_program{[] { return reference::with_data(conformance::g_cond()); }};
inline constexpr static_program map_program{[] { return reference::with_data(conformance::g_map()); }};

// count = 0; do { x = x + x; (a, b) = (b, a + b) } while (++count < limit), where the limit is an input.
constexpr auto fibonacci() -> exported_program {
  program_builder b;
  const auto limit = b.user_input("limit", scalar);
  const auto a = b.user_input("a", pair);
  const auto c = b.user_input("c", pair);
  const auto count = b.call("aten.sub.Tensor", {limit, limit}, scalar);
  const auto condition = b.add_graph("condition");
  {
    const auto at = b.user_input("count", scalar);
    b.user_input("a", pair);
    b.user_input("c", pair);
    const auto end = b.user_input("limit", scalar);
    b.output(b.call("aten.lt.Tensor", {at, end}, truth));
  }
  const auto body = b.add_graph("body");
  {
    const auto unit = b.constant("unit", scalar, one);
    const auto at = b.user_input("count", scalar);
    const auto first = b.user_input("a", pair);
    const auto second = b.user_input("c", pair);
    b.user_input("limit", scalar);
    const auto next = b.call("aten.add.Tensor", {at, unit}, scalar);
    const auto sum = b.call("aten.add.Tensor", {first, second}, pair);
    b.output(next);
    b.output(second);  // in place of `first`: neither may be overwritten before it is read
    b.output(sum);
  }
  b.enter(graph_id{0});
  const auto results = b.call_many("loop", "while_loop", {count, a, c, limit}, {scalar, pair, pair}, {}, {condition, body});
  b.output(b.call("aten.add.Tensor", {results[1], results[2]}, pair));
  b.output(results[0]);
  return b.finish();
}
inline constexpr static_program while_program{[] { return fibonacci(); }};

// Running sums of a stack, and the sums before each step. The body has a conditional, and a branch of it a map.
constexpr auto nested() -> exported_program {
  constexpr auto stack = tensor(dtype::float32, 4, 2);
  program_builder b;
  const auto start = b.user_input("start", pair);
  const auto xs = b.user_input("xs", stack);
  const auto scale = b.user_input("scale", pair);
  const auto doubled = b.add_graph("doubled");
  {
    const auto x = b.user_input("x", pair);
    const auto by = b.user_input("by", pair);
    const auto inner = b.add_graph("inner");
    {
      const auto row = b.user_input("row", scalar);
      b.output(b.call("aten.add.Tensor", {row, row}, scalar));
    }
    b.enter(doubled);
    const auto twice = b.call_many("map", "map", {x}, {pair}, {{"mapped", 1}}, {inner});
    b.output(b.call("aten.mul.Tensor", {twice[0], by}, pair));
    b.output(x);
  }
  const auto kept = b.add_graph("kept");
  {
    const auto x = b.user_input("x", pair);
    const auto by = b.user_input("by", pair);
    b.output(by);
    b.output(b.call("aten.sub.Tensor", {x, by}, pair));
  }
  const auto body = b.add_graph("body");
  {
    const auto sum = b.user_input("sum", pair);
    const auto x = b.user_input("x", pair);
    const auto by = b.user_input("by", pair);
    const auto total = b.call("aten.sum.default", {x}, scalar);
    const auto zero = b.call("aten.sub.Tensor", {total, total}, scalar);
    const auto is_positive = b.call("aten.gt.Tensor", {total, zero}, truth);
    const auto chosen = b.call_many("choice", "cond", {is_positive, x, by}, {pair, pair}, {}, {doubled, kept});
    const auto next = b.call("aten.add.Tensor", {sum, chosen[0]}, pair);
    b.output(next);
    b.output(chosen[1]);
    b.output(sum);
  }
  b.enter(graph_id{0});
  const auto results = b.call_many("scan", "scan", {start, xs, scale}, {pair, stack, stack}, {{"carried", 1}, {"scanned", 1}}, {body});
  b.output(results[2]);
  b.output(results[0]);
  b.output(results[1]);
  return b.finish();
}
inline constexpr static_program nested_program{[] { return nested(); }};

// One graph that two nodes call, each from both branches.
constexpr auto shared() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", pair);
  const auto choose = b.user_input("choose", truth);
  const auto body = b.add_graph("body");
  {
    const auto a = b.user_input("a", pair);
    b.output(b.call("aten.mul.Tensor", {a, b.call("aten.add.Tensor", {a, a}, pair)}, pair));
  }
  b.enter(graph_id{0});
  const auto first = b.call_many("first", "cond", {choose, x}, {pair}, {}, {body, body});
  const auto second = b.call_many("second", "cond", {choose, first[0]}, {pair}, {}, {body, body});
  b.output(b.call("aten.add.Tensor", {first[0], second[0]}, pair));
  return b.finish();
}
inline constexpr static_program shared_program{[] { return shared(); }};

// Branches that return their inputs, and a constant.
constexpr auto passing() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", pair);
  const auto y = b.user_input("y", pair);
  const auto choose = b.user_input("choose", truth);
  constexpr char ones[] = {0, 0, '\x80', '\x3f', 0, 0, '\x80', '\x3f'};
  const auto constant = b.constant("given", pair, ones);
  const auto left = b.add_graph("left");
  {
    const auto p = b.user_input("p", pair);
    const auto q = b.user_input("q", pair);
    const auto k = b.user_input("k", pair);
    b.output(p);
    b.output(q);
    b.output(k);
  }
  const auto right = b.add_graph("right");
  {
    const auto own = b.constant("own", pair, ones);
    const auto p = b.user_input("p", pair);
    const auto q = b.user_input("q", pair);
    const auto k = b.user_input("k", pair);
    const auto sum = b.call("aten.add.Tensor", {q, k}, pair);
    b.output(own);
    b.output(sum);
    b.output(sum);
    static_cast<void>(p);
  }
  b.enter(graph_id{0});
  for (const auto output : b.call_many("choice", "cond", {choose, x, y, constant}, {pair, pair, pair}, {}, {left, right})) b.output(output);
  return b.finish();
}
inline constexpr static_program passing_program{[] { return passing(); }};

// Three scans, each of which exchanges its carried value and a mutable buffer in every iteration.
constexpr auto exchanging() -> exported_program {
  program_builder b;
  auto carried = b.user_input("x", pair);
  const auto xs = b.user_input("xs", tensor(dtype::float32, 3));
  for (const auto* name : {"first", "second", "third"}) {
    const auto body = b.add_graph("body");
    const auto old = b.user_input("old", pair);
    b.user_input("slice", scalar);
    const auto state = b.mutable_buffer(name, pair);
    b.mutation(old, name);
    b.output(state);
    b.enter(graph_id{0});
    carried = b.call_many("scan", "scan", {carried, xs}, {pair}, {{"carried", 1}, {"scanned", 1}}, {body})[0];
  }
  b.output(carried);
  return b.finish();
}
inline constexpr static_program exchanging_program{[] { return reference::with_data(exchanging()); }};

}  // namespace control_flow_programs
