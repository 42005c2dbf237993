// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builds a lowered module (nodes that a backend's `preprocess` has compiled) from a `preprocess_result`. The caller provides the result,
// for example in a test, or with processed bytes from another tool.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/lower_by_id.hpp>
#include <baton/operators/verify.hpp>

#include <string_view>

namespace baton {

/// Returns the lowered module that `to_backend` would return if the backend's `preprocess` returned `preprocessed`. The backend is required
/// only if the module is executed. Raises the failures of `verify`, and `malformed_packing`, `duplicate_identifier` or
/// `foreign_debug_handle`.
constexpr auto make_lowered_module(const exported_program& original, std::string_view backend_id, const preprocess_result& preprocessed,
                                   const compile_specs& specs = {}) -> lowered_module {
  if (auto why = verify(original)) raise(why);
  return lowered_module(value_or_raise(with_lowered_module(original, backend_id, specs, preprocessed)));
}

}  // namespace baton
