// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A chain of layers of the namespace `baton` with more padding than SAME computes the same by rows as with whole tensors. So does a chain
// of pools with nodes that move elements between them, in memory that overlaps, too.
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/run/basic_executor.hpp>

#include "kernels/layer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto weights = one_layer::random_elements<2048>(true, 4711);

/// A layer of the chain: its filter is `span` by `span` pixels. Pads are given in the order of the attribute.
struct link {
  const char* op;
  int channels;
  int span;
  int stride;
  std::array<std::int64_t, 4> pads;
};
constexpr link links[] = {
    {"baton.conv_2d", 24, 3, 1, {2, 2, 2, 2}}, {"baton.depthwise_conv_2d", 24, 3, 2, {1, 0, 2, 2}},
    {"baton.conv_2d", 20, 1, 1, {0, 0, 0, 0}}, {"baton.depthwise_conv_2d", 20, 2, 1, {0, 1, 1, 0}},
    {"baton.conv_2d", 2, 3, 2, {2, 1, 0, 2}},
};

struct make_chain {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    int height = 13, width = 9, channels = 3;
    auto latest = build.user_input("x", tensor(dtype::int8, 1, height, width, channels));
    build.quantize(latest, 0.05f, -3);
    for (const auto& each : links) {
      const bool is_depthwise = std::string_view(each.op) == "baton.depthwise_conv_2d";
      const int group = is_depthwise ? 1 : channels;
      const auto shape = is_depthwise ? tensor(dtype::int8, 1, each.span, each.span, each.channels)
                                      : tensor(dtype::int8, each.channels, each.span, each.span, group);
      const auto filter = build.parameter(name_of(latest), shape);
      const auto count = static_cast<std::size_t>(each.channels * each.span * each.span * group);
      build.at(filter).data = build.view(std::string_view(weights.data(), count));
      build.quantize(filter, 0.005f, 0);
      height = (height + static_cast<int>(each.pads[0] + each.pads[2]) - each.span) / each.stride + 1;
      width = (width + static_cast<int>(each.pads[1] + each.pads[3]) - each.span) / each.stride + 1;
      channels = each.channels;
      latest = build.call(each.op, {latest, filter}, tensor(dtype::int8, 1, height, width, channels),
                          {{"stride_h", each.stride}, {"stride_w", each.stride}, {"pads", span<const std::int64_t>{each.pads}}});
      build.quantize(latest, 0.05f, 1);
    }
    build.output(latest);
    return build.finish();
  }

 private:
  /// Returns a different name for each value.
  static constexpr auto name_of(value_id of) -> const char* {
    constexpr const char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    return names[index(of)];
  }
};
constexpr static_program<make_chain> chain{};

/// A symmetric padding before a stride, two branches that are joined along the channels, a mirrored padding, and a slice.
struct make_movements {
  constexpr auto operator()() const -> exported_program {
    using namespace std::string_view_literals;
    program_builder build;
    const auto add = [&](const char* name, std::initializer_list<value_id> operands, tensor_type type,
                         std::initializer_list<named_literal> literals = {}) {
      const auto result = build.call(name, operands, type, literals);
      build.quantize(result, 0.05f, 1);
      return result;
    };
    const auto image = [](int rows, int columns, int channels) { return tensor(dtype::int8, 1, rows, columns, channels); };
    const auto pool = [&](const char* name, value_id from, tensor_type type, int stride, const char* padding) {
      return add(name, {from}, type,
                 {{"filter_height", 3},
                  {"filter_width", 3},
                  {"stride_h", stride},
                  {"stride_w", stride},
                  {"padding", padding},
                  {"fused_activation_function", "none"}});
    };
    const auto x = build.user_input("x", image(32, 32, 8));
    build.quantize(x, 0.05f, 1);
    const auto pads =
        build.constant("pads", tensor(dtype::int32, 4, 2), "\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0"sv);
    const auto begin = build.constant("begin", tensor(dtype::int32, 4), "\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0"sv);
    const auto size = build.constant("size", tensor(dtype::int32, 4), "\x01\0\0\0\x0e\0\0\0\x0c\0\0\0\x08\0\0\0"sv);
    const auto padded = add("tfl.pad", {x, pads}, image(34, 34, 8));
    const auto halved = pool("tfl.max_pool_2d", padded, image(16, 16, 8), 2, "valid");
    const auto largest = pool("tfl.max_pool_2d", halved, image(16, 16, 8), 1, "same");
    const auto mean = pool("tfl.average_pool_2d", halved, image(16, 16, 8), 1, "same");
    const auto joined = add("tfl.concatenation", {largest, mean}, image(16, 16, 16), {{"axis", 3}, {"fused_activation_function", "none"}});
    const auto mirrored = add("tfl.mirror_pad", {joined, pads}, image(18, 18, 16), {{"mode", "reflect"}});
    const auto filtered = pool("tfl.average_pool_2d", mirrored, image(16, 16, 16), 1, "valid");
    build.output(add("tfl.slice", {filtered, begin, size}, image(14, 12, 8)));
    return build.finish();
  }
};
constexpr static_program<make_movements> movements{};

/// Nodes whose output has rows after the rows of an operand, as TensorFlow's converter writes a padding before a stride, and a join of
/// rows.
struct make_longer {
  constexpr auto operator()() const -> exported_program {
    using namespace std::string_view_literals;
    program_builder build;
    const auto image = [](int rows, int columns) { return tensor(dtype::int8, 1, rows, columns, 8); };
    const auto pool = [&](value_id from, tensor_type type, int stride, const char* padding) {
      return build.call("tfl.max_pool_2d", {from}, type,
                        {{"filter_height", 3},
                         {"filter_width", 3},
                         {"stride_h", stride},
                         {"stride_w", stride},
                         {"padding", padding},
                         {"fused_activation_function", "none"}});
    };
    const auto x = build.user_input("x", image(8, 8));
    const auto pads =
        build.constant("pads", tensor(dtype::int32, 4, 2), "\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0"sv);
    const auto size = build.constant("size", tensor(dtype::int32, 2), "\x10\0\0\0\x10\0\0\0"sv);
    const auto first = build.call("tfl.resize_bilinear", {x, size}, image(16, 16), {{"align_corners", 0}, {"half_pixel_centers", 1}});
    const auto padded = build.call("tfl.pad", {first, pads}, image(17, 17));
    const auto halved = pool(padded, image(8, 8), 2, "valid"), y = pool(halved, image(8, 8), 1, "same");
    for (const auto value : {x, first, padded, halved, y}) build.quantize(value, 0.05f, 1);
    build.output(y);
    return build.finish();
  }
};
constexpr static_program<make_longer> longer{};

/// An image that is enlarged, and then pooled to its size.
struct make_enlarged {
  constexpr auto operator()() const -> exported_program {
    using namespace std::string_view_literals;
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 14, 12, 8));
    const auto size = build.constant("size", tensor(dtype::int32, 2), "\x1c\0\0\0\x18\0\0\0"sv);
    const auto larger =
        build.call("tfl.resize_bilinear", {x, size}, tensor(dtype::int8, 1, 28, 24, 8), {{"align_corners", 0}, {"half_pixel_centers", 1}});
    const auto y = build.call("tfl.max_pool_2d", {larger}, tensor(dtype::int8, 1, 14, 12, 8),
                              {{"filter_height", 3},
                               {"filter_width", 3},
                               {"stride_h", 2},
                               {"stride_w", 2},
                               {"padding", "same"},
                               {"fused_activation_function", "none"}});
    for (const auto value : {x, larger, y}) build.quantize(value, 0.05f, 1);
    build.output(y);
    return build.finish();
  }
};
constexpr static_program<make_enlarged> enlarged{};

template <auto Kernels, class Policy>
using planned = basic_executor<chain, Kernels, plan_options{}, planned_by<Policy>>;
template <class Policy>
using planned_movements = basic_executor<movements, portable_kernels, plan_options{}, planned_by<Policy>>;
template <class Policy>
using planned_enlarged = basic_executor<enlarged, portable_kernels, plan_options{}, planned_by<Policy>>;
template <auto Kernels, class Policy>
using planned_longer = basic_executor<longer, Kernels, plan_options{}, planned_by<Policy>>;

/// The first three layers run row by row.
constexpr auto three_layers_are_streamed() -> bool {
  const auto plan = planned<portable_kernels, memory_policies::row_streaming>::plan();
  return plan.streams.segments.size() == 1 && plan.streams.segments[0].count == 3;
}
static_assert(three_layers_are_streamed());

/// Runs a program in less memory and as a whole.
template <class Near, class Whole>
void check_same() {
  static Near by_rows;
  static Whole whole;
  for (std::uint32_t round = 0; round < 3; ++round) {
    std::uint32_t seed = 7 + round;
    const auto draw = [&](auto to, auto same) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = same[i] = static_cast<char>(one_layer::next_random(seed) >> 24);
    };
    draw(by_rows.template input<0>(), whole.template input<0>());
    by_rows.run();
    whole.run();
    CHECK(std::equal(whole.output().begin(), whole.output().end(), by_rows.output().begin()));
  }
}

template <auto Kernels>
void check_same_by_rows() {
  check_same<planned<Kernels, memory_policies::row_streaming>, planned<Kernels, memory_policies::no_overlap>>();
}

}  // namespace

TEST_CASE("a chain of padded layers has equal outputs row by row, with the portable kernels") { check_same_by_rows<portable_kernels>(); }
TEST_CASE("a chain of padded layers has equal outputs row by row, with the Cortex-M kernels") {
  check_same_by_rows<cortex_m_kernels + portable_kernels>();
}
TEST_CASE("a chain of element moves has equal outputs row by row, and with outputs that overlap operands") {
  using in_place = planned_movements<memory_policies::in_place>;
  using by_rows = planned_movements<memory_policies::row_streaming>;
  using whole = planned_movements<memory_policies::no_overlap>;
  check_same<in_place, whole>();
  check_same<by_rows, whole>();
  static_assert(whole::arena_bytes == 32 * 32 * 8 + 34 * 34 * 8);
  static_assert(in_place::arena_bytes == 34 * 34 * 8);
  static_assert(by_rows::arena_bytes == 9008);
}
template <auto Kernels>
void check_longer() {
  check_same<planned_longer<Kernels, memory_policies::row_streaming>, planned_longer<Kernels, memory_policies::no_overlap>>();
}
TEST_CASE("a node whose output has more rows than an operand is the same by rows") {
  check_longer<portable_kernels>();
  check_longer<cortex_m_kernels + portable_kernels>();
}
TEST_CASE("an image that is enlarged by rows needs a few rows of the larger image") {
  using by_rows = planned_enlarged<memory_policies::row_streaming>;
  check_same<by_rows, planned_enlarged<memory_policies::no_overlap>>();
  static_assert(planned_enlarged<memory_policies::in_place>::arena_bytes == 28 * 24 * 8);
  static_assert(by_rows::arena_bytes == 2016);
}
