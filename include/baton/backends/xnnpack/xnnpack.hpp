// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// XNNPACK as a backend, for int8 and float32 models on processors that run an operating system.
//
// In detail/:
// format.hpp        the format of the processed bytes; processed_writer.hpp writes it, and processed_reader.hpp reads it
// translate.hpp     translates a node to an XNNPACK operator, or gives the reason why the node is not supported
// compile_part.hpp  compiles a part to processed bytes and named data, at compile time or at run time
// define.hpp        defines the values and operators of processed bytes in a subgraph, at run time
// runtime.hpp       the session of a delegate
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
#include <baton/run/delegate.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/status.hpp>

#include <cstdint>

namespace baton::xnnpack {

/// An operator support that supports a node if the installed version of XNNPACK can compute the node.
using support = detail::operators;

/// The backend. A part owns its constants, because `partitioner` tags them. The constants become named data: the processed bytes contain
/// the keys, `init` finds the constants by key, and XNNPACK packs the weights. XNNPACK allocates packed weights and intermediate values on
/// the heap.
struct backend {
  static constexpr auto id = name<"XNNPACK">;
  static constexpr std::uint32_t overread_bytes = XNN_EXTRA_BYTES;

  struct options {
    std::uint32_t threads = 1;  ///< the number of threads of a call, including the calling thread
  };
  using state = detail::session;

  /// Compiles a part. Fails with `refused_part` in each of these cases:
  /// - `support` does not support a node of the part.
  /// - The part owns a mutable buffer.
  /// - The part has more than 64 arguments and results in total.
  /// - An argument or a result has more than six dimensions.
  /// - A result is also an argument or another result.
  ///
  /// Also fails with `conflicting_named_data` if two constants have the same key but different bytes. A key consists of the size in bytes
  /// and a 32-bit hash of the name and a sample of the bytes.
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    return detail::part_compiler(part).run();
  }

  /// Fails with `delegate_invalid_compatibility` if another format version or another backend wrote the processed bytes, and with
  /// `invalid_program` if they are damaged. Fails with `delegate_memory_allocation_failed` if the threads cannot be created. Fails with
  /// `not_found` if the named data of a constant is missing. Fails with `invalid_external_data` if this data is too small, and with
  /// `access_failed` if it is misaligned. If XNNPACK rejects an operator, fails with the status that corresponds to XNNPACK's error. If the
  /// shape that XNNPACK computes for an operator's output differs from the declared shape, fails with `delegate_invalid_compatibility`.
  /// Both failures of an operator store the operator's index in `context.failed_operation`.
  static auto init(init_context<options>& context, state& self) -> status {
    return detail::begin(context.processed_bytes.bytes(), context.named_data, context.options.threads, self, context.failed_operation);
  }
  static auto execute(const execution_context<options>& call, state& self) -> status { return detail::run(call, self); }
  static void destroy(state& self) { detail::end(self); }
};
static_assert(baton::backend<backend> && executable_backend<backend>);

}  // namespace baton::xnnpack

#else

#include <baton/backends/xnnpack/absent.hpp>

#endif

namespace baton::xnnpack {

/// A partitioner that assigns all supported nodes to XNNPACK, in the fewest parts. Each part includes the constants of its nodes.
using partitioner = with_constants<by_support<backend, support>>;
static_assert(explaining_partitioner<partitioner>);

}  // namespace baton::xnnpack
