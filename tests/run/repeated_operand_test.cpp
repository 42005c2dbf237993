// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A segment whose last node reads the input of the segment as two operands with different distances.
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

/// The operand's channels, repeated or cut to the channels of the output.
struct channels {
  static constexpr literal_name operators[] = {"test.channels"};
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    node_description<> result{accept()};
    result.facts.operands[0].window = {};
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, image_of(Call::program(), Call::output_id(0)).rows);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto in = image_of(Call::program(), Call::input_id(0));
    constexpr auto out = image_of(Call::program(), Call::output_id(0));
    constexpr auto in_channels = static_cast<std::int32_t>(in.pixel_bytes);
    constexpr auto out_channels = static_cast<std::int32_t>(out.pixel_bytes);
    for (auto pixel = first * out.columns; pixel < last * out.columns; ++pixel) {
      for (std::int32_t c = 0; c < out_channels; ++c) {
        call.template output<0>()[pixel * out_channels + c] =
            static_cast<char>(call.template input<0>()[pixel * in_channels + c % in_channels] + c);
      }
    }
  }
};

/// Adds two images and the mirror image of a third one. `mirrored` is the position of the third one. Its pixels at the ends of rows are
/// read after pixels before them are written, so it has a larger distance than the others.
struct mirrored_sum {
  static constexpr literal_name operators[] = {"test.mirrored_sum"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    const auto out = image_of(program, program.outputs_of(record)[0]);
    node_description<std::int32_t> result{accept(), static_cast<std::int32_t>(program.integer(record, "mirrored", 0))};
    for (std::int32_t i = 0; i < 3; ++i) {
      auto& facts = result.facts.operands[static_cast<std::size_t>(i)];
      facts.distance.ascending = i == result.plan ? std::int64_t{out.columns - 1} * out.pixel_bytes : 0;
      facts.window = {{}, {1, out.columns - 1, 2 * out.columns - 1}};
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
    constexpr auto pixel_bytes = static_cast<std::int32_t>(out.pixel_bytes);
    const char* const operands[] = {call.template input<0>(), call.template input<1>(), call.template input<2>()};
    for (auto row = first; row < last; ++row) {
      for (std::int32_t column = 0; column < out.columns; ++column) {
        for (std::int32_t c = 0; c < pixel_bytes; ++c) {
          const auto at = (row * out.columns + column) * pixel_bytes + c;
          const auto mirror = (row * out.columns + out.columns - 1 - column) * pixel_bytes + c;
          int sum = 0;
          for (std::int32_t i = 0; i < 3; ++i) sum = 3 * sum + operands[i][i == node_plan<mirrored_sum, Call> ? mirror : at];
          call.template output<0>()[at] = static_cast<char>(sum);
        }
      }
    }
  }
};
static_assert(row_kernel<channels> && row_kernel<mirrored_sum>);

/// 24 channels between an input and an output of 16 channels. The last node reads the input twice; operand `mirrored` is mirrored.
template <int Mirrored>
struct make_residual {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto image = [](int of_channels) { return tensor(dtype::int8, 1, 6, 7, of_channels); };
    const auto x = build.user_input("x", image(16));
    const auto wide = build.call("test.channels", {x}, image(24));
    const auto narrow = build.call("test.channels", {wide}, image(16));
    build.output(build.call("test.mirrored_sum", {narrow, x, x}, image(16), {{"mirrored", Mirrored}}));
    return build.finish();
  }
};
template <int Mirrored>
constexpr static_program<make_residual<Mirrored>> residual{};

template <int Mirrored, class Policy>
using planned = basic_executor<residual<Mirrored>, kernels<channels, mirrored_sum>, plan_options{}, planned_by<Policy>>;

template <int Mirrored>
constexpr auto distance_is_the_larger_one() -> bool {
  const auto plan = planned<Mirrored, memory_policies::row_streaming>::plan();
  return plan.streams.segments.size() == 1 && plan.streams.segments[0].distance_of_last == 6 * 16 && !verify_plan(plan);
}
static_assert(distance_is_the_larger_one<1>());
static_assert(distance_is_the_larger_one<2>());

template <int Mirrored>
void check_same_outputs() {
  static planned<Mirrored, memory_policies::row_streaming> by_rows;
  static planned<Mirrored, memory_policies::no_overlap> whole;
  for (std::size_t i = 0; i < whole.input().size(); ++i) whole.input()[i] = by_rows.input()[i] = static_cast<char>((i + 1) * (i + 1) * 37);
  whole.run();
  by_rows.run();
  CHECK(std::equal(by_rows.output().begin(), by_rows.output().end(), whole.output().begin()));
}

}  // namespace

TEST_CASE("an input that is read as two operands keeps the larger of both distances") {
  CHECK(distance_is_the_larger_one<1>());
  CHECK(distance_is_the_larger_one<2>());
  check_same_outputs<1>();
  check_same_outputs<2>();
}
