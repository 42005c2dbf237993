// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/onnx.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/import/read_model.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/operator_definition.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "laws/importer.hpp"
#include "onnx_writer.hpp"

namespace {

using namespace baton;
using namespace tests;  // the writer
using bytes = baton::vector<char>;

/// Returns the value with this name, in any graph, or `none`.
constexpr auto find(const program_view& program, std::string_view name) -> value_id {
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    if (program.text(program.values[v].name) == name) return static_cast<value_id>(v);
  }
  return none<value_id>;
}
constexpr auto is_float(const program_view& program, std::string_view name, std::initializer_list<std::int64_t> sizes) -> bool {
  const auto id = find(program, name);
  return id != none<value_id> && program[id].type == dtype::float32 &&
         same(program.shape(id), span<const std::int64_t>{sizes.begin(), sizes.size()});
}
/// Returns true if a constant has these elements, as integers.
constexpr auto holds(const program_view& program, std::string_view name, std::initializer_list<std::int64_t> elements) -> bool {
  const auto id = find(program, name);
  if (id == none<value_id> || program[id].kind != value_kind::constant) return false;
  const auto data = program.data(program[id].data);
  const std::size_t width = facts(program[id].type).bits / 8u;
  if (data.size() != elements.size() * width) return false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::uint64_t bits = 0;
    for (std::size_t b = width; b-- > 0;) bits = bits << 8 | static_cast<unsigned char>(data[i * width + b]);
    const auto wanted = static_cast<std::uint64_t>(elements.begin()[i]);
    if (bits != (width == 8 ? wanted : wanted & ((std::uint64_t{1} << 8 * width) - 1))) return false;
  }
  return true;
}
constexpr auto is_node(const program_view& program, std::size_t at, std::string_view name, std::string_view op, std::uint32_t handle)
    -> bool {
  const auto& record = program.nodes[at];
  return program.text(record.name) == name && program.text(record.target) == op && record.op == hash_of(op) &&
         record.debug_handle == handle;
}

/// A program, and the file that it views.
struct imported {
  bytes file;
  exported_program program;

  constexpr explicit imported(const bytes& from, const onnx::read_options& chosen = {})
      : file(from),
        program(onnx::read_bytes(file, chosen)) {}
  constexpr auto has_float(std::string_view name, std::initializer_list<std::int64_t> sizes) const -> bool {
    return is_float(program, name, sizes);
  }
};

template <fixed_string Rule>
constexpr auto is_rejected(const bytes& model, std::string_view reason, const onnx::read_options& chosen = {}) -> bool {
  const auto read = onnx::try_read_bytes(model, chosen);
  const std::string_view text{read.error.reason.data(), read.error.reason.size()};
  return !read && read.error.is<Rule>() && text.find(reason) != std::string_view::npos && read.value.graphs.empty();
}

// A graph with two nodes in the wrong order, one without a name.

constexpr auto two_nodes() -> bytes {
  return model_of(graph_of({.nodes = {node_of({"Relu", {"a"}, {"y"}, {}, "last"}), node_of({"Add", {"x", "w"}, {"a"}})},
                            .inputs = {row("x"), row("w")},
                            .outputs = {row("y")},
                            .initializers = {raw_tensor("w", onnx_float, {1, 4}, {"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16})}}));
}
constexpr auto nodes_are_in_topological_order() -> bool {
  const auto file = two_nodes();
  const auto program = onnx::read_bytes(file);
  const auto y = program.outputs_of(program.root())[0].value;
  return program.nodes.size() == 2 && is_node(program, 0, "a", "onnx.Add", 2) && is_node(program, 1, "last", "onnx.Relu", 1) &&
         is_float(program, "a", {1, 4}) && program.text(program[y].name) == "y" && program.root().inputs.size == 2 &&
         program[find(program, "w")].kind == value_kind::constant && program[find(program, "x")].kind == value_kind::user_input &&
         program.text(program.root().name) == "main" && laws::importer::all<onnx::importer>(file);
}
static_assert(nodes_are_in_topological_order());

constexpr auto every_prefix_is_rejected() -> bool {
  const auto file = two_nodes();
  for (std::size_t size = 0; size < file.size(); ++size) {
    if (!laws::importer::result_is_valid<onnx::importer>(span{file}.first(size))) return false;
  }
  return true;
}
static_assert(every_prefix_is_rejected());

// The same model as a constant.

constexpr auto size_of_two_nodes() -> std::size_t { return two_nodes().size(); }  // Clang 16 keeps temporaries of template arguments
constexpr auto model_array = [] {
  std::array<char, size_of_two_nodes()> array{};
  const auto file = two_nodes();
  for (std::size_t i = 0; i < file.size(); ++i) array[i] = file[i];
  return array;
}();
template <std::size_t... I>
struct embedded_array {
  static constexpr unsigned char array[] = {static_cast<unsigned char>(model_array[I])...};
};
template <std::size_t... I>
constexpr auto embed(std::index_sequence<I...>) -> embedded_array<I...>;
using embedded = decltype(embed(std::make_index_sequence<model_array.size()>()));
constexpr auto model_constant = onnx::read<embedded::array>;
static_assert(model_constant->nodes.size() == 2 && same(model_constant.value(), read_model<embedded::array>.value()));

// Constants

constexpr auto constant_forms_are_read() -> bool {
  const auto file = model_of(graph_of(
      {.nodes = {node_of({"Constant", {}, {"f"}, {float_attribute("value_float", 1.5f)}}),
                 node_of({"Constant", {}, {"i"}, {int_attribute("value_int", -3)}}),
                 node_of({"Constant", {}, {"is"}, {ints_attribute("value_ints", {2, 2})}}),
                 node_of({"Constant", {}, {"t"}, {tensor_attribute("value", int64_tensor("", {2}, {4, 1}))}}),
                 node_of({"Reshape", {"x", "is"}, {"r"}}), node_of({"Reshape", {"r", "t"}, {"r2"}}), node_of({"Mul", {"r2", "f"}, {"y"}})},
       .inputs = {row("x")},
       .outputs = {untyped_value("y"), untyped_value("i")}}));
  const auto program = onnx::read_bytes(file);
  return program.nodes.size() == 3 && holds(program, "is", {2, 2}) && holds(program, "t", {4, 1}) && holds(program, "i", {-3}) &&
         holds(program, "f", {0x3fc00000}) && program.shape(find(program, "i")).empty() && is_float(program, "r", {2, 2}) &&
         is_float(program, "y", {4, 1}) && program.nodes[0].debug_handle == 5;
}
static_assert(constant_forms_are_read());

constexpr auto typed_data_are_read() -> bool {
  namespace tensor = number::tensor;
  const auto file = model_of(
      graph_of({.nodes = {},
                .outputs = {untyped_value("a"), untyped_value("b"), untyped_value("c"), untyped_value("d"), untyped_value("e"),
                            untyped_value("f"), untyped_value("g"), untyped_value("h")},
                .initializers = {tensor_head("a", onnx_int8, {3}).packed(tensor::int32_data, {-1, 127, -128}),
                                 tensor_head("b", onnx_int32, {2}).integer(tensor::int32_data, -2).integer(tensor::int32_data, 70000),
                                 tensor_head("c", onnx_float, {2}).fixed32(tensor::float_data, 1.0f).fixed32(tensor::float_data, -2.0f),
                                 tensor_head("d", 11, {1}).fixed64(tensor::double_data, 1.0),
                                 tensor_head("e", 13, {2}).packed(tensor::uint64_data, {-1, 5}),
                                 tensor_head("f", 10, {1}).packed(tensor::int32_data, {0x3c00}),
                                 tensor_head("g", 22, {3}).packed(tensor::int32_data, {0x21, 0x03}),
                                 tensor_head("h", onnx_float, {0}).text(tensor::raw_data, "")}}));
  const auto program = onnx::read_bytes(file);
  const auto g = program.data(program[find(program, "g")].data);
  return holds(program, "a", {-1, 127, -128}) && holds(program, "b", {-2, 70000}) && holds(program, "c", {0x3f800000, 0xc0000000}) &&
         holds(program, "d", {0x3ff0000000000000}) && holds(program, "e", {-1, 5}) && holds(program, "f", {0x3c00}) &&
         program[find(program, "f")].type == dtype::float16 && g.size() == 2 && g[0] == 0x21 && holds(program, "h", {});
}
static_assert(typed_data_are_read());

constexpr auto constant(const message_writer& tensor) -> bytes {
  return model_of(graph_of({.nodes = {}, .outputs = {untyped_value("w")}, .initializers = {tensor}}));
}
constexpr auto invalid_tensors_are_rejected() -> bool {
  namespace tensor = number::tensor;
  return is_rejected<"malformed_data">(constant(raw_tensor("w", onnx_float, {2}, "1234")), "tensor w needs 8 bytes and has 4") &&
         is_rejected<"malformed_data">(constant(int64_tensor("w", {3}, {1, 2})), "tensor w needs 24 bytes and has 16") &&
         is_rejected<"damaged_model">(constant(raw_tensor("w", onnx_float, {-1}, "1234")), "tensor w has a negative or excessive size") &&
         is_rejected<"damaged_model">(constant(tensor_head("w", onnx_float, {1}).integer(tensor::int64_data, 1)),
                                      "tensor w has numbers of a different data type") &&
         is_rejected<"damaged_model">(constant(raw_tensor("w", onnx_float, {1}, "1234").fixed32(tensor::float_data, 1.0f)),
                                      "tensor w has its data twice, in raw_data and in a typed field") &&
         is_rejected<"unsupported_model">(constant(raw_tensor("w", 8, {1}, "text")), "tensor w has the unsupported data type 8") &&
         is_rejected<"unsupported_model">(constant(raw_tensor("w", 999, {1}, "text")), "tensor w has the unsupported data type 999") &&
         is_rejected<"unsupported_model">(constant(raw_tensor("w", onnx_float, {1}, "1234").text(tensor::segment, "")),
                                          "tensor w is split into segments");
}
static_assert(invalid_tensors_are_rejected());

// External data

constexpr auto external(std::string_view location, std::string_view offset, std::string_view length) -> bytes {
  return constant(external_tensor("w", {2}, location, offset, length));
}
constexpr auto external_data_are_views() -> bool {
  constexpr std::string_view content{"\0\0\0\0\0\0\x80\x3f\0\0\0\x40", 12};
  const onnx::read_options::file files[] = {{"other", {}}, {"data/weights.bin", {content.data(), content.size()}}};
  const onnx::read_options chosen{.files = files};
  const imported whole(external("data/weights.bin", "4", "8"), chosen);
  const imported without_length(external("./data/weights.bin", "4", ""), chosen);
  const auto& program = whole.program;
  return holds(program, "w", {0x3f800000, 0x40000000}) && program[find(program, "w")].data.outside == content.data() + 4 &&
         holds(without_length.program, "w", {0x3f800000, 0x40000000}) &&
         imported(external("data/weights.bin", "", "8"), chosen).has_float("w", {2}) &&
         is_rejected<"damaged_model">(external("data/weights.bin", "8", "8"), "8 bytes long; the file has 12", chosen) &&
         is_rejected<"damaged_model">(external("data/weights.bin", "999999999999999999", "8"), "the file has 12", chosen) &&
         is_rejected<"damaged_model">(external("data/weights.bin", "-4", "8"), "its offset or length is not a number", chosen) &&
         is_rejected<"damaged_model">(external("data/weights.bin", "4", "8888888888888888888"), "is not a number", chosen) &&
         is_rejected<"malformed_data">(external("data/weights.bin", "0", "4"), "tensor w needs 8 bytes and has 4", chosen) &&
         is_rejected<"missing_file">(external("weights.bin", "0", "8"), "tensor w is in weights.bin", chosen);
}
static_assert(external_data_are_views());

// The options of an importer in a list.

inline constexpr char eight_bytes[] = "\0\0\x80\x3f\0\0\0\x40";

constexpr auto options_are_those_of_the_importer() -> bool {
  const auto with_file = importers<tflite::importer, onnx::importer_with<onnx::external_file<"weights.bin", eight_bytes>>>;
  const auto with_size = importers<tflite::importer, onnx::importer_with<onnx::dimension<"N", 3>>>;
  const auto beside = external("weights.bin", "0", "8");
  const auto open = model_of(graph_of({.nodes = {node_of({"Relu", {"x"}, {"y"}})},
                                       .inputs = {typed_value("x", onnx_float, {{4}, {-1, "N"}})},
                                       .outputs = {untyped_value("y")}}));
  const auto file = with_file.read(beside);
  const auto size = with_size.read(open);
  return with_file.format == "TensorFlow Lite, ONNX" && file && holds(file.value, "w", {0x3f800000, 0x40000000}) && size &&
         is_float(size.value, "y", {4, 3}) && !default_importers.read(beside) && !default_importers.read(open);
}
static_assert(options_are_those_of_the_importer());

constexpr auto paths_outside_the_folder_are_refused() -> bool {
  for (const std::string_view path :
       {"/etc/passwd", "C:\\weights", "c:weights", "..", "../weights", "a/../../weights", "a\\..\\w", "\\\\host\\w", ""}) {
    if (!is_rejected<"refused_path">(external(path, "0", "8"), "tensor w is in ")) return false;
  }
  return is_rejected<"missing_file">(external("a..b/..c", "0", "8"), "");
}
static_assert(paths_outside_the_folder_are_refused());

// Sizes

constexpr auto identity(std::initializer_list<dim> dims, std::initializer_list<dim> stated = {}) -> bytes {
  auto output = untyped_value("y");
  if (stated.size() != 0) output = typed_value("y", onnx_float, stated);
  return model_of(
      graph_of({.nodes = {node_of({"Relu", {"x"}, {"y"}})}, .inputs = {typed_value("x", onnx_float, dims)}, .outputs = {output}}));
}
constexpr auto sizes_are_bound() -> bool {
  const onnx::read_options::bound_dimension dimensions[] = {{"N", 3}, {"S", 5}};
  constexpr std::int64_t sizes[] = {2, 5};
  const onnx::read_options::bound_shape shapes[] = {{"x", sizes}};
  return imported(identity({{-1, "N"}, {4}}, {{-1, "N"}, {4}})).has_float("y", {1, 4}) &&
         imported(identity({{}, {4}})).has_float("y", {1, 4}) && imported(identity({})).has_float("y", {}) &&
         imported(identity({{-1, "N"}, {-1, "N"}})).has_float("y", {1, 1}) &&
         imported(identity({{-1, "N"}, {-1, "S"}}, {{-1, "N"}, {5}}), {.dimensions = dimensions}).has_float("y", {3, 5}) &&
         imported(identity({{}, {-1, "S"}}), {.shapes = shapes}).has_float("y", {2, 5}) &&
         imported(identity({{2}, {5}}), {.shapes = shapes}).has_float("y", {2, 5});
}
static_assert(sizes_are_bound());

/// A symbol has one size in all inputs, in any order of the inputs.
constexpr auto sizes_of_symbols_do_not_depend_on_the_order() -> bool {
  const auto model = [](std::initializer_list<dim> x, std::initializer_list<dim> y) {
    return model_of(graph_of({.nodes = {node_of({"Relu", {"x"}, {"p"}}), node_of({"Relu", {"y"}, {"q"}})},
                              .inputs = {typed_value("x", onnx_float, x), typed_value("y", onnx_float, y)},
                              .outputs = {untyped_value("p"), untyped_value("q")}}));
  };
  constexpr std::int64_t sizes[] = {8, 4};
  const onnx::read_options::bound_shape first[] = {{"x", sizes}}, second[] = {{"y", sizes}};
  const auto rows = model({{-1, "N"}, {4}}, {{-1, "N"}, {4}});
  return imported(rows, {.shapes = first}).has_float("q", {8, 4}) && imported(rows, {.shapes = second}).has_float("p", {8, 4}) &&
         imported(model({{3}, {-1, "N"}}, {{-1, "N"}, {4}})).has_float("p", {3, 1});
}
static_assert(sizes_of_symbols_do_not_depend_on_the_order());

constexpr auto unknown_sizes_are_rejected() -> bool {
  const onnx::read_options::bound_dimension dimensions[] = {{"T", 3}};
  constexpr std::int64_t sizes[] = {2, 5};
  const onnx::read_options::bound_shape shapes[] = {{"x", sizes}}, others[] = {{"z", sizes}};
  return is_rejected<"unknown_size">(
             identity({{1}, {-1, "S"}}),
             "the size of dimension 1 of input x is the symbol S; set it, as in baton::onnx::dimension<\"S\", 16>") &&
         is_rejected<"unknown_size">(identity({{1}, {}}), "the size of dimension 1 of input x is unknown and has no name") &&
         is_rejected<"mismatched_shape">(identity({{1}, {5}}), "the size of dimension 0 of input x is 1, but 2 in the read options",
                                         {.shapes = shapes}) &&
         is_rejected<"mismatched_shape">(identity({{2}}), "input x has 1 dimension in the file, but 2 in the read options",
                                         {.shapes = shapes}) &&
         is_rejected<"unknown_name">(identity({{2}}), "there is no input z", {.shapes = others}) &&
         is_rejected<"unknown_name">(identity({{-1, "N"}}), "no input has a dimension T", {.dimensions = dimensions}) &&
         is_rejected<"mismatched_inference">(identity({{2}}, {{3}}), "output y has a different type or shape in the file");
}
static_assert(unknown_sizes_are_rejected());

constexpr auto shapes_are_computed_during_the_import() -> bool {
  // y has the shape [Shape(x)[0], -1, 2].
  const auto file = model_of(graph_of(
      {.nodes = {node_of({"Shape", {"x"}, {"shape"}}), node_of({"Gather", {"shape", "zero"}, {"first"}}),
                 node_of({"Unsqueeze", {"first", "axes"}, {"list"}}),
                 node_of({"Concat", {"list", "rest"}, {"to"}, {int_attribute("axis", 0)}}), node_of({"Reshape", {"x", "to"}, {"y"}})},
       .inputs = {row("x")},
       .outputs = {untyped_value("y")},
       .initializers = {int64_tensor("zero", {}, {0}), int64_tensor("axes", {1}, {0}), int64_tensor("rest", {2}, {-1, 2})}}));
  const auto program = onnx::read_bytes(file);
  return is_float(program, "y", {1, 2, 2}) && program[find(program, "to")].kind == value_kind::intermediate &&
         program[find(program, "to")].data.size == 0;
}
static_assert(shapes_are_computed_during_the_import());

// Attributes and operators

constexpr auto attributes_are_those_of_the_file() -> bool {
  const auto file =
      model_of(graph_of({.nodes = {node_of({"Softmax", {"x"}, {"a"}, {int_attribute("axis", -1)}}),
                                   node_of({"LeakyRelu", {"a"}, {"b"}, {float_attribute("alpha", 0.25f)}}),
                                   node_of({"Transpose", {"b"}, {"c"}, {ints_attribute("perm", {1, 0})}}),
                                   node_of({"Gelu", {"c"}, {"d"}, {text_attribute("approximate", "tanh")}}),
                                   node_of({"Gelu", {"d"}, {"y"}, {}, "", "com.microsoft"}),
                                   node_of({"ConstantOfShape", {"s"}, {"f"}, {tensor_attribute("value", int64_tensor("", {1}, {-7}))}})},
                         .inputs = {row("x")},
                         .outputs = {untyped_value("y"), untyped_value("f")},
                         .initializers = {int64_tensor("s", {1}, {2})}}),
               20);
  const auto program = onnx::read_bytes(file);
  const auto perm = program.integer_list(program.find(program.nodes[2], "perm")->list);
  return program.integer(program.nodes[0], "axis") == -1 && program.integer(program.nodes[0], "opset") == 20 &&
         program.real(program.nodes[1], "alpha") == 0.25 && program.find(program.nodes[1], "opset") == nullptr && perm.size() == 2 &&
         perm[0] == 1 && program.text(program.nodes[3], "approximate") == "tanh" &&
         is_node(program, 4, "y", "onnx.com.microsoft.Gelu", 5) && program.integer(program.nodes[5], "value") == -7 &&
         program.text(program.nodes[5], "value_type") == "int64" && program[find(program, "f")].type == dtype::int64 &&
         is_float(program, "c", {4, 1});
}
static_assert(attributes_are_those_of_the_file());

inline constexpr operator_definition blend[] = {{.name = "onnx.my.Blend"}};
constexpr auto custom_operators_need_a_type() -> bool {
  const auto stated = model_of(graph_of({.nodes = {node_of({"Blend", {"x"}, {"a"}, {}, "", "my"}), node_of({"Relu", {"a"}, {"y"}})},
                                         .inputs = {row("x")},
                                         .outputs = {row("y")},
                                         .stated = {typed_value("a", onnx_float, {{1}, {4}})}}));
  const auto unstated = model_of(graph_of({.nodes = {node_of({"Blend", {"x"}, {"a"}, {}, "", "my"}), node_of({"Relu", {"a"}, {"y"}})},
                                           .inputs = {row("x")},
                                           .outputs = {row("y")}}));
  return imported(stated, {.operators = blend}).has_float("a", {1, 4}) && is_rejected<"unsupported_operators">(stated, "my.Blend (1)") &&
         is_rejected<"unresolved_type">(unstated, "the element type of a does not follow from its operands", {.operators = blend});
}
static_assert(custom_operators_need_a_type());

constexpr auto with_version(std::int64_t version) -> bytes {
  return model_of(graph_of({.nodes = {node_of({"Relu", {"x"}, {"y"}})}, .inputs = {row("x")}, .outputs = {row("y")}}), version);
}
constexpr auto invalid_models_are_rejected() -> bool {
  const auto cycle = model_of(graph_of({.nodes = {node_of({"Add", {"x", "b"}, {"a"}, {}, "first"}), node_of({"Relu", {"a"}, {"b"}})},
                                        .inputs = {row("x")},
                                        .outputs = {row("b")}}));
  const auto twice = model_of(graph_of({.nodes = {node_of({"Relu", {"x"}, {"y"}}), node_of({"Abs", {"x"}, {"y"}, {}, "second"})},
                                        .inputs = {row("x")},
                                        .outputs = {row("y")}}));
  const auto undefined =
      model_of(graph_of({.nodes = {node_of({"Add", {"x", "w"}, {"y"}, {}, "sum"})}, .inputs = {row("x")}, .outputs = {row("y")}}));
  const auto fail = model_of(graph_of({.nodes = {node_of({"Add", {"x", "w"}, {"y"}, {}, "sum"})},
                                       .inputs = {row("x"), typed_value("w", onnx_float, {{3}})},
                                       .outputs = {row("y")}}));
  const auto sequence = model_of(graph_of({.nodes = {}, .inputs = {untyped_value("x")}, .outputs = {untyped_value("x")}}));
  return is_rejected<"cyclic_graph">(cycle, "node first is in the cycle, or depends on it") &&
         is_rejected<"value_defined_twice">(twice, "value y, by node second") &&
         is_rejected<"damaged_model">(undefined, "node sum uses w, which nothing defines") && is_rejected<"malformed_operator">(fail, "") &&
         is_rejected<"unsupported_model">(sequence, "input x is not a tensor of numbers") &&
         is_rejected<"damaged_model">(model_of(graph_of({.nodes = {}, .outputs = {untyped_value("z")}})), "no node computes output z") &&
         is_rejected<"unsupported_model">(with_version(10), "uses version 10") &&
         is_rejected<"unsupported_model">(with_version(23), "uses version 23") && onnx::try_read_bytes(with_version(11)) &&
         onnx::try_read_bytes(with_version(22)) &&
         is_rejected<"damaged_model">(message_writer().integer(1, 8).bytes(), "there is no graph");
}
static_assert(invalid_models_are_rejected());

constexpr auto files_are_recognized_by_their_first_field() -> bool {
  const auto of = graph_of({.nodes = {node_of({"Relu", {"x"}, {"y"}})}, .inputs = {row("x")}, .outputs = {row("y")}});
  const auto reversed =
      message_writer().child(number::model::opset_import, opset(17)).child(number::model::graph, of).integer(1, 8).bytes();
  const bytes other{'T', 'e', 'x', 't'}, tflite{'\x1c', 0, 0, 0, 'T', 'F', 'L', '3'};
  return onnx::try_read_bytes(reversed) && onnx::importer::recognizes(bytes{8}) && !onnx::importer::recognizes({}) &&
         !onnx::importer::recognizes(tflite) && is_rejected<"foreign_file">(other, "ONNX files begin with the field ir_version") &&
         is_rejected<"damaged_model">(bytes{8}, "the fields of the model");
}
static_assert(files_are_recognized_by_their_first_field());

}  // namespace

TEST_CASE("onnx: nodes in any order become a program") {
  CHECK(nodes_are_in_topological_order());
  CHECK(every_prefix_is_rejected());
  CHECK(model_constant->nodes.size() == 2);
}
TEST_CASE("onnx: constants are read in all forms") {
  CHECK(constant_forms_are_read());
  CHECK(typed_data_are_read());
  CHECK(invalid_tensors_are_rejected());
}
TEST_CASE("onnx: tensors in external files are views of them") {
  CHECK(external_data_are_views());
  CHECK(paths_outside_the_folder_are_refused());
  CHECK(options_are_those_of_the_importer());
}
TEST_CASE("onnx: unknown sizes are bound or rejected") {
  CHECK(sizes_are_bound());
  CHECK(sizes_of_symbols_do_not_depend_on_the_order());
  CHECK(unknown_sizes_are_rejected());
  CHECK(shapes_are_computed_during_the_import());
}
TEST_CASE("onnx: operators and attributes are those of the file") {
  CHECK(attributes_are_those_of_the_file());
  CHECK(custom_operators_need_a_type());
}
TEST_CASE("onnx: invalid models are rejected") {
  CHECK(invalid_models_are_rejected());
  CHECK(files_are_recognized_by_their_first_field());
}
