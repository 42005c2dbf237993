// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The example with one source for two machines, on the machine without an operating system: the kernels that the target selects match the
// portable ones.
#include "owned_model/by_target/digits.cpp"

#include <baton/kernels/kernels.hpp>

#include "digits_int8.tflite.hpp"
#include "firmware/comparison.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

static_assert(std::is_same_v<decltype(lowered), decltype(model)> && !decltype(net)::can_fail, "nothing is delegated here");

auto main() -> int {
  static baton::executor<model, baton::with_kernels<baton::portable_kernels>> portable;
  constexpr unsigned rounds = 8;
  for (unsigned round = 0; round < rounds; ++round) {
    std::array<std::int8_t, 64> pixels{};
    for (auto& pixel : pixels) pixel = static_cast<std::int8_t>(firmware::random() >> 24);
    std::array<std::int8_t, 10> actual{};
    std::array<std::int8_t, 10> expected{};
    if (digits::run(pixels, actual) != baton::status::ok) return 1;
    portable.run(pixels, expected);
    firmware::check_equal(actual.data(), expected.data(), expected.size(), "image ", round);
  }
  return firmware::verdict(rounds);
}
