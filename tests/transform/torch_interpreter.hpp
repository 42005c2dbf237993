// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A plain interpreter of programs of torch.export, against which the passes are checked. It is written for clarity from the definitions of
// PyTorch, and knows nothing of the passes. Results of nodes are rounded to float32, as PyTorch stores them.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "transform/torch_layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torch_tests {

class interpreter : layer_operators {
 public:
  explicit interpreter(const baton::program_view& program) : layer_operators(program), ties_(program.values.size()) {}

  /// Runs the root graph on its user inputs.
  void run(const std::vector<numbers>& inputs) {
    std::size_t next = 0;
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind == baton::value_kind::user_input) values_[index(id)] = inputs[next++];
    }
    for (const auto& record : program_.nodes_of(program_.root())) {
      record_ = &record;
      const auto outputs = program_.outputs_of(record);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        auto result = is("quantize_per_tensor") ? quantized(ties_[index(outputs[i])]) : compute(i);
        for (auto& x : result) x = program_[outputs[i]].type == baton::dtype::float32 ? static_cast<double>(static_cast<float>(x)) : x;
        values_[index(outputs[i])] = result;
      }
    }
  }
  auto operator[](baton::value_id id) const -> const numbers& { return values_[index(id)]; }
  /// True if element `at` of a quantization was nearer to a tie than `limit`, in steps, before it was rounded.
  auto is_near_tie(baton::value_id id, std::size_t at, double limit) const -> bool {
    return !ties_[index(id)].empty() && ties_[index(id)][at] <= limit;
  }
  auto is_near_tie(baton::value_id id, double limit) const -> bool {
    const auto& ties = ties_[index(id)];
    return std::any_of(ties.begin(), ties.end(), [=](double tie) { return tie <= limit; });
  }

 private:
  using function = double (*)(double);
  static auto sigmoid(double x) -> double { return 1 / (1 + std::exp(-x)); }
  static auto softplus(double x) -> double { return x > 30 ? x : std::log1p(std::exp(x)); }
  static auto functions() -> const std::map<std::string_view, function>& {
    static const std::map<std::string_view, function> all = {
        {"relu", [](double x) { return std::max(x, 0.0); }},
        {"relu6", [](double x) { return std::clamp(x, 0.0, 6.0); }},
        {"sigmoid", [](double x) { return sigmoid(x); }},
        {"log_sigmoid", [](double x) { return -softplus(-x); }},
        {"tanh", [](double x) { return std::tanh(x); }},
        {"silu", [](double x) { return x * sigmoid(x); }},
        {"mish", [](double x) { return x * std::tanh(softplus(x)); }},
        {"selu", [](double x) { return 1.0507009873554805 * (x < 0 ? 1.6732632423543772 * std::expm1(x) : x); }},
        {"hardswish", [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
        {"hardsigmoid", [](double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }},
        {"sin", [](double x) { return std::sin(x); }},
        {"cos", [](double x) { return std::cos(x); }},
        {"exp", [](double x) { return std::exp(x); }},
        {"expm1", [](double x) { return std::expm1(x); }},
        {"erf", [](double x) { return std::erf(x); }},
        {"abs", [](double x) { return std::abs(x); }},
        {"neg", [](double x) { return -x; }},
        {"square", [](double x) { return x * x; }},
        {"view", [](double x) { return x; }},
        {"reshape", [](double x) { return x; }},
        {"_unsafe_view", [](double x) { return x; }},
        {"flatten", [](double x) { return x; }},
        {"unflatten", [](double x) { return x; }},
        {"unsqueeze", [](double x) { return x; }},
        {"squeeze", [](double x) { return x; }},
        {"clone", [](double x) { return x; }},
        {"contiguous", [](double x) { return x; }},
        {"dropout", [](double x) { return x; }},
    };
    return all;
  }

  auto compute(std::size_t output) const -> numbers {
    const auto op = name();
    if (const auto function = functions().find(op); function != functions().end()) return each(function->second);
    if (op == "gelu") {
      if (text("arg_1") != "tanh") return each([](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); });
      const auto factor = std::sqrt(2 / std::acos(-1.0));
      return each([=](double x) { return x / 2 * (1 + std::tanh(factor * (x + 0.044715 * x * x * x))); });
    }
    if (op == "leaky_relu") return each([this](double x) { return x < 0 ? x * real("arg_1", 0.01) : x; });
    if (op == "elu") return each([this](double x) { return x < 0 ? real("arg_1", 1) * std::expm1(x) : x; });
    if (op == "celu") return each([this](double x) { return x < 0 ? real("arg_1", 1) * std::expm1(x / real("arg_1", 1)) : x; });
    if (op == "softplus") return each([this](double x) { return softplus(x * real("arg_1", 1)) / real("arg_1", 1); });
    if (op == "hardtanh") return each([this](double x) { return std::clamp(x, real("arg_1", -1), real("arg_2", 1)); });
    if (op == "clamp") {
      constexpr auto infinity = std::numeric_limits<double>::infinity();
      return each([&](double x) { return std::min(std::max(x, real("arg_1", -infinity)), real("arg_2", infinity)); });
    }
    if (op == "prelu") {
      return filled(out_shape(), [this](const sizes& p) {
        return at(0, p) * (at(0, p) < 0 ? in(1)[in(1).size() == 1 ? 0 : static_cast<std::size_t>(p[1])] : 1);
      });
    }
    if (op == "add") return pair([this](double a, double b) { return a + real("arg_2", 1) * b; });
    if (op == "sub") return pair([this](double a, double b) { return a - real("arg_2", 1) * b; });
    if (op == "rsub") return pair([this](double a, double b) { return b - real("arg_2", 1) * a; });
    if (op == "mul") return pair([](double a, double b) { return a * b; });
    if (op == "div") return pair([](double a, double b) { return a / b; });
    if (op == "maximum") return pair([](double a, double b) { return std::max(a, b); });
    if (op == "minimum") return pair([](double a, double b) { return std::min(a, b); });
    if (op == "gt") return pair([](double a, double b) { return a > b ? 1.0 : 0.0; });
    if (op == "where") return filled(out_shape(), [this](const sizes& p) { return at(0, p) != 0 ? at(1, p) : at(2, p); });
    if (op == "masked_fill") return filled(out_shape(), [this](const sizes& p) { return at(1, p) != 0 ? real("arg_2", 0) : at(0, p); });

    if (op.starts_with("conv")) return op == "contiguous" ? in(0) : convolution();
    if (op.starts_with("max_pool") || op.starts_with("avg_pool")) return pool(op.starts_with("max"));
    if (op.starts_with("adaptive_")) return adaptive_pool(op == "adaptive_max_pool2d");
    if (op.starts_with("upsample_")) return resized(op == "upsample_nearest2d");
    if (op == "linear") return linear();
    if (op == "addmm") return addmm();
    if (op == "mm" || op == "bmm" || op == "matmul") return product(in(0), shape(0), in(1), shape(1), false, nullptr);
    if (op == "scaled_dot_product_attention") return attention();
    if (op == "rnn_tanh") return recurrence(output);
    if (op.ends_with("_norm")) return normalization();

    if (op == "softmax" || op == "log_softmax") return softmax(op == "log_softmax");
    if (op == "cumsum") return cumulative();
    if (op == "max" || op == "min") return extreme(output, op == "max");
    if (op == "mean" || op == "sum" || op == "amax" || op == "amin" || op == "var") return reduction();
    return move(output);
  }

  auto each(const std::function<double(double)>& f) const -> numbers {
    numbers result;
    for (const auto x : in(0)) result.push_back(f(x));
    return result;
  }
  /// A function of two operands, or of an operand and the number that is argument 1.
  auto pair(const std::function<double(double, double)>& f) const -> numbers {
    return filled(out_shape(), [&](const sizes& p) { return f(at(0, p), has(1) ? at(1, p) : real("arg_1", 0)); });
  }

  // Along dimensions

  auto softmax(bool is_log) const -> numbers {
    const auto axis = dimension_at("arg_1");
    const auto to = out_shape();
    return filled(to, [&](const sizes& p) {
      double sum = 0;
      auto q = p;
      for (q[axis] = 0; q[axis] < to[axis]; ++q[axis]) sum += std::exp(at(0, q) - at(0, p));
      return is_log ? -std::log(sum) : 1 / sum;
    });
  }
  auto cumulative() const -> numbers {
    const auto axis = dimension_at("arg_1");
    return filled(out_shape(), [&](const sizes& p) {
      double sum = 0;
      auto q = p;
      for (q[axis] = 0; q[axis] <= p[axis]; ++q[axis]) sum += at(0, q);
      return sum;
    });
  }
  /// Returns the operand's elements that each element of the output is computed from, in order.
  auto runs(const std::vector<bool>& is_reduced) const -> std::vector<numbers> {
    const auto from = shape(0);
    std::vector<numbers> result(count_of(out_shape()));
    sizes kept;
    for (std::size_t d = 0; d < from.size(); ++d) kept.push_back(is_reduced[d] ? 1 : from[d]);
    for (std::size_t i = 0; i < in(0).size(); ++i) result[element_at(position_of(i, from), kept)].push_back(in(0)[i]);
    return result;
  }
  auto reduction() const -> numbers {
    const bool is_total = overload() == "default" && (is("mean") || is("sum"));
    const auto axes = is_total ? sizes{} : list("arg_1", {});
    std::vector<bool> is_reduced(rank(), axes.empty());
    for (const auto axis : axes) is_reduced[dimension(axis, rank())] = true;
    numbers result;
    for (const auto& run : runs(is_reduced)) {
      const auto count = static_cast<double>(run.size());
      double sum = 0, squares = 0;
      for (const auto x : run) sum += x;
      for (const auto x : run) squares += (x - sum / count) * (x - sum / count);
      if (is("mean")) result.push_back(sum / count);
      if (is("sum")) result.push_back(sum);
      if (is("amax")) result.push_back(*std::max_element(run.begin(), run.end()));
      if (is("amin")) result.push_back(*std::min_element(run.begin(), run.end()));
      if (is("var")) result.push_back(squares / (count - real("arg_2", 1)));
    }
    return result;
  }
  /// The largest or smallest elements along a dimension, and their positions.
  auto extreme(std::size_t output, bool is_max) const -> numbers {
    std::vector<bool> is_reduced(rank());
    is_reduced[dimension_at("arg_1")] = true;
    numbers result;
    for (const auto& run : runs(is_reduced)) {
      const auto position = is_max ? std::max_element(run.begin(), run.end()) : std::min_element(run.begin(), run.end());
      result.push_back(output == 0 ? *position : static_cast<double>(position - run.begin()));
    }
    return result;
  }

  // Moves

  auto move(std::size_t output) const -> numbers {
    const auto from = shape(0), to = out_shape(output);
    const auto op = name();
    if (op == "permute" || op == "transpose" || op == "t") {
      auto order = list("arg_1", {});
      if (op != "permute") {
        for (std::size_t d = 0; d < from.size(); ++d) order.push_back(static_cast<std::int64_t>(d));
        const auto a = op == "t" ? 0 : dimension_at("arg_1"), b = op == "t" ? from.size() - 1 : dimension_at("arg_2");
        std::swap(order[a], order[b]);
      }
      return filled(to, [&](const sizes& p) {
        sizes source(p.size());
        for (std::size_t d = 0; d < p.size(); ++d) source[dimension(order[d], p.size())] = p[d];
        return at(0, source);
      });
    }
    if (op == "expand") return filled(to, [&](const sizes& p) { return at(0, p); });
    if (op == "repeat") {
      return filled(to, [&](sizes p) {
        for (std::size_t d = 0; d < from.size(); ++d) p[p.size() - 1 - d] %= from[from.size() - 1 - d];
        return at(0, p);
      });
    }
    if (op == "flip" || op == "roll") {
      const auto axes = op == "flip" ? list("arg_1", {}) : list("arg_2", {}), shifts = list("arg_1", {});
      return filled(to, [&](sizes p) {
        for (std::size_t i = 0; i < axes.size(); ++i) {
          auto& at = p[dimension(axes[i], p.size())];
          const auto size = from[dimension(axes[i], p.size())];
          at = op == "flip" ? size - 1 - at : ((at - shifts[i]) % size + size) % size;
        }
        return at(0, p);
      });
    }
    if (op == "cat" || op == "stack") {
      const auto axis = dimension(integer("arg_1"), to.size());
      return filled(to, [&](sizes p) {
        std::size_t operand = 0;
        if (op == "stack") {
          operand = static_cast<std::size_t>(p[axis]);
          p.erase(p.begin() + static_cast<std::ptrdiff_t>(axis));
        } else {
          for (; p[axis] >= shape(operand)[axis]; ++operand) p[axis] -= shape(operand)[axis];
        }
        return at(operand, p);
      });
    }
    if (op == "slice" || op == "narrow" || op == "select" || op == "split" || op == "chunk" || op == "unbind") return part(output);
    if (op == "index_select") {
      const auto axis = dimension_at("arg_1");
      return filled(to, [&](sizes p) {
        p[axis] = static_cast<std::int64_t>(in(1)[static_cast<std::size_t>(p[axis])]);
        return at(0, p);
      });
    }
    if (op == "tril" || op == "triu") {
      return filled(to, [&](const sizes& p) {
        const auto above = p[p.size() - 1] - p[p.size() - 2] - integer("arg_1");
        return (op == "tril" ? above <= 0 : above >= 0) ? at(0, p) : 0.0;
      });
    }
    if (op == "glu") {
      const auto axis = dimension_at("arg_1", -1);
      return filled(to, [&](const sizes& p) {
        auto gate = p;
        gate[axis] += to[axis];
        return at(0, p) * sigmoid(at(0, gate));
      });
    }
    if (op == "pixel_shuffle") {
      const auto factor = integer("arg_1");
      return filled(to, [&](const sizes& p) {
        return at(0, {p[0], (p[1] * factor + p[2] % factor) * factor + p[3] % factor, p[2] / factor, p[3] / factor});
      });
    }
    if (op.find("pad") != std::string_view::npos) return padded();
    if (op == "dequantize_per_tensor") {
      return each([this](double q) {
        return (q - static_cast<double>(integer("arg_2"))) * static_cast<double>(static_cast<float>(real("arg_1", 1)));
      });
    }
    if (op == "dequantize_per_channel") {
      return filled(to, [this](const sizes& p) {
        const auto c = static_cast<std::size_t>(p[dimension_at("arg_3")]);
        return (at(0, p) - in(2)[c]) * in(1)[c];
      });
    }
    throw std::logic_error("no rule for " + std::string(program_.text(record_->target)));
  }
  /// Takes elements of operand 0 along one dimension, from a position on.
  auto part(std::size_t output) const -> numbers {
    const auto axis = is("split") || is("chunk") ? dimension_at("arg_2") : dimension_at("arg_1");
    const auto size = shape(0)[axis];
    std::int64_t first = 0, step = 1;
    if (is("slice")) {
      first = integer("arg_2");
      first = std::clamp<std::int64_t>(first < 0 ? first + size : first, 0, size);
      step = integer("arg_4", 1);
    }
    if (is("narrow") || is("select")) first = integer("arg_2") < 0 ? integer("arg_2") + size : integer("arg_2");
    if (is("unbind")) first = static_cast<std::int64_t>(output);
    if (is("split") || is("chunk")) {
      for (std::size_t i = 0; i < output; ++i) first += out_shape(i)[axis];
    }
    const bool is_removed = is("select") || is("unbind");
    return filled(out_shape(output), [&](sizes p) {
      if (is_removed) p.insert(p.begin() + static_cast<std::ptrdiff_t>(axis), 0);
      p[axis] = first + p[axis] * step;
      return at(0, p);
    });
  }
  /// The list of padding begins with the last dimension: before and after it.
  auto padded() const -> numbers {
    const auto from = shape(0), pads = list("arg_1", {});
    const bool is_reflected = is("reflection_pad2d") || text("arg_2") == "reflect", is_repeated = is("replication_pad2d");
    const auto number = is("pad") ? real("arg_3", 0) : real("arg_2", 0);
    return filled(out_shape(), [&](sizes p) {
      for (std::size_t i = 0; 2 * i < pads.size(); ++i) {
        const auto d = p.size() - 1 - i;
        p[d] -= pads[2 * i];
        if (p[d] >= 0 && p[d] < from[d]) continue;
        if (!is_reflected && !is_repeated) return number;
        if (is_repeated) p[d] = std::clamp<std::int64_t>(p[d], 0, from[d] - 1);
        if (is_reflected) p[d] = p[d] < 0 ? -p[d] : 2 * (from[d] - 1) - p[d];
      }
      return at(0, p);
    });
  }
  /// Multiplies by the reciprocal of the scale in float32, rounds half to even, and limits to the range.
  auto quantized(numbers& ties) const -> numbers {
    const auto factor = static_cast<float>(1.0 / real("arg_1", 1));
    numbers result;
    for (const auto x : in(0)) {
      const auto steps = static_cast<double>(static_cast<float>(x) * factor), shift = static_cast<double>(integer("arg_2"));
      const auto low = real("arg_3", -128), high = real("arg_4", 127);
      const auto rounded = std::nearbyint(steps) + shift;
      const bool is_limited = rounded < low - 1 || rounded > high + 1;
      ties.push_back(is_limited ? 1 : std::fabs(std::fabs(steps - std::trunc(steps)) - 0.5));
      result.push_back(std::clamp(rounded, low, high));
    }
    return result;
  }

  std::vector<numbers> ties_;  // by value: the distance of each element of a quantization to the nearest tie, in steps
};

}  // namespace torch_tests
