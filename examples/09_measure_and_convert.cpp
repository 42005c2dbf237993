// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the types of inputs and outputs, quantizes and dequantizes, and profiles every node and delegate.
#include <baton/baton.hpp>

#include "digits_int8.tflite.hpp"
#include "npu/npu.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

constexpr auto model = baton::tflite::read<digits_int8_tflite>;
constexpr auto lowered = baton::to_backend(baton::backends<npu_example::npu>, model, npu_example::npu_partitioner{});
baton::executor<lowered> net;

// Tensor facts are constants. Only those that the program uses are part of the image.
constexpr auto image_info = net.input_info<0>();
constexpr auto scores_info = net.output_info<0>();
static_assert(image_info.type == baton::dtype::int8 && image_info.elements == 64 && image_info.scales.size() == 1);

// On a target the clock is a hardware counter: struct { static auto now() -> std::uint32_t { return DWT->CYCCNT; } }.
baton::profiler<lowered, std::chrono::steady_clock> times;

void print(std::string_view text, int width) { std::printf("%-*.*s", width, static_cast<int>(text.size()), text.data()); }

auto main() -> int {
  std::array<float, image_info.elements> image{};  // an empty image, in real numbers
  baton::quantize(image_info, image, net.input<0>());
  net.run(times);
  std::array<float, scores_info.elements> scores{};
  baton::dequantize(scores_info, net.output<0>(), scores);
  float sum = 0;
  for (const float score : scores) sum += score;
  print(image_info.name, 0);
  std::printf(" [%d,%d]: the scores add up to %.2f\n", static_cast<int>(image_info.shape[1]), static_cast<int>(image_info.shape[2]),
              static_cast<double>(sum));

  for (std::size_t i = 0; i < times.size(); ++i) {
    const baton::profile_row row = times[i];
    print(row.name, 20);
    print(row.backend.empty() ? row.op : row.backend, 24);
    std::printf("%u call\n", static_cast<unsigned>(row.calls));
    std::fprintf(stderr, "%8llu ns\n", static_cast<unsigned long long>(row.total));  // differs from run to run
  }
}

// Output:
// serving_default_keras_tensor_8:0 [8,8]: the scores add up to 1.00
// lowered_module_0    npu                     1 call
// softmax             tfl.softmax             1 call
