// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Preprocesses the parts (the nodes of a graph that become one delegate) of several methods one by one.
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

/// Preprocesses the parts of several methods one by one with `Backend::preprocess`. Use this function to implement
/// `preprocess_multimethod`. Fails with `unmatched_specs` if `specs` has no list for a method, or if the sizes of the method's lists in
/// `parts` and `specs` differ. Also fails as the backend does.
template <backend Backend>
constexpr auto preprocess_each(const by_method<exported_program>& parts, const by_method<compile_specs>& specs)
    -> result<by_method<preprocess_result>> {
  const auto in_method = [](failure why, const text_buffer& method) {
    why.method = method;
    why.backend = join(to_text(Backend::id));
    return why;
  };
  by_method<preprocess_result> all_results;
  for (const auto& [method, programs] : parts) {
    const auto* specs_of_method = specs.find(view(method));
    if (specs_of_method == nullptr) return in_method(broken<"unmatched_specs">("it has no list of compile specs"), method);
    if (specs_of_method->size() != programs.size()) {
      return in_method(broken<"unmatched_specs">("the number of parts is ", programs.size(), ", the number of lists of compile specs is ",
                                                 specs_of_method->size()),
                       method);
    }
    auto& results = all_results[view(method)];
    for (std::size_t i = 0; i < programs.size(); ++i) {
      result<preprocess_result> preprocessed = Backend::preprocess(programs[i], (*specs_of_method)[i]);
      if (!preprocessed) return in_method(std::move(preprocessed.error), method);
      results.push_back(std::move(preprocessed.value));
    }
  }
  return all_results;
}

}  // namespace baton
