// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The choices that a model leaves to its user: entry points, open shapes and user-defined operators. Also scratch.
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
constexpr auto is_rejected(const result<exported_program>& read, std::string_view reason) -> bool {
  return !read && read.error.is<Rule>() && view(read.error.reason) == reason && read.value.graphs.empty();
}

// Entry points: `prefill` is the first graph, which no graph calls. `decode` is the second graph, which calls the third.

constexpr auto two_entries(bool has_signatures = true) -> bytes {
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

constexpr auto the_first_graph_and_its_callees_are_read() -> bool {
  const auto model = two_entries();
  const auto program = tflite::read_bytes(model);
  return program.graphs.size() == 1 && program.nodes.size() == 1 && program.text(program.graphs[0].name) == "first";
}
static_assert(the_first_graph_and_its_callees_are_read());

constexpr auto an_entry_point_is_selected_by_its_key_or_its_graph() -> bool {
  const auto model = two_entries();
  const auto nameless = two_entries(false);
  const auto decode = tflite::read_bytes(model, {.entry = "decode"});
  const auto second = tflite::read_bytes(nameless, {.entry = "second"});
  if (decode.graphs.size() != 2 || decode.nodes.size() != 3) return false;
  const auto called = decode.subgraphs_of(decode.nodes[0]);
  return decode.text(decode.graphs[0].name) == "second" && decode.text(decode.graphs[1].name) == "third" && called.size() == 1 &&
         called[0] == graph_id{1} && decode.text(decode[decode.inputs(decode.root())[0]].name) == "z" &&
         decode.nodes[2].debug_handle == 3 && second.graphs.size() == 2 &&
         tflite::read_bytes(model, {.entry = "prefill"}).graphs.size() == 1;
}
static_assert(an_entry_point_is_selected_by_its_key_or_its_graph());

constexpr auto an_unknown_entry_point_is_rejected_with_the_known_ones() -> bool {
  return is_rejected<"unknown_name">(tflite::try_read_bytes(two_entries(), {.entry = "encode"}),
                                     "there is no entry point encode; there are: prefill decode") &&
         is_rejected<"unknown_name">(tflite::try_read_bytes(two_entries(false), {.entry = "encode"}),
                                     "there is no entry point encode; there are: first second third");
}
static_assert(an_unknown_entry_point_is_rejected_with_the_known_ones());

constexpr auto signatures_are_listed() -> bool {
  const auto model = two_entries();
  const auto signatures = tflite::signatures_of(model);
  if (!signatures || signatures.value.size() != 2) return false;
  const auto& decode = signatures.value[1];
  return decode.key == "decode" && decode.graph == 1 && decode.inputs.size() == 1 && decode.inputs[0].name == "token" &&
         decode.inputs[0].tensor == "z" && decode.outputs[0].name == "logits" && decode.outputs[0].tensor == "y" &&
         tflite::signatures_of(two_entries(false)).value.empty() && tflite::signatures_of(bytes{'T', 'F'}).error.is<"foreign_file">();
}
static_assert(signatures_are_listed());

/// A model with a signature of a graph that does not exist.
constexpr auto with_invalid_signature() -> bytes {
  tflite_writer w;
  const auto x = w.tensor("x", {2}, tests::float32);
  return w.model({}, {w.graph({x}, {0}, {0}, {})}, {}, 3, {w.signature("run", 7, "x", 0, "x", 0)});
}
constexpr auto signatures_of_missing_graphs_are_damage() -> bool {
  return is_rejected<"damaged_model">(tflite::try_read_bytes(with_invalid_signature(), {.entry = "run"}), "there is no graph 7") &&
         tflite::try_read_bytes(with_invalid_signature()) && tflite::signatures_of(with_invalid_signature()).error.is<"damaged_model">();
}
static_assert(signatures_of_missing_graphs_are_damage());

// Shapes

/// A model with one input, x, of this shape. `known` is its shape signature, in which unknown sizes are -1.
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

constexpr auto other_open_sizes_are_rejected_with_a_suggestion() -> bool {
  return is_rejected<"unknown_size">(
             tflite::try_read_bytes(open_sizes({1, 1, 8}, {-1, -1, 8})),
             "the size of dimension 1 of input x is unknown; export a fixed size, as in tf.TensorSpec([1, 49, 40]), or select the "
             "size in the file: baton::tflite::input_shape<\"x\", 1, 1, 8>") &&
         is_rejected<"unknown_size">(
             tflite::try_read_bytes(open_sizes({1, 8, 1}, {1, 8, -1})),
             "the size of dimension 2 of input x is unknown; export a fixed size, as in tf.TensorSpec([1, 49, 40]), or select the "
             "size in the file: baton::tflite::input_shape<\"x\", 1, 8, 1>");
}
static_assert(other_open_sizes_are_rejected_with_a_suggestion());

constexpr std::int64_t file_shape[] = {1, 1, 8};
constexpr std::int64_t longer_shape[] = {1, 49, 8};
constexpr tflite::read_options::bound_shape bound[] = {{"x", file_shape}};
constexpr tflite::read_options::bound_shape bound_to_other_sizes[] = {{"x", longer_shape}};
constexpr tflite::read_options::bound_shape bound_to_unknown_input[] = {{"x", file_shape}, {"audio", file_shape}};

constexpr auto a_shape_that_differs_from_the_file_is_rejected() -> bool {
  const auto model = open_sizes({1, 1, 8}, {-1, -1, 8});
  const auto program = tflite::try_read_bytes(model, {.shapes = bound});
  return program && program.value.shape(program.value.inputs(program.value.root())[0])[1] == 1 &&
         is_rejected<"mismatched_shape">(
             tflite::try_read_bytes(model, {.shapes = bound_to_other_sizes}),
             "input x has the sizes 1, 1, 8 in the file, and later nodes depend on them; export the model for 1, 49, 8") &&
         is_rejected<"unknown_name">(tflite::try_read_bytes(model, {.shapes = bound_to_unknown_input}),
                                     "there is no input audio; there are: x");
}
static_assert(a_shape_that_differs_from_the_file_is_rejected());

// Scratch: the first node has x and twice the same memory, which has no producer, as operands. The second node has its output y and the
// same memory as operands.

constexpr auto accelerated(std::int32_t code, bool is_variable = false, bool is_produced_later = false) -> bytes {
  tflite_writer w;
  const auto op = w.operator_code(code, code == tflite::custom_operator ? "ethos-u" : "");
  const auto relu = w.operator_code(19);
  const auto x = w.tensor("x", {4}, tests::int8);
  const auto memory = w.tensor("memory", {100}, tests::int8, 0, byte_field(slot::tensor::is_variable, is_variable ? 1 : 0));
  const auto y = w.tensor("y", {4}, tests::int8);
  const auto z = w.tensor("z", {4}, tests::int8);
  const auto last = is_produced_later ? w.operation(1, {2}, {1}) : w.operation(0, {2, 1}, {3});
  return w.model({op, relu}, {w.graph({x, memory, y, z}, {0}, {2}, {w.operation(0, {0, 1, 1}, {2}), last})}, {});
}

constexpr auto an_operand_without_producer_is_scratch_of_a_custom_operator() -> bool {
  const auto model = accelerated(tflite::custom_operator);
  const auto program = tflite::read_bytes(model);
  const auto first = program.inputs(program.nodes[0]);
  const auto& memory = program[first[1]];
  return memory.kind == value_kind::scratch && program.text(memory.name) == "memory" && first[2] == first[1] &&
         program.inputs(program.nodes[1])[1] == first[1] && program.inputs(program.root()).size() == 1 && program.shape(first[1])[0] == 100;
}
static_assert(an_operand_without_producer_is_scratch_of_a_custom_operator());

constexpr auto other_operands_without_producer_are_damage() -> bool {
  constexpr std::string_view reason = "tensor 1 is used before it is produced";
  const auto variable = accelerated(tflite::custom_operator, true);
  const auto program = tflite::read_bytes(variable);
  return is_rejected<"damaged_model">(tflite::try_read_bytes(accelerated(0)), reason) &&
         is_rejected<"damaged_model">(tflite::try_read_bytes(accelerated(tflite::custom_operator, false, true)), reason) &&
         program[program.inputs(program.nodes[0])[1]].kind == value_kind::mutable_buffer;
}
static_assert(other_operands_without_producer_are_damage());

static_assert(laws::importer::all<tflite::importer>(accelerated(tflite::custom_operator)));

// Static programs

constexpr auto model_size = two_entries().size();
constexpr auto array_of(const bytes& model) {
  std::array<char, model_size> array{};
  for (std::size_t i = 0; i < model_size; ++i) array[i] = model[i];
  return array;
}
constexpr auto model_array = array_of(two_entries());
template <class>
inline constexpr char embedded[1] = {};
template <std::size_t... I>
inline constexpr char embedded<std::index_sequence<I...>>[] = {model_array[I]..., '\0'};

constexpr auto decode = tflite::read<embedded<std::make_index_sequence<model_size>>, tflite::entry<"decode">, tflite::input_shape<"z", 2>>;
static_assert(decode->graphs.size() == 2 && decode->text(decode->graphs[0].name) == "second");

}  // namespace

// User-defined operators: a custom operator with a rule, and an operator of the library without its rule.

constexpr void infer_half(inference& node) { node.set_output(0, node.type(0), {node.size(0, 0) / 2}); }
constexpr operator_definition halving[] = {{.name = "tfl.custom.half", .infer = infer_half}};
constexpr operator_definition unchecked[] = {{.name = "tfl.relu"}};

/// A model that computes y, of `size` elements, from x, of four, by a custom operator or a ReLU.
constexpr auto halved(bool is_custom, std::int32_t size) -> bytes {
  tflite_writer w;
  const auto code = is_custom ? w.operator_code(32, "half") : w.operator_code(19);
  const auto x = w.tensor("x", {4}, tests::float32);
  const auto y = w.tensor("y", {size}, tests::float32);
  return w.model({code}, {w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1})})}, {});
}
constexpr auto operators_may_be_defined() -> bool {
  const auto read_with = [](const bytes& model, operator_list operators) {
    return tflite::try_read_bytes(model, {.operators = operators});
  };
  const auto defined = read_with(halved(true, 2), halving);
  return defined && defined.value.operators.size() == 1 && read_with(halved(true, 3), {}) &&
         is_rejected<"mismatched_inference">(read_with(halved(true, 3), halving), "output y is float32 [3] and should be float32 [2]") &&
         is_rejected<"mismatched_inference">(read_with(halved(false, 3), halving), "output y is float32 [3] and should be float32 [4]") &&
         read_with(halved(false, 3), unchecked) &&
         tflite::detail::importer_with_options<tflite::custom_operators<halving>>::read(halved(true, 2)) &&
         !tflite::detail::importer_with_options<tflite::custom_operators<halving>>::read(halved(true, 3));
}
static_assert(operators_may_be_defined());

TEST_CASE("tflite: user-defined operators are checked by their definitions") { CHECK(operators_may_be_defined()); }

TEST_CASE("tflite: an entry point is selected by its signature key or its graph") {
  CHECK(the_first_graph_and_its_callees_are_read());
  CHECK(an_entry_point_is_selected_by_its_key_or_its_graph());
  CHECK(an_unknown_entry_point_is_rejected_with_the_known_ones());
  CHECK(signatures_are_listed());
  CHECK(signatures_of_missing_graphs_are_damage());
}
TEST_CASE("tflite: unknown sizes other than the batch must be chosen as in the file") {
  CHECK(the_batch_is_that_of_the_file());
  CHECK(other_open_sizes_are_rejected_with_a_suggestion());
  CHECK(a_shape_that_differs_from_the_file_is_rejected());
}
TEST_CASE("tflite: an operand without producer is scratch of a custom operator") {
  CHECK(an_operand_without_producer_is_scratch_of_a_custom_operator());
  CHECK(other_operands_without_producer_are_damage());
  CHECK(laws::importer::all<tflite::importer>(accelerated(tflite::custom_operator)));
}
#if BATON_EXCEPTIONS
TEST_CASE("tflite: the sentence of an invalid choice is thrown") {
  CHECK_THROWS_WITH_AS(static_cast<void>(tflite::read_bytes(two_entries(), {.entry = "encode"})),
                       "baton unknown_name: the model has no entry point, input or dimension of this name; use a name that the model has "
                       "[there is no entry point encode; there are: prefill decode]",
                       error);
}
#endif
