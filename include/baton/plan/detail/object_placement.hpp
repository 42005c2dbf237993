// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placing in objects of memory, as ExecuTorch does.
#pragma once

#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/lifetime_index.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::detail {

/// Objects of memory as ExecuTorch's greedy planner opens them.
class object_placement {
 public:
  constexpr explicit object_placement(span<const lifetime> needs)
      : needs_(needs),
        index_(needs),
        object_of_(needs.size(), 0),
        offset_in_object_(needs.size(), 0) {}

  constexpr auto run(span<const std::uint32_t> order) -> memory_layout {
    for (const auto entry : order) place(entry);
    vector<std::uint64_t> base;
    memory_layout made;
    for (const auto size : sizes_) {
      base.push_back(made.bytes);
      made.bytes += size;
    }
    for (std::uint32_t i = 0; i < needs_.size(); ++i) made.offsets.push_back(base[object_of_[i]] + offset_in_object_[i]);
    return made;
  }

 private:
  struct taken {
    std::uint32_t object;
    std::uint64_t end;
  };

  /// The objects that hold something that lives with an entry, ascending, and where it ends there.
  constexpr auto taken_for(std::uint32_t entry) const -> vector<taken> {
    vector<taken> found;
    index_.for_each_living_with(
        entry, [&](std::uint32_t other) { found.push_back({object_of_[other], offset_in_object_[other] + needs_[other].bytes}); });
    sort(found.begin(), found.end(),
         [](const taken& a, const taken& b) { return a.object < b.object || (a.object == b.object && a.end > b.end); });
    const auto same = [](const taken& a, const taken& b) { return a.object == b.object; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return found;
  }

  constexpr void place(std::uint32_t entry) {
    const auto taken_objects = taken_for(entry);
    std::uint32_t object = 0;  // the first of which nothing is taken
    while (object < taken_objects.size() && taken_objects[object].object == object) ++object;
    std::uint64_t offset = 0;
    if (object == sizes_.size()) {
      for (const auto& candidate : taken_objects) {
        if (candidate.end + needs_[entry].bytes > sizes_[candidate.object]) continue;
        object = candidate.object;
        offset = candidate.end;
        break;
      }
    }
    if (object == sizes_.size()) sizes_.push_back(needs_[entry].bytes);
    object_of_[entry] = object;
    offset_in_object_[entry] = offset;
    index_.insert(entry);
  }

  span<const lifetime> needs_;
  lifetime_index index_;
  vector<std::uint32_t> object_of_;
  vector<std::uint64_t> offset_in_object_;
  vector<std::uint64_t> sizes_;
};

}  // namespace baton::detail
