// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// softmax: fixed point against real arithmetic, over random rows, and float32.
#include "one_node.hpp"
#include "random_layer.hpp"
#include "sanitized.hpp"

#include <baton/core/builder.hpp>
#include <baton/kernels/portable/softmax.hpp>
#include <baton/operators/requantization.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace {

using baton::dtype;
using baton::portable::softmax;
namespace fixed_point = baton::portable::detail::fixed_point;

constexpr auto ends_are_exact() -> bool {
  return fixed_point::exp_of_negative(0) == 2147483647 && fixed_point::reciprocal_of_one_plus(0) == 2147483647 &&
         fixed_point::saturating_shift_left(1 << 30, 1) == 2147483647 &&
         fixed_point::saturating_shift_left(-(1 << 30), 2) == -2147483647 - 1 && fixed_point::saturating_shift_left(-3, 5) == -96;
}
static_assert(ends_are_exact());

// The multipliers that the reference prepared for kws_ref_model and person_detect (golden/*/manifest.json).
constexpr auto multipliers_match_the_reference() -> bool {
  return baton::quantized::to_fixed(1.0 * static_cast<double>(0.14469251f) * 67108864) ==
             baton::quantized::fixed_multiplier{1242899200, 24} &&
         baton::quantized::to_fixed(1.0 * static_cast<double>(0.0125187514f) * 67108864) ==
             baton::quantized::fixed_multiplier{1720564096, 20};
}
static_assert(multipliers_match_the_reference());

template <bool IsInt8, int Rows, int Depth, int Scale1000, int Beta10>
struct make {
  static constexpr auto scale = static_cast<float>(Scale1000) / 1000.0f;
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto type = baton::tensor(IsInt8 ? dtype::int8 : dtype::float32, Rows, 1, Depth);
    const auto x = b.user_input("x", type);
    const auto y = b.call("tfl.softmax", {x}, type, {{"beta", Beta10 / 10.0}});
    if (IsInt8) {
      b.quantize(x, scale, 11);
      b.quantize(y, 1.0f / 256, -128);
    }
    b.output(y);
    return b.finish();
  }
};

/// Checks int8 probabilities to within about half of 1/256, and that every row adds up to about 1.
template <bool IsInt8, int Rows, int Depth, int Scale1000, int Beta10>
void check() {
  using makes = make<IsInt8, Rows, Depth, Scale1000, Beta10>;
  using program = baton::static_program<makes>;
  static_assert(baton::ask_kernel<softmax>(program::value(), program::value().nodes[0]).support.accepted);
  const auto numbers = one_layer::random_elements<static_cast<std::size_t>(Rows * Depth * (IsInt8 ? 1 : 4))>(IsInt8, 5);
  const baton::vector<char> input(numbers.begin(), numbers.end());
  one_layer::trial<softmax, program> trial;
  const auto output = trial.run(input);
  CHECK(laws::kernel::all<softmax, program>(input));
  for (int row = 0; row < Rows; ++row) {
    const auto real = [&](int i) {
      const auto at = row * Depth + i;
      return Beta10 / 10.0 *
             (IsInt8 ? static_cast<double>(makes::scale) * reference::get_int8(input, at)
                     : static_cast<double>(reference::get_float(input, at)));
    };
    double largest = real(0);
    for (int i = 0; i < Depth; ++i) largest = std::fmax(largest, real(i));
    double sum = 0;
    for (int i = 0; i < Depth; ++i) sum += std::exp(real(i) - largest);
    for (int i = 0; i < Depth; ++i) {
      const auto expected = std::exp(real(i) - largest) / sum;
      if (IsInt8) {
        CHECK(std::fabs(std::fmin(expected * 256, 255) - (reference::get_int8(output, row * Depth + i) + 128)) < 0.51);
      } else {
        CHECK(std::fabs(expected - static_cast<double>(reference::get_float(output, row * Depth + i))) < 1e-6);
      }
    }
  }
}

/// Checks a random number of rows, depth, scale and beta; the depth may be 1.
template <std::uint32_t Seed>
void check_random() {
  constexpr auto numbers = [] {
    one_layer::drawn draw(Seed);
    return std::array{draw.from_to(1, 5), draw.of({1, 2, 3, 10, 33}), draw.from_to(1, 300), draw.from_to(1, 20)};
  }();
  check<Seed % 4 != 0, numbers[0], numbers[1], numbers[2], numbers[3]>();
}
template <std::uint32_t... Seed>
void check_all_random(std::integer_sequence<std::uint32_t, Seed...>) {
  (check_random<Seed>(), ...);
}

}  // namespace

TEST_CASE("softmax of random shapes matches real arithmetic") {
  check_all_random(std::make_integer_sequence<std::uint32_t, sanitized::sample(16)>{});
}

TEST_CASE("fixed-point functions are close to the real functions") {
  CHECK(ends_are_exact());
  CHECK(multipliers_match_the_reference());
  for (std::int32_t a = 0; a > -(31 << 26); a -= 1234567) {
    const auto real = std::exp(static_cast<double>(a) / (1 << 26)) * 2147483648.0;
    CHECK(std::fabs(real - fixed_point::exp_of_negative(a)) < 300 + real * 1e-5);
  }
  for (std::int32_t a = 0; a < 2147480000; a += 1234567 < 2147480000 - a ? 1234567 : 2147480000) {
    CHECK(std::fabs(2147483648.0 / (1 + a / 2147483648.0) - fixed_point::reciprocal_of_one_plus(a)) < 100);
    if (a > 2147480000 - 1234567) break;
  }
}

TEST_CASE("softmax int8 matches real arithmetic") {
  check<true, 1, 12, 145, 10>();
  check<true, 5, 2, 12, 10>();
  check<true, 3, 17, 5, 10>();
  check<true, 2, 300, 50, 10>();
  check<true, 2, 7, 2000, 10>();
  check<true, 2, 9, 100, 5>();
  check<true, 1, 1, 100, 10>();
}

TEST_CASE("softmax int8 supports the longest row, with all elements equal") {
  using program = baton::static_program<make<true, 1, 4095, 100, 10>>;
  one_layer::trial<softmax, program> trial;
  CHECK(trial.run(baton::vector<char>(4095, '\3')) == baton::vector<char>(4095, '\x80'));
}

TEST_CASE("softmax float32, also in place") {
  check<false, 3, 10, 0, 10>();
  check<false, 2, 5, 0, 25>();
  using program = baton::static_program<make<false, 2, 6, 0, 10>>;
  const auto numbers = one_layer::random_elements<48>(false, 4);
  const baton::vector<char> input(numbers.begin(), numbers.end());
  one_layer::trial<softmax, program> trial;
  const auto expected = trial.run(input);
  auto memory = input;
  baton::compute_node<softmax>(baton::node_call<program, 0, one_layer::memory_map<program, 0>>{memory.data()});
  CHECK(memory == expected);
}

TEST_CASE("softmax int8 with a stated factor has the result of the same scale") {
  const auto program_of = [](const char* op, float scale, const baton::quantized::fixed_multiplier& multiplier, int diff_min,
                             bool has_output_scale = true) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 40));
    const auto y = b.call(op, {x}, baton::tensor(dtype::int8, 3, 40),
                          {{"beta", 1.0}, {"multiplier", multiplier.value}, {"shift", multiplier.shift}, {"diff_min", diff_min}});
    if (scale != 0) b.quantize(x, scale, 3);
    if (has_output_scale) b.quantize(y, 1.0f / 256, -128);
    b.output(y);
    return b.finish();
  };
  one_node::drawn draw(5);
  for (const float scale : {0.001f, 0.03f, 0.145f, 1.7f}) {
    const auto by = baton::quantized::to_fixed(static_cast<double>(scale) * (1 << 26));
    const auto diff_min = -((31 << 26) >> by.shift);
    const auto input = draw.elements(dtype::int8, 120);
    const auto expected = one_node::run<softmax>(program_of("tfl.softmax", scale, {}, 0), input);
    CHECK(one_node::run<softmax>(program_of("baton.softmax", 0, by, diff_min), input) == expected);
    CHECK(one_node::run<softmax>(program_of("baton.softmax", 0, by, diff_min, false), input) == expected);
    CHECK(one_node::says(one_node::refusal<softmax>(program_of("baton.softmax", 0, by, diff_min - 1)), "but the shift makes it"));
  }
  CHECK(one_node::refusal<softmax>(program_of("baton.softmax", 0, {5, 20}, -1984)) == "multiplier is 5, not 1073741824 to 2147483647");
  CHECK(one_node::refusal<softmax>(program_of("baton.softmax", 0, {1 << 30, 31}, 0)) == "shift is 31, not 1 to 30");
}
