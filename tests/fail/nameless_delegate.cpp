// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E48
// EXPECT: baton nameless_delegate: a delegate has no backend id; lower the part for a backend in baton::backends<...>
// EXPECT: at_node<0
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

// A program that was lowered elsewhere, built by hand.
constexpr baton::static_program model{[] {
  auto program = baton::to_backend(baton::backends<conformance::demo_backend>, conformance::g_sin(),
                                   conformance::all_nodes_partitioner<conformance::demo_backend>{});
#if !defined(FIXED)
  program.delegates[0].backend_id = {};
#endif
  return program;
}};

#if defined(FIXED)
static_assert(model->delegates.size() == 1);
#else
baton::basic_executor<model, baton::kernels<>> net;
#endif
