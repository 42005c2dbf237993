// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton xnnpack: xnnpack.h and pthreadpool.h are not on the include path; install them (Debian: libxnnpack-dev
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#if !defined(FIXED)
#include <baton/backends/xnnpack/absent.hpp>
#endif

// A use causes no further error.
constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::float32, 2);
  build.output(build.call("tfl.abs", {build.user_input("x", type)}, type));
  return build.finish();
}};
#if defined(FIXED)
constexpr auto lowered = model;
#else
namespace xnnpack = baton::xnnpack;
constexpr auto lowered =
    baton::to_backend(baton::backends<xnnpack::backend>, model, baton::by_support<xnnpack::backend, xnnpack::support>{});
#endif
