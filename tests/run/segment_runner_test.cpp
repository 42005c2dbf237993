// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments compute the same as whole tensors: with links that keep fewer pixels than a row has, in different numbers, with rows that
// overlap the newest row of their user, with rows in the output, and with rows that replace rows of the input.
#include <baton/run/detail/segment_runner.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

/// Sums over windows of `span` by `span` pixels around each pixel, with stride `stride`. Any number of output channels.
struct blur {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<row_window> {
    const auto span = static_cast<std::int32_t>(program.integer(record, "span", 1));
    const row_window::axis axis{static_cast<std::int32_t>(program.integer(record, "stride", 1)), span / 2, span};
    node_description<row_window> result{accept(), {axis, axis}};
    const bool keeps_size = program.shape(program.inputs(record)[0])[3] == program.shape(program.outputs_of(record)[0])[3];
    if (span == 1 && keeps_size) result.facts.operands[0].distance.ascending = 0;  // each element replaces the one it is computed from
    result.facts.operands[0].window = program.integer(record, "whole", 0) != 0 ? row_window::none() : result.plan;
    result.facts.rows_per_step = static_cast<std::int32_t>(program.integer(record, "rows_per_step", 1));
    result.facts.scratch_bytes = static_cast<std::uint32_t>(program.integer(record, "scratch", 0));
    result.facts.single_row_scratch_bytes = static_cast<std::uint32_t>(program.integer(record, "single_row_scratch", -1));
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, image_of(Call::program(), Call::output_id(0)).rows);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    ++row_calls;
    single_row_calls += Call::computes_single_rows ? 1 : 0;
    if (Call::computes_single_rows) CHECK(last == first + 1);
    const auto scratch = call.scratch();
    std::fill_n(scratch.data(), scratch.size(), '\x5a');
    for (auto row = first; row < last; ++row) compute_pixels(call, row, 0, image_of(Call::program(), Call::output_id(0)).columns);
  }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    constexpr auto in = image_of(Call::program(), Call::input_id(0));
    constexpr auto out = image_of(Call::program(), Call::output_id(0));
    CHECK(last <= out.columns);
    const auto window = node_plan<blur, Call>;
    const auto in_channels = static_cast<std::int32_t>(in.pixel_bytes);
    const auto out_channels = static_cast<std::int32_t>(out.pixel_bytes);
    for (auto column = first; column < last; ++column) {
      for (std::int32_t c = 0; c < out_channels; ++c) {
        int sum = c;
        for (auto y = window.rows.first(row); y < window.rows.end(row, in.rows); ++y) {
          for (auto x = window.columns.first(column); x < window.columns.end(column, in.columns); ++x) {
            sum += call.template input<0>()[(y * in.columns + x) * in_channels + c % in_channels];
          }
        }
        call.template output<0>()[(row * out.columns + column) * out_channels + c] = static_cast<char>(sum);
      }
    }
  }

  static inline int row_calls = 0;
  static inline int single_row_calls = 0;
};
static_assert(row_kernel<blur> && pixel_kernel<blur>);

/// Images of 6 rows and 7 columns, with 2, 24, 12, 20 and 2 channels.
struct make_chain {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, 6, 7, 2));
    const auto add = [&](int span, int channels) {
      latest = build.call("test.blur", {latest}, tensor(dtype::int8, 1, 6, 7, channels), {{"span", span}});
    };
    add(3, 24);
    add(1, 12);
    add(1, 20);
    add(3, 2);
    build.output(latest);
    return build.finish();
  }
};
constexpr static_program<make_chain> chain{};

template <class Policy, class... Services>
using planned = basic_executor<chain, kernels<blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto pixels_kept(std::size_t node) -> std::int32_t {
  const auto plan = planned<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[node].pixels;
}
static_assert(pixels_kept(0) == 2 && pixels_kept(1) == 5 && pixels_kept(2) == 0);

}  // namespace

namespace {

/// Two and three rows per step, on 29 rows and, after a stride of 2, on 15.
struct make_blocks {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, 29, 5, 2));
    const auto add = [&](int rows, int columns, int channels, int stride, int rows_per_step) {
      latest = build.call("test.blur", {latest}, tensor(dtype::int8, 1, rows, columns, channels),
                          {{"span", 3}, {"stride", stride}, {"rows_per_step", rows_per_step}});
    };
    add(29, 5, 24, 1, 2);
    add(29, 5, 24, 1, 2);
    add(29, 5, 24, 1, 1);
    add(29, 5, 24, 1, 3);
    add(15, 3, 24, 2, 2);
    add(15, 3, 2, 1, 3);
    build.output(latest);
    return build.finish();
  }
};
constexpr static_program<make_blocks> blocks{};

template <class Policy, class... Services>
using planned_blocks = basic_executor<blocks, kernels<blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto rows_kept(std::size_t node) -> std::int32_t {
  const auto plan = planned_blocks<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[node].rows;
}
// A link keeps the rows in the windows of one step of its reader. The producer adds none if it computes no more rows per step than the
// reader. Node 1 computes more: two rows for a reader of one.
static_assert(rows_kept(0) == 4 && rows_kept(1) == 4 && rows_kept(2) == 5 && rows_kept(3) == 5 && rows_kept(4) == 5);

/// Nodes 0 and 2 have one user each, which computes each row from one row of the same size.
struct make_overlapping_rows {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, 11, 7, 2));
    const auto add = [&](int span, int channels) {
      latest = build.call("test.blur", {latest}, tensor(dtype::int8, 1, 11, 7, channels), {{"span", span}});
    };
    add(3, 24);
    add(1, 24);
    add(3, 20);
    add(1, 20);
    add(3, 2);
    build.output(latest);
    return build.finish();
  }
};
constexpr static_program overlapping_rows{make_overlapping_rows{}};

template <class Policy, class... Services>
using planned_overlap = basic_executor<overlapping_rows, kernels<blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto overlaps_user(std::size_t node) -> bool {
  const auto plan = planned_overlap<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[node].in_user;
}
static_assert(overlaps_user(0) && !overlaps_user(1) && overlaps_user(2) && !overlaps_user(3));

/// Sums of weighted rows. The sum of each element begins with the index of the element.
struct total {
  static constexpr literal_name operators[] = {"test.total"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    const auto out = image_of(program, program.outputs_of(record)[0]);
    node_description<> result{accept()};
    result.facts.operands[0].window = {{1, 0, image_of(program, program.inputs(record)[0]).rows}, {}};
    result.facts.sum_bytes = static_cast<std::uint32_t>(out.columns) * static_cast<std::uint32_t>(out.pixel_bytes);
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, 1);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t, std::int32_t) {
    start_sums(call, call.template output<0>());
    for (std::int32_t row = 0; row < image_of(Call::program(), Call::input_id(0)).rows; ++row)
      add_row(call, call.template output<0>(), row);
  }
  template <class Call>
  static void start_sums(const Call&, char* sums) {
    for (std::int32_t i = 0; i < bytes_of_row<Call>(); ++i) sums[i] = static_cast<char>(i);
  }
  template <class Call>
  static void add_row(const Call& call, char* sums, std::int32_t row) {
    for (std::int32_t i = 0; i < bytes_of_row<Call>(); ++i) {
      sums[i] = static_cast<char>(sums[i] + call.template input<0>()[row * bytes_of_row<Call>() + i] * (row + 1));
    }
  }
  template <class Call>
  static void finish_sums(const Call& call, const char* sums) {
    std::copy_n(sums, bytes_of_row<Call>(), call.template output<0>());
  }

 private:
  template <class Call>
  static constexpr auto bytes_of_row() -> std::int32_t {
    const auto out = image_of(Call::program(), Call::output_id(0));
    return out.columns * static_cast<std::int32_t>(out.pixel_bytes);
  }
};

/// 13 rows, two per step, and their sum.
struct make_total {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 13, 5, 2));
    const auto rows = build.call("test.blur", {x}, tensor(dtype::int8, 1, 13, 5, 24), {{"span", 3}, {"rows_per_step", 2}});
    build.output(build.call("test.total", {rows}, tensor(dtype::int8, 1, 1, 5, 24)));
    return build.finish();
  }
};
constexpr static_program summed{make_total{}};

template <class Policy, class... Services>
using planned_sum = basic_executor<summed, kernels<total, blur>, plan_options{}, planned_by<Policy>, Services...>;
static_assert(planned_sum<memory_policies::row_streaming>::plan().streams.segments.size() == 1);

/// Two segments, of two nodes each, and a node between them that is not computed by rows.
struct make_two_segments {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, 9, 7, 2));
    const auto add = [&](int channels, int whole) {
      latest = build.call("test.blur", {latest}, tensor(dtype::int8, 1, 9, 7, channels), {{"span", 3}, {"whole", whole}});
    };
    add(24, 0);
    add(2, 0);
    add(2, 1);
    add(24, 0);
    add(2, 0);
    build.output(latest);
    return build.finish();
  }
};
constexpr static_program two_segments{make_two_segments{}};

template <class Policy, class... Services>
using planned_twice = basic_executor<two_segments, kernels<blur>, plan_options{}, planned_by<Policy>, Services...>;
static_assert(planned_twice<memory_policies::row_streaming>::plan().streams.segments.size() == 2);

/// Adds two values of the same size. Each element may replace those it is computed from.
struct plus {
  static constexpr literal_name operators[] = {"test.plus"};
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    node_description<> result{accept()};
    for (std::size_t i = 0; i < 2; ++i) {
      result.facts.operands[i].distance.ascending = 0;
      result.facts.operands[i].window = {};
    }
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, image_of(Call::program(), Call::output_id(0)).rows);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto out = image_of(Call::program(), Call::output_id(0));
    constexpr auto row_bytes = out.columns * static_cast<std::int32_t>(out.pixel_bytes);
    for (auto i = first * row_bytes; i < last * row_bytes; ++i) {
      call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + 3 * call.template input<1>()[i]);
    }
  }
};

/// The last node replaces each row of node 2, which computes two rows per step.
struct make_rows_in_output {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 22, 14, 2));
    const auto a = build.call("test.blur", {x}, tensor(dtype::int8, 1, 22, 14, 24), {{"span", 3}});
    const auto half = [&](int span) {
      return build.call("test.blur", {a}, tensor(dtype::int8, 1, 11, 7, 24), {{"span", span}, {"stride", 2}, {"rows_per_step", 2}});
    };
    const auto b = half(3);
    const auto c = half(1);
    build.output(build.call("test.plus", {b, c}, tensor(dtype::int8, 1, 11, 7, 24)));
    return build.finish();
  }
};
constexpr static_program<make_rows_in_output> rows_in_output{};

template <class Policy, class... Services>
using planned_in_output = basic_executor<rows_in_output, kernels<plus, blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto is_in_output(std::size_t node) -> bool {
  const auto plan = planned_in_output<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[node].in_output;
}
static_assert(!is_in_output(0) && !is_in_output(1) && is_in_output(2));

/// Two rows of node 1, which one step computes, begin in the newest row of node 2. Node 3 reads three rows of node 2.
struct make_steps_in_user {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 13, 7, 2));
    const auto add = [&](value_id from, int channels, int rows_per_step) {
      return build.call("test.blur", {from}, tensor(dtype::int8, 1, 13, 7, channels), {{"span", 3}, {"rows_per_step", rows_per_step}});
    };
    const auto a = add(x, 24, 1);
    const auto b = add(a, 24, 2);
    const auto c = build.call("test.plus", {a, b}, tensor(dtype::int8, 1, 13, 7, 24));
    build.output(add(c, 2, 1));
    return build.finish();
  }
};
constexpr static_program<make_steps_in_user> steps_in_user{};

template <class Policy, class... Services>
using planned_steps = basic_executor<steps_in_user, kernels<plus, blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto kept_of_step() -> kept_rows {
  const auto plan = planned_steps<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[1];
}
static_assert(kept_of_step().in_user && kept_of_step().rows == 2);

/// The rows of node 2 replace rows of the input. The scratch of node 0 overlaps rows of node 1, also while the first rows are computed.
struct make_late_rows {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, 19, 8, 8));
    const auto add = [&](int rows, int columns, int channels, int span, int stride, int scratch) {
      latest = build.call("test.blur", {latest}, tensor(dtype::int8, 1, rows, columns, channels),
                          {{"span", span}, {"stride", stride}, {"scratch", scratch}});
    };
    add(19, 8, 21, 1, 1, 430);
    add(19, 8, 30, 3, 1, 0);
    add(10, 4, 41, 3, 2, 0);
    add(5, 2, 2, 1, 2, 0);
    build.output(latest);
    return build.finish();
  }
};
constexpr static_program<make_late_rows> late_rows{};

template <class Policy, class... Services>
using planned_late = basic_executor<late_rows, kernels<blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto memory_is_in_input() -> bool {
  const auto plan = planned_late<memory_policies::row_streaming>::plan();
  const auto& segment = plan.streams.segments[0];
  const auto begin = plan.offset_of_scratch(index(plan.steps.nodes[segment.first]));
  const auto input = plan.offset_of(segment.input);
  return segment.count == 4 && begin < input && input < begin + segment.bytes;
}
constexpr auto scratch_is_over_rows() -> bool {
  const auto plan = planned_late<memory_policies::row_streaming>::plan();
  const auto& segment = plan.streams.segments[0];
  return plan.streams.kept_of(segment)[1].offset - segment.scratch_offset < plan.streams.graph.nodes[0].scratch_bytes;
}
static_assert(memory_is_in_input() && scratch_is_over_rows());

/// Nodes 1 and 2 compute two rows per step, or single rows with less scratch. The last rows of the output replace rows of node 0, before
/// the scratch.
struct make_early_rows {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, 22, 12, 2));
    const auto add = [&](int size, int channels, int rows_per_step, int single_row_scratch) {
      latest = build.call("test.blur", {latest}, tensor(dtype::int8, 1, size, size == 22 ? 12 : 6, channels),
                          {{"span", 3},
                           {"stride", size == 22 ? 1 : 2},
                           {"rows_per_step", rows_per_step},
                           {"scratch", 100},
                           {"single_row_scratch", single_row_scratch}});
    };
    add(22, 24, 1, -1);
    add(22, 24, 2, 48);
    add(11, 48, 2, 32);
    build.output(latest);
    return build.finish();
  }
};
constexpr static_program<make_early_rows> early_rows{};

template <class Policy, class... Services>
using planned_early = basic_executor<early_rows, kernels<blur>, plan_options{}, planned_by<Policy>, Services...>;

constexpr auto memory_is_in_output() -> bool {
  const auto plan = planned_early<memory_policies::row_streaming>::plan();
  const auto& segment = plan.streams.segments[0];
  const auto begin = plan.offset_of_scratch(index(plan.steps.nodes[segment.first]));
  const auto output = plan.offset_of(plan.streams.graph.nodes[segment.last()].output);
  return segment.count == 3 && output < begin && begin < output + 11 * 6 * 48 && segment.scratch_offset != 0;
}
constexpr auto has_single_rows(std::size_t node) -> bool {
  const auto plan = planned_early<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[node].by_single_rows;
}
static_assert(memory_is_in_output() && !has_single_rows(0) && (has_single_rows(1) || has_single_rows(2)));

struct step_counts {
  int slices = 0;
  int row_calls = 0;  ///< calls of `blur::compute_rows` in a whole run by rows
};

/// Runs a program by rows and as a whole, and by rows in slices.
template <class Rows, class Whole, class Slices>
auto check_same() -> step_counts {
  step_counts counts;
  static Rows by_rows;
  static Whole whole;
  static Slices in_slices_of_rows;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < whole.input().size(); ++i) {
      whole.input()[i] = by_rows.input()[i] = in_slices_of_rows.input()[i] =
          static_cast<char>((i + 1) * (i + 1) * 37 + static_cast<std::size_t>(round) * 11);
    }
    whole.run();
    const auto calls_before = blur::row_calls;
    by_rows.run();
    counts = {1, blur::row_calls - calls_before};
    CHECK(std::equal(whole.output().begin(), whole.output().end(), by_rows.output().begin()));
    in_slices_of_rows.start();
    while (in_slices_of_rows.step() == status::ok) ++counts.slices;
    CHECK(std::equal(whole.output().begin(), whole.output().end(), in_slices_of_rows.output().begin()));
  }
  return counts;
}

}  // namespace

TEST_CASE("links of pixels, also at the end of a row, and links of rows compute the same as whole tensors") {
  using memory_policies::row_streaming;
  // Nodes 0 to 2 compute their 6 rows in lockstep, node 3 its 6 rows alone.
  CHECK(check_same<planned<row_streaming>, planned<memory_policies::no_overlap>, planned<row_streaming, in_slices>>().slices == 6 + 6);
}

TEST_CASE("steps of several rows compute the same as whole tensors") {
  using memory_policies::row_streaming;
  const auto counts =
      check_same<planned_blocks<row_streaming>, planned_blocks<memory_policies::no_overlap>, planned_blocks<row_streaming, in_slices>>();
  CHECK(counts.slices == counts.row_calls);
  // The least number of steps of each node: 29 rows by 2, 2, 1 and 3, and 15 rows by 2 and 3. Some steps have fewer rows.
  CHECK(counts.slices >= 15 + 15 + 29 + 10 + 8 + 5);
}

TEST_CASE("rows that overlap the newest row of their user compute the same as whole tensors") {
  using memory_policies::row_streaming;
  const auto counts =
      check_same<planned_overlap<row_streaming>, planned_overlap<memory_policies::no_overlap>, planned_overlap<row_streaming, in_slices>>();
  CHECK(counts.slices == 5 * 11);
}

TEST_CASE("two rows of a step in the newest row of their user compute the same as whole tensors") {
  using memory_policies::row_streaming;
  const auto counts =
      check_same<planned_steps<row_streaming>, planned_steps<memory_policies::no_overlap>, planned_steps<row_streaming, in_slices>>();
  CHECK(counts.slices == 13 + 7 + 13 + 13);
}

TEST_CASE("rows in the output of the last node compute the same as whole tensors") {
  using memory_policies::row_streaming;
  const auto counts = check_same<planned_in_output<row_streaming>, planned_in_output<memory_policies::no_overlap>,
                                 planned_in_output<row_streaming, in_slices>>();
  // 22 rows of node 0, 11 of the last node, and at least 6 steps of each node between them.
  CHECK(counts.slices >= 22 + 11 + 2 * 6);
}

TEST_CASE("rows that replace rows of the input, and scratch that overlaps rows, compute the same as whole tensors") {
  using memory_policies::row_streaming;
  const auto counts =
      check_same<planned_late<row_streaming>, planned_late<memory_policies::no_overlap>, planned_late<row_streaming, in_slices>>();
  CHECK(counts.slices == counts.row_calls);
}

TEST_CASE("rows that are replaced by the last rows of the output, and single rows, compute the same as whole tensors") {
  using memory_policies::row_streaming;
  const auto single_rows_before = blur::single_row_calls;
  const auto counts =
      check_same<planned_early<row_streaming>, planned_early<memory_policies::no_overlap>, planned_early<row_streaming, in_slices>>();
  CHECK(counts.slices == counts.row_calls);
  CHECK(blur::single_row_calls >= single_rows_before + 2 * 3 * 11);
}

TEST_CASE("a sum of rows computes the same as whole tensors") {
  using memory_policies::row_streaming;
  // 7 steps of two rows, and 13 rows to add.
  CHECK(check_same<planned_sum<row_streaming>, planned_sum<memory_policies::no_overlap>, planned_sum<row_streaming, in_slices>>().slices ==
        7 + 13);
}

TEST_CASE("each of two segments computes all its rows") {
  using memory_policies::row_streaming;
  const auto counts =
      check_same<planned_twice<row_streaming>, planned_twice<memory_policies::no_overlap>, planned_twice<row_streaming, in_slices>>();
  CHECK(counts.slices == 4 * 9 + 1);
}

namespace {

using bound_blocks = planned_blocks<memory_policies::row_streaming, bound_inputs<0>, bound_outputs<0>, in_slices>;
static_assert(bound_blocks::plan().streams.segments.size() == 1 && bound_blocks::plan().streams.segments[0].first == 0);
// The segment reads its rows from the buffer of the caller, which is not in the arena.
static_assert(bound_blocks::arena_bytes < planned_blocks<memory_policies::row_streaming>::arena_bytes);

}  // namespace

TEST_CASE("a segment from a bound input to a bound output computes the same as whole tensors") {
  static bound_blocks net;
  static planned_blocks<memory_policies::no_overlap> whole;
  alignas(16) std::array<char, bound_blocks::bound_input_bytes<0>> input{};
  alignas(16) std::array<char, bound_blocks::bound_output_bytes<0>> output{};
  REQUIRE(net.bind_input(input) == status::ok);
  REQUIRE(net.bind_output(output) == status::ok);
  for (std::size_t i = 0; i < input.size(); ++i) whole.input()[i] = input[i] = static_cast<char>((i + 1) * (i + 1) * 37);
  const auto before = input;
  whole.run();
  CHECK(net.start() == status::ok);
  while (net.step() == status::ok) {
  }
  CHECK(std::equal(output.begin(), output.end(), whole.output().begin()));
  CHECK(input == before);
  output.fill('\0');
  CHECK(net.run([](auto) {}) == status::ok);
  CHECK(std::equal(output.begin(), output.end(), whole.output().begin()));
}
