// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A builder of the map from a backend's identifiers to debug handles (the numbers that identify nodes of the model).
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace baton {

/// A builder of a debug handle map (a delegate mapping). An identifier with several nodes means that the backend fused the nodes. A node
/// with several identifiers means that the backend decomposed the node. If an insert fails, the map and the next generated identifier do
/// not change.
class delegate_mapping_builder {
 public:
  /// A delegate debug identifier: the number or the string with which a backend identifies one of its operations.
  struct debug_identifier {
    std::int64_t number = 0;
    std::string_view text{};
    bool is_text = false;

    constexpr debug_identifier(std::int64_t identifier) : number(identifier) {}                   // NOLINT(google-explicit-constructor)
    constexpr debug_identifier(std::string_view identifier) : text(identifier), is_text(true) {}  // NOLINT(google-explicit-constructor)
    constexpr debug_identifier(const char* identifier) : text(identifier), is_text(true) {}       // NOLINT(google-explicit-constructor)
  };

  /// The sources of an entry: either nodes or debug handles. A node contributes its debug handle unless the handle is 0. In `handles`,
  /// entries of `std::nullopt` are skipped, and 0 is a valid handle.
  struct sources {
    span<const node> nodes{};
    span<const std::optional<std::int64_t>> handles{};
  };

  /// One of several nodes of an entry. The nodes need not be adjacent. Only the debug handle of the node is used.
  struct fused_node {
    std::int64_t debug_handle = 0;

    constexpr fused_node(const node& source) : debug_handle(source.debug_handle) {}  // NOLINT(google-explicit-constructor)
  };

  /// The source of the identifiers. `given`: the caller passes an identifier to each insert. `generated`: the builder counts from 0.
  enum class identifiers : bool { given, generated };

  constexpr explicit delegate_mapping_builder(identifiers mode = identifiers::given) : mode_(mode) {}

  /// Adds an entry and returns its position in the map. In generated mode, the position is the identifier. The conditions of failures are
  /// checked in this order:
  /// - `generated_identifier`: an identifier is passed in generated mode.
  /// - `duplicate_identifier`: the map already has the identifier.
  /// - `nodes_or_handles`: `nodes` and `handles` are both empty, or both not empty.
  /// - `missing_identifier`: no identifier is passed in given mode.
  /// - `no_debug_handle`: the sources have no debug handle.
  constexpr auto insert(const sources& from, std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    vector<std::int64_t> handles;
    for (const auto& source : from.nodes) add_handle(source.debug_handle, handles);
    for (const auto& handle : from.handles) {
      if (handle) handles.push_back(*handle);
    }
    return insert_entry(from.nodes.empty() != from.handles.empty(), std::move(handles), identifier);
  }
  /// Adds an entry for one node.
  constexpr auto insert(const node& from, std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    return insert(sources{{&from, 1}, {}}, identifier);
  }
  /// Adds an entry for nodes that need not be adjacent: `insert({conv, relu})`.
  constexpr auto insert(std::initializer_list<fused_node> from, std::optional<debug_identifier> identifier = std::nullopt)
      -> result<std::int64_t> {
    vector<std::int64_t> handles;
    for (const auto& source : from) add_handle(source.debug_handle, handles);
    return insert_entry(from.size() != 0, std::move(handles), identifier);
  }
  /// Adds an entry for debug handles: `insert_handles({1, 2})`.
  constexpr auto insert_handles(std::initializer_list<std::optional<std::int64_t>> from,
                                std::optional<debug_identifier> identifier = std::nullopt) -> result<std::int64_t> {
    return insert(sources{{}, {from.begin(), from.size()}}, identifier);
  }

  /// Returns the entries of the map, in insertion order.
  constexpr auto entries() const -> const vector<debug_map_entry>& { return entries_; }

 private:
  template <fixed_string Rule>
  static constexpr auto broken_identifier(const debug_identifier& identifier) -> failure {
    if (identifier.is_text) return broken<Rule>("identifier ", identifier.text);
    return broken<Rule>("identifier ", identifier.number);
  }
  constexpr auto contains(const debug_identifier& identifier) const -> bool {
    return std::any_of(entries_.begin(), entries_.end(), [&](const debug_map_entry& entry) {
      return entry.is_text == identifier.is_text &&
             (entry.is_text ? view(entry.text) == identifier.text : entry.identifier == identifier.number);
    });
  }
  static constexpr void add_handle(std::int64_t handle, vector<std::int64_t>& to) {
    if (handle != 0) to.push_back(handle);
  }

  constexpr auto insert_entry(bool is_of_one_kind, vector<std::int64_t> handles, const std::optional<debug_identifier>& identifier)
      -> result<std::int64_t> {
    if (mode_ == identifiers::generated && identifier) return broken_identifier<"generated_identifier">(*identifier);
    if (identifier && contains(*identifier)) return broken_identifier<"duplicate_identifier">(*identifier);
    if (!is_of_one_kind) return broken<"nodes_or_handles">();
    if (mode_ == identifiers::given && !identifier) return broken<"missing_identifier">();
    if (handles.empty()) return broken<"no_debug_handle">();
    sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    const auto position = static_cast<std::int64_t>(entries_.size());
    debug_map_entry entry;
    entry.identifier = identifier ? identifier->number : position;
    if (identifier && identifier->is_text) {
      entry.text = join(identifier->text);
      entry.is_text = true;
    }
    entry.handles = std::move(handles);
    entries_.push_back(std::move(entry));
    return position;
  }

  identifiers mode_;
  vector<debug_map_entry> entries_;
};

}  // namespace baton
