// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id
// EXPECT: for_backend<baton::fixed_string<8>{"Invalid"}>
// EXPECT: because<baton::fixed_string<30>{"partitioner 2 of 2: the list "}
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

using demo = conformance::backend_with_compiler_demo;
struct invalid : demo {
  static constexpr auto id = baton::name<"Invalid">;
};
using products = baton::by_support<demo, baton::operator_names<"aten.mm.default">>;

#if defined(FIXED)
using sums = baton::by_support<demo, baton::operator_names<"aten.add.Tensor">>;
#else
using sums = baton::by_support<invalid, baton::operator_names<"aten.add.Tensor">>;
#endif
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<demo>, model, baton::in_order(products{}, sums{}));
