// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unfit_elements: the elements do not match the tensor's count or type; see the reason
#include "fail/quantized_input.hpp"

#include <array>
#include <cstdint>

#if defined(FIXED)
using element = std::int8_t;
#else
using element = std::uint8_t;
#endif

void fill(std::array<element, 4>& integers) {
  baton::quantize(baton::input_info<model, 0>(), std::array{0.5f, 1.0f, 1.5f, 2.0f}, integers);
}
