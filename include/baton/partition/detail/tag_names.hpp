// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The names of the tags of a partition result, found in constant time: a partitioner may name its tag once a node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A tag that was added, the hash of its name, and the position of its spec among the partition tags.
struct named_tag {
  tag_id id = none<tag_id>;
  std::uint32_t spec = npos;
  std::uint64_t hash = 0;
};

/// Names by tag: those that the program came with, which nobody finds by name, then those that were added. These stand in a table by the
/// hashes of their names, with open addressing and at most half full.
class tag_names {
 public:
  constexpr tag_names() = default;
  constexpr explicit tag_names(const program_view& program) {
    for (const auto& record : program.tags) own(program.text(record.name));
  }

  constexpr auto size() const -> std::size_t { return names_.size(); }
  constexpr auto name(tag_id id) const -> std::string_view { return {bytes_.data() + names_[index(id)].first, names_[index(id)].size}; }
  /// Whether a tag was added, or none: the program did not come with it.
  constexpr auto was_added(tag_id id) const -> bool { return index(id) >= names_.size() - count_; }
  constexpr void reserve(std::size_t tags) { names_.reserve(tags); }

  /// The tag of that name, null if none was added.
  constexpr auto find(std::string_view wanted, std::uint64_t hash) const -> const named_tag* {
    if (slots_.empty()) return nullptr;
    const auto& found = slots_[slot_of(wanted, hash)];
    return found.id != none<tag_id> ? &found : nullptr;
  }
  constexpr auto find(std::string_view wanted, std::uint64_t hash) -> named_tag* {
    if (slots_.empty()) return nullptr;
    auto& found = slots_[slot_of(wanted, hash)];
    return found.id != none<tag_id> ? &found : nullptr;
  }

  /// Adds a tag of a name that was not added yet; it may lie among these.
  constexpr auto add(std::string_view added, std::uint64_t hash) -> named_tag& {
    own(added);
    if (2 * ++count_ > slots_.size()) grow();
    return insert({.id = static_cast<tag_id>(names_.size() - 1), .hash = hash});
  }

 private:
  constexpr void own(std::string_view text) {
    names_.push_back({static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(text.size())});
    vector<char> earlier;  // until the text is copied, which may stand in it
    if (bytes_.size() + text.size() > bytes_.capacity()) {
      earlier.swap(bytes_);
      bytes_.reserve(2 * (earlier.size() + text.size()));
      bytes_.insert(bytes_.end(), earlier.begin(), earlier.end());
    }
    bytes_.insert(bytes_.end(), text.data(), text.data() + text.size());
  }

  /// Where a name stands, or the empty slot where it would.
  constexpr auto slot_of(std::string_view wanted, std::uint64_t hash) const -> std::size_t {
    auto at = first_slot(hash);
    while (slots_[at].id != none<tag_id> && (slots_[at].hash != hash || name(slots_[at].id) != wanted)) at = next_slot(at);
    return at;
  }
  constexpr auto first_slot(std::uint64_t hash) const -> std::size_t { return static_cast<std::size_t>(hash) & (slots_.size() - 1); }
  constexpr auto next_slot(std::size_t at) const -> std::size_t { return (at + 1) & (slots_.size() - 1); }

  constexpr void grow() {
    const auto earlier = std::exchange(slots_, vector<named_tag>(slots_.empty() ? 8 : 2 * slots_.size(), named_tag{}));
    for (const auto& slot : earlier) {
      if (slot.id != none<tag_id>) insert(slot);
    }
  }
  constexpr auto insert(const named_tag& named) -> named_tag& {
    auto at = first_slot(named.hash);
    while (slots_[at].id != none<tag_id>) at = next_slot(at);
    return slots_[at] = named;
  }

  vector<char> bytes_;
  vector<range> names_;      ///< by tag, in the bytes
  vector<named_tag> slots_;  ///< none or a power of two
  std::size_t count_ = 0;
};

}  // namespace baton::detail
