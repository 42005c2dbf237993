// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// reshape copies its input, unless input and output are in the same memory.
#include "layer.hpp"

#include <baton/kernels/portable/reshape.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

namespace {

using baton::dtype;
using baton::portable::reshape;
using namespace std::string_view_literals;

struct make {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int32, 2, 3, 4));
    const auto shape = b.constant("shape", baton::tensor(dtype::int32, 2), "\xff\xff\xff\xff\x0c\0\0\0"sv);
    b.output(b.call("tfl.reshape", {x, shape}, baton::tensor(dtype::int32, 2, 12)));
    return b.finish();
  }
};
using program = baton::static_program<make>;

}  // namespace

TEST_CASE("reshape copies, or does nothing in place") {
  constexpr bool is_supported = baton::ask_kernel<reshape>(program::value(), program::value().nodes[0]).support.accepted;
  constexpr bool is_alias = baton::ask_kernel<reshape>(program::value(), program::value().nodes[0]).facts.output_aliases_input;
  static_assert(is_supported && is_alias);
  const auto numbers = one_layer::random_elements<96>(true, 6);
  const baton::vector<char> input(numbers.begin(), numbers.end());
  one_layer::trial<reshape, program> trial;
  CHECK(trial.run(input) == input);
  CHECK(laws::kernel::all<reshape, program>(input));
  auto memory = input;
  baton::compute_node<reshape>(baton::node_call<program, 0, one_layer::memory_map<program, 0>>{memory.data()});
  CHECK(memory == input);
  memory.resize(104);
  baton::compute_node<reshape>(baton::node_call<program, 0, one_layer::memory_map<program, 8>>{memory.data()});
  CHECK(std::equal(input.begin(), input.end(), memory.begin() + 8));
}
