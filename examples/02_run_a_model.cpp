// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs a model with the portable kernels, and again with a backend: the example NPU computes the nodes that it supports.
#include <baton/baton.hpp>

#include "digits/seven.h"
#include "digits_int8.tflite.hpp"
#include "npu/npu.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

constexpr auto model = baton::tflite::read<digits_int8_tflite>;  // or onnx::read, pte::read, pt2::read

baton::executor<model> net;  // a static object: its arena is in .bss, and its size is planned at compile time
static_assert(net.arena_bytes == net.lower_bound);

// With a backend: the NPU computes the nodes that its partitioner selects, kernels compute the others.
constexpr auto lowered = baton::to_backend(baton::backends<npu_example::npu>, model, npu_example::npu_partitioner{});
baton::executor<lowered> net_with_npu;

// The digit seven: 8 × 8 pixels from -128 to 127.
auto seven() -> std::array<std::int8_t, 64> {
  std::array<std::int8_t, 64> image{};
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::int8_t>(drawn_seven[i] == ' ' ? -128 : 127);
  return image;
}

auto main() -> int {
  std::array<std::int8_t, 10> scores{};
  net.run(seven(), scores);
  std::printf("it is a %d; arena %zu bytes\n", static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()),
              net.arena_bytes);
  std::array<std::int8_t, 10> with_npu{};
  net_with_npu.run(seven(), with_npu);
  std::printf("with the NPU: %s scores; arena %zu bytes\n", with_npu == scores ? "the same" : "other", net_with_npu.arena_bytes);
}

// Output:
// it is a 7; arena 2560 bytes
// with the NPU: the same scores; arena 2640 bytes
