// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A lowered module as a program of its own, to be run or placed like any other.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/detail/lowering_stages.hpp>
#include <baton/lower/placed_module.hpp>
#include <baton/lower/to_backend.hpp>

namespace baton {

/// A program whose only node calls the lowered module: its inputs are the user inputs of the module's original, its outputs the user
/// outputs. Parameters, buffers and constants stay inside the module, and so does what becomes of the buffers it mutates.
constexpr auto standalone_program(const lowered_module_view& module, source_bytes bytes = source_bytes::copied) -> exported_program {
  program_builder to;
  placed_module callee(to, module, bytes);
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

/// The program around the lowered module that a stage makes.
template <class Stage>
struct standalone_stage {
  static constexpr bool stages_are_whole = static_program<Stage>::is_whole;
  using backend_types = typename backends_of<Stage>::type;
  constexpr auto operator()() const -> exported_program {
    if constexpr (stages_are_whole) {
      return standalone_program(static_lowered_module<Stage>::view(), source_bytes::kept);
    } else {
      return {};
    }
  }
};

}  // namespace detail

/// The same for a lowered module of the compiler; the program is one again, and an executor runs it.
template <class Stage>
constexpr auto standalone_program(static_lowered_module<Stage>) -> static_program<detail::standalone_stage<Stage>> {
  return {};
}

}  // namespace baton
