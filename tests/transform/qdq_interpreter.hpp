// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An interpreter of float32 programs with quantized values between their nodes, and of the operators of the namespace `baton` that
// `fuse_quantization` puts in their place. It computes real numbers in double and is written for clarity with the C++ library.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace qdq {

using numbers = std::vector<double>;  // of all types

inline auto range_of(baton::dtype type) -> std::pair<double, double> {
  if (type == baton::dtype::int8) return {-128, 127};
  if (type == baton::dtype::uint8) return {0, 255};
  if (type == baton::dtype::int16) return {-32768, 32767};
  return {-2147483648.0, 2147483647.0};
}

class interpreter {
 public:
  explicit interpreter(const baton::program_view& program) : program_(program), values_(program.values.size()) {
    for (std::size_t v = 0; v < values_.size(); ++v) {
      if (baton::is_owned_data(program.values[v].kind)) values_[v] = elements_of(static_cast<baton::value_id>(v));
    }
  }

  /// Runs the root graph. `inputs` has the user inputs by name.
  void run(const std::map<std::string, numbers>& inputs) {
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind == baton::value_kind::user_input) values_[index(id)] = inputs.at(name(id));
    }
    for (const auto& record : program_.nodes_of(program_.root())) run_node(record);
  }
  auto operator[](baton::value_id id) const -> const numbers& { return values_[index(id)]; }
  /// Returns the values by name.
  auto by_name() const -> std::map<std::string, numbers> {
    std::map<std::string, numbers> result;
    for (std::size_t v = 0; v < values_.size(); ++v) result[name(static_cast<baton::value_id>(v))] = values_[v];
    return result;
  }

 private:
  auto name(baton::value_id id) const -> std::string { return std::string(program_.text(program_[id].name)); }
  auto elements_of(baton::value_id id) const -> numbers {
    const auto data = program_.data(program_[id].data);
    numbers result;
    const std::size_t width = baton::facts(program_[id].type).bits / 8;
    for (std::size_t at = 0; at + width <= data.size(); at += width) {
      const char* from = data.data() + at;
      if (program_[id].type == baton::dtype::int8) result.push_back(static_cast<signed char>(*from));
      if (program_[id].type == baton::dtype::uint8) result.push_back(static_cast<unsigned char>(*from));
      float real = 0;
      std::int32_t whole = 0;
      std::memcpy(&real, from, width == 4 ? 4 : 0);
      std::memcpy(&whole, from, width == 4 ? 4 : 0);
      if (program_[id].type == baton::dtype::float32) result.push_back(static_cast<double>(real));
      if (program_[id].type == baton::dtype::int32) result.push_back(whole);
    }
    return result;
  }
  auto scale(baton::value_id id, std::size_t channel = 0) const -> double {
    return static_cast<double>(program_.scale(program_[id].quant, static_cast<std::uint32_t>(channel)));
  }
  auto zero(baton::value_id id, std::size_t channel = 0) const -> double {
    return static_cast<double>(program_.zero_point(program_[id].quant, static_cast<std::uint32_t>(channel)));
  }
  auto size(baton::value_id id, std::size_t axis) const -> std::int64_t { return program_.shape(id)[axis]; }
  auto count(baton::value_id id) const -> std::size_t { return static_cast<std::size_t>(baton::element_count(program_.shape(id))); }
  auto is_float(baton::value_id id) const -> bool { return program_[id].type == baton::dtype::float32; }
  auto channel_of(baton::value_id id, std::size_t element) const -> std::size_t {
    std::size_t run = 1;
    for (auto axis = static_cast<std::size_t>(program_[id].quant.axis) + 1; axis < program_.shape(id).size(); ++axis)
      run *= static_cast<std::size_t>(size(id, axis));
    return element / run % program_[id].quant.channels;
  }
  auto operand(const baton::node& record, std::size_t at) const -> baton::value_id {
    const auto inputs = program_.inputs(record);
    return at < inputs.size() ? inputs[at] : baton::none<baton::value_id>;
  }
  auto quantized(double real, baton::value_id to, bool is_away) const -> double {
    const auto steps = static_cast<double>(static_cast<float>(real / scale(to)));
    const auto [low, high] = range_of(program_[to].type);
    const auto rounded = is_away ? std::round(steps) : std::nearbyint(steps);
    return std::isnan(real) ? zero(to) : std::min(std::max(rounded + zero(to), low), high);
  }
  /// Returns an output of a layer, a sum or a product: clamped, and within the bounds of a quantized output.
  auto limited(const baton::node& record, double real) const -> double {
    const auto fused = program_.text(record, "fused_activation_function", "none");
    const auto out = program_.outputs_of(record)[0];
    if (is_float(out)) {
      if (fused == "relu" || fused == "relu6") real = std::max(real, 0.0);
      if (fused == "relu_n1_to_1") real = std::min(std::max(real, -1.0), 1.0);
      return fused == "relu6" ? std::min(real, 6.0) : real;
    }
    if (fused != "none" && fused != "relu") throw std::runtime_error("a fused activation of integers");
    const auto [low, high] = range_of(program_[out].type);
    real = std::min(std::max(real, fused == "relu" ? zero(out) : low), high);
    return std::min(std::max(real, program_.real(record, "output_min", low)), program_.real(record, "output_max", high));
  }
  /// Returns sum · s / s_out, rounded once, half up, with a factor of 31 bits.
  static auto rounded_once(double sum, double factor, double addend) -> double {
    if (addend != 0) return std::floor(sum * factor + addend + 0.5);  // a float32 bias, in steps of the output
    const auto fixed = baton::quantized::to_fixed(factor);
    const auto product = static_cast<std::int64_t>(sum) * fixed.value;
    return static_cast<double>((product + (std::int64_t{1} << (30 - fixed.shift))) >> (31 - fixed.shift));
  }

  /// True if a bias is added to the sum: it has the type of the sum.
  auto is_added(baton::value_id in, baton::value_id bias) const -> bool {
    return bias != baton::none<baton::value_id> && (is_float(in) || !is_float(bias));
  }
  /// Returns a float32 bias of integer products, in steps of the output.
  auto addend(baton::value_id in, baton::value_id bias, baton::value_id out, std::size_t channel) const -> double {
    return bias == baton::none<baton::value_id> || is_added(in, bias) ? 0 : values_[index(bias)][channel] / scale(out);
  }

  void run_node(const baton::node& record) {
    const auto out = program_.outputs_of(record)[0];
    const auto in = operand(record, 0);
    auto& result = values_[index(out)];
    result.clear();
    const auto& x = values_[index(in)];
    const bool is_convolution = record.is("tfl.conv_2d") || record.is("baton.conv_2d");
    const bool is_depthwise = record.is("tfl.depthwise_conv_2d") || record.is("baton.depthwise_conv_2d");
    const bool is_pool = record.is("tfl.average_pool_2d") || record.is("baton.average_pool_2d") || record.is("tfl.max_pool_2d") ||
                         record.is("baton.max_pool_2d");
    if (record.is("tfl.dequantize")) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto channel = channel_of(in, i);
        result.push_back(static_cast<double>(static_cast<float>(scale(in, channel) * (x[i] - zero(in, channel)))));
      }
    } else if (record.is("tfl.quantize") || record.is("baton.quantize")) {
      for (const auto each : x) {
        const auto real = is_float(in) ? static_cast<double>(static_cast<float>(each))
                                       : static_cast<double>(static_cast<float>(scale(in) * (each - zero(in))));
        result.push_back(quantized(real, out, record.is("tfl.quantize")));
      }
    } else if (is_convolution || is_depthwise || is_pool) {
      run_window(record, is_depthwise, is_pool, result);
    } else if (record.is("tfl.fully_connected") || record.is("baton.fully_connected")) {
      run_product(record, result);
    } else if (record.is("tfl.reshape")) {
      result = x;
    } else if (record.is("tfl.transpose")) {
      run_transpose(record, result);
    } else if (record.is("tfl.pad")) {
      run_pad(record, result);
    } else if (record.is("tfl.concatenation")) {
      run_concatenation(record, result);
    } else if (record.is("baton.lookup")) {
      const auto& table = values_[index(operand(record, 1))];
      for (const auto each : x) result.push_back(table[static_cast<std::size_t>(each - range_of(program_[in].type).first)]);
    } else if (record.is("tfl.softmax")) {
      run_softmax(x, static_cast<std::size_t>(program_.shape(in)[program_.shape(in).size() - 1]), result);
    } else if (record.inputs.size == 2) {
      run_pair(record, result);
    } else {
      for (const auto each : x) result.push_back(static_cast<double>(function(record, static_cast<float>(each))));
    }
    if (result.size() != count(out)) throw std::runtime_error("a shape is wrong: " + std::string(program_.text(record.target)));
  }

  auto function(const baton::node& record, float x) const -> float {
    if (record.is("tfl.relu")) return std::max(x, 0.0f);
    if (record.is("tfl.relu6")) return std::min(std::max(x, 0.0f), 6.0f);
    if (record.is("tfl.logistic")) return static_cast<float>(1 / (1 + std::exp(-static_cast<double>(x))));
    if (record.is("tfl.tanh")) return static_cast<float>(std::tanh(static_cast<double>(x)));
    if (record.is("tfl.hard_swish"))
      return static_cast<float>(static_cast<double>(x) * std::min(std::max(static_cast<double>(x) + 3, 0.0), 6.0) / 6);
    if (record.is("tfl.leaky_relu")) return x > 0 ? x : static_cast<float>(static_cast<double>(x) * program_.real(record, "alpha"));
    throw std::runtime_error("no such operator here: " + std::string(program_.text(record.target)));
  }

  void run_window(const baton::node& record, bool is_depthwise, bool is_pool, numbers& result) const {
    const auto in = operand(record, 0), out = program_.outputs_of(record)[0], filter = operand(record, 1), bias = operand(record, 2);
    const auto fh = is_pool ? program_.integer(record, "filter_height") : size(filter, 1);
    const auto fw = is_pool ? program_.integer(record, "filter_width") : size(filter, 2);
    const auto sh = program_.integer(record, "stride_h", 1), sw = program_.integer(record, "stride_w", 1);
    const auto dh = program_.integer(record, "dilation_h_factor", 1), dw = program_.integer(record, "dilation_w_factor", 1);
    const auto channels = size(in, 3), outputs = size(out, 3);
    std::int64_t top = 0, left = 0;
    const auto* const pads = program_.find(record, "pads");
    if (pads != nullptr) top = program_.integer_list(pads->list)[0], left = program_.integer_list(pads->list)[1];
    if (program_.text(record, "padding") == "same") {
      top = std::max<std::int64_t>(0, (size(out, 1) - 1) * sh + (fh - 1) * dh + 1 - size(in, 1)) / 2;
      left = std::max<std::int64_t>(0, (size(out, 2) - 1) * sw + (fw - 1) * dw + 1 - size(in, 2)) / 2;
    }
    const bool is_max = record.is("tfl.max_pool_2d") || record.is("baton.max_pool_2d");
    const auto& x = values_[index(in)];
    const double zero_in = is_float(in) ? 0 : zero(in);
    for (std::int64_t y = 0; y < size(out, 1); ++y) {
      for (std::int64_t column = 0; column < size(out, 2); ++column) {
        for (std::int64_t o = 0; o < outputs; ++o) {
          double sum = is_pool || !is_added(in, bias) ? 0 : values_[index(bias)][static_cast<std::size_t>(o)];
          double greatest = -std::numeric_limits<double>::infinity();
          std::int64_t taps = 0;
          for (std::int64_t ky = 0; ky < fh; ++ky) {
            for (std::int64_t kx = 0; kx < fw; ++kx) {
              const auto iy = y * sh - top + ky * dh, ix = column * sw - left + kx * dw;
              if (iy < 0 || ix < 0 || iy >= size(in, 1) || ix >= size(in, 2)) continue;
              const auto pixel = (iy * size(in, 2) + ix) * channels;
              const auto element = [&](std::int64_t c) { return x[static_cast<std::size_t>(pixel + c)]; };
              const auto weight = [&](std::int64_t at) { return values_[index(filter)][static_cast<std::size_t>(at)]; };
              taps += 1;
              if (is_pool) {
                sum += element(o) - zero_in;
                greatest = std::max(greatest, element(o));
              } else if (is_depthwise) {
                sum += (element(o / (outputs / channels)) - zero_in) * weight((ky * fw + kx) * outputs + o);
              } else {
                const auto of_group = size(filter, 3), first = o / (outputs / (channels / of_group)) * of_group;
                for (std::int64_t c = 0; c < of_group; ++c)
                  sum += (element(first + c) - zero_in) * weight(((o * fh + ky) * fw + kx) * of_group + c);
              }
            }
          }
          if (program_.integer(record, "count_include_pad") != 0) taps = fh * fw;
          if (is_max) {
            result.push_back(limited(record, greatest));
          } else if (is_float(in)) {
            result.push_back(limited(record, is_pool ? sum / static_cast<double>(taps) : sum));
          } else if (is_pool) {
            const auto mean = sum * scale(in) / (static_cast<double>(taps) * scale(out));
            result.push_back(limited(record, std::nearbyint(mean) + zero(out)));
          } else {
            result.push_back(limited(record, rounded_once(sum, scale(in) * scale(filter, static_cast<std::size_t>(o)) / scale(out),
                                                          addend(in, bias, out, static_cast<std::size_t>(o))) +
                                                 zero(out)));
          }
        }
      }
    }
  }

  void run_product(const baton::node& record, numbers& result) const {
    const auto in = operand(record, 0), filter = operand(record, 1), out = program_.outputs_of(record)[0], bias = operand(record, 2);
    const auto& x = values_[index(in)];
    const auto inputs = static_cast<std::size_t>(size(filter, 1)), outputs = static_cast<std::size_t>(size(filter, 0));
    for (std::size_t n = 0; n < x.size() / inputs; ++n) {
      for (std::size_t o = 0; o < outputs; ++o) {
        double sum = !is_added(in, bias) ? 0 : values_[index(bias)][o];
        for (std::size_t c = 0; c < inputs; ++c)
          sum += (x[n * inputs + c] - (is_float(in) ? 0 : zero(in))) * values_[index(filter)][o * inputs + c];
        result.push_back(limited(
            record,
            is_float(in) ? sum : rounded_once(sum, scale(in) * scale(filter, o) / scale(out), addend(in, bias, out, o)) + zero(out)));
      }
    }
  }

  /// A sum, difference, product, minimum or maximum. The operands have equal shapes, or one of them has a single element.
  void run_pair(const baton::node& record, numbers& result) const {
    const auto a = operand(record, 0), b = operand(record, 1), out = program_.outputs_of(record)[0];
    const auto is = [&](const char* suffix) { return program_.text(record.target).ends_with(suffix); };
    for (std::size_t i = 0; i < count(out); ++i) {
      auto x = values_[index(a)][count(a) == 1 ? 0 : i], y = values_[index(b)][count(b) == 1 ? 0 : i];
      if (!is_float(a) && !is(".maximum") && !is(".minimum")) x = (x - zero(a)) * scale(a), y = (y - zero(b)) * scale(b);
      auto real = is(".add")       ? x + y
                  : is(".sub")     ? x - y
                  : is(".mul")     ? x * y
                  : is(".maximum") ? std::max(x, y)
                  : is(".minimum") ? std::min(x, y)
                                   : throw std::runtime_error("no such operator here: " + std::string(program_.text(record.target)));
      if (!is_float(a) && !is(".maximum") && !is(".minimum")) real = std::nearbyint(real / scale(out)) + zero(out);
      result.push_back(limited(record, real));
    }
  }

  static void run_softmax(const numbers& x, std::size_t depth, numbers& result) {
    for (std::size_t first = 0; first < x.size(); first += depth) {
      double sum = 0;
      for (std::size_t i = 0; i < depth; ++i) sum += std::exp(x[first + i]);
      for (std::size_t i = 0; i < depth; ++i) result.push_back(static_cast<double>(static_cast<float>(std::exp(x[first + i]) / sum)));
    }
  }
  void run_transpose(const baton::node& record, numbers& result) const {
    const auto in = operand(record, 0), out = program_.outputs_of(record)[0];
    const auto& order = values_[index(operand(record, 1))];
    for (std::size_t i = 0; i < count(out); ++i) {
      std::size_t quotient = i, from = 0;
      for (std::size_t axis = order.size(); axis-- > 0;) {
        const auto length = static_cast<std::size_t>(size(out, axis));
        std::size_t stride = 1;
        for (auto inner = static_cast<std::size_t>(order[axis]) + 1; inner < order.size(); ++inner)
          stride *= static_cast<std::size_t>(size(in, inner));
        from += quotient % length * stride;
        quotient /= length;
      }
      result.push_back(values_[index(in)][from]);
    }
  }
  void run_pad(const baton::node& record, numbers& result) const {
    const auto in = operand(record, 0), out = program_.outputs_of(record)[0];
    const auto& around = values_[index(operand(record, 1))];
    for (std::size_t i = 0; i < count(out); ++i) {
      auto quotient = static_cast<std::int64_t>(i);
      std::int64_t from = 0, stride = 1;
      bool is_inside = true;
      for (std::size_t axis = program_.shape(out).size(); axis-- > 0;) {
        const auto at = quotient % size(out, axis) - static_cast<std::int64_t>(around[2 * axis]);
        is_inside = is_inside && at >= 0 && at < size(in, axis);
        from += at * stride;
        stride *= size(in, axis);
        quotient /= size(out, axis);
      }
      result.push_back(is_inside ? values_[index(in)][static_cast<std::size_t>(from)] : is_float(in) ? 0 : zero(out));
    }
  }
  /// Along the last axis.
  void run_concatenation(const baton::node& record, numbers& result) const {
    const auto out = program_.outputs_of(record)[0];
    const auto rank = program_.shape(out).size();
    if (program_.integer(record, "axis") != static_cast<std::int64_t>(rank) - 1)
      throw std::runtime_error("concatenation along another axis");
    const auto rows = count(out) / static_cast<std::size_t>(size(out, rank - 1));
    for (std::size_t row = 0; row < rows; ++row) {
      for (const auto in : program_.inputs(record)) {
        const auto length = static_cast<std::size_t>(size(in, rank - 1));
        for (std::size_t i = 0; i < length; ++i) result.push_back(values_[index(in)][row * length + i]);
      }
    }
  }

  baton::program_view program_;
  std::vector<numbers> values_;
};

}  // namespace qdq
