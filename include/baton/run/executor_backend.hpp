// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Backends whose parts the executor runs itself, with its own kernels or with a list that a backend brings.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>

#include <cstdint>

namespace baton {

/// Makes nothing of a part: the executor runs its graph, with its own kernels, and with the backends of the delegates that are in it.
struct executor_backend {
  static constexpr auto id = name<"ExecutorBackend">;
  static constexpr bool runs_original = true;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

/// Takes the nodes that a kernel of the list supports: an operator support.
template <auto Kernels>
struct kernel_support {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return choose_kernel(Kernels, program, candidate).support;
  }
};

/// A backend whose parts run with kernels of its own, in the executor's arena: their scratch is planned with the rest, nothing is copied at
/// its borders, and what they prepare lies with the rest of the constants. `kernel_support<Kernels>` says what it takes; of what it does
/// not, `preprocess` says why. Example: `using my_dsp = baton::kernel_backend<"MyDsp", my_kernels>;`.
template <fixed_string Name, auto Kernels>
struct kernel_backend {
  static constexpr auto id = name<Name>;
  static constexpr auto kernels = Kernels;

  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    const program_view program(part);
    for (const auto within : nested_graphs(program, graph_id{0})) {
      for (const auto& record : program.nodes_of(program[within])) {
        if (record.delegate != none<delegate_id> || record.subgraphs.size != 0) continue;
        const auto choice = choose_kernel(Kernels, program, record);
        if (!choice.support) return refuse_part(program.text(record.name), ": ", view(choice.support.reason));
      }
    }
    return preprocess_result{};
  }
};

}  // namespace baton
