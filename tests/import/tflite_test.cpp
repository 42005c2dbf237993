// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/tflite.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/identical.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "laws/importer.hpp"
#include "tflite_writer.hpp"

namespace {

using namespace baton;
using tests::byte_field;
using tests::float_field;
using tests::int_field;
using tests::long_field;
using tests::offset_field;
using tests::tflite_writer;
namespace slot = baton::tflite::slot;

using bytes = baton::vector<char>;

/// Whether a model is rejected by `Rule`, with `reason` in the reason of the failure. The failure must name `node`, or no node if it is
/// empty.
template <fixed_string Rule>
constexpr auto is_rejected(const bytes& model, std::string_view reason, std::string_view node = {}) -> bool {
  const auto read = tflite::try_read_bytes(model);
  const std::string_view text{read.error.reason.data(), read.error.reason.size()};
  const std::string_view node_name{read.error.node_name.data(), read.error.node_name.size()};
  return !read && read.error.is<Rule>() && text.find(reason) != std::string_view::npos && node_name == node &&
         (read.error.node >= 0) == !node.empty() && read.value.graphs.empty();
}

// One convolution computes y from x, w and b. The tensor `unused` is not an operand.

constexpr auto convolution(baton::vector<tests::field> (*options_of)(tflite_writer&), std::int32_t rows = 1) -> bytes {
  tflite_writer w;
  const auto code = w.operator_code(3);
  const auto quant = w.quantization({0.5f, 0.25f}, {0, 0}, 3);
  const auto bias_quant = w.quantization({0.5f, 0.25f}, {0, 0}, 3);
  const auto x = w.tensor("x", {1, 2, 2, 2}, tests::int8);
  const auto weights = w.tensor("w", {2, 1, 1, 2}, tests::int8, 1, quant);
  const auto bias = w.tensor("b", {2}, tests::int32, 2, bias_quant);
  const auto y = w.tensor("y", {1, rows, 1, 2}, tests::int8, 3, w.quantization({0.125f}, {-128}));
  const auto unused = w.tensor("unused", {5}, tests::float32);
  const auto op = w.operation(0, {0, 1, 2}, {4}, options_of(w));
  const auto graph = w.graph({x, weights, bias, unused, y}, {0}, {4}, {op});
  const auto weight_data = w.buffer("\x01\x02\x03\x04");
  const auto bias_data = w.buffer("12345678");
  return w.model({code}, {graph}, {w.buffer({}), weight_data, bias_data, w.buffer({})});
}
constexpr auto with_options(tflite_writer& w) -> baton::vector<tests::field> {
  return w.options(1, {byte_field(0, 1), int_field(1, 2), int_field(2, 3), byte_field(3, 3), int_field(5, 4), byte_field(6, 4)});
}
constexpr auto without_options(tflite_writer&) -> baton::vector<tests::field> { return {}; }
constexpr auto with_options_of_another(tflite_writer& w) -> baton::vector<tests::field> {
  return w.options(8, {byte_field(0, 1), byte_field(1, 0)});
}
constexpr auto with_an_unknown_symbol(tflite_writer& w) -> baton::vector<tests::field> {
  return w.options(1, {byte_field(0, 1), byte_field(3, 77)});
}
constexpr auto with_a_negative_symbol(tflite_writer& w) -> baton::vector<tests::field> { return w.options(1, {byte_field(0, -1)}); }
constexpr auto with_an_unknown_type(tflite_writer& w) -> baton::vector<tests::field> { return w.options(1, {byte_field(6, 99)}); }

constexpr auto operands_become_values_of_their_kinds() -> bool {
  const auto model = convolution(with_options);
  const auto program = tflite::read_bytes(model);
  const auto& root = program.root();
  const auto inputs = program.inputs(root);
  if (program.graphs.size() != 1 || program.values.size() != 4 || inputs.size() != 3 || program.text(root.name) != "main") return false;
  const auto& [w, b, x] = std::array{program[inputs[0]], program[inputs[1]], program[inputs[2]]};
  const auto& y = program[program.outputs_of(root)[0].value];
  return program.text(w.name) == "w" && w.kind == value_kind::constant && program.text(w.target) == "w" && w.type == dtype::int8 &&
         program.data(w.data).size() == 4 && program.data(w.data)[1] == 2 && program.text(b.name) == "b" &&
         b.kind == value_kind::constant && b.type == dtype::int32 && program.text(x.name) == "x" && x.kind == value_kind::user_input &&
         x.data.size == 0 && x.target.size == 0 && program.text(y.name) == "y" && y.kind == value_kind::intermediate &&
         program.shape(program.outputs_of(root)[0].value)[3] == 2;
}
static_assert(operands_become_values_of_their_kinds());

constexpr auto quantization_is_not_copied() -> bool {
  const auto model = convolution(with_options);
  const auto program = tflite::read_bytes(model);
  const auto& w = program[program.inputs(program.root())[0]].quant;
  const auto& b = program[program.inputs(program.root())[1]].quant;
  const auto& x = program[program.inputs(program.root())[2]].quant;
  const auto& y = program[program.outputs_of(program.root())[0].value].quant;
  return w.channels == 2 && w.axis == 3 && w.scales.outside != nullptr && w.zero_points.outside != nullptr && program.scale(w, 0) == 0.5f &&
         program.scale(w, 1) == 0.25f && program.zero_point(w, 1) == 0 && b.channels == 2 && b.axis == 0 && x.channels == 0 &&
         y.channels == 1 && program.scale(y) == 0.125f && program.zero_point(y) == -128;
}
static_assert(quantization_is_not_copied());

constexpr auto options_become_attributes() -> bool {
  const auto model = convolution(with_options);
  const auto program = tflite::read_bytes(model);
  const auto& conv = program.nodes[0];
  return conv.is("tfl.conv_2d") && program.text(conv.target) == "tfl.conv_2d" && program.text(conv.name) == "conv_2d" &&
         conv.debug_handle == 1 && conv.attributes.size == 7 && program.text(conv, "padding") == "valid" &&
         program.integer(conv, "stride_w") == 2 && program.integer(conv, "stride_h") == 3 &&
         program.text(conv, "fused_activation_function") == "relu6" && program.integer(conv, "dilation_w_factor") == 1 &&
         program.integer(conv, "dilation_h_factor") == 4 && program.text(conv, "quantized_bias_type") == "int64" &&
         program.text(program.find(conv, "padding")->name) == "padding";
}
static_assert(options_become_attributes());

constexpr auto omitted_options_have_their_defaults() -> bool {
  const auto none = convolution(without_options);
  const auto other = convolution(with_options_of_another);
  const auto program = tflite::read_bytes(none);
  const auto& conv = program.nodes[0];
  return conv.attributes.size == 7 && program.text(conv, "padding") == "same" && program.integer(conv, "stride_w", 9) == 0 &&
         program.integer(conv, "dilation_w_factor") == 1 && program.text(conv, "quantized_bias_type") == "float32" &&
         same(program, tflite::read_bytes(other));
}
static_assert(omitted_options_have_their_defaults());

constexpr auto unknown_symbols_are_rejected() -> bool {
  return is_rejected<"unsupported_model">(convolution(with_an_unknown_symbol), "fused_activation_function has the unknown value 77",
                                          "conv_2d") &&
         is_rejected<"unsupported_model">(convolution(with_a_negative_symbol), "padding has the unknown value -1", "conv_2d") &&
         is_rejected<"unsupported_model">(convolution(with_an_unknown_type), "quantized_bias_type has the unknown value 99", "conv_2d");
}
static_assert(unknown_symbols_are_rejected());

// One operator of any kind, and the tensors x, y and z.

struct one_operator {
  std::int32_t code = 0;
  std::string_view custom{};
  std::int32_t entry = 0;
  std::initializer_list<std::int32_t> inputs{};
  std::initializer_list<std::int32_t> outputs{};
};

template <class Options, class Tensor>
constexpr auto model_of(const one_operator& one, Options options, Tensor make_z, std::int32_t version = 3,
                        std::initializer_list<std::int32_t> outputs = {1}) -> bytes {
  tflite_writer w;
  const auto code = w.operator_code(one.code, one.custom);
  const auto x = w.tensor("x", {2}, tests::float32);
  const auto y = w.tensor("y", {2}, tests::float32);
  const auto z = make_z(w);
  const auto op = w.operation(one.entry, one.inputs, one.outputs, options(w));
  const auto graph = w.graph({x, y, z}, {0}, outputs, {op}, "net");
  return w.model({code}, {graph}, {w.buffer({}), w.buffer("12345678")}, version);
}
template <class Options>
constexpr auto model_of(const one_operator& one, Options options) -> bytes {
  return model_of(one, options, [](tflite_writer& w) { return w.tensor("z", {2}, tests::float32, 1); });
}
constexpr auto model_of(const one_operator& one) -> bytes { return model_of(one, without_options); }

constexpr auto custom_operators_keep_name_and_options() -> bool {
  const auto model = model_of({32, "acme.fft", 0, {0, -1}, {1}}, [](tflite_writer& w) -> baton::vector<tests::field> {
    return {offset_field(slot::operation::custom_options, w.text("raw"))};
  });
  const auto program = tflite::read_bytes(model);
  const auto& fft = program.nodes[0];
  const auto* options = program.find(fft, "custom_options");
  return fft.is("tfl.custom.acme.fft") && program.text(fft.target) == "tfl.custom.acme.fft" &&
         program.text(fft.name) == "custom_acme_fft" && program.inputs(fft)[1] == none<value_id> && options != nullptr &&
         options->kind == attribute_kind::bytes && program.text(options->bytes) == "raw" && options->bytes.outside != nullptr &&
         program.text(program.root().name) == "net";
}
static_assert(custom_operators_keep_name_and_options());

constexpr auto custom_operators_without_options_have_empty_ones() -> bool {
  const auto model = model_of({32, "f", 0, {0}, {1}});
  const auto program = tflite::read_bytes(model);
  const auto* options = program.find(program.nodes[0], "custom_options");
  return options != nullptr && options->bytes.size == 0;
}
static_assert(custom_operators_without_options_have_empty_ones());

constexpr auto options_may_be_stored_after_the_flatbuffer() -> bool {
  auto model = model_of({32, "f", 0, {0}, {1}}, [](tflite_writer&) -> baton::vector<tests::field> {
    return {long_field(slot::operation::large_custom_options_offset, 500), long_field(slot::operation::large_custom_options_size, 5)};
  });
  if (model.size() > 500) return false;
  model.resize(500, '.');
  for (const char c : {'l', 'a', 'r', 'g', 'e'}) model.push_back(c);
  const auto program = tflite::read_bytes(model);
  const auto is_read = program.text(program.find(program.nodes[0], "custom_options")->bytes) == "large";
  model.pop_back();
  return is_read && is_rejected<"damaged_model">(model, "its table in the file cannot be read", "custom_f");
}
static_assert(options_may_be_stored_after_the_flatbuffer());

constexpr auto operators_newer_than_the_table_keep_their_options() -> bool {
  const auto model =
      model_of({300, {}, 0, {0}, {1}}, [](tflite_writer& w) { return w.options(200, {int_field(2, 42), byte_field(0, 7)}); });
  const auto program = tflite::read_bytes(model);
  const auto& newer = program.nodes[0];
  byte_reader reader{model};
  const flatbuffer::table options{reader, static_cast<std::size_t>(program.integer(newer, "builtin_options_position"))};
  return newer.is("tfl.builtin_300") && program.text(newer.name) == "builtin_300" &&
         program.integer(newer, "builtin_options_type") == 200 && program.find(newer, "builtin_options")->bytes.size == 9 &&
         options.scalar<std::int32_t>(2) == 42 && options.scalar<std::uint8_t>(0) == 7;
}
static_assert(operators_newer_than_the_table_keep_their_options());

constexpr auto operators_newer_than_the_table_need_no_options() -> bool {
  const auto model = model_of({300, {}, 0, {0}, {1}});
  const auto program = tflite::read_bytes(model);
  return program.find(program.nodes[0], "builtin_options")->bytes.size == 0 &&
         program.integer(program.nodes[0], "builtin_options_type", 9) == 0;
}
static_assert(operators_newer_than_the_table_need_no_options());

constexpr auto lists_become_lists() -> bool {
  const auto concat = model_of({29, {}, 0, {0}, {1}}, [](tflite_writer& w) {
    const auto sizes = w.vector<std::int32_t>({2, -1});
    return w.options(3, {offset_field(1, sizes)});
  });
  const auto bucketize = model_of({147, {}, 0, {0}, {1}}, [](tflite_writer& w) {
    const auto boundaries = w.vector<float>({0.5f, 2});
    return w.options(115, {offset_field(0, boundaries)});
  });
  const auto var_handle = model_of({142, {}, 0, {0}, {1}}, [](tflite_writer& w) {
    const auto name = w.text("state");
    return w.options(111, {offset_field(1, name)});
  });
  const auto a = tflite::read_bytes(concat);
  const auto b = tflite::read_bytes(bucketize);
  const auto c = tflite::read_bytes(var_handle);
  const auto& sizes = *a.find(a.nodes[0], "num_columns_per_channel");
  const auto& boundaries = *b.find(b.nodes[0], "boundaries");
  return sizes.kind == attribute_kind::integers && a.integer_list(sizes.list).size() == 2 && a.integer_list(sizes.list)[1] == -1 &&
         boundaries.kind == attribute_kind::reals && b.real_list(boundaries.list)[0] == 0.5 &&
         c.text(c.nodes[0], "shared_name") == "state" && c.text(c.nodes[0], "container", "absent").empty();
}
static_assert(lists_become_lists());

constexpr auto options_of_the_second_union_are_read() -> bool {
  const auto model = model_of({197, {}, 0, {0}, {1}}, [](tflite_writer& w) -> baton::vector<tests::field> {
    const auto dimensions = w.vector<std::int64_t>({1, 3});
    const auto precision = w.vector<std::int32_t>({0, 2});
    return {byte_field(slot::operation::builtin_options_2_type, 12),
            offset_field(slot::operation::builtin_options_2, w.table({offset_field(2, dimensions), offset_field(4, precision)}))};
  });
  const auto program = tflite::read_bytes(model);
  const auto& dot = program.nodes[0];
  return dot.is("tfl.stablehlo_dot_general") && program.integer_list(program.find(dot, "lhs_contracting_dimensions")->list)[1] == 3 &&
         program.text(dot, "precision_config") == "default,highest";
}
static_assert(options_of_the_second_union_are_read());

constexpr auto variable_tensors_become_mutable_buffers() -> bool {
  const auto model = model_of({300, {}, 0, {0, 2}, {1}}, without_options, [](tflite_writer& w) {
    return w.tensor("state", {2, 3}, tests::float32, 0, byte_field(slot::tensor::is_variable, 1));
  });
  const auto program = tflite::read_bytes(model);
  const auto& state = program[program.inputs(program.root())[0]];
  return state.kind == value_kind::mutable_buffer && program.text(state.name) == "state" && program.text(state.target) == "state" &&
         state.data.size == 0;
}
static_assert(variable_tensors_become_mutable_buffers());

/// Each subgraph has separate states. If they had one name, they would be one state.
constexpr auto variables_of_subgraphs_have_distinct_names() -> bool {
  tflite_writer w;
  const auto relu = w.operator_code(19);
  const auto call = w.operator_code(31);
  const auto y = w.tensor("y", {2}, tests::float32);
  const auto z = w.tensor("z", {2}, tests::float32);
  const auto state = w.tensor("state", {2}, tests::float32, 0, byte_field(slot::tensor::is_variable, 1));
  const auto calling = w.operation(1, {}, {2}, w.options(16, {int_field(0, 1)}));
  const auto root = w.graph({state, y, z}, {}, {1, 2}, {w.operation(0, {0}, {1}), calling});
  const auto other = w.graph({state, y}, {}, {1}, {w.operation(0, {0}, {1})}, "other");
  const auto model = w.model({relu, call}, {root, other}, {});
  const auto program = tflite::read_bytes(model);
  const auto target_of = [&](std::size_t g) { return program.text(program[program.inputs(program.graphs[g])[0]].target); };
  return target_of(0) == "state" && target_of(1) == "subgraph_1.state";
}
static_assert(variables_of_subgraphs_have_distinct_names());

/// Vela names all variables `<unnamed>`, but each is a separate state.
constexpr auto variables_of_one_name_are_separate_states() -> bool {
  tflite_writer w;
  const auto add = w.operator_code(0);
  const auto variable = [&](std::string_view name) {
    return w.tensor(name, {2}, tests::float32, 0, byte_field(slot::tensor::is_variable, 1));
  };
  const auto first = variable("<unnamed>");
  const auto second = variable("<unnamed>");
  const auto third = variable("<unnamed>_1");  // the new name of the second one
  const auto y = w.tensor("y", {2}, tests::float32);
  const auto z = w.tensor("z", {2}, tests::float32);
  const auto root = w.graph({first, second, third, y, z}, {}, {4}, {w.operation(0, {0, 1}, {3}), w.operation(0, {3, 2}, {4})});
  const auto model = w.model({add}, {root}, {});
  const auto program = tflite::read_bytes(model);
  const auto target_of = [&](std::size_t i) { return program.text(program[program.inputs(program.root())[i]].target); };
  return target_of(0) == "<unnamed>" && target_of(1) == "<unnamed>_1" && target_of(2) == "<unnamed>_1_2";
}
static_assert(variables_of_one_name_are_separate_states());

constexpr auto constants_without_elements_need_no_data() -> bool {
  const auto model =
      model_of({300, {}, 0, {0, 2}, {1}}, without_options, [](tflite_writer& w) { return w.tensor("scalar", {0}, tests::int32); });
  const auto program = tflite::read_bytes(model);
  return program[program.inputs(program.root())[0]].kind == value_kind::constant;
}
static_assert(constants_without_elements_need_no_data());

constexpr auto data_may_be_stored_after_the_flatbuffer() -> bool {
  tflite_writer w;
  const auto x = w.tensor("x", {2}, tests::int8, 1);
  const auto buffer = w.table({long_field(slot::buffer::offset, 300), long_field(slot::buffer::size, 2)});
  auto model = w.model({}, {w.graph({x}, {}, {0}, {})}, {w.buffer({}), buffer});
  if (model.size() > 300) return false;
  model.resize(302, 'x');
  const auto program = tflite::read_bytes(model);
  const auto is_read = program.text(program.values[0].data) == "xx";
  model.pop_back();
  return is_read && is_rejected<"damaged_model">(model, "tensor 0 cannot be read");
}
static_assert(data_may_be_stored_after_the_flatbuffer());

constexpr auto unnamed_tensors_and_graphs_are_named() -> bool {
  tflite_writer w;
  const auto x = w.tensor({}, {2}, tests::int8);
  const auto call = w.operation(0, {0}, {}, w.options(16, {int_field(0, 1)}));
  const auto model = w.model({w.operator_code(31)}, {w.graph({x}, {0}, {0}, {call}), w.graph({x}, {0}, {0}, {})}, {});
  const auto program = tflite::read_bytes(model);
  return program.text(program.values[0].name) == "tensor_0" && program.text(program.graphs[0].name) == "main" &&
         program.text(program.graphs[1].name) == "subgraph_1";
}
static_assert(unnamed_tensors_and_graphs_are_named());

// Control flow: an `if` with two branches. The first branch has two operators, the second none.

constexpr auto choice(std::int32_t otherwise, bool is_recursive = false) -> bytes {
  tflite_writer w;
  const auto conditional = w.operator_code(118);
  const auto relu = w.operator_code(19);
  const auto relu_again = w.operator_code(19);
  const auto p = w.tensor("p", {}, tests::boolean);
  const auto x = w.tensor("x", {2}, tests::float32);
  const auto y = w.tensor("y", {2}, tests::float32);
  const auto z = w.tensor("z", {2}, tests::float32);
  const auto branch = w.options(92, {int_field(0, is_recursive ? 0 : 1), int_field(1, otherwise)});
  const auto root = w.graph({p, x, y, z}, {0, 1}, {3}, {w.operation(1, {1}, {2}), w.operation(0, {0, 2}, {3}, branch)});
  const auto first = w.graph({x, y, z}, {0}, {2}, {w.operation(1, {0}, {1}), w.operation(2, {1}, {2})}, "first");
  const auto second = w.graph({x}, {0}, {0}, {}, "second");
  return w.model({conditional, relu, relu_again}, {root, first, second}, {});
}

constexpr auto subgraphs_become_graphs() -> bool {
  const auto model = choice(2);
  const auto program = tflite::read_bytes(model);
  if (program.graphs.size() != 3 || program.nodes.size() != 4) return false;
  const auto& choose = program.nodes[1];
  const auto graphs = program.subgraphs_of(choose);
  const auto inside = program.nodes_of(program.graphs[1]);
  return choose.is("tfl.if") && choose.attributes.size == 0 && graphs.size() == 2 && index(graphs[0]) == 1 && index(graphs[1]) == 2 &&
         program.text(program.graphs[1].name) == "first" && program.text(program.graphs[2].name) == "second" &&
         program.text(inside[0].name) == "relu" && program.text(inside[1].name) == "relu_1" &&
         program.text(program.nodes[0].name) == "relu";
}
static_assert(subgraphs_become_graphs());

constexpr auto debug_handles_count_all_nodes() -> bool {
  const auto model = choice(2);
  const auto program = tflite::read_bytes(model);
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (program.nodes[n].debug_handle != n + 1) return false;
  }
  return true;
}
static_assert(debug_handles_count_all_nodes());

constexpr auto wrong_subgraphs_are_rejected() -> bool {
  return is_rejected<"damaged_model">(choice(7), "there is no graph 7", "if") &&
         is_rejected<"damaged_model">(choice(-1), "there is no graph -1", "if") && is_rejected<"recursive_graph">(choice(2, true), "");
}
static_assert(wrong_subgraphs_are_rejected());

// Invalid input

/// The stated type of an output must follow from operands and options.
constexpr auto outputs_of_wrong_types_are_rejected() -> bool {
  const auto ints = [](tflite_writer& w) { return w.tensor("z", {2}, tests::int32); };
  const auto wide = [](tflite_writer& w) { return w.tensor("z", {3}, tests::float32, 0); };
  return is_rejected<"mismatched_inference">(convolution(with_options, 2), "output y is int8 [1, 2, 1, 2] and should be int8 [1, 1, 1, 2]",
                                             "conv_2d") &&
         is_rejected<"mismatched_inference">(model_of({19, {}, 0, {0}, {2}}, without_options, ints, 3, {2}),
                                             "output z is int32 [2] and should be float32 [2]", "relu") &&
         is_rejected<"mismatched_inference">(model_of({19, {}, 0, {0}, {2}}, without_options, wide, 3, {2}),
                                             "output z is float32 [3] and should be float32 [2]", "relu") &&
         is_rejected<"malformed_operator">(model_of({0, {}, 0, {0}, {1}}), "operand 1, second, is missing", "add");
}
static_assert(outputs_of_wrong_types_are_rejected());

constexpr auto wrong_indices_are_rejected() -> bool {
  const one_operator relu{19, {}, 0, {0}, {1}};
  const auto far_buffer = [](tflite_writer& w) { return w.tensor("z", {2}, tests::float32, 99); };
  return is_rejected<"damaged_model">(model_of({19, {}, 1, {0}, {1}}), "operator 0: there is no operator code 1") &&
         is_rejected<"damaged_model">(model_of({19, {}, 0, {9}, {1}}), "there is no tensor 9", "relu") &&
         is_rejected<"damaged_model">(model_of({19, {}, 0, {-2}, {1}}), "there is no tensor -2", "relu") &&
         is_rejected<"damaged_model">(model_of({19, {}, 0, {0}, {-1}}), "there is no tensor -1", "relu") &&
         is_rejected<"damaged_model">(model_of({19, {}, 0, {0, 2}, {1}}, without_options, far_buffer), "tensor 2 cannot be read", "relu") &&
         tflite::try_read_bytes(model_of(relu, without_options, far_buffer));  // no node uses the tensor
}
static_assert(wrong_indices_are_rejected());

constexpr auto values_must_be_produced_once_and_before_their_uses() -> bool {
  tflite_writer w;
  const auto code = w.operator_code(19);
  const auto x = w.tensor("x", {2}, tests::float32);
  const auto y = w.tensor("y", {2}, tests::float32);
  const auto twice = w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1}), w.operation(0, {0}, {1})});
  return is_rejected<"value_defined_twice">(w.model({code}, {twice}, {}), "y", "relu_1") &&
         is_rejected<"damaged_model">(model_of({19, {}, 0, {1}, {1}}), "tensor 1 is used before it is produced", "relu") &&
         is_rejected<"value_defined_twice">(model_of({19, {}, 0, {0}, {1, 0}}), "x", "relu") &&
         is_rejected<"value_defined_twice">(model_of({19, {}, 0, {0}, {1, 2}}), "z", "relu") &&
         is_rejected<"damaged_model">(model_of({19, {}, 0, {0}, {}}), "tensor 1 is used before it is produced");
}
static_assert(values_must_be_produced_once_and_before_their_uses());

constexpr auto data_must_fill_their_shape() -> bool {
  return is_rejected<"malformed_data">(
      model_of({19, {}, 0, {0, 2}, {1}}, without_options, [](tflite_writer& w) { return w.tensor("z", {3}, tests::float32, 1); }),
      "value z needs 12 bytes and has 8");
}
static_assert(data_must_fill_their_shape());

/// Whether a tensor is rejected as the operand of an operator.
template <class Tensor>
constexpr auto is_unsupported(Tensor make, std::string_view reason) -> bool {
  return is_rejected<"unsupported_model">(model_of({19, {}, 0, {0, 2}, {1}}, without_options, make), reason, "relu");
}

constexpr auto unsupported_tensors_are_rejected() -> bool {
  using quantization = slot::quantization_parameters;
  return is_unsupported([](tflite_writer& w) { return w.tensor("z", {2}, 77, 1); }, "tensor 2 has an unknown type") &&
         is_unsupported([](tflite_writer& w) { return w.tensor("z", {2}, -1, 1); }, "tensor 2 has an unknown type") &&
         is_unsupported(
             [](tflite_writer& w) { return w.tensor("z", {2}, tests::float32, 1, offset_field(slot::tensor::sparsity, w.table({}))); },
             "tensor 2 is sparse") &&
         is_unsupported([](tflite_writer& w) { return w.tensor("z", {2}, tests::float32, 0, int_field(slot::tensor::external_buffer, 1)); },
                        "in another file") &&
         is_unsupported(
             [](tflite_writer& w) {
               const auto blockwise = w.table({byte_field(quantization::details_type, 2)});
               return w.tensor("z", {2}, tests::float32, 1, offset_field(slot::tensor::quantization, blockwise));
             },
             "tensor 2 has quantization other than scales") &&
         is_rejected<"unsupported_model">(
             model_of(
                 {19, {}, 0, {0}, {1}}, without_options, [](tflite_writer& w) { return w.tensor("z", {2}, tests::float32); }, 4),
             "version 4");
}
static_assert(unsupported_tensors_are_rejected());

constexpr auto other_files_are_foreign() -> bool {
  tflite_writer w;
  auto other = model_of({19, {}, 0, {0}, {1}});
  const bool is_recognized = tflite::importer::recognizes(other);
  other[7] = '4';
  return is_recognized && !tflite::importer::recognizes(other) && is_rejected<"foreign_file">(other, "") &&
         is_rejected<"foreign_file">({}, "") && is_rejected<"foreign_file">({'T', 'F', 'L', '3'}, "") &&
         is_rejected<"damaged_model">(w.model({}, {}, {}), "there is no graph");
}
static_assert(other_files_are_foreign());

constexpr auto every_prefix_is_rejected_or_valid(const bytes& model) -> bool {
  for (std::size_t size = 0; size < model.size(); ++size) {
    if (!laws::importer::result_is_valid<tflite::importer>(baton::span{model}.first(size))) return false;
  }
  return true;
}
constexpr auto short_files_are_rejected_at_compile_time() -> bool {
  const auto model = model_of({19, {}, 0, {0}, {1}});
  for (const std::size_t size : {std::size_t{8}, std::size_t{20}, model.size() / 2, model.size() - 9}) {
    if (!laws::importer::result_is_valid<tflite::importer>(baton::span{model}.first(size))) return false;
  }
  return true;
}
static_assert(short_files_are_rejected_at_compile_time());

static_assert(laws::importer::all<tflite::importer>(convolution(with_options)));
static_assert(laws::importer::all<tflite::importer>(choice(2)));
static_assert(laws::importer::all<tflite::importer>(choice(7)));

// Static programs

constexpr auto size_of_model = convolution(with_options).size();
constexpr auto array_of_model() -> std::array<char, size_of_model + 1> {
  std::array<char, size_of_model + 1> array{};
  std::size_t at = 0;
  for (const char c : convolution(with_options)) array[at++] = c;
  return array;
}
constexpr auto model_array = array_of_model();
template <class>
inline constexpr char embedded[1] = {};
template <std::size_t... I>
inline constexpr char embedded<std::index_sequence<I...>>[] = {model_array[I]...};
constexpr auto& embedded_model = embedded<std::make_index_sequence<size_of_model + 1>>;

constexpr auto static_model = tflite::read<embedded<std::make_index_sequence<size_of_model + 1>>>;
static_assert(is_static_program<std::remove_cv_t<decltype(static_model)>>);
static_assert(static_model->nodes.size() == 1 && static_model->values.size() == 4);

// The same bytes as numbers without a terminating zero, as written by `xxd -i` and #embed.
template <class Byte, class>
inline constexpr Byte numbers[1] = {};
template <class Byte, std::size_t... I>
inline constexpr Byte numbers<Byte, std::index_sequence<I...>>[] = {static_cast<Byte>(model_array[I])...};
template <class Byte>
constexpr auto& from_numbers = tflite::read<numbers<Byte, std::make_index_sequence<size_of_model>>>;
static_assert(is_identical(static_model, from_numbers<unsigned char>) && is_identical(static_model, from_numbers<std::byte>));

}  // namespace

TEST_CASE("tflite: operands become values of their kinds") { CHECK(operands_become_values_of_their_kinds()); }
TEST_CASE("tflite: quantization is not copied") { CHECK(quantization_is_not_copied()); }
TEST_CASE("tflite: options become attributes") {
  CHECK(options_become_attributes());
  CHECK(omitted_options_have_their_defaults());
  CHECK(unknown_symbols_are_rejected());
  CHECK(lists_become_lists());
  CHECK(options_of_the_second_union_are_read());
}
TEST_CASE("tflite: custom and unknown operators keep their options") {
  CHECK(custom_operators_keep_name_and_options());
  CHECK(custom_operators_without_options_have_empty_ones());
  CHECK(options_may_be_stored_after_the_flatbuffer());
  CHECK(operators_newer_than_the_table_keep_their_options());
  CHECK(operators_newer_than_the_table_need_no_options());
}
TEST_CASE("tflite: variables, empty constants, data after the FlatBuffer and unnamed tensors are read") {
  CHECK(variable_tensors_become_mutable_buffers());
  CHECK(variables_of_one_name_are_separate_states());
  CHECK(variables_of_subgraphs_have_distinct_names());
  CHECK(constants_without_elements_need_no_data());
  CHECK(data_may_be_stored_after_the_flatbuffer());
  CHECK(unnamed_tensors_and_graphs_are_named());
}
TEST_CASE("tflite: subgraphs become graphs") {
  CHECK(subgraphs_become_graphs());
  CHECK(debug_handles_count_all_nodes());
  CHECK(wrong_subgraphs_are_rejected());
}
TEST_CASE("tflite: invalid input is rejected, and the failure names its location") {
  CHECK(wrong_indices_are_rejected());
  CHECK(values_must_be_produced_once_and_before_their_uses());
  CHECK(data_must_fill_their_shape());
  CHECK(unsupported_tensors_are_rejected());
  CHECK(outputs_of_wrong_types_are_rejected());
  CHECK(other_files_are_foreign());
  CHECK(every_prefix_is_rejected_or_valid(convolution(with_options)));
  CHECK(every_prefix_is_rejected_or_valid(choice(2)));
}
TEST_CASE("tflite: the laws of importers hold") {
  CHECK(laws::importer::all<tflite::importer>(convolution(with_options)));
  CHECK(laws::importer::all<tflite::importer>(choice(2)));
  CHECK(laws::importer::all<tflite::importer>(choice(7)));
}
TEST_CASE("tflite: a model is the same program at compile time and at run time") {
  CHECK(same(static_model, tflite::read_bytes(baton::span<const char>{embedded_model, size_of_model})));
}
#if BATON_EXCEPTIONS
TEST_CASE("tflite: read_bytes throws the failure that try_read_bytes returns") {
  const auto model = choice(7);
  CHECK_THROWS_WITH_AS(static_cast<void>(tflite::read_bytes(model)),
                       "baton damaged_model: a model file is truncated or damaged; download or export it again "
                       "[node: if] [operator: tfl.if] [there is no graph 7]",
                       error);
}
#endif

// Tables may be shared, so a file of 400 KB can describe 100,000 operators or tensors.
TEST_CASE("tflite: the work for shared tables is bounded") {
  constexpr std::size_t count = 100'000;
  tflite_writer w;
  const auto code = w.operator_code(32, "a_custom_operator_with_a_name_that_is_not_short_and_would_be_copied_often");
  const auto conv = w.operator_code(3);
  const auto x = w.tensor("x", {1, 1, 1, 1, 1, 1, 1, 1}, tests::float32);
  const baton::vector<std::int32_t> many_numbers(count, 0);
  const auto numbers = w.vector(baton::span<const std::int32_t>{many_numbers});
  const auto model_with = [&](tests::reference op) {
    auto writer = w;
    const auto tensors = writer.offsets({x});
    const auto operators = writer.offsets(baton::vector<tests::reference>(count, op));
    const auto graph = writer.table({offset_field(slot::subgraph::tensors, tensors),
                                     offset_field(slot::subgraph::inputs, writer.vector<std::int32_t>({0})),
                                     offset_field(slot::subgraph::operators, operators)});
    return writer.model({code, conv}, {graph}, {});
  };
  const auto with_many_operands = w.table({offset_field(slot::operation::inputs, numbers)});
  for (const auto op : {w.operation(0, {0}, {}), w.operation(1, {0}, {}), with_many_operands}) {
    const auto model = model_with(op);
    const auto read = tflite::try_read_bytes(model);
    CHECK(read.error.is<"damaged_model">());
  }
}
