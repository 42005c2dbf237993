// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the partitioner of a static program has state; pass a lambda without captures that returns the partitioner
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

struct stateful {
  int tags;
  constexpr auto partition(const baton::program_view& program) const -> baton::partition_result { return baton::partition_result(program); }
};

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
#if defined(FIXED)
constexpr auto lowered = baton::to_backend(target, model, baton::in_order([] { return stateful{1}; }));
#else
constexpr auto lowered = baton::to_backend(target, model, baton::in_order(stateful{1}));
#endif
