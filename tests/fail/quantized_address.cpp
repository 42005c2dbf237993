// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton quantize: reals and integers are spans, or what a std::span is made of; an address alone has no size
#include <baton/core/builder.hpp>
#include <baton/run/quantize.hpp>

#include <array>
#include <cstdint>

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  const auto y = build.user_input("y", baton::tensor(baton::dtype::float32, 4));
  build.quantize(x, 0.5f, 0);
  build.output(x);
  build.output(y);
  return build.finish();
}};

#if defined(FIXED)
void fill(std::array<std::int8_t, 4>& integers, std::span<const float, 4> reals) {
#else
void fill(std::array<std::int8_t, 4>& integers, const float* reals) {
#endif
  baton::quantize(baton::input_info<model, 0>(), reals, integers);
}
