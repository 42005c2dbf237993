// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A search for a small number in an arithmetic progression modulo a number.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

/// The numbers (`first` − i · `step`) mod `modulus` for i in [0, `count`). `first` and `step` are in [0, `modulus`). `modulus` is at most
/// 2^32, and `count` is at least 1.
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

/// Returns the first number of a walk that is at most `enough`. If every number is above `enough`, returns the smallest number of the walk.
/// Takes O(log modulus) steps, because the differences between successive minima are the remainders of Euclid's algorithm for `step` and
/// `modulus` (three-distance theorem; V. Sós, On the distribution mod 1 of the sequence nα, 1958).
constexpr auto first_at_most(const modular_walk& walk, std::int64_t enough) -> walk_position {
  // The loop has few statements and no calls, because Clang counts both against its limit of constexpr steps. `down` is the smallest amount
  // so far by which a later number of the walk is below an earlier number. `up` is the smallest amount by which a later number is above an
  // earlier number. The index of the later number is greater by `down_steps` or `up_steps`.
  std::int64_t value = walk.first, left = walk.count - 1, down = walk.step, down_steps = 1, up = walk.modulus - walk.step, up_steps = 1;
  while (value > enough && down != 0 && down_steps <= left) {
    if (value >= down) {
      const auto needed = (value - enough + down - 1) / down, possible = value / down, allowed = left / down_steps;
      const auto times = needed < possible ? (needed < allowed ? needed : allowed) : possible < allowed ? possible : allowed;
      value -= times * down, left -= times * down_steps;
    } else if (up < down) {
      const auto needed = (down - value + up - 1) / up, possible = (down - 1) / up;
      down -= (needed < possible ? needed : possible) * up, down_steps += (needed < possible ? needed : possible) * up_steps;
    } else {
      const auto times = (up - 1) / down;
      if (times == 0) break;  // the walk repeats its numbers
      up -= times * down, up_steps += times * down_steps;
    }
  }
  return {value, walk.count - 1 - left};
}

}  // namespace baton::cortex_m::detail
