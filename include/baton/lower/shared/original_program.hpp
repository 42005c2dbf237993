// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The original program of a lowered module. A lowered module is the nodes that a backend's `preprocess` has compiled; the original program
// consists of these nodes before `preprocess`.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/graph/copy.hpp>

namespace baton {

/// Returns the program that was passed to the backend's `preprocess`. Its placeholders are the parameters, buffers and constants that the
/// lowered part owns, then the arguments of the delegate call as user inputs. With `source_bytes::kept`, texts and data are not copied, and
/// the module must outlive the returned program.
constexpr auto original_program(const lowered_module_view& module, source_bytes bytes = source_bytes::copied) -> exported_program {
  program_builder to;
  program_copier copier(module.program(), to, bytes);
  to.draft().graphs[0].name = copier.copy(module.program()[module.original()].name);
  copier.copy_into(module.original());
  return to.finish();
}

namespace detail {

/// The stage (a callable that the compiler evaluates to a program) that computes the original program of the lowered module
/// `Module::view()`.
template <class Module>
struct original_stage {
  static constexpr bool stages_are_valid = true;
  constexpr auto operator()() const -> exported_program { return original_program(Module::view(), source_bytes::kept); }
};

}  // namespace detail

/// The original program of the lowered module `Module::view()` at compile time. `Module` may be a `static_lowered_module`.
template <class Module>
using static_original_program = static_program<detail::original_stage<Module>>;

}  // namespace baton
