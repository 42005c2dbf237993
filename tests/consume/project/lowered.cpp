// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A caller of two models: one with a part on a backend that may fail, and the same model with a custom kernel.
#include "digits_int8.hpp"
#include "lowered_digits.hpp"

#include "models.hpp"
#include "switch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

auto lowered_is_right() -> bool {
  std::array<std::int8_t, 64> pixels{};
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::int8_t>(i * 37 % 256 - 128);
  std::array<std::int8_t, 10> scores{};
  softmaxes_run = 0;
  digits_int8::run(pixels, scores);
  if (softmaxes_run != 1) return false;

  namespace net = lowered_digits;
  std::array<std::int8_t, 10> greatest{};
  device_is_on = false;
  if (net::init() != baton::status::ok || net::run(pixels, greatest) != baton::status::access_failed) return false;
  device_is_on = true;
  if (net::run(pixels, greatest) != baton::status::ok) return false;
  const auto place = [](const auto& of) { return std::max_element(of.begin(), of.end()) - of.begin(); };
  return place(scores) == place(greatest) && greatest[static_cast<std::size_t>(place(greatest))] == 127;
}
