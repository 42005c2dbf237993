// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Facts about inputs and outputs as constants, indices of names, and conversion between real numbers and a tensor's integers.
#include <baton/run/basic_executor.hpp>
#include <baton/run/quantize.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

struct split {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.split") ? accept() : refuse()};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    std::memcpy(memory.outputs[0], memory.inputs[0], 4);
    std::memcpy(memory.outputs[1], memory.inputs[1], 24);
  }
};

constexpr static_program model{[] {
  program_builder build;
  const auto state = build.mutable_buffer("state", tensor(dtype::int8, 1, 4));
  const auto sound = build.user_input("serving_default_x:0", tensor(dtype::int8, 1, 4));
  const auto image = build.user_input("image", tensor(dtype::int16, 2, 3, 2));
  const auto plain = build.user_input("plain", tensor(dtype::float32, 2));
  build.quantize(sound, 0.25f, -3);
  constexpr float scales[] = {0.5f, 2.0f, 0.125f};
  constexpr std::int64_t zero_points[] = {0, 7, -100};
  build.quantize(image, scales, zero_points, 1);
  const auto halves =
      build.call_many("halves", "test.split", {sound, image, plain}, {tensor(dtype::int8, 1, 4), tensor(dtype::int16, 2, 3, 2)});
  build.quantize(halves[0], 0.25f, -3);
  build.quantize(halves[1], scales, zero_points, 1);
  build.mutation(halves[0], "state");
  build.output(halves[1]);
  build.output(halves[0]);
  static_cast<void>(state);
  return build.finish();
}};
using net_type = basic_executor<model, kernels<split>>;

// Facts

constexpr auto facts_equal_those_of_the_program() -> bool {
  constexpr auto sound = net_type::input_info<0>();
  constexpr auto image = net_type::input_info<1>();
  constexpr auto plain = net_type::input_info<2>();
  constexpr auto first = net_type::output_info<0>();
  return sound.name == "serving_default_x:0" && sound.type == dtype::int8 && sound.shape == std::array<std::int64_t, 2>{1, 4} &&
         sound.scales == std::array{0.25f} && sound.zero_points == std::array<std::int64_t, 1>{-3} && sound.elements == 4 &&
         sound.bytes == 4 && image.scales == std::array{0.5f, 2.0f, 0.125f} &&
         image.zero_points == std::array<std::int64_t, 3>{0, 7, -100} && image.axis == 1 && image.elements == 12 && image.bytes == 24 &&
         plain.type == dtype::float32 && plain.scales.empty() && plain.zero_points.empty() && first.name == "halves_1" && first.bytes == 24;
}
static_assert(facts_equal_those_of_the_program());

constexpr auto facts_can_be_in_an_array() -> bool {
  constexpr std::array<tensor_info, 3> all{input_info<model, 0>(), input_info<model, 1>(), output_info<model, 1>()};
  return all[0].name == "serving_default_x:0" && all[1].shape[2] == 2 && all[1].scales[2] == 0.125f && all[2].name == "halves_0";
}
static_assert(facts_can_be_in_an_array());

// Names

static_assert(net_type::input_index<"image">() == 1 && net_type::output_index<"halves_0">() == 1);
static_assert(detail::input_index<model, "plain">() == 2 && detail::find_output(model, "halves_1").value == 0);

constexpr auto two_of_one_name() -> exported_program {
  program_builder build;
  build.user_input("x", tensor(dtype::int8, 1));
  build.output(build.user_input("x", tensor(dtype::int8, 1)));
  return build.finish();
}
constexpr auto an_ambiguous_name_is_refused() -> bool {
  const auto input = detail::find_input(two_of_one_name(), "x");
  return !input && view(input.error.reason) == "more than one input is named x; names: x x";
}
static_assert(an_ambiguous_name_is_refused());

// Numbers

constexpr auto rounds_half_away_from_zero_and_saturates() -> bool {
  constexpr float below_half = 0.49999997f;  // 0.5 more is 1 in float
  return quantize<std::int8_t>(0.5f, 1, 0) == 1 && quantize<std::int8_t>(-0.5f, 1, 0) == -1 &&
         quantize<std::int8_t>(below_half, 1, 0) == 0 && quantize<std::int8_t>(2.5f, 1, 10) == 13 &&
         quantize<std::int8_t>(1e30f, 1e-3f, 0) == 127 && quantize<std::uint8_t>(-1e30f, 1, 128) == 0 &&
         quantize<std::int16_t>(40000.0f, 1, 0) == 32767 && quantize<std::int32_t>(3e9f, 1, 0) == 2147483647 &&
         quantize<std::int32_t>(-3e9f, 1, 0) == -2147483647 - 1 && quantize<std::int32_t>(16777216.0f, 1, 1) == 16777217 &&
         quantize<std::int8_t>(-1.0f, 0.0625f, 127) == 111 && quantize<std::int8_t>(std::numeric_limits<float>::infinity(), 1, 0) == 127 &&
         quantize<std::int8_t>(std::numeric_limits<float>::quiet_NaN(), 1, 5) == 5;
}
static_assert(rounds_half_away_from_zero_and_saturates());
static_assert(quantized_integer<int> && detail::dtype_of_integer<int> == dtype::int32 &&
              detail::dtype_of_integer<signed char> == dtype::int8);
static_assert(!quantized_integer<char> && !quantized_integer<bool> && !quantized_integer<std::uint16_t> && !quantized_integer<float>);
static_assert(dequantize<std::int8_t>(-3, 0.25f, -3) == 0 && dequantize<std::uint8_t>(255, 0.5f, 128) == 63.5f);
static_assert(dequantize<std::int32_t>(16777217, 1.0f, 1) == 16777216.0f);

constexpr auto a_tensor_is_quantized_and_back() -> bool {
  constexpr auto info = input_info<model, 1>();
  const std::array<float, 12> reals{0.5f, 0.75f, 4, 5, 1, 0.0625f, -1, -0.25f, -2, 0, 1e9f, -1e9f};
  std::array<std::int16_t, 12> integers{};
  quantize(info, reals, integers);
  constexpr std::array<std::int16_t, 12> expected{1, 2, 9, 10, -92, -99, -2, -1, 6, 7, 32767, -32768};  // per channel along dimension 1
  std::array<float, 12> back{};
  dequantize(info, integers, back);
  std::array<std::byte, 24> raw{};
  quantize(static_cast<tensor_info>(info), std::span<const float>{reals}, raw);
  std::array<float, 12> from_raw{};
  dequantize(info, raw, from_raw);
  return integers == expected && back[2] == 4 && back[3] == 6 && back[4] == 1 && back[5] == 0.125f && from_raw == back;
}
static_assert(a_tensor_is_quantized_and_back());

template <class T>
auto differences_from_the_standard_library(unsigned seed) -> int {
  int faults = 0;
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> exponent{-12, 12};
  const float scale = std::exp2(exponent(random));
  const auto zero_point = sizeof(T) < 4 ? static_cast<std::int64_t>(static_cast<T>(random() % 100)) : 0;
  for (int i = 0; i < 2000; ++i) {
    const float steps = static_cast<float>(static_cast<int>(random() % 1000) - 500) / 2;  // mostly halves
    const float real = i % 2 == 0 ? steps * scale : std::uniform_real_distribution<float>{-500, 500}(random)*scale;
    const double rounded = static_cast<double>(std::round(real / scale)) + static_cast<double>(zero_point);
    const double min = static_cast<double>(std::numeric_limits<T>::min());
    const double max = static_cast<double>(std::numeric_limits<T>::max());
    const auto quantized = quantize<T>(real, scale, zero_point);
    faults += static_cast<double>(quantized) == std::min(std::max(rounded, min), max) ? 0 : 1;
    const double exact = static_cast<double>(scale) * (static_cast<double>(quantized) - static_cast<double>(zero_point));
    faults += dequantize(quantized, scale, zero_point) == static_cast<float>(exact) ? 0 : 1;
  }
  return faults;
}

template <class F>
auto message_of(F f) -> std::string_view {
  static text_buffer text;
  text.clear();
  try {
    f();
  } catch (const error& broken) {
    text = join(broken.what());
  }
  return view(text);
}

}  // namespace

TEST_CASE("facts of inputs and outputs are constants") {
  CHECK(facts_equal_those_of_the_program());
  CHECK(facts_can_be_in_an_array());
  CHECK(an_ambiguous_name_is_refused());
  CHECK(message_of([] { value_or_raise(detail::find_input(model, "sound")); }) ==
        "baton unknown_tensor: no input or output has this name, or several have; use a unique name [no input is named "
        "sound; names: serving_default_x:0 image plain]");
}

TEST_CASE("numbers are quantized and dequantized") {
  CHECK(rounds_half_away_from_zero_and_saturates());
  CHECK(a_tensor_is_quantized_and_back());
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CHECK(differences_from_the_standard_library<std::int8_t>(seed) == 0);
    CHECK(differences_from_the_standard_library<std::uint8_t>(seed) == 0);
    CHECK(differences_from_the_standard_library<std::int16_t>(seed) == 0);
    CHECK(differences_from_the_standard_library<std::int32_t>(seed) == 0);
  }
}

TEST_CASE("quantization into an executor's memory and dequantization from it") {
  static net_type net;
  const std::vector<float> sound{1, 2, -1, 100};
  std::array<float, 12> image{};
  image.fill(3);
  quantize(net.input_info<0>(), sound, net.input<0>());
  quantize(net.input_info<1>(), image, net.input<1>());
  net.run();
  std::array<float, 4> sound_out{};
  std::array<float, 12> image_out{};
  dequantize(net.output_info<1>(), net.output<1>(), sound_out);
  dequantize(net.output_info<0>(), net.output<0>(), image_out);
  CHECK(sound_out == std::array{1.0f, 2.0f, -1.0f, 32.5f});
  CHECK(image_out[0] == 3);
  CHECK(image_out[2] == 4);
  CHECK(image_out[11] == 3);
}

TEST_CASE("elements that do not match a tensor are reported") {
  const std::vector<float> reals(5);
  std::array<std::int8_t, 4> integers{};
  std::array<std::int16_t, 4> wide{};
  CHECK(message_of([&] { quantize(input_info<model, 0>(), reals, integers); }) ==
        "baton unfit_elements: the elements do not match the tensor's count or type; see the reason "
        "[tensor serving_default_x:0 has 4 int8 elements (4 bytes); given 5 float and 4 int8 elements]");
  CHECK(message_of([&] {
          quantize(static_cast<tensor_info>(input_info<model, 0>()), std::span{reals}.first(4), wide);
        }).ends_with("[tensor serving_default_x:0 has 4 int8 elements (4 bytes); given 4 float and 4 int16 elements]"));
  std::array<float, 2> plain{};
  CHECK(message_of([&] { quantize(static_cast<tensor_info>(input_info<model, 2>()), plain, integers); }) ==
        "baton unquantized_tensor: quantize or dequantize was called for a tensor without a scale; use its elements directly "
        "[tensor plain of float32]");
}
