// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sums of conv_2d with the small patches of targets without vectors, and with larger ones.
#include <baton/kernels/portable/convolution.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using baton::write_order;
using baton::portable::detail::convolution;
using baton::portable::detail::stack_limits;

/// Output channels that store each sum in `sums`, and record the order of the outputs.
struct recorded_channels {
  static constexpr bool is_int8 = true;
  static constexpr std::ptrdiff_t element_bytes = 1;
  static constexpr std::size_t channels_per_step = 4;

  const std::int8_t* output;
  std::vector<std::int32_t>* sums;
  std::vector<std::ptrdiff_t>* order;

  template <std::size_t M>
  void store(const std::array<std::int32_t, M>& of, std::int32_t first, std::int8_t* to) const {
    for (std::size_t m = 0; m < M; ++m) (*sums)[static_cast<std::size_t>(to - output + first) + m] = of[m];
    order->push_back(to - output + first);
  }
};

auto numbers(std::size_t count, std::uint32_t seed) -> std::vector<std::int8_t> {
  std::vector<std::int8_t> result;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    result.push_back(static_cast<std::int8_t>(seed >> 24));
  }
  return result;
}

constexpr auto layer(std::int32_t channels, std::int32_t outputs, std::int32_t filter, std::int32_t zero_point, std::int32_t groups = 1)
    -> convolution {
  convolution result;
  result.in_channels = channels;
  result.group_channels = channels / groups;
  result.rows = {.input = 3, .output = 3, .filter = filter, .before = filter / 2};
  result.columns = {.input = 4, .output = 4, .filter = filter, .before = filter / 2};
  result.out.by = baton::portable::arithmetic::int8;
  result.out.channels = outputs;
  result.out.input_zero_point = zero_point;
  return result;
}

/// Compares the sums of layer `G` with those of the definition, and checks the order of the outputs.
template <convolution G, stack_limits Limits, write_order Order>
void check_sums() {
  constexpr auto length = G.taps() * G.group_channels;
  constexpr auto pixels = G.rows.input * G.columns.input;
  const auto image = numbers(static_cast<std::size_t>(pixels * G.in_channels), 1);
  const auto filter = numbers(static_cast<std::size_t>(length * G.out.channels), 2);
  std::vector<std::int8_t> output(static_cast<std::size_t>(pixels * G.out.channels));
  std::vector<std::int32_t> sums(output.size());
  std::vector<std::ptrdiff_t> order;
  const recorded_channels channels{output.data(), &sums, &order};
  baton::portable::detail::convolve<G, Order, Limits>(image.data(), filter.data(), channels, output.data(),
                                                      baton::portable::detail::whole_range<G.rows.output>{},
                                                      baton::portable::detail::whole_range<G.columns.output>{});
  std::size_t at = 0;
  for (std::int32_t y = 0; y < G.rows.output; ++y) {
    for (std::int32_t x = 0; x < G.columns.output; ++x) {
      for (std::int32_t c = 0; c < G.out.channels; ++c, ++at) {
        std::int32_t sum = 0;
        const auto first = c / (G.out.channels / G.groups()) * G.group_channels;
        for (std::int32_t i = 0; i < length; ++i) {
          const auto row = G.rows.origin(y) + i / G.group_channels / G.columns.filter;
          const auto column = G.columns.origin(x) + i / G.group_channels % G.columns.filter;
          if (row < 0 || row >= G.rows.input || column < 0 || column >= G.columns.input) continue;
          const auto from = (row * G.columns.input + column) * G.in_channels + first + i % G.group_channels;
          sum += (image[static_cast<std::size_t>(from)] - G.out.input_zero_point) * filter[static_cast<std::size_t>(c * length + i)];
        }
        REQUIRE(sums[at] == sum);
      }
    }
  }
  for (std::size_t i = 1; i < order.size(); ++i) REQUIRE((order[i] > order[i - 1]) == (Order == write_order::ascending));
}

template <convolution G>
void check_layer() {
  constexpr stack_limits bytes{.is_wide = 0, .patch_bytes = 24, .channels = 8};
  constexpr stack_limits words{.is_wide = 1, .patch_bytes = 40, .channels = 8};
  check_sums<G, bytes, write_order::ascending>();
  check_sums<G, bytes, write_order::descending>();
  check_sums<G, words, write_order::ascending>();
  check_sums<G, words, write_order::descending>();
  check_sums<G, stack_limits{.is_wide = 0, .patch_bytes = 1000}, write_order::ascending>();
  check_sums<G, stack_limits{}, write_order::ascending>();
}

}  // namespace

TEST_CASE("sums of a patch do not depend on its pieces and its type") {
  check_layer<layer(8, 20, 3, -128)>();
  check_layer<layer(8, 17, 3, 0)>();
  check_layer<layer(7, 9, 3, 20)>();
  check_layer<layer(53, 6, 1, -128)>();
  check_layer<layer(12, 10, 3, -128, 2)>();
  check_layer<layer(3, 5, 2, -127)>();
}

TEST_CASE("pieces of a patch have nearly equal lengths") {
  using baton::portable::detail::piece_of;
  static_assert(piece_of(144, 144) == 144);
  static_assert(piece_of(576, 144) == 144);
  static_assert(piece_of(256, 144) == 128);
  static_assert(piece_of(145, 144) == 73);
  CHECK(piece_of(145, 144) == 73);
}
