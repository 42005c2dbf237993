// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts of several methods, preprocessed one by one.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/compat/executorch/shared/rules.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <utility>

namespace baton {

/// Has a backend preprocess part by part, method by method: what is done for a backend that has no `preprocess_multimethod`, for one that
/// has to build upon. Errors: `unmatched_specs`, and the backend's own.
template <backend Backend>
constexpr auto preprocess_each(const by_method<exported_program>& parts, const by_method<compile_specs>& specs)
    -> result<by_method<preprocess_result>> {
  const auto in_method = [](failure why, const text_buffer& method) {
    why.method = method;
    why.backend = join(to_text(Backend::id));
    return why;
  };
  by_method<preprocess_result> made;
  for (const auto& [method, programs] : parts) {
    const auto* given = specs.find(view(method));
    if (given == nullptr) return in_method(broken<"unmatched_specs">("it has no list of compile specs"), method);
    if (given->size() != programs.size()) {
      return in_method(broken<"unmatched_specs">(programs.size(), " parts, compile specs for ", given->size()), method);
    }
    auto& results = made[view(method)];
    for (std::size_t i = 0; i < programs.size(); ++i) {
      result<preprocess_result> one = Backend::preprocess(programs[i], (*given)[i]);
      if (!one) return in_method(std::move(one.error), method);
      results.push_back(std::move(one.value));
    }
  }
  return made;
}

}  // namespace baton
