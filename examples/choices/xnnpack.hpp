// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: XNNPACK.
// needs-header: xnnpack.h pthreadpool.h
// install: apt-get install libxnnpack-dev libpthreadpool-dev
// link-flags: -lXNNPACK -lpthreadpool
#pragma once

#include "../absent_choice.hpp"

#include <baton/baton.hpp>

#include <string_view>
#if __has_include(<xnnpack.h>) && __has_include(<pthreadpool.h>) && !defined(WITHOUT_VENDOR_LIBRARIES)
#include <baton/backends/xnnpack/xnnpack.hpp>
#endif

namespace choices {

#if __has_include(<xnnpack.h>) && __has_include(<pthreadpool.h>) && !defined(WITHOUT_VENDOR_LIBRARIES)
/// Uses the partitioner of the backend, after the default passes.
struct xnnpack {
  static constexpr std::string_view name = "xnnpack";
  static constexpr auto target = baton::backends<baton::xnnpack::backend>;
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(target, baton::transform(program, baton::default_passes), baton::xnnpack::partitioner{});
  }
  static auto verdicts(const baton::exported_program& program) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(program, baton::xnnpack::partitioner{}));
  }
};
#else
using xnnpack = absent<"xnnpack", "xnnpack.h and pthreadpool.h (Debian: apt-get install libxnnpack-dev libpthreadpool-dev)">;
#endif

}  // namespace choices
