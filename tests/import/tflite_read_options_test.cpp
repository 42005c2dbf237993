// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Entry points, shapes that a file leaves open, operators of one's own, and scratch: what a model may leave to its user.
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/rules.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "laws/importer.hpp"
#include "tflite_writer.hpp"

namespace {

using namespace baton;
using tests::byte_field;
using tests::int_field;
using tests::tflite_writer;
namespace slot = baton::tflite::slot;

using bytes = baton::vector<char>;

template <fixed_string Rule>
constexpr auto is_refused(const result<exported_program>& made, std::string_view reason) -> bool {
  return !made && made.error.is<Rule>() && view(made.error.reason) == reason && made.value.graphs.empty();
}

// Entry points: `prefill` is the first graph, which nobody calls; `decode` is the second, which calls the third.

constexpr auto two_ways(bool has_signatures = true) -> bytes {
  tflite_writer w;
  const auto relu = w.operator_code(19);
  const auto call = w.operator_code(31);
  const auto x = w.tensor("x", {2}, tests::float32);
  const auto y = w.tensor("y", {2}, tests::float32);
  const auto z = w.tensor("z", {2}, tests::float32);
  const auto first = w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1})}, "first");
  const auto second =
      w.graph({z, y}, {0}, {1}, {w.operation(1, {0}, {1}, w.options(16, {int_field(0, 2)})), w.operation(0, {1}, {})}, "second");
  const auto third = w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1})}, "third");
  const auto prefill = w.signature("prefill", 0, "tokens", 0, "logits", 1);
  const auto decode = w.signature("decode", 1, "token", 0, "logits", 1);
  if (!has_signatures) return w.model({relu, call}, {first, second, third}, {});
  return w.model({relu, call}, {first, second, third}, {}, 3, {prefill, decode});
}

constexpr auto the_first_graph_is_read_and_what_it_calls() -> bool {
  const auto model = two_ways();
  const auto program = tflite::read_bytes(model);
  return program.graphs.size() == 1 && program.nodes.size() == 1 && program.text(program.graphs[0].name) == "first";
}
static_assert(the_first_graph_is_read_and_what_it_calls());

constexpr auto an_entry_point_is_chosen_by_its_key_or_its_graph() -> bool {
  const auto model = two_ways();
  const auto nameless = two_ways(false);
  const auto decode = tflite::read_bytes(model, {.entry = "decode"});
  const auto second = tflite::read_bytes(nameless, {.entry = "second"});
  if (decode.graphs.size() != 2 || decode.nodes.size() != 3) return false;
  const auto called = decode.subgraphs_of(decode.nodes[0]);
  return decode.text(decode.graphs[0].name) == "second" && decode.text(decode.graphs[1].name) == "third" && called.size() == 1 &&
         called[0] == graph_id{1} && decode.text(decode[decode.inputs(decode.root())[0]].name) == "z" &&
         decode.nodes[2].debug_handle == 3 && second.graphs.size() == 2 &&
         tflite::read_bytes(model, {.entry = "prefill"}).graphs.size() == 1;
}
static_assert(an_entry_point_is_chosen_by_its_key_or_its_graph());

constexpr auto an_unknown_entry_point_is_told_with_those_there_are() -> bool {
  return is_refused<"unknown_name">(tflite::try_read_bytes(two_ways(), {.entry = "encode"}),
                                    "there is no entry point encode; there are: prefill decode") &&
         is_refused<"unknown_name">(tflite::try_read_bytes(two_ways(false), {.entry = "encode"}),
                                    "there is no entry point encode; there are: first second third");
}
static_assert(an_unknown_entry_point_is_told_with_those_there_are());

constexpr auto signatures_are_listed() -> bool {
  const auto model = two_ways();
  const auto found = tflite::signatures_of(model);
  if (!found || found.value.size() != 2) return false;
  const auto& decode = found.value[1];
  return decode.key == "decode" && decode.graph == 1 && decode.inputs.size() == 1 && decode.inputs[0].name == "token" &&
         decode.inputs[0].tensor == "z" && decode.outputs[0].name == "logits" && decode.outputs[0].tensor == "y" &&
         tflite::signatures_of(two_ways(false)).value.empty() && tflite::signatures_of(bytes{'T', 'F'}).error.is<"foreign_file">();
}
static_assert(signatures_are_listed());

/// A signature of a graph that is not there.
constexpr auto astray() -> bytes {
  tflite_writer w;
  const auto x = w.tensor("x", {2}, tests::float32);
  return w.model({}, {w.graph({x}, {0}, {0}, {})}, {}, 3, {w.signature("run", 7, "x", 0, "x", 0)});
}
constexpr auto signatures_that_lead_astray_are_damage() -> bool {
  return is_refused<"damaged_model">(tflite::try_read_bytes(astray(), {.entry = "run"}), "there is no graph 7") &&
         tflite::try_read_bytes(astray()) && tflite::signatures_of(astray()).error.is<"damaged_model">();
}
static_assert(signatures_that_lead_astray_are_damage());

// Shapes

/// A model of one input, x, of this shape, of which these sizes are known.
constexpr auto open_sizes(std::initializer_list<std::int32_t> shape, std::initializer_list<std::int32_t> known) -> bytes {
  tflite_writer w;
  const auto code = w.operator_code(19);
  const auto x = w.tensor("x", shape, tests::float32, 0, w.shape_signature(known));
  const auto y = w.tensor("y", shape, tests::float32, 0, w.shape_signature(known));
  return w.model({code}, {w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1})})}, {});
}

constexpr auto the_batch_is_that_of_the_file() -> bool {
  const auto model = open_sizes({1, 8}, {-1, 8});
  const auto program = tflite::read_bytes(model);
  return program.shape(program.inputs(program.root())[0])[0] == 1 && tflite::try_read_bytes(open_sizes({1}, {-1})) &&
         tflite::try_read_bytes(open_sizes({1, 8}, {1, 8}));
}
static_assert(the_batch_is_that_of_the_file());

constexpr auto other_open_sizes_are_refused_with_what_to_write() -> bool {
  return is_refused<"unknown_size">(tflite::try_read_bytes(open_sizes({1, 1, 8}, {-1, -1, 8})),
                                    "size 1 of input x is unknown; export it fixed, as in tf.TensorSpec([1, 49, 40]), or take the "
                                    "file's: baton::tflite::input_shape<\"x\", 1, 1, 8>") &&
         is_refused<"unknown_size">(tflite::try_read_bytes(open_sizes({1, 8, 1}, {1, 8, -1})),
                                    "size 2 of input x is unknown; export it fixed, as in tf.TensorSpec([1, 49, 40]), or take the "
                                    "file's: baton::tflite::input_shape<\"x\", 1, 8, 1>");
}
static_assert(other_open_sizes_are_refused_with_what_to_write());

constexpr std::int64_t as_in_the_file[] = {1, 1, 8};
constexpr std::int64_t longer[] = {1, 49, 8};
constexpr tflite::read_options::bound_shape bound[] = {{"x", as_in_the_file}};
constexpr tflite::read_options::bound_shape bound_otherwise[] = {{"x", longer}};
constexpr tflite::read_options::bound_shape bound_elsewhere[] = {{"x", as_in_the_file}, {"audio", as_in_the_file}};

constexpr auto a_shape_that_is_chosen_must_be_that_of_the_file() -> bool {
  const auto model = open_sizes({1, 1, 8}, {-1, -1, 8});
  const auto program = tflite::try_read_bytes(model, {.shapes = bound});
  return program && program.value.shape(program.value.inputs(program.value.root())[0])[1] == 1 &&
         is_refused<"unknown_size">(
             tflite::try_read_bytes(model, {.shapes = bound_otherwise}),
             "input x has the sizes 1, 1, 8 in the file, and what follows was made for them; export the model for 1, 49, 8") &&
         is_refused<"unknown_name">(tflite::try_read_bytes(model, {.shapes = bound_elsewhere}), "there is no input audio; there are: x");
}
static_assert(a_shape_that_is_chosen_must_be_that_of_the_file());

// Scratch: x, and memory that nobody makes, twice, make y, which the next one takes with the same memory.

constexpr auto accelerated(std::int32_t code, bool is_variable = false, bool is_made_later = false) -> bytes {
  tflite_writer w;
  const auto op = w.operator_code(code, code == tflite::custom_operator ? "ethos-u" : "");
  const auto relu = w.operator_code(19);
  const auto x = w.tensor("x", {4}, tests::int8);
  const auto memory = w.tensor("memory", {100}, tests::int8, 0, byte_field(slot::tensor::is_variable, is_variable ? 1 : 0));
  const auto y = w.tensor("y", {4}, tests::int8);
  const auto z = w.tensor("z", {4}, tests::int8);
  const auto last = is_made_later ? w.operation(1, {2}, {1}) : w.operation(0, {2, 1}, {3});
  return w.model({op, relu}, {w.graph({x, memory, y, z}, {0}, {2}, {w.operation(0, {0, 1, 1}, {2}), last})}, {});
}

constexpr auto what_nobody_makes_is_scratch_of_a_custom_operator() -> bool {
  const auto model = accelerated(tflite::custom_operator);
  const auto program = tflite::read_bytes(model);
  const auto first = program.inputs(program.nodes[0]);
  const auto& memory = program[first[1]];
  return memory.kind == value_kind::scratch && program.text(memory.name) == "memory" && first[2] == first[1] &&
         program.inputs(program.nodes[1])[1] == first[1] && program.inputs(program.root()).size() == 1 && program.shape(first[1])[0] == 100;
}
static_assert(what_nobody_makes_is_scratch_of_a_custom_operator());

constexpr auto of_others_it_is_damage() -> bool {
  constexpr std::string_view reason = "tensor 1 is used before it is made";
  const auto variable = accelerated(tflite::custom_operator, true);
  const auto program = tflite::read_bytes(variable);
  return is_refused<"damaged_model">(tflite::try_read_bytes(accelerated(0)), reason) &&
         is_refused<"damaged_model">(tflite::try_read_bytes(accelerated(tflite::custom_operator, false, true)), reason) &&
         program[program.inputs(program.nodes[0])[1]].kind == value_kind::mutable_buffer;
}
static_assert(of_others_it_is_damage());

static_assert(laws::importer::all<tflite::importer>(accelerated(tflite::custom_operator)));

// The static form

constexpr auto model_size = two_ways().size();
constexpr auto array_of(const bytes& model) {
  std::array<char, model_size> array{};
  for (std::size_t i = 0; i < model_size; ++i) array[i] = model[i];
  return array;
}
constexpr auto model_array = array_of(two_ways());
template <class>
inline constexpr char embedded[1] = {};
template <std::size_t... I>
inline constexpr char embedded<std::index_sequence<I...>>[] = {model_array[I]..., '\0'};

constexpr auto decode = tflite::read<embedded<std::make_index_sequence<model_size>>, tflite::entry<"decode">, tflite::input_shape<"z", 2>>;
static_assert(decode->graphs.size() == 2 && decode->text(decode->graphs[0].name) == "second");

}  // namespace

// Operators of one's own: a custom one with a rule, and one of the library's without.

constexpr void infer_half(inference& at) { at.give(0, at.type(0), {at.size(0, 0) / 2}); }
constexpr operator_definition halving[] = {{.name = "tfl.custom.half", .infer = infer_half}};
constexpr operator_definition unchecked[] = {{.name = "tfl.relu"}};

/// x, of four, through a custom operator or a ReLU to y, of so many.
constexpr auto halved(bool is_custom, std::int32_t size) -> bytes {
  tflite_writer w;
  const auto code = is_custom ? w.operator_code(32, "half") : w.operator_code(19);
  const auto x = w.tensor("x", {4}, tests::float32);
  const auto y = w.tensor("y", {size}, tests::float32);
  return w.model({code}, {w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1})})}, {});
}
constexpr auto operators_may_be_defined() -> bool {
  const auto with = [](const bytes& model, operator_list operators) { return tflite::try_read_bytes(model, {.operators = operators}); };
  const auto defined = with(halved(true, 2), halving);
  return defined && defined.value.operators.size() == 1 && with(halved(true, 3), {}) &&
         is_refused<"mismatched_inference">(with(halved(true, 3), halving), "output y is float32 [3] and should be float32 [2]") &&
         is_refused<"mismatched_inference">(with(halved(false, 3), halving), "output y is float32 [3] and should be float32 [4]") &&
         with(halved(false, 3), unchecked) && tflite::detail::choosing_importer<tflite::custom_operators<halving>>::read(halved(true, 2)) &&
         !tflite::detail::choosing_importer<tflite::custom_operators<halving>>::read(halved(true, 3));
}
static_assert(operators_may_be_defined());

TEST_CASE("tflite: operators of one's own are checked by their definitions") { CHECK(operators_may_be_defined()); }

TEST_CASE("tflite: entry points") {
  CHECK(the_first_graph_is_read_and_what_it_calls());
  CHECK(an_entry_point_is_chosen_by_its_key_or_its_graph());
  CHECK(an_unknown_entry_point_is_told_with_those_there_are());
  CHECK(signatures_are_listed());
  CHECK(signatures_that_lead_astray_are_damage());
}
TEST_CASE("tflite: sizes that are unknown") {
  CHECK(the_batch_is_that_of_the_file());
  CHECK(other_open_sizes_are_refused_with_what_to_write());
  CHECK(a_shape_that_is_chosen_must_be_that_of_the_file());
}
TEST_CASE("tflite: scratch") {
  CHECK(what_nobody_makes_is_scratch_of_a_custom_operator());
  CHECK(of_others_it_is_damage());
  CHECK(laws::importer::all<tflite::importer>(accelerated(tflite::custom_operator)));
}
#if BATON_EXCEPTIONS
TEST_CASE("tflite: the sentences of what was chosen are thrown") {
  CHECK_THROWS_WITH_AS(static_cast<void>(tflite::read_bytes(two_ways(), {.entry = "encode"})),
                       "baton unknown_name: the model has no entry point or input of this name; use one of its names "
                       "[there is no entry point encode; there are: prefill decode]",
                       error);
}
#endif
