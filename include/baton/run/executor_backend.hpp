// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend whose blob is the part itself: the executor runs the part's graph in its place.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

namespace baton {

/// Makes nothing of a part: the executor runs its graph, with its own kernels, and with the backends of the delegates that are in it.
struct executor_backend {
  static constexpr auto id = name<"ExecutorBackend">;
  static constexpr bool runs_original = true;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

}  // namespace baton
