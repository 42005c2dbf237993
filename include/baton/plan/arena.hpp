// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory plan: where in one arena each value lies.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/plan/lifetime.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace baton {

/// What a plan must keep to. The alignment is that of every value, a power of two.
struct plan_options {
  std::uint32_t alignment = 16;
};

/// Offsets in one arena. A value that needs no memory, and a node without scratch, have `no_offset`.
struct memory_plan {
  static constexpr std::uint32_t no_offset = 0xffffffffu;

  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::uint32_t alignment = 16;
  std::string_view order;  ///< the order of placing that won
  memory_needs needs;
  std::vector<std::uint64_t> offsets;  ///< by entry of `needs.lifetimes`

  constexpr auto offset_of(value_id id) const -> std::uint64_t { return offset_of_entry(needs.of_value[index(id)]); }
  /// Of node n of the root graph.
  constexpr auto offset_of_scratch(std::uint32_t n) const -> std::uint64_t { return offset_of_entry(needs.of_scratch[n]); }

 private:
  constexpr auto offset_of_entry(std::uint32_t entry) const -> std::uint64_t {
    return entry == memory_needs::no_entry ? no_offset : offsets[entry];
  }
};

namespace detail {

constexpr auto live_together(const lifetime& a, const lifetime& b) -> bool { return a.first <= b.last && b.first <= a.last; }

/// Places the entries in the given order, each at the lowest offset where it overlaps nothing that lives with it. Gives the arena's size.
class placement {
 public:
  constexpr explicit placement(std::span<const lifetime> needs) : needs_(needs), offsets_(needs.size(), 0) {}

  constexpr auto place(std::span<const std::uint32_t> order) -> std::uint64_t {
    by_offset_.clear();
    std::uint64_t top = 0;
    for (const auto entry : order) top = std::max(top, place_one(entry));
    return top;
  }
  constexpr auto offsets() const -> const std::vector<std::uint64_t>& { return offsets_; }

 private:
  constexpr auto place_one(std::uint32_t entry) -> std::uint64_t {
    const auto& need = needs_[entry];
    std::uint64_t at = 0;
    for (const auto other : by_offset_) {
      if (!live_together(need, needs_[other])) continue;
      if (offsets_[other] >= at + need.bytes) break;
      at = std::max(at, offsets_[other] + needs_[other].bytes);
    }
    offsets_[entry] = at;
    std::size_t place = by_offset_.size();
    by_offset_.push_back(entry);
    for (; place > 0 && offsets_[by_offset_[place - 1]] > at; --place) by_offset_[place] = by_offset_[place - 1];
    by_offset_[place] = entry;
    return at + need.bytes;
  }

  std::span<const lifetime> needs_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> by_offset_;
};

/// An order in which entries may be placed; each wins on some graphs. Earlier entry first where all else is equal.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

inline constexpr placing_order placing_orders[] = {
    {"largest first", [](const lifetime& a, const lifetime& b) { return a.bytes > b.bytes; }},
    {"program order", [](const lifetime& a, const lifetime& b) { return a.first < b.first; }},
    {"longest first", [](const lifetime& a, const lifetime& b) { return a.last - a.first > b.last - b.first; }},
    {"largest times longest first",
     [](const lifetime& a, const lifetime& b) { return a.bytes * (a.last - a.first + 1) > b.bytes * (b.last - b.first + 1); }},
    {"reverse program order", [](const lifetime& a, const lifetime& b) { return a.last > b.last; }},
};

}  // namespace detail

/// Plans the arena of a program's root graph: several orders of placing are tried until one reaches the lower bound, the best is kept.
/// The result is checked by `verify_plan`. Errors: `dynamic_shape`. At most quadratic in the number of values.
constexpr auto plan_memory(const program_view& program, const plan_options& options = {}, std::span<const value_id> storage_of = {})
    -> result<memory_plan> {
  memory_plan plan;
  if (program.graphs.empty()) return plan;
  plan.alignment = options.alignment;
  plan.needs = lifetimes(program, options.alignment, storage_of);
  for (std::size_t v = 0; v < program.values.size(); ++v) {
    if (plan.needs.of_value[v] == memory_needs::no_entry) continue;
    if (byte_count(program.values[v].type, program.integer_list(program.values[v].shape)) < 0) {
      return broken<rule::dynamic_shape>("value ", program.text(program.values[v].name));
    }
  }
  plan.lower_bound = lower_bound(plan.needs.lifetimes);
  plan.arena_bytes = UINT64_MAX;
  detail::placement placement(plan.needs.lifetimes);
  std::vector<std::uint32_t> order;
  for (const auto& attempt : detail::placing_orders) {
    if (plan.arena_bytes == plan.lower_bound) break;
    order.clear();
    for (std::uint32_t i = 0; i < plan.needs.lifetimes.size(); ++i) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto& left = plan.needs.lifetimes[a];
      const auto& right = plan.needs.lifetimes[b];
      return attempt.before(left, right) || (!attempt.before(right, left) && a < b);
    });
    const auto bytes = placement.place(order);
    if (bytes >= plan.arena_bytes) continue;
    plan.arena_bytes = bytes;
    plan.order = attempt.name;
    plan.offsets = placement.offsets();
  }
  return plan;
}

/// Checks that no two things that live at once overlap, that all lie in the arena and are aligned. Errors: `overlapping_memory`.
constexpr auto verify_plan(const memory_plan& plan) -> failure {
  const auto& needs = plan.needs.lifetimes;
  for (std::size_t a = 0; a < needs.size(); ++a) {
    if (plan.offsets[a] + needs[a].bytes > plan.arena_bytes || plan.offsets[a] % plan.alignment != 0) {
      return broken<rule::overlapping_memory>("entry ", a, " lies outside the arena or is not aligned");
    }
    for (std::size_t b = 0; b < a; ++b) {
      const bool overlap = plan.offsets[a] < plan.offsets[b] + needs[b].bytes && plan.offsets[b] < plan.offsets[a] + needs[a].bytes;
      if (overlap && detail::live_together(needs[a], needs[b])) return broken<rule::overlapping_memory>("entries ", b, " and ", a);
    }
  }
  return {};
}

}  // namespace baton
