// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes, for each output channel of an int8 layer, the interval of the elements over all possible inputs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>
#include <baton/transform/detail/quantized_layer.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::detail {

/// A closed interval of integers.
template <class T>
struct interval {
  T low;
  T high;

  constexpr auto is_constant() const -> bool { return low == high; }
  constexpr auto operator==(const interval&) const -> bool = default;
};

/// The interval of an arbitrary int8 element.
inline constexpr interval<std::int16_t> any_int8{-128, 127};

/// Returns the bounds of a layer's fused activation. All outputs are in this interval.
constexpr auto layer_interval(const quantized_layer& layer) -> interval<std::int16_t> {
  return {static_cast<std::int16_t>(layer.range.lower), static_cast<std::int16_t>(layer.range.upper)};
}

/// The maximum magnitude of the sums that are requantized. Any int8 zero point can be added to a number of this magnitude without overflow
/// of int32.
inline constexpr std::int32_t max_sum = std::numeric_limits<std::int32_t>::max() - 256;

/// Requantizes an interval of sums to an interval of outputs. Returns the whole range of the activation if a sum could overflow. Every
/// operation is monotone, so only the two ends of the interval are requantized. A negative factor swaps the ends.
constexpr auto requantized(const quantized_layer& layer, quantized::fixed_multiplier multiplier, interval<std::int64_t> sums)
    -> interval<std::int16_t> {
  const auto limit = max_sum >> (multiplier.shift > 30 ? 30 : multiplier.shift > 0 ? multiplier.shift : 0);
  if (sums.low < -limit || sums.high > limit || multiplier.shift > 30) return layer_interval(layer);
  // Nearly all factors are positive and less than 1/2. For these factors, `requantize_right` has the same result in fewer steps of constant
  // evaluation.
  const bool is_usual = multiplier.shift < 0 && multiplier.value >= 0;
  const auto first = static_cast<std::int32_t>(sums.low), last = static_cast<std::int32_t>(sums.high);
  const auto low =
      is_usual ? quantized::requantize_right(first, multiplier.value, -multiplier.shift) : quantized::requantize(first, multiplier);
  const auto high = first == last ? low
                    : is_usual    ? quantized::requantize_right(last, multiplier.value, -multiplier.shift)
                                  : quantized::requantize(last, multiplier);
  const auto from = static_cast<std::int16_t>(layer.range.clamp((low < high ? low : high) + layer.zero_point));
  return {from, low == high ? from : static_cast<std::int16_t>(layer.range.clamp((low < high ? high : low) + layer.zero_point))};
}

/// A computation of the interval of each output channel of a layer. The intervals of the input channels are given. First, the products of
/// each tap (element of the filter window) are summed over the input channels, which yields one interval per tap. Then the intervals of the
/// taps are summed. If some outputs have taps in the padding, this sum may be wider than necessary. `by_border` then groups the outputs by
/// their taps inside the image, and sums only these taps for each group.
///
/// An input minus the zero point is in the interval (center ± radius) / 2. So a sum of products weight * (input - zero point) is in the
/// interval (Σ weight * center ± Σ |weight| * radius) / 2. This formula needs no branches. Each statement processes eight weights, because
/// compilers limit the statements or operations of a constant expression.
///
/// If the interval of every input channel includes the zero point, every product can be 0. Each further weight can then only widen the
/// interval of the sum. So the summation stops as soon as the output can reach both ends of the activation's range, usually after about
/// twenty weights. The input channels with the widest interval are summed first, if they have the same center (`widest_`). For channels
/// with the same center and radius, only the weights and the magnitudes of the weights must be summed.
class layer_intervals {
 public:
  /// `inputs` points to the input channels. The member `possible_values` of a channel is the interval of the channel's elements.
  template <class Channel>
  constexpr layer_intervals(const program_view& program, const quantized_layer& layer, const Channel* inputs)
      : layer_(layer),
        weights_(program.data(program[layer.filter].data).data()),
        scales_(program.data(program[layer.filter].quant.scales).data()),
        all_(layer_interval(layer)),
        has_one_scale_(program[layer.filter].quant.channels == 1),
        center_(static_cast<std::size_t>(layer.inputs)),
        radius_(static_cast<std::size_t>(layer.inputs)),
        taps_(static_cast<std::size_t>(layer.taps())),
        is_paddable_(static_cast<std::size_t>(layer.taps())) {
    if (layer.bias != none<value_id>) bias_ = program.data(program[layer.bias].data).data();
    std::int32_t* center = center_.data();
    std::int32_t* radius = radius_.data();
    const std::int32_t zero = layer.input_zero_point;
    bool can_be_zeros = true;
    for (const Channel* const end = inputs + layer.inputs; inputs != end; ++inputs) {
      const std::int32_t low = inputs->possible_values.low - zero, high = inputs->possible_values.high - zero;
      *center++ = low + high;
      *radius++ = high - low;
      if (high - low > widest_radius_) widest_radius_ = high - low, widest_center_ = low + high;
      if (low > 0 || high < 0) can_be_zeros = false;
    }
    has_padding_ = layer.has_padding();
    may_stop_ = can_be_zeros && (!has_padding_ || sees_all_taps(layer));
    if (has_padding_ && !may_stop_) find_paddable_taps();
    if (may_stop_ && !layer.is_depthwise) find_widest();
    const auto input_scale = static_cast<double>(layer.input_scale);
    min_scale_ = 1e-30 / input_scale;
    sums_per_step_ = static_cast<double>(layer.output_scale) / input_scale;
    low_steps_ = layer.range.lower - layer.zero_point - 3;
    high_steps_ = layer.range.upper - layer.zero_point + 3;
    if (has_one_scale_) {
      const auto scale = quantized::little_endian_32(scales_);
      shared_factor_ = factor_of(layer, scale, true);
      set_limits(scale);
    }
  }

  /// Returns the interval of an output channel.
  constexpr auto of(std::int32_t output) -> interval<std::int16_t> {
    const std::int64_t bias = bias_ == nullptr ? 0 : static_cast<std::int32_t>(quantized::little_endian_32(bias_ + 4 * output));
    if (bias > largest_bias_ || -bias > largest_bias_) largest_bias_ = bias < 0 ? -bias : bias;
    const auto scale = has_one_scale_ ? 0 : quantized::little_endian_32(scales_ + 4 * output);
    if (!has_one_scale_) set_limits(scale);
    if (surely_reaches_limits(output, bias)) return all_;
    const auto sums = sum_taps(output, bias);
    if (sums.low <= limits_.low && sums.high >= limits_.high) return all_;
    const auto by = has_one_scale_ ? shared_factor_ : factor_of(layer_, scale, false);
    const auto result = requantized(layer_, by, sums);
    // If `may_stop_` is set, a missing tap only narrows an interval. So `result`, the interval of the outputs that use all taps, includes
    // all outputs.
    return result.low == result.high || !has_padding_ || may_stop_ ? result : by_border(bias, by, result);
  }

  /// Returns the largest absolute bias of the outputs for which `of` was called.
  constexpr auto largest_bias() const -> std::int64_t { return largest_bias_; }

 private:
  /// Computes the interval of the outputs for each set of taps inside the image. If each of these intervals consists of the same single
  /// number, returns that number. Otherwise, returns `otherwise`.
  constexpr auto by_border(std::int64_t bias, quantized::fixed_multiplier multiplier, interval<std::int16_t> otherwise) const
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
        const auto here = requantized(layer_, multiplier, sums);
        if (!here.is_constant() || (!is_first && here.low != first.low)) return otherwise;
        first = here;
        is_first = false;
      }
    }
    return first;
  }

  /// Computes `limits_`. If a sum is outside these limits, the activation certainly clamps the output. If `may_stop_` is not set or the
  /// limits cannot be computed, sets the limits to `no_limits`, which no sum reaches. The limits correspond to outputs 3 below and 3 above
  /// the activation's range. The rounding of factor and products changes an output by less than 3. `requantized` handles sums within the
  /// limits exactly.
  constexpr void set_limits(std::uint32_t scale) {
    limits_ = no_limits;
    const auto weight = static_cast<double>(std::bit_cast<float>(scale));
    if (!may_stop_ || weight < min_scale_) return;  // if the scale is smaller, the factor may be rounded to 0
    const auto by = sums_per_step_ / weight;
    if (by > 1e12) return;
    limits_ = {static_cast<std::int64_t>(low_steps_ * by) - 1, static_cast<std::int64_t>(high_steps_ * by) + 1};
  }

  static constexpr auto sees_all_taps(const quantized_layer& layer) -> bool {
    return has_taps(layer.rows, layer.height) && has_taps(layer.columns, layer.width);
  }
  static constexpr auto has_taps(const vector<tap_run>& runs, std::int32_t taps) -> bool {
    for (const auto& visible : runs) {
      if (visible == tap_run{0, taps}) return true;
    }
    return false;
  }

  constexpr void find_paddable_taps() {
    for (std::int32_t y = 0; y < layer_.height; ++y) {
      for (std::int32_t x = 0; x < layer_.width; ++x) {
        is_paddable_[static_cast<std::size_t>(y * layer_.width + x)] = is_outside(layer_.rows, y) || is_outside(layer_.columns, x) ? 1 : 0;
      }
    }
  }
  static constexpr auto is_outside(const vector<tap_run>& runs, std::int32_t tap) -> bool {
    for (const auto& visible : runs) {
      if (tap < visible.first || tap >= visible.last) return true;
    }
    return false;
  }

  constexpr void find_widest() {
    const std::int32_t* const center = center_.data();
    const std::int32_t* const radius = radius_.data();
    for (std::int32_t c = 0; c < layer_.inputs; ++c) {
      if (radius[c] == widest_radius_ && center[c] == widest_center_) widest_.push_back(c);
    }
    widest_.resize(widest_.size() / 8 * 8);
  }

  /// True if the interval of a sum reaches both limits: the sum of the bias and the products of the input channels `widest_`. Returns false
  /// without further tests if the first eight weights are 0, because then all weights may be 0.
  constexpr auto surely_reaches_limits(std::int32_t output, std::int64_t bias) const -> bool {
    if (widest_.empty()) return false;
    const std::int64_t low = 2 * (limits_.low - bias), high = 2 * (limits_.high - bias), center = widest_center_, radius = widest_radius_;
    std::int64_t packed_sums = 0;
    const std::ptrdiff_t step = layer_.inputs;
    const char* w = weights_ + output * step * layer_.taps();
    const std::int32_t *const first = widest_.begin(), *const last = widest_.end();
    for (const char* const end = w + step * layer_.taps(); w != end; w += step) {
      for (const std::int32_t* c = first; c != last; c += 8) {
        packed_sums += sums_of_weight.by_bits[w[c[0]] & 255] + sums_of_weight.by_bits[w[c[1]] & 255] +
                       sums_of_weight.by_bits[w[c[2]] & 255] + sums_of_weight.by_bits[w[c[3]] & 255] +
                       sums_of_weight.by_bits[w[c[4]] & 255] + sums_of_weight.by_bits[w[c[5]] & 255] +
                       sums_of_weight.by_bits[w[c[6]] & 255] + sums_of_weight.by_bits[w[c[7]] & 255];
        if (packed_sums == 0) return false;
        const std::int64_t sum = static_cast<std::int32_t>(packed_sums), middle = sum * center,
                           spread = ((packed_sums - sum) >> 32) * radius;
        if (middle - spread <= low && middle + spread >= high) return true;
      }
    }
    return false;
  }

  /// Returns the interval of the sum of output channel `output`. A tap that is in the padding for some outputs contributes its interval,
  /// extended to include 0. Stores the interval of each tap in `taps_`. Stops as soon as both limits are reached.
  constexpr auto sum_taps(std::int32_t output, std::int64_t bias) -> interval<std::int64_t> {
    if (layer_.is_depthwise) return sum_depthwise(output, bias);
    interval<std::int64_t> sums{bias, bias};
    const std::ptrdiff_t step = layer_.inputs;
    const char* weights = weights_ + output * step * layer_.taps();
    const char* is_paddable = is_paddable_.data();
    auto* tap = taps_.data();
    for (auto* const end = tap + taps_.size(); tap != end; ++tap, weights += step, ++is_paddable) {
      *tap = sum_of_products(weights, sums);
      add(sums, *tap, *is_paddable != 0);
      if (sums.low <= limits_.low && sums.high >= limits_.high) break;
    }
    return sums;
  }
  constexpr auto sum_depthwise(std::int32_t output, std::int64_t bias) -> interval<std::int64_t> {
    interval<std::int64_t> sums{bias, bias};
    const auto c = static_cast<std::size_t>(layer_.inputs == layer_.outputs ? output : output / layer_.multiplier());
    const std::int32_t center = center_[c], radius = radius_[c];
    if (center == 0 && radius == 0) return sums;  // all inputs are the zero point, so every product is 0
    const std::ptrdiff_t step = layer_.outputs;
    const std::ptrdiff_t taps = layer_.taps();
    const char* const first = weights_ + output;
    if (may_stop_) {
      std::int64_t packed_sums = 0;
      const char* at = first;
      const char* const end = first + taps * step;
      for (; end - at >= 3 * step; at += 3 * step) {
        packed_sums +=
            sums_of_weight.by_bits[at[0] & 255] + sums_of_weight.by_bits[at[step] & 255] + sums_of_weight.by_bits[at[2 * step] & 255];
      }
      for (; at != end; at += step) packed_sums += sums_of_weight.by_bits[*at & 255];
      const std::int64_t sum = static_cast<std::int32_t>(packed_sums), size = (packed_sums - sum) >> 32;
      return {bias + (sum * center - size * radius) / 2, bias + (sum * center + size * radius) / 2};
    }
    const char* is_paddable = is_paddable_.data();
    auto* tap = taps_.data();
    for (std::ptrdiff_t t = 0; t < taps; ++t, ++tap, ++is_paddable) {
      const auto w = static_cast<signed char>(first[t * step]);
      const std::int64_t middle = w * center, spread = (w < 0 ? -w : w) * radius;
      *tap = {(middle - spread) / 2, (middle + spread) / 2};
      add(sums, *tap, *is_paddable != 0);
    }
    return sums;
  }
  static constexpr void add(interval<std::int64_t>& sums, interval<std::int64_t> tap, bool is_paddable) {
    sums.low += is_paddable && tap.low > 0 ? 0 : tap.low;
    sums.high += is_paddable && tap.high < 0 ? 0 : tap.high;
  }

  /// Returns the interval of the sum of the products of one tap, which has one weight per input channel. Stops as soon as `sums` plus this
  /// interval reaches both limits.
  constexpr auto sum_of_products(const char* w, interval<std::int64_t> sums) const -> interval<std::int64_t> {
    if (are_zeros(w, static_cast<std::size_t>(layer_.inputs))) return {0, 0};
    const std::int64_t low = may_stop_ ? 2 * (limits_.low - sums.low) : 0, high = may_stop_ ? 2 * (limits_.high - sums.high) : 0;
    std::int64_t middle = 0, spread = 0;
    const std::int32_t* c = center_.data();
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
      if (may_stop_ && middle - spread <= low && middle + spread >= high) return {(middle - spread) / 2, (middle + spread) / 2};
    }
    for (; w != end; ++w, ++c, ++r) {
      const std::int32_t weight = static_cast<signed char>(*w);
      middle += weight * *c;
      spread += (weight < 0 ? -weight : weight) * *r;
    }
    return {(middle - spread) / 2, (middle + spread) / 2};
  }

  /// A table indexed by the bits of a weight. The lower 32 bits of an entry are the weight, the upper 32 bits its magnitude, so one
  /// addition adds both.
  struct weight_sums {
    std::int64_t by_bits[256];
  };
  static constexpr weight_sums sums_of_weight = [] {
    weight_sums sums{};
    for (std::int32_t bits = 0; bits < 256; ++bits) {
      const std::int64_t weight = bits < 128 ? bits : bits - 256;
      sums.by_bits[bits] = weight + ((weight < 0 ? -weight : weight) << 32);
    }
    return sums;
  }();

  static constexpr interval<std::int64_t> no_limits{std::numeric_limits<std::int64_t>::min() / 4,
                                                    std::numeric_limits<std::int64_t>::max() / 4};

  const quantized_layer& layer_;
  const char* weights_;
  const char* scales_;
  interval<std::int16_t> all_;  ///< the interval of an output if only the activation is known
  bool has_one_scale_;
  quantized::fixed_multiplier shared_factor_{};
  const char* bias_ = nullptr;
  vector<std::int32_t> center_;  ///< indexed by input channel: low + high - 2 * zero point
  vector<std::int32_t> radius_;  ///< indexed by input channel: high - low
  std::int32_t widest_radius_ = -1;
  std::int32_t widest_center_ = 0;
  vector<std::int32_t> widest_;  ///< the input channels with `widest_radius_` and `widest_center_`, truncated to a multiple of eight
  vector<interval<std::int64_t>> taps_;
  vector<char> is_paddable_;  ///< indexed by tap: whether the tap is in the padding for some output; all 0 if `may_stop_`
  bool has_padding_ = false;
  bool may_stop_ = false;     ///< whether further weights can only widen an interval
  double min_scale_ = 0;      ///< the smallest scale of weights for which limits are computed
  double sums_per_step_ = 0;  ///< the change of a sum that changes the output by 1, for weights with a scale of 1
  double low_steps_ = 0;      ///< an output that is certainly below the activation's range, minus the zero point
  double high_steps_ = 0;     ///< an output that is certainly above the activation's range, minus the zero point
  interval<std::int64_t> limits_ = no_limits;
  std::int64_t largest_bias_ = 0;
};

}  // namespace baton::detail
