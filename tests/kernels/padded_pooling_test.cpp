// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// baton.average_pool_2d and baton.max_pool_2d on random geometries, against their definition in exact arithmetic.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m/pooling.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::average_pool_2d;
using baton::portable::max_pool_2d;
using reference::quotient_to_even;

struct axis {
  int input = 4;
  int filter = 2;
  int stride = 1;
  int dilation = 1;
  int before = 0;
  int after = 0;

  constexpr auto is_dilated() const -> bool { return dilation != 1 && filter != 1; }
  constexpr auto span() const -> int { return (filter - 1) * dilation + 1; }
  /// Returns the number of windows, counted one by one.
  constexpr auto output(bool is_ceil) const -> int {
    int count = 0;
    for (int from = -before; from + span() <= input + after; from += stride) ++count;
    const auto next = -before + count * stride;
    const bool ends_before = -before + (count - 1) * stride + span() < input + after;
    return count + (is_ceil && count > 0 && ends_before && next < input ? 1 : 0);
  }
};

struct pool {
  bool is_max = false;
  dtype type = dtype::int8;
  int batches = 1;
  int channels = 1;
  axis rows{};
  axis columns{};
  bool is_ceil = false;
  bool counts_padding = false;
  float scale = 0.5f;
  int zero_point = 0;
  float output_scale = 0.5f;
  int output_zero_point = 0;
  int lower = INT32_MIN;  ///< `output_min`; INT32_MIN: absent
  int upper = INT32_MAX;
  bool is_away = false;  ///< `rounding` is "away"
  bool has_scales = true;
};

constexpr auto make(const pool& p, const char* op = nullptr) -> baton::exported_program {
  baton::program_builder b;
  const std::int64_t pads[] = {p.rows.before, p.columns.before, p.rows.after, p.columns.after};
  const auto x = b.user_input("x", baton::tensor(p.type, p.batches, p.rows.input, p.columns.input, p.channels));
  const auto out = baton::tensor(p.type, p.batches, p.rows.output(p.is_ceil), p.columns.output(p.is_ceil), p.channels);
  if (op == nullptr) op = p.is_max ? "baton.max_pool_2d" : "baton.average_pool_2d";
  const bool is_float = p.type == dtype::float32;
  const auto y = b.call(op, {x}, out,
                        {{"filter_height", p.rows.filter},
                         {"filter_width", p.columns.filter},
                         {"stride_h", p.rows.stride},
                         {"stride_w", p.columns.stride},
                         {"dilation_h_factor", p.rows.dilation},
                         {"dilation_w_factor", p.columns.dilation},
                         {"pads", baton::span<const std::int64_t>(pads)},
                         {"ceil_mode", p.is_ceil},
                         {"count_include_pad", p.counts_padding},
                         {p.is_max ? "no_rounding" : "rounding", p.is_away ? "away" : "even"},
                         {p.lower == INT32_MIN || is_float ? "no_min" : "output_min", p.lower},
                         {p.upper == INT32_MAX || is_float ? "no_max" : "output_max", p.upper}});
  if (p.type != dtype::float32 && p.has_scales) {
    b.quantize(x, p.scale, p.zero_point);
    b.quantize(y, p.output_scale, p.output_zero_point);
  }
  b.output(y);
  return b.finish();
}

/// Calls `f(position, elements, counted)` for each output element: `elements` are under its window, `counted` is the divisor of their mean.
template <class T, class F>
void for_windows(const pool& p, const std::vector<T>& in, F f) {
  std::size_t at = 0;
  for (int n = 0; n < p.batches; ++n) {
    for (int y = 0; y < p.rows.output(p.is_ceil); ++y) {
      for (int x = 0; x < p.columns.output(p.is_ceil); ++x) {
        for (int c = 0; c < p.channels; ++c) {
          std::vector<T> elements;
          int counted = 0;
          for (int i = 0; i < p.rows.filter; ++i) {
            for (int j = 0; j < p.columns.filter; ++j) {
              const auto row = y * p.rows.stride - p.rows.before + i * p.rows.dilation;
              const auto column = x * p.columns.stride - p.columns.before + j * p.columns.dilation;
              const bool is_inside = row >= 0 && row < p.rows.input && column >= 0 && column < p.columns.input;
              const bool is_padded = row < p.rows.input + p.rows.after && column < p.columns.input + p.columns.after;
              if (is_inside) {
                const auto pixel = (n * p.rows.input + row) * p.columns.input + column;
                elements.push_back(in[static_cast<std::size_t>(pixel * p.channels + c)]);
              }
              counted += (p.counts_padding ? is_padded : is_inside) ? 1 : 0;
            }
          }
          f(at++, elements, counted);
        }
      }
    }
  }
}

template <class T>
void check_pool(const pool& p, const one_node::bytes& input) {
  const auto program = make(p);
  REQUIRE(!baton::verify(program));
  const auto in = one_node::numbers_of<T>(input);
  const auto bytes = p.is_max ? one_node::run<max_pool_2d>(program, input) : one_node::run<average_pool_2d>(program, input);
  const auto out = one_node::numbers_of<T>(bytes);
  using fast = baton::cortex_m::detail::average_pool_2d<>;
  if (!p.is_max) {
    const bool is_fast = p.type == dtype::int8 && p.channels >= 4 && !p.rows.is_dilated() && !p.columns.is_dilated();
    CHECK(one_node::refusal<fast>(program).empty() == is_fast);
    if (is_fast) CHECK(one_node::run<fast>(program, input) == bytes);
  }
  for_windows(p, in, [&](std::size_t at, const std::vector<T>& elements, int counted) {
    REQUIRE(at < out.size());
    REQUIRE(!elements.empty());
    if (p.is_max) {
      const auto largest = *std::max_element(elements.begin(), elements.end());
      if constexpr (std::is_same_v<T, float>) {
        CHECK(out[at] == largest);
      } else {
        CHECK(static_cast<std::int64_t>(out[at]) == std::clamp<std::int64_t>(largest, p.lower, p.upper));
      }
      return;
    }
    if constexpr (std::is_same_v<T, float>) {
      float sum = 0;
      for (const auto number : elements) sum += number;
      CHECK(out[at] == sum / static_cast<float>(counted));
    } else {
      std::int64_t sum = 0;
      for (const auto number : elements) sum += number - p.zero_point;
      const auto lower = std::max<std::int64_t>(p.lower, std::numeric_limits<T>::min());
      const auto upper = std::min<std::int64_t>(p.upper, std::numeric_limits<T>::max());
      std::int64_t mean = 0;
      if (p.is_away) {
        for (const auto number : elements) mean += number;
        mean = (mean + (mean > 0 ? counted / 2 : -(counted / 2))) / counted;
        CHECK(static_cast<std::int64_t>(out[at]) == std::clamp(mean, lower, upper));
        return;
      }
      if (const auto twos = p.scale / p.output_scale; std::ldexp(1.0F, std::ilogb(twos)) == twos) {
        const auto power = std::ilogb(twos);
        mean = quotient_to_even(power > 0 ? sum << power : sum, std::int64_t{counted} << (power < 0 ? -power : 0));
      } else {
        const auto real =
            static_cast<long double>(sum) * static_cast<long double>(p.scale) / static_cast<long double>(p.output_scale) / counted;
        if (std::fabs(std::fabs(real - std::trunc(real)) - 0.5L) < 1e-4L) return;  // the factor has 31 bits
        mean = std::llroundl(real);
      }
      CHECK(static_cast<std::int64_t>(out[at]) == std::clamp(mean + p.output_zero_point, lower, upper));
    }
  });
}

auto random_axis(one_node::drawn& draw) -> axis {
  axis result;
  do {
    result = {draw.from_to(1, 8), draw.from_to(1, 4), draw.from_to(1, 3), draw.of({1, 1, 1, 2, 3}), 0, 0};
    result.before = draw.from_to(0, std::min(result.span() - 1, 3));
    result.after = draw.from_to(0, std::min(result.span() - 1, 3));
  } while (result.output(false) < 1 || (result.before != 0 && result.dilation > result.input));
  return result;
}

auto random_pool(unsigned seed) -> pool {
  one_node::drawn draw(seed);
  pool p;
  p.is_max = draw.once_in(3);
  p.type = draw.of({dtype::int8, dtype::int8, dtype::uint8, dtype::int16, dtype::float32});
  p.batches = draw.of({1, 1, 2});
  p.channels = draw.from_to(1, 5);
  p.rows = random_axis(draw);
  p.columns = random_axis(draw);
  p.is_ceil = draw.once_in(2);
  p.counts_padding = draw.once_in(2);
  const auto zero = [&] {
    return p.type == dtype::int8 ? draw.from_to(-128, 127) : p.type == dtype::uint8 ? draw.from_to(0, 255) : draw.of({0, 0, -5000});
  };
  p.zero_point = p.output_zero_point = zero();
  if (!p.is_max && draw.once_in(2)) {
    p.output_zero_point = zero();
    p.output_scale = draw.once_in(2) ? std::ldexp(0.5f, draw.from_to(-4, 4)) : static_cast<float>(draw.from_to(1, 999)) / 512.0f;
  }
  if (draw.once_in(3)) p.lower = p.output_zero_point;
  if (draw.once_in(3)) p.upper = std::max(p.output_zero_point, p.type == dtype::int16 ? 20000 : 100);
  p.is_away = p.type != dtype::float32 && draw.once_in(3);
  if (p.is_away) {
    p.counts_padding = false;
    p.output_scale = p.scale;
    p.output_zero_point = p.zero_point;
  }
  if (p.is_max || p.is_away) p.has_scales = draw.once_in(2);
  return p;
}

constexpr axis wide{.input = 6, .filter = 3, .stride = 2, .before = 1, .after = 2};
constexpr axis narrow{.input = 5, .filter = 2, .stride = 3, .before = 0, .after = 1};
constexpr pool laws_of[] = {
    {.channels = 5, .rows = wide, .columns = narrow, .is_ceil = true, .counts_padding = true, .zero_point = 7, .output_scale = 0.3f},
    {.is_max = true, .channels = 18, .rows = narrow, .columns = wide, .zero_point = 7, .output_zero_point = 7},
    {.type = dtype::uint8, .batches = 2, .channels = 3, .rows = wide, .columns = wide, .zero_point = 9, .output_zero_point = 130},
    {.is_max = true, .type = dtype::uint8, .channels = 3, .rows = wide, .columns = narrow, .is_ceil = true},
    {.type = dtype::float32, .channels = 4, .rows = {.input = 9, .filter = 2, .dilation = 3, .before = 2, .after = 3}, .columns = wide},
    {.channels = 3, .rows = {.input = 4, .filter = 5, .before = 0, .after = 1}, .columns = wide, .counts_padding = true},
    {.is_max = true,
     .type = dtype::int16,
     .channels = 2,
     .rows = {.input = 5, .filter = 3, .dilation = 2},
     .columns = {.input = 5, .filter = 2, .dilation = 2, .before = 1, .after = 1}},
    {.channels = 9, .rows = wide, .columns = narrow, .lower = -100, .is_away = true, .has_scales = false},
};

template <std::size_t I>
struct law_program {
  constexpr auto operator()() const -> baton::exported_program { return make(laws_of[I]); }
};

template <std::size_t I>
auto is_lawful() -> bool {
  constexpr auto p = laws_of[I];
  baton::vector<char> input(
      static_cast<std::size_t>(baton::facts(p.type).bits / 8 * p.batches * p.rows.input * p.columns.input * p.channels));
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  using program = baton::static_program<law_program<I>>;
  using kernel = std::conditional_t<p.is_max, max_pool_2d, average_pool_2d>;
  if constexpr (p.is_max && p.type == dtype::int8 && p.channels >= 4) {
    if (!laws::kernel::all<baton::cortex_m::detail::max_pool_2d<>, program>(input)) return false;
  }
  if constexpr (p.is_away && p.channels >= 4) {
    if (!laws::kernel::all<baton::cortex_m::detail::average_pool_2d<>, program>(input)) return false;
  }
  return laws::kernel::all<kernel, program>(input);
}

}  // namespace

TEST_CASE("padded pools match their definition on random geometries") {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    const auto p = random_pool(seed);
    one_node::drawn draw(seed + 1000000);
    const auto count = p.batches * p.rows.input * p.columns.input * p.channels;
    if (p.type == dtype::uint8) {
      check_pool<std::uint8_t>(p, draw.elements(dtype::int8, count));
    } else if (p.type == dtype::int8) {
      check_pool<std::int8_t>(p, draw.elements(p.type, count));
    } else if (p.type == dtype::int16) {
      check_pool<std::int16_t>(p, draw.elements(p.type, count));
    } else {
      check_pool<float>(p, draw.elements(p.type, count));
    }
  }
}

TEST_CASE("all sums of a window round ties to even") {
  // A window of two elements has every sum of two int8 numbers.
  pool p{.rows = {.input = 256, .filter = 2, .stride = 2}, .columns = {.input = 256, .filter = 1}};
  for (const int zero_point : {-128, -1, 0, 3}) {
    p.zero_point = p.output_zero_point = zero_point;
    std::vector<std::int8_t> in;
    for (int y = 0; y < 128; ++y) {
      for (int column = 0; column < 2; ++column) {
        for (int x = -128; x < 128; ++x) in.push_back(static_cast<std::int8_t>(column == 0 ? x : y - 64));
      }
    }
    check_pool<std::int8_t>(p, one_node::bytes_of(in));
  }
}

TEST_CASE("pools with the attribute pads obey the laws of kernels") {
  CHECK(is_lawful<0>());
  CHECK(is_lawful<1>());
  CHECK(is_lawful<2>());
  CHECK(is_lawful<3>());
  CHECK(is_lawful<4>());
  CHECK(is_lawful<5>());
  CHECK(is_lawful<6>());
  CHECK(is_lawful<7>());
}

TEST_CASE("a padded pool may have a quantization for its input or its output alone") {
  one_node::bytes input;
  for (int i = 0; i < 16; ++i) input.push_back(static_cast<char>(i * 37));
  for (const bool is_max : {false, true}) {
    const auto output_with = [&](std::size_t quantized) {  // 0: the input, 1: the output, 2: none
      auto program = make({.is_max = is_max, .is_away = true, .has_scales = quantized < 2});
      if (quantized < 2) program.values[1 - quantized].quant.channels = 0;
      return is_max ? one_node::run<max_pool_2d>(program, input) : one_node::run<average_pool_2d>(program, input);
    };
    CHECK(output_with(0) == output_with(2));
    CHECK(output_with(1) == output_with(2));
  }
}

TEST_CASE("padded pools that no kernel computes are refused with a reason") {
  const auto why = [](const pool& p) { return one_node::refusal<average_pool_2d>(make(p)); };
  CHECK(why({}).empty());
  CHECK(one_node::says(why({.rows = {.before = 2}}), "the padding of the height is as large as the window"));
  CHECK(one_node::says(why({.columns = {.after = 2}}), "the padding of the width is as large as the window"));
  CHECK(
      one_node::says(why({.rows = {.input = 2, .dilation = 3, .before = 2, .after = 3}}), "dilation 3 exceeds the height of the input, 2"));
  CHECK(one_node::says(why({.output_scale = 1e-9f}), "out of range"));
  CHECK(one_node::says(why({.lower = 5, .upper = 4}), "output_min and output_max allow no output"));
  CHECK(one_node::says(why({.rows = {.input = 4096, .filter = 4096}, .columns = {.input = 4096, .filter = 4096}}), "may not fit 32 bits"));
  CHECK(one_node::says(one_node::refusal<max_pool_2d>(make({.is_max = true, .output_scale = 0.25f})), "scales of input and output differ"));
  CHECK(one_node::says(why({.has_scales = false}), "no quantization per tensor"));
  CHECK(
      one_node::says(why({.counts_padding = true, .is_away = true, .has_scales = false}), "count_include_pad is not supported for means"));
  CHECK(one_node::says(why({.output_scale = 0.25f, .is_away = true}), "scales of input and output differ"));
  // The attribute belongs to other operators: it has no meaning here.
  CHECK(one_node::says(one_node::refusal<max_pool_2d>(make({}, "tfl.max_pool_2d")), "padding is "));
}
