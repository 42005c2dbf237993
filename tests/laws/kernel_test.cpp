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
  static constexpr auto supports(const program_view&, const node& record) -> verdict {
    return record.is("test.both") ? accept() : refuse();
  }
  template <class Call>
  static void run(const Call& call) {
    for (std::size_t i = 0; i < 24; ++i) call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + 1);
    for (std::size_t i = 0; i < 3; ++i) call.template output<1>()[i] = static_cast<char>(2 * call.template input<1>()[i]);
  }
};

template <std::size_t Output, int Offset>
struct writes_beside : lawful {
  template <class Call>
  static void run(const Call& call) {
    lawful::run(call);
    call.template output<Output>()[Offset] = 0;
  }
};
struct writes_its_input : lawful {
  template <class Call>
  static void run(const Call& call) {
    lawful::run(call);
    const_cast<char*>(call.template input<1>())[2] ^= 1;
  }
};
struct skips_the_last_byte : lawful {
  template <class Call>
  static void run(const Call& call) {
    const char was = call.template output<1>()[2];
    lawful::run(call);
    call.template output<1>()[2] = was;
  }
};
struct adds_to_what_was_there : lawful {
  template <class Call>
  static void run(const Call& call) {
    const char was = call.template output<0>()[23];
    lawful::run(call);
    call.template output<0>()[23] = static_cast<char>(call.template output<0>()[23] + was);
  }
};
template <int Offset>
struct reads_beside : lawful {
  template <class Call>
  static void run(const Call& call) {
    lawful::run(call);
    call.template output<1>()[0] ^= call.template input<0>()[Offset];
  }
};

// Rows of one's own
struct lawful_rows {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  template <class Call>
  static void run(const Call& call) {
    run_rows(call, 0, 6);
  }
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
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
  static void run_rows(const Call& call, std::int32_t, std::int32_t) {
    lawful_rows::run_rows(call, 0, 6);
  }
};
struct a_row_too_few : lawful_rows {
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    lawful_rows::run_rows(call, first, last - 1);
  }
};
struct rows_of_the_first_image : lawful_rows {
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    for (auto i = 4 * first; i < 4 * last; ++i) call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i % 12] + 1);
  }
};
struct other_numbers_by_rows : lawful_rows {
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    lawful_rows::run_rows(call, first, last);
    if (last - first == 1) call.template output<0>()[4 * first] ^= 1;
  }
};

struct one_number_off : lawful_rows {
  template <class Call>
  static void run(const Call& call) {
    lawful_rows::run(call);
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

template <class Kernel>
struct by_pixels {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  template <class Call>
  static void run(const Call& call) {
    run_rows(call, 0, 4);
  }
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    for (auto row = first; row < last; ++row) Kernel::run_pixels(call, row, 0, 3);
  }
};

// Each row is the sum of the one above and its own.
struct lawful_windows : by_pixels<lawful_windows> {
  static constexpr auto window_of(const program_view&, const node&, std::size_t) -> row_window { return {{1, 1, 2}, {}}; }
  template <class Call>
  static void run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    const auto* from = call.template input<0>();
    for (auto i = 6 * row + 2 * first; i < 6 * row + 2 * last; ++i) {
      call.template output<0>()[i] = static_cast<char>(from[i] + (i < 6 ? 0 : from[i - 6]));
    }
  }
};
template <std::int32_t Before, std::int32_t Span>
struct says_it_reads : lawful_windows {
  static constexpr auto window_of(const program_view&, const node&, std::size_t) -> row_window { return {{1, Before, Span}, {}}; }
};
struct pixels_too_many : lawful_windows {
  template <class Call>
  static void run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t) {
    lawful_windows::run_pixels(call, row, first, 3);
  }
};
struct says_it_is_pixelwise : by_pixels<says_it_is_pixelwise> {
  static constexpr auto window_of(const program_view&, const node&, std::size_t) -> row_window { return {}; }
  template <class Call>
  static void run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
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
  static constexpr auto rows_at_once(const program_view&, const node&) -> std::int32_t { return 2; }
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    lawful_windows::run_rows(call, first, last);
    if (last - first < 2 || last == 4) return;
    call.template output<0>()[6 * first] =
        static_cast<char>(call.template output<0>()[6 * first] + Below * call.template input<0>()[6 * last]);
  }
};
// A row of the output lies on the one above.
struct a_row_further : lawful_windows {
  static constexpr auto distance_of(const program_view&, const node&, std::size_t) -> least_distance { return {.ascending = 6}; }
};
// Row by row on the same one, which is right from the last to the first, as it makes all of them, but not as somebody else would ask.
struct rows_from_below : lawful_windows {
  static constexpr auto distance_of(const program_view&, const node&, std::size_t) -> least_distance { return {.ascending = 0}; }
  template <class Call>
  static void run(const Call& call) {
    for (std::int32_t row = 4; row-- > 0;) lawful_windows::run_pixels(call, row, 0, 3);
  }
};

// One row from all: the sum of each column.
using program_of_sums = static_program<make_image<1>>;

struct lawful_sums {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  static constexpr auto window_of(const program_view&, const node&, std::size_t) -> row_window { return {{1, 0, 4}, {}}; }
  static constexpr auto sum_bytes(const program_view&, const node&) -> std::uint32_t { return 6; }
  template <class Call>
  static void run(const Call& call) {
    run_rows(call, 0, 1);
  }
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
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
  static constexpr auto scratch_bytes(const program_view&, const node&) -> std::uint32_t { return 24; }
  template <class Call>
  static void run(const Call& call) {
    for (std::size_t i = 0; i < 24; ++i) call.scratch()[i] = call.template input<0>()[i];
    for (std::size_t i = 0; i < 24; ++i) call.template output<0>()[i] = static_cast<char>(call.scratch()[i] + 1);
  }
  // Rows would want it, too.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) = delete;
};
struct finds_what_was_in_scratch : lawful_with_scratch {
  template <class Call>
  static void run(const Call& call) {
    const char was = call.scratch()[23];
    lawful_with_scratch::run(call);
    call.template output<0>()[0] ^= was;
  }
};
template <int Offset>
struct writes_beside_its_scratch : lawful_with_scratch {
  template <class Call>
  static void run(const Call& call) {
    lawful_with_scratch::run(call);
    call.scratch().data()[Offset] ^= 1;
  }
};

// A state of one's own: it counts the runs, and the output is what it was.
struct make_counting {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto count = build.mutable_buffer("count", tensor(dtype::int8, 2), {"\x03\x04", 2});
    const auto other = build.mutable_buffer("other", tensor(dtype::int8, 2));
    build.output(build.call("test.count", {build.user_input("x", tensor(dtype::int8, 2)), count, other}, tensor(dtype::int8, 2)));
    return build.finish();
  }
};
using counting_program = static_program<make_counting>;

struct lawful_counting {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  static constexpr std::size_t states[] = {1};
  template <class Call>
  static void run(const Call& call) {
    for (std::size_t i = 0; i < 2; ++i) {
      call.template output<0>()[i] = static_cast<char>(call.template state<1>()[i] + call.template input<0>()[i]);
      call.template state<1>()[i] = static_cast<char>(call.template state<1>()[i] + 1);
    }
  }
};
/// It does not say that it writes the operand.
struct counts_in_secret {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  template <class Call>
  static void run(const Call& call) {
    lawful_counting::run(call);
  }
};
template <std::size_t Operand, int Offset>
struct writes_beside_its_state : lawful_counting {
  template <class Call>
  static void run(const Call& call) {
    lawful_counting::run(call);
    call.template state<Operand>()[Offset] ^= 1;
  }
};
struct keeps_what_lies_beside : lawful_counting {
  template <class Call>
  static void run(const Call& call) {
    lawful_counting::run(call);
    call.template state<1>()[0] = call.template input<0>()[2];
  }
};

// An output on an operand: the sums of each byte and the two before it
struct lawful_on_its_operand {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  static constexpr auto distance_of(const program_view&, const node&, std::size_t) -> least_distance { return {2, 0}; }
  template <class Call>
  static void run(const Call& call) {
    const auto* from = call.template input<0>();
    for (int step = 0; step < 24; ++step) {
      const int i = Call::order() == write_order::ascending ? step : 23 - step;
      const int sum = from[i] + (i > 0 ? from[i - 1] : 0) + (i > 1 ? from[i - 2] : 0);
      call.template output<0>()[i] = static_cast<char>(sum);
    }
  }
};
template <std::int64_t Ascending, std::int64_t Descending>
struct says_it_may_be_nearer : lawful_on_its_operand {
  static constexpr auto distance_of(const program_view&, const node&, std::size_t) -> least_distance { return {Ascending, Descending}; }
};
struct writes_upward_whatever_is_asked : lawful_on_its_operand {
  template <class Call>
  static void run(const Call& call) {
    for (int i = 0; i < 24; ++i) {
      const auto* from = call.template input<0>();
      call.template output<0>()[i] = static_cast<char>(from[i] + (i > 0 ? from[i - 1] : 0) + (i > 1 ? from[i - 2] : 0));
    }
  }
};

struct says_yes_but : lawful {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return {true, join("yes, but")}; }
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

TEST_CASE("a state that is written where nobody says so, or beside it, or with what is none of the operands'") {
  static_assert(stateful_kernel<lawful_counting> && !stateful_kernel<counts_in_secret>);
  CHECK(law::all<lawful_counting, counting_program>(input(2)));
  CHECK_FALSE(law::writes_nothing_else<counts_in_secret, counting_program>(input(2)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside_its_state<1, 2>, counting_program>(input(2)));
  CHECK_FALSE(law::writes_nothing_else<writes_beside_its_state<2, 0>, counting_program>(input(2)));
  CHECK(law::writes_nothing_else<writes_beside_its_state<1, 1>, counting_program>(input(2)));
  CHECK_FALSE(law::reads_only_its_operands<keeps_what_lies_beside, counting_program>(input(2)));
}

TEST_CASE("an output on its operand: no nearer than what is still to be read") {
  CHECK(law::all<lawful_on_its_operand, program_of_rows>(input(24)));
  CHECK_FALSE(law::spoils_nothing<says_it_may_be_nearer<1, least_distance::apart>, program_of_rows>(input(24)));
  CHECK_FALSE(law::spoils_nothing<says_it_may_be_nearer<least_distance::apart, -1>, program_of_rows>(input(24)));
  CHECK(law::spoils_nothing<says_it_may_be_nearer<7, 7>, program_of_rows>(input(24)));
  CHECK(law::spoils_nothing<says_it_may_be_nearer<-24, -24>, program_of_rows>(input(24)));  // on neither
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
