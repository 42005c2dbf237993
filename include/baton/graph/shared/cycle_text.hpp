// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Cycles as text.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// Returns a cycle as text. A part is the nodes of a graph that become one delegate. In "a of t -> b -> c of t", b uses a, c uses b, and a
/// and c are in part t. In "b of t with d", the cycle enters part t at node b, and leaves it at node d. If the part has no name, the text
/// is "b with d". An item of `cycle` is a node. `name` returns the name of an item. `part` returns the name of an item's part, or an empty
/// text if the part has no name. A text that would exceed `static_failure::reason_capacity`, the maximum size of an error's reason, is cut,
/// but not before the third use. It then ends with "-> ..., a cycle of 9 uses"; 9 is the number of uses in the cycle.
template <class Name, class Part>
constexpr auto cycle_text(const vector<edge>& cycle, Name name, Part part) -> text_buffer {
  constexpr std::size_t reserved_size = 32;
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
    if (i > 1 && path.size() + step.size() + (is_last ? 0 : reserved_size) > static_failure::reason_capacity)
      return append(append(append(path, " -> ..., a cycle of "), static_cast<std::int64_t>(cycle.size())), " uses");
    append(path, view(step));
  }
  return path;
}

}  // namespace baton
