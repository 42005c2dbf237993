// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The names of the tags of a partition result. Nodes with the same tag become one delegate. A lookup is O(1), because a partitioner may
// look up a tag for each node.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// The names of tags, indexed by tag id. The tags of the input program come first, then the added tags. `find` returns only added tags. The
/// names of added tags are in a hash table with open addressing, which is at most half full. `note` is a number that the caller can store
/// with each tag.
class tag_names {
 public:
  constexpr tag_names() = default;
  constexpr explicit tag_names(const program_view& program) {
    for (const auto& record : program.tags) own(program.text(record.name), 0);
    earlier_ = names_.size();
  }

  constexpr auto size() const -> std::size_t { return names_.size(); }
  constexpr auto name(tag_id id) const -> std::string_view {
    const auto text = names_[index(id)].text;
    return {bytes_.data() + text.first, text.size};
  }
  constexpr auto note(tag_id id) -> std::uint32_t& { return names_[index(id)].note; }
  /// True if a tag was added; false if it is from the input program.
  constexpr auto was_added(tag_id id) const -> bool { return index(id) >= earlier_; }
  constexpr void reserve(std::size_t tags) { names_.reserve(tags); }

  /// Returns the added tag with this name, or `none`.
  constexpr auto find(std::string_view wanted) const -> tag_id {
    return slots_.empty() ? none<tag_id> : slots_[slot_of(wanted, hash_of(wanted))];
  }
  /// Returns the added tag with this name. Adds the tag first if it does not exist. `wanted` may be a view of a name in this object.
  constexpr auto find_or_add(std::string_view wanted) -> tag_id {
    if (2 * (names_.size() - earlier_ + 1) > slots_.size()) grow();
    const auto hash = hash_of(wanted);
    auto& slot = slots_[slot_of(wanted, hash)];
    if (slot != none<tag_id>) return slot;
    own(wanted, hash);
    return slot = static_cast<tag_id>(names_.size() - 1);
  }

 private:
  struct named_tag {
    range text;
    std::uint64_t hash = 0;
    std::uint32_t note = npos;
  };

  constexpr void own(std::string_view text, std::uint64_t hash) {
    names_.push_back({{static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(text.size())}, hash});
    vector<char> earlier;  // keeps the old bytes until `text` is copied, because `text` may be a view of these bytes
    if (bytes_.size() + text.size() > bytes_.capacity()) {
      earlier.swap(bytes_);
      bytes_.reserve(2 * (earlier.size() + text.size()));
      bytes_.insert(bytes_.end(), earlier.begin(), earlier.end());
    }
    bytes_.insert(bytes_.end(), text.data(), text.data() + text.size());
  }

  /// Returns the slot of a name. If no slot contains the name, returns the empty slot in which to store the name.
  constexpr auto slot_of(std::string_view wanted, std::uint64_t hash) const -> std::size_t {
    const auto is_other = [&](tag_id id) { return id != none<tag_id> && (names_[index(id)].hash != hash || name(id) != wanted); };
    auto at = static_cast<std::size_t>(hash) & (slots_.size() - 1);
    while (is_other(slots_[at])) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  constexpr void grow() {
    slots_.assign(slots_.empty() ? 8 : 2 * slots_.size(), none<tag_id>);
    for (auto t = static_cast<std::uint32_t>(earlier_); t < names_.size(); ++t)
      slots_[slot_of(name(tag_id{t}), names_[t].hash)] = tag_id{t};
  }

  vector<char> bytes_;
  vector<named_tag> names_;  ///< indexed by tag
  vector<tag_id> slots_;     ///< the size is 0 or a power of two
  std::size_t earlier_ = 0;  ///< the number of tags of the input program
};

}  // namespace baton::detail
