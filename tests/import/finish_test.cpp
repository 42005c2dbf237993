// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reading a model in steps, each of which is a separate constant, returns the same program or fails with the same rule.
#include <baton/import/detail/finish.hpp>

#include <baton/core/compare.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/import/tflite.hpp>

#include "import/tflite_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

using namespace baton;
using tests::tflite_writer;

enum class form : std::uint8_t {
  valid,
  same_sizes,
  long_chain,
  unresolved,
  unknown_type,
  unused_unknown_type,
  other_outputs,
  written_by_callee
};

/// A called graph assigns a variable that its caller reads. Such a variable does not become a mutable buffer.
constexpr auto model_with_a_variable() -> vector<char> {
  tflite_writer w;
  constexpr int resource = 13;
  const auto codes = {w.operator_code(142), w.operator_code(143), w.operator_code(144), w.operator_code(31)};
  const auto make = [&](std::int32_t output) {
    return w.operation(0, {}, {output}, w.options(111, {tests::offset_field(1, w.text("state"))}));
  };
  const auto h = w.tensor("h", {}, resource);
  const auto x = w.tensor("x", {2}, tests::int8);
  const auto y = w.tensor("y", {2}, tests::int8);
  const auto call = w.operation(3, {1}, {2}, w.options(16, {tests::int_field(0, 1)}));
  const auto root = w.graph({h, x, w.tensor("called", {2}, tests::int8), y}, {1}, {3}, {make(0), call, w.operation(1, {0}, {3})});
  const auto inner = w.graph({h, x}, {1}, {1}, {make(0), w.operation(2, {0, 1}, {})});
  return w.model(codes, {root, inner}, {w.buffer({})});
}

/// A model that reshapes x, whose batch is open, to y, followed by one relu (`long_chain`: 200). The new shape is [-1, 3], or an input of
/// the model (`unresolved`). The file states the batch 1 for y, or the resolved batch (`same_sizes`).
constexpr auto model_of(form variant) -> vector<char> {
  if (variant == form::written_by_callee) return model_with_a_variable();
  using namespace std::string_view_literals;
  tflite_writer w;
  const auto relu_code = w.operator_code(19);
  const auto reshape_code = w.operator_code(22);
  const auto none = w.buffer({});
  const auto rows_of_three = w.buffer("\xff\xff\xff\xff\3\0\0\0"sv);
  vector<tests::reference> tensors;
  vector<tests::reference> operations;
  const auto open_tensor = [&](std::string_view name, std::int32_t size, int type) {
    tensors.push_back(w.tensor(name, {variant == form::same_sizes ? 8 : 1, size}, type, 0, w.shape_signature({-1, size})));
  };
  tensors.push_back(w.tensor("x", {1, 8, 3}, tests::float32, 0, w.shape_signature({-1, 8, 3})));
  tensors.push_back(w.tensor("wanted", {2}, tests::int32, variant == form::unresolved ? 0 : 1));
  open_tensor("y", 3, variant == form::unknown_type ? 99 : static_cast<int>(tests::float32));
  operations.push_back(w.operation(1, {0, 1}, {2}));
  const std::int32_t chain = variant == form::long_chain ? 200 : 1;
  for (std::int32_t i = 0; i < chain; ++i) {
    if (variant == form::other_outputs) tensors.push_back(w.tensor("", {9, 9}, tests::float32));
    if (variant != form::other_outputs) open_tensor("", 3, tests::float32);
    operations.push_back(w.operation(0, {2 + i}, {3 + i}));
  }
  if (variant == form::unused_unknown_type) open_tensor("nobody", 3, 99);
  const auto graph =
      variant == form::unresolved ? w.graph(tensors, {0, 1}, {2 + chain}, operations) : w.graph(tensors, {0}, {2 + chain}, operations);
  return w.model({relu_code, reshape_code}, {graph}, {none, rows_of_three});
}

constexpr auto size_of_model(form variant) -> std::size_t { return model_of(variant).size(); }
template <form Form>
constexpr auto copied() -> std::array<char, size_of_model(Form)> {
  std::array<char, size_of_model(Form)> result{};
  const auto model = model_of(Form);
  std::copy(model.begin(), model.end(), result.begin());
  return result;
}
template <form Form>
inline constexpr auto copy_of = copied<Form>();

template <form Form, class = std::make_index_sequence<size_of_model(Form)>>
struct file;
template <form Form, std::size_t... I>
struct file<Form, std::index_sequence<I...>> {
  static constexpr char bytes[] = {copy_of<Form>[I]..., '\0'};
};

template <form Form>
using in_steps = baton::detail::read_in_steps<tflite::importer, file<Form>::bytes>;
template <form Form>
using reading = baton::detail::reading_of<tflite::importer, file<Form>::bytes>;

/// Whether reading in steps agrees with the importer.
template <form Form>
constexpr auto agrees_with_the_importer() -> bool {
  using program = static_program<in_steps<Form>>;
  const auto model = model_of(Form);
  const auto read = tflite::try_read_bytes(model);
  if (!read) {
    const auto expected = static_failure{read.error};
    const auto why = first_failure<program>();
    return why.is_set && std::string_view{why.rule_name} == expected.rule_name && std::string_view{why.reason} == expected.reason;
  }
  if constexpr (program::is_valid) return same(read.value, program::value());
  return false;
}

static_assert(agrees_with_the_importer<form::valid>());
static_assert(agrees_with_the_importer<form::same_sizes>());
static_assert(agrees_with_the_importer<form::unresolved>());
static_assert(agrees_with_the_importer<form::unknown_type>());
static_assert(agrees_with_the_importer<form::unused_unknown_type>());
static_assert(agrees_with_the_importer<form::other_outputs>());
static_assert(agrees_with_the_importer<form::written_by_callee>());
static_assert(static_program<in_steps<form::written_by_callee>>::value().nodes.size() == 5);

static_assert(std::is_same_v<reading<form::valid>, baton::detail::read_embedded<tflite::importer, file<form::valid>::bytes>>);
static_assert(std::is_same_v<reading<form::long_chain>, in_steps<form::long_chain>>);
constexpr auto long_chain = tflite::read<file<form::long_chain>::bytes>;
static_assert(long_chain->nodes.size() == 201);
/// True if the program that `Step` returns fits into the pools that it expects, so that the compiler evaluates it once. Bytes are stored in
/// pieces.
template <class Step>
constexpr auto is_evaluated_once() -> bool {
  const result<exported_program> program = Step{}();
  auto sizes = sizes_of(program.value);
  sizes[position_of(&program_view::bytes)] = 0;
  constexpr auto expected = Step::expected_sizes();
  return static_cast<bool>(program) && std::equal(sizes.begin(), sizes.end(), expected.begin(), std::less_equal<>{});
}
static_assert(is_evaluated_once<in_steps<form::long_chain>::tensors>() && is_evaluated_once<in_steps<form::long_chain>::unfinished>() &&
              is_evaluated_once<in_steps<form::long_chain>::sized>());

// Resolving sizes copies only the integers, and the last step is the program. If no size differs from the file, nothing is verified again.
static_assert(in_steps<form::valid>::sized::is_stored() && baton::detail::resolved_integers_of<in_steps<form::valid>::first>.is_changed);
static_assert(in_steps<form::same_sizes>::sized::is_stored() &&
              !baton::detail::resolved_integers_of<in_steps<form::same_sizes>::first>.is_changed);
static_assert(!in_steps<form::unresolved>::sized::is_stored() && !in_steps<form::unresolved>::is_stored());
static_assert(&static_program<in_steps<form::valid>>::value() == &in_steps<form::valid>::second::value());

}  // namespace

TEST_CASE("reading in steps returns the same program or the same failure") {
  CHECK(agrees_with_the_importer<form::valid>());
  CHECK(agrees_with_the_importer<form::same_sizes>());
  CHECK(agrees_with_the_importer<form::unresolved>());
  CHECK(agrees_with_the_importer<form::unknown_type>());
  CHECK(agrees_with_the_importer<form::unused_unknown_type>());
  CHECK(agrees_with_the_importer<form::other_outputs>());
  CHECK(agrees_with_the_importer<form::written_by_callee>());
  CHECK(same(long_chain, tflite::read_bytes(model_of(form::long_chain))));
}
