// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A custom kernel for a custom operator that works in scratch.
#include <baton/core/builder.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using namespace baton;

constexpr auto frame = tensor(dtype::int8, 4);

/// Reverses its input through scratch.
struct reverse {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("tfl.custom.reverse") ? accept() : refuse()};
  }
  template <class Call>
  static void compute(const Call& call) {
    char* memory = call.template scratch<1>();
    std::memset(memory, 0x5a, 64);
    std::memcpy(memory, call.template input<0>(), 4);
    for (std::size_t i = 0; i < 4; ++i) call.template output<0>()[i] = memory[3 - i];
  }
};

constexpr static_program model{[] {
  program_builder b;
  const auto x = b.user_input("x", frame);
  const auto s = b.scratch("s", tensor(dtype::uint8, 64));
  const auto t = b.scratch("t", tensor(dtype::uint8, 64));
  const auto there = b.call("there", "tfl.custom.reverse", {x, s}, frame);
  b.output(there);
  b.output(b.call("back", "tfl.custom.reverse", {there, t}, frame));
  return b.finish();
}};

basic_executor<model, kernels<reverse>> net;

}  // namespace

TEST_CASE("a kernel works in scratch, which overlaps no live value") {
  const std::array<std::int8_t, 4> input{1, 2, 3, 4};
  std::array<std::int8_t, 4> there{};
  std::array<std::int8_t, 4> back{};
  net.run(input, there, back);
  CHECK(there == std::array<std::int8_t, 4>{4, 3, 2, 1});
  CHECK(back == input);
  CHECK(decltype(net)::arena_bytes == 64 + 2 * 16);
}
