// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of importers, which every model must keep for every sequence of bytes.
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

/// An imported program verifies. A failure has a message, and leaves no program.
template <baton::importer Model>
constexpr auto result_is_valid(baton::span<const char> bytes) -> bool {
  const baton::result<baton::exported_program> imported = Model::read(bytes);
  if (imported) return !baton::verify(imported.value);
  return !baton::message(imported.error).empty() && imported.value.graphs.empty();
}

/// Bytes that are not recognized are refused.
template <baton::importer Model>
constexpr auto rejects_unrecognized_bytes(baton::span<const char> bytes) -> bool {
  return Model::recognizes(bytes) || !Model::read(bytes);
}

/// The same bytes produce the same program. Not for programs with a NaN, which does not equal itself.
template <baton::importer Model>
constexpr auto is_deterministic(baton::span<const char> bytes) -> bool {
  const baton::result<baton::exported_program> once = Model::read(bytes);
  const baton::result<baton::exported_program> again = Model::read(bytes);
  return static_cast<bool>(once) == static_cast<bool>(again) && baton::same(once.value, again.value) &&
         baton::message(once.error) == baton::message(again.error);
}

/// Only owned data have bytes, and the bytes are inside the file. An importer may add small constants, such as the order of a transpose.
template <baton::importer Model>
constexpr auto data_are_views(baton::span<const char> bytes) -> bool {
  const baton::result<baton::exported_program> imported = Model::read(bytes);
  for (const auto& value : imported.value.values) {
    const auto data = imported.value.data(value.data);
    if (data.empty()) continue;
    const std::less_equal<const char*> no_later;  // also for pointers into different arrays
    const bool is_small = value.kind == baton::value_kind::constant && value.data.outside == nullptr && data.size() <= 64;
    const bool inside =
        is_small || (no_later(bytes.data(), data.data()) && no_later(data.data() + data.size(), bytes.data() + bytes.size()));
    if (!inside || !baton::is_owned_data(value.kind)) return false;
  }
  return true;
}

template <baton::importer Model>
constexpr auto all(baton::span<const char> bytes) -> bool {
  return result_is_valid<Model>(bytes) && rejects_unrecognized_bytes<Model>(bytes) && is_deterministic<Model>(bytes) &&
         data_are_views<Model>(bytes);
}

}  // namespace laws::importer
