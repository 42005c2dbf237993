// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds the tags of a partition result by name, in constant time: a partitioner may name its tag once a node.
#pragma once

#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
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

/// A table of tags by the hashes of their names, with open addressing and at most half full.
class tag_names {
 public:
  /// The tag of that name, null if there is none. Programs may be changed by hand: a tag that has gone is not found.
  constexpr auto find(const program_view& program, std::string_view name, std::uint64_t hash) -> named_tag* {
    if (slots_.empty()) return nullptr;
    for (auto at = first_slot(hash); slots_[at].id != none<tag_id>; at = next_slot(at)) {
      const auto& slot = slots_[at];
      if (slot.hash == hash && index(slot.id) < program.tags.size() && program.text(program[slot.id].name) == name) return &slots_[at];
    }
    return nullptr;
  }

  constexpr auto add(const named_tag& added) -> named_tag& {
    if (2 * ++count_ > slots_.size()) grow();
    return insert(added);
  }

 private:
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

  vector<named_tag> slots_;  ///< none or a power of two
  std::size_t count_ = 0;
};

}  // namespace baton::detail
