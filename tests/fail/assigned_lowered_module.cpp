// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E25
// The members of a lowered module are read-only, because its records are. This is an error of the compiler, not of the library.
// EXPECT: assign
// FIRST: any
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

auto read_and_write() -> std::int64_t {
  const auto lowered = baton::to_backend(baton::backends<conformance::demo_backend>, "DemoBackend", conformance::g_sin());
#if !defined(FIXED)
  lowered.view().debug_handle_map()[0].identifier = 3;
#endif
  return lowered.view().debug_handle_map()[0].identifier;
}
