// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks a kernel on one layer: its output against the reference, and the laws of kernels.
#pragma once

#include "reference.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <set>

template <class Kernel, one_layer::layer L>
void check_layer() {
  using program = baton::static_program<one_layer::make<L>>;
  CAPTURE(L.height);
  CAPTURE(L.width);
  CAPTURE(L.channels);
  CAPTURE(L.out_channels);
  CAPTURE(L.filter_height);
  CAPTURE(L.filter_width);
  CAPTURE(L.stride_h);
  CAPTURE(L.dilation_h);
  CAPTURE(L.is_same);
  static_assert(baton::ask_kernel<Kernel>(program::value(), program::value().nodes[0]).support.accepted);
  static_assert(!baton::verify(program::value()));
  baton::vector<char> filter;
  baton::vector<char> bias;
  if constexpr (L.has_weights()) {
    filter.assign(one_layer::filter_bytes<L>.begin() + 1, one_layer::filter_bytes<L>.end());
    bias.assign(one_layer::bias_bytes<L>.begin() + 1, one_layer::bias_bytes<L>.end());
  }
  constexpr auto random = one_layer::random_elements<static_cast<std::size_t>(L.bytes_of(L.in_count()))>;
  one_layer::trial<Kernel, program> trial;
  const auto numbers = random(L.is_int8, 99);
  const baton::vector<char> input(numbers.begin(), numbers.end());
  const auto expected = reference::compute(L, input, filter, bias);
  CHECK(reference::equal(L.is_int8, trial.run(input), expected));
  if (L.is_int8 && L.fused == one_layer::activation::none && expected.size() > 64) {
    CHECK(std::set<char>(expected.begin(), expected.end()).size() > 32);  // otherwise the comparison has little value
  }
  CHECK(laws::kernel::all<Kernel, program>(input));
}

/// Checks that the declared distance of the input is exact if outputs are written in ascending order: with one byte less, outputs overwrite
/// inputs that are still needed. Not every input shows this, because outputs are rounded. `Program` has one int8 layer, `L`.
template <class Kernel, class Program, one_layer::layer L>
void check_exact_distance() {
  constexpr auto upward = baton::write_order::ascending;
  bool is_exact = false;
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const auto numbers = one_layer::random_elements<static_cast<std::size_t>(L.in_count())>(true, seed);
    const baton::vector<char> input(numbers.begin(), numbers.end());
    CHECK(laws::kernel::respects_distance<Kernel, Program, 0, upward>(input));
    is_exact = is_exact || !laws::kernel::respects_distance<Kernel, Program, 0, upward, 1>(input);
  }
  CHECK(is_exact);
}
