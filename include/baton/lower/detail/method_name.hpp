// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Names the root graph of a program after its method. Delegates receive this name.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/static_program.hpp>

#include <string_view>
#include <type_traits>

namespace baton::detail {

/// True if the program has delegates and the name of its root graph is not `method`.
constexpr auto needs_method_name(const program_view& program, std::string_view method) -> bool {
  return !program.delegates.empty() && program.text(program.root().name) != method;
}

/// Names the root graph after the method. A program without delegates does not change, because no delegate reads the name.
constexpr void set_root_graph_name(exported_program& program, std::string_view method) {
  if (needs_method_name(program, method)) program.graphs[0].name = own_bytes(program, method);
}

/// A stage (a callable that the compiler evaluates to a program) that names the root graph of a static program after a method. The new
/// stage inherits the other members of `Stage`, for example the list of backends.
template <class Name, class Stage>
struct method_name_stage : Stage {
  static constexpr bool stages_are_valid = static_program<Stage>::is_valid;
  constexpr auto operator()() const -> exported_program {
    auto named = thaw(static_program<Stage>::value());
    set_root_graph_name(named, to_text(Name{}));
    return named;
  }
};

/// Computes the static program `type` of the method `Name` from the program of `Stage`. The root graph is renamed to `Name` if the program
/// has delegates and this graph has a different name.
template <class Name, class Stage>
struct method_program {
  static constexpr auto needs_name() -> bool {
    if constexpr (static_program<Stage>::is_valid) return needs_method_name(static_program<Stage>::value(), to_text(Name{}));
    return false;
  }
  using type = typename std::conditional_t<needs_name(), std::type_identity<static_program<method_name_stage<Name, Stage>>>,
                                           std::type_identity<static_program<Stage>>>::type;
};

}  // namespace baton::detail
