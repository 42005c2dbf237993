// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs whose nodes write states in place, and the partitioners of the library that they are lowered with.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/split_cycles.hpp>
#include <baton/transform/rewriter.hpp>

#include "properties/properties.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace properties::in_place {

using namespace baton;

/// Supports three nodes of four, depending on their names. Supports nodes that write a state in place only if `Writers` is true.
template <std::uint32_t Salt, bool Writers = false>
struct some_nodes {
  static constexpr auto supports(const program_view& program, const node& record) -> baton::verdict {
    if (!Writers && record.is("tfl.custom.STEP")) return refuse();
    return (hash_of(program.text(record.name)) >> Salt) % 4 != 0 ? accept() : refuse();
  }
};
struct expensive {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 10; }
};
struct cheap {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 0.01;
};
using first = listing_backend<"First">;
using second = listing_backend<"Second">;

/// Groups the views and subtractions in pairs.
constexpr auto pairs(const program_view& program) -> baton::vector<node_list> {
  baton::vector<node_list> groups;
  auto last = none<node_id>;
  for (const auto id : visible_nodes(program)) {
    if (!program[id].is("aten.view_copy.default") && !program[id].is("aten.sub.Tensor")) continue;
    if (last != none<node_id>) groups.push_back({{last, id}, {}});
    last = last == none<node_id> ? id : none<node_id>;
  }
  return groups;
}

using supported = by_support<first, some_nodes<3>>;
using grouped = by_groups<first, pairs, some_nodes<11>>;
template <bool Writers>
using costed =
    by_cost<expensive, costed_backend<first, some_nodes<5, Writers>, cheap>, costed_backend<second, some_nodes<7, Writers>, cheap>>;

/// All supported nodes in one part, which is split.
struct one_part {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged(program);
    const auto tag = tagged.add_tag("all", delegation_spec{"First"});
    for (const auto id : visible_nodes(program)) {
      if (some_nodes<9>::supports(program, program[id]).accepted) tagged.tag_node(id, tag);
    }
    return tagged;
  }
};

/// The parts of a partitioner, which also own the states that their nodes use.
template <class Partitioner>
struct with_states {
  static constexpr auto partition(const exported_program& program) -> result<partition_result> {
    result<partition_result> tagged = Partitioner{}.partition(program);
    if (tagged) static_cast<void>(tag_mutated_buffer(tagged.value, program));
    return tagged;
  }
};

struct counts {
  std::uint64_t lowered = 0;
  std::uint64_t with_delegates = 0;
  std::uint64_t rejected = 0;
};

template <class Partitioner>
constexpr auto wrong_with_parts(const exported_program& program, counts& count) -> std::string_view {
  const auto lowered = try_to_backend(target, program, Partitioner{}, validation::on);
  if (!lowered) {
    ++count.rejected;
    if (lowered.error.template is<"dependency_cycle">()) return "parts of the library's partitioner form a cycle";
    if (lowered.error.template is<"cycle_of_groups">()) return "";
    return may_refuse(lowered.error) ? "" : "it is refused by a rule that says nothing of tags";
  }
  ++count.lowered;
  count.with_delegates += lowered.value.delegates.empty() ? 0 : 1;
  return wrong_with(program, lowered.value);
}

constexpr auto wrong_with_program(const exported_program& program, std::uint64_t seed, counts& count) -> std::string_view {
  if (const auto lowering = check_lowering(program, seed); !lowering.wrong.empty()) return lowering.wrong;
  if (const auto wrong = wrong_with_parts<supported>(program, count); !wrong.empty()) return wrong;
  if (const auto wrong = wrong_with_parts<grouped>(program, count); !wrong.empty()) return wrong;
  if (const auto wrong = wrong_with_parts<costed<false>>(program, count); !wrong.empty()) return wrong;
  if (const auto wrong = wrong_with_parts<with_states<costed<true>>>(program, count); !wrong.empty()) return wrong;
  if (const auto wrong = wrong_with_parts<split_cycles<one_part>>(program, count); !wrong.empty()) return wrong;
  rewriter change(program);
  change.erase_dead();
  return computes_the_same(program, change.finish()) ? "" : "without dead nodes it computes something else";
}

constexpr auto random_in_place(std::uint64_t seed) -> exported_program { return make_program(seed, {14, 2, amount_of_state::in_place}); }

/// The partitioner of a constant: each seed has one of four, in turn.
template <std::uint64_t Seed>
constexpr auto partitioner_of_constant() {
  if constexpr (Seed % 4 == 0) return supported{};
  if constexpr (Seed % 4 == 1) return grouped{};
  if constexpr (Seed % 4 == 2) return with_states<costed<true>>{};
  if constexpr (Seed % 4 == 3) return split_cycles<one_part>{};
}

/// One constant per program, because one constant for several exceeds Clang's limit on steps. For the same reason, the program is small.
template <std::uint64_t Seed>
inline constexpr bool holds_as_constant = [] {
  counts count;
  using partitioner = decltype(partitioner_of_constant<Seed>());
  return wrong_with_parts<partitioner>(make_program(Seed, {6, 1, amount_of_state::in_place}), count).empty();
}();

/// The first of `Count` seeds from `First` on whose program does not hold in a constant expression; `First + Count` if all hold.
template <std::uint64_t First, std::uint64_t Count>
inline constexpr std::uint64_t first_wrong_constant = []<std::uint64_t... I>(std::integer_sequence<std::uint64_t, I...>) {
  auto correct = First;
  static_cast<void>(((holds_as_constant<First + I> && (++correct, true)) && ...));
  return correct;
}(std::make_integer_sequence<std::uint64_t, Count>{});

}  // namespace properties::in_place
