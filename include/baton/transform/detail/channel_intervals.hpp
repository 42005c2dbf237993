// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which numbers an output channel of an int8 layer can be, whatever the input.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/transform/detail/quantized_layer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace baton::detail {

/// Whole numbers from `low` to `high`, both among them.
template <class T>
struct interval {
  T low{};
  T high{};

  constexpr auto is_constant() const -> bool { return low == high; }
  constexpr auto operator==(const interval&) const -> bool = default;
};

/// What an int8 element can be of which nothing is known.
inline constexpr interval<std::int16_t> any_int8{-128, 127};

/// What a sum becomes as an output, if nothing overflows on the way. Each step of it is monotone, so the ends of an interval of sums become
/// the ends of the interval of outputs; a factor below 0 turns it round.
constexpr auto requantized(const quantized_layer& layer, portable::fixed_multiplier by, interval<std::int64_t> sums)
    -> interval<std::int16_t> {
  constexpr auto room = std::numeric_limits<std::int32_t>::max() - 256;  // for a zero point
  const auto most = room >> (by.shift > 30 ? 30 : by.shift > 0 ? by.shift : 0);
  if (sums.low < -most || sums.high > most || by.shift > 30) {
    return {static_cast<std::int16_t>(layer.range.lower), static_cast<std::int16_t>(layer.range.upper)};
  }
  const auto low = layer.range.clamp(portable::requantize(static_cast<std::int32_t>(sums.low), by) + layer.zero_point);
  const auto high = layer.range.clamp(portable::requantize(static_cast<std::int32_t>(sums.high), by) + layer.zero_point);
  return {static_cast<std::int16_t>(low < high ? low : high), static_cast<std::int16_t>(low < high ? high : low)};
}

/// The intervals of a layer's output channels from those of its input channels. The sum of products of each tap has an interval of its
/// own; those of the taps inside the image add up, for each kind of border that outputs see.
/// An input is written as half of centre plus or minus radius, which makes of the ends of a sum two sums without branches: in a constant,
/// eight weights at once, since compilers count statements or operations there.
class layer_intervals {
 public:
  constexpr layer_intervals(const program_view& program, const quantized_layer& layer, std::span<const interval<std::int16_t>> inputs)
      : program_(program),
        layer_(layer),
        weights_(program.data(program[layer.filter].data).data()),
        taps_(static_cast<std::size_t>(layer.taps())) {
    centre_.reserve(inputs.size());
    radius_.reserve(inputs.size());
    for (const auto& each : inputs) {
      centre_.push_back(each.low + each.high - 2 * layer.input_zero_point);
      radius_.push_back(each.high - each.low);
    }
    find_paddable_taps();
  }

  constexpr auto of(std::int32_t output) -> interval<std::int16_t> {
    portable::fixed_multiplier by;
    if (!read_factor(program_, layer_, output, by)) {
      return {static_cast<std::int16_t>(layer_.range.lower), static_cast<std::int16_t>(layer_.range.upper)};
    }
    sum_taps(output);
    const auto bias = bias_of(program_, layer_, output);
    interval<std::int64_t> sums{bias, bias};
    for (std::size_t t = 0; t < taps_.size(); ++t) {
      const auto tap = taps_[t];
      sums.low += is_paddable_[t] != 0 && tap.low > 0 ? 0 : tap.low;
      sums.high += is_paddable_[t] != 0 && tap.high < 0 ? 0 : tap.high;
    }
    const auto whole = requantized(layer_, by, sums);
    return whole.is_constant() || !layer_.has_padding() ? whole : by_border(bias, by, whole);
  }

 private:
  /// The same border by border: tighter, and of one number where all borders are. Stops where that cannot be.
  constexpr auto by_border(std::int64_t bias, portable::fixed_multiplier by, interval<std::int16_t> otherwise) const
      -> interval<std::int16_t> {
    interval<std::int16_t> first{};
    bool is_first = true;
    for (const auto& rows : layer_.rows) {
      for (const auto& columns : layer_.columns) {
        interval<std::int64_t> sums{bias, bias};
        for (auto y = rows.first; y < rows.last; ++y) {
          for (auto x = columns.first; x < columns.last; ++x) {
            const auto tap = taps_[static_cast<std::size_t>(y * layer_.width + x)];
            sums = {sums.low + tap.low, sums.high + tap.high};
          }
        }
        const auto here = requantized(layer_, by, sums);
        if (!here.is_constant() || (!is_first && !(here == first))) return otherwise;
        first = here;
        is_first = false;
      }
    }
    return first;
  }

  constexpr void find_paddable_taps() {
    is_paddable_.assign(taps_.size(), 0);
    for (std::int32_t y = 0; y < layer_.height; ++y) {
      for (std::int32_t x = 0; x < layer_.width; ++x) {
        if (is_outside(layer_.rows, y) || is_outside(layer_.columns, x)) is_paddable_[static_cast<std::size_t>(y * layer_.width + x)] = 1;
      }
    }
  }
  static constexpr auto is_outside(const vector<tap_run>& runs, std::int32_t tap) -> bool {
    for (const auto& run : runs) {
      if (tap < run.first || tap >= run.last) return true;
    }
    return false;
  }

  constexpr void sum_taps(std::int32_t output) {
    const auto inputs = static_cast<std::ptrdiff_t>(layer_.inputs);
    if (layer_.is_depthwise) {
      const char* weight = weights_ + output;
      const auto c = static_cast<std::size_t>(output / layer_.multiplier());
      for (auto& tap : taps_) {
        const auto w = static_cast<signed char>(*weight);
        const auto middle = w * centre_[c], spread = (w < 0 ? -w : w) * radius_[c];
        tap = {(middle - spread) / 2, (middle + spread) / 2};
        weight += layer_.outputs;
      }
    } else {
      const char* weights = weights_ + output * inputs * static_cast<std::ptrdiff_t>(taps_.size());
      for (auto& tap : taps_) {
        tap = sum_of_products(weights);
        weights += inputs;
      }
    }
  }

  /// Of one weight a channel.
  constexpr auto sum_of_products(const char* w) const -> interval<std::int64_t> {
    std::int64_t middle = 0, spread = 0;
    const std::int32_t* c = centre_.data();
    const std::int32_t* r = radius_.data();
    const char* const end = w + layer_.inputs;
    for (; end - w >= 8; w += 8, c += 8, r += 8) {
      if ((w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) == 0) continue;
      const std::int32_t w0 = static_cast<signed char>(w[0]), w1 = static_cast<signed char>(w[1]), w2 = static_cast<signed char>(w[2]),
                         w3 = static_cast<signed char>(w[3]), w4 = static_cast<signed char>(w[4]), w5 = static_cast<signed char>(w[5]),
                         w6 = static_cast<signed char>(w[6]), w7 = static_cast<signed char>(w[7]);
      middle += w0 * c[0] + w1 * c[1] + w2 * c[2] + w3 * c[3] + w4 * c[4] + w5 * c[5] + w6 * c[6] + w7 * c[7];
      spread += (w0 < 0 ? -w0 : w0) * r[0] + (w1 < 0 ? -w1 : w1) * r[1] + (w2 < 0 ? -w2 : w2) * r[2] + (w3 < 0 ? -w3 : w3) * r[3] +
                (w4 < 0 ? -w4 : w4) * r[4] + (w5 < 0 ? -w5 : w5) * r[5] + (w6 < 0 ? -w6 : w6) * r[6] + (w7 < 0 ? -w7 : w7) * r[7];
    }
    for (; w != end; ++w, ++c, ++r) {
      const std::int32_t weight = static_cast<signed char>(*w);
      middle += weight * *c;
      spread += (weight < 0 ? -weight : weight) * *r;
    }
    return {(middle - spread) / 2, (middle + spread) / 2};
  }

  const program_view& program_;
  const quantized_layer& layer_;
  const char* weights_;
  vector<std::int32_t> centre_;  ///< by input channel: low + high, less two zero points
  vector<std::int32_t> radius_;  ///< by input channel: high - low
  vector<interval<std::int64_t>> taps_;
  vector<char> is_paddable_;  ///< by tap
};

}  // namespace baton::detail
