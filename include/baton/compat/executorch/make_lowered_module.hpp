// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A lowered module made by hand: from a blob that another tool compiled, or for a test.
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

/// The lowered module that `to_backend` would give if the backend of that id had made this of the program. The id need not be known here,
/// unless the module is executed. Errors: those of `verify`, `duplicate_identifier`, `foreign_debug_handle`.
constexpr auto make_lowered_module(const exported_program& original, std::string_view backend_id, const preprocess_result& made,
                                   const compile_specs& specs = {}) -> lowered_module {
  if (auto why = verify(original)) raise(why);
  return lowered_module(value_or_raise(with_lowered_module(original, backend_id, specs, made)));
}

}  // namespace baton
