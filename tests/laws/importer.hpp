// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of importers: what every model must do with every sequence of bytes.
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/importer.hpp>
#include <baton/operators/verify.hpp>

#include <cstddef>
#include <functional>

namespace laws::importer {

/// A model that is made verifies; one that is not made says why, and leaves nothing behind.
template <baton::importer Model>
constexpr auto reads_well_or_says_why(baton::span<const char> bytes) -> bool {
  const baton::result<baton::exported_program> made = Model::read(bytes);
  if (made) return !baton::verify(made.value);
  return !baton::message(made.error).empty() && made.value.graphs.empty();
}

/// What is not recognized is refused.
template <baton::importer Model>
constexpr auto refuses_what_it_does_not_recognize(baton::span<const char> bytes) -> bool {
  return Model::recognizes(bytes) || !Model::read(bytes);
}

/// The same bytes give the same program. Of a program that holds a real number that is none, say nothing: it equals not even itself.
template <baton::importer Model>
constexpr auto is_a_function_of_the_bytes(baton::span<const char> bytes) -> bool {
  const baton::result<baton::exported_program> once = Model::read(bytes);
  const baton::result<baton::exported_program> again = Model::read(bytes);
  return static_cast<bool>(once) == static_cast<bool>(again) && baton::same(once.value, again.value) &&
         baton::message(once.error) == baton::message(again.error);
}

/// Owned data, and nothing else, have bytes, which lie within the file.
template <baton::importer Model>
constexpr auto data_are_views(baton::span<const char> bytes) -> bool {
  const baton::result<baton::exported_program> made = Model::read(bytes);
  for (const auto& value : made.value.values) {
    const auto data = made.value.data(value.data);
    if (data.empty()) continue;
    const std::less_equal<const char*> no_later;  // also where the pointers are into different arrays
    const bool inside = no_later(bytes.data(), data.data()) && no_later(data.data() + data.size(), bytes.data() + bytes.size());
    if (!inside || !baton::is_owned_data(value.kind)) return false;
  }
  return true;
}

template <baton::importer Model>
constexpr auto all(baton::span<const char> bytes) -> bool {
  return reads_well_or_says_why<Model>(bytes) && refuses_what_it_does_not_recognize<Model>(bytes) &&
         is_a_function_of_the_bytes<Model>(bytes) && data_are_views<Model>(bytes);
}

}  // namespace laws::importer
