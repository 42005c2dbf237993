// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An interpreter of int8 programs, against which passes are checked. It follows the numeric rules of the reference kernels, and is written
// for clarity with the C++ library. It supports convolutions, fully connected layers, pools, sums and reshapes. Softmax is not computed.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace int8_interpreter {

struct factor {
  std::int64_t value = 0;
  int shift = 0;
};
inline auto factor_of(double real) -> factor {
  int shift = 0;
  auto value = static_cast<std::int64_t>(std::round(std::frexp(real, &shift) * 2147483648.0));
  if (value == 2147483648) {
    value /= 2;
    ++shift;
  }
  return value == 0 || shift < -31 ? factor{} : factor{value, shift};
}
inline auto requantize(std::int64_t x, factor multiplier) -> std::int64_t {
  const auto wide = x * (std::int64_t{1} << std::max(multiplier.shift, 0)) * multiplier.value + (std::int64_t{1} << 30);
  const auto high = wide >> 31;
  const auto right = std::max(-multiplier.shift, 0);
  return right == 0 ? high : std::llround(static_cast<double>(high) / static_cast<double>(std::int64_t{1} << right));
}

/// Runs a program and keeps all its values. Constants are not copied.
class interpreter {
 public:
  explicit interpreter(const baton::program_view& program) : program_(program), values_(program.values.size()) {}

  /// Runs the root graph on one user input.
  void run(baton::span<const std::int8_t> input) {
    for (const auto id : program_.inputs(program_.root())) {
      if (program_[id].kind == baton::value_kind::user_input) values_[index(id)].assign(input.begin(), input.end());
    }
    for (const auto& record : program_.nodes_of(program_.root())) run_node(record);
  }
  auto operator[](baton::value_id id) const -> const baton::vector<std::int8_t>& { return values_[index(id)]; }
  auto output() const -> const baton::vector<std::int8_t>& { return (*this)[program_.outputs_of(program_.root())[0].value]; }

 private:
  auto scale(baton::value_id id, std::size_t channel = 0) const -> double {
    return static_cast<double>(program_.scale(program_[id].quant, static_cast<std::uint32_t>(channel)));
  }
  auto zero(baton::value_id id) const -> std::int64_t { return program_.zero_point(program_[id].quant); }
  auto size(baton::value_id id, std::size_t axis) const -> std::int64_t { return program_.shape(id)[axis]; }
  auto weight(baton::value_id id, std::int64_t at) const -> std::int64_t {
    return static_cast<signed char>(program_.data(program_[id].data)[static_cast<std::size_t>(at)]);
  }
  auto element(baton::value_id id, std::int64_t at) const -> std::int64_t { return values_[index(id)][static_cast<std::size_t>(at)]; }
  auto bias(const baton::node& record, std::int64_t channel) const -> std::int64_t {
    const auto inputs = program_.inputs(record);
    if (inputs.size() < 3 || inputs[2] == baton::none<baton::value_id>) return 0;
    std::int32_t number = 0;
    std::memcpy(&number, program_.data(program_[inputs[2]].data).data() + 4 * channel, 4);
    return number;
  }
  auto clamp(const baton::node& record, std::int64_t x) const -> std::int8_t {
    const auto out = program_.outputs_of(record)[0];
    const auto fused = program_.text(record, "fused_activation_function", "none");
    const auto at = [&](float real) { return zero(out) + std::lround(real / program_.scale(program_[out].quant)); };
    std::int64_t low = -128, high = 127;
    if (fused == "relu" || fused == "relu6") low = std::max(low, at(0.0f));
    if (fused == "relu6") high = std::min(high, at(6.0f));
    if (fused == "relu_n1_to_1") {
      low = std::max(low, at(-1.0f));
      high = std::min(high, at(1.0f));
    }
    return static_cast<std::int8_t>(std::min(std::max(x, low), high));
  }

  void run_node(const baton::node& record) {
    const auto out = program_.outputs_of(record)[0];
    auto& result = values_[index(out)];
    result.clear();
    if (record.is("tfl.conv_2d") || record.is("tfl.depthwise_conv_2d") || record.is("tfl.average_pool_2d") ||
        record.is("tfl.max_pool_2d")) {
      run_window(record, result);
    } else if (record.is("tfl.fully_connected")) {
      run_product(record, result);
    } else if (record.is("tfl.add")) {
      run_sum(record, result);
    } else if (record.is("tfl.reshape")) {
      result = values_[index(program_.inputs(record)[0])];
    } else if (record.is("tfl.softmax")) {
      result = values_[index(program_.inputs(record)[0])];  // it suffices that equal inputs have equal outputs
    } else {
      throw std::runtime_error("no such operator here: " + std::string(program_.text(record.target)));
    }
    if (static_cast<std::int64_t>(result.size()) != baton::element_count(program_.shape(out))) throw std::runtime_error("a shape is wrong");
  }

  void run_window(const baton::node& record, baton::vector<std::int8_t>& result) const {
    const auto in = program_.inputs(record)[0], out = program_.outputs_of(record)[0];
    const bool is_pool = record.inputs.size == 1, is_depthwise = record.is("tfl.depthwise_conv_2d");
    const auto filter = is_pool ? in : program_.inputs(record)[1];
    const auto fh = is_pool ? program_.integer(record, "filter_height") : size(filter, 1);
    const auto fw = is_pool ? program_.integer(record, "filter_width") : size(filter, 2);
    const auto sh = program_.integer(record, "stride_h", 1), sw = program_.integer(record, "stride_w", 1);
    const auto dh = program_.integer(record, "dilation_h_factor", 1), dw = program_.integer(record, "dilation_w_factor", 1);
    const auto channels = size(in, 3), outputs = size(out, 3);
    const bool is_same = program_.text(record, "padding") == "same";
    const auto before = [&](std::int64_t i, std::int64_t o, std::int64_t f, std::int64_t s, std::int64_t d) {
      return is_same ? std::max<std::int64_t>(0, (o - 1) * s + (f - 1) * d + 1 - i) / 2 : 0;
    };
    const auto top = before(size(in, 1), size(out, 1), fh, sh, dh), left = before(size(in, 2), size(out, 2), fw, sw, dw);
    for (std::int64_t n = 0; n < size(out, 0); ++n) {
      for (std::int64_t y = 0; y < size(out, 1); ++y) {
        for (std::int64_t x = 0; x < size(out, 2); ++x) {
          for (std::int64_t o = 0; o < outputs; ++o) {
            std::int64_t sum = is_pool ? 0 : bias(record, o), taps = 0, maximum = -128;
            for (std::int64_t ky = 0; ky < fh; ++ky) {
              for (std::int64_t kx = 0; kx < fw; ++kx) {
                const auto iy = y * sh - top + ky * dh, ix = x * sw - left + kx * dw;
                if (iy < 0 || ix < 0 || iy >= size(in, 1) || ix >= size(in, 2)) continue;
                const auto pixel = ((n * size(in, 1) + iy) * size(in, 2) + ix) * channels;
                taps += 1;
                if (is_pool) {
                  sum += element(in, pixel + o);
                  maximum = std::max(maximum, element(in, pixel + o));
                } else if (is_depthwise) {
                  sum += (element(in, pixel + o / (outputs / channels)) - zero(in)) * weight(filter, (ky * fw + kx) * outputs + o);
                } else {
                  for (std::int64_t c = 0; c < channels; ++c) {
                    sum += (element(in, pixel + c) - zero(in)) * weight(filter, ((o * fh + ky) * fw + kx) * channels + c);
                  }
                }
              }
            }
            if (record.is("tfl.max_pool_2d")) {
              result.push_back(clamp(record, maximum));
            } else if (is_pool) {
              result.push_back(clamp(record, (sum > 0 ? sum + taps / 2 : sum - taps / 2) / taps));
            } else {
              const auto multiplier = factor_of(scale(in) * scale(filter, static_cast<std::size_t>(o)) / scale(out));
              result.push_back(clamp(record, requantize(sum, multiplier) + zero(out)));
            }
          }
        }
      }
    }
  }

  void run_product(const baton::node& record, baton::vector<std::int8_t>& result) const {
    const auto in = program_.inputs(record)[0], filter = program_.inputs(record)[1], out = program_.outputs_of(record)[0];
    const auto inputs = size(filter, 1);
    const bool is_per_tensor = program_[filter].quant.channels == 1;
    const auto count = static_cast<std::int64_t>((*this)[in].size()) / inputs;
    for (std::int64_t n = 0; n < count; ++n) {
      for (std::int64_t o = 0; o < size(filter, 0); ++o) {
        auto sum = bias(record, o);
        for (std::int64_t c = 0; c < inputs; ++c) sum += (element(in, n * inputs + c) - zero(in)) * weight(filter, o * inputs + c);
        const auto product = scale(in) * scale(filter, static_cast<std::size_t>(o));
        const auto multiplier = factor_of((is_per_tensor ? static_cast<double>(static_cast<float>(product)) : product) / scale(out));
        result.push_back(clamp(record, requantize(sum, multiplier) + zero(out)));
      }
    }
  }

  void run_sum(const baton::node& record, baton::vector<std::int8_t>& result) const {
    const auto left = program_.inputs(record)[0], right = program_.inputs(record)[1], out = program_.outputs_of(record)[0];
    const auto twice = 2 * std::max(scale(left), scale(right));
    const auto left_multiplier = factor_of(scale(left) / twice), right_multiplier = factor_of(scale(right) / twice);
    const auto multiplier = factor_of(twice / (1048576 * scale(out)));
    for (std::int64_t i = 0; i < baton::element_count(program_.shape(out)); ++i) {
      const auto both = requantize((element(left, i) - zero(left)) * 1048576, left_multiplier) +
                        requantize((element(right, i) - zero(right)) * 1048576, right_multiplier);
      result.push_back(clamp(record, requantize(both, multiplier) + zero(out)));
    }
  }

  baton::program_view program_;
  baton::vector<baton::vector<std::int8_t>> values_;
};

}  // namespace int8_interpreter
