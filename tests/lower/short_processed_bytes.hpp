// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Backends with short processed bytes, for short golden texts.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

namespace short_processed_bytes {

struct compiler {
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result("blob");
  }
};
struct npu : compiler {
  static constexpr auto id = baton::name<"Npu">;
};
struct dsp : compiler {
  static constexpr auto id = baton::name<"Dsp">;
};
inline constexpr auto target = baton::backends<npu, dsp>;

/// Returns the program, lowered with these tags.
template <class... Parts>
constexpr auto lower(const baton::exported_program& program) -> baton::exported_program {
  return baton::to_backend(target, program, tags::partitioner<Parts...>{});
}

}  // namespace short_processed_bytes
