// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that are cut into slices of rows compute the same as whole nodes, also in memory that an operand shares with the output. Slices
// keep the limit of operations, or the limit of instructions.
#include <baton/run/detail/slice_runner.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/lower/methods.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;
using memory_policies::in_place;
using memory_policies::no_overlap;

constexpr auto portable_list = portable_kernels;

/// A random int8 network of six layers on images, and a fully connected layer.
template <std::uint32_t Seed>
struct make_random {
  constexpr auto operator()() const -> exported_program { return network(Seed).run(); }

 private:
  class network {
   public:
    constexpr explicit network(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
    constexpr auto run() -> exported_program {
      rows_ = 5 + below(6);
      columns_ = 3 + below(4);
      channels_ = 1 + below(5);
      auto latest = build_.user_input("x", image());
      build_.quantize(latest, 0.05f, -3);
      for (int i = 0; i < 6; ++i) latest = layer(latest);
      build_.output(dense(latest));
      return build_.finish();
    }

   private:
    constexpr auto below(int limit) -> int {
      state_ = state_ * 1664525u + 1013904223u;
      return static_cast<int>((state_ >> 16) % static_cast<unsigned>(limit));
    }
    constexpr auto image() const -> tensor_type { return tensor(dtype::int8, 1, rows_, columns_, channels_); }
    constexpr auto name() -> text_buffer { return join("v", count_++); }
    constexpr auto weights(const tensor_type& type, std::int32_t axis, int channels) -> value_id {
      text_buffer bytes;
      for (std::int64_t i = 0; i < element_count(type.shape()); ++i) bytes.push_back(static_cast<char>(below(255) - 127));
      const auto id = build_.parameter(view(name()), type, view(bytes));
      vector<float> scales;
      scales.assign(static_cast<std::size_t>(channels), 0.01f);
      vector<std::int64_t> zeros;
      zeros.assign(static_cast<std::size_t>(channels), 0);
      build_.quantize(id, scales, zeros, axis);
      return id;
    }
    constexpr auto bias(int channels) -> value_id {
      text_buffer bytes;
      for (int i = 0; i < channels; ++i) {
        const auto number = static_cast<std::uint32_t>(below(4001) - 2000);
        for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<char>(static_cast<std::uint8_t>(number >> (8 * b))));
      }
      return build_.parameter(view(name()), tensor(dtype::int32, channels), view(bytes));
    }
    constexpr auto quantized(value_id id) -> value_id {
      build_.quantize(id, 0.2f, below(2) == 0 ? 4 : -7);
      return id;
    }
    constexpr auto layer(value_id from) -> value_id {
      switch (below(7)) {
        case 0:
        case 1:
          return convolution(from, 1);
        case 2:
          return convolution(from, 3);
        case 3:
          return rows_ >= 4 && columns_ >= 2 ? pool(from) : convolution(from, 1);
        case 4:
          return pad(from);
        case 5: {
          const auto branch = depthwise(from);
          return quantized(build_.call("tfl.add", {branch, from}, image(), {{"fused_activation_function", "none"}}));
        }
        default:
          return depthwise(from);
      }
    }
    constexpr auto convolution(value_id from, int window) -> value_id {
      const auto out = below(3) == 0 ? 3 * channels_ : 1 + below(8);
      const auto filter = weights(tensor(dtype::int8, out, window, window, channels_), 0, out);
      const auto stride = 1 + below(4) / 3;
      channels_ = out;
      rows_ = (rows_ + stride - 1) / stride;
      columns_ = (columns_ + stride - 1) / stride;
      return quantized(
          build_.call("tfl.conv_2d", {from, filter, bias(out)}, image(),
                      {{"padding", "same"}, {"stride_h", stride}, {"stride_w", stride}, {"fused_activation_function", "none"}}));
    }
    constexpr auto depthwise(value_id from) -> value_id {
      const auto filter = weights(tensor(dtype::int8, 1, 3, 3, channels_), 3, channels_);
      return quantized(build_.call(
          "tfl.depthwise_conv_2d", {from, filter, bias(channels_)}, image(),
          {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}, {"fused_activation_function", "none"}}));
    }
    constexpr auto with_quantization_of(value_id id, value_id from) -> value_id {
      const auto quant = build_.at(from).quant;
      build_.at(id).quant = quant;
      return id;
    }
    constexpr auto pool(value_id from) -> value_id {
      rows_ /= 2;
      columns_ /= 2;
      const auto id = build_.call(below(2) == 0 ? "tfl.max_pool_2d" : "tfl.average_pool_2d", {from}, image(),
                                  {{"padding", "valid"},
                                   {"stride_h", 2},
                                   {"stride_w", 2},
                                   {"filter_height", 2},
                                   {"filter_width", 2},
                                   {"fused_activation_function", "none"}});
      return with_quantization_of(id, from);
    }
    constexpr auto pad(value_id from) -> value_id {
      constexpr char bytes[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
      const auto widths = build_.parameter(view(name()), tensor(dtype::int32, 4, 2), {bytes, sizeof bytes});
      rows_ += 3;
      columns_ += 2;
      return with_quantization_of(build_.call("tfl.pad", {from, widths}, image()), from);
    }
    constexpr auto dense(value_id from) -> value_id {
      const auto inputs = rows_ * columns_ * channels_;
      const auto flat = with_quantization_of(build_.call("tfl.reshape", {from}, tensor(dtype::int8, 1, inputs)), from);
      const auto filter = weights(tensor(dtype::int8, 4, inputs), 0, 1);
      return quantized(
          build_.call("tfl.fully_connected", {flat, filter, bias(4)}, tensor(dtype::int8, 1, 4), {{"fused_activation_function", "none"}}));
    }

    program_builder build_;
    std::uint32_t state_;
    int rows_ = 1;
    int columns_ = 1;
    int channels_ = 1;
    int count_ = 0;
  };
};
template <std::uint32_t Seed>
constexpr static_program random_program{make_random<Seed>{}};

template <std::uint32_t Seed, auto List, class... Services>
using net_of = basic_executor<random_program<Seed>, List, plan_options{.alignment = 1}, Services...>;

/// Runs some inferences in slices. Returns the number of slices; 0 if an output differs from that of `Whole`.
template <class Whole, class Net>
auto slices_of() -> int {
  static Whole whole;
  static Net net;
  int slices = 0;
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < whole.input().size(); ++i) {
      whole.input()[i] = net.input()[i] = static_cast<char>((i + 3) * (i + 1) * 37 + round * 11);
    }
    whole.run();
    if (round == 2) {
      net.run();
    } else {
      slices = 1;
      net.start();
      while (net.step() == status::ok) ++slices;
    }
    if (!std::equal(whole.output().begin(), whole.output().end(), net.output().begin())) return 0;
  }
  return slices;
}

/// The cut nodes of an executor, and the cuts at a distance.
struct tally {
  int overlapped = 0;  ///< nodes that are cut although an operand overlaps the output
  int in_rows = 0;     ///< nodes that are cut into rows, with or without an overlap
  int descending = 0;  ///< nodes that are cut into rows in descending order
};

/// Checks slices of at most `MaxOperations` operations, or of one step of rows or one chunk.
template <std::uint32_t Seed, auto List, class Policy, std::uint64_t MaxOperations>
void check(tally& sum) {
  CAPTURE(Seed);
  using whole = net_of<Seed, List, planned_by<no_overlap>>;
  using fine = net_of<Seed, List, planned_by<Policy>, in_slices::of<MaxOperations>>;
  const auto slices = slices_of<whole, fine>();
  using execution = detail::checked_execution<random_program<Seed>, List, plan_options{.alignment = 1}, planned_by<Policy>>;
  int expected = 0;
  [&]<std::uint32_t... N>(std::integer_sequence<std::uint32_t, N...>) {
    const auto add = [&](const auto& cut) {
      expected += cut.slices();
      sum.overlapped += cut.is_cut() && cut.selected().is_overlapped ? 1 : 0;
      sum.in_rows += cut.is_cut() && !cut.is_by_chunks ? 1 : 0;
      sum.descending += cut.is_cut() && cut.selected().is_descending ? 1 : 0;
    };
    (add(execution::template cut<N, MaxOperations>), ...);
  }(std::make_integer_sequence<std::uint32_t, random_program<Seed>.value().nodes.size()>{});
  CHECK(slices == expected);
}

}  // namespace

TEST_CASE("random networks in slices of rows and chunks are exact, also in memory that operands share with outputs") {
  tally sum;
  check<13, portable_list, in_place, 1>(sum);
  check<5, cortex_m_kernels + portable_list, in_place, 400>(sum);
  CHECK(sum.overlapped >= 3);
  CHECK(sum.in_rows > sum.overlapped + 1);
  CHECK(sum.descending >= 2);
}

namespace {

using costs = cortex_m4_costs;
template <limits Limits>
using net_within = net_of<2, portable_list, within<Limits, costs>, planned_by<no_overlap>, in_slices>;

constexpr std::uint64_t max_instructions = 80'000;
using within_slices = net_within<limits{.slice_instructions = max_instructions}>;
static_assert(within_slices::plan_within_limits().without_limits.slice_instructions > max_instructions);
static_assert(within_slices::plan_within_limits().estimate.slice_instructions <= max_instructions);
// Slices cost calls.
static_assert(within_slices::plan_within_limits().estimate.instructions > within_slices::plan_within_limits().without_limits.instructions);

constexpr auto planned_slices() -> int {
  int slices = 0;
  for (const auto& each : within_slices::plan_within_limits().nodes) slices += static_cast<int>(each.slices);
  return slices;
}

/// Two methods: only the second has a node that can be cut. A pool of 8 rows.
constexpr static_program unchanged{[] {
  program_builder build;
  build.output(build.user_input("x", tensor(dtype::int8, 4)));
  return build.finish();
}};
constexpr static_program pooled{[] {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 4, 3));
  build.quantize(x, 0.5f, 1);
  const auto y = build.call("tfl.max_pool_2d", {x}, tensor(dtype::int8, 1, 8, 2, 3),
                            {{"padding", "valid"},
                             {"stride_h", 2},
                             {"stride_w", 2},
                             {"filter_height", 2},
                             {"filter_width", 2},
                             {"fused_activation_function", "none"}});
  build.quantize(y, 0.5f, 1);
  build.output(y);
  return build.finish();
}};
constexpr auto both = methods(method<"unchanged">(unchanged), method<"pooled">(pooled));
template <class... Services>
using methods_in_slices = basic_methods_executor<both, portable_list, state_sharing::none, plan_options{}, Services...>;
template <class... Services>
using pool_in_slices = basic_executor<pooled, portable_list, plan_options{}, Services...>;
// The position takes 4 bytes, and 8 bytes for the rows.
static_assert(sizeof(pool_in_slices<in_slices::of<1>>) - sizeof(pool_in_slices<>) == 16);
static_assert(sizeof(detail::slice_position<1>) == 12);

/// Rows 1 to 8 of an image, its first row, and a pool of these rows, joined: the slices and the join are views, except for the second pool.
constexpr static_program of_views{[] {
  program_builder build;
  const auto numbers = [&](const char* name, std::int32_t rows, std::int32_t first) {
    text_buffer bytes;
    for (const auto number : {0, first, 0, 0, 1, rows, 4, 3}) {
      for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<char>(number >> (8 * b)));
    }
    const auto begin = build.parameter(view(join(name, "_begin")), tensor(dtype::int32, 4), view(bytes).substr(0, 16));
    const auto size = build.parameter(view(join(name, "_size")), tensor(dtype::int32, 4), view(bytes).substr(16));
    return std::array{begin, size};
  };
  const auto quantized = [&](value_id id) {
    build.quantize(id, 0.5f, 1);
    return id;
  };
  const auto x = quantized(build.user_input("x", tensor(dtype::int8, 1, 10, 4, 3)));
  const auto of_rows = numbers("rows", 8, 1);
  const auto rows = quantized(build.call("tfl.slice", {x, of_rows[0], of_rows[1]}, tensor(dtype::int8, 1, 8, 4, 3)));
  const auto pool = [&](value_id from) {
    return quantized(build.call("tfl.max_pool_2d", {from}, tensor(dtype::int8, 1, 4, 4, 3),
                                {{"padding", "valid"},
                                 {"stride_h", 2},
                                 {"stride_w", 1},
                                 {"filter_height", 2},
                                 {"filter_width", 1},
                                 {"fused_activation_function", "none"}}));
  };
  const auto first = pool(rows);
  const auto second = pool(rows);
  const auto whole = quantized(build.call("tfl.concatenation", {first, second}, tensor(dtype::int8, 1, 8, 4, 3), {{"axis", 1}}));
  const auto third = pool(whole);
  build.output(quantized(build.call("tfl.concatenation", {third, third}, tensor(dtype::int8, 1, 8, 4, 3), {{"axis", 1}})));
  return build.finish();
}};

// The slices are known to reports, also without the service `within`.
static_assert(pool_in_slices<in_slices::of<18>>::plan_within_limits().nodes[0].slices == 3);
static_assert(pool_in_slices<in_slices::of<18>>::plan_within_limits().nodes[0].max_slices == 16);  // a chunk is a pixel
static_assert(pool_in_slices<in_slices>::plan_within_limits().nodes.empty() && pool_in_slices<>::plan_within_limits().nodes.empty());

template <class Net>
auto count(Net& net) -> int {
  int slices = 1;
  for (net.start(); net.step() == status::ok;) ++slices;
  return slices;
}

}  // namespace

TEST_CASE("a limit of instructions: the estimated number of slices runs, and the outputs are exact") {
  CHECK(slices_of<net_of<2, portable_list, planned_by<no_overlap>>, within_slices>() == planned_slices());
  CHECK(planned_slices() > static_cast<int>(random_program<2>.value().nodes.size()));
}

TEST_CASE("slices of a pool, alone, with another limit, and as a method: an abandoned inference starts again at the first row") {
  static pool_in_slices<> whole;
  static pool_in_slices<in_slices::of<6>> net;  // a row has 6 elements
  static methods_in_slices<in_slices::of<18>> several;
  auto& method = several.method<"pooled">();
  for (std::size_t i = 0; i < whole.input().size(); ++i) {
    whole.input()[i] = net.input()[i] = method.input()[i] = static_cast<char>(i * i * 7);
  }
  whole.run();
  net.start();
  for (int rows = 0; rows < 3; ++rows) CHECK(net.step() == status::ok);
  CHECK(count(net) == 8);
  CHECK(std::equal(whole.output().begin(), whole.output().end(), net.output().begin()));
  method.start();
  CHECK(method.step() == status::ok);
  CHECK(count(several.method<"unchanged">()) == 1);
  CHECK(method.step() == status::end_of_method);
  for (std::size_t i = 0; i < whole.input().size(); ++i) method.input()[i] = static_cast<char>(i * i * 7);
  CHECK(count(method) == 3);  // 6 elements a row, so three rows a slice: 3, 3 and 2
  CHECK(std::equal(whole.output().begin(), whole.output().end(), method.output().begin()));
}

TEST_CASE("views are not cut, and a join with a view as its first part is cut into all its rows") {
  using whole = basic_executor<of_views, portable_list, plan_options{}>;
  using fine = basic_executor<of_views, portable_list, plan_options{}, in_slices::of<12>>;  // a row has 12 elements
  // A slice and a join that are views, three pools of four rows, and the join of eight rows.
  CHECK(slices_of<whole, fine>() == 2 + 3 * 4 + 8);
}
