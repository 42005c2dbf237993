// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The smallest number of an arithmetic progression modulo a number.
#pragma once

#include <algorithm>
#include <cstdint>

namespace baton::cortex_m::detail {

/// The numbers (`first` − i · `step`) mod `modulus` for i in [0, `count`). `first` and `step` are in [0, `modulus`), which is at most 2^32;
/// `count` is at least 1.
struct modular_walk {
  std::int64_t first = 0;
  std::int64_t step = 0;
  std::int64_t modulus = 1;
  std::int64_t count = 1;
};
/// A number of a walk, and its index i.
struct walk_position {
  std::int64_t value = 0;
  std::int64_t index = 0;
};

/// Returns the first number of a walk that is at most `enough`, or the smallest number if there is none. O(log modulus): the differences
/// between successive minima are the remainders of Euclid's algorithm for `step` and `modulus` (three-distance theorem; V. Sós, On the
/// distribution mod 1 of the sequence nα, 1958).
constexpr auto first_at_most(const modular_walk& walk, std::int64_t enough) -> walk_position {
  walk_position at{walk.first, 0};
  // `down` and `up`: the smallest differences, downward and upward, of two numbers whose indices differ by `down_steps` and `up_steps`.
  std::int64_t down = walk.step, down_steps = 1;
  std::int64_t up = walk.modulus - walk.step, up_steps = 1;
  auto left = walk.count - 1;
  while (at.value > enough && down != 0 && down_steps <= left) {
    if (at.value >= down) {
      const auto times = std::min({(at.value - enough + down - 1) / down, at.value / down, left / down_steps});
      at = {at.value - times * down, at.index + times * down_steps};
      left -= times * down_steps;
    } else if (up < down) {
      const auto times = std::min((down - at.value + up - 1) / up, (down - 1) / up);
      down -= times * up;
      down_steps += times * up_steps;
    } else {
      const auto times = (up - 1) / down;
      if (times == 0) return at;  // the walk repeats its numbers
      up -= times * down;
      up_steps += times * down_steps;
    }
  }
  return at;
}

}  // namespace baton::cortex_m::detail
