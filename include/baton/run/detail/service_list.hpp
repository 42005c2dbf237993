// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The services of an executor, by kind. A service is a type that extends the executor, for example a loader, a tracer or a memory policy.
#pragma once

#include <baton/kernel/kernel_costs.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/schedule_policy.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/static_execution.hpp>
#include <baton/run/bound_buffers.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/copied_weights.hpp>
#include <baton/run/detail/method_context.hpp>
#include <baton/run/events.hpp>
#include <baton/run/in_slices.hpp>
#include <baton/run/processed_bytes.hpp>
#include <baton/run/run_time_weights.hpp>
#include <baton/run/with_options.hpp>

#include <boost/hana/at.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

template <class Service>
inline constexpr bool is_planned_by = false;
template <class Policy>
inline constexpr bool is_planned_by<planned_by<Policy>> = true;

/// The memory policy of a service; `memory_policies::no_overlap` if the service is `void` or has an invalid policy. The executor reports an
/// invalid policy.
template <class Service>
struct policy_of_service : std::type_identity<planned_by<memory_policies::no_overlap>> {};
template <memory_policy Policy>
struct policy_of_service<planned_by<Policy>> : std::type_identity<planned_by<Policy>> {};

/// The service `within` (`plan/within.hpp`).
template <class Service>
concept limiting_service = requires {
  { Service::given_limits } -> std::same_as<const limits&>;
  typename Service::cost_table;
};

/// The search for a plan within the limits of a service; `no_limits` if the service is `void` or has an invalid cost table.
template <class Service, class Policy>
struct search_of_service : std::type_identity<no_limits> {};
template <limiting_service Service, class Policy>
  requires kernel_costs<typename Service::cost_table>
struct search_of_service<Service, Policy> : std::type_identity<typename Service::template search<Policy>> {};

template <class Service>
inline constexpr bool is_in_slices = std::is_same_v<Service, in_slices>;
template <std::uint64_t MaxOperations>
inline constexpr bool is_in_slices<in_slices::of<MaxOperations>> = true;
/// The maximum number of operations of a slice (the work of one call of `step`, see `in_slices`); `UINT64_MAX` without `in_slices::of`.
template <class Service>
inline constexpr std::uint64_t max_operations_of = UINT64_MAX;
template <std::uint64_t MaxOperations>
inline constexpr std::uint64_t max_operations_of<in_slices::of<MaxOperations>> = MaxOperations;

template <class Service>
inline constexpr bool is_scheduled_by = false;
template <class Policy>
inline constexpr bool is_scheduled_by<scheduled_by<Policy>> = true;

/// The schedule policy of a service. Defaults to program order.
template <class Service>
struct schedule_of_service : std::type_identity<chosen_schedule> {};
template <schedule_policy Policy>
struct schedule_of_service<scheduled_by<Policy>> : std::type_identity<scheduled_by<Policy>> {};

/// Fails at compile time if the second argument of a service `within` is not a cost table.
template <class Service>
consteval auto require_kernel_costs() -> bool {
  constexpr bool has_costs = kernel_costs<typename Service::cost_table>;
  static_assert(has_costs,
                "baton executor: the second argument of within is not a cost table; write: template <class Kernel> static constexpr auto "
                "node(const baton::program_view&, const baton::node&) -> baton::node_cost");
  return has_costs;
}

/// Fails at compile time if a type is not a service, or is a service with an invalid policy or cost table. `service_list` ignores a type
/// that is not a service.
template <class Service>
consteval void require_service() {
  constexpr bool is_service = processed_bytes_loader<Service> || named_data_source<Service> || event_tracer<Service> ||
                              is_initial_options<Service> || is_caller_arena<Service> || is_region_arena<Service> ||
                              is_planned_by<Service> || is_scheduled_by<Service> || limiting_service<Service> || is_with_weights<Service> ||
                              is_bound_inputs<Service> || is_bound_outputs<Service> || is_copied_weights<Service> ||
                              is_in_slices<Service> || method_context_service<Service>;
  static_assert(
      is_service,
      "baton executor: a type is not a service; services are a loader of processed bytes (static auto load(const "
      "baton::processed_bytes::request&) -> baton::status_or<baton::processed_bytes::loaded>), a source of named data, an event "
      "tracer, initial_options, in_arena, in_regions, planned_by, scheduled_by, within, with_weights, bound_inputs, bound_outputs, "
      "copied_weights and in_slices; pass kernels as baton::with_kernels<list> to baton::executor");
  if constexpr (is_planned_by<Service>) {
    [[maybe_unused]] constexpr bool is_policy = require_memory_policy<typename Service::policy>();
  }
  if constexpr (limiting_service<Service>) {
    [[maybe_unused]] constexpr bool has_costs = require_kernel_costs<Service>();
  }
  if constexpr (is_scheduled_by<Service>) {
    [[maybe_unused]] constexpr bool is_policy = require_schedule_policy<typename Service::schedule>();
  }
}

/// Fails at compile time if an executor has two services of the same kind. Initial options of different backends are permitted. Also fails
/// if slices are limited without the service `in_slices`, or if the limit is 0 operations. `Services` is a `service_list`.
template <class Services>
consteval void require_one_service_of_a_kind() {
  static_assert(
      Services::memory_count <= 1,
      "baton executor: memory is given twice; remove one in_arena or in_regions (a methods executor gives memory to its methods)");
  static_assert(Services::loader_count <= 1, "baton executor: loaders of processed bytes are given twice; remove one");
  static_assert(Services::source_count <= 1, "baton executor: sources of named data are given twice; remove one");
  static_assert(Services::tracer_count <= 1, "baton executor: event tracers are given twice; remove one");
  static_assert(Services::memory_policy_count <= 1, "baton executor: memory policies are given twice; remove one planned_by");
  static_assert(Services::are_in_slices || !Services::limits_slices,
                "baton executor: slice_instructions limits the slices of in_slices; add baton::in_slices, or remove the limit");
  static_assert(Services::limits_count <= 1, "baton executor: limits are given twice; remove one within");
  static_assert(Services::weights_count <= 1, "baton executor: weights are given twice; remove one with_weights");
  static_assert(Services::bound_inputs_count <= 1 && Services::bound_outputs_count <= 1,
                "baton executor: bound_inputs or bound_outputs is given twice; give all indices to one");
  static_assert(Services::copied_weights_count <= 1, "baton executor: copied_weights is given twice; remove one");
  static_assert(Services::in_slices_count <= 1, "baton executor: in_slices is given twice; remove one");
  static_assert(
      Services::max_operations != 0,
      "baton executor: in_slices::of<0> permits no operation in a slice; pass the maximum number of operations of a slice, or write "
      "in_slices without a limit");
  static_assert(Services::schedule_policy_count <= 1, "baton executor: schedule policies are given twice; remove one scheduled_by");
}

/// Fails at compile time if the executor of a `service_list` does not run in slices.
template <class Services>
consteval auto require_slices() -> bool {
  static_assert(Services::are_in_slices,
                "baton executor: start and step need the service in_slices; write baton::executor<model, baton::in_slices>");
  return Services::are_in_slices;
}

/// The services of an executor, by kind. One type may be a loader, a source of named data and a tracer. At most one of each kind may be
/// given.
template <class... Services>
struct service_list {
  /// Returns the position of the first service of a kind. `is_kind` contains, for each service, whether the service is of this kind.
  /// Returns `sizeof...(Services)` if there is no such service; `at` is `void` at that position.
  static constexpr auto position_of(const std::array<bool, sizeof...(Services)>& is_kind) -> std::size_t {
    std::size_t at = 0;
    while (at < is_kind.size() && !is_kind[at]) ++at;
    return at;
  }
  static constexpr boost::hana::tuple<boost::hana::type<Services>..., boost::hana::type<void>> types{};
  template <std::size_t I>
  using at = typename std::remove_cvref_t<decltype(boost::hana::at_c<I>(types))>::type;

  using loader = at<position_of({processed_bytes_loader<Services>...})>;
  static constexpr std::size_t loader_count = (std::size_t{0} + ... + (processed_bytes_loader<Services> ? 1 : 0));
  using source = at<position_of({named_data_source<Services>...})>;
  static constexpr std::size_t source_count = (std::size_t{0} + ... + (named_data_source<Services> ? 1 : 0));
  using tracer_or_void = at<position_of({event_tracer<Services>...})>;
  static constexpr std::size_t tracer_count = (std::size_t{0} + ... + (event_tracer<Services> ? 1 : 0));
  using tracer = std::conditional_t<std::is_void_v<tracer_or_void>, no_tracer, tracer_or_void>;
  /// The memory of the executor: one arena of the caller, two regions of the caller (fast and slow memory, see `in_regions`), or the arena
  /// of a methods executor. At most one of the three types may be given; a type that is not given is `void`.
  using caller_arena = at<position_of({is_caller_arena<Services>...})>;
  using region_arena = at<position_of({is_region_arena<Services>...})>;
  using context_or_void = at<position_of({method_context_service<Services>...})>;
  /// The memory of the caller as a `caller_memory`; `void` if none is given.
  using caller_memory = typename memory_of_service<std::conditional_t<std::is_void_v<caller_arena>, region_arena, caller_arena>>::type;
  static constexpr std::size_t memory_count =
      (std::size_t{0} + ... + (is_caller_arena<Services> || is_region_arena<Services> || method_context_service<Services> ? 1 : 0));
  /// The memory policy, as a `planned_by`. At most one may be given.
  using policy_or_void = at<position_of({is_planned_by<Services>...})>;
  using policy = typename policy_of_service<policy_or_void>::type;
  static constexpr std::size_t memory_policy_count = (std::size_t{0} + ... + (is_planned_by<Services> ? 1 : 0));
  /// The service `within`, or `void`, and its search for a plan within the limits, or `no_limits`. At most one may be given.
  using limits_or_void = at<position_of({limiting_service<Services>...})>;
  using limits_search = typename search_of_service<limits_or_void, std::conditional_t<std::is_void_v<policy_or_void>, void, policy>>::type;
  static constexpr bool limits_slices = [] {
    if constexpr (limiting_service<limits_or_void>) return limits_or_void::given_limits.slice_instructions != limits::none;
    return false;
  }();
  static constexpr std::size_t limits_count = (std::size_t{0} + ... + (limiting_service<Services> ? 1 : 0));
  /// The schedule policy, as a `scheduled_by`. At most one may be given.
  using schedule_or_void = at<position_of({is_scheduled_by<Services>...})>;
  using schedule = typename schedule_of_service<schedule_or_void>::type;
  static constexpr std::size_t schedule_policy_count = (std::size_t{0} + ... + (is_scheduled_by<Services> ? 1 : 0));
  /// The service `with_weights`, or `void`. At most one may be given.
  using weights = at<position_of({is_with_weights<Services>...})>;
  static constexpr std::size_t weights_count = (std::size_t{0} + ... + (is_with_weights<Services> ? 1 : 0));
  /// The services `bound_inputs` and `bound_outputs`, each `void` if it is not given. At most one of each may be given.
  using bound_inputs_or_void = at<position_of({is_bound_inputs<Services>...})>;
  using bound_outputs_or_void = at<position_of({is_bound_outputs<Services>...})>;
  static constexpr std::size_t bound_inputs_count = (std::size_t{0} + ... + (is_bound_inputs<Services> ? 1 : 0));
  static constexpr std::size_t bound_outputs_count = (std::size_t{0} + ... + (is_bound_outputs<Services> ? 1 : 0));
  /// The service `copied_weights`, or `void`. At most one may be given.
  using copied_weights_or_void = at<position_of({is_copied_weights<Services>...})>;
  static constexpr std::size_t copied_weights_count = (std::size_t{0} + ... + (is_copied_weights<Services> ? 1 : 0));
  static constexpr std::size_t in_slices_count = (std::size_t{0} + ... + (is_in_slices<Services> ? 1 : 0));
  static constexpr bool are_in_slices = in_slices_count != 0;
  /// The maximum number of operations of a slice, for nodes that can be cut into slices; `UINT64_MAX` without a limit.
  static constexpr std::uint64_t max_operations = std::min({UINT64_MAX, max_operations_of<Services>...});
  using setting_of_memory = decltype([] {
    if constexpr (!std::is_void_v<context_or_void>) {
      return std::type_identity<context_or_void>{};
    } else if constexpr (!std::is_void_v<region_arena>) {
      return std::type_identity<running_in_regions<region_arena>>{};
    } else {
      return std::type_identity<running_alone>{};
    }
  }())::type;
  using setting_of_constants =
      std::conditional_t<std::is_void_v<weights>, setting_of_memory, setting_with_weights<setting_of_memory, weights>>;
  using setting_of_buffers =
      std::conditional_t<bound_inputs_count + bound_outputs_count == 0, setting_of_constants,
                         setting_with_bound_tensors<setting_of_constants, bound_inputs_or_void, bound_outputs_or_void>>;
  /// The requirements of the services on the plan: the `Setting` of `static_execution`.
  using setting = std::conditional_t<std::is_void_v<copied_weights_or_void>, setting_of_buffers,
                                     setting_with_copies<setting_of_buffers, copied_weights_or_void>>;
  template <class Backend>
  using initial_options_of = at<position_of({is_initial_options_of<Backend, Services>...})>;
};

/// The execution plan of a program for an executor with these services.
template <class Program, class Kernels, plan_options Options, class... Services>
using execution_of =
    static_execution<Program, Kernels, Options, typename service_list<Services...>::setting, typename service_list<Services...>::policy,
                     typename service_list<Services...>::schedule, typename service_list<Services...>::limits_search>;

}  // namespace baton::detail
