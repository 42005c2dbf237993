// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of kernels can be broken: a kernel breaks each law, and another keeps all of them.
#include "laws/kernel.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;
namespace law = laws::kernel;

// Adds 1 to each of 2 by 3 rows of 4 elements, and doubles a second operand of 3 elements.
struct make {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 2, 3, 4));
    const auto y = build.user_input("y", tensor(dtype::int8, 3));
    const auto outputs = build.call_many("both", "test.both", {x, y}, {tensor(dtype::int8, 2, 3, 4), tensor(dtype::int8, 3)});
    build.output(outputs[0]);
    build.output(outputs[1]);
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
struct writes_outside : lawful {
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
    const char previous = call.template output<1>()[2];
    lawful::compute(call);
    call.template output<1>()[2] = previous;
  }
};
struct adds_to_the_previous_output : lawful {
  template <class Call>
  static void compute(const Call& call) {
    const char previous = call.template output<0>()[23];
    lawful::compute(call);
    call.template output<0>()[23] = static_cast<char>(call.template output<0>()[23] + previous);
  }
};
template <int Offset>
struct reads_outside : lawful {
  template <class Call>
  static void compute(const Call& call) {
    lawful::compute(call);
    call.template output<1>()[0] ^= call.template input<0>()[Offset];
  }
};

// A kernel with rows
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

/// Copies in three chunks of eight bytes to the output, which may overlap the operand from `Distance` on.
template <std::int64_t Distance = 0>
struct lawful_chunks : lawful_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    node_description<> result{accept()};
    result.facts.chunks = 3;
    result.facts.operands[0].distance = {Distance, min_distance::disjoint};
    return result;
  }
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    for (auto i = 8 * first; i < 8 * last; ++i) call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + 1);
  }
};
struct one_chunk_instead_of_a_range : lawful_chunks<> {
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t) {
    lawful_chunks<>::compute_chunks(call, first, first + 1);
  }
};
struct no_chunks : lawful_rows {
  static constexpr auto describe(const program_view& whole, const node& record) -> node_description<> {
    return lawful_chunks<>::describe(whole, record);
  }
};

struct all_rows_instead_of_a_range : lawful_rows {
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t, std::int32_t) {
    lawful_rows::compute_rows(call, 0, 6);
  }
};
struct one_row_too_few : lawful_rows {
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

// An image of 4 rows of 3 pixels with 2 channels, and an image of `Rows` rows that is computed from it.
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

// Each row is the sum of the operand's row and the row above it.
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
struct declares_rows : lawful_windows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return with_window({{1, Before, Span}, {}}); }
};
struct too_many_pixels : lawful_windows {
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t) {
    lawful_windows::compute_pixels(call, row, first, 3);
  }
};
struct declares_pixelwise : by_pixels<declares_pixelwise> {
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

// Two rows per step. If `Below` is 1, a step of two rows also reads the row below.
template <std::int32_t Below>
struct two_rows_per_step : lawful_windows {
  static constexpr auto describe(const program_view& owner, const node& record) -> node_description<> {
    auto result = lawful_windows::describe(owner, record);
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
// Single rows in addition to two rows per step. If `Wrong` is 1, the first element of a single row is wrong.
template <std::int32_t Wrong>
struct single_rows : two_rows_per_step<0> {
  static constexpr auto describe(const program_view& owner, const node& record) -> node_description<> {
    auto result = two_rows_per_step<0>::describe(owner, record);
    result.facts.single_row_scratch_bytes = 0;
    return result;
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    two_rows_per_step<0>::compute_rows(call, first, last);
    if (Call::computes_single_rows) call.template output<0>()[6 * first] = static_cast<char>(call.template output<0>()[6 * first] + Wrong);
  }
};
template <std::int64_t Ascending>
struct at_a_distance : lawful_windows {
  static constexpr auto describe(const program_view& owner, const node& record) -> node_description<> {
    auto result = lawful_windows::describe(owner, record);
    result.facts.operands[0].distance = {.ascending = Ascending};
    return result;
  }
};
/// A row of the output overwrites the row above in the operand.
using one_row_away = at_a_distance<6>;
// Row by row in place. All rows together are right, because they are computed from the last to the first; steps in ascending order are not.
struct rows_from_below : at_a_distance<0> {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t row = 4; row-- > 0;) lawful_windows::compute_pixels(call, row, 0, 3);
  }
};

// One row from all rows: the sum of each column.
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
struct starts_with_previous_sums : lawful_sums {
  template <class Call>
  static void start_sums(const Call&, char*) {}
};
struct adds_another_row : lawful_sums {
  template <class Call>
  static void add_row(const Call& call, char* sums, std::int32_t row) {
    lawful_sums::add_row(call, sums, row == 3 ? 2 : row);
  }
};
struct needs_one_byte_more : lawful_sums {
  template <class Call>
  static void start_sums(const Call& call, char* sums) {
    lawful_sums::start_sums(call, sums);
    sums[6] = 0;
  }
};

// A kernel with scratch
struct lawful_with_scratch : lawful_rows {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept(), {}, {.scratch_bytes = 24}}; }
  template <class Call>
  static void compute(const Call& call) {
    for (std::size_t i = 0; i < 24; ++i) call.scratch()[i] = call.template input<0>()[i];
    for (std::size_t i = 0; i < 24; ++i) call.template output<0>()[i] = static_cast<char>(call.scratch()[i] + 1);
  }
  // Rows would need scratch, too.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) = delete;
};
struct reads_previous_scratch : lawful_with_scratch {
  template <class Call>
  static void compute(const Call& call) {
    const char previous = call.scratch()[23];
    lawful_with_scratch::compute(call);
    call.template output<0>()[0] ^= previous;
  }
};
template <int Offset>
struct writes_outside_its_scratch : lawful_with_scratch {
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

// A state that counts the runs. The output is the operand plus the value before the run.
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
/// An operator without state.
using adding_program = static_program<make_counting<"tfl.add">>;

struct lawful_counting {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < 2; ++i) {
      memory.outputs[0][i] = static_cast<char>(memory.states[1][i] + memory.inputs[0][i]);
      memory.states[1][i] = static_cast<char>(memory.states[1][i] + 1);
    }
  }
};
template <int Offset>
struct writes_outside_its_state : lawful_counting {
  static void compute(const no_plan& plan, const node_memory& memory) {
    lawful_counting::compute(plan, memory);
    memory.states[1][Offset] ^= 1;
  }
};
struct keeps_a_byte_outside : lawful_counting {
  static void compute(const no_plan& plan, const node_memory& memory) {
    lawful_counting::compute(plan, memory);
    memory.states[1][0] = memory.inputs[0][2];
  }
};

// An output that overlaps its operand: the sums of each byte and the two bytes before it
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
struct ignores_the_order : lawful_on_its_operand {
  template <class Call>
  static void compute(const Call& call) {
    for (int i = 0; i < 24; ++i) {
      const auto* from = call.template input<0>();
      call.template output<0>()[i] = static_cast<char>(from[i] + (i > 0 ? from[i - 1] : 0) + (i > 1 ? from[i - 2] : 0));
    }
  }
};

struct accepts_with_a_reason : lawful {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {{true, join("yes, but")}}; }
};

auto input(std::size_t size) -> law::bytes {
  law::bytes values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<char>(3 * i + 1));
  return values;
}

}  // namespace

TEST_CASE("a correct kernel obeys the laws") {
  CHECK(law::all<lawful, program>(input(27)));
  CHECK(law::all<lawful_rows, program_of_rows>(input(24)));
  CHECK(law::acceptance_has_no_reason<lawful>(program::value()));
}

TEST_CASE("an output byte that is not written, or added to, is detected") {
  CHECK_FALSE(law::writes_all_outputs<skips_the_last_byte, program>(input(27)));
  CHECK_FALSE(law::writes_all_outputs<adds_to_the_previous_output, program>(input(27)));
  CHECK(law::writes_only_outputs<skips_the_last_byte, program>(input(27)));
}

TEST_CASE("a write outside of the outputs is detected") {
  CHECK_FALSE(law::writes_only_outputs<writes_outside<0, 24>, program>(input(27)));
  CHECK_FALSE(law::writes_only_outputs<writes_outside<0, -1>, program>(input(27)));
  CHECK_FALSE(law::writes_only_outputs<writes_outside<1, 3>, program>(input(27)));
  CHECK_FALSE(law::writes_only_outputs<writes_its_input, program>(input(27)));
  CHECK(law::writes_all_outputs<writes_outside<0, 24>, program>(input(27)));
}

TEST_CASE("a read outside of the operands is detected") {
  CHECK_FALSE(law::reads_only_operands<reads_outside<24>, program>(input(27)));
  CHECK_FALSE(law::reads_only_operands<reads_outside<-1>, program>(input(27)));
  CHECK(law::reads_only_operands<reads_outside<23>, program>(input(27)));
}

TEST_CASE("rows that differ from the whole are detected") {
  CHECK_FALSE(law::rows_equal_whole<all_rows_instead_of_a_range, program_of_rows>(input(24)));
  CHECK_FALSE(law::rows_equal_whole<one_row_too_few, program_of_rows>(input(24)));
  CHECK_FALSE(law::rows_equal_whole<rows_of_the_first_image, program_of_rows>(input(24)));
  CHECK_FALSE(law::rows_equal_whole<other_numbers_by_rows, program_of_rows>(input(24)));
}

TEST_CASE("chunks that differ from the whole, or are computed at a smaller distance, are detected") {
  CHECK(law::all<lawful_chunks<>, program_of_rows>(input(24)));
  CHECK_FALSE(law::chunks_equal_whole<one_chunk_instead_of_a_range, program_of_rows>(input(24)));
  CHECK_FALSE(law::chunks_equal_whole<lawful_chunks<-1>, program_of_rows, law::nearness{0}>(input(24)));
  CHECK_FALSE(law::respects_distances<lawful_chunks<-1>, program_of_rows>(input(24)));
  CHECK_FALSE(law::has_required_functions<no_chunks, program_of_rows>());
}

TEST_CASE("rows, pixels and sums that depend on more than the declared windows are detected") {
  CHECK(law::all<lawful_windows, program_of_images>(input(24)));
  CHECK(law::respects_windows<declares_rows<2, 4>, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_windows<declares_rows<0, 1>, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_windows<declares_rows<1, 1>, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_windows<too_many_pixels, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_windows<declares_pixelwise, program_of_images>(input(24)));
  CHECK(law::respects_windows<two_rows_per_step<0>, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_windows<two_rows_per_step<1>, program_of_images>(input(24)));
  CHECK(law::respects_windows<single_rows<0>, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_windows<single_rows<1>, program_of_images>(input(24)));
  CHECK(law::all<lawful_sums, program_of_sums>(input(24)));
  CHECK_FALSE(law::respects_windows<starts_with_previous_sums, program_of_sums>(input(24)));
  CHECK_FALSE(law::respects_windows<adds_another_row, program_of_sums>(input(24)));
  CHECK_FALSE(law::respects_windows<needs_one_byte_more, program_of_sums>(input(24)));
}

TEST_CASE("reads of previous scratch, and writes outside of scratch, are detected") {
  CHECK(law::all<lawful_with_scratch, program_of_rows>(input(24)));
  CHECK_FALSE(law::ignores_scratch_contents<reads_previous_scratch, program_of_rows>(input(24)));
  CHECK_FALSE(law::writes_only_outputs<writes_outside_its_scratch<24>, program_of_rows>(input(24)));
  CHECK_FALSE(law::writes_only_outputs<writes_outside_its_scratch<-1>, program_of_rows>(input(24)));
  CHECK(law::writes_only_outputs<writes_outside_its_scratch<23>, program_of_rows>(input(24)));
}

TEST_CASE("facts that differ by purpose, or lack the functions that they need, are detected") {
  static_assert(!law::has_required_functions<windows_without_rows, program_of_images>());
  static_assert(law::has_required_functions<windows_without_rows, program_of_rows>());  // never run by rows: not images
  CHECK_FALSE(law::has_required_functions<windows_without_rows, program_of_images>());
  CHECK_FALSE(law::has_required_functions<sums_without_functions, program_of_rows>());
  CHECK_FALSE(law::has_required_functions<a_constant_without_prepare, program_of_rows>());
  static_assert(!law::facts_are_consistent<plans_with_less_scratch, program_of_rows>());
  CHECK_FALSE(law::facts_are_consistent<plans_with_less_scratch, program_of_rows>());
}

TEST_CASE("writes to a state that the operator does not have, and accesses outside of a state, are detected") {
  CHECK(law::all<lawful_counting, counting_program>(input(2)));
  CHECK_FALSE(law::writes_only_outputs<lawful_counting, adding_program>(input(2)));
  CHECK_FALSE(law::writes_only_outputs<writes_outside_its_state<2>, counting_program>(input(2)));
  CHECK(law::writes_only_outputs<writes_outside_its_state<1>, counting_program>(input(2)));
  CHECK_FALSE(law::reads_only_operands<keeps_a_byte_outside, counting_program>(input(2)));
}

TEST_CASE("an output nearer to its operand than the bytes that are still to be read is detected") {
  CHECK(law::all<lawful_on_its_operand, program_of_rows>(input(24)));
  CHECK_FALSE(law::respects_distances<on_its_operand<1, min_distance::disjoint>, program_of_rows>(input(24)));
  CHECK_FALSE(law::respects_distances<on_its_operand<min_distance::disjoint, -1>, program_of_rows>(input(24)));
  CHECK(law::respects_distances<on_its_operand<7, 7>, program_of_rows>(input(24)));
  CHECK(law::respects_distances<on_its_operand<-24, -24>, program_of_rows>(input(24)));  // no overlap
  CHECK_FALSE(law::respects_distances<ignores_the_order, program_of_rows>(input(24)));
  CHECK(law::respects_distances<one_row_away, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_distances<rows_from_below, program_of_images>(input(24)));
  CHECK_FALSE(law::respects_distance<lawful_on_its_operand, program_of_rows, 0, write_order::ascending, 1>(input(24)));
  CHECK_FALSE(law::respects_distance<lawful_on_its_operand, program_of_rows, 0, write_order::descending, 1>(input(24)));
}

TEST_CASE("wrong numbers, and an accepting verdict with a reason, are detected") {
  const auto expected = [](const law::bytes& operand) {
    auto values = operand;
    for (auto& byte : values) ++byte;
    return values;
  };
  const auto equal = [](const law::bytes& a, const law::bytes& b) { return a == b; };
  CHECK(law::is_correct<lawful_rows, program_of_rows>(input(24), expected, equal));
  CHECK_FALSE(law::is_correct<one_number_off, program_of_rows>(input(24), expected, equal));
  CHECK_FALSE(law::acceptance_has_no_reason<accepts_with_a_reason>(program::value()));
}
