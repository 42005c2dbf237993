// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// XNNPACK as a backend: int8 and float32 on processors that run an operating system.
//
// In detail/:
// blob.hpp          what the compiler tells the runtime; blob_writer.hpp, blob_reader.hpp
// translate.hpp     the table: one node to one operator, or the reason why not
// compile_part.hpp  a part to a blob and named data; in the C++ compiler
// define.hpp        a blob's values and operators to those of a subgraph; in the program
// runtime.hpp       a delegate while it lives
#pragma once

#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/partitioner.hpp>

#if __has_include(<xnnpack.h>) && __has_include(<pthreadpool.h>)

#include <baton/backend/backend.hpp>
#include <baton/backends/xnnpack/detail/compile_part.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/runtime.hpp>
#include <baton/backends/xnnpack/detail/translate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/run/backend_life.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include <cstdint>

namespace baton::xnnpack {

/// What XNNPACK computes, of the version whose header is at hand.
using support = detail::operators;

/// The backend. A part owns its constants (`partitioner`): the blob names them, `init` finds them as named data and has XNNPACK pack them.
/// Memory of what is made inside, and the packed weights, are XNNPACK's, from the heap.
struct backend {
  static constexpr auto id = name<"XNNPACK">;
  static constexpr std::uint32_t read_ahead_bytes = XNN_EXTRA_BYTES;

  struct options {
    std::uint32_t threads = 1;  ///< that a call uses, this one among them
  };
  using state = detail::session;

  /// Errors: `refused_part`, where a part holds what `support` does not support, more than 64 arguments and results, or state.
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    return detail::part_compiler(part).run();
  }

  /// Errors: `delegate_invalid_compatibility` of a blob of another version, `invalid_program` of a damaged one, `not_found` and
  /// `invalid_external_data` of constants, and what the library says, with the operator that it refused.
  static auto init(init_context<options>& context, state& own) -> status {
    return detail::begin(context.processed.bytes(), context.named_data, context.options.threads, own, context.failed_operation);
  }
  static auto execute(const execution_context<options>& call, state& own) -> status { return detail::run(call, own); }
  static void destroy(state& own) { detail::end(own); }
};
static_assert(baton::backend<backend> && executable_backend<backend>);

}  // namespace baton::xnnpack

#else

#include <baton/backends/xnnpack/absent.hpp>

#endif

namespace baton::xnnpack {

/// Gives XNNPACK all that it computes, in the fewest parts, with their constants.
using partitioner = with_constants<by_support<backend, support>>;
static_assert(explaining_partitioner<partitioner>);

}  // namespace baton::xnnpack
