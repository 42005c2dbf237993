// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compile specs: key-value pairs that are passed to a backend's `preprocess`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <string_view>

namespace baton {

/// A key-value pair that is passed to a backend's `preprocess`. Baton does not interpret the pair. A list of compile specs keeps its order
/// and its duplicates.
struct compile_spec {
  text_buffer key;
  text_buffer value;

  constexpr compile_spec(std::string_view key_text, std::string_view value_bytes) : key(join(key_text)), value(join(value_bytes)) {}
  friend constexpr auto operator==(const compile_spec&, const compile_spec&) -> bool = default;
};
using compile_specs = vector<compile_spec>;

/// A callable that returns no compile specs: the default of partitioners and of `to_backend`.
struct no_compile_specs {
  constexpr auto operator()() const -> compile_specs { return {}; }
};

}  // namespace baton
