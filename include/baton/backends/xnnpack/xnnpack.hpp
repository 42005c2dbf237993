// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// XNNPACK as a backend: int8 and float32 on processors that run an operating system.
//
// blob.hpp          what the compiler tells the runtime; blob_writer.hpp, blob_reader.hpp
// translate.hpp     the table: one node to one operator, or the reason why not
// compile_part.hpp  a part to a blob and named data; in the C++ compiler
// define.hpp        a blob's values and operators to those of a subgraph; in the program
// runtime.hpp       a delegate while it lives
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backends/xnnpack/compile_part.hpp>
#include <baton/backends/xnnpack/library.hpp>
#include <baton/backends/xnnpack/runtime.hpp>
#include <baton/backends/xnnpack/translate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/run/backend_life.hpp>
#include <baton/run/backend_needs.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include <cstdint>

namespace baton {

/// What XNNPACK computes, of the version whose header is at hand.
using xnnpack_support = xnn::operators;

/// The backend. A part owns its constants (`xnnpack_partitioner`): the blob names them, `init` finds them as named data and has XNNPACK
/// pack them. Memory of what is made inside, and the packed weights, are XNNPACK's, from the heap.
struct xnnpack {
  static constexpr auto id = name<"XNNPACK">;
  static constexpr std::uint32_t read_ahead_bytes = XNN_EXTRA_BYTES;

  struct options {
    std::uint32_t threads = 1;  ///< that a call uses, this one among them
  };
  using state = xnn::session;

  /// Errors: `refused_part`, where a part holds what `xnnpack_support` does not support, more than 64 arguments and results, or state.
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    return xnn::part_compiler(part).run();
  }

  /// Errors: `delegate_invalid_compatibility` of a blob of another version, `invalid_program` of a damaged one, `not_found` and
  /// `invalid_external_data` of constants, and what the library says, with the operator that it refused.
  static auto init(init_context<options>& context, state& own) -> status {
    return xnn::begin(context.processed.bytes(), context.named_data, context.options.threads, own, context.failed_operation);
  }
  static auto execute(const execution_context<options>& call, state& own) -> status { return xnn::run(call, own); }
  static void destroy(state& own) { xnn::end(own); }
};
static_assert(backend<xnnpack> && executable_backend<xnnpack> && reading_ahead_backend<xnnpack>);

/// The partitioner: gives XNNPACK all that it computes, in the fewest parts, with their constants.
struct xnnpack_partitioner {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = by_support<xnnpack, xnnpack_support>::partition(program);
    tag_constant_data(tagged);
    return tagged;
  }
  static constexpr auto why_left(const program_view& tagged) { return by_support<xnnpack, xnnpack_support>::why_left(tagged); }
};
static_assert(explaining_partitioner<xnnpack_partitioner>);

}  // namespace baton
