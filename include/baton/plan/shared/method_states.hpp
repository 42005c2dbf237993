// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The placement of the mutable buffers of several methods in one arena: separate, or shared by name.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/state_sharing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A method whose states are placed. `method` and `program` are views.
struct method_with_states {
  std::string_view method;
  program_view program;
  vector<char> runs_original;  ///< see `backend_needs::runs_original`
};

/// A mutable buffer of a method, and its offset in the memory that contains the states of all methods, in bytes.
struct method_state {
  std::size_t method = 0;  ///< the index of the method
  value_id buffer = none<value_id>;
  std::uint64_t offset = 0;
  bool is_first = true;  ///< false if an earlier element of `method_states::states` has the same memory
};

/// The states of all methods, sorted by method and then by value, and their total size in bytes.
struct method_states {
  vector<method_state> states;
  std::uint64_t bytes = 0;
};

namespace detail {

/// Places the states, method by method.
class state_placer {
 public:
  constexpr state_placer(span<const method_with_states> methods, state_sharing sharing, std::uint32_t alignment)
      : methods_(methods),
        sharing_(sharing),
        alignment_(alignment) {}

  constexpr auto run() -> result<method_states> {
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      const auto calls = graphs_that_run(methods_[m].program, methods_[m].runs_original);
      if (!calls) return calls.error;
      modules_.push_back(modules_of_graphs(methods_[m].program));
      for (const auto id : states_of(methods_[m].program, calls.value)) {
        if (auto why = add_state(m, id)) return why;
      }
    }
    return std::move(result_);
  }

 private:
  constexpr auto add_state(std::size_t method, value_id id) -> failure {
    const auto& program = methods_[method].program;
    method_state added{method, id, result_.bytes, true};
    if (const auto* earlier = find(method, id)) {
      if (auto why = check_same(*earlier, added)) return why;
      added.offset = earlier->offset;
      added.is_first = false;
    } else {
      const auto bytes = byte_count(program[id].type, program.shape(id));
      if (bytes < 0) return broken<"dynamic_shape">("value ", program.text(program[id].name));
      result_.bytes += round_up(static_cast<std::uint64_t>(bytes), alignment_);
    }
    result_.states.push_back(added);
    return {};
  }

  /// Returns the first state that must share its memory with buffer `id` of `method`, or null if there is none. Shared states have the same
  /// name. A state without a name is not shared. Different methods share states only if `sharing_` is `by_name`. Different lowered modules
  /// of one method do not share states.
  constexpr auto find(std::size_t method, value_id id) const -> const method_state* {
    const auto name = name_of(method, id);
    for (const auto& state : result_.states) {
      if (sharing_ == state_sharing::none && state.method != method) continue;
      if (!name.empty() && name_of(state.method, state.buffer) == name && !is_of_another_module(state.offset, method, id)) return &state;
    }
    return nullptr;
  }
  constexpr auto name_of(std::size_t method, value_id id) const -> std::string_view {
    const auto& program = methods_[method].program;
    return program.text(program[id].target);
  }
  /// True if another lowered module of `method` has a state at `offset` with the name of buffer `id`. Then `id` must not share this memory.
  constexpr auto is_of_another_module(std::uint64_t offset, std::size_t method, value_id id) const -> bool {
    const auto module_of = [&](value_id buffer) { return modules_[method][index(methods_[method].program[buffer].graph)]; };
    return std::any_of(result_.states.begin(), result_.states.end(), [&](const method_state& state) {
      return state.method == method && state.offset == offset && module_of(state.buffer) != module_of(id) &&
             name_of(method, state.buffer) == name_of(method, id);
    });
  }

  constexpr auto check_same(const method_state& first, const method_state& second) const -> failure {
    const auto& program = methods_[second.method].program;
    const auto difference = state_difference(methods_[first.method].program, first.buffer, program, second.buffer);
    if (difference.empty()) return {};
    auto why = broken<"conflicting_state">(program.text(program[second.buffer].target), " has a different ", difference, " in ",
                                           methods_[first.method].method);
    why.method = join(methods_[second.method].method);
    return why;
  }

  span<const method_with_states> methods_;
  state_sharing sharing_;
  std::uint32_t alignment_;
  vector<vector<delegate_id>> modules_;  ///< indexed by method, then by graph: the lowered module to which the graph belongs
  method_states result_;
};

}  // namespace detail

/// Places the mutable buffers of the graphs that run. Within a method, buffers with the same name are one state, unless they belong to
/// different lowered modules. Buffers with the same name in different methods are one state if `sharing` is `by_name`. Buffers of a part
/// that a backend executes are not included, because the backend stores them. Fails with `conflicting_state`, `recursive_graph` or
/// `dynamic_shape`.
constexpr auto plan_states(span<const method_with_states> methods, state_sharing sharing, std::uint32_t alignment = 16)
    -> result<method_states> {
  return detail::state_placer(methods, sharing, alignment).run();
}

}  // namespace baton
