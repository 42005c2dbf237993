// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend whose code is compiled for each of its parts: all operators of a part become one loop without intermediate memory.
#include <baton/baton.hpp>
#include <baton/graph.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

struct fused {
  static constexpr auto id = baton::name<"Fused">;

  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }

  // As a template, `execute` is compiled for each part. The part is the constant `Call::program`; sizes of inputs and outputs are
  // constants.
  template <class Call>
  static void execute(const Call& call) {
    constexpr auto result = Call::output_value(0);
    for (unsigned i = 0; i < Call::output_bytes(0); ++i) {
      call.template output<0>()[i] = static_cast<char>(element<Call, result>(call, i));
    }
  }
  // An element of a value: read from an argument, or computed from the operands of its producer.
  template <class Call, baton::value_id Id>
  static auto element(const Call& call, unsigned i) -> int {
    constexpr baton::program_view part = Call::program;
    constexpr auto node = baton::index(baton::producer_of(part, Id));
    if constexpr (node == baton::index(baton::none<baton::node_id>)) {
      return static_cast<signed char>(call.template input<Call::argument_index(Id)>()[i]);
    } else {
      constexpr auto operands = part.inputs(part.nodes[node]);
      const int left = element<Call, operands[0]>(call, i);
      const int right = element<Call, operands[1]>(call, i);
      constexpr bool is_maximum = part.nodes[node].is("my_company.maximum");
      return is_maximum ? std::max(left, right) : left + right;
    }
  }
};

constexpr auto model = baton::static_program{[] {
  constexpr auto four = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  const auto x = build.user_input("x", four);
  const auto y = build.user_input("y", four);
  build.output(build.call("my_company.maximum", {build.call("my_company.add", {x, y}, four), x}, four));
  return build.finish();
}};
using partitioner = baton::by_support<fused, baton::operator_names<"my_company.add", "my_company.maximum">>;
constexpr auto lowered = baton::to_backend(baton::backends<fused>, model, partitioner{});

auto main() -> int {
  baton::executor<lowered> net;
  std::array<signed char, 4> z{};
  net.run(std::array<signed char, 4>{1, 2, 3, 4}, std::array<signed char, 4>{10, -10, 20, -20}, z);
  std::printf("%d %d %d %d\n", z[0], z[1], z[2], z[3]);
}

// Output:
// 11 2 23 4
