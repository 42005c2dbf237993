// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The part that a lowered module was made from, as a program of its own.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/graph/copy.hpp>

namespace baton {

/// What a backend's `preprocess` was given: owned parameters, buffers and constants, then the arguments as user inputs, as `extract` has
/// them. With `source_bytes::kept`, texts and data stay where the module, which must then outlive the program, has them.
constexpr auto original_program(const lowered_module_view& module, source_bytes bytes = source_bytes::copied) -> exported_program {
  program_builder to;
  program_copier copier(module.program(), to, bytes);
  to.draft().graphs[0].name = copier.copy(module.program()[module.original()].name);
  copier.copy_into(module.original());
  return to.finish();
}

namespace detail {

/// The part of the lowered module that `Module::view()` has.
template <class Module>
struct original_stage {
  static constexpr bool stages_are_valid = true;
  constexpr auto operator()() const -> exported_program { return original_program(Module::view(), source_bytes::kept); }
};

}  // namespace detail

/// The same in the compiler: `Module::view()` is a lowered module, as a `static_lowered_module` has.
template <class Module>
using static_original_program = static_program<detail::original_stage<Module>>;

}  // namespace baton
