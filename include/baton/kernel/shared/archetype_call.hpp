// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A node call for checking the signatures of a kernel's functions.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_call.hpp>

#include <cstdint>

namespace baton {

namespace detail {

struct make_archetype_program {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    build.output(build.call("archetype.copy", {build.user_input("x", tensor(dtype::int8, 1))}, tensor(dtype::int8, 1)));
    return build.finish();
  }
};
struct archetype_memory_map {
  template <value_id>
  static auto address(char* arena) -> const char* {
    return arena;
  }
  template <value_id>
  static auto writable(char* arena) -> char* {
    return arena;
  }
  static constexpr auto order_of(std::uint32_t) -> write_order { return write_order::ascending; }
  template <std::uint32_t>
  static auto scratch(char* arena) -> span<char> {
    return {arena, 0};
  }
  template <std::uint32_t>
  static constexpr auto prepared() -> span<const char> {
    return {};
  }
};
}  // namespace detail

/// A call of a node with one operand and one output. It is used only to check the signatures of a kernel's functions.
using archetype_call = node_call<static_program<detail::make_archetype_program>, 0, detail::archetype_memory_map>;

}  // namespace baton
