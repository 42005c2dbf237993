// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A caller of a model with a state: the sum of its inputs. running_sum.tflite is a tf.Module with one variable of four elements,
// `self.total.assign(self.total + x); return self.total * 1.0`, converted with experimental_enable_resource_variables.
#include "running_sum.hpp"

#include "models.hpp"

#include <array>

namespace {

auto sum_after(float x) -> float {
  std::array<float, 4> sums{};
  running_sum::run(std::array<float, 4>{x, x, x, x}, sums);
  return sums[0];
}

/// Adds `x` in slices. Returns the sum, or -1 if an inference in slices does not end.
auto sum_after_slices(float x) -> float {
  for (float& each : running_sum::input_0::data()) each = x;
  running_sum::start();
  auto code = running_sum::step();
  while (code == baton::status::ok) code = running_sum::step();
  return code == baton::status::end_of_method ? running_sum::output_0::data()[0] : -1;
}

}  // namespace

auto state_is_right() -> bool {
  static_assert(running_sum::state_bytes() == 4 * sizeof(float));
  std::array<char, running_sum::state_bytes()> kept{};
  if (sum_after(1) != 1 || sum_after(2) != 3) return false;
  running_sum::save(kept);
  if (sum_after(4) != 7) return false;
  running_sum::reset();
  if (sum_after(8) != 8) return false;
  running_sum::restore(kept);
  return sum_after(16) == 19 && sum_after_slices(1) == 20 && sum_after(1) == 21;
}
