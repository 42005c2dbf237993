// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A plain interpreter of float32 programs of ONNX operators, with the channels first, against which `legalize_onnx` is checked. It is
// written for clarity with the C++ library.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "transform/onnx_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace onnx_tests {

class interpreter : tensor_operators {
 public:
  explicit interpreter(const baton::program_view& program) : tensor_operators(program) {}
  /// Runs the root graph on its user inputs. Returns the outputs, one after another.
  auto run(const std::vector<numbers>& inputs) -> numbers {
    std::size_t next = 0;
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind == baton::value_kind::user_input) values_[index(id)] = inputs[next++];
    }
    for (const auto& record : program_.nodes_of(program_.root())) {
      record_ = &record;
      values_[index(program_.outputs_of(record)[0])] = compute();
    }
    numbers outputs;
    for (const auto& spec : program_.outputs_of(program_.root())) {
      outputs.insert(outputs.end(), values_[index(spec.value)].begin(), values_[index(spec.value)].end());
    }
    return outputs;
  }

 private:
  auto compute() const -> numbers {
    if (is("onnx.Conv")) return convolution();
    if (is("onnx.MaxPool") || is("onnx.AveragePool")) return pool(list("kernel_shape", {}));
    if (is("onnx.GlobalMaxPool") || is("onnx.GlobalAveragePool")) {
      const auto from = shape(0);
      return pool({from.begin() + 2, from.end()});
    }
    if (is("onnx.Relu")) return each([](double x) { return std::max(x, 0.0); });
    if (is("onnx.Sigmoid")) return each([](double x) { return 1 / (1 + std::exp(-x)); });
    if (is("onnx.Tanh")) return each([](double x) { return std::tanh(x); });
    if (is("onnx.HardSwish")) return each([](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); });
    if (is("onnx.LeakyRelu")) {
      const auto alpha = program_.real(*record_, "alpha", 0.01);
      return each([=](double x) { return x < 0 ? x * alpha : x; });
    }
    if (is("onnx.Elu")) return each([](double x) { return x < 0 ? std::expm1(x) : x; });
    if (is("onnx.Selu")) return each([](double x) { return 1.0507010221481323 * (x < 0 ? 1.6732631921768188 * std::expm1(x) : x); });
    if (is("onnx.Softplus")) return each([](double x) { return std::log1p(std::exp(x)); });
    if (is("onnx.Mish")) return each([](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
    if (is("onnx.HardSigmoid")) return each([](double x) { return std::clamp(0.2 * x + 0.5, 0.0, 1.0); });
    if (is("onnx.Softsign")) return each([](double x) { return x / (1 + std::abs(x)); });
    if (is("onnx.Gelu")) return each([](double x) { return x * (1 + std::erf(x / std::sqrt(2.0))) / 2; });
    if (is("onnx.Erf")) return each([](double x) { return std::erf(x); });
    if (is("onnx.Abs")) return each([](double x) { return std::abs(x); });
    if (is("onnx.Neg")) return each([](double x) { return -x; });
    if (is("onnx.PRelu")) return pair([](double x, double slope) { return x < 0 ? x * slope : x; });
    if (is("onnx.Clip")) {
      const double low = has(1) ? static_cast<double>(in(1)[0]) : -std::numeric_limits<double>::infinity();
      const double high = has(2) ? static_cast<double>(in(2)[0]) : std::numeric_limits<double>::infinity();
      return each([=](double x) { return std::min(std::max(x, low), high); });
    }
    if (is("onnx.Add")) return pair([](double a, double b) { return a + b; });
    if (is("onnx.Sub")) return pair([](double a, double b) { return a - b; });
    if (is("onnx.Mul")) return pair([](double a, double b) { return a * b; });
    if (is("onnx.Div")) return pair([](double a, double b) { return a / b; });
    if (is("onnx.Softmax")) return softmax();
    if (is("onnx.Gemm") || is("onnx.MatMul")) return product();
    if (is("onnx.Transpose")) return transpose();
    if (is("onnx.Concat")) return concat();
    if (is("onnx.Pad")) return pad();
    if (program_.text(record_->target).starts_with("onnx.Reduce")) return reduction();
    if (is("onnx.Slice") || is("onnx.Gather")) return parts();
    if (is("onnx.Expand") || is("onnx.Tile")) return repetition();
    if (is("onnx.Where")) return choice();
    if (is("onnx.LayerNormalization")) return centered(in(0).size() / static_cast<std::size_t>(shape(0).back()), true);
    if (is("onnx.InstanceNormalization")) return centered(static_cast<std::size_t>(shape(0)[0] * shape(0)[1]), false);
    if (is("onnx.Resize")) return resized();
    if (is("onnx.DepthToSpace") || is("onnx.SpaceToDepth")) return blocks();
    if (is("onnx.ConvTranspose")) return transposed_convolution();
    if (is("onnx.BatchNormalization")) return normalization();
    if (is("onnx.Flatten") || is("onnx.Reshape") || is("onnx.Squeeze") || is("onnx.Unsqueeze") || is("onnx.Identity") ||
        is("onnx.Dropout") || is("onnx.Cast")) {
      return in(0);
    }
    throw std::logic_error("no rule for " + std::string(program_.text(record_->target)));
  }

  template <class Function>
  auto each(Function function) const -> numbers {
    auto result = in(0);
    for (auto& x : result) x = static_cast<float>(function(static_cast<double>(x)));
    return result;
  }
  template <class Function>
  auto pair(Function function) const -> numbers {
    const auto to = out_shape();
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto position = position_of(i, to);
      result[i] = static_cast<float>(
          function(static_cast<double>(in(0)[element_at(position, shape(0))]), static_cast<double>(in(1)[element_at(position, shape(1))])));
    }
    return result;
  }

  /// Calls `visit(output, tap, image)` for each tap of each window: positions without batch and channel. `image` may be in the padding.
  void windows(const sizes& filter, const std::function<void(const sizes&, const sizes&, const sizes&)>& visit) const {
    const auto from = shape(0), to = out_shape();
    const auto dimensions = filter.size();
    const auto strides = list("strides", sizes(dimensions, 1)), dilations = list("dilations", sizes(dimensions, 1));
    const auto pads = list("pads", sizes(2 * dimensions, 0));
    const sizes outputs(to.begin() + 2, to.end());
    for (std::size_t o = 0; o < count_of(outputs); ++o) {
      const auto output = position_of(o, outputs);
      for (std::size_t t = 0; t < count_of(filter); ++t) {
        const auto tap = position_of(t, filter);
        sizes image(dimensions);
        for (std::size_t d = 0; d < dimensions; ++d) image[d] = output[d] * strides[d] + tap[d] * dilations[d] - pads[d];
        visit(output, tap, image);
      }
    }
  }
  static auto is_inside(const sizes& image, const sizes& shape, const sizes& pads) -> bool {
    for (std::size_t d = 0; d < image.size(); ++d) {
      if (image[d] < -pads[d] || image[d] >= shape[d + 2] + pads[d + image.size()]) return false;
    }
    return true;
  }
  static auto joined(std::int64_t a, std::int64_t b, const sizes& inner_sizes) -> sizes {
    sizes result{a, b};
    result.insert(result.end(), inner_sizes.begin(), inner_sizes.end());
    return result;
  }
  auto convolution() const -> numbers {
    const auto from = shape(0), to = out_shape(), weights = shape(1);
    const sizes filter(weights.begin() + 2, weights.end()), no_pads(2 * filter.size(), 0);
    const auto groups = program_.integer(*record_, "group", 1), per_group = weights[0] / groups;
    std::vector<double> sums(count_of(to));
    windows(filter, [&](const sizes& output, const sizes& tap, const sizes& image) {
      if (!is_inside(image, from, no_pads)) return;
      for (std::int64_t n = 0; n < to[0]; ++n) {
        for (std::int64_t o = 0; o < to[1]; ++o) {
          for (std::int64_t i = 0; i < weights[1]; ++i) {
            const auto channel = o / per_group * weights[1] + i;
            sums[element_at(joined(n, o, output), to)] += static_cast<double>(in(0)[element_at(joined(n, channel, image), from)]) *
                                                          static_cast<double>(in(1)[element_at(joined(o, i, tap), weights)]);
          }
        }
      }
    });
    numbers result(sums.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto channel = static_cast<std::size_t>(position_of(i, to)[1]);
      result[i] = static_cast<float>(sums[i] + (has(2) ? static_cast<double>(in(2)[channel]) : 0));
    }
    return result;
  }
  auto pool(const sizes& filter) const -> numbers {
    const bool is_max = is("onnx.MaxPool") || is("onnx.GlobalMaxPool");
    const auto from = shape(0), to = out_shape(), no_pads = sizes(2 * filter.size(), 0), pads = list("pads", no_pads);
    const bool counts_padding = program_.integer(*record_, "count_include_pad") != 0;
    std::vector<double> sums(count_of(to), is_max ? -std::numeric_limits<double>::infinity() : 0);
    std::vector<double> counts(sums.size());
    windows(filter, [&](const sizes& output, const sizes&, const sizes& image) {
      for (std::int64_t n = 0; n < to[0]; ++n) {
        for (std::int64_t c = 0; c < to[1]; ++c) {
          const auto at = element_at(joined(n, c, output), to);
          if (is_inside(image, from, counts_padding ? pads : no_pads)) counts[at] += 1;
          if (!is_inside(image, from, no_pads)) continue;
          const auto x = static_cast<double>(in(0)[element_at(joined(n, c, image), from)]);
          sums[at] = is_max ? std::max(sums[at], x) : sums[at] + x;
        }
      }
    });
    numbers result(sums.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>(is_max ? sums[i] : sums[i] / counts[i]);
    return result;
  }

  auto softmax() const -> numbers {
    const auto to = out_shape();
    const auto axis = axis_of(-1);
    numbers result(in(0).size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      auto position = position_of(i, to);
      double sum = 0;
      for (position[axis] = 0; position[axis] < to[axis]; ++position[axis]) {
        sum += std::exp(static_cast<double>(in(0)[element_at(position, to)]) - static_cast<double>(in(0)[i]));
      }
      result[i] = static_cast<float>(1 / sum);
    }
    return result;
  }
  auto product() const -> numbers {
    const auto a = shape(0), b = shape(1), to = out_shape();
    const bool transposes_a = program_.integer(*record_, "transA") != 0, transposes_b = program_.integer(*record_, "transB") != 0;
    const auto alpha = program_.real(*record_, "alpha", 1), beta = program_.real(*record_, "beta", 1);
    const auto inner = transposes_a ? a[a.size() - 2] : a.back();
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto position = position_of(i, to);
      double sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        auto left = position, right = position;
        left[transposes_a ? left.size() - 2 : left.size() - 1] = k;
        if (transposes_a) left[left.size() - 1] = position[position.size() - 2];
        right[transposes_b ? right.size() - 1 : right.size() - 2] = k;
        if (transposes_b) right[right.size() - 2] = position[position.size() - 1];
        sum += static_cast<double>(in(0)[element_at(left, a)]) * static_cast<double>(in(1)[element_at(right, b)]);
      }
      const double addend = has(2) ? static_cast<double>(in(2)[element_at(position, shape(2))]) : 0;
      result[i] = static_cast<float>(alpha * sum + beta * addend);
    }
    return result;
  }
  auto transpose() const -> numbers {
    const auto from = shape(0), to = out_shape();
    sizes order(from.size());
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<std::int64_t>(order.size() - 1 - d);
    order = list("perm", order);
    numbers result(in(0).size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto position = position_of(i, to);
      sizes source(from.size());
      for (std::size_t d = 0; d < order.size(); ++d) source[static_cast<std::size_t>(order[d])] = position[d];
      result[i] = in(0)[element_at(source, from)];
    }
    return result;
  }
  auto concat() const -> numbers {
    const auto to = out_shape();
    const auto axis = axis_of(0);
    numbers result(count_of(to));
    for (std::size_t i = 0; i < result.size(); ++i) {
      auto position = position_of(i, to);
      std::size_t operand = 0;
      for (; position[axis] >= shape(operand)[axis]; ++operand) position[axis] -= shape(operand)[axis];
      result[i] = in(operand)[element_at(position, shape(operand))];
    }
    return result;
  }
  auto pad() const -> numbers {
    const auto from = shape(0), to = out_shape(), pads = integers(1);
    numbers result(count_of(to), has(2) ? in(2)[0] : 0.0f);
    for (std::size_t i = 0; i < in(0).size(); ++i) {
      auto position = position_of(i, from);
      for (std::size_t d = 0; d < position.size(); ++d) position[d] += pads[d];
      result[element_at(position, to)] = in(0)[i];
    }
    return result;
  }
  auto normalization() const -> numbers {
    const auto from = shape(0);
    auto result = in(0);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto c = static_cast<std::size_t>(position_of(i, from)[1]);
      const auto scale =
          static_cast<double>(in(1)[c]) / std::sqrt(static_cast<double>(in(4)[c]) + program_.real(*record_, "epsilon", 1e-5));
      result[i] =
          static_cast<float>((static_cast<double>(result[i]) - static_cast<double>(in(3)[c])) * scale + static_cast<double>(in(2)[c]));
    }
    return result;
  }
};

}  // namespace onnx_tests
