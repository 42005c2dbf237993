// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compile specs: what a backend is told when it preprocesses a part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <string_view>

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

}  // namespace baton
