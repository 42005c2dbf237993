// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The text of a cycle.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// A cycle as text. "a of t -> b -> c of t": b uses a, c uses b, and a and c are in part t; "a with b": they are in one part that has no
/// name. `name` and `part` give the texts of an item. What does not fit into a reason is counted.
template <class Name, class Part>
constexpr auto cycle_text(const vector<edge>& cycle, Name name, Part part) -> text_buffer {
  constexpr std::size_t room_for_the_rest = 32;
  const auto item_text = [&](std::uint32_t item) {
    auto text = join(name(item));
    if (!part(item).empty()) append(append(text, " of "), part(item));
    return text;
  };
  auto path = item_text(cycle.front().first);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto item = cycle[i].second;
    auto step = join(" -> ", view(item_text(item)));
    const bool is_last = i + 1 == cycle.size();
    const auto next = cycle[is_last ? 0 : i + 1].first;
    if (next != item && !(is_last && !part(item).empty())) append(append(step, " with "), name(next));
    if (i > 1 && path.size() + step.size() + (is_last ? 0 : room_for_the_rest) > static_failure::reason_capacity)
      return append(append(append(path, " -> ..., "), static_cast<std::int64_t>(cycle.size())), " steps in all");
    append(path, view(step));
  }
  return path;
}

}  // namespace baton
