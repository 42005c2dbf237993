// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E24
// EXPECT: baton embedded_module: the argument is not a lowered module; pass the result of baton::to_backend(target, backend_id, program), or an element of baton::delegates(program)
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

auto wrapper() -> baton::exported_program {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::float32, 1));
#if defined(FIXED)
  const auto sine = baton::to_backend(baton::backends<conformance::demo_backend>, "DemoBackend", conformance::g_sin());
#else
  const auto sine = conformance::g_sin();
#endif
  baton::embedded_module callee(build, sine);
  build.output(callee({x})[0]);
  return build.finish();
}
