// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A caller of a quantized ONNX model, y = relu(x · w), with w in the file weights.bin. In real numbers, w is {1, -1}, {2, 1}.
#include "projection.hpp"

#include "models.hpp"

#include <array>

auto onnx_format_is_right() -> bool {
  static_assert(projection::input_0::size == 2);
  std::array<float, 2> y{};
  projection::run(std::array<float, 2>{1, 0.5}, y);
  return y == std::array<float, 2>{2, 0};
}
