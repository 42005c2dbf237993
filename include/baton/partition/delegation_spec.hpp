// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a tag stands for: a backend, and what it is told.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/rules.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A key and a value for a backend's `preprocess`; opaque to Baton, order and duplicates kept.
struct compile_spec {
  text_buffer key;
  text_buffer value;

  constexpr compile_spec(std::string_view key_text, std::string_view value_bytes) : key(join(key_text)), value(join(value_bytes)) {}
  friend constexpr auto operator==(const compile_spec&, const compile_spec&) -> bool = default;
};
using compile_specs = vector<compile_spec>;

/// Makes no compile specs: what is called where nobody says which.
struct no_compile_specs {
  constexpr auto operator()() const -> compile_specs { return {}; }
};

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

/// Puts compile specs into a program's pools.
constexpr auto own_compile_specs(exported_program& program, const compile_specs& specs) -> range {
  const range run{static_cast<std::uint32_t>(program.compile_specs.size()), static_cast<std::uint32_t>(specs.size())};
  for (const auto& spec : specs) {
    const auto key = own_bytes(program, view(spec.key));
    program.compile_specs.push_back({key, own_bytes(program, view(spec.value))});
  }
  return run;
}

/// Whether a tag stands for something: it has a delegation spec. Any other delegates nothing.
constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != tag{}.order; }

}  // namespace detail

}  // namespace baton
