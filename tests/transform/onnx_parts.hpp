// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of ONNX on whole tensors and their parts: reductions, slices, normalizations, and images of another size.
#pragma once

#include <baton/core/program.hpp>

#include "transform/onnx_node.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace onnx_tests {

class tensor_operators : protected current_node {
 protected:
  using current_node::current_node;

  auto reduction() const -> numbers {
    const auto from = shape(0);
    auto kept = from;
    const auto axes = has(1) ? integers(1) : list("axes", {});
    for (const auto axis : axes) kept[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(from.size()) : axis)] = 1;
    const bool is_max = is("onnx.ReduceMax"), is_min = is("onnx.ReduceMin"), is_mean = is("onnx.ReduceMean");
    const bool has_squares = is("onnx.ReduceSumSquare") || is("onnx.ReduceL2");
    constexpr auto infinity = std::numeric_limits<double>::infinity();
    std::vector<double> sums(count_of(kept), is_max ? -infinity : is_min ? infinity : 0);
    for (std::size_t i = 0; i < in(0).size(); ++i) {
      auto& sum = sums[element_at(position_of(i, from), kept)];
      const auto x = static_cast<double>(in(0)[i]);
      sum = is_max ? std::max(sum, x) : is_min ? std::min(sum, x) : sum + (has_squares ? x * x : is("onnx.ReduceL1") ? std::abs(x) : x);
    }
    numbers result;
    for (const auto sum : sums) {
      const auto divisor = is_mean ? static_cast<double>(in(0).size()) / static_cast<double>(sums.size()) : 1;
      result.push_back(static_cast<float>(is("onnx.ReduceL2") ? std::sqrt(sum) : sum / divisor));
    }
    return result;
  }
  /// Slices of one dimension, in steps of 1 or -1, or at a list of positions.
  auto parts() const -> numbers {
    const auto from = shape(0), to = out_shape();
    auto axis = is("onnx.Slice") ? integers(3)[0] : program_.integer(*record_, "axis");
    axis += axis < 0 ? static_cast<std::int64_t>(from.size()) : 0;
    const auto d = static_cast<std::size_t>(axis);
    const auto from_start = [&](std::int64_t at) { return at < 0 ? at + from[d] : at; };
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      auto position = position_of(i, to);
      if (is("onnx.Slice"))
        position[d] = from_start(integers(1)[0]) + position[d] * integers(4)[0];
      else
        position[d] = from_start(integers(1)[static_cast<std::size_t>(position[d])]);
      result[i] = in(0)[element_at(position, from)];
    }
    return result;
  }
  auto repetition() const -> numbers {
    const auto from = shape(0), to = out_shape();
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      auto position = position_of(i, to);
      for (std::size_t d = 0; d < from.size(); ++d) position[d] %= from[d];
      result[i] = in(0)[element_at(position, from)];
    }
    return result;
  }
  auto choice() const -> numbers {
    const auto to = out_shape();
    const auto mask = program_.data(program_[program_.inputs(*record_)[0]].data);
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto position = position_of(i, to);
      const auto from = mask[element_at(position, shape(0))] != 0 ? std::size_t{1} : std::size_t{2};
      result[i] = in(from)[element_at(position, shape(from))];
    }
    return result;
  }
  /// Rows of adjacent elements, minus the mean and divided by the deviation. Scale and bias are along the last dimension, or the channels.
  auto centered(std::size_t rows, bool is_along_last) const -> numbers {
    auto result = in(0);
    const auto length = result.size() / rows;
    for (std::size_t i = 0; i < result.size(); ++i) {
      double mean = 0, variance = 0;
      const auto* const row = in(0).data() + i / length * length;
      for (std::size_t k = 0; k < length; ++k) mean += static_cast<double>(row[k]) / static_cast<double>(length);
      for (std::size_t k = 0; k < length; ++k)
        variance += (static_cast<double>(row[k]) - mean) * (static_cast<double>(row[k]) - mean) / static_cast<double>(length);
      const auto at = is_along_last ? i % length : static_cast<std::size_t>(position_of(i, shape(0))[1]);
      const auto normalized = (static_cast<double>(result[i]) - mean) / std::sqrt(variance + program_.real(*record_, "epsilon", 1e-5));
      result[i] = static_cast<float>(normalized * static_cast<double>(in(1)[at]) + (has(2) ? static_cast<double>(in(2)[at]) : 0));
    }
    return result;
  }
  auto resized() const -> numbers {
    const auto from = shape(0), to = out_shape();
    const auto coordinates = program_.text(*record_, "coordinate_transformation_mode"), rounding = program_.text(*record_, "nearest_mode");
    const bool is_nearest = program_.text(*record_, "mode") == "nearest";
    const auto real = [&](std::size_t d, std::int64_t at) {
      const auto x = static_cast<double>(at), in_size = static_cast<double>(from[d]), out_size = static_cast<double>(to[d]);
      if (coordinates == "asymmetric") return x * in_size / out_size;
      if (coordinates == "align_corners") return to[d] == 1 ? 0 : x * (in_size - 1) / (out_size - 1);
      return (x + 0.5) * in_size / out_size - 0.5;
    };
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      auto position = position_of(i, to);
      double sum = 0;
      for (std::size_t corner = 0; corner < (is_nearest ? 1u : 1u << (to.size() - 2)); ++corner) {
        auto source = position;
        double weight = 1;
        for (std::size_t d = 2; d < to.size(); ++d) {
          const auto x = real(d, position[d]);
          const auto below = std::floor(x);
          auto chosen = below + ((corner >> (d - 2) & 1) != 0 ? 1 : 0);
          if (!is_nearest) weight *= chosen > below ? x - below : 1 - (x - below);
          if (is_nearest && rounding == "ceil") chosen = std::ceil(x);
          if (is_nearest && rounding == "round_prefer_ceil") chosen = std::floor(x + 0.5);
          if (is_nearest && rounding == "round_prefer_floor") chosen = std::ceil(x - 0.5);
          source[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(chosen), 0, from[d] - 1);
        }
        sum += weight * static_cast<double>(in(0)[element_at(source, from)]);
      }
      result[i] = static_cast<float>(sum);
    }
    return result;
  }
  /// Blocks of 2 x 2 pixels: DepthToSpace in the mode CRD, and SpaceToDepth.
  auto blocks() const -> numbers {
    const auto from = shape(0), to = out_shape();
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto p = position_of(i, to);
      const auto c = from[1];
      const sizes deep{p[0], 4 * p[1] + 2 * (p[2] % 2) + p[3] % 2, p[2] / 2, p[3] / 2};
      const sizes wide{p[0], p[1] % c, 2 * p[2] + p[1] / c / 2, 2 * p[3] + p[1] / c % 2};
      result[i] = in(0)[element_at(is("onnx.DepthToSpace") ? deep : wide, from)];
    }
    return result;
  }
  auto transposed_convolution() const -> numbers {
    const auto from = shape(0), to = out_shape(), weights = shape(1);
    const auto strides = list("strides", {}), pads = list("pads", {}), dilations = list("dilations", sizes(from.size() - 2, 1));
    const auto groups = program_.integer(*record_, "group", 1);
    std::vector<double> sums(count_of(to));
    for (std::size_t i = 0; i < in(0).size(); ++i) {
      for (std::size_t w = 0; w < in(1).size(); ++w) {
        const auto source = position_of(i, from), tap = position_of(w, weights);
        if (tap[0] != source[1]) continue;
        const auto channel = source[1] / (from[1] / groups) * weights[1] + tap[1];
        sizes position{source[0], channel};
        bool is_in = true;
        for (std::size_t d = 0; d + 2 < from.size(); ++d) {
          position.push_back(source[d + 2] * strides[d] + tap[d + 2] * dilations[d] - pads[d]);
          is_in = is_in && position.back() >= 0 && position.back() < to[d + 2];
        }
        if (is_in) sums[element_at(position, to)] += static_cast<double>(in(0)[i]) * static_cast<double>(in(1)[w]);
      }
    }
    numbers result(sums.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto channel = static_cast<std::size_t>(position_of(i, to)[1]);
      result[i] = static_cast<float>(sums[i] + (has(2) ? static_cast<double>(in(2)[channel]) : 0));
    }
    return result;
  }
};

}  // namespace onnx_tests
