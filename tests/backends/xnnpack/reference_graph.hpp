// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// `npu_graphs::every_operator` in direct calls of XNNPACK's functions, with numbers and order written by hand.
#pragma once

#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/core/program.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <limits>
#include <vector>

namespace reference_graph {

class graph {
 public:
  /// The weights are read from the program, by node and operand.
  explicit graph(const baton::program_view& program) : program_(program) {
    xnn_initialize(nullptr);
    xnn_create_subgraph(2, 0, &graph_);
    const auto x = tensor(0.05f, -3, {1, 6, 6, 4}, 0, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const auto first = tensor(0.02f, 5, {1, 6, 6, 4});
    const auto spread = tensor(0.04f, -9, {1, 6, 6, 8});
    const auto narrow = tensor(0.02f, 5, {1, 6, 6, 4});
    const auto sum = tensor(0.06f, -20, {1, 6, 6, 4});
    const auto largest = tensor(0.06f, -20, {1, 3, 3, 4});
    const auto mean = tensor(0.06f, -20, {1, 1, 1, 4});
    const auto row = tensor(0.06f, -20, {1, 4});
    const auto out = tensor(0.03f, 1, {1, 10}, 1, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    constexpr auto infinity = std::numeric_limits<float>::infinity();
    const auto first_filter = channels(0, 0, {4, 3, 3, 4});
    xnn_define_convolution_2d(graph_, 1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 1, 4, 4, 0, 6, x, first_filter, bias(0, 4), first, 0);
    const auto spread_filter = channels(1, 3, {1, 3, 3, 8});
    xnn_define_depthwise_convolution_2d(graph_, 1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 2, 4, -infinity, infinity, first, spread_filter, bias(1, 8),
                                        spread, 0);
    const auto narrow_filter = channels(2, 0, {4, 1, 1, 8});
    xnn_define_convolution_2d(graph_, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 8, 4, 0, 6, spread, narrow_filter, bias(2, 4), narrow, 0);
    xnn_define_add2(graph_, 0, infinity, first, narrow, sum, 0);
    xnn_define_max_pooling_2d(graph_, 0, 0, 0, 0, 2, 2, 2, 2, 1, 1, -infinity, infinity, sum, largest, 0);
    xnn_define_global_average_pooling_2d(graph_, -infinity, infinity, largest, mean, 0);
    const std::size_t sizes[] = {1, 4};
    xnn_define_static_reshape(graph_, 2, sizes, mean, row, 0);
    const auto matrix = tensor(0.002f, 0, {10, 4}, XNN_INVALID_VALUE_ID, 0, constant(7, 1).data());
    xnn_define_fully_connected(graph_, -infinity, infinity, row, matrix, XNN_INVALID_VALUE_ID, out, 0);
    xnn_create_runtime_v2(graph_, nullptr, 0, &runtime_);
  }
  graph(const graph&) = delete;
  auto operator=(const graph&) -> graph& = delete;
  ~graph() {
    xnn_delete_runtime(runtime_);
    xnn_delete_subgraph(graph_);
  }

  void run(char* in, char* out) {
    const xnn_external_value values[] = {{0, in}, {1, out}};
    xnn_setup_runtime(runtime_, 2, values);
    xnn_invoke_runtime(runtime_);
  }
  auto is_valid() const -> bool { return runtime_ != nullptr; }

 private:
  auto constant(std::size_t node, std::size_t operand) -> std::vector<char>& {
    const auto data = program_.data(program_[program_.inputs(program_.nodes[node])[operand]].data);
    return kept_.emplace_back(data.begin(), data.end());
  }
  auto tensor(float scale, int zero_point, std::initializer_list<std::size_t> sizes, std::uint32_t external = XNN_INVALID_VALUE_ID,
              std::uint32_t flags = 0, const void* data = nullptr) -> std::uint32_t {
    std::uint32_t id = 0;
    xnn_define_quantized_tensor_value(graph_, xnn_datatype_qint8, zero_point, scale, sizes.size(), sizes.begin(), data, external, flags,
                                      &id);
    return id;
  }
  auto scales_of(std::size_t node) -> const float* {
    const auto bytes = program_.data(program_[program_.inputs(program_.nodes[node])[1]].quant.scales);
    auto& scales = scales_.emplace_back(bytes.size() / 4);
    std::memcpy(scales.data(), bytes.data(), bytes.size());
    return scales.data();
  }
  auto channels(std::size_t node, std::size_t axis, std::initializer_list<std::size_t> sizes) -> std::uint32_t {
    std::uint32_t id = 0;
    xnn_define_channelwise_quantized_tensor_value(graph_, xnn_datatype_qcint8, scales_of(node), sizes.size(), axis, sizes.begin(),
                                                  constant(node, 1).data(), XNN_INVALID_VALUE_ID, 0, &id);
    return id;
  }
  auto bias(std::size_t node, std::size_t count) -> std::uint32_t {
    std::uint32_t id = 0;
    xnn_define_channelwise_quantized_tensor_value(graph_, xnn_datatype_qcint32, scales_of(node), 1, 0, &count, constant(node, 2).data(),
                                                  XNN_INVALID_VALUE_ID, 0, &id);
    return id;
  }

  baton::program_view program_;
  std::deque<std::vector<char>> kept_;
  std::deque<std::vector<float>> scales_;
  xnn_subgraph_t graph_ = nullptr;
  xnn_runtime_t runtime_ = nullptr;
};

}  // namespace reference_graph
