// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments with links that keep fewer pixels than a row has, in different numbers, compute the same as whole tensors.
#include <baton/run/detail/segment_runner.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
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
    result.facts.operands[0].window = result.plan;
    result.facts.rows_per_step = static_cast<std::int32_t>(program.integer(record, "rows_per_step", 1));
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, image_of(Call::program(), Call::output_id(0)).rows);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
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
        for (auto y = window.rows.first(row); y < window.rows.last(row, in.rows); ++y) {
          for (auto x = window.columns.first(column); x < window.columns.last(column, in.columns); ++x) {
            sum += call.template input<0>()[(y * in.columns + x) * in_channels + c % in_channels];
          }
        }
        call.template output<0>()[(row * out.columns + column) * out_channels + c] = static_cast<char>(sum);
      }
    }
  }
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

template <class Policy>
using planned = basic_executor<chain, kernels<blur>, plan_options{}, planned_by<Policy>>;

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

template <class Policy>
using planned_blocks = basic_executor<blocks, kernels<blur>, plan_options{}, planned_by<Policy>>;

constexpr auto rows_kept(std::size_t node) -> std::int32_t {
  const auto plan = planned_blocks<memory_policies::row_streaming>::plan();
  return plan.streams.kept_of(plan.streams.segments[0])[node].rows;
}
// A link keeps the rows in the windows of one step of its reader. The producer adds none if it computes no more rows per step than the
// reader. Node 1 computes more: two rows for a reader of one.
static_assert(rows_kept(0) == 4 && rows_kept(1) == 4 && rows_kept(2) == 5 && rows_kept(3) == 5 && rows_kept(4) == 5);

/// Runs a program by rows and as a whole.
template <class Rows, class Whole>
void check_same() {
  static Rows by_rows;
  static Whole whole;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < whole.input().size(); ++i) {
      whole.input()[i] = by_rows.input()[i] = static_cast<char>((i + 1) * (i + 1) * 37 + static_cast<std::size_t>(round) * 11);
    }
    whole.run();
    by_rows.run();
    CHECK(std::equal(whole.output().begin(), whole.output().end(), by_rows.output().begin()));
  }
}

}  // namespace

TEST_CASE("links of pixels, also at the end of a row, and links of rows compute the same as whole tensors") {
  check_same<planned<memory_policies::row_streaming>, planned<memory_policies::no_overlap>>();
}

TEST_CASE("steps of several rows compute the same as whole tensors") {
  check_same<planned_blocks<memory_policies::row_streaming>, planned_blocks<memory_policies::no_overlap>>();
}
