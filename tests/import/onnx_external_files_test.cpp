// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/onnx_external_files.hpp>
#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "onnx_writer.hpp"

namespace {

using namespace baton;
using namespace tests;  // the writer
using bytes = baton::vector<char>;

constexpr auto is_list(const bytes& model, std::initializer_list<std::string_view> expected) -> bool {
  const auto locations = onnx::external_files_of(model);
  if (!locations || locations.value.size() != expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto location = locations.value[i];
    if (location != expected.begin()[i]) return false;
    if (location.data() < model.data() || location.data() + location.size() > model.data() + model.size()) return false;
  }
  return true;
}
constexpr auto in_file(std::string_view tensor, std::string_view location) -> message_writer {
  return external_tensor(tensor, {2}, location, "0", "8");
}
constexpr auto with_initializers(messages tensors) -> bytes {
  return model_of(
      graph_of({.nodes = {node_of({"Relu", {"x"}, {"y"}})}, .inputs = {row("x")}, .outputs = {row("y")}, .initializers = tensors}));
}

constexpr auto each_location_occurs_once() -> bool {
  return is_list(with_initializers({in_file("a", "second.bin"), in_file("b", "first.bin"), in_file("c", "./second.bin")}),
                 {"second.bin", "first.bin"}) &&
         is_list(with_initializers({raw_tensor("w", onnx_float, {1}, {"\0\0\0\0", 4})}), {});
}
static_assert(each_location_occurs_once());

constexpr auto tensors_of_attributes_bodies_and_functions_are_found() -> bool {
  const auto constant = [](std::string_view location) {
    return node_of({"Constant", {}, {"w"}, {tensor_attribute("value", in_file("w", location))}});
  };
  const auto body = graph_of({.nodes = {constant("of_node.bin")}, .initializers = {in_file("v", "of_body.bin")}});
  return is_list(
      model_of(graph_of({.nodes = {constant("of_constant.bin"), node_of({"If", {"c"}, {"y"}, {graph_attribute("then_branch", body)}})}}),
               17,
               {function_of("my", "f", {}, {"y"}, {constant("of_function.bin")}, {tensor_attribute("a", in_file("a", "of_default.bin"))})}),
      {"of_constant.bin", "of_body.bin", "of_node.bin", "of_function.bin", "of_default.bin"});
}
static_assert(tensors_of_attributes_bodies_and_functions_are_found());

constexpr auto sparse_tensors_are_visited() -> bool {
  const auto sparse = [](const message_writer& values, const message_writer& indices) {
    return message_writer().child(number::sparse_tensor::values, values).child(number::sparse_tensor::indices, indices);
  };
  const auto constant = node_of({"Constant",
                                 {},
                                 {"w"},
                                 {message_writer()
                                      .text(number::attribute::name, "sparse_value")
                                      .child(number::attribute::sparse_tensor, sparse(in_file("w", "c.bin"), in_file("", "b.bin")))
                                      .integer(number::attribute::type, 11)}});
  const auto initializer = sparse(in_file("v", "a.bin"), in_file("", "b.bin"));
  return is_list(model_of(graph_of({.nodes = {constant}}).child(number::graph::sparse_initializer, initializer)),
                 {"a.bin", "b.bin", "c.bin"});
}
static_assert(sparse_tensors_are_visited());

constexpr auto invalid_models_are_rejected() -> bool {
  const auto outside = onnx::external_files_of(with_initializers({in_file("a", "fine.bin"), in_file("b", "../weights.bin")}));
  auto cut = with_initializers({in_file("a", "weights.bin")});
  cut.resize(cut.size() - 3);
  auto nested = graph_of({.nodes = {}});
  for (int depth = 0; depth < 18; ++depth)
    nested = graph_of({.nodes = {node_of({"If", {"c"}, {"y"}, {graph_attribute("then_branch", nested)}})}});
  return outside.error.is<"refused_path">() && outside.value.empty() && onnx::external_files_of(cut).error.is<"damaged_model">() &&
         onnx::external_files_of(model_of(nested)).error.is<"nested_too_deep">();
}
static_assert(invalid_models_are_rejected());

}  // namespace

TEST_CASE("onnx: the locations of external files are listed") {
  CHECK(each_location_occurs_once());
  CHECK(tensors_of_attributes_bodies_and_functions_are_found());
  CHECK(sparse_tensors_are_visited());
}
TEST_CASE("onnx: external files outside the folder of the model are refused") { CHECK(invalid_models_are_rejected()); }
