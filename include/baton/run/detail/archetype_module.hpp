// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A lowered module for checks of function signatures.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>

namespace baton::detail {

/// A lowered module with one node, against which backends are checked.
struct archetype_module {
  struct make {
    static constexpr bool stages_are_valid = true;
    constexpr auto operator()() const -> exported_program {
      program_builder build;
      build.output(build.call("archetype.copy", {build.user_input("x", tensor(dtype::int8, 1))}, tensor(dtype::int8, 1)));
      build.draft().delegates.push_back({.original = graph_id{0}});
      return build.finish();
    }
  };
  // `view` is a template, so that the program is computed only if a backend is checked against this module.
  template <class Stage = make>
  static constexpr auto view() -> lowered_module_view {
    return {static_program<Stage>::value(), delegate_id{0}};
  }
};

}  // namespace baton::detail
