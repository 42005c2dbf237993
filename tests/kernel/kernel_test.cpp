// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernel of a list that computes a node, or the reason if there is none.
#include <baton/kernel/kernel.hpp>
#include <baton/core/builder.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>

namespace {

using namespace baton;

struct small_copy {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    if (!record.is("test.copy")) return {refuse()};
    if (program.shape(program.inputs(record)[0])[0] > 4) return {refuse("larger than 4")};
    return {accept(), {}, {.scratch_bytes = 4}};
  }
  static void compute(const no_plan&, const node_memory&) {}
};
struct any_copy {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    if (record.is("test.copy")) return {accept()};
    return {refuse()};
  }
  template <class Call>
  static void compute(const Call&) {}
};
/// Describes only copies. Omits the table from its plan if the purpose is planning.
struct table_copy {
  static constexpr literal_name operators[] = {"test.copy"};
  static constexpr auto describe(const program_view&, const node&, describe_for purpose = describe_for::computing)
      -> node_description<std::size_t> {
    const auto plan = purpose == describe_for::planning ? 0u : 256u;
    return {accept(), plan, {.scratch_bytes = 256 - plan}};
  }
  static void compute(const std::size_t&, const node_memory&) {}
};
static_assert(kernel<small_copy> && kernel<any_copy> && kernel<table_copy>);
static_assert(!kernel<no_plan>);

constexpr auto copy_of_size(int size, const char* op = "test.copy") -> exported_program {
  program_builder build;
  build.output(build.call(op, {build.user_input("x", tensor(dtype::int8, size))}, tensor(dtype::int8, size)));
  return build.finish();
}

constexpr auto the_first_supporting_kernel_is_chosen() -> bool {
  const auto list = kernels<small_copy, any_copy>;
  const auto small = copy_of_size(4);
  const auto large = copy_of_size(5);
  const auto small_choice = choose_kernel(list, small, small.nodes[0]);
  const auto large_choice = choose_kernel(list, large, large.nodes[0]);
  return small_choice.index == 0 && small_choice.facts.scratch_bytes == 4 && large_choice.index == 1 &&
         large_choice.facts.scratch_bytes == 0;
}
static_assert(the_first_supporting_kernel_is_chosen());

// Each kernel is followed by its forms. Forms of forms are ignored.
struct copy_by_bytes : any_copy {
  using forms = kernel_list<table_copy>;
};
struct copy_with_forms : small_copy {
  using forms = kernel_list<copy_by_bytes, any_copy>;
};
static_assert(std::is_same_v<decltype(kernels<table_copy, copy_with_forms, small_copy>.with_forms()),
                             kernel_list<table_copy, copy_with_forms, copy_by_bytes, any_copy, small_copy>>);
static_assert(std::is_same_v<decltype(kernel_list<>::with_forms()), kernel_list<>>);
static_assert(choose_kernel(kernels<copy_with_forms, table_copy>, copy_of_size(5), copy_of_size(5).nodes[0]).index == 1);  // not by a form

constexpr auto the_reason_is_from_a_kernel_that_knows_the_operator() -> bool {
  const auto large = copy_of_size(5);
  const auto choice = choose_kernel(kernels<archetypes::kernel, small_copy>, large, large.nodes[0]);
  return !choice.support && view(choice.support.reason) == "larger than 4";
}
static_assert(the_reason_is_from_a_kernel_that_knows_the_operator());

constexpr auto an_unknown_operator_is_reported() -> bool {
  const auto other = copy_of_size(1, "test.fft");
  const auto misspelled = copy_of_size(1, "tfl.conv2d");
  const auto signal = copy_of_size(1, "tfl.custom.SignalWindow");
  const auto custom = copy_of_size(1, "tfl.custom.SignalOfYours");
  return view(choose_kernel(kernels<small_copy>, other, other.nodes[0]).support.reason) == "no kernel in the list supports this operator" &&
         view(choose_kernel(kernels<small_copy>, custom, custom.nodes[0]).support.reason) ==
             "no kernel in the list supports this operator" &&
         view(choose_kernel(kernels<small_copy>, signal, signal.nodes[0]).support.reason) ==
             "no kernel in the list supports this operator; add baton::signal_kernels, from baton/kernels/signal_kernels.hpp" &&
         view(choose_kernel(kernels<small_copy>, misspelled, misspelled.nodes[0]).support.reason) ==
             "no kernel in the list supports this operator, and no known operator has this name; the nearest name is tfl.conv_2d; a "
             "custom "
             "operator is named "
             "tfl.custom.conv2d";
}
static_assert(an_unknown_operator_is_reported());

constexpr auto a_kernel_is_asked_about_its_operators_without_its_plan() -> bool {
  const auto copy = copy_of_size(1);
  const auto other = copy_of_size(1, "test.fft");
  const auto answer = ask_kernel<table_copy>(copy, copy.nodes[0]);
  return answer.support && answer.facts.scratch_bytes == 256 && !ask_kernel<table_copy>(other, other.nodes[0]).support;
}
static_assert(a_kernel_is_asked_about_its_operators_without_its_plan());

constexpr auto lists_join_in_order() -> bool {
  return std::is_same_v<decltype(kernels<small_copy> + kernels<any_copy>), kernel_list<small_copy, any_copy>>;
}
static_assert(lists_join_in_order());

}  // namespace

TEST_CASE("the first kernel of a list that supports a node is chosen") {
  CHECK(the_first_supporting_kernel_is_chosen());
  CHECK(the_reason_is_from_a_kernel_that_knows_the_operator());
  CHECK(an_unknown_operator_is_reported());
  CHECK(a_kernel_is_asked_about_its_operators_without_its_plan());
  CHECK(lists_join_in_order());
}
