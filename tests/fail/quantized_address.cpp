// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton quantize: an argument cannot be converted to a std::span; pass an array or a span, not a pointer
#include "fail/quantized_input.hpp"

#include <array>
#include <cstdint>

#if defined(FIXED)
void fill(std::array<std::int8_t, 4>& integers, std::span<const float, 4> reals) {
#else
void fill(std::array<std::int8_t, 4>& integers, const float* reals) {
#endif
  baton::quantize(baton::input_info<model, 0>(), reals, integers);
}
