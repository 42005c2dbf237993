// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// baton.lookup for all inputs.
#include "laws/kernel.hpp"
#include "one_node.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/lookup.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::lookup;

auto make(dtype in, dtype out, const one_node::bytes& table, std::size_t elements = 256, bool is_constant = true)
    -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(in, 2, 128));
  const auto type = baton::tensor(out, elements);
  const auto t = is_constant ? b.constant("table", type, {table.data(), table.size()}) : b.user_input("table", type);
  b.output(b.call("baton.lookup", {x, t}, baton::tensor(out, 2, 128)));
  return b.finish();
}

template <class T>
void check_lookup(dtype out) {
  std::vector<T> table;
  for (int i = 0; i < 256; ++i) table.push_back(static_cast<T>(i * 16777 + 5));
  std::vector<std::uint8_t> all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<std::uint8_t>(i));
  for (const auto in : {dtype::int8, dtype::uint8}) {
    const auto program = make(in, out, one_node::bytes_of(table));
    REQUIRE(!baton::verify(program));
    const auto result = one_node::numbers_of<T>(one_node::run<lookup>(program, one_node::bytes_of(all)));
    REQUIRE(result.size() == 256);
    // The smallest int8 number is the byte 128.
    for (std::size_t i = 0; i < 256; ++i) CHECK(result[i] == table[in == dtype::int8 ? (i + 128) % 256 : i]);
  }
}

template <dtype In, dtype Out>
struct looks_up {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(In, 1, 4, 3, 5));
    char table[256 * 2] = {};
    for (int i = 0; i < 512; ++i) table[i] = static_cast<char>(i * 7 % 251);
    const auto t = b.constant("table", baton::tensor(Out, 256), {table, static_cast<std::size_t>(256 * baton::facts(Out).bits / 8)});
    b.output(b.call("baton.lookup", {x, t}, baton::tensor(Out, 1, 4, 3, 5)));
    return b.finish();
  }
};

template <class Make>
auto is_lawful() -> bool {
  using program = baton::static_program<Make>;
  baton::vector<char> input(60);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37);
  return laws::kernel::all<lookup, program>(input);
}

}  // namespace

TEST_CASE("baton.lookup returns the element of the table at the rank of the input") {
  check_lookup<std::int8_t>(dtype::int8);
  check_lookup<std::uint8_t>(dtype::uint8);
  check_lookup<std::int16_t>(dtype::int16);
  check_lookup<std::int32_t>(dtype::int32);
  check_lookup<float>(dtype::float32);
}

TEST_CASE("baton.lookup obeys the laws of kernels") {
  CHECK(is_lawful<looks_up<dtype::int8, dtype::int8>>());
  CHECK(is_lawful<looks_up<dtype::uint8, dtype::int16>>());
}

TEST_CASE("a baton.lookup that no kernel computes is refused with a reason") {
  const one_node::bytes table(256, '\0');
  CHECK(one_node::refusal<lookup>(make(dtype::int8, dtype::int8, table)).empty());
  CHECK(one_node::says(one_node::refusal<lookup>(make(dtype::int16, dtype::int8, table)), "input is int16"));
  CHECK(one_node::says(one_node::refusal<lookup>(make(dtype::int8, dtype::int8, table, 255)), "the table has 255 elements and needs 256"));
  CHECK(
      one_node::says(one_node::refusal<lookup>(make(dtype::int8, dtype::int8, table, 256, false)), "table is not a constant of 256 bytes"));
  CHECK(one_node::says(one_node::refusal<lookup>(make(dtype::int8, dtype::int64, table)), "table is int64"));
  CHECK(one_node::says(one_node::refusal<lookup>(make(dtype::int8, dtype::int8, one_node::bytes(3, '\0'))), "table is not a constant"));
}
