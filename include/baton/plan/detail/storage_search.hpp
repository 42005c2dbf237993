// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The decision on storage proposals (proposals to store a value inside other memory, see `storage_proposal`). A proposal is accepted if the
// arena does not grow.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/detail/storage_builder.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The choices of a plan: whether nodes run row by row, and the accepted proposals of kernels and backends.
struct storage_choice {
  bool is_by_rows = false;
  vector<char> is_accepted;  ///< indexed by proposal
};

/// A memory plan and its storage map.
struct planned_storage {
  result<memory_plan> memory;
  storage_map map;  ///< if empty, the map of the `memory_request` applies
  storage_choice choice;
  vector<decided_storage> decided;

  constexpr auto bytes() const -> std::uint64_t { return memory ? memory.value.arena_bytes : UINT64_MAX; }
};

/// The kinds of proposals: to store values as subviews (inside other values), to run segments, and to store values in scratch. A segment
/// consists of consecutive nodes that run row by row (see `stream_segment`).
enum class proposal_kind : std::uint8_t { subviews, rows, scratch };

/// The proposed segments, with the schedule and the distances of a plan that uses these segments. A distance states how far an operand and
/// an output may overlap (see `min_distance`).
struct rows_proposal {
  stream_plan streams;
  schedule order;
  vector<declared_distance> distances;
};

/// A search that accepts proposals as long as the arena does not grow. The proposals of one kind are tried together first. If the arena
/// would grow, each half of these proposals is tried, down to single proposals. Each attempt computes a plan, so the number of attempts is
/// limited. The kinds are added one after the other, in several orders, so that each kind is first in one order. The smallest plan is
/// selected. Thus the result never needs more memory than a plan with the proposals of one kind alone.
class storage_search {
 public:
  /// The maximum number of attempts per kind. Up to eight proposals can each be tried alone within this number.
  static constexpr std::size_t max_attempts = 16;
  /// The maximum total number of values in the plans of all attempts for subviews. The limit keeps constant evaluation within compiler
  /// limits. In large programs, it allows fewer than `max_attempts` attempts for subviews, but at least one.
  static constexpr std::size_t max_values = 1000;

  /// `request` contains the storage map without proposals, and the schedule without segments.
  constexpr storage_search(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request, const chosen_policy& policy, span<const storage_proposal> subview_proposals,
                           span<const storage_proposal> scratch_proposals)
      : program_(program),
        calls_(calls),
        options_(options),
        request_(request),
        policy_(policy),
        subviews_(static_cast<std::uint32_t>(subview_proposals.size())) {
    proposals_.assign(subview_proposals.begin(), subview_proposals.end());
    proposals_.insert(proposals_.end(), scratch_proposals.begin(), scratch_proposals.end());
  }

  /// Returns the smallest plan. `find_rows(plan)` returns a `rows_proposal`; `plan` is the memory plan without accepted proposals.
  template <class FindRows>
  constexpr auto run(FindRows find_rows) -> planned_storage {
    auto baseline = plan({false, vector<char>(proposals_.size(), 0)});
    if (baseline.memory) rows_ = find_rows(baseline.memory.value);
    vector<proposal_kind> proposed;
    for (const auto kind : {proposal_kind::subviews, proposal_kind::rows, proposal_kind::scratch}) {
      if (is_proposed(kind)) proposed.push_back(kind);
    }
    if (proposed.empty()) return baseline;
    planned_storage best;
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      planned_storage base;
      if (i + 1 == proposed.size()) base = std::move(baseline);
      if (i + 1 != proposed.size()) base = baseline;
      auto planned = add(proposed[i], std::move(base));
      for (const auto next : proposed) {
        if (next != proposed[i]) planned = add(next, std::move(planned));
      }
      if (i == 0 || planned.bytes() < best.bytes()) best = std::move(planned);
    }
    static_cast<void>(build(best.choice, &best.decided));
    return best;
  }

  /// Returns the schedule of the plan with segments. Moves the schedule out of this object, so call this function only once.
  constexpr auto take_order_by_rows() -> schedule { return std::move(rows_.order); }

 private:
  constexpr auto is_proposed(proposal_kind kind) const -> bool {
    if (kind == proposal_kind::rows) return !rows_.streams.segments.empty();
    return range_of(kind).size != 0;
  }
  constexpr auto range_of(proposal_kind kind) const -> range {
    if (kind == proposal_kind::subviews) return {0, subviews_};
    return {subviews_, static_cast<std::uint32_t>(proposals_.size()) - subviews_};
  }

  /// Returns `to` with those proposals of one kind that do not make the arena grow. Segments are added only if the arena shrinks.
  constexpr auto add(proposal_kind kind, planned_storage to) const -> planned_storage {
    if (kind == proposal_kind::rows) {
      auto choice = to.choice;
      choice.is_by_rows = true;
      auto planned = plan(std::move(choice));
      return planned.bytes() < to.bytes() ? std::move(planned) : std::move(to);
    }
    auto limit = max_attempts;
    if (kind == proposal_kind::subviews) limit = std::clamp<std::size_t>(max_values / (program_.values.size() + 1), 1, max_attempts);
    vector<range> attempts{range_of(kind)};
    for (std::size_t i = 0; i < attempts.size() && i < limit; ++i) {
      const auto attempt = attempts[i];
      auto choice = to.choice;
      for (auto p = attempt.first; p < attempt.first + attempt.size; ++p) choice.is_accepted[p] = 1;
      auto planned = plan(std::move(choice));
      if (planned.memory && planned.bytes() <= to.bytes()) {
        to = std::move(planned);
      } else if (attempt.size > 1) {
        const auto half = i == 0 ? size_of_first(attempt) : attempt.size / 2;
        attempts.push_back({attempt.first, half});
        attempts.push_back({attempt.first + half, attempt.size - half});
      }
    }
    return to;
  }
  /// Returns the number of proposals in the first half of the first division. The halves separate proposals for operands from proposals for
  /// outputs, because often only one of these two groups reduces the arena. For example, if a value between two delegates is stored in the
  /// scratch of one of them, the scratches of both are live at the same time.
  constexpr auto size_of_first(range all) const -> std::uint32_t {
    const auto is_for_output = [&](std::uint32_t p) { return stores_output(program_, proposals_[all.first + p]); };
    std::uint32_t first = 1;
    while (first < all.size && is_for_output(first) == is_for_output(0)) ++first;
    return first == all.size ? all.size / 2 : first;
  }

  constexpr auto plan(storage_choice choice) const -> planned_storage {
    auto request = request_;
    if (choice.is_by_rows) {
      request.order = &rows_.order;
      request.streams = &rows_.streams;
      request.distances = rows_.distances;
    }
    planned_storage planned;
    if (!proposals_.empty() || choice.is_by_rows) {
      planned.map = build(choice, nullptr);
      request.storage = &planned.map;
    }
    planned.choice = std::move(choice);
    planned.memory = plan_memory(program_, calls_, options_, request, policy_);
    return planned;
  }
  /// Builds the storage map of a choice. Records the decision on each proposal in `decided` if it is not null.
  constexpr auto build(const storage_choice& choice, vector<decided_storage>* decided) const -> storage_map {
    storage_builder builder(program_, *request_.order, *request_.storage, options_.alignment, choice.is_by_rows ? &rows_.streams : nullptr);
    for (std::size_t p = 0; p < proposals_.size(); ++p) {
      auto why = refusal::none;
      if (choice.is_accepted[p] != 0) {
        why = builder.place(proposals_[p]);
      } else if (decided != nullptr) {
        why = builder.check(proposals_[p]);
        if (why == refusal::none) why = refusal::grows_arena;
      }
      if (decided != nullptr) decided->push_back({proposals_[p], why});
    }
    return builder.finish();
  }

  program_view program_;
  const graph_calls& calls_;
  plan_options options_;
  memory_request request_;
  chosen_policy policy_;
  std::uint32_t subviews_;  // the number of proposals for subviews, which are first in `proposals_`
  vector<storage_proposal> proposals_;
  rows_proposal rows_;
};

}  // namespace baton::detail
