// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A debug handle map as text: `{0: (1, 2), 'tan': (5,)}`. Each entry has the identifier of an operation of a backend, and the debug handles
// of the nodes that the operation computes. A debug handle is a number that identifies a node of the model.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// Appends one entry. If the identifier is a number, `text` is null.
constexpr void append_entry(text_buffer& to, std::int64_t number, const std::string_view* text, span<const std::int64_t> handles) {
  if (to.size() > 1) append(to, ", ");
  if (text == nullptr) {
    append(to, number);
  } else {
    append(append(append(to, "'"), *text), "'");
  }
  append(to, ": (");
  for (std::size_t i = 0; i < handles.size(); ++i) append(append(to, i == 0 ? "" : ", "), handles[i]);
  append(to, handles.size() == 1 ? ",)" : ")");
}

}  // namespace detail

/// Returns the debug handle map of a `delegate_mapping_builder` or a `preprocess_result` as text, in the order of the map. Identifiers that
/// are strings are quoted.
constexpr auto print_mapping(span<const debug_map_entry> map) -> text_buffer {
  auto text = join("{");
  for (const auto& entry : map) {
    const auto identifier = view(entry.text);
    detail::append_entry(text, entry.identifier, entry.is_text ? &identifier : nullptr, entry.handles);
  }
  return append(text, "}");
}

/// Returns the debug handle map of a lowered module (nodes that a backend's `preprocess` has compiled) as text.
constexpr auto print_mapping(const lowered_module_view& module) -> text_buffer {
  auto text = join("{");
  for (const auto& entry : module.debug_handle_map()) {
    const auto identifier = module.program().text(entry.text);
    detail::append_entry(text, entry.identifier, entry.is_text ? &identifier : nullptr, module.handles(entry));
  }
  return append(text, "}");
}

}  // namespace baton
