// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Branches, loops, and delegates in them on a Cortex-M4: their cost, and a stack that is as deep as the nesting of graphs. An image that
// uses a heap would not link.
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "cortex_m/measure.hpp"
#include "cortex_m/semihosting.hpp"
#include "run/multiply.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>

namespace {

using namespace baton;

constexpr auto quad = tensor(dtype::float32, 4);
constexpr auto truth = tensor(dtype::boolean);
constexpr auto number = tensor(dtype::float32);

/// Kernels on pairs of floats; the second operand may be a scalar.
template <fixed_string Op, class F, class Result>
struct pair_kernel {
  static constexpr literal_name operators[] = {literal_name{Op.characters}};
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  template <class Call>
  static void compute(const Call& call) {
    constexpr auto count = static_cast<std::size_t>(element_count(Call::program().shape(Call::output_id(0))));
    constexpr bool is_scalar = Call::program().shape(Call::input_id(1)).empty();
    for (std::size_t i = 0; i < count; ++i) {
      float left = 0;
      float right = 0;
      std::memcpy(&left, call.template input<0>() + i * sizeof left, sizeof left);
      std::memcpy(&right, call.template input<1>() + (is_scalar ? 0 : i) * sizeof right, sizeof right);
      const auto result = static_cast<Result>(F{}(left, right));
      std::memcpy(call.template output<0>() + i * sizeof result, &result, sizeof result);
    }
  }
};
constexpr auto float_kernels =
    kernels<pair_kernel<"aten.add.Tensor", std::plus<>, float>, pair_kernel<"aten.sub.Tensor", std::minus<>, float>,
            pair_kernel<"aten.lt.Tensor", std::less<>, bool>>;

/// A backend that multiplies.
struct multiplier {
  static constexpr auto id = name<"multiplier">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return preprocess_result{"x"}; }
  static void execute(const delegate_call& call) { tests::multiply(call); }
};

constexpr char one[] = {0, 0, '\x80', '\x3f'};

// For every row x of a stack: while count < limit, x = x * x if count < half, and x + x otherwise. Also returns the sum of the rows.
constexpr auto build() -> exported_program {
  constexpr auto stack = tensor(dtype::float32, 8, 4);
  program_builder b;
  const auto sum = b.user_input("sum", quad);
  const auto xs = b.user_input("xs", stack);
  const auto limit = b.user_input("limit", number);
  const auto half = b.user_input("half", number);
  const auto square = b.add_graph("square");
  {
    const auto x = b.user_input("x", quad);
    b.output(b.call("aten.mul.Tensor", {x, x}, quad));
  }
  const auto twice = b.add_graph("twice");
  {
    const auto x = b.user_input("x", quad);
    b.output(b.call("aten.add.Tensor", {x, x}, quad));
  }
  const auto condition = b.add_graph("condition");
  {
    const auto at = b.user_input("at", number);
    b.user_input("x", quad);
    const auto end = b.user_input("limit", number);
    b.user_input("half", number);
    b.output(b.call("aten.lt.Tensor", {at, end}, truth));
  }
  const auto turn = b.add_graph("turn");
  {
    const auto unit = b.constant("unit", number, one);
    const auto at = b.user_input("at", number);
    const auto x = b.user_input("x", quad);
    b.user_input("limit", number);
    const auto middle = b.user_input("half", number);
    const auto first = b.call("aten.lt.Tensor", {at, middle}, truth);
    const auto next = b.call_many("choice", "cond", {first, x}, {quad}, {}, {square, twice});
    b.output(b.call("aten.add.Tensor", {at, unit}, number));
    b.output(next[0]);
  }
  const auto row = b.add_graph("row");
  {
    const auto total = b.user_input("sum", quad);
    const auto x = b.user_input("x", quad);
    const auto end = b.user_input("limit", number);
    const auto middle = b.user_input("half", number);
    const auto zero = b.call("aten.sub.Tensor", {end, end}, number);
    const auto outputs = b.call_many("loop", "while_loop", {zero, x, end, middle}, {number, quad}, {}, {condition, turn});
    b.output(b.call("aten.add.Tensor", {total, outputs[1]}, quad));
    b.output(outputs[1]);
  }
  b.enter(graph_id{0});
  const auto outputs = b.call_many("scan", "scan", {sum, xs, limit, half}, {quad, stack}, {{"carried", 1}, {"scanned", 1}}, {row});
  b.output(outputs[0]);
  b.output(outputs[1]);
  return b.finish();
}

/// A partitioner of products in every graph.
struct products {
  static constexpr auto partition(const exported_program& program) -> partition_result {
    partition_result tagged(program);
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (program.nodes[n].is("aten.mul.Tensor")) {
        tagged.tag_node(static_cast<node_id>(n), tagged.add_tag("products", delegation_spec{to_text(multiplier::id)}));
      }
    }
    return tagged;
  }
};

constexpr static_program model{[] { return build(); }};
constexpr auto lowered = to_backend(backends<multiplier>, model, products{});
static_assert(delegates(lowered).empty() && lowered->delegates.size() == 1);  // the delegate is in a branch

basic_executor<lowered, float_kernels> net;

using row_type = std::array<float, 4>;
std::array<row_type, 8> rows;
std::array<row_type, 8> results;
row_type total;

/// Not inlined, because the stack is measured below its caller.
[[gnu::noinline]] void run(float limit, float half) {
  net.run(row_type{}, rows, std::array<float, 1>{limit}, std::array<float, 1>{half}, total, results);
}

auto is_right(float limit, float half) -> bool {
  row_type sum{};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < 4; ++i) {
      float x = rows[r][i];
      for (float at = 0; at < limit; at += 1) x = at < half ? x * x : x + x;
      sum[i] += x;
      if (results[r][i] != x) return false;
    }
  }
  return total == sum;
}

}  // namespace

int main() {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < 4; ++i) rows[r][i] = 0.25f * static_cast<float>(r) - 0.5f * static_cast<float>(i);
  }
  const firmware::stack_gauge gauge;
  firmware::instruction_counter::start();
  run(5, 3);
  const auto instructions = firmware::instruction_counter::count();
  const auto stack = gauge.used();
  bool good = is_right(5, 3);
  run(0, 3);
  good = good && is_right(0, 3) && results == rows;
  firmware::print("control flow on Cortex-M4: results are ", good ? "right" : "WRONG",
                  "\ninstructions of 8 rows of 5 turns: ", instructions);
  firmware::print("\nRAM: arena ", net.arena_bytes, ", lower bound ", net.lower_bound, ", stack ", stack, "\n");
  return good ? 0 : 1;
}
