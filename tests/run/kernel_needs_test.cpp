// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that say what memory they need, and get it.
#include <baton/run/kernel_needs.hpp>
#include <baton/core/builder.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/sliding.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

constexpr auto bytes_of(const program_view& program, value_id id) -> std::int64_t {
  return byte_count(program[id].type, program.shape(id));
}

/// Writes each byte twice, in the order that the plan wants.
struct widen {
  static constexpr auto supports(const program_view&, const node& record) -> verdict {
    if (record.is("test.custom.widen")) return accept();
    return refuse();
  }
  /// When byte i is read, 2i are written: so many as its offset, and as many again.
  static constexpr auto distance_of(const program_view& program, const node& record, std::size_t operand) -> least_distance {
    const auto size = bytes_of(program, program.inputs(record)[operand]);
    return {size - 1, size - 1};
  }
  template <class Call>
  static void run(const Call& call) {
    constexpr auto size = static_cast<std::size_t>(bytes_of(Call::program(), Call::input_id(0)));
    for (std::size_t step = 0; step < size; ++step) {
      const auto i = Call::order() == write_order::ascending ? step : size - 1 - step;
      const char byte = call.template input<0>()[i];
      call.template output<0>()[2 * i] = byte;
      call.template output<0>()[2 * i + 1] = static_cast<char>(byte + 1);
    }
  }
};
/// Adds neighbours, upward.
struct narrow {
  static constexpr auto supports(const program_view&, const node& record) -> verdict {
    if (record.is("test.custom.narrow")) return accept();
    return refuse();
  }
  static constexpr auto distance_of(const program_view&, const node&, std::size_t) -> least_distance { return {.ascending = 0}; }
  template <class Call>
  static void run(const Call& call) {
    constexpr auto size = static_cast<std::size_t>(bytes_of(Call::program(), Call::output_id(0)));
    for (std::size_t i = 0; i < size; ++i) {
      call.template output<0>()[i] = static_cast<char>(call.template input<0>()[2 * i] + call.template input<0>()[2 * i + 1]);
    }
  }
};
static_assert(overlapping_kernel<widen> && overlapping_kernel<narrow> && !overlapping_kernel<archetypes::kernel>);

constexpr static_program model{[] {
  program_builder b;
  auto x = b.user_input("x", tensor(dtype::int8, 48));
  for (int i = 0; i < 2; ++i) {
    x = b.call("test.custom.widen", {x}, tensor(dtype::int8, 96));
    x = b.call("test.custom.narrow", {x}, tensor(dtype::int8, 48));
  }
  b.output(x);
  return b.finish();
}};

constexpr auto list = kernels<widen, narrow>;
basic_executor<model, list> apart;
basic_executor<model, list, plan_options{}, planned_by<sliding>> overlapped;
static_assert(decltype(apart)::arena_bytes == 48 + 96 && decltype(apart)::lower_bound == 48 + 96);
static_assert(decltype(overlapped)::arena_bytes == 96 && decltype(overlapped)::lower_bound == 96);
static_assert(decltype(overlapped)::plan().order_of(0) == write_order::descending);

}  // namespace

TEST_CASE("overlap: a policy lays outputs on dying operands, and kernels write in the order that spoils nothing") {
  std::array<std::int8_t, 48> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int8_t>(7 * i + 3);
  std::array<std::int8_t, 48> expected{};
  for (std::size_t i = 0; i < input.size(); ++i) expected[i] = static_cast<std::int8_t>(4 * input[i] + 3);
  std::array<std::int8_t, 48> made{};
  overlapped.run(input, made);
  CHECK(made == expected);
  made = {};
  apart.run(input, made);
  CHECK(made == expected);
}
