// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes seeds for the fuzz targets with the writers of the tests: seeds FOLDER, which has a folder for each target.
#include <baton/core/span.hpp>

#include "backends/ethos_u/stream_builders.hpp"
#include "import/onnx_writer.hpp"
#include "import/pt2_writer.hpp"
#include "import/pte_xnnpack_writer.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace {

void write(const std::filesystem::path& file, baton::span<const char> bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

constexpr std::string_view sixteen_bytes{"0123456789abcdef"};

/// y = relu(reshape(x) + w), with a branch.
auto onnx_model() -> baton::vector<char> {
  using namespace tests;
  const auto sum = node_of({"Add", {"r", "w"}, {"s"}, {}, "sum"});
  const auto branch = graph_of({.nodes = {node_of({"Relu", {"s"}, {"b"}})}, .outputs = {row("b")}, .name = "branch"});
  return model_of(
      graph_of({.nodes = {node_of({"Reshape", {"x", "sizes"}, {"r"}}), sum,
                          node_of({"If", {"c"}, {"y"}, {graph_attribute("then_branch", branch), graph_attribute("else_branch", branch)}})},
                .inputs = {typed_value("x", onnx_float, {{4}}), typed_value("c", onnx_bool, {})},
                .outputs = {row("y")},
                .initializers = {raw_tensor("w", onnx_float, {1, 4}, sixteen_bytes), int64_tensor("sizes", {2}, {1, 4})}}));
}

/// y = relu(x + w)
auto pt2_archive() -> baton::vector<char> {
  using namespace tests;
  pt2_program net;
  net.data("parameter", "p_w", "layer.weight", {1, 2}, sixteen_bytes, {2, 1}, 2);
  net.user_input("x", {1, 2});
  net.value("s", {1, 2});
  net.value("y", {1, 2});
  net.node("sum", "torch.ops.aten.add.Tensor", {tensor_argument("x"), tensor_argument("p_w"), int_argument(2)}, {tensor_argument("s")},
           {"alpha"});
  net.node("relu", "torch.ops.aten.relu.default", {tensor_argument("s")}, {tensor_argument("y")});
  net.user_output("y");
  return net.file();
}

/// y = clamp(x * weights + bias), by the XNNPACK delegate.
auto delegated_program() -> baton::vector<char> {
  tests::xnnpack_writer write;
  write.value({.dims = {1, 2}, .input = 0});
  write.value({.dims = {2, 2}, .constant = 1});
  write.value({.dims = {2}, .constant = 2});
  write.value({.dims = {1, 2}, .output = 0});
  write.constant(0, 16);
  write.constant(0, 8, "key");
  write.node(2, {0, 1, 2, 3, 0}, -2, 3);
  return tests::xnnpack_program(write.bytes(sixteen_bytes), {{1, 2}}, {1, 2});
}

}  // namespace

auto main(int count, char** arguments) -> int {
  if (count != 2) {
    std::cerr << "usage: seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  for (const auto* target : {"tflite", "onnx", "pt2", "pte", "ethos_u"}) std::filesystem::create_directories(folder / target);
  write(folder / "onnx" / "branches", onnx_model());
  write(folder / "pt2" / "layer", pt2_archive());
  write(folder / "pte" / "delegate", delegated_program());
  const auto commands = ethos_u_tests::small_stream(0, 16);
  write(folder / "ethos_u" / "stream", commands.bytes());
  write(folder / "ethos_u" / "payload", ethos_u_tests::payload_of(commands));
  return 0;
}
