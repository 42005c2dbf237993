// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E3
// EXPECT: baton to_backend: the argument is not a program; pass a baton::static_program or a baton::exported_program
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

auto processed_size() -> std::size_t {
  constexpr auto target = baton::backends<conformance::demo_backend>;
#if defined(FIXED)
  return baton::to_backend(target, "DemoBackend", conformance::g_sin()).view().processed_bytes().size();
#else
  return baton::to_backend(target, "DemoBackend", "model.tflite").view().processed_bytes().size();
#endif
}
