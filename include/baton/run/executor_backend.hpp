// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Backends whose parts the executor runs itself, with the executor's kernels or with kernels of the backend.
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

/// A backend without processed bytes. The executor runs the graph of the part with the executor's own kernels. Delegates inside the part
/// run on their own backends.
struct executor_backend {
  static constexpr auto id = name<"ExecutorBackend">;
  static constexpr bool runs_original = true;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

/// An operator support for a backend that provides the kernels `Kernels`: supports a node if one of these kernels supports the node.
template <auto Kernels>
struct kernel_support {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return choose_kernel(Kernels, program, candidate).support;
  }
};

/// A backend whose parts run with the kernels `Kernels`, in the executor's arena. The scratch of these kernels is planned with the arena.
/// Usually, the inputs and outputs of a part share memory with values outside the part, so they are not copied. Constants that the kernels
/// prepare at compile time are stored with the other constants. Use `kernel_support<Kernels>` as the operator support. If no kernel
/// supports a node of a part, `preprocess` fails with the reason that `choose_kernel` returns. Example: `using my_dsp =
/// baton::kernel_backend<"MyDsp", my_kernels>;`.
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
