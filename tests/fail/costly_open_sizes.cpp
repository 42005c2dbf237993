// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: constexpr
// EXPECT: baton costly_model: the compiler cannot evaluate the import of a model; see the compiler's message above, and raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)
// EXPECT: a file of
// FIRST: any
// LINES: 300
// The inference of a large model's open sizes is a separate constant. The rule is the same if the compiler cannot evaluate this constant.
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include "import/tflite_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

/// A model whose custom operator has an output with an open size. The list of tensors repeats one tensor, because only large models are
/// read in steps.
constexpr auto model() -> baton::vector<char> {
  tests::tflite_writer w;
  const auto code = w.operator_code(32, "SLOW");
  const auto none = w.buffer({});
  const auto x = w.tensor("x", {1, 8}, tests::float32, 0, w.shape_signature({-1, 8}));
  const auto y = w.tensor("y", {1, 8}, tests::float32, 0, w.shape_signature({-1, 8}));
  baton::vector<tests::reference> tensors(450, y);
  tensors[0] = x;
  const auto node = w.operation(0, {0}, {1});
  const auto graph = w.graph(tensors, {0}, {1}, baton::span{&node, 1});
  return w.model({code}, {graph}, {none});
}
constexpr auto size = model().size();
constexpr auto copied() -> std::array<char, size> {
  std::array<char, size> bytes{};
  const auto from = model();
  std::copy(from.begin(), from.end(), bytes.begin());
  return bytes;
}
constexpr auto copy = copied();
template <class>
struct file;
template <std::size_t... I>
struct file<std::index_sequence<I...>> {
  static constexpr char bytes[] = {copy[I]..., '\0'};
};

#if defined(FIXED)
constexpr std::int64_t turns = 100;
#else
constexpr std::int64_t turns = 1100000;
#endif
/// Runs one loop with many iterations. GCC limits the iterations of a loop, so it stops earlier than in `long_work`, which takes 25
/// seconds.
constexpr void infer_for_long(baton::inference& node) {
  std::int64_t sum = node.size(0, 1);
  for (std::int64_t i = 0; i < turns; ++i) sum += i;
  node.set_output(0, baton::dtype::float32, {sum == 0 ? 2 : 1, 8});
}
constexpr baton::operator_definition operators[] = {{.name = "tfl.custom.SLOW", .infer = infer_for_long}};

constexpr auto program = baton::tflite::read<file<std::make_index_sequence<size>>::bytes, baton::tflite::custom_operators<operators>>;
static_assert(program->nodes.size() <= 1);
