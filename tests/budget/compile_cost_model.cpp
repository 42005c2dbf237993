// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes an ONNX model y = x + w, where w has BYTES bytes: compile_cost_model BYTES FILE. Used by compile_cost.sh.
#include "import/onnx_writer.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

auto main(int count, char** arguments) -> int {
  using namespace tests;
  if (count != 3) {
    std::cerr << "usage: compile_cost_model BYTES FILE; BYTES is a multiple of 4\n";
    return 2;
  }
  const auto bytes = std::strtoll(arguments[1], nullptr, 10);
  std::string weights;
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < bytes; ++i) {
    state = state * 1664525u + 1013904223u;
    weights.push_back(static_cast<char>(i % 4 == 3 ? 0x3f : state >> 24));  // real numbers near 1
  }
  const auto model = model_of(graph_of({.nodes = {node_of({"Add", {"x", "w"}, {"y"}})},
                                        .inputs = {typed_value("x", onnx_float, {{bytes / 4}})},
                                        .outputs = {typed_value("y", onnx_float, {{bytes / 4}})},
                                        .initializers = {raw_tensor("w", onnx_float, {bytes / 4}, weights)}}));
  std::ofstream(arguments[2], std::ios::binary).write(model.data(), static_cast<std::streamsize>(model.size()));
  return 0;
}
