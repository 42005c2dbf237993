// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes an ONNX model of a given size: compile_cost_model KIND SIZE FILE. Used by compile_cost.sh and executor_cost.sh. KIND is one of:
//   weights       y = x + w, where w has `SIZE` bytes, a multiple of 4
//   additions     `SIZE` float32 additions, each of the previous result and the input
//   convolutions  `SIZE` int8 convolutions with 1 x 1 filters from 8 to 8 channels, each with its own weights
#include "import/onnx_writer.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using namespace tests;

/// Returns pseudorandom bytes. Every fourth byte is `fourth`, if this is not negative.
auto random_bytes(std::int64_t count, std::uint32_t& state, int fourth) -> std::string {
  std::string bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes.push_back(static_cast<char>(i % 4 == 3 && fourth >= 0 ? static_cast<std::uint32_t>(fourth) : state >> 24));
  }
  return bytes;
}
auto float_bytes(float number) -> std::string {
  const auto bytes = message_writer().fixed(std::bit_cast<std::uint32_t>(number), 4).bytes();
  return {bytes.begin(), bytes.end()};
}
auto value_name(std::int64_t i, std::int64_t count) -> std::string { return i == 0 ? "x" : i == count ? "y" : "v" + std::to_string(i); }

auto weights(std::int64_t bytes) -> message_writer {
  std::uint32_t state = 1;
  return graph_of({.nodes = {node_of({"Add", {"x", "w"}, {"y"}})},
                   .inputs = {typed_value("x", onnx_float, {{bytes / 4}})},
                   .outputs = {typed_value("y", onnx_float, {{bytes / 4}})},
                   .initializers = {raw_tensor("w", onnx_float, {bytes / 4}, random_bytes(bytes, state, 0x3f))}});  // real numbers near 1
}
auto additions(std::int64_t count) -> message_writer {
  auto graph = graph_of(
      {.nodes = {}, .inputs = {typed_value("x", onnx_float, {{1}, {64}})}, .outputs = {typed_value("y", onnx_float, {{1}, {64}})}});
  for (std::int64_t i = 0; i < count; ++i) {
    graph.child(number::graph::node, node_of({"Add", {value_name(i, count), "x"}, {value_name(i + 1, count)}}));
  }
  return graph;
}
auto convolutions(std::int64_t count) -> message_writer {
  auto graph = graph_of({.nodes = {},
                         .inputs = {typed_value("x", onnx_int8, {{1}, {8}, {8}, {8}})},
                         .outputs = {typed_value("y", onnx_int8, {{1}, {8}, {8}, {8}})},
                         .initializers = {raw_tensor("scale", onnx_float, {}, float_bytes(0.5f)),
                                          raw_tensor("filter_scale", onnx_float, {}, float_bytes(0.01f)),
                                          raw_tensor("zero", onnx_int8, {}, std::string_view("\0", 1))}});
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto filter = "w" + std::to_string(i);
    graph.child(number::graph::initializer, raw_tensor(filter, onnx_int8, {8, 8, 1, 1}, random_bytes(64, state, -1)));
    graph.child(number::graph::node, node_of({"QLinearConv",
                                              {value_name(i, count), "scale", "zero", filter, "filter_scale", "zero", "scale", "zero"},
                                              {value_name(i + 1, count)}}));
  }
  return graph;
}

}  // namespace

auto main(int count, char** arguments) -> int {
  const std::string_view kind = count == 4 ? arguments[1] : "";
  const bool is_known = kind == "weights" || kind == "additions" || kind == "convolutions";
  if (!is_known) {
    std::cerr << "usage: compile_cost_model weights|additions|convolutions SIZE FILE; the size of weights is a multiple of 4\n";
    return 2;
  }
  const auto size = std::strtoll(arguments[2], nullptr, 10);
  const auto model = model_of(kind == "weights" ? weights(size) : kind == "additions" ? additions(size) : convolutions(size));
  std::ofstream(arguments[3], std::ios::binary).write(model.data(), static_cast<std::streamsize>(model.size()));
  return 0;
}
