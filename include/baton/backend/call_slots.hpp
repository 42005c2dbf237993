// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a delegate call is given and gives, by name and position: the contract that both a blob and the runtime of a backend bind to.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace baton {

/// The arguments, or the results, of the call of a part, in their order.
class call_slots {
 public:
  /// One of them.
  struct slot {
    value_id value;          ///< in the part
    std::uint32_t position;  ///< among the call's arguments or results: `inputs[position]` of a `delegate_call`
    std::string_view name;   ///< the name it has in the owner, too
  };

  /// The arguments of the call of a part: its user inputs, in the order of first use. Owned data is no argument.
  static constexpr auto inputs_of(const program_view& part) -> call_slots {
    call_slots made;
    for (const auto id : part.inputs(part.root())) {
      if (part[id].kind == value_kind::user_input) made.add(part, id);
    }
    return made;
  }
  /// The results of the call of a part: its user outputs, in graph order. Mutations of buffers that it owns are no results.
  static constexpr auto outputs_of(const program_view& part) -> call_slots {
    call_slots made;
    for (const auto& spec : part.outputs_of(part.root())) {
      if (spec.kind == output_kind::user_output) made.add(part, spec.value);
    }
    return made;
  }

  constexpr auto size() const -> std::size_t { return slots_.size(); }
  constexpr auto begin() const -> const slot* { return slots_.begin(); }
  constexpr auto end() const -> const slot* { return slots_.end(); }
  constexpr auto operator[](std::size_t at) const -> const slot& { return slots_[at]; }

  /// The position of the slot of that name.
  constexpr auto position_of(std::string_view name) const -> std::optional<std::uint32_t> {
    for (const auto& each : slots_) {
      if (each.name == name) return each.position;
    }
    return std::nullopt;
  }
  /// Whether a backend's list of bindings names every slot once, in whatever order; a no names the one that is wrong:
  /// `if (auto bound = baton::call_slots::inputs_of(part).are_bound_by(names); !bound) return
  /// baton::refuse_part(baton::view(bound.reason));`
  constexpr auto are_bound_by(span<const std::string_view> names) const -> verdict {
    for (const auto name : names) {
      if (!position_of(name)) return refuse("the call has no slot ", name);
    }
    for (const auto& each : slots_) {
      const auto times = std::count(names.begin(), names.end(), each.name);
      if (times != 1) return refuse("slot ", each.name, " is bound ", times, " times");
    }
    return accept();
  }

 private:
  constexpr void add(const program_view& part, value_id id) {
    slots_.push_back({id, static_cast<std::uint32_t>(slots_.size()), part.text(part[id].name)});
  }

  vector<slot> slots_;
};

}  // namespace baton
