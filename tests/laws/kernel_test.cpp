// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of kernels can be broken: for each, a kernel that breaks it, beside one that keeps them all.
#include "laws/kernel.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;
namespace law = laws::kernel;

// Adds 1 to each of 2 by 3 rows of 4, and doubles a few others beside them.
struct make {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 2, 3, 4));
    const auto y = build.user_input("y", tensor(dtype::int8, 3));
    const auto made = build.call_many("both", "test.both", {x, y}, {tensor(dtype::int8, 2, 3, 4), tensor(dtype::int8, 3)});
    build.output(made[0]);
    build.output(made[1]);
    return build.finish();
  }
};
using program = static_program<make>;

struct lawful {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.both") ? accept() : refuse()};
  }
  template <class Call>
  static void compute(const Call& call) {
    for (std::size_t i = 0; i < 24; ++i) call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + 1);
    for (std::size_t i = 0; i < 3; ++i) call.template output<1>()[i] = static_cast<char>(2 * call.template input<1>()[i]);
  }
};

template <std::size_t Output, int Offset>
struct writes_beside : lawful {
  template <class Call>
  static void compute(const Call& call) {
    lawful::compute(call);
    call.template output<Output>()[Offset] = 0;
  }
};
struct writes_its_input : lawful {
  template <class Call>
  static void compute(const Call& call) {
    lawful::compute(call);
    const_cast<char*>(call.template input<1>())[2] ^= 1;
  }
};
struct skips_the_last_byte : lawful {
  template <class Call>
  static void compute(const Call& call) {
    const char was = call.template output<1>()[2];
    lawful::compute(call);
    call.template output<1>()[2] = was;
  }
};
struct adds_to_what_was_there : lawful {
  template <class Call>
  static void compute(const Call& call) {
    const char was = call.template output<0>()[23];
    lawful::compute(call);
    call.template output<0>()[23] = static_cast<char>(call.template output<0>()[23] + was);
  }
};
template <int Offset>
struct reads_beside : lawful {
  template <class Call>
  static void compute(const Call& call) {
    lawful::compute(call);
    call.template output<1>()[0] ^= call.template input<0>()[Offset];
  }
};

// Rows of one's own
struct lawful_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, 6);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    for (auto i = 4 * first; i < 4 * last; ++i) call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + 1);
  }
};
struct make_one {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    build.output(build.call("test.rows", {build.user_input("x", tensor(dtype::int8, 2, 3, 4))}, tensor(dtype::int8, 2, 3, 4)));
    return build.finish();
  }
};
using program_of_rows = static_program<make_one>;

struct all_rows_whatever_is_asked : lawful_rows {
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t, std::int32_t) {
    lawful_rows::compute_rows(call, 0, 6);
  }
};
struct a_row_too_few : lawful_rows {
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    lawful_rows::compute_rows(call, first, last - 1);
  }
};
struct rows_of_the_first_image : lawful_rows {
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    for (auto i = 4 * first; i < 4 * last; ++i) call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i % 12] + 1);
  }
};
struct other_numbers_by_rows : lawful_rows {
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    lawful_rows::compute_rows(call, first, last);
    if (last - first == 1) call.template output<0>()[4 * first] ^= 1;
  }
};

struct one_number_off : lawful_rows {
  template <class Call>
  static void compute(const Call& call) {
    lawful_rows::compute(call);
    call.template output<0>()[5] ^= 1;
  }
};

// An image of 4 rows of 3 pixels of 2 channels, and one that is made from it.
template <int Rows>
struct make_image {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    build.output(build.call("test.rows", {build.user_input("x", tensor(dtype::int8, 1, 4, 3, 2))}, tensor(dtype::int8, 1, Rows, 3, 2)));
    return build.finish();
  }
};
using program_of_images = static_program<make_image<4>>;

/// The description of a kernel whose only operand has a window.
constexpr auto with_window(row_window window) -> node_description<> {
  node_description<> result{accept()};
  result.facts.operands[0].window = window;
  return result;
}

template <class Kernel>
struct by_pixels {
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, 4);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    for (auto row = first; row < last; ++row) Kernel::compute_pixels(call, row, 0, 3);
  }
};

// Each row is the sum of the one above and its own.
struct lawful_windows : by_pixels<lawful_windows> {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return with_window({{1, 1, 2}, {}}); }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    const auto* from = call.template input<0>();
    for (auto i = 6 * row + 2 * first; i < 6 * row + 2 * last; ++i) {
      call.template output<0>()[i] = static_cast<char>(from[i] + (i < 6 ? 0 : from[i - 6]));
    }
  }
};
template <std::int32_t Before, std::int32_t Span>
struct says_it_reads : lawful_windows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return with_window({{1, Before, Span}, {}}); }
};
struct pixels_too_many : lawful_windows {
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t) {
    lawful_windows::compute_pixels(call, row, first, 3);
  }
};
struct says_it_is_pixelwise : by_pixels<says_it_is_pixelwise> {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return with_window({}); }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    for (auto x = first; x < last; ++x) {
      const auto i = 6 * row + 2 * x;
      call.template output<0>()[i] = call.template input<0>()[i];
      call.template output<0>()[i + 1] = call.template input<0>()[x == 0 ? i : i - 2];
    }
  }
};

// Two rows at once, and one that looks at the row below when it has two to make.
template <std::int32_t Below>
struct two_rows_at_once : lawful_windows {
  static constexpr auto describe(const program_view& of, const node& record) -> node_description<> {
    auto result = lawful_windows::describe(of, record);
    result.facts.rows_per_step = 2;
    return result;
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    lawful_windows::compute_rows(call, first, last);
    if (last - first < 2 || last == 4) return;
    call.template output<0>()[6 * first] =
        static_cast<char>(call.template output<0>()[6 * first] + Below * call.template input<0>()[6 * last]);
  }
};
template <std::int64_t Ascending>
struct at_a_distance : lawful_windows {
  static constexpr auto describe(const program_view& of, const node& record) -> node_description<> {
    auto result = lawful_windows::describe(of, record);
    result.facts.operands[0].distance = {.ascending = Ascending};
    return result;
  }
};
/// A row of the output overwrites the row above in the operand.
using a_row_further = at_a_distance<6>;
// Row by row on the same one, which is right from the last to the first, as it makes all of them, but not as somebody else would ask.
struct rows_from_below : at_a_distance<0> {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t row = 4; row-- > 0;) lawful_windows::compute_pixels(call, row, 0, 3);
  }
};

// One row from all: the sum of each column.
using program_of_sums = static_program<make_image<1>>;

struct lawful_sums {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    auto result = with_window({{1, 0, 4}, {}});
    result.facts.sum_bytes = 6;
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, 1);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    if (first >= last) return;
    start_sums(call, call.template output<0>());
    for (std::int32_t row = 0; row < 4; ++row) lawful_sums::add_row(call, call.template output<0>(), row);
  }
  template <class Call>
  static void start_sums(const Call&, char* sums) {
    for (int i = 0; i < 6; ++i) sums[i] = 0;
  }
  template <class Call>
  static void add_row(const Call& call, char* sums, std::int32_t row) {
    for (int i = 0; i < 6; ++i) sums[i] = static_cast<char>(sums[i] + call.template input<0>()[6 * row + i]);
  }
  template <class Call>
  static void finish_sums(const Call& call, const char* sums) {
    for (int i = 0; i < 6; ++i) call.template output<0>()[i] = sums[i];
  }
};
struct begins_with_what_was_there : lawful_sums {
  template <class Call>
  static void start_sums(const Call&, char*) {}
};
struct adds_another_row : lawful_sums {
  template <class Call>
  static void add_row(const Call& call, char* sums, std::int32_t row) {
    lawful_sums::add_row(call, sums, row == 3 ? 2 : row);
  }
};
struct needs_a_byte_more : lawful_sums {
  template <class Call>
  static void start_sums(const Call& call, char* sums) {
    lawful_sums::start_sums(call, sums);
    sums[6] = 0;
  }
};

// Scratch of one's own
struct lawful_with_scratch : lawful_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept(), {}, {.scratch_bytes = 24}}; }
  template <class Call>
  static void compute(const Call& call) {
    for (std::size_t i = 0; i < 24; ++i) call.scratch()[i] = call.template input<0>()[i];
    for (std::size_t i = 0; i < 24; ++i) call.template output<0>()[i] = static_cast<char>(call.scratch()[i] + 1);
  }
  // Rows would want it, too.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) = delete;
};
struct finds_what_was_in_scratch : lawful_with_scratch {
  template <class Call>
  static void compute(const Call& call) {
    const char was = call.scratch()[23];
    lawful_with_scratch::compute(call);
    call.template output<0>()[0] ^= was;
  }
};
template <int Offset>
struct writes_beside_its_scratch : lawful_with_scratch {
  template <class Call>
  static void compute(const Call& call) {
    lawful_with_scratch::compute(call);
    call.scratch().data()[Offset] ^= 1;
  }
};

// Facts without the functions that they need
struct windows_without_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return with_window({}); }
  static void compute(const no_plan&, const node_memory&) {}
};
struct sums_without_functions : lawful_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept(), {}, {.sum_bytes = 6}}; }
};
struct plans_with_less_scratch : lawful_rows {
  static constexpr auto describe(const program_view&, const node&, describe_for purpose = describe_for::computing) -> node_description<> {
    return {accept(), {}, {.scratch_bytes = purpose == describe_for::planning ? 8u : 16u}};
  }
};
struct a_constant_without_prepare : lawful_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    return {accept(), {}, {.prepared = {.blocks = 2, .elements = 8}}};
  }
};

// A state: it counts the runs, and the output is its value before the run.
template <fixed_string Op>
struct make_counting {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto count = build.mutable_buffer("count", tensor(dtype::int8, 2), {"\x03\x04", 2});
    build.output(build.call(Op.characters, {build.user_input("x", tensor(dtype::int8, 2)), count}, tensor(dtype::int8, 2)));
    return build.finish();
  }
};
using counting_program = static_program<make_counting<"test.count">>;
/// An operator that keeps no state.
using adding_program = static_program<make_counting<"tfl.add">>;

struct lawful_counting {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& at) {
    for (std::size_t i = 0; i < 2; ++i) {
      at.outputs[0][i] = static_cast<char>(at.states[1][i] + at.inputs[0][i]);
      at.states[1][i] = static_cast<char>(at.states[1][i] + 1);
    }
  }
};
template <int Offset>
struct writes_beside_its_state : lawful_counting {
  static void compute(const no_plan& plan, const node_memory& at) {
    lawful_counting::compute(plan, at);
    at.states[1][Offset] ^= 1;
  }
};
struct keeps_what_is_beside : lawful_counting {
  static void compute(const no_plan& plan, const node_memory& at) {
    lawful_counting::compute(plan, at);
    at.states[1][0] = at.inputs[0][2];
  }
};

// An output on an operand: the sums of each byte and the two before it
template <std::int64_t Ascending, std::int64_t Descending>
struct on_its_operand {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    node_description<> result{accept()};
    result.facts.operands[0].distance = {Ascending, Descending};
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    const auto* from = call.template input<0>();
    for (int step = 0; step < 24; ++step) {
      const int i = Call::order() == write_order::ascending ? step : 23 - step;
      const int sum = from[i] + (i > 0 ? from[i - 1] : 0) + (i > 1 ? from[i - 2] : 0);
      call.template output<0>()[i] = static_cast<char>(sum);
    }
  }
};
using lawful_on_its_operand = on_its_operand<2, 0>;
struct writes_upward_whatever_is_asked : lawful_on_its_operand {
  template <class Call>
  static void compute(const Call& call) {
    for (int i = 0; i < 24; ++i) {
      const auto* from = call.template input<0>();
      call.template output<0>()[i] = static_cast<char>(from[i] + (i > 0 ? from[i - 1] : 0) + (i > 1 ? from[i - 2] : 0));
    }
  }
};

struct says_yes_but : lawful {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {{true, join("yes, but")}}; }
};

auto input(std::size_t size) -> law::bytes {
  law::bytes made;
  for (std::size_t i = 0; i < size; ++i) made.push_back(static_cast<char>(3 * i + 1));
  return made;
}

}  // namespace

TEST_CASE("a lawful kernel") {
  CHECK(law::all<lawful, program>(input(27)));
  CHECK(law::all<lawful_rows, program_of_rows>(input(24)));
  CHECK(law::a_yes_needs_no_reason<lawful>(program::value()));
}

TEST_CASE("an output byte that is not written, or added to") {
  CHECK_FALSE(law::writes_all_of_its_outputs<skips_the_last_byte, program>(input(27)));
  CHECK_FALSE(law::writes_all_of_its_outputs<adds_to_what_was_there, program>(input(27)));
  CHECK(law::writes_nothing_else<skips_the_last_byte, program>(input(27)));
}

TEST_CASE("a byte too far") {
  CHECK_FALSE(law::writes_nothing_else<writes_beside<0, 24>, program>(input(27)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside<0, -1>, program>(input(27)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside<1, 3>, program>(input(27)));
  CHECK_FALSE(law::writes_nothing_else<writes_its_input, program>(input(27)));
  CHECK(law::writes_all_of_its_outputs<writes_beside<0, 24>, program>(input(27)));
}

TEST_CASE("a byte that is none of the operands'") {
  CHECK_FALSE(law::reads_only_its_operands<reads_beside<24>, program>(input(27)));
  CHECK_FALSE(law::reads_only_its_operands<reads_beside<-1>, program>(input(27)));
  CHECK(law::reads_only_its_operands<reads_beside<23>, program>(input(27)));
}

TEST_CASE("rows that are not those of the whole") {
  CHECK_FALSE(law::rows_equal_the_whole<all_rows_whatever_is_asked, program_of_rows>(input(24)));
  CHECK_FALSE(law::rows_equal_the_whole<a_row_too_few, program_of_rows>(input(24)));
  CHECK_FALSE(law::rows_equal_the_whole<rows_of_the_first_image, program_of_rows>(input(24)));
  CHECK_FALSE(law::rows_equal_the_whole<other_numbers_by_rows, program_of_rows>(input(24)));
}

TEST_CASE("rows, pixels and sums that are made from more than the kernel says") {
  CHECK(law::all<lawful_windows, program_of_images>(input(24)));
  CHECK(law::streams_as_it_says<says_it_reads<2, 4>, program_of_images>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<says_it_reads<0, 1>, program_of_images>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<says_it_reads<1, 1>, program_of_images>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<pixels_too_many, program_of_images>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<says_it_is_pixelwise, program_of_images>(input(24)));
  CHECK(law::streams_as_it_says<two_rows_at_once<0>, program_of_images>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<two_rows_at_once<1>, program_of_images>(input(24)));
  CHECK(law::all<lawful_sums, program_of_sums>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<begins_with_what_was_there, program_of_sums>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<adds_another_row, program_of_sums>(input(24)));
  CHECK_FALSE(law::streams_as_it_says<needs_a_byte_more, program_of_sums>(input(24)));
}

TEST_CASE("scratch that is read first, or left") {
  CHECK(law::all<lawful_with_scratch, program_of_rows>(input(24)));
  CHECK_FALSE(law::finds_nothing_in_scratch<finds_what_was_in_scratch, program_of_rows>(input(24)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside_its_scratch<24>, program_of_rows>(input(24)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside_its_scratch<-1>, program_of_rows>(input(24)));
  CHECK(law::writes_nothing_else<writes_beside_its_scratch<23>, program_of_rows>(input(24)));
}

TEST_CASE("facts that differ by purpose, or lack the functions that they need") {
  static_assert(!law::has_the_functions_of_its_facts<windows_without_rows, program_of_images>());
  static_assert(law::has_the_functions_of_its_facts<windows_without_rows, program_of_rows>());  // never run by rows: not images
  CHECK_FALSE(law::has_the_functions_of_its_facts<windows_without_rows, program_of_images>());
  CHECK_FALSE(law::has_the_functions_of_its_facts<sums_without_functions, program_of_rows>());
  CHECK_FALSE(law::has_the_functions_of_its_facts<a_constant_without_prepare, program_of_rows>());
  static_assert(!law::describes_the_same_for_planning<plans_with_less_scratch, program_of_rows>());
  CHECK_FALSE(law::describes_the_same_for_planning<plans_with_less_scratch, program_of_rows>());
}

TEST_CASE("a state of an operator that keeps none, bytes beside a state, and a state from bytes of no operand") {
  CHECK(law::all<lawful_counting, counting_program>(input(2)));
  CHECK_FALSE(law::writes_nothing_else<lawful_counting, adding_program>(input(2)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside_its_state<2>, counting_program>(input(2)));
  CHECK(law::writes_nothing_else<writes_beside_its_state<1>, counting_program>(input(2)));
  CHECK_FALSE(law::reads_only_its_operands<keeps_what_is_beside, counting_program>(input(2)));
}

TEST_CASE("an output on its operand: no nearer than what is still to be read") {
  CHECK(law::all<lawful_on_its_operand, program_of_rows>(input(24)));
  CHECK_FALSE(law::spoils_nothing<on_its_operand<1, min_distance::apart>, program_of_rows>(input(24)));
  CHECK_FALSE(law::spoils_nothing<on_its_operand<min_distance::apart, -1>, program_of_rows>(input(24)));
  CHECK(law::spoils_nothing<on_its_operand<7, 7>, program_of_rows>(input(24)));
  CHECK(law::spoils_nothing<on_its_operand<-24, -24>, program_of_rows>(input(24)));  // on neither
  CHECK_FALSE(law::spoils_nothing<writes_upward_whatever_is_asked, program_of_rows>(input(24)));
  CHECK(law::spoils_nothing<a_row_further, program_of_images>(input(24)));
  CHECK_FALSE(law::spoils_nothing<rows_from_below, program_of_images>(input(24)));
  CHECK_FALSE(law::spoils_nothing_on<lawful_on_its_operand, program_of_rows, 0, write_order::ascending, 1>(input(24)));
  CHECK_FALSE(law::spoils_nothing_on<lawful_on_its_operand, program_of_rows, 0, write_order::descending, 1>(input(24)));
}

TEST_CASE("numbers that are not those of another, and a yes with a reason") {
  const auto expected = [](const law::bytes& given) {
    auto made = given;
    for (auto& byte : made) ++byte;
    return made;
  };
  const auto equal = [](const law::bytes& a, const law::bytes& b) { return a == b; };
  CHECK(law::is_right<lawful_rows, program_of_rows>(input(24), expected, equal));
  CHECK_FALSE(law::is_right<one_number_off, program_of_rows>(input(24), expected, equal));
  CHECK_FALSE(law::a_yes_needs_no_reason<says_yes_but>(program::value()));
}
