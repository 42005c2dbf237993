// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The example that is one source for two machines, on the one without an operating system: its core's kernels, which the target picked,
// give what the portable ones give.
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
    std::array<std::int8_t, 10> found{};
    std::array<std::int8_t, 10> wanted{};
    if (digits::run(pixels, found) != baton::status::ok) return 1;
    portable.run(pixels, wanted);
    firmware::check_equal(found.data(), wanted.data(), wanted.size(), "image ", round);
  }
  return firmware::verdict(rounds);
}
