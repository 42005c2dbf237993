// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The slots of a delegate call: its arguments and results, by name and position (index). A backend refers to slots in its processed bytes
// (the result of `preprocess`), and reads and writes them at run time.
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

/// The slots of a delegate call: either its arguments or its results, in order. A part is the nodes of a graph that become one delegate.
class call_slots {
 public:
  /// An argument or a result.
  struct slot {
    value_id value;          ///< the value in the part
    std::uint32_t position;  ///< the index in the arguments (`inputs`) or results (`outputs`) of a `delegate_call`
    std::string_view name;   ///< the name of the value; the same in the part and in the program before lowering
  };

  /// Returns the arguments of the call of a part: its user inputs, in the order of the root graph's inputs. Data that the part owns is not
  /// an argument.
  static constexpr auto inputs_of(const program_view& part) -> call_slots {
    call_slots slots;
    for (const auto id : part.inputs(part.root())) {
      if (part[id].kind == value_kind::user_input) slots.add(part, id);
    }
    return slots;
  }
  /// Returns the results of the call of a part: its user outputs, in the order of the root graph's outputs. Mutations of buffers that the
  /// part owns are not results.
  static constexpr auto outputs_of(const program_view& part) -> call_slots {
    call_slots slots;
    for (const auto& spec : part.outputs_of(part.root())) {
      if (spec.kind == output_kind::user_output) slots.add(part, spec.value);
    }
    return slots;
  }

  constexpr auto size() const -> std::size_t { return slots_.size(); }
  constexpr auto begin() const -> const slot* { return slots_.begin(); }
  constexpr auto end() const -> const slot* { return slots_.end(); }
  constexpr auto operator[](std::size_t at) const -> const slot& { return slots_[at]; }

  /// Returns the position of the slot with the name `name`, or `std::nullopt` if there is none.
  constexpr auto position_of(std::string_view name) const -> std::optional<std::uint32_t> {
    for (const auto& each : slots_) {
      if (each.name == name) return each.position;
    }
    return std::nullopt;
  }
  /// True if `names` contains the name of every slot exactly once, in any order, and no other name. Use this function to check the names to
  /// which a backend binds its inputs or outputs. The reason of a refusal contains the first unknown name. If all names are known, the
  /// reason contains the first slot whose name is missing or repeated. Example:
  /// `if (auto bound = baton::call_slots::inputs_of(part).are_bound_by(names); !bound)
  ///   return baton::refuse_part(baton::view(bound.reason));`
  /// O(slots * names).
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
