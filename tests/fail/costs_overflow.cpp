// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton costs_overflow: the costs of a program add up to more than 10^12; use a larger unit
// EXPECT: at_node<0, baton::fixed_string<17>{"aten_neg_default"}>
// EXPECT: for_backend<baton::fixed_string<2>{"A"}>
// EXPECT: because<baton::fixed_string<32>{"this node costs 999999999, the "}, baton::fixed_string<29>{"highest cost of the 64 nodes"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>

template <baton::fixed_string Id>
struct backend {
  static constexpr auto id = baton::name<Id>;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
struct host {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
};
struct costs {
#if defined(FIXED)
  static constexpr double expensive = 99;
#else
  static constexpr double expensive = 999999999;
#endif
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return expensive; }
  static constexpr double byte = expensive / 17;
  static constexpr double call = expensive;
};
struct chain {
  constexpr auto operator()() const -> baton::exported_program {
    constexpr auto type = baton::tensor(baton::dtype::float32, 4);
    baton::program_builder b;
    auto latest = b.user_input("x", type);
    for (int n = 0; n < 64; ++n) latest = b.call("aten.neg.default", {latest}, type);
    b.output(latest);
    return b.finish();
  }
};

using negation = baton::operator_names<"aten.neg.default">;
using partitioner =
    baton::by_cost<host, baton::costed_backend<backend<"A">, negation, costs>, baton::costed_backend<backend<"B">, negation, costs>,
                   baton::costed_backend<backend<"C">, negation, costs>, baton::costed_backend<backend<"D">, negation, costs>>;
constexpr auto target = baton::backends<backend<"A">, backend<"B">, backend<"C">, backend<"D">>;
constexpr auto lowered = baton::to_backend(target, baton::static_program{chain{}}, partitioner{});
