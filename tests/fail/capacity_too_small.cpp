// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton capacity_too_small: the capacity of a backend is too small for the constants of any node that it supports; increase it
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: at_node<0, baton::fixed_string<4>{"add"}>
// EXPECT: because<baton::fixed_string<29>{"this node needs 16 bytes of "}, baton::fixed_string<31>{"constants, the least of the 1 "}, baton::fixed_string<18>{"supported nodes; "}, baton::fixed_string<24>{"the capacity is 8 bytes"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>

#include <cstdint>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
struct host {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
};
struct costs {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 1;
#if defined(FIXED)
  static constexpr std::uint64_t capacity = 4096;
#else
  static constexpr std::uint64_t capacity = 8;
#endif
};

using partitioner = baton::by_cost<host, baton::costed_backend<npu, baton::operator_names<"aten.add.Tensor">, costs>>;
constexpr char weights[16] = {};
struct with_weights {
  constexpr auto operator()() const -> baton::exported_program {
    constexpr auto type = baton::tensor(baton::dtype::float32, 4);
    baton::program_builder b;
    b.output(b.call("add", "aten.add.Tensor", {b.user_input("x", type), b.parameter("w", type, weights)}, type));
    return b.finish();
  }
};
constexpr auto model = baton::static_program{with_weights{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
