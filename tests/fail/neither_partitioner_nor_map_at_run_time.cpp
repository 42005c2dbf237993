// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The same message for methods at run time. The error is in a type, so the compiler reports it, too.
// EXPECT: baton to_backend_multiple: the argument is not a partitioner; pass one for all methods, or partitioners(for_method<...>(...))
#include <baton/compat/executorch/to_backend_multiple.hpp>

#include "conformance/demo_backends.hpp"

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;

auto lower_at_run_time(const baton::exported_methods& all) -> baton::exported_methods {
#if defined(FIXED)
  return baton::to_backend_multiple(target, all, conformance::all_nodes_partitioner<conformance::backend_with_compiler_demo>{});
#else
  return baton::to_backend_multiple(target, all, 7);
#endif
}
