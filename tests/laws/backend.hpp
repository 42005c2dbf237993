// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of backends: what every model must do with every part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/backend.hpp>
#include <baton/partition/partitioner.hpp>

#include <algorithm>
#include <cstddef>

namespace laws::backend {

/// Equal parts and specs give equal results.
template <baton::backend Model>
constexpr auto is_a_function_of_part_and_specs(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  const baton::result<baton::preprocess_result> once = Model::preprocess(part, specs);
  const baton::result<baton::preprocess_result> again = Model::preprocess(part, specs);
  if (!once || !again) return once.error.rule == again.error.rule && once.error.reason == again.error.reason;
  const auto& a = once.value;
  const auto& b = again.value;
  const auto same_entry = [](const baton::debug_map_entry& left, const baton::debug_map_entry& right) {
    return left.identifier == right.identifier && left.text == right.text && left.is_text == right.is_text && left.handles == right.handles;
  };
  return a.processed_bytes == b.processed_bytes && a.scratch_bytes == b.scratch_bytes &&
         std::equal(a.debug_handle_map.begin(), a.debug_handle_map.end(), b.debug_handle_map.begin(), b.debug_handle_map.end(), same_entry);
}

/// The debug handles that it names are those of the part's nodes, and each entry's ascend.
template <baton::backend Model>
constexpr auto names_handles_of_the_part(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  const baton::result<baton::preprocess_result> made = Model::preprocess(part, specs);
  for (const auto& entry : made.value.debug_handle_map) {
    for (std::size_t i = 0; i < entry.handles.size(); ++i) {
      if (i > 0 && entry.handles[i - 1] >= entry.handles[i]) return false;
      const auto is_it = [&](const baton::node& candidate) { return candidate.debug_handle == entry.handles[i]; };
      if (std::none_of(part.nodes.begin(), part.nodes.end(), is_it)) return false;
    }
  }
  return true;
}

/// A refusal says which rule, and why.
template <baton::backend Model>
constexpr auto a_refusal_has_a_reason(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  const baton::result<baton::preprocess_result> made = Model::preprocess(part, specs);
  return made || (made.error.rule.starts_with("baton ") && !made.error.reason.empty());
}

template <baton::backend Model>
constexpr auto all(const baton::exported_program& part, const baton::compile_specs& specs = {}) -> bool {
  return is_a_function_of_part_and_specs<Model>(part, specs) && names_handles_of_the_part<Model>(part, specs) &&
         a_refusal_has_a_reason<Model>(part, specs);
}

}  // namespace laws::backend
