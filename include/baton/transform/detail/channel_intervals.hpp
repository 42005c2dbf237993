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

namespace baton::detail {

/// Whole numbers from `low` to `high`, both among them.
template <class T>
struct interval {
  T low;
  T high;

  constexpr auto is_constant() const -> bool { return low == high; }
  constexpr auto operator==(const interval&) const -> bool = default;
};

/// What an int8 element can be of which nothing is known.
inline constexpr interval<std::int16_t> any_int8{-128, 127};

/// What an output of a layer can be of which no more is known.
constexpr auto layer_interval(const quantized_layer& layer) -> interval<std::int16_t> {
  return {static_cast<std::int16_t>(layer.range.lower), static_cast<std::int16_t>(layer.range.upper)};
}

/// What a sum becomes as an output, if nothing overflows on the way. Each step of it is monotone, so the ends of an interval of sums become
/// the ends of the interval of outputs; a factor below 0 turns it round.
constexpr auto requantized(const quantized_layer& layer, portable::fixed_multiplier by, interval<std::int64_t> sums)
    -> interval<std::int16_t> {
  constexpr auto room = std::numeric_limits<std::int32_t>::max() - 256;  // for a zero point
  const auto most = room >> (by.shift > 30 ? 30 : by.shift > 0 ? by.shift : 0);
  if (sums.low < -most || sums.high > most || by.shift > 30) return layer_interval(layer);
  const auto low = layer.range.clamp(portable::requantize(static_cast<std::int32_t>(sums.low), by) + layer.zero_point);
  if (sums.low == sums.high) return {static_cast<std::int16_t>(low), static_cast<std::int16_t>(low)};
  const auto high = layer.range.clamp(portable::requantize(static_cast<std::int32_t>(sums.high), by) + layer.zero_point);
  return {static_cast<std::int16_t>(low < high ? low : high), static_cast<std::int16_t>(low < high ? high : low)};
}

/// The intervals of a layer's output channels from those of its input channels. The sum of products of each tap has an interval of its
/// own; those of the taps inside the image add up, for each kind of border that outputs see.
/// An input is written as half of centre plus or minus radius, which makes of the ends of a sum two sums without branches: in a constant,
/// eight weights at once, since compilers count statements or operations there.
class layer_intervals {
 public:
  /// `inputs` says for each input channel what it can be.
  template <class Channel>
  constexpr layer_intervals(const program_view& program, const quantized_layer& layer, const Channel* inputs)
      : layer_(layer),
        weights_(program.data(program[layer.filter].data).data()),
        scales_(program.data(program[layer.filter].quant.scales).data()),
        is_of_all_(program[layer.filter].quant.channels == 1),
        centre_(static_cast<std::size_t>(layer.inputs)),
        radius_(static_cast<std::size_t>(layer.inputs)),
        taps_(static_cast<std::size_t>(layer.taps())),
        is_paddable_(static_cast<std::size_t>(layer.taps())) {
    if (layer.bias != none<value_id>) bias_ = program.data(program[layer.bias].data).data();
    std::int32_t* centre = centre_.data();
    std::int32_t* radius = radius_.data();
    for (const Channel* const end = inputs + layer.inputs; inputs != end; ++inputs) {
      *centre++ = inputs->can_be.low + inputs->can_be.high - 2 * layer.input_zero_point;
      *radius++ = inputs->can_be.high - inputs->can_be.low;
    }
    if (is_of_all_) of_all_ = factor_of(layer, portable::little_endian_32(scales_), true);
    has_padding_ = layer.has_padding();
    if (has_padding_) find_paddable_taps();
  }

  constexpr auto of(std::int32_t output) -> interval<std::int16_t> {
    const auto by = is_of_all_ ? of_all_ : factor_of(layer_, portable::little_endian_32(scales_ + 4 * output), false);
    const std::int64_t bias = bias_ == nullptr ? 0 : static_cast<std::int32_t>(portable::little_endian_32(bias_ + 4 * output));
    const auto whole = requantized(layer_, by, sum_taps(output, bias));
    return whole.low == whole.high || !has_padding_ ? whole : by_border(bias, by, whole);
  }

 private:
  /// The same border by border, which is tighter where all borders give one number. Stops where that cannot be.
  constexpr auto by_border(std::int64_t bias, portable::fixed_multiplier by, interval<std::int16_t> otherwise) const
      -> interval<std::int16_t> {
    interval<std::int16_t> first{};
    bool is_first = true;
    for (const auto& rows : layer_.rows) {
      for (const auto& columns : layer_.columns) {
        interval<std::int64_t> sums{bias, bias};
        for (auto y = rows.first; y < rows.last; ++y) {
          const auto* tap = taps_.data() + y * layer_.width + columns.first;
          for (const auto* const end = tap + (columns.last - columns.first); tap != end; ++tap) {
            sums = {sums.low + tap->low, sums.high + tap->high};
          }
        }
        const auto here = requantized(layer_, by, sums);
        if (!here.is_constant() || (!is_first && here.low != first.low)) return otherwise;
        first = here;
        is_first = false;
      }
    }
    return first;
  }

  constexpr void find_paddable_taps() {
    for (std::int32_t y = 0; y < layer_.height; ++y) {
      for (std::int32_t x = 0; x < layer_.width; ++x) {
        is_paddable_[static_cast<std::size_t>(y * layer_.width + x)] = is_outside(layer_.rows, y) || is_outside(layer_.columns, x) ? 1 : 0;
      }
    }
  }
  static constexpr auto is_outside(const vector<tap_run>& runs, std::int32_t tap) -> bool {
    for (const auto& run : runs) {
      if (tap < run.first || tap >= run.last) return true;
    }
    return false;
  }

  /// The sum of an output with as many taps in the padding as there can be; notes each tap's.
  constexpr auto sum_taps(std::int32_t output, std::int64_t bias) -> interval<std::int64_t> {
    interval<std::int64_t> sums{bias, bias};
    const bool is_depthwise = layer_.is_depthwise;
    const auto c = is_depthwise ? static_cast<std::size_t>(output / layer_.multiplier()) : 0;
    const std::int64_t centre = centre_[c], radius = radius_[c];
    if (is_depthwise && centre == 0 && radius == 0) return sums;  // of zeros; one number, so that nobody asks for the taps
    const std::ptrdiff_t step = is_depthwise ? layer_.outputs : layer_.inputs;
    const char* weights = weights_ + (is_depthwise ? output : output * step * layer_.taps());
    const char* is_paddable = is_paddable_.data();
    auto* tap = taps_.data();
    for (auto* const end = tap + taps_.size(); tap != end; ++tap, weights += step, ++is_paddable) {
      *tap = is_depthwise ? product(static_cast<signed char>(*weights), centre, radius) : sum_of_products(weights);
      sums = {sums.low + (*is_paddable != 0 && tap->low > 0 ? 0 : tap->low),
              sums.high + (*is_paddable != 0 && tap->high < 0 ? 0 : tap->high)};
    }
    return sums;
  }

  static constexpr auto product(std::int64_t weight, std::int64_t centre, std::int64_t radius) -> interval<std::int64_t> {
    return {(weight * centre - (weight < 0 ? -weight : weight) * radius) / 2,
            (weight * centre + (weight < 0 ? -weight : weight) * radius) / 2};
  }
  static constexpr auto are_zeros(const char* w, const char* end) -> bool {
    for (; end - w >= 16; w += 16) {
      if ((w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7] | w[8] | w[9] | w[10] | w[11] | w[12] | w[13] | w[14] | w[15]) != 0) {
        return false;
      }
    }
    for (; w != end; ++w) {
      if (*w != 0) return false;
    }
    return true;
  }
  /// Of one weight a channel.
  constexpr auto sum_of_products(const char* w) const -> interval<std::int64_t> {
    if (are_zeros(w, w + layer_.inputs)) return {0, 0};
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

  const quantized_layer& layer_;
  const char* weights_;
  const char* scales_;
  bool is_of_all_;  ///< whether there is one scale
  portable::fixed_multiplier of_all_{};
  const char* bias_ = nullptr;
  vector<std::int32_t> centre_;  ///< by input channel: low + high, less two zero points
  vector<std::int32_t> radius_;  ///< by input channel: high - low
  vector<interval<std::int64_t>> taps_;
  vector<char> is_paddable_;  ///< by tap: whether it can lie in the padding
  bool has_padding_ = false;
};

}  // namespace baton::detail
