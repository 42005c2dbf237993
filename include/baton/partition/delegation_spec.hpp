// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a tag stands for: a backend, and the compile specs for it.
#pragma once

#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/rules.hpp>

#include <string_view>
#include <utility>

namespace baton {

/// What a tag stands for: a backend, by id, and the compile specs that it is given.
struct delegation_spec {
  text_buffer backend_id;
  baton::compile_specs compile_specs;

  constexpr explicit delegation_spec(std::string_view id, baton::compile_specs specs = {})
      : backend_id(join(id)),
        compile_specs(std::move(specs)) {}
  friend constexpr auto operator==(const delegation_spec&, const delegation_spec&) -> bool = default;
};

namespace detail {

/// The failure of a tag that stands for one spec, and is given another.
constexpr auto check_same_spec(std::string_view tag, const delegation_spec& first, const delegation_spec& second) -> failure {
  if (first == second) return {};
  auto why = broken<rule::conflicting_tag>("the compile specs are others");
  if (first.backend_id != second.backend_id) why.reason = join("it stands for ", view(first.backend_id));
  why.tag = join(tag);
  why.backend = second.backend_id;
  return why;
}

}  // namespace detail

/// Whether a tag stands for something: it has a delegation spec. Any other delegates nothing.
constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != tag{}.order; }

}  // namespace baton
