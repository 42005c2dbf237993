// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Moves named data (bytes that delegates look up by key) from a program to external files of bounded size.
#pragma once

#include <baton/backend/named_data.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/compat/executorch/sha256.hpp>
#include <baton/compat/executorch/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// A packing of buffers into shards (external files), in the order of the buffers' keys. A buffer that does not fit into the current shard
/// begins a new shard.
class named_data_sharding {
 public:
  constexpr named_data_sharding(named_data_store& store, std::uint64_t cap, std::string_view prefix)
      : store_(store),
        cap_(cap),
        prefix_(prefix) {}

  constexpr auto run() -> failure {
    if (auto why = find_groups()) return why;
    if (groups_.empty()) return {};
    sort(groups_.begin(), groups_.end(), [this](const group& a, const group& b) {
      return std::lexicographical_compare(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                                          [this](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
    });
    pack();
    const auto before = store_.external_tags();
    for (const auto& each : shards_) {
      if (std::find(before.begin(), before.end(), view(each.tag)) != before.end()) {
        return broken<"external_tag_collision">("tag ", view(each.tag));
      }
    }
    move_entries();
    return {};
  }

 private:
  /// The size of a buffer in bytes, and its entries that are not yet external, sorted by key. An entry is an index in
  /// `named_data_store::entries_`.
  struct group {
    std::uint64_t size = 0;
    vector<std::uint32_t> entries;
  };
  struct shard {
    text_buffer tag;
    vector<std::uint32_t> entries;
  };

  constexpr auto key(std::uint32_t entry) const -> std::string_view { return view(store_.entries_[entry].key); }
  constexpr void sort_by_key(vector<std::uint32_t>& entries) const {
    sort(entries.begin(), entries.end(), [this](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  }

  constexpr auto find_groups() -> failure {
    vector<group> groups(store_.buffer_count(), group{});
    for (const auto entry : store_.by_key_) {
      const auto& record = store_.entries_[entry];
      if (record.external_tag.empty()) groups[record.buffer].entries.push_back(entry);
    }
    for (std::uint32_t buffer = 0; buffer < groups.size(); ++buffer) {
      auto& candidate = groups[buffer];
      if (candidate.entries.empty()) continue;
      candidate.size = store_.bytes(buffer).size();
      if (candidate.size > cap_)
        return broken<"oversize_named_data">("buffer ", buffer, " has ", candidate.size, " bytes, the cap is ", cap_);
      groups_.push_back(std::move(candidate));
    }
    return {};
  }

  constexpr void pack() {
    std::uint64_t size = 0;
    for (const auto& each : groups_) {
      if (shards_.empty() || each.size > cap_ - size) {
        shards_.emplace_back();
        size = 0;
      }
      size += each.size;
      auto& entries = shards_.back().entries;
      entries.insert(entries.end(), each.entries.begin(), each.entries.end());
    }
    for (auto& each : shards_) {
      sort_by_key(each.entries);
      each.tag = tag_of(each.entries);
    }
  }

  constexpr auto tag_of(const vector<std::uint32_t>& entries) const -> text_buffer {
    text_buffer keys;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i != 0) keys.push_back('\0');
      append(keys, key(entries[i]));
    }
    return join(prefix_, "_", view(sha256_text(view(keys))));
  }

  /// Rebuilds the list of entries: first the entries that were already external, in the previous order, then the entries of the shards.
  constexpr void move_entries() {
    vector<named_data_store::entry> moved;
    for (auto& entry : store_.entries_) {
      if (!entry.external_tag.empty()) moved.push_back(entry);
    }
    for (const auto& each : shards_) {
      for (const auto i : each.entries) {
        moved.push_back(store_.entries_[i]);
        moved.back().external_tag = each.tag;
      }
    }
    store_.entries_ = std::move(moved);
    for (std::uint32_t i = 0; i < store_.by_key_.size(); ++i) store_.by_key_[i] = i;
    sort_by_key(store_.by_key_);
  }

  named_data_store& store_;
  std::uint64_t cap_;
  std::string_view prefix_;
  vector<group> groups_;
  vector<shard> shards_;
};

}  // namespace detail

/// Assigns the named data of `store` to external files (shards) of at most `cap` bytes each. Data that is already external is not changed.
/// A buffer with several keys counts once. The tag of a shard (`external_tag`, the name of the file) is `prefix`, `_`, and the SHA-256 of
/// the shard's sorted keys joined by zero bytes. The shards do not depend on the order in which the data was inserted. A second call
/// changes nothing, because all data is then external.
///
/// If a call fails, the store does not change. The failures are:
/// - `malformed_shard_cap`: `cap` is not a positive integer.
/// - `empty_shard_prefix`: `prefix` is empty.
/// - `oversize_named_data`: a buffer is larger than `cap`.
/// - `external_tag_collision`: an external file of the store already has the tag of a new shard.
template <class Cap>
[[nodiscard]] constexpr auto externalize(named_data_store& store, Cap cap, std::string_view prefix) -> failure {
  if constexpr (!std::integral<Cap> || std::same_as<Cap, bool>) {
    rule<"malformed_shard_cap">::report<error_facts<of_type<Cap>>>();
    return broken<"malformed_shard_cap">();
  } else {
    if (cap <= 0) return broken<"malformed_shard_cap">("cap ", cap);
    if (prefix.empty()) return broken<"empty_shard_prefix">();
    return detail::named_data_sharding(store, static_cast<std::uint64_t>(cap), prefix).run();
  }
}

}  // namespace baton
