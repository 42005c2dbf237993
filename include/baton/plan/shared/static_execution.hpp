// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The execution plan of a static program as constants. Templates instantiate straight-line code from these constants.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/external_file.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/detail/check_delegates.hpp>
#include <baton/plan/detail/execution_tables.hpp>
#include <baton/plan/detail/node_cut.hpp>
#include <baton/plan/detail/static_request.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/bound_tensors.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/prepared_elements.hpp>
#include <baton/plan/shared/require_backend_needs.hpp>
#include <baton/plan/shared/stored_constant.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// The limits of an executor without the service `within`.
struct no_limits {
  template <class Request>
  using choice = void;
  template <class Kernels>
  using kernels_of = Kernels;
};

}  // namespace detail

/// The setting of an executor that runs alone, in an arena that is not split into regions (`memory_regions`). No mutable buffer has a fixed
/// offset.
struct running_alone {
  static constexpr auto pinned() -> pinned_states { return {}; }
  static constexpr auto regions() -> memory_regions { return {}; }
};

namespace detail {

/// The programs that share equal constants with `Program`. If `Setting` declares `programs`, a list of programs that run in the same arena,
/// the result is this list. If `Setting` declares no `programs`, the result is the programs that were lowered together with `Program`.
template <class Program, class Setting>
struct programs_beside {
  using type = constant_sharers<Program>;
};
template <class Program, class Setting>
  requires requires { typename Setting::programs; }
struct programs_beside<Program, Setting> {
  using type = typename Setting::programs;
};

}  // namespace detail

/// The execution plan of a static program, as constants. `Setting` declares the mutable buffers with fixed offsets, and the regions of a
/// split arena (see `memory_regions`). `Setting` may also declare programs that share constants (`programs`), tensors in buffers of the
/// caller (`bound`), and the address of external constants (`external_constants`). `Policy` is a specialization of `planned_by`. `Order` is
/// a specialization of `scheduled_by`; the default is program order. `Within` selects the kernels and the policy (`within::search`), or is
/// `detail::no_limits`.
template <class Program, class Kernels, plan_options Options, class Setting = running_alone,
          class Policy = planned_by<memory_policies::no_overlap>, class Order = chosen_schedule, class Within = detail::no_limits>
struct static_execution {
  using program_type = Program;
  using setting = Setting;
  using backend_types = typename Program::backend_types;
  using constant_programs = typename detail::programs_beside<Program, Setting>::type;
  using request = detail::static_request<Program, typename Within::template kernels_of<Kernels>, Options, Setting, Order>;
  using all_kernels = typename request::all_kernels;
  using limited = typename Within::template choice<request>;

  static_assert(detail::require_backend_needs(backend_types{}));

  static constexpr auto view() -> program_view { return Program::value(); }
  /// Returns the error that `verify` finds in the program. Returns no error for an empty program, because the compiler has already reported
  /// why a program could not be built. The program of a stage with `is_verified` is not verified again.
  static consteval auto check() -> static_failure {
    if constexpr (!requires { Program::stage_type::is_verified; }) {
      if (!view().graphs.empty()) return static_failure{verify(view())};
    }
    return {};
  }
  static constexpr static_failure invalid = check();
  /// True if the kernels and the policy are selected within limits. False for an invalid or empty program, because it has no plan.
  static constexpr bool is_limited = !std::is_same_v<Within, detail::no_limits> && !invalid.is_set && view().graphs.size() != 0;
  static constexpr auto policy() -> chosen_policy {
    if constexpr (is_limited) {
      return limited::policy();
    } else {
      return Policy{};
    }
  }
  /// Returns the estimated costs of the plan that was chosen within the limits. Returns an empty result if `is_limited` is false.
  /// `MaxOperations` also limits the operations of each slice (the work of one call of `step`, see `in_slices`).
  template <std::uint64_t MaxOperations>
  static constexpr auto limited_choice() -> limited_plan {
    if constexpr (is_limited) return limited::template report<MaxOperations>();
    return {};
  }
  /// The number of nodes whose kernels are chosen in one constant expression. The choice for all nodes in a single constant expression
  /// could exceed compiler limits.
  static constexpr std::size_t nodes_per_choice = 64;
  /// Chooses the kernels of nodes `First` to `First + nodes_per_choice - 1`, as far as they exist. Chooses only among the executor's own
  /// kernels, not among kernels of backends.
  template <std::size_t First>
  static consteval auto choose() {
    std::array<detail::chosen_kernel, std::min(nodes_per_choice, view().nodes.size() - First)> kernels{};
    constexpr const auto& whole = static_view<Program>;
    const auto own = needs_of_backends(backend_types{}, view()).kernels_of(none<delegate_id>, all_kernels::size);
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      const auto& record = whole.nodes[First + n];
      if (record.delegate != none<delegate_id> || control_flow_of(whole, record) != control_flow::none) continue;
      const auto choice = choose_kernel(all_kernels{}, whole, record, own);
      if (choice.support) kernels[n] = {static_cast<std::uint32_t>(choice.index), choice.facts};
    }
    return kernels;
  }
  template <std::size_t First>
  static constexpr auto chosen = choose<First>();
  /// Returns the kernel of each node. Returns an empty array if the program is invalid, or has so few nodes that `plan` can choose all
  /// kernels itself.
  static consteval auto choose_all() {
    constexpr auto nodes = view().nodes.size();
    if constexpr (is_limited) {
      return limited::known_kernels;
    } else if constexpr (nodes <= nodes_per_choice || invalid.is_set) {
      return std::array<detail::chosen_kernel, 0>{};
    } else {
      std::array<detail::chosen_kernel, nodes> kernels{};
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (std::copy(chosen<I * nodes_per_choice>.begin(), chosen<I * nodes_per_choice>.end(), kernels.begin() + I * nodes_per_choice), ...);
      }(std::make_index_sequence<(nodes + nodes_per_choice - 1) / nodes_per_choice>{});
      return kernels;
    }
  }
  static constexpr auto known_kernels = choose_all();

  static constexpr auto plan() -> result<execution_plan> {
    return request::plan_with({known_kernels.data(), known_kernels.size()}, policy());
  }

  static consteval auto make_tables() {
    constexpr detail::execution_limits limits(Program::value());
    constexpr auto streamed = policy().find_segments != nullptr ? view().nodes.size() : 0;
    constexpr detail::table_sizes sizes{view().graphs.size(),
                                        view().nodes.size(),
                                        view().values.size(),
                                        view().delegates.size(),
                                        streamed,
                                        detail::bound_tensors_of<Setting>().size()};
    detail::execution_tables<sizes, limits.states, limits.outputs, limits.copies> result;
    result.outcome.why = invalid;
    result.outcome.alignment = std::has_single_bit(Options.alignment) ? Options.alignment : 1;  // the plan reports an invalid alignment
    if (invalid.is_set || view().graphs.empty()) return result;
    if constexpr (is_limited) result.outcome.why = limited::why;
    if (result.outcome.why.is_set) return result;
    const auto planned = plan();
    if (!planned) {
      result.outcome.why = static_failure{planned.error};
    } else if (const auto why = check_delegates(backend_types{}, view(), planned.value.calls)) {
      result.outcome.why = static_failure{why};
    } else {
      result.fill(view(), planned.value);
    }
    return result;
  }
  static constexpr auto tables = make_tables();
  static constexpr const detail::execution_outcome& outcome = tables.outcome;

  /// True if the executor must initialize mutable buffers: the executor runs alone in its arena, and a buffer of a graph that runs has an
  /// initial value.
  static constexpr auto has_state_data() -> bool {
    if (!std::is_base_of_v<running_alone, Setting>) return false;
    return std::any_of(tables.states.begin(), tables.states.begin() + outcome.states,
                       [](const detail::state_location& state) { return view()[state.buffer].data.size != 0; });
  }

  static constexpr auto bytes_of(const detail::state_location& state) -> std::size_t {
    return static_cast<std::size_t>(byte_count(view()[state.buffer].type, view().shape(state.buffer)));
  }
  /// True if `tables.states[i]` is the first buffer of its state. Buffers of one state have the same location. Buffers without bytes are
  /// ignored, because their location may be equal to the location of another state.
  static constexpr auto is_first_of_state(std::size_t i) -> bool {
    const auto* begin = tables.states.data();
    return std::none_of(begin, begin + i,
                        [&](const detail::state_location& other) { return other.location == begin[i].location && bytes_of(other) != 0; });
  }
  /// Returns the total size of all states in bytes.
  static constexpr auto state_bytes() -> std::size_t {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < outcome.states; ++i) {
      if (is_first_of_state(i)) sum += bytes_of(tables.states[i]);
    }
    return sum;
  }

  static constexpr auto location_of(value_id id) -> memory_location { return tables.location[index(id)]; }
  /// Returns the copy steps that run at the end of `graph` if node `call` calls it. `call` is `none` for the root.
  static constexpr auto copies_of(node_id call, graph_id graph) -> range {
    for (const auto& each : tables.copies) {
      if (each.steps.size != 0 && each.call == call && each.graph == graph) return each.steps;
    }
    return {};
  }
  static constexpr auto runs_original(delegate_id id) -> bool { return tables.runs_original[index(id)]; }
  /// Returns the location of the memory of the graphs that node `n` calls.
  static constexpr auto begin_of_called(std::uint32_t n) -> memory_location { return tables.scratch[n]; }

  template <std::uint32_t N>
  using kernel_type = typename all_kernels::template at<tables.kernel[N]>;

  /// True if slices are limited, in instructions or in operations, so that nodes may be cut into slices.
  template <std::uint64_t MaxOperations>
  static constexpr bool cuts_nodes = [] {
    if constexpr (is_limited) return limited::max_slice_instructions != limits::none || MaxOperations != limits::none;
    return MaxOperations != limits::none;
  }();
  using node_cut = detail::node_cut;
  /// Returns the division of node `N` into slices. The node must not be in a segment (consecutive nodes that run row by row, see
  /// `stream_segment`).
  template <std::uint32_t N, std::uint64_t MaxOperations>
  static consteval auto find_cut() -> node_cut {
    node_cut result;
    if constexpr (cuts_nodes<MaxOperations> && tables.kernel[N] < all_kernels::size) {
      constexpr const auto& record = static_view<Program>.nodes[N];
      constexpr const auto& facts = node_facts<kernel_type<N>, node_call<Program, N, memory_map>>;
      result = detail::node_cut_of(view(), record, facts, {tables.location.data(), tables.location.size()}, tables.order[N]);
      if constexpr (is_limited) result.limit_to(limited::max_slice_instructions, detail::cut_costs::of(limited::cost_of(N)));
      if constexpr (MaxOperations != limits::none) result.limit_operations_to(MaxOperations, detail::operations_of(view(), record));
    }
    return result;
  }
  /// The division that `find_cut` returns, as a constant, because several functions of an executor use this division.
  template <std::uint32_t N, std::uint64_t MaxOperations>
  static constexpr node_cut cut = find_cut<N, MaxOperations>();

  /// Returns the division of node `N` into the shortest possible slices.
  template <std::uint32_t N, std::uint64_t MaxOperations>
  static consteval auto shortest_cut() -> node_cut {
    auto result = cut<N, MaxOperations>;
    result.limit_operations_to(0, detail::operations_of(view(), view().nodes[N]));
    return result;
  }

  /// Returns the scratch memory of the delegate that node `N` calls.
  template <std::uint32_t N>
  static auto scratch(char* base) -> span<char> {
    constexpr auto bytes = lowered_module_view(view(), view().nodes[N].delegate).scratch_bytes();
    if constexpr (bytes == 0) return {};
    return {memory_map::template memory<tables.scratch[N]>(base), bytes};
  }

  /// A map from values to addresses. A value is in an arena, in a buffer of the caller, or in read-only memory.
  struct memory_map {
    template <value_id Data>
    static auto constant() -> const char* {
      if constexpr (view()[Data].kind == value_kind::external_constant) {
        return external<external_file::offset_of(view(), Data)>();
      } else {
        return stored_constant<Program, Data, constant_programs>().data();
      }
    }
    /// Returns the address of an external constant, which the executor's service `with_weights` provides.
    template <std::size_t Offset>
    static auto external() -> const char* {
      if constexpr (requires { Setting::external_constants(); }) {
        return Setting::external_constants() + Offset;
      } else {
        return nullptr;  // the executor has reported the error
      }
    }
    /// Returns the address of a location that is not a constant. `base` is the address of the graph's memory. A graph may write the
    /// location, unless the location is an input in a buffer of the caller.
    template <memory_location Location>
    static auto memory(char* base) -> char* {
      if constexpr (Location.is_bound) {
        char* address = nullptr;
        std::memcpy(&address, memory<memory_location{Location.offset, none<value_id>, Location.base}>(base), sizeof address);
        return address;
      } else if constexpr (Location.base == memory_base::graph) {
        return base + Location.offset;
      } else {
        return Setting::template begin_of<Location.base>() + Location.offset;
      }
    }
    template <memory_location Location>
    static auto bytes_at(const char* base) -> const char* {
      if constexpr (Location.is_constant()) {
        return constant<Location.data>();
      } else {
        return memory<Location>(const_cast<char*>(base));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      }
    }
    template <value_id Id>
    static auto address(const char* base) -> const char* {
      constexpr bool is_in_graph = location_of(Id).is_in_graph();
      if constexpr (is_in_graph) {
        // Does not call `memory`, because most values take this branch, and a call would be compiled for each value.
        constexpr auto offset = location_of(Id).offset;
        return base + offset;
      } else if constexpr (location_of(Id).is_constant()) {
        return constant<location_of(Id).data>();
      } else {
        return memory<location_of(Id)>(const_cast<char*>(base));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      }
    }
    /// Returns the scratch memory of the kernel of node `N`.
    template <std::uint32_t N>
    static auto scratch(char* base) {
      constexpr std::size_t bytes = tables.scratch_bytes[N];
      if constexpr (bytes == 0) {
        return std::span<char, 0>{};
      } else {
        return std::span<char, bytes>{memory<tables.scratch[N]>(base), bytes};
      }
    }
    /// Returns the constant that the kernel of node `N` prepared.
    template <std::uint32_t N>
    static constexpr auto prepared() {
      return prepared_for<Program, kernel_type<N>, N, constant_programs>();
    }
    static constexpr auto order_of(std::uint32_t node) -> write_order { return tables.order[node]; }
    /// Returns the address of user output `I` of the root after a run.
    template <std::size_t I>
    static auto output(const char* base) -> const char* {
      return bytes_at<tables.output[I]>(base);
    }
    /// Returns the address at which a kernel writes value `Id`. A kernel that returns its operand unchanged writes nothing. Its output has
    /// the address of the operand, which may be a constant of a calling graph.
    template <value_id Id>
    static auto writable(char* base) -> char* {
      constexpr bool is_in_graph = location_of(Id).is_in_graph();
      if constexpr (is_in_graph) {
        constexpr auto offset = location_of(Id).offset;
        return base + offset;
      } else {
        return const_cast<char*>(address<Id>(base));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      }
    }
  };
};

}  // namespace baton
