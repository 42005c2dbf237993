// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A lowered module (nodes that a backend's `preprocess` has compiled) as a separate program, which can be run or embedded.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/to_backend.hpp>

namespace baton {

/// Returns a program whose only node calls the lowered module. The inputs and outputs of the program are the user inputs and user outputs
/// of the module's original program. The original program has the module's nodes as they were before `preprocess`. Parameters, buffers,
/// constants and mutations (new values) of buffers remain inside the module.
constexpr auto standalone_program(const lowered_module_view& module, source_bytes bytes = source_bytes::copied) -> exported_program {
  program_builder to;
  embedded_module callee(to, module, bytes);
  const auto& source = module.program();
  program_copier copier(source, to, bytes);
  vector<value_id> arguments;
  for (const auto input : source.inputs(source[module.original()])) {
    if (!is_owned_data(source[input].kind)) arguments.push_back(copier.copy_input(input));
  }
  for (const auto output : callee(arguments)) to.output(output);
  return to.finish();
}
constexpr auto standalone_program(const lowered_module& module) -> exported_program { return standalone_program(module.view()); }

namespace detail {

/// The callable of a `stage` (core/shared/stage.hpp) that computes the `standalone_program` of a static lowered module.
struct standalone_step {
  constexpr auto operator()(const program_view& program) const -> exported_program {
    return standalone_program(lowered_module_view(program, last_delegate(program)), source_bytes::kept);
  }
};

}  // namespace detail

/// Returns a static program whose only node calls a static lowered module. An executor can run the returned program.
template <class Stage>
constexpr auto standalone_program(static_lowered_module<Stage>) -> static_program<stage<detail::standalone_step, static_program<Stage>>> {
  return {};
}

}  // namespace baton
