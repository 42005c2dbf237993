// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Decides what lies in what: accepts what was proposed as far as the arena does not grow by it.
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

/// What a plan is made with beside values of their own: the nodes that run by rows, and proposals of kernels and backends.
struct storage_choice {
  bool is_by_rows = false;
  vector<char> is_granted;  ///< by proposal
};

/// A plan, and what lies where by it.
struct planned_storage {
  result<memory_plan> memory;
  storage_map map;  ///< empty: that of the request
  storage_choice choice;
  vector<decided_storage> decided;

  constexpr auto bytes() const -> std::uint64_t { return memory ? memory.value.arena_bytes : UINT64_MAX; }
};

/// What can be decided: segments of the root, parts of values, and values in scratch.
enum class mechanism : std::uint8_t { parts, rows, scratch };

/// The segments that a plan may have, and how the root runs and what its kernels say with them.
struct rows_proposal {
  stream_plan streams;
  schedule order;
  vector<declared_distance> distances;
};

/// Grants proposals as long as the arena does not grow. One mechanism after the other is added: all of its proposals, or, where the arena
/// would grow, halves of them, down to single ones. A plan is made for every try, so there are not more than some. Each mechanism that
/// something is proposed for is the first once, so that all together need no more than any of them alone.
class storage_search {
 public:
  /// Of a mechanism: each of eight proposals is tried alone, of more those that come in time.
  static constexpr std::size_t most_tries = 16;
  /// Of parts there are fewer where plans are large: so many values in all tries, which a constant has room for.
  static constexpr std::size_t most_values = 1000;

  /// `request` has the map without proposals, and the order of single nodes.
  constexpr storage_search(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request, const chosen_policy& policy, span<const storage_proposal> parts,
                           span<const storage_proposal> in_scratch)
      : program_(program),
        calls_(calls),
        options_(options),
        request_(request),
        policy_(policy),
        parts_(static_cast<std::uint32_t>(parts.size())) {
    proposals_.assign(parts.begin(), parts.end());
    proposals_.insert(proposals_.end(), in_scratch.begin(), in_scratch.end());
  }

  /// `find_rows(plan)` gives a `rows_proposal` for the plan in which every value has memory of its own.
  template <class FindRows>
  constexpr auto run(FindRows find_rows) -> planned_storage {
    auto plain = plan({false, vector<char>(proposals_.size(), 0)});
    if (plain.memory) rows_ = find_rows(plain.memory.value);
    vector<mechanism> proposed;
    for (const auto which : {mechanism::parts, mechanism::rows, mechanism::scratch}) {
      if (is_proposed(which)) proposed.push_back(which);
    }
    if (proposed.empty()) return plain;
    planned_storage best;
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      planned_storage begin;
      if (i + 1 == proposed.size()) begin = std::move(plain);
      if (i + 1 != proposed.size()) begin = plain;
      auto made = add(proposed[i], std::move(begin));
      for (const auto next : proposed) {
        if (next != proposed[i]) made = add(next, std::move(made));
      }
      if (i == 0 || made.bytes() < best.bytes()) best = std::move(made);
    }
    static_cast<void>(build(best.choice, &best.decided));
    return best;
  }

  /// The order of a plan whose nodes run by rows.
  constexpr auto take_order_by_rows() -> schedule { return std::move(rows_.order); }

 private:
  constexpr auto is_proposed(mechanism which) const -> bool {
    if (which == mechanism::rows) return !rows_.streams.segments.empty();
    return range_of(which).size != 0;
  }
  constexpr auto range_of(mechanism which) const -> range {
    if (which == mechanism::parts) return {0, parts_};
    return {parts_, static_cast<std::uint32_t>(proposals_.size()) - parts_};
  }

  /// Adds what one mechanism proposes to a plan.
  constexpr auto add(mechanism which, planned_storage to) const -> planned_storage {
    if (which == mechanism::rows) {
      auto choice = to.choice;
      choice.is_by_rows = true;
      auto made = plan(std::move(choice));
      return made.bytes() < to.bytes() ? std::move(made) : std::move(to);
    }
    auto most = most_tries;
    if (which == mechanism::parts) most = std::clamp<std::size_t>(most_values / (program_.values.size() + 1), 1, most_tries);
    vector<range> tries{range_of(which)};
    for (std::size_t i = 0; i < tries.size() && i < most; ++i) {
      const auto some = tries[i];
      auto choice = to.choice;
      for (auto p = some.first; p < some.first + some.size; ++p) choice.is_granted[p] = 1;
      auto made = plan(std::move(choice));
      if (made.memory && made.bytes() <= to.bytes()) {
        to = std::move(made);
      } else if (some.size > 1) {
        const auto half = i == 0 ? size_of_first(some) : some.size / 2;
        tries.push_back({some.first, half});
        tries.push_back({some.first + half, some.size - half});
      }
    }
    return to;
  }
  /// Where all proposals of a mechanism are divided first: arguments from results, since what lies between two delegates would keep the
  /// scratch of both; outputs from operands.
  constexpr auto size_of_first(range all) const -> std::uint32_t {
    const auto is_result = [&](std::uint32_t p) { return is_of_result(program_, proposals_[all.first + p]); };
    std::uint32_t first = 1;
    while (first < all.size && is_result(first) == is_result(0)) ++first;
    return first == all.size ? all.size / 2 : first;
  }

  constexpr auto plan(storage_choice choice) const -> planned_storage {
    auto request = request_;
    if (choice.is_by_rows) {
      request.order = &rows_.order;
      request.streams = &rows_.streams;
      request.distances = rows_.distances;
    }
    planned_storage made;
    if (!proposals_.empty() || choice.is_by_rows) {
      made.map = build(choice, nullptr);
      request.storage = &made.map;
    }
    made.choice = std::move(choice);
    made.memory = plan_memory(program_, calls_, options_, request, policy_);
    return made;
  }
  /// The map of a choice. Notes, if it is asked to, what became of each proposal.
  constexpr auto build(const storage_choice& choice, vector<decided_storage>* decided) const -> storage_map {
    storage_builder builder(program_, *request_.order, *request_.storage, options_.alignment, choice.is_by_rows ? &rows_.streams : nullptr);
    for (std::size_t p = 0; p < proposals_.size(); ++p) {
      auto why = refusal::none;
      if (choice.is_granted[p] != 0) {
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
  std::uint32_t parts_;  // how many of the proposals are parts
  vector<storage_proposal> proposals_;
  rows_proposal rows_;
};

}  // namespace baton::detail
