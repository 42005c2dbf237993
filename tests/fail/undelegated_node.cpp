// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton undelegated_node: the program must be fully delegated, but this node is not; extend a backend or its partitioner, or remove the contract
// EXPECT: at_node<1, baton::fixed_string<4>{"sub"}>
// EXPECT: because<baton::fixed_string<31>{"1 node is not delegated: sub: "}, baton::fixed_string<32>{"the operator is not in the list"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto lowered =
    baton::to_backend(baton::backends<conformance::backend_with_compiler_demo>,
                      baton::static_program{conformance::make<conformance::g_mmadd>{}}, conformance::add_mul_partitioner_demo{});

#if defined(FIXED)
static_assert(baton::delegates(lowered).size() == 2);
#else
static_assert(baton::fully_delegated<baton::operator_names<"aten.add.Tensor", "aten.mm.default">>(lowered));
#endif
