// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unquantized_tensor: quantize and dequantize need a tensor with a scale; this one has none; use its elements as they are
#include "fail/quantized_input.hpp"

#include <array>
#include <cstdint>

#if defined(FIXED)
constexpr auto info = baton::input_info<model, 0>();
#else
constexpr auto info = baton::input_info<model, 1>();
#endif

void fill(std::array<std::int8_t, 4>& integers) { baton::quantize(info, std::array{0.5f, 1.0f, 1.5f, 2.0f}, integers); }
