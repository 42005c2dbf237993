// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Included by `xnnpack.hpp` if the library's headers are missing. Reports one error, and declares the names that avoid further errors.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/status.hpp>

#include <cstdint>

namespace baton::xnnpack {

static_assert(!"xnnpack.h",
              "baton xnnpack: xnnpack.h and pthreadpool.h are not on the include path; install them (Debian: "
              "libxnnpack-dev libpthreadpool-dev) and link with -lXNNPACK -lpthreadpool, in CMake with baton::xnnpack");

/// An operator support that supports no node.
struct support {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse("XNNPACK is not available"); }
};
static_assert(operator_support<support>);

/// A backend that refuses every part.
struct backend {
  static constexpr auto id = name<"XNNPACK">;

  struct options {
    std::uint32_t threads = 1;
  };
  struct state {};

  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> result<preprocess_result> {
    return refuse_part("XNNPACK is not available");
  }
  static auto init(init_context<options>&, state&) -> status { return status::not_found; }
  static auto execute(const execution_context<options>&, state&) -> status { return status::not_found; }
  static void destroy(state&) {}
};
static_assert(baton::backend<backend> && executable_backend<backend>);

}  // namespace baton::xnnpack
