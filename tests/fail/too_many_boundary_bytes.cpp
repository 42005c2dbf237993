// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton too_many_boundary_bytes: more bytes cross the boundaries of delegates than the contract allows; change the partition, or raise the limit
// EXPECT: because<baton::fixed_string<30>{"128 bytes, the limit is 100; "}, baton::fixed_string<33>{"the largest values: x 32, b 32, "}, baton::fixed_string<5>{"a 16"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto lowered =
    baton::to_backend(baton::backends<conformance::backend_with_compiler_demo>,
                      baton::static_program{conformance::make<conformance::g_mmadd>{}}, conformance::add_mul_partitioner_demo{});

#if defined(FIXED)
static_assert(baton::max_boundary_bytes<128>(lowered));
#else
static_assert(baton::max_boundary_bytes<100>(lowered));
#endif
