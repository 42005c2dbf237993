// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A caller of a model in another translation unit, also on the target: the facts of its tensors, and both forms of `run`.
#include "digits_int8.hpp"

#include "models.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#if defined(BATON_VERSION) || defined(BOOST_HANA_HPP) || defined(BOOST_HANA_TUPLE_HPP)
#error "the interface of a model brings the library along"
#endif

namespace image = digits_int8;
static_assert(std::is_same_v<image::input_0::type, std::int8_t> && image::input_0::size == 64);
static_assert(image::input_0::shape == std::array<std::size_t, 4>{1, 8, 8, 1});
static_assert(image::output_0::shape == std::array<std::size_t, 2>{1, 10} && image::output_0::size == 10);
// The quantization of the input maps pixels from 0 to 1 to the whole range of int8.
static_assert(image::input_0::zero_point == -128 && image::input_0::scale * 255 > 0.999f && image::input_0::scale * 255 < 1.001f);
static_assert(image::output_0::zero_point == -128 && image::output_0::scale == 1.0f / 256);
static_assert(std::size(image::output_0::name) > 1);
static_assert(std::is_void_v<decltype(image::run())>);
// The option SIZES makes this a constant.
static_assert(image::arena_bytes() >= 64 + 10 && image::arena_bytes() < 4096 && image::state_bytes() == 0);

auto portable_is_right() -> bool {
  constexpr char seven[] =
      " 9999999"
      " 9999999"
      "      99"
      "     99 "
      "   99999"
      "    99  "
      "   99   "
      "   99   ";
  std::array<std::int8_t, 64> pixels{};
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::int8_t>(seven[i] == ' ' ? -128 : 127);
  std::array<std::int8_t, 10> scores{};
  image::run(pixels, scores);

  image::reset();  // the model has no state, so the next run has the same output
  const auto in = image::input_0::data();
  std::copy(pixels.begin(), pixels.end(), in.begin());
  image::run();
  const auto out = image::output_0::data();
  return std::equal(scores.begin(), scores.end(), out.begin()) && std::max_element(scores.begin(), scores.end()) - scores.begin() == 7;
}
