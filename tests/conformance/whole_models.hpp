// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The five models of rows T-DH-2, T-LBM-2 and T-LBM-3, which lower whole models.
#pragma once

#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>

#include "conformance/graphs.hpp"

#include <cstdint>

namespace conformance {

/// A substitute for the Emformer block: attention over a few steps, then the sum and the feed-forward layer.
constexpr auto attention_block() -> baton::exported_program {
  constexpr auto steps = baton::tensor(baton::dtype::float32, 2, 4);
  constexpr auto square = baton::tensor(baton::dtype::float32, 4, 4);
  constexpr auto scores = baton::tensor(baton::dtype::float32, 2, 2);
  constexpr std::int64_t dims[] = {1, 0};
  baton::program_builder b;
  const auto query_weight = b.parameter("attention.query", square);
  const auto key_weight = b.parameter("attention.key", square);
  const auto value_weight = b.parameter("attention.value", square);
  const auto weight = b.parameter("feed_forward.weight", square);
  const auto x = b.user_input("x", steps);
  const auto query = b.call("aten.mm.default", {x, query_weight}, steps);
  const auto key = b.call("aten.mm.default", {x, key_weight}, steps);
  const auto value = b.call("aten.mm.default", {x, value_weight}, steps);
  const auto turned = b.call("aten.permute_copy.default", {key}, baton::tensor(baton::dtype::float32, 4, 2), {{"dims", dims}});
  const auto weights = b.call("aten.sigmoid.default", {b.call("aten.mm.default", {query, turned}, scores)}, scores);
  const auto attended = b.call("aten.mm.default", {weights, value}, steps);
  const auto sum = b.call("aten.add.Tensor", {attended, x}, steps);
  b.output(b.call("aten.relu.default", {b.call("aten.mm.default", {sum, weight}, steps)}, steps));
  return b.finish();
}

constexpr auto repeat_model() -> baton::exported_program {
  constexpr auto one = baton::tensor(baton::dtype::float32, 1, 2);
  constexpr auto four = baton::tensor(baton::dtype::float32, 4, 2);
  constexpr std::int64_t repeats[] = {4, 1};
  baton::program_builder b;
  b.user_input("arg1", one);
  const auto arg2 = b.user_input("arg2", one);
  const auto repeat = b.call("repeat", "aten.repeat.default", {arg2}, four, {{"repeats", repeats}});
  b.output(b.call("mul", "aten.mul.Tensor", {repeat, repeat}, four));
  b.output(b.call("add", "aten.add.Tensor", {arg2, arg2}, one));
  return b.finish();
}

constexpr auto elementwise_add() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {x, y}, two_by_two));
  return b.finish();
}

constexpr auto sin_with_unused_input() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", two_by_two);
  b.user_input("unused", two_by_two);
  b.output(b.call("sin", "aten.sin.default", {x}, two_by_two));
  return b.finish();
}

/// Calls `f` with each of the five models. Returns true if all calls return true.
template <class F>
constexpr auto for_every_whole_model(F f) -> bool {
  return f(attention_block()) && f(repeat_model()) && f(elementwise_add()) && f(g_mlp()) && f(sin_with_unused_input());
}

/// Returns a program that calls a lowered module, as after an export of a model that contains it.
template <class Module>
constexpr auto wrapped(const baton::exported_program& like, const Module& module) -> baton::exported_program {
  baton::program_builder b;
  baton::embedded_module callee(b, module);
  baton::program_copier copier(like, b);
  baton::vector<baton::value_id> arguments;
  for (const auto input : baton::program_view(like).inputs(like.root())) {
    if (!baton::is_owned_data(like[input].kind)) arguments.push_back(copier.copy_input(input));
  }
  for (const auto output : callee(arguments)) b.output(output);
  return b.finish();
}

}  // namespace conformance
