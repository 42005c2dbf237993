// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A model compiled by Vela, on a Cortex-M4 with a simulated accelerator. Each part finds its input where its commands expect it, and
// nodes that Vela left on the processor run in between. The uncompiled model computes the expected outputs.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/executor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/lower/to_backend.hpp>

#include "backends/ethos_u/simulated_driver.hpp"
#include "cortex_m/semihosting.hpp"
#include "digits_int8.tflite.hpp"
#include "mixed_vela.tflite.hpp"

#include <cstddef>
#include <cstring>

namespace {

using ethos_u_tests::simulated_driver;

constexpr auto uncompiled = baton::tflite::read<digits_int8_tflite>;
constexpr auto model = baton::tflite::read<mixed_vela_tflite>;
constexpr auto lowered = baton::to_backend(baton::backends<baton::ethos_u::backend<baton::ethos_u::u55_128, simulated_driver>>, model,
                                           baton::ethos_u::partitioner<baton::ethos_u::u55_128>{});

baton::executor<uncompiled> whole;
baton::executor<lowered> parts;

constexpr std::size_t pixels = 64;
constexpr std::size_t digits = 10;
char image[pixels];
char features[384];
char scores[digits];

/// Returns the weights of the first delegate at their address in the image.
auto weights() -> baton::span<const char> {
  constexpr auto key = baton::delegates(lowered)[0].named_data()[0];
  return baton::program_view(lowered.value()).data(key.data);
}

/// Converts integers with the quantization of the uncompiled model's input or output.
template <class Info>
void to_reals(const char* integers, std::size_t count, char* reals) {
  for (std::size_t i = 0; i < count; ++i) {
    const float real = static_cast<float>(static_cast<signed char>(integers[i]) - Info::zero_points[0]) * Info::scales[0];
    std::memcpy(reals + 4 * i, &real, 4);
  }
}

auto is_right(unsigned seed) -> bool {
  for (auto& pixel : image) pixel = static_cast<char>((seed = seed * 1664525u + 1013904223u) >> 24);
  std::memcpy(whole.input<0>().data(), image, pixels);
  whole.run([](auto call) {
    if (call.record().is("tfl.reshape")) std::memcpy(features, call.template output<0>(), sizeof features);
  });
  std::memcpy(scores, whole.output<0>().data(), digits);
  const ethos_u_tests::script scripts[] = {{weights(), image, features}, {weights(), features, scores}};
  simulated_driver::scripts = scripts;
  simulated_driver::runs = 0;
  to_reals<decltype(whole.input_info<0>())>(image, pixels, parts.input<0>().data());
  if (parts.run() != baton::status::ok || simulated_driver::runs != 2) return false;
  char expected[4 * digits];
  to_reals<decltype(whole.output_info<0>())>(scores, digits, expected);
  return std::memcmp(parts.output<0>().data(), expected, sizeof expected) == 0;
}

}  // namespace

int main() {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    if (is_right(seed)) continue;
    firmware::print("Ethos-U: ", simulated_driver::fault.empty() ? "the output is wrong" : simulated_driver::fault.data(), "\n");
    return 1;
  }
  return 0;
}
