// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a delegate call is given and gives, by name and position: the contract that both a blob and the runtime of a backend bind to.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace baton {

/// One argument or one result of a delegate call.
struct call_slot {
  value_id value;          ///< in the part
  std::uint32_t position;  ///< among the call's arguments or results: `inputs[position]` of a `delegate_call`
  std::string_view name;   ///< the name it has in the owner, too
};

/// The arguments of the call of a part: its user inputs, in the order of first use. Owned data is no argument.
constexpr auto call_inputs(const program_view& part) -> vector<call_slot> {
  vector<call_slot> slots;
  for (const auto id : part.inputs(part.root())) {
    if (part[id].kind == value_kind::user_input) slots.push_back({id, static_cast<std::uint32_t>(slots.size()), part.text(part[id].name)});
  }
  return slots;
}

/// The results of the call of a part: its user outputs, in graph order. Mutations of buffers that it owns are no results.
constexpr auto call_outputs(const program_view& part) -> vector<call_slot> {
  vector<call_slot> slots;
  for (const auto& spec : part.outputs_of(part.root())) {
    if (spec.kind == output_kind::user_output)
      slots.push_back({spec.value, static_cast<std::uint32_t>(slots.size()), part.text(part[spec.value].name)});
  }
  return slots;
}

/// The position of the slot of that name.
constexpr auto position_of(span<const call_slot> slots, std::string_view name) -> std::optional<std::uint32_t> {
  for (const auto& slot : slots) {
    if (slot.name == name) return slot.position;
  }
  return std::nullopt;
}

/// Whether a backend's list of bindings names every slot once, in whatever order; a no names the one that is wrong:
/// `if (auto bound = binds(baton::call_inputs(part), names); !bound) return baton::refuse_part(baton::view(bound.reason));`
constexpr auto binds(span<const call_slot> slots, span<const std::string_view> names) -> verdict {
  for (const auto name : names) {
    if (!position_of(slots, name)) return refuse("the call has no slot ", name);
  }
  for (const auto& slot : slots) {
    const auto times = std::count(names.begin(), names.end(), slot.name);
    if (times != 1) return refuse("slot ", slot.name, " is bound ", times, " times");
  }
  return accept();
}

}  // namespace baton
