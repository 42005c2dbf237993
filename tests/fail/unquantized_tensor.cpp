// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unquantized_tensor: quantize or dequantize was called for a tensor without a scale; use its elements directly
#include "fail/quantized_input.hpp"

#include <array>
#include <cstdint>

#if defined(FIXED)
constexpr auto info = baton::input_info<model, 0>();
#else
constexpr auto info = baton::input_info<model, 1>();
#endif

void fill(std::array<std::int8_t, 4>& integers) { baton::quantize(info, std::array{0.5f, 1.0f, 1.5f, 2.0f}, integers); }
