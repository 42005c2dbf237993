// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E49
// EXPECT: baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id
// EXPECT: for_backend<baton::fixed_string<12>{"DemoBackend"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

// A program that was lowered elsewhere, built by hand.
constexpr baton::static_program model{[] {
  auto program = baton::to_backend(baton::backends<conformance::demo_backend>, conformance::g_sin(),
                                   conformance::all_nodes_partitioner<conformance::demo_backend>{});
  return program;
}};

// Its type does not contain the backends that it was lowered with.
#if !defined(FIXED)
baton::basic_executor<model, baton::kernels<>> net;
#endif
