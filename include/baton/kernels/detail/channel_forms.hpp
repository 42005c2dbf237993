// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The conversion of sums of products to output channels, for int8 and float32 layers that are specialized at compile time.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/shared/static_view.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/half.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/requantized_lanes.hpp>
#include <baton/kernels/detail/single_rounding.hpp>
#include <baton/operators/requantization.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

/// The lane table of an int8 layer: the requantization factors, for targets with vectors. Each element of `fours` has four lanes (elements
/// of a vector), one for each of four channels. Requantization with this table rounds once. `fits` is true if this yields the correct
/// outputs of every channel (`has_single_rounding`). If `fits` is false, the table is incomplete and must not be used.
template <std::size_t N>
struct lane_table {
  std::array<detail::lane_factors, (N + 3) / 4> fours{};
  bool fits = true;
};

/// Returns the lane table of a node. `N` is the number of channels, `out.channels`. The loop over the channels calls few functions, because
/// each call takes long in a constant expression, and a network has thousands of channels.
template <std::size_t N>
constexpr auto lane_table_of(const program_view& program, const node& record, const channel_output& out,
                             const detail::channel_numbers& numbers) -> lane_table<N> {
  lane_table<N> table;
  const auto products = element_count(program.shape(program.inputs(record)[1])) / static_cast<std::int64_t>(N);
  const auto magnitude = detail::largest_sum(products, out.input_zero_point);
  const auto correction = out.correction();
  const bool has_scales = numbers.multipliers.empty(), has_bias = !numbers.biases.empty();
  const std::size_t scale_step = numbers.has_one_scale() ? 0 : 4;
  const char* scale = numbers.scales.data();
  const char* biases = numbers.biases.data();
  auto* to = table.fours.data();
  quantized::fixed_multiplier by;
  std::int64_t bias = 0;
  detail::lane_factors four;  // filled first, because writing into `table` costs more in constant evaluation
  std::size_t lane = 0;
  for (std::size_t channel = 0; channel < N; ++channel) {
    if (channel == 0 || out.is_per_channel) {
      if (has_scales) {
        by = quantized::to_fixed(numbers.real_factor(std::bit_cast<float>(quantized::little_endian_32(scale))));
        scale += scale_step;
      } else {
        by = numbers.unlimited_factor_of(channel);
      }
      by.shift = -detail::right_shift_of(by);
    }
    if (has_bias) {
      bias = static_cast<std::int32_t>(quantized::little_endian_32(biases));
      biases += 4;
    }
    table.fits = detail::has_single_rounding(by.value, -by.shift, magnitude, bias);
    if (!table.fits) break;
    four.set(lane, static_cast<std::int32_t>(bias), by.value, -by.shift, out.zero_point, correction);
    if (++lane == detail::lane_factors::count || channel == N - 1) {
      *to++ = four;
      lane = 0;
    }
  }
  return table;
}

/// The address of a layer's lane table. The type is empty if the layer has no table, so that small targets pass no pointer.
template <bool HasLanes>
struct lanes_at {};
template <>
struct lanes_at<true> {
  const detail::lane_factors* fours;
};

/// The addresses of a layer's biases and of its table of factors (see `int8_channels_by_table`). The type is empty if every call of
/// `int8_channels::store` uses the lane table. An object of `int8_channels` then contains only the address of the lane table, so that
/// functions receive it in a register.
template <bool HasFactors>
struct factors_at {};
template <>
struct factors_at<true> {
  const char* bias;
  const std::int32_t* values;
  const std::int8_t* rights;
};

/// The element type of int8 layers, and the conversion of addresses to this type. The struct has no template parameters, so that all layers
/// share its functions.
struct int8_elements {
  using element = std::int8_t;
  static auto elements(const char* bytes) -> const element* { return reinterpret_cast<const element*>(bytes); }
  static auto elements(char* bytes) -> element* { return reinterpret_cast<element*>(bytes); }
};

/// The output channels of an int8 layer. `AllShiftRight` is true if `requantize_right` suffices for every factor
/// (`channel_table::all_shift_right`). If `HasLanes` is true, the lane table has the factors of all channels. Calls of `store` with `M`
/// above 1 then require that `first` is a multiple of four. If `HasFactors` is false, `store` must not be called with `M` = 1.
template <channel_output O, bool AllShiftRight, bool HasLanes, bool HasFactors = true>
struct int8_channels : int8_elements, lanes_at<HasLanes>, factors_at<HasFactors> {
  using element = std::int8_t;
  using sum = std::int32_t;
  /// The type to which an input is converted before it is multiplied by a weight. With vectors, this type has 16 bits, because a vector
  /// holds twice as many 16-bit numbers as 32-bit numbers.
  using factor = std::conditional_t<detail::has_vectors, std::int16_t, std::int32_t>;
  static constexpr bool is_int8 = true;
  static constexpr std::ptrdiff_t element_bytes = 1;
  static constexpr std::ptrdiff_t weight_bytes = 1;
  static constexpr std::size_t channels_per_step = 4;  // limited by the 16 vector registers of x86-64 and the 13 registers of a Cortex-M

  /// Adds the products of `N` inputs and the weights of `M` channels to the `M` sums. The stride between the weights of adjacent channels
  /// is `Pitch` elements.
  template <int N, int Pitch, std::size_t M>
  static void add(const element* from, const element* weights, std::array<sum, M>& sums) {
    detail::add_products<O.input_zero_point, N, Pitch>(from, weights, sums);
  }

  /// Adds the product of input m and weight m to sum m, for `M` contiguous inputs and weights. The local copies show a vectorizing compiler
  /// that the arrays do not overlap.
  template <std::size_t M>
  static void add_each(const element* from, const element* weights, std::array<sum, M>& sums) {
    std::array<element, M> inputs;
    std::array<element, M> factors;
    std::memcpy(inputs.data(), from, M);
    std::memcpy(factors.data(), weights, M);
    detail::for_lanes<M>([&](auto m) { sums[m] += static_cast<factor>(inputs[m] - O.input_zero_point) * factors[m]; });
  }

  /// Adds the product of one input and weight m to sum m, for `M` contiguous weights.
  template <std::size_t M>
  static void add_spread(const element* from, const element* weights, std::array<sum, M>& sums) {
    const auto input = static_cast<factor>(*from - O.input_zero_point);
    std::array<element, M> factors;
    std::memcpy(factors.data(), weights, M);
    detail::for_lanes<M>([&](auto m) { sums[m] += input * factors[m]; });
  }

  /// Requantizes `M` sums and stores the outputs as the channels [`first`, `first` + `M`) of the pixel at `to`. All inputs of these
  /// channels must have been read before the call, because the outputs may overwrite inputs.
  template <std::size_t M>
  void store(const std::array<sum, M>& sums, std::int32_t first, element* to) const {
    if constexpr (HasLanes && M > 1) {
      detail::requantize_lanes<O.range, O.corrects_ties()>(sums, this->fours + first / 4, to + first);
    } else {
      for (std::size_t m = 0; m < M; ++m) {
        const auto channel = first + static_cast<std::int32_t>(m);
        auto total = sums[m];
        if constexpr (O.has_bias) total = detail::wrapping_sum(total, load<std::int32_t>(this->bias, channel));
        const auto at = O.is_per_channel ? channel : 0;
        to[channel] = detail::to_int8<AllShiftRight, O.round>(total, this->values[at], this->rights[at], O.zero_point, O.range);
      }
    }
  }
};

/// The output channels of an int8 layer. The zero point of its inputs is a member instead of a template argument, so that layers that
/// differ only in zero points share code. `outputs` is the common description of these layers.
template <channel_output O, bool AllShiftRight, bool HasLanes, bool HasFactors>
struct int8_channels_with_zero_point : int8_channels<O, AllShiftRight, HasLanes, HasFactors> {
  static constexpr channel_output outputs = O;

  std::int32_t input_zero_point;
};

/// The output channels of an int8 layer with float32 biases. `addends` has an addend per channel (`channel_numbers::addend_of`).
template <channel_output O, bool AllShiftRight>
struct addend_channels : int8_channels<O, AllShiftRight, false> {
  const std::int64_t* addends;

  template <std::size_t M>
  void store(const std::array<std::int32_t, M>& sums, std::int32_t first, std::int8_t* to) const {
    for (std::size_t m = 0; m < M; ++m) {
      const auto channel = first + static_cast<std::int32_t>(m);
      const auto at = O.is_per_channel ? channel : 0;
      to[channel] =
          detail::to_int8_with_addend<AllShiftRight>(sums[m], this->values[at], this->rights[at], addends[channel], O.zero_point, O.range);
    }
  }
};

/// The output channels of a float32 layer. `element` is a byte, because floats may be unaligned. Weights and biases may be float16.
template <channel_output O>
struct float_channels {
  using element = char;
  using sum = float;
  static constexpr bool is_int8 = false;
  using reading = detail::reading_of<O.by == arithmetic::float32_by_float16>;
  static constexpr std::ptrdiff_t element_bytes = 4;
  static constexpr std::ptrdiff_t weight_bytes = reading::weight_bytes;
  static constexpr std::size_t channels_per_step = 8;

  const char* bias;

  static auto elements(const char* bytes) -> const element* { return bytes; }
  static auto elements(char* bytes) -> element* { return bytes; }

  template <int N, int Pitch, std::size_t M>
  static void add(const element* from, const element* weights, std::array<sum, M>& sums) {
    detail::add_products<reading, N, Pitch>(from, weights, sums);
  }

  template <std::size_t M>
  static void add_each(const element* from, const element* weights, std::array<sum, M>& sums) {
    detail::for_lanes<M>([&](auto m) {
      sums[m] += load<float>(from, static_cast<std::ptrdiff_t>(m)) * reading::weight(weights, static_cast<std::ptrdiff_t>(m));
    });
  }

  template <std::size_t M>
  static void add_spread(const element* from, const element* weights, std::array<sum, M>& sums) {
    const auto input = load<float>(from);
    detail::for_lanes<M>([&](auto m) { sums[m] += input * reading::weight(weights, static_cast<std::ptrdiff_t>(m)); });
  }

  template <std::size_t M>
  void store(const std::array<sum, M>& sums, std::int32_t first, element* to) const {
    constexpr auto range = quantized::float_bounds(O.fused);
    for (std::size_t m = 0; m < M; ++m) {
      const auto channel = first + static_cast<std::int32_t>(m);
      auto total = sums[m];
      if constexpr (O.has_bias) total += O.has_narrow_bias ? detail::load_half(bias, channel) : load<float>(bias, channel);
      baton::portable::store(to, channel, range.clamp(total));
    }
  }
};

/// Returns the output channels of an int8 node, with a table of factors. The table has one factor per channel, or one factor if
/// `O.is_per_channel` is false. A call of `store` with `M` = 1 uses this table even if there is a lane table.
template <channel_output O, class Call, channel_scaling Scaling, bool HasLanes>
auto int8_channels_by_table(lanes_at<HasLanes> lanes, const char* bias) {
  static constexpr auto table = table_of<O.table_size()>(Call::program(), Call::record(), Scaling);
  return int8_channels<O, table.all_shift_right, HasLanes>{{}, lanes, {bias, table.values.data(), table.rights.data()}};
}

/// Returns the output channels of a node, with its tables in read-only memory. `Run` is the size of a run of channels, such as the channels
/// of a group. All channels of one call of `store` must be in the same run.
template <channel_output O, class Call, channel_scaling Scaling, std::int32_t Run = O.channels>
auto channels_of(const Call& call) {
  const char* bias = nullptr;
  if constexpr (O.has_bias) bias = call.template input<2>();
  if constexpr (O.by == arithmetic::int8) {
    constexpr bool has_known_bias = !O.has_bias || is_owned_data(Call::program()[Call::input_id(2)].kind);
    if constexpr (detail::has_lanes && has_known_bias && O.channels > 1 && (Run == O.channels || Run % 4 == 0)) {
      static constexpr auto lane_constants = lane_table_of<static_cast<std::size_t>(O.channels)>(
          static_view<typename Call::program_type>, Call::record(), O,
          detail::numbers_of(static_view<typename Call::program_type>, Call::record(), Scaling));
      if constexpr (lane_constants.fits && Run % 4 == 0) {
        return int8_channels<O, true, true, false>{{}, {lane_constants.fours.data()}, {}};
      } else if constexpr (lane_constants.fits) {
        return int8_channels_by_table<O, Call, Scaling>(lanes_at<true>{lane_constants.fours.data()}, bias);
      } else {
        return int8_channels_by_table<O, Call, Scaling>(lanes_at<false>{}, bias);
      }
    } else {
      return int8_channels_by_table<O, Call, Scaling>(lanes_at<false>{}, bias);
    }
  } else if constexpr (O.by == arithmetic::int8_with_real_bias) {
    static constexpr auto table = table_of<O.table_size()>(Call::program(), Call::record(), Scaling);
    static constexpr auto addends =
        detail::addends_of<static_cast<std::size_t>(O.channels)>(detail::numbers_of(Call::program(), Call::record(), Scaling));
    return addend_channels<O, table.all_shift_right>{{{}, {}, {bias, table.values.data(), table.rights.data()}}, addends.data()};
  } else {
    return float_channels<O>{bias};
  }
}

namespace detail {

/// Returns `of` with fixed values for the members that may differ between layers with shared code. One such member is the zero point of the
/// inputs. If `has_factors` is false, the lane table contains the biases, the factors and the zero point of the outputs. So the members for
/// these numbers also get fixed values.
constexpr auto without_zero_points(channel_output of, bool has_factors) -> channel_output {
  of.input_zero_point = 0;
  if (!has_factors) {
    of.zero_point = of.corrects_ties() ? of.range.lower + 1 : of.range.lower;
    of.has_bias = of.is_per_channel = 0;
  }
  return of;
}

/// Returns the channels of an int8 layer. If the target has vectors, the zero point of the inputs is a member of the result
/// (`int8_channels_with_zero_point`). Without vectors, zero points are constants, because small targets have few registers.
template <channel_output O, bool AllShiftRight, bool HasLanes, bool HasFactors>
auto shared_channels(const int8_channels<O, AllShiftRight, HasLanes, HasFactors>& channels) {
  if constexpr (has_vectors) {
    using shared = int8_channels_with_zero_point<without_zero_points(O, HasFactors), AllShiftRight, HasLanes, HasFactors>;
    return shared{{{}, channels, channels}, O.input_zero_point};
  } else {
    return channels;
  }
}
template <class Channels>
auto shared_channels(const Channels& channels) -> Channels {
  return channels;
}

/// Returns `plan` with the output description `Channels::outputs`, so that layers with shared code have equal geometries. Returns `plan`
/// unchanged if `Channels`, the result type of `shared_channels`, has no such member.
template <class Channels, class Geometry>
constexpr auto shared_geometry(Geometry plan) -> Geometry {
  if constexpr (requires { Channels::outputs; }) plan.out = Channels::outputs;
  return plan;
}

}  // namespace detail

}  // namespace baton::portable
