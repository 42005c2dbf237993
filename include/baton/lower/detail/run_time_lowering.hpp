// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers a program, or several methods together, at run time or in a constant expression, phase by phase.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/detail/partitioner_form.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/operators/verify.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A program that is being lowered, with the name of its method.
struct lowering_slot {
  std::string_view method;
  const exported_program* current = nullptr;  ///< the input of the next phase
  exported_program lowered{};                 ///< the program after the last phase in which the method had a partitioner
};

/// One phase at run time (see `partitioner_form.hpp`). First, the caller calls `tag` for each program that has a partitioner in this phase.
/// Then `lower` lowers the parts of all these programs, and `assemble` replaces the parts by delegate calls. A part is the nodes of a graph
/// that become one delegate. `static_phase` is the counterpart at compile time.
template <class List>
class lowering_phase {
 public:
  constexpr lowering_phase(lowered_as kind, validation checks) : kind_(kind), checks_(checks) {}

  template <class Partitioner>
  constexpr auto tag(lowering_slot& slot, const Partitioner& partitioner) -> failure {
    auto tagged = partition_step(List{}, *slot.current, partitioner, checks_);
    if (!tagged) return in_method(std::move(tagged.error), slot.method);
    steps_.push_back({&slot, std::move(tagged.value), {}});
    return {};
  }

  constexpr auto lower() -> failure {
    vector<tagged_method> tagged;
    for (const auto& each : steps_) tagged.push_back({each.slot->method, each.tagged});
    if (kind_ == lowered_as::program) {
      auto lowered_parts = lower_each(List{}, tagged, batch_members_of(steps_[0].tagged), source_bytes::copied);
      steps_[0].lowered = std::move(lowered_parts.value);
      return std::move(lowered_parts.error);
    }
    for (auto& each : steps_) each.lowered.resize(parts_of(each.tagged).size());
    for (const auto& batch : batch_finder().run(tagged)) {
      auto lowered_parts = batch_step(List{}, tagged, batch, source_bytes::copied);
      if (!lowered_parts) return std::move(lowered_parts.error);
      for (std::size_t i = 0; i < batch.members.size(); ++i) {
        const auto& member = batch.members[i];
        steps_[member.method].lowered[member.number] = std::move(lowered_parts.value[i]);
      }
    }
    return {};
  }

  constexpr auto assemble() -> failure {
    for (auto& each : steps_) {
      vector<lowered_module_view> modules;
      for (const auto& part : each.lowered) modules.emplace_back(part, last_delegate(part));
      auto program = assembly_step(kind_, {each.slot->method, each.tagged}, modules, source_bytes::copied, checks_);
      if (!program) return std::move(program.error);
      each.slot->lowered = std::move(program.value);
      each.slot->current = &each.slot->lowered;
    }
    return {};
  }

 private:
  struct step {
    lowering_slot* slot = nullptr;
    exported_program tagged;
    vector<exported_program> lowered;  ///< the lowered parts, in the order of `parts_of`
  };
  lowered_as kind_;
  validation checks_;
  vector<step> steps_;  ///< in the order of the calls of `tag`
};

/// Applies phase `Phase` and all later phases to the programs of `slots`. Fails as `to_backend` does. With a list of partitioners, the
/// failure names the partitioner's position in the list.
template <class List, std::size_t Phase = 0, class Partitioners>
constexpr auto lower_in_phases(lowered_as kind, vector<lowering_slot>& slots, const Partitioners& partitioners, validation checks)
    -> failure {
  if constexpr (Phase < partitioner_form<Partitioners>::phases) {
    constexpr list_position at{Phase, partitioner_form<Partitioners>::list_size};
    lowering_phase<List> phase(kind, checks);
    failure why;
    partitioner_form<Partitioners>::template for_each_step<Phase>(slots, partitioners, [&](lowering_slot& slot, const auto& partitioner) {
      if (!why) why = phase.tag(slot, partitioner);
    });
    if (!why) why = phase.lower();
    if (!why) why = phase.assemble();
    if (!why && kind == lowered_as::methods) {
      vector<tagged_method> lowered;
      for (const auto& slot : slots) lowered.push_back({slot.method, *slot.current});
      why = check_named_data_of_methods(lowered);
    }
    if (why) return at.with_position(std::move(why));
    return lower_in_phases<List, Phase + 1>(kind, slots, partitioners, checks);
  } else {
    return {};
  }
}

/// Lowers a program. Fails as `to_backend` does.
template <class... Backends, class Partitioners>
constexpr auto lower_program(backend_list<Backends...>, const exported_program& program, const Partitioners& partitioners,
                             validation checks) -> result<exported_program> {
  vector<lowering_slot> slots;
  slots.push_back({{}, &program});
  if (auto why = lower_in_phases<backend_list<Backends...>>(lowered_as::program, slots, partitioners, checks)) return why;
  if constexpr (partitioner_form<Partitioners>::phases == 0) return program;
  return std::move(slots[0].lowered);
}

/// Lowers methods. Methods without partitioners do not change. Fails as `to_backend` does, and as `check_partitioned_names` does.
template <class... Backends, class Partitioners>
constexpr auto lower_methods(backend_list<Backends...>, exported_methods methods, const Partitioners& partitioners, validation checks)
    -> result<exported_methods> {
  if (auto why = check_partitioned_names(partitioner_form<Partitioners>::names(partitioners), methods.names())) return why;
  auto all = std::move(methods).release();
  vector<lowering_slot> slots;
  for (const auto& each : all) slots.push_back({view(each.name), &each.program});
  if (auto why = lower_in_phases<backend_list<Backends...>>(lowered_as::methods, slots, partitioners, checks)) return why;
  for (std::size_t m = 0; m < all.size(); ++m) {
    if (slots[m].current == &slots[m].lowered) all[m].program = std::move(slots[m].lowered);
  }
  return exported_methods(std::move(all));
}

}  // namespace baton::detail
