// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random layers, corner cases among them: what a kernel supports it must compute, lawfully and as the reference does,
// in the compiler's form and in the plain one.
#pragma once

#include "laws/kernel.hpp"
#include "layer.hpp"
#include "nodes/interpreter.hpp"
#include "reference.hpp"

#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace one_layer {

/// Numbers of a layer, drawn one after the other.
class drawn {
 public:
  constexpr explicit drawn(std::uint32_t seed) : state_(seed * 2654435761u + 1) {
    for (int i = 0; i < 4; ++i) next_random(state_);  // near seeds are far apart
  }
  template <class T, std::size_t N>
  constexpr auto of(const T (&choices)[N]) -> T {
    return choices[(next_random(state_) >> 8) % N];
  }
  constexpr auto from_to(int least, int most) -> int {
    return least + static_cast<int>((next_random(state_) >> 8) % static_cast<std::uint32_t>(most - least + 1));
  }
  constexpr auto once_in(int n) -> bool { return from_to(1, n) == 1; }

 private:
  std::uint32_t state_;
};

/// A layer of an operator: sizes from 1, strides and dilations beyond the filter and the image, zero points at both ends.
constexpr auto random_layer(op is, std::uint32_t seed) -> layer {
  drawn draw(seed * 8 + static_cast<std::uint32_t>(is));
  layer l;
  l.is = is;
  l.is_int8 = !draw.once_in(4);
  l.batch = draw.of({1, 1, 2});
  l.channels = draw.of({1, 2, 3, 4, 5, 8, 16, 19});
  l.out_channels = draw.of({1, 2, 3, 4, 7, 8, 16});
  l.has_bias = !draw.once_in(4);
  l.is_per_channel = !draw.once_in(3);
  l.fused = draw.of({activation::none, activation::none, activation::relu, activation::relu6, activation::relu_n1_to_1});
  l.input_zero_point = draw.of({-3, 0, 20, -128, 127});
  l.zero_point = draw.of({5, 0, -128, 127});
  if (is == op::fully_connected) return l;
  l.height = draw.from_to(1, 7);
  l.width = draw.from_to(1, 7);
  l.filter_height = draw.of({1, 1, 2, 3, 3, 5});
  l.filter_width = draw.of({1, 1, 2, 3, 3, 4});
  l.stride_h = draw.of({1, 1, 2, 3});
  l.stride_w = draw.of({1, 1, 2, 3});
  if (is == op::conv_2d || is == op::depthwise_conv_2d) {
    l.dilation_h = draw.of({1, 1, 1, 2, 3});
    l.dilation_w = draw.of({1, 1, 1, 2, 3});
  }
  if (is == op::conv_2d && draw.once_in(5)) {
    l.groups = l.channels % 4 == 0 ? 4 : l.channels;
    l.out_channels = l.groups * draw.of({1, 2});
  }
  if (is == op::depthwise_conv_2d) l.out_channels = l.channels * draw.of({1, 1, 2, 3});
  if (!l.has_weights()) l.out_channels = l.channels;
  const bool fits = (l.filter_height - 1) * l.dilation_h < l.height && (l.filter_width - 1) * l.dilation_w < l.width;
  l.is_same = !fits || draw.once_in(2);
  return l;
}

/// Inputs of a layer: random ones, and for int8 both ends of the range.
inline auto inputs_of(const layer& l) -> std::array<baton::vector<char>, 4> {
  std::array<baton::vector<char>, 4> made;
  const auto count = static_cast<std::size_t>(l.bytes_of(l.in_count()));
  std::uint32_t seed = 99;
  for (auto& input : made) {
    input.assign(count, 0);
    for (std::size_t i = 0; i < count; i += l.is_int8 ? 1 : 4) {
      const auto bits = next_random(seed);
      if (l.is_int8) {
        input[i] = static_cast<char>(bits >> 24);
      } else {
        put_32(input.data() + i, std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8) / 8388608.0f - 1.0f));
      }
    }
  }
  if (l.is_int8) {
    std::fill(made[2].begin(), made[2].end(), '\x7f');
    std::fill(made[3].begin(), made[3].end(), '\x80');
  }
  return made;
}

/// The bytes of an array that begins at an odd address.
template <std::size_t N>
auto bytes_behind_one(const std::array<char, N>& bytes) -> baton::vector<char> {
  return {bytes.begin() + 1, bytes.end()};
}

template <class Kernel, op Is, std::uint32_t Seed>
constexpr auto supports_random() -> bool {
  constexpr auto l = random_layer(Is, Seed);
  const auto program = baton::program_view(baton::static_program<make<l>>::value());
  return baton::ask_kernel<Kernel>(program, program.nodes[0]).support.accepted;
}

template <class Kernel, op Is, std::uint32_t Seed>
void check_random_layer() {
  if constexpr (supports_random<Kernel, Is, Seed>()) {
    constexpr auto l = random_layer(Is, Seed);
    using program = baton::static_program<make<l>>;
    static_assert(!baton::verify(program::value()));
    baton::vector<char> filter;
    baton::vector<char> bias;
    if constexpr (l.has_weights()) {
      filter = bytes_behind_one(filter_bytes<l>);
      bias = bytes_behind_one(bias_bytes<l>);
    }
    CAPTURE(Seed);
    nodes::interpreter interpreter(program::value());
    for (const auto& input : inputs_of(l)) {
      nodes::bytes plain;
      CHECK(interpreter.run(baton::kernels<Kernel>, {input.begin(), input.end()}, plain) == "");
      CHECK(reference::equal(l.is_int8, {plain.begin(), plain.end()}, trial<Kernel, program>{}.run(input)));
      CHECK(laws::kernel::all<Kernel, program>(input));
      CHECK(laws::kernel::is_right<Kernel, program>(
          input, [&](const auto& given) { return reference::compute(l, given, filter, bias); },
          [](const auto& found, const auto& expected) { return reference::equal(l.is_int8, found, expected); }));
    }
  }
}

/// As many random layers of an operator as there are seeds; nearly all of them are supported.
template <class Kernel, op Is, std::uint32_t Seeds>
void check_random_layers() {
  [&]<std::uint32_t... Seed>(std::integer_sequence<std::uint32_t, Seed...>) {
    static_assert((0u + ... + (supports_random<Kernel, Is, Seed>() ? 1u : 0u)) * 10 >= Seeds * 7);
    (check_random_layer<Kernel, Is, Seed>(), ...);
  }(std::make_integer_sequence<std::uint32_t, Seeds>{});
}

}  // namespace one_layer
