// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random layers, including corner cases. If a kernel supports a layer, it must obey the laws and match the reference, both compiled and
// interpreted.
#pragma once

#include "laws/kernel.hpp"
#include "layer.hpp"
#include "nodes/interpreter.hpp"
#include "reference.hpp"
#include "sanitized.hpp"

#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace one_layer {

/// A generator of the random parameters of a layer.
class drawn {
 public:
  constexpr explicit drawn(std::uint32_t seed) : state_(seed * 2654435761u + 1) {
    for (int i = 0; i < 4; ++i) next_random(state_);  // separates the sequences of adjacent seeds
  }
  template <class T, std::size_t N>
  constexpr auto of(const T (&choices)[N]) -> T {
    return choices[(next_random(state_) >> 8) % N];
  }
  constexpr auto from_to(int min, int max) -> int {
    return min + static_cast<int>((next_random(state_) >> 8) % static_cast<std::uint32_t>(max - min + 1));
  }
  constexpr auto once_in(int n) -> bool { return from_to(1, n) == 1; }

 private:
  std::uint32_t state_;
};

/// Returns a random layer: sizes from 1, strides and dilations larger than the filter and the image, and zero points at both ends.
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

/// Returns `l` as a layer of the namespace `baton`: random pads, one rounding or two, bounds of its outputs, and scales or factors. A side
/// has less padding than a window spans, unless `is_any_padding`. Then some windows are completely in the padding.
template <class Draw>
constexpr auto as_baton(layer l, Draw& draw, bool is_any_padding = false) -> layer {
  l.is_baton = true;
  l.round = draw.of({rounding::once, rounding::once, rounding::twice});
  if (l.is != op::fully_connected) {
    const int excess = is_any_padding ? 2 : -1;
    const int height = (l.filter_height - 1) * l.dilation_h + 1;
    const int width = (l.filter_width - 1) * l.dilation_w + 1;
    l.top = draw.from_to(0, height + excess);
    l.bottom = draw.from_to(std::max(0, height - l.height - l.top), height + excess);
    l.left = draw.from_to(0, width + excess);
    l.right = draw.from_to(std::max(0, width - l.width - l.left), width + excess);
  }
  if (l.is_int8 && l.fused == activation::none && draw.once_in(2)) {
    l.output_min = draw.of({-128, -100, 0, 5});
    l.output_max = draw.of({127, 90, 6});
  }
  l.has_factors = l.is_int8 && l.has_weights() && l.fused == activation::none && draw.once_in(2);
  return l;
}
/// Same as `as_baton`, but half of the layers that may have a float32 bias have one.
template <class Draw>
constexpr auto as_baton_with_real_bias(const layer& from, Draw& draw, bool is_any_padding = false) -> layer {
  auto l = as_baton(from, draw, is_any_padding);
  l.has_real_bias = l.is_int8 && l.has_weights() && l.has_bias && l.round == rounding::once && !l.has_factors && draw.once_in(2);
  return l;
}
/// Returns a random fully connected int8 layer whose number of inputs is small, or close to the sizes at which sums are
/// segmented. Half of the layers belong to the namespace `baton`, with a float32 bias if the layer can have one.
template <class Draw>
constexpr auto random_dense_layer(Draw& draw, std::uint32_t seed, int max_out_channels) -> layer {
  auto l = random_layer(op::fully_connected, seed);
  l.is_int8 = true;
  l.batch = draw.of({1, 1, 1, 2, 5});
  l.channels = draw.once_in(3) ? draw.from_to(1, 20) : draw.of({16, 32, 61, 128, 255, 256, 257, 340, 341, 640, 700, 1361});
  l.out_channels = draw.from_to(1, max_out_channels);
  return draw.once_in(2) ? as_baton_with_real_bias(l, draw) : l;
}

/// Writes the bias of a channel: `number`, or a float32 bias that is about `number` times the scale of the sums.
inline void put_bias(const layer& l, char* to, int number) {
  const auto real = 0.00031f * static_cast<float>(number);
  put_32(to, l.has_real_bias ? std::bit_cast<std::uint32_t>(real) : static_cast<std::uint32_t>(number));
}

/// Returns a random layer of the namespace `baton`, among them layers with sums beyond 2^28, with factors around 1, with real biases, and
/// with negative scales.
constexpr auto random_baton_layer(op is, std::uint32_t seed) -> layer {
  drawn draw(seed * 8 + static_cast<std::uint32_t>(is) + 77777);
  auto l = as_baton(random_layer(is, seed), draw, seed % 8 == 7);
  if (!l.has_weights() || !l.is_int8) return l;
  const int kind = draw.from_to(1, 6);
  if (kind == 1) {
    l.has_bias = true;
    l.bias_step = 300000;
    l.numerator = 20000;
  }
  if (kind == 3) l.round = rounding::once;
  l.has_real_bias = kind == 3 || (kind == 2 && l.round == rounding::once);
  l.has_factors = l.has_factors && !l.has_real_bias;
  if (kind == 2) l.denominator = draw.of({50, 150});
  l.has_negative_scales = draw.once_in(8);
  return l;
}

/// Returns four inputs of a layer. The last two of an int8 layer are all 127 and all -128.
inline auto inputs_of(const layer& l) -> std::array<baton::vector<char>, 4> {
  std::array<baton::vector<char>, 4> result;
  const auto count = static_cast<std::size_t>(l.bytes_of(l.in_count()));
  std::uint32_t seed = 99;
  for (auto& input : result) {
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
    std::fill(result[2].begin(), result[2].end(), '\x7f');
    std::fill(result[3].begin(), result[3].end(), '\x80');
  }
  return result;
}

/// Returns the bytes after the first, which only makes the address of the others odd.
template <std::size_t N>
auto bytes_after_first(const std::array<char, N>& bytes) -> baton::vector<char> {
  return {bytes.begin() + 1, bytes.end()};
}

template <class Kernel, layer L>
constexpr auto supports_random() -> bool {
  constexpr auto l = L;
  const auto program = baton::program_view(baton::static_program<make<l>>::value());
  return baton::ask_kernel<Kernel>(program, program.nodes[0]).support.accepted;
}

template <class Kernel, layer L, std::uint32_t Seed>
void check_random_layer() {
  if constexpr (supports_random<Kernel, L>()) {
    constexpr auto l = L;
    using program = baton::static_program<make<l>>;
    static_assert(!baton::verify(program::value()));
    baton::vector<char> filter;
    baton::vector<char> bias;
    if constexpr (l.has_weights()) {
      filter = bytes_after_first(filter_bytes<l>);
      bias = bytes_after_first(bias_bytes<l>);
    }
    CAPTURE(Seed);
    nodes::interpreter interpreter(program::value());
    for (const auto& input : inputs_of(l)) {
      nodes::bytes plain;
      CHECK(interpreter.run(baton::kernels<Kernel>, {input.begin(), input.end()}, plain) == "");
      CHECK(reference::equal(l.is_int8, {plain.begin(), plain.end()}, trial<Kernel, program>{}.run(input)));
      CHECK(laws::kernel::all<Kernel, program>(input));
      CHECK(laws::kernel::is_correct<Kernel, program>(
          input, [&](const auto& bytes) { return reference::compute(l, bytes, filter, bias); },
          [](const auto& actual, const auto& expected) { return reference::equal(l.is_int8, actual, expected); }));
    }
  }
}

/// Checks `Seeds` random layers of an operator, or a sample with sanitizers. The kernel must support at least 70 percent of them.
template <class Kernel, op Is, std::uint32_t Seeds, auto Random = random_layer>
void check_random_layers() {
  [&]<std::uint32_t... Seed>(std::integer_sequence<std::uint32_t, Seed...>) {
    static_assert((0u + ... + (supports_random<Kernel, Random(Is, Seed)>() ? 1u : 0u)) * 10 >= sizeof...(Seed) * 7);
    (check_random_layer<Kernel, Random(Is, Seed), Seed>(), ...);
  }(std::make_integer_sequence<std::uint32_t, sanitized::sample(Seeds)>{});
}

}  // namespace one_layer
