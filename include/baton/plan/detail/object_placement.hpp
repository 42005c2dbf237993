// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placement in memory objects, as in ExecuTorch.
#pragma once

#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/lifetime_index.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::detail {

/// A placement of items in memory objects by ExecuTorch's greedy planner. A memory object is a block of bytes in which several items are
/// placed. The blocks follow one another without gaps.
class object_placement {
 public:
  constexpr explicit object_placement(span<const lifetime> items)
      : items_(items),
        index_(items),
        object_of_(items.size(), 0),
        offset_in_object_(items.size(), 0) {}

  constexpr auto run(span<const std::uint32_t> order) -> memory_layout {
    for (const auto item : order) place(item);
    vector<std::uint64_t> base;
    memory_layout layout;
    for (const auto size : sizes_) {
      base.push_back(layout.bytes);
      layout.bytes += size;
    }
    for (std::uint32_t i = 0; i < items_.size(); ++i) layout.offsets.push_back(base[object_of_[i]] + offset_in_object_[i]);
    return layout;
  }

 private:
  struct occupied_object {
    std::uint32_t object;
    std::uint64_t end;
  };

  /// Returns the objects that contain an item that is live at the same time as `item`, in ascending order. `end` is the largest end offset
  /// of these items in the object.
  constexpr auto occupied_objects(std::uint32_t item) const -> vector<occupied_object> {
    vector<occupied_object> objects;
    index_.for_each_simultaneous(
        item, [&](std::uint32_t other) { objects.push_back({object_of_[other], offset_in_object_[other] + items_[other].bytes}); });
    sort(objects.begin(), objects.end(),
         [](const occupied_object& a, const occupied_object& b) { return a.object < b.object || (a.object == b.object && a.end > b.end); });
    const auto same = [](const occupied_object& a, const occupied_object& b) { return a.object == b.object; };
    objects.erase(std::unique(objects.begin(), objects.end(), same), objects.end());
    return objects;
  }

  constexpr void place(std::uint32_t item) {
    const auto occupied = occupied_objects(item);
    std::uint32_t object = 0;  // the first object without a simultaneously live item
    while (object < occupied.size() && occupied[object].object == object) ++object;
    std::uint64_t offset = 0;
    if (object == sizes_.size()) {
      for (const auto& candidate : occupied) {
        if (candidate.end + items_[item].bytes > sizes_[candidate.object]) continue;
        object = candidate.object;
        offset = candidate.end;
        break;
      }
    }
    if (object == sizes_.size()) sizes_.push_back(items_[item].bytes);
    object_of_[item] = object;
    offset_in_object_[item] = offset;
    index_.insert(item);
  }

  span<const lifetime> items_;
  lifetime_index index_;
  vector<std::uint32_t> object_of_;
  vector<std::uint64_t> offset_in_object_;
  vector<std::uint64_t> sizes_;
};

}  // namespace baton::detail
