// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Limits of arena, flash and slices: the kernels and the policy that an executor selects, at compile time and at run time.
#include <baton/plan/within.hpp>
#include <baton/core/static_program.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/plan_within.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/in_slices.hpp>

#include "plan/by_rows.hpp"
#include "plan/numbered_kernels.hpp"
#include "plan/stepping.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;

constexpr static_program model{stepping::make_chain{}};
template <limits Limits, class... Services>
using net_within = basic_executor<model, stepping::kernels, plan_options{}, within<Limits, stepping::costs>, Services...>;

constexpr auto forms_are(const limited_plan& plan, std::string_view a, std::string_view b, std::string_view c) -> bool {
  return plan.nodes[0].form == a && plan.nodes[1].form == b && plan.nodes[2].form == c;
}

// Without a limit, the plan is the one without the service.
using unlimited = net_within<limits{}>;
static_assert(unlimited::arena_bytes == basic_executor<model, stepping::kernels>::arena_bytes && unlimited::arena_bytes == 192);
static_assert(forms_are(unlimited::plan_within_limits(), "quick", "quick", "quick"));
static_assert(unlimited::plan_within_limits().policy == "no_overlap" && unlimited::plan_within_limits().estimate.instructions == 192);

// A policy that overlaps values costs no instructions, so it comes before other kernels.
using overlapped = net_within<limits{.arena_bytes = 191}>;
static_assert(overlapped::arena_bytes == 128 && overlapped::plan_within_limits().policy == "in_place");
static_assert(forms_are(overlapped::plan_within_limits(), "quick", "quick", "quick"));

// Then kernels with less scratch are selected, which execute more instructions.
using with_less_scratch = net_within<limits{.arena_bytes = 127}>;
static_assert(with_less_scratch::arena_bytes == 96 && with_less_scratch::plan().policy == "in_place");
static_assert(forms_are(with_less_scratch::plan_within_limits(), "middle", "middle", "middle"));
constexpr auto the_plan_reports_additional_instructions() -> bool {
  const auto plan = with_less_scratch::plan_within_limits();
  const auto& first = plan.nodes[0];
  return plan.within.arena_bytes == 127 && plan.estimate.arena_bytes == 96 && plan.estimate.instructions == 384 &&
         plan.without_limits.arena_bytes == 192 && plan.without_limits.instructions == 192 && first.fastest == "quick" &&
         first.more_instructions == 64 && first.less_scratch_bytes == 32;
}
static_assert(the_plan_reports_additional_instructions());
using without_scratch = net_within<limits{.arena_bytes = 64}>;
static_assert(without_scratch::arena_bytes == 64 && forms_are(without_scratch::plan_within_limits(), "slow", "slow", "slow"));

// Also if five other kernels support the node before the one without scratch.
constexpr kernel_list<stepping::quick, stepping::add_bytes<96, stepping::runs_of_slow>, stepping::add_bytes<80, stepping::runs_of_slow>,
                      stepping::add_bytes<48, stepping::runs_of_slow>, stepping::middle, stepping::slow>
    six_kernels{};
static_assert(basic_executor<model, six_kernels, plan_options{}, within<limits{.arena_bytes = 64}, stepping::costs>>::arena_bytes == 64);

// The forms of one kernel are selected in the same way as several kernels. Without limits, only the kernel itself is used.
struct quick_with_forms : stepping::quick {
  using forms = kernel_list<stepping::middle, stepping::slow>;
};
struct costs_of_forms {
  template <class Kernel>
  static constexpr auto node(const program_view& program, const baton::node& record) -> node_cost {
    return stepping::costs::node<std::conditional_t<std::is_same_v<Kernel, quick_with_forms>, stepping::quick, Kernel>>(program, record);
  }
};
constexpr kernel_list<quick_with_forms> one_kernel{};
template <limits Limits, class... Services>
using net_of_forms = basic_executor<model, one_kernel, plan_options{}, within<Limits, costs_of_forms>, Services...>;
static_assert(basic_executor<model, one_kernel>::arena_bytes == 192 && net_of_forms<limits{}>::arena_bytes == 192);
static_assert(net_of_forms<limits{.arena_bytes = 127}>::arena_bytes == 96);
static_assert(forms_are(net_of_forms<limits{.arena_bytes = 127}>::plan_within_limits(), "middle", "middle", "middle"));
static_assert(net_of_forms<limits{.arena_bytes = 64}>::arena_bytes == 64);
static_assert(forms_are(net_of_forms<limits{.arena_bytes = 64}>::plan_within_limits(), "slow", "slow", "slow"));
static_assert(net_of_forms<limits{.flash_bytes = 158}>::plan_within_limits().estimate.flash_bytes == 158);
static_assert(plan_within<costs_of_forms>(one_kernel, model.value(), {.arena_bytes = 64}).value.plan.kernels[0] == 2);

// A kernel that the table does not know loses to a later one only if a limit requires it. Its cost is the lowest one of the later kernels.
struct costs_without_quick {
  template <class Kernel>
  static constexpr auto node(const program_view& program, const baton::node& record) -> node_cost {
    auto cost = stepping::costs::node<Kernel>(program, record);
    if (!std::is_same_v<Kernel, stepping::quick>) return cost;
    cost.instructions = 1000;
    cost.is_known = false;
    return cost;
  }
};
template <limits Limits>
using net_without_costs = basic_executor<model, stepping::kernels, plan_options{}, within<Limits, costs_without_quick>>;
static_assert(forms_are(net_without_costs<limits{}>::plan_within_limits(), "quick", "quick", "quick"));
static_assert(net_without_costs<limits{}>::plan_within_limits().estimate.instructions == 3 * 2 * 64);
static_assert(forms_are(net_without_costs<limits{.arena_bytes = 127}>::plan_within_limits(), "middle", "middle", "middle"));

// With `planned_by`, only kernels are selected.
using disjoint = net_within<limits{.arena_bytes = 160}, planned_by<memory_policies::no_overlap>>;
static_assert(disjoint::arena_bytes == 160 && disjoint::plan_within_limits().policy == "no_overlap");
static_assert(forms_are(disjoint::plan_within_limits(), "middle", "middle", "middle"));

// The quick form stores 128 bytes for each node, the others read two constants of 64 bytes.
using in_little_flash = net_within<limits{.flash_bytes = 400}>;
static_assert(in_little_flash::plan_within_limits().estimate.flash_bytes <= 400 && in_little_flash::arena_bytes <= 192);
static_assert(in_little_flash::plan_within_limits().estimate.instructions > 192);
using in_least_flash = net_within<limits{.flash_bytes = 158}>;
static_assert(in_least_flash::plan_within_limits().estimate.flash_bytes == 2 * 64 + 3 * 10);

// Both limits.
using in_both = net_within<limits{.arena_bytes = 127, .flash_bytes = 180}>;
static_assert(in_both::arena_bytes <= 127 && in_both::plan_within_limits().estimate.flash_bytes <= 180);

// The slices of the quick form are the shortest, so a limit of slices does not change the choice.
using in_short_slices = net_within<limits{.slice_instructions = 64}, in_slices>;
static_assert(in_short_slices::plan_within_limits().estimate.slice_instructions == 64 &&
              in_short_slices::plan_within_limits().estimate.instructions == 192);

// In two regions, which are too small for the scratch of the quick form, even without a limit.
memory_region<96> fast;
memory_region<64> slow;
using in_two = net_within<limits{}, in_regions<fast, slow>>;
static_assert(in_two::arena_bytes <= 160 && in_two::plan_within_limits().policy == "no_overlap");
static_assert(forms_are(in_two::plan_within_limits(), "middle", "middle", "middle"));

template <class Net>
auto output_of() -> std::array<std::int8_t, 64> {
  static Net net;
  std::array<std::int8_t, 64> x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int8_t>(3 * i);
  std::array<std::int8_t, 64> y{};
  net.run(x, y);
  return y;
}

/// The instructions of the plan within a limit of the arena, found at run time; 0 if there is no plan.
constexpr auto instructions_within(const limits& bounds) -> std::uint64_t {
  const auto plan = plan_within<stepping::costs>(stepping::kernels, model.value(), bounds);
  return plan ? plan.value.limited.estimate.instructions : 0;
}

constexpr auto a_tighter_limit_is_never_cheaper() -> bool {
  std::uint64_t looser = 192;
  for (std::uint64_t bytes = 208; bytes >= 64; bytes -= 8) {
    const auto tighter = instructions_within({.arena_bytes = bytes});
    if (tighter < looser) return false;
    looser = tighter;
  }
  looser = 192;
  for (std::uint64_t bytes = 520; bytes >= 160; bytes -= 20) {
    const auto tighter = instructions_within({.flash_bytes = bytes});
    if (tighter < looser) return false;
    looser = tighter;
  }
  return looser > 192;
}

constexpr auto a_limit_below_the_least_fails() -> bool {
  const auto plan = plan_within<stepping::costs>(stepping::kernels, model.value(), {.arena_bytes = 63, .flash_bytes = 10});
  return plan.error.is<"limits_too_small">() && view(plan.error.reason) == "arena_bytes >= 64 (limit 63); flash_bytes >= 158 (limit 10)";
}
static_assert(a_limit_below_the_least_fails());

/// Costs of `by_rows`: 1,000 instructions for a node, and 2,000 more if it computes single rows. The longest of the 16 rows costs 5 % more
/// than an equal share, because the first and the last row have two taps instead of three.
struct costs_of_single_rows {
  template <class Kernel>
  static constexpr auto node(const program_view&, const baton::node&) -> node_cost {
    return {.form = "by rows", .instructions = 1000, .single_row_instructions = 2000};
  }
};
constexpr auto single_rows_cost_instructions() -> bool {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 8, 32));
  const auto a = build.call("wide", "test.window", {x}, tensor(dtype::int8, 1, 16, 8, 64), {{"span", 3}, {"before", 1}});
  const auto b = build.call("pairs", "test.window", {a}, tensor(dtype::int8, 1, 16, 8, 64),
                            {{"span", 3}, {"before", 1}, {"rows_per_step", 4}, {"scratch", 1024}, {"single_row_scratch", 256}});
  build.output(build.call("half", "test.window", {b}, tensor(dtype::int8, 1, 8, 4, 64), {{"span", 3}, {"stride", 2}}));
  const auto program = build.finish();
  const auto find = [&](std::uint64_t bytes) {
    return plan_within<costs_of_single_rows>(kernels<by_rows>, program, {.arena_bytes = bytes}).value.limited;
  };
  return find(limits::none).estimate.instructions == 3000 && find(7168).policy == "row_streaming" &&
         find(7168).estimate.instructions == 5000 && find(7168).estimate.slice_instructions == 197;
}

constexpr auto slices_fail_with_the_least() -> bool {
  const auto plan = plan_within<stepping::costs>(stepping::kernels, model.value(), {.slice_instructions = 63});
  const auto none = plan_within<stepping::costs>(stepping::kernels, model.value(), {.slice_instructions = 0});
  return plan.error.is<"limits_too_small">() && view(plan.error.reason) == "slice_instructions >= 64 (limit 63, node a)" &&
         view(none.error.reason) == "slice_instructions >= 64 (limit 0, node a)";
}
static_assert(slices_fail_with_the_least());

constexpr auto reason_within(const limits& bounds) -> text_buffer {
  return plan_within<stepping::costs>(stepping::kernels, model.value(), bounds).error.reason;
}

constexpr auto limits_that_hold_only_alone_fail_with_the_least_of_each() -> bool {
  return view(reason_within({.arena_bytes = 96, .slice_instructions = 100})) ==
             "each limit can be kept alone, but not all together; raise one of them; arena_bytes >= 128 (limit 96); "
             "slice_instructions >= 128 (limit 100, node a)" &&
         reason_within({.arena_bytes = 128, .slice_instructions = 100}).empty() &&
         reason_within({.arena_bytes = 96, .slice_instructions = 128}).empty();
}
static_assert(limits_that_hold_only_alone_fail_with_the_least_of_each());

constexpr auto a_limit_that_does_not_help_is_not_stated(std::uint64_t arena_bytes, std::string_view stated) -> bool {
  const auto why = reason_within({.arena_bytes = arena_bytes, .flash_bytes = 158, .slice_instructions = 64});
  const auto text = view(why);
  return text.substr(0, text.find(';')) == "each limit can be kept alone, but not all together" && text.ends_with(stated);
}
// The limits of flash and slices cannot be kept together, so no limit of the arena suffices.
constexpr std::string_view flash_or_slices = "one of them; flash_bytes >= 504 (limit 158); slice_instructions >= 256 (limit 64, node a)";
static_assert(a_limit_that_does_not_help_is_not_stated(192, flash_or_slices));
constexpr std::string_view only_slices = "one of them; slice_instructions >= 256 (limit 64, node a)";
static_assert(a_limit_that_does_not_help_is_not_stated(64, only_slices));

/// Three plans, of which each keeps one limit of 1.
constexpr auto limits_of_which_no_two_hold_fail_with_the_least_alone() -> bool {
  constexpr limits within{.arena_bytes = 1, .flash_bytes = 2, .slice_instructions = 3};
  detail::limit_search search;
  search.add(0, 0, {{1, 8, 9, 100}, 7, 2}, within);
  search.add(1, 1, {{8, 1, 9, 100}, 8, 1}, within);
  search.add(2, 2, {{8, 9, 3, 100}, 2, 0}, within);
  return view(search.failed(model.value(), within).reason) ==
         "each limit can be kept alone, but no two together; raise two of them; minimum of each limit alone; "
         "arena_bytes >= 1 (limit 1); flash_bytes >= 1 (limit 2); slice_instructions >= 2 (limit 3, node a)";
}
static_assert(limits_of_which_no_two_hold_fail_with_the_least_alone());

/// A variant can be selected only within limits that permit its base candidate.
constexpr auto the_least_of_a_variant_includes_its_base_candidate() -> bool {
  constexpr limits within{.arena_bytes = 10, .flash_bytes = 10, .slice_instructions = 10};
  detail::limit_search search;
  search.add(0, 0, {{20, 20, 10, 100}, 5, 1}, within);
  search.add(1, 0, {{5, 5, 5, 110}, 4, 2}, within);
  return search.best == detail::limit_search::none &&
         view(search.failed(model.value(), within).reason) ==
             "arena_bytes >= 20 (limit 10); flash_bytes >= 5 (limit 10); slice_instructions >= 5 (limit 10, node b)";
}
static_assert(the_least_of_a_variant_includes_its_base_candidate());

/// The same for slices: the longest slice of a variant is at least the longest slice of its base candidate.
constexpr auto slices_of_a_variant_include_its_base_candidate() -> bool {
  constexpr limits within{.arena_bytes = 10, .flash_bytes = 10, .slice_instructions = 10};
  detail::limit_search search;
  search.add(0, 0, {{5, 20, 20, 100}, 20, 1}, within);
  search.add(1, 0, {{5, 5, 5, 110}, 5, 2}, within);
  return search.best == detail::limit_search::none && view(search.failed(model.value(), within).reason) ==
                                                          "arena_bytes >= 5 (limit 10); flash_bytes >= 5 (limit 10); "
                                                          "slice_instructions >= 20 (limit 10, node b)";
}
static_assert(slices_of_a_variant_include_its_base_candidate());

/// If the slices of a variant are longer, they are those of the variant. The limits of flash and slices hold alone: flash for the variant,
/// slices for the last candidate.
constexpr auto a_variant_may_have_longer_slices() -> bool {
  constexpr limits within{.flash_bytes = 10, .slice_instructions = 10};
  detail::limit_search search;
  search.add(0, 0, {{5, 20, 11, 100}, 11, 1}, within);
  search.add(1, 0, {{5, 5, 12, 110}, 12, 2}, within);
  search.add(2, 2, {{5, 20, 9, 120}, 9, 1}, within);
  return search.best == detail::limit_search::none &&
         view(search.failed(model.value(), within).reason) ==
             "each limit can be kept alone, but not all together; raise one of them; flash_bytes >= 20 (limit 10); "
             "slice_instructions >= 12 (limit 10, node c)";
}
static_assert(a_variant_may_have_longer_slices());

constexpr auto an_output_may_be_smaller_than_its_operand() -> bool {
  program_builder build;
  const auto weights = build.constant("weights", tensor(dtype::int8, 32), {stepping::make_chain::ones.data(), 32});
  const auto x = build.user_input("x", tensor(dtype::int8, 64));
  build.output(build.call("y", "test.add_bytes", {x, weights}, tensor(dtype::int8, 32)));
  const auto plan = plan_within<stepping::costs>(stepping::kernels, build.finish(), {.arena_bytes = 127});
  return plan && plan.value.limited.estimate.arena_bytes <= 127;
}
static_assert(an_output_may_be_smaller_than_its_operand());

static_assert(plan_within<stepping::costs>(stepping::kernels, exported_program{}, {.slice_instructions = 1}));

constexpr auto other_errors_are_kept() -> bool {
  const auto plan = plan_within<stepping::costs>(baton::kernel_list<>{}, model.value(), {});
  return plan.error.is<"missing_kernel">();
}
static_assert(other_errors_are_kept());

constexpr auto a_ninth_form_is_an_error() -> bool {
  const auto program = stepping::make_chain{}();
  const auto plan_of = [&](auto kernels) { return plan_within<stepping::numbered_costs>(kernels, program, limits{}); };
  const auto eight = plan_of(stepping::numbered_kernels<8>);
  const auto nine = plan_of(stepping::numbered_kernels<9>);
  return eight && eight.value.limited.estimate.instructions == 3 * 93 && !nine && nine.error.is<"too_many_forms">() &&
         view(nine.error.reason) == "9 kernels, the limit is 8";
}
static_assert(a_ninth_form_is_an_error());

}  // namespace

TEST_CASE("limits: the outputs are equal, and the selected kernels run") {
  stepping::runs_of_quick = stepping::runs_of_middle = stepping::runs_of_slow = 0;
  const auto expected = output_of<basic_executor<model, kernel_list<stepping::slow>{}>>();
  CHECK(expected[13] == static_cast<std::int8_t>(39 + 3 * (13 % 7)));
  CHECK(stepping::runs_of_slow == 3);
  CHECK(output_of<unlimited>() == expected);
  CHECK(output_of<overlapped>() == expected);
  CHECK(stepping::runs_of_quick == 6);
  CHECK(output_of<with_less_scratch>() == expected);
  CHECK(output_of<disjoint>() == expected);
  CHECK(stepping::runs_of_middle == 6);
  CHECK(output_of<without_scratch>() == expected);
  CHECK(stepping::runs_of_slow == 6);
  CHECK(output_of<in_little_flash>() == expected);
  CHECK(output_of<in_both>() == expected);
  CHECK(output_of<in_short_slices>() == expected);
  CHECK(output_of<in_two>() == expected);
}

TEST_CASE("limits: the selected form of a kernel runs") {
  const auto expected = output_of<basic_executor<model, one_kernel>>();
  const auto before = stepping::runs_of_middle;
  CHECK(output_of<net_of_forms<limits{.arena_bytes = 127}>>() == expected);
  CHECK(stepping::runs_of_middle == before + 3);
}

TEST_CASE("limits: a tighter limit never needs fewer instructions") { CHECK(a_tighter_limit_is_never_cheaper()); }

TEST_CASE("limits: a failure states the minimum of each limited quantity") {
  CHECK(a_limit_below_the_least_fails());
  CHECK(slices_fail_with_the_least());
  CHECK(limits_that_hold_only_alone_fail_with_the_least_of_each());
  CHECK(a_limit_that_does_not_help_is_not_stated(192, flash_or_slices));
  CHECK(a_limit_that_does_not_help_is_not_stated(64, only_slices));
  CHECK(limits_of_which_no_two_hold_fail_with_the_least_alone());
  CHECK(the_least_of_a_variant_includes_its_base_candidate());
  CHECK(slices_of_a_variant_include_its_base_candidate());
  CHECK(a_variant_may_have_longer_slices());
  CHECK(other_errors_are_kept());
  CHECK(an_output_may_be_smaller_than_its_operand());
}

TEST_CASE("limits: the eighth kernel of a node can be selected, and a ninth is an error") { CHECK(a_ninth_form_is_an_error()); }

TEST_CASE("limits: the estimate counts the additional instructions of single rows") { CHECK(single_rows_cost_instructions()); }

TEST_CASE("limits: the search at run time selects the same plan as the compiler") {
  for (const auto bytes : {192, 191, 127, 64}) {
    const auto plan = plan_within<stepping::costs>(stepping::kernels, model.value(), {.arena_bytes = static_cast<std::uint64_t>(bytes)});
    REQUIRE(plan);
    const auto& arena = plan.value.plan.memory.arena_bytes;
    CHECK(plan.value.limited.estimate.arena_bytes == arena);
    CHECK(arena == (bytes == 192   ? unlimited::arena_bytes
                    : bytes == 191 ? overlapped::arena_bytes
                    : bytes == 127 ? with_less_scratch::arena_bytes
                                   : without_scratch::arena_bytes));
  }
}
