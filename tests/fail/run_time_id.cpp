// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the backend id of a static program is not a constant; pass baton::name<
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};

auto processed_size() -> std::size_t {
  constexpr auto target = baton::backends<conformance::demo_backend>;
#if defined(FIXED)
  return baton::to_backend(target, baton::name<"DemoBackend">, model).view().processed_bytes().size();
#else
  return baton::to_backend(target, "DemoBackend", model).view().processed_bytes().size();
#endif
}
