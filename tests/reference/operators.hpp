// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reference semantics of a small set of aten operators, over float tensors.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/rules.hpp>

#include "reference/functions.hpp"
#include "reference/tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reference {

/// Computes `tfl.custom.STEP`, which writes its first operand, a state, in place: state = state / 2 + x. Returns the output, state - 2 x.
constexpr auto step_state(tensor& state, const tensor& x) -> tensor {
  auto result = state;
  for (std::size_t i = 0; i < state.data.size(); ++i) {
    state.data[i] = state.data[i] / 2 + x.data[i];
    result.data[i] = state.data[i] - 2 * x.data[i];
  }
  return result;
}

/// One node with the values of its operands.
class operation {
 public:
  constexpr operation(const baton::program_view& program, const baton::node& record, baton::span<const tensor> operands)
      : program_(program),
        record_(record),
        operands_(operands) {}

  constexpr auto run() const -> baton::vector<tensor> {
    if (is("aten.max.dim")) return maximum_along(dimension("dim"));
    if (is("aten.split.Tensor") || is("aten.split_with_sizes.default") || is("test.split")) return split(dimension("dim"));
    baton::vector<tensor> results;
    results.push_back(only_result());
    return results;
  }

 private:
  constexpr auto is(std::string_view op) const -> bool { return program_.text(record_.target) == op; }
  constexpr auto result_shape(std::size_t i = 0) const -> baton::span<const std::int64_t> {
    return program_.shape(program_.outputs_of(record_)[i]);
  }
  constexpr auto literal(baton::literal_name name, std::int64_t absent) const -> std::int64_t {
    return program_.integer(record_, name, absent);
  }
  constexpr auto dimension(baton::literal_name name) const -> std::size_t {
    const auto dim = literal(name, 0);
    return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(operands_[0].shape.size()) : dim);
  }

  template <class F>
  constexpr auto each(F f) const -> tensor {
    auto result = operands_[0];
    for (auto& element : result.data) element = f(element);
    return result;
  }

  /// With broadcasting. An omitted operand is the literal `other`, or 1 if that is omitted, too.
  template <class F>
  constexpr auto each_pair(F f) const -> tensor {
    tensor result(result_shape());
    const tensor other({}, {other_literal()});
    const auto& left = operands_[0];
    const tensor* right = &other;
    if (operands_.size() > 1) right = &operands_[1];
    for (std::size_t at = 0; at < result.data.size(); ++at) {
      result.data[at] = f(broadcast_element(left, result, at), broadcast_element(*right, result, at));
    }
    return result;
  }
  constexpr auto other_literal() const -> float {
    const auto* other = program_.find(record_, "other");
    if (other == nullptr) return 1;
    return other->kind == baton::attribute_kind::real ? static_cast<float>(other->real) : static_cast<float>(other->integer);
  }
  static constexpr auto broadcast_element(const tensor& source, const tensor& over, std::size_t at) -> float {
    if (source.data.size() == 1) return source.data[0];
    if (source.data.size() == over.data.size()) return source.data[at];
    std::size_t position = 0;
    const auto missing = over.shape.size() - source.shape.size();
    for (std::size_t d = 0; d < source.shape.size(); ++d) {
      if (source.shape[d] == 1) continue;
      position += at / stride_of(over, d + missing) % static_cast<std::size_t>(over.shape[d + missing]) * stride_of(source, d);
    }
    return source.data[position];
  }
  constexpr auto only_result() const -> tensor {
    if (is("aten.add.Tensor") || is("aten.add_.Tensor")) return each_pair([](float a, float b) { return a + b; });
    if (is("aten.sub.Tensor")) return each_pair([](float a, float b) { return a - b; });
    if (is("aten.mul.Tensor")) return each_pair([](float a, float b) { return a * b; });
    if (is("aten.div.Tensor")) return each_pair([](float a, float b) { return a / b; });
    if (is("aten.eq.Tensor") || is("aten.eq.Scalar")) return each_pair([](float a, float b) { return a == b ? 1.0f : 0.0f; });
    if (is("aten.gt.Tensor") || is("aten.gt.Scalar")) return each_pair([](float a, float b) { return a > b ? 1.0f : 0.0f; });
    if (is("aten.lt.Tensor") || is("aten.lt.Scalar")) return each_pair([](float a, float b) { return a < b ? 1.0f : 0.0f; });
    if (is("aten.sin.default")) return each([](float x) { return static_cast<float>(sine(static_cast<double>(x))); });
    if (is("aten.cos.default")) return each([](float x) { return static_cast<float>(cosine(static_cast<double>(x))); });
    if (is("aten.tan.default"))
      return each([](float x) { return static_cast<float>(sine(static_cast<double>(x)) / cosine(static_cast<double>(x))); });
    if (is("aten.tanh.default")) return each([](float x) { return static_cast<float>(hyperbolic_tangent(static_cast<double>(x))); });
    if (is("aten.sigmoid.default")) return each([](float x) { return static_cast<float>(sigmoid(static_cast<double>(x))); });
    if (is("aten.relu.default")) return each([](float x) { return x > 0 ? x : 0.0f; });
    if (is("aten.neg.default")) return each([](float x) { return -x; });
    if (is("aten.clamp.default")) {
      const auto low = static_cast<float>(literal("min", 0)), high = static_cast<float>(literal("max", 1));
      return each([&](float x) { return x < low ? low : x > high ? high : x; });
    }
    if (is("aten.mm.default") || is("aten.bmm.default")) return product(operands_[0], operands_[1]);
    if (is("aten.addmm.default")) return sum(operands_[0], product(operands_[1], operands_[2]));
    if (is("aten.linear.default")) return linear();
    if (is("aten.convolution.default")) return convolution();
    if (is("aten.permute_copy.default")) return permuted();
    if (is("aten.select_copy.int")) {
      return reshaped(slice(operands_[0], dimension("dim"), static_cast<std::size_t>(literal("index", 0)), 1), result_shape());
    }
    if (is("aten.cat.default")) return concatenated(dimension("dim"));
    if (is("aten.repeat.default")) return repeated();
    if (is("aten.sum.default")) return total();
    if (is("aten.view_copy.default") || is("aten.reshape.default") || is("aten.squeeze_copy.default") ||
        is("aten.unsqueeze_copy.default") || is("aten.clone.default")) {
      return reshaped(operands_[0], result_shape());
    }
    baton::raise(baton::broken<"missing_kernel">("the reference does not know ", program_.text(record_.target)));
    return {};
  }

  static constexpr auto sum(const tensor& addend, tensor source) -> tensor {
    const auto shape = source;
    for (std::size_t at = 0; at < source.data.size(); ++at) source.data[at] += broadcast_element(addend, shape, at);
    return source;
  }

  /// For matrices, or for stacks of matrices.
  constexpr auto product(const tensor& left, const tensor& right) const -> tensor {
    tensor result(result_shape());
    const auto rank = left.shape.size();
    const auto rows = static_cast<std::size_t>(left.shape[rank - 2]);
    const auto inner = static_cast<std::size_t>(left.shape[rank - 1]);
    const auto columns = static_cast<std::size_t>(right.shape[rank - 1]);
    for (std::size_t at = 0; at < result.data.size(); ++at) {
      const auto column = at % columns;
      const auto row = at / columns % rows;
      const auto matrix = at / columns / rows;
      for (std::size_t i = 0; i < inner; ++i) {
        result.data[at] += left.data[(matrix * rows + row) * inner + i] * right.data[(matrix * inner + i) * columns + column];
      }
    }
    return result;
  }
  constexpr auto linear() const -> tensor {
    tensor result(result_shape());
    const auto outputs = static_cast<std::size_t>(operands_[1].shape[0]);
    const auto inputs = static_cast<std::size_t>(operands_[1].shape[1]);
    for (std::size_t at = 0; at < result.data.size(); ++at) {
      for (std::size_t i = 0; i < inputs; ++i) {
        result.data[at] += operands_[0].data[at / outputs * inputs + i] * operands_[1].data[at % outputs * inputs + i];
      }
      if (operands_.size() > 2) result.data[at] += operands_[2].data[at % outputs];
    }
    return result;
  }

  /// Over one or two spatial dimensions, channels first, with or without a batch, stride 1, no padding, one group.
  constexpr auto convolution() const -> tensor {
    tensor result(result_shape());
    const auto size = [&](const tensor& source, std::size_t dim) { return static_cast<std::size_t>(source.shape[dim]); };
    const auto& image = operands_[0];
    const auto& kernel = operands_[1];
    const bool is_flat = kernel.shape.size() == 3;
    const auto rank = image.shape.size();
    const auto height = is_flat ? 1 : size(image, rank - 2), width = size(image, rank - 1);
    const auto kernel_height = is_flat ? 1 : size(kernel, 2), kernel_width = size(kernel, is_flat ? 2 : 3);
    const auto rows = height - kernel_height + 1, columns = width - kernel_width + 1;
    const auto channels = size(kernel, 1), filters = size(kernel, 0);
    for (std::size_t at = 0; at < result.data.size(); ++at) {
      const auto x = at % columns, y = at / columns % rows, filter = at / columns / rows % filters;
      const auto batch = at / columns / rows / filters;
      float sum = operands_.size() > 2 ? operands_[2].data[filter] : 0.0f;
      for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t j = 0; j < kernel_height; ++j) {
          for (std::size_t i = 0; i < kernel_width; ++i) {
            sum += image.data[((batch * channels + c) * height + y + j) * width + x + i] *
                   kernel.data[((filter * channels + c) * kernel_height + j) * kernel_width + i];
          }
        }
      }
      result.data[at] = sum;
    }
    return result;
  }

  constexpr auto permuted() const -> tensor {
    tensor result(result_shape());
    const auto* dims = program_.find(record_, "dims");
    const auto order = program_.integer_list(dims->list);
    for (std::size_t at = 0; at < result.data.size(); ++at) {
      std::size_t from = 0;
      for (std::size_t d = 0; d < order.size(); ++d) {
        from += at / stride_of(result, d) % static_cast<std::size_t>(result.shape[d]) *
                stride_of(operands_[0], static_cast<std::size_t>(order[d]));
      }
      result.data[at] = operands_[0].data[from];
    }
    return result;
  }
  constexpr auto concatenated(std::size_t dim) const -> tensor {
    tensor result(result_shape());
    const auto stride = stride_of(result, dim);
    std::size_t first = 0;
    for (const auto& part : operands_) {
      const auto along = static_cast<std::size_t>(part.shape[dim]);
      for (std::size_t at = 0; at < part.data.size(); ++at) {
        const auto inside = at % (stride * along);
        const auto outside = at / (stride * along);
        result.data[(outside * static_cast<std::size_t>(result.shape[dim]) + first) * stride + inside] = part.data[at];
      }
      first += along;
    }
    return result;
  }
  constexpr auto repeated() const -> tensor {
    tensor result(result_shape());
    const auto& source = operands_[0];
    const auto missing = result.shape.size() - source.shape.size();
    for (std::size_t at = 0; at < result.data.size(); ++at) {
      std::size_t from = 0;
      for (std::size_t d = 0; d < source.shape.size(); ++d) {
        from += at / stride_of(result, d + missing) % static_cast<std::size_t>(source.shape[d]) * stride_of(source, d);
      }
      result.data[at] = source.data[from];
    }
    return result;
  }
  constexpr auto total() const -> tensor {
    tensor result(result_shape());
    for (const auto element : operands_[0].data) result.data[0] += element;
    return result;
  }

  /// Returns the maxima, then their positions along the dimension.
  constexpr auto maximum_along(std::size_t dim) const -> baton::vector<tensor> {
    const auto& source = operands_[0];
    baton::vector<tensor> results{tensor(result_shape(0)), tensor(result_shape(1))};
    const auto stride = stride_of(source, dim);
    const auto along = static_cast<std::size_t>(source.shape[dim]);
    for (std::size_t at = 0; at < results[0].data.size(); ++at) {
      const auto first = at / stride * stride * along + at % stride;
      std::size_t best = 0;
      for (std::size_t i = 1; i < along; ++i) {
        if (source.data[first + i * stride] > source.data[first + best * stride]) best = i;
      }
      results[0].data[at] = source.data[first + best * stride];
      results[1].data[at] = static_cast<float>(best);
    }
    return results;
  }
  constexpr auto split(std::size_t dim) const -> baton::vector<tensor> {
    baton::vector<tensor> results;
    std::size_t first = 0;
    for (std::size_t i = 0; i < record_.outputs.size; ++i) {
      const auto size = static_cast<std::size_t>(result_shape(i)[dim]);
      results.push_back(slice(operands_[0], dim, first, size));
      first += size;
    }
    return results;
  }

  baton::program_view program_;
  const baton::node& record_;
  baton::span<const tensor> operands_;
};

}  // namespace reference
