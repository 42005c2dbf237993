// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend whose blob is the part itself: the executor runs the part's graph in its place.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/backend.hpp>
#include <baton/lower/backends.hpp>
#include <baton/lower/lowered_module.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace baton {

/// Whether a backend has the executor run a part's original graph in the place of a blob: `static constexpr bool runs_original = true;`.
template <class Backend>
concept original_running_backend = requires { requires Backend::runs_original; };

/// Makes nothing of a part: the executor runs its graph, with its own kernels, and with the backends of the delegates that are in it.
struct executor_backend {
  static constexpr auto id = name<"ExecutorBackend">;
  static constexpr bool runs_original = true;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

/// By delegate of a program: whether its original graph runs in its place.
template <class... Backends>
constexpr auto originals_that_run(backend_list<Backends...> list, const program_view& program) -> std::vector<char> {
  std::vector<char> runs;
  for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
    runs.push_back(0);
    with_backend(list, lowered_module_view(program, static_cast<delegate_id>(d)).backend_id(),
                 [&](auto backend) { runs.back() = original_running_backend<typename decltype(backend)::type> ? 1 : 0; });
  }
  return runs;
}

}  // namespace baton
