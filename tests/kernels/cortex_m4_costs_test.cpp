// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost table of a Cortex-M4: estimates of five models next to measured instructions, and a real layer within limits.
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/executor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/cortex_m55_costs.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/plan/plan_within.hpp>
#include <baton/plan/within.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include "kernels/costs/hybrid_node.hpp"
#include "kernels/costs/svdf_node.hpp"
#include "kernels/int16_layer.hpp"
#include "kernels/layer.hpp"
#include "kernels/square_layers.hpp"
#include "models/golden.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace baton;

constexpr auto all_kernels = cortex_m_kernels + portable_kernels;

// A fully connected layer, whose Cortex-M kernel expands the 128 inputs to 16 bits in scratch. Another form needs no scratch.
constexpr one_layer::layer dense{.is = one_layer::op::fully_connected, .channels = 128, .out_channels = 16, .is_per_channel = false};
constexpr static_program model{one_layer::make_symmetric<dense>{}};
constexpr baton::limits small{.arena_bytes = 144};
baton::executor<model, baton::with_kernels<all_kernels>, baton::within<small, baton::cortex_m4_costs>> net;
baton::executor<model, baton::with_kernels<all_kernels>> fastest;
static_assert(net.arena_bytes == 144 && fastest.arena_bytes == 400);
static_assert(net.plan_within_limits().nodes[0].form == "cortex_m_from_bytes" && net.plan_within_limits().nodes[0].fastest == "cortex_m");

/// Returns the estimated cost of a layer with a kernel.
template <class Kernel, one_layer::layer Of>
constexpr auto cost_of_layer() -> node_cost {
  const auto program = one_layer::make_symmetric<Of>{}();
  return cortex_m4_costs::node<Kernel>(program, program_view(program).nodes[0]);
}
// The first chunk of two pixels of a convolution expands their inputs, here 2 * 90. The first chunk of a fully connected layer expands its
// 128 inputs. A slice takes 100 instructions outside of the kernel.
constexpr one_layer::layer three_by_three{
    .is = one_layer::op::conv_2d, .height = 5, .width = 5, .channels = 10, .out_channels = 12, .filter_height = 3, .filter_width = 3};
static_assert(cost_of_layer<cortex_m::detail::conv_2d<>, three_by_three>().by_chunks.at_first == 670 + 405 + 100);
static_assert(cost_of_layer<cortex_m::detail::conv_2d<>, three_by_three>().by_rows.at_first == 100);
static_assert(cost_of_layer<portable::conv_2d, three_by_three>().by_chunks.at_first == 100);
static_assert(cost_of_layer<cortex_m::detail::fully_connected<>, dense>().by_chunks.at_first == 288 + 100);
static_assert(cost_of_layer<cortex_m::detail::fully_connected<>, dense>().margin_instructions == 416 + 100);
static_assert(cost_of_layer<portable::fully_connected, dense>().margin_instructions == 288 + 100);

/// The sum of the costs of all nodes with the first kernel of a list that supports each.
template <class... Kernels>
auto estimate(kernel_list<Kernels...>, const program_view& program) -> double {
  std::uint64_t sum = 0;
  for (const auto& record : program.nodes) {
    const auto add = [&]<class Kernel>() {
      if (!ask_kernel<Kernel>(program, record).support) return false;
      sum += cortex_m4_costs::node<Kernel>(program, record).instructions;
      return true;
    };
    static_cast<void>((add.template operator()<Kernels>() || ...));
  }
  return static_cast<double>(sum);
}

/// Measured on a Cortex-M4: sh examples/cortex_m/run.sh MODEL INPUT OUTPUT --kernels LIST -O2
struct measurement {
  const char* model;
  double cortex_m;        ///< thousands of instructions of one inference
  double portable;        ///< the same with the portable kernels
  double cortex_m_flash;  ///< thousands of bytes of weights, tables and code
};
constexpr std::array<measurement, 5> models{{{"ad01_int8", 251, 797, 275.1},
                                             {"kws_ref_model", 2320, 11191, 60.8},
                                             {"pretrainedResnet_quant", 8384, 38936, 141.1},
                                             {"vww_96_int8", 4107, 22488, 88.7},
                                             {"person_detect", 6838, 32934, 294.4}}};

}  // namespace

TEST_CASE("estimated instructions and flash of five models are within 15 % of those measured on a Cortex-M4") {
  for (const auto& measured : models) {
    const auto file = golden::model_bytes(measured.model);
    if (file.empty()) continue;  // no shared folder
    CAPTURE(std::string(measured.model));
    const auto program = transform(tflite::read_bytes(file), default_passes);
    const auto fast = estimate(all_kernels, program) / 1000 / measured.cortex_m;
    const auto portable = estimate(portable_kernels, program) / 1000 / measured.portable;
    const auto plan = plan_within<cortex_m4_costs>(all_kernels, program, {.flash_bytes = limits::none - 1});
    REQUIRE(plan);
    const auto flash = static_cast<double>(plan.value.limited.estimate.flash_bytes) / 1000 / measured.cortex_m_flash;
    CAPTURE(fast);
    CAPTURE(portable);
    CAPTURE(flash);
    CHECK((flash > 0.85 && flash < 1.15));
    CHECK((fast > 0.85 && fast < 1.15));
    CHECK((portable > 0.85 && portable < 1.15));
  }
}

TEST_CASE("a layer within a limit of the arena has the same outputs as with its fastest kernel") {
  std::array<std::int8_t, 128> x{};
  auto state = 7u;
  for (auto& each : x) each = static_cast<std::int8_t>(one_layer::next_random(state) >> 24);
  std::array<std::int8_t, 16> expected{};
  std::array<std::int8_t, 16> y{};
  fastest.run(x, expected);
  net.run(x, y);
  CHECK(y == expected);
}

TEST_CASE("within tight limits of the arena, few nodes of a segment have slower kernels") {
  struct tight {
    const char* model;
    std::uint64_t arena_bytes;
    std::uint64_t max_instructions;  ///< the plan without a bound on the scratch of segments takes about 12 and 21 million
  };
  for (const auto& each : {tight{"kws_ref_model", 5200, 3'200'000}, tight{"vww_96_int8", 28000, 7'200'000}}) {
    const auto file = golden::model_bytes(each.model);
    if (file.empty()) continue;  // no shared folder
    CAPTURE(std::string(each.model));
    const auto program = transform(tflite::read_bytes(file), default_passes);
    const auto plan = plan_within<cortex_m4_costs>(all_kernels, program, {.arena_bytes = each.arena_bytes});
    REQUIRE(plan);
    CHECK(plan.value.plan.memory.arena_bytes <= each.arena_bytes);
    CHECK(plan.value.limited.estimate.instructions <= each.max_instructions);
  }
}

TEST_CASE("a form of a kernel is not estimated to be faster than the kernel") {
  using all = decltype((cortex_m_kernels).with_forms());
  static_assert(all::size == cortex_m_kernels.size + 4);
  const auto never_faster = []<class Kernel, class Form>(const program_view& program) {
    for (const auto& record : program.nodes) {
      if (!ask_kernel<Form>(program, record).support) continue;
      const auto kernel = cortex_m4_costs::node<Kernel>(program, record);
      const auto form = cortex_m4_costs::node<Form>(program, record);
      if (form.form == kernel.form || form.instructions < kernel.instructions) return false;
    }
    return true;
  };
  constexpr cortex_m::options fast{};
  using namespace cortex_m::detail;
  for (const auto& measured : models) {
    const auto file = golden::model_bytes(measured.model);
    if (file.empty()) continue;  // no shared folder
    const auto program = transform(tflite::read_bytes(file), default_passes);
    CHECK(never_faster.template operator()<conv_2d<fast>, packed_conv_2d<fast>>(program));
    CHECK(never_faster.template operator()<conv_2d<fast>, gathered_conv_2d<fast>>(program));
    CHECK(never_faster.template operator()<depthwise_conv_2d<fast>, depthwise_conv_2d_by_taps<fast>>(program));
    CHECK(never_faster.template operator()<fully_connected<fast>, fully_connected_from_bytes<fast>>(program));
  }
}

TEST_CASE("a kernel that the table does not know is not replaced for its cost alone") {
  using helium::detail::fully_connected;
  constexpr auto record = [](const auto& costs) { return costs(program_view(model), program_view(model).nodes[0]); };
  static_assert(!record(cortex_m4_costs::node<fully_connected>).is_known && record(cortex_m55_costs::node<fully_connected>).is_known);
  const auto first_choice = [](const auto& plan) { return plan.value.limited.nodes[0].form; };
  constexpr auto list = kernels<fully_connected> + all_kernels;
  CHECK(first_choice(plan_within<cortex_m4_costs>(list, model.value(), {})) == "helium");
  CHECK(first_choice(plan_within<cortex_m55_costs>(list, model.value(), {})) == "helium");
}

namespace {

/// A layer of `size` x `size` pixels with a square filter. A convolution or a depthwise convolution has SAME padding, a pool has none.
constexpr auto square(one_layer::op is, int size, int channels, int filter, int stride = 1) -> one_layer::layer {
  one_layer::layer result{.is = is, .height = size, .width = size, .channels = channels, .out_channels = channels};
  result.filter_height = result.filter_width = filter;
  result.stride_h = result.stride_w = stride;
  result.is_same = result.has_weights();
  return result;
}
constexpr one_layer::layer float_dense{
    .is = one_layer::op::fully_connected, .is_int8 = false, .channels = 128, .out_channels = 128, .is_per_channel = false};

/// The estimated instructions of a layer, divided by the measured ones.
template <class Costs, class Kernel, one_layer::layer Layer>
constexpr auto relative_cost(double measured) -> double {
  const auto program = one_layer::make_symmetric<Layer>{}();
  return static_cast<double>(Costs::template node<Kernel>(program, program.nodes[0]).instructions) / measured;
}
constexpr auto is_close(double ratio) -> bool { return ratio > 0.85 && ratio < 1.18; }

using depthwise = cortex_m::detail::depthwise_conv_2d<>;
using one_layer::op;

// Measured by sh tests/budget/kernel_costs.sh. The work of these layers alone does not determine their costs.
constexpr auto layers_are_close() -> bool {
  return is_close(relative_cost<cortex_m4_costs, depthwise, square(op::depthwise_conv_2d, 3, 256, 3)>(65960)) &&
         is_close(relative_cost<cortex_m4_costs, depthwise, square(op::depthwise_conv_2d, 48, 8, 3)>(312680)) &&
         is_close(relative_cost<cortex_m55_costs, helium::detail::average_pool_2d, square(op::average_pool_2d, 9, 64, 3)>(40875)) &&
         is_close(relative_cost<cortex_m55_costs, helium::detail::average_pool_2d, square(op::average_pool_2d, 11, 16, 3, 2)>(2437)) &&
         is_close(relative_cost<cortex_m55_costs, helium::detail::max_pool_2d, square(op::max_pool_2d, 9, 64, 3)>(20718)) &&
         is_close(relative_cost<cortex_m55_costs, helium::detail::max_pool_2d, square(op::max_pool_2d, 11, 16, 3, 2)>(1000));
}
static_assert(layers_are_close());

}  // namespace

TEST_CASE("layers whose costs depend on pixels and channels are estimated within 18 %") { CHECK(layers_are_close()); }

namespace {

/// True if the estimate of a node is close to the measured instructions, and is at least these instructions with its margin.
template <class Kernel, class Make>
constexpr auto is_bounded(double measured) -> bool {
  const auto program = Make{}();
  const auto cost = cortex_m4_costs::node<Kernel>(program, program.nodes[0]);
  return cost.is_known && is_close(static_cast<double>(cost.instructions) / measured) &&
         static_cast<double>(cost.with_margin(cost.instructions)) >= measured;
}
using measured_node::hybrid_node;
template <one_layer::layer Shape, dtype Bias = dtype::int64>
using int16_node = one_layer::make_int16<one_layer::int16_layer{.shape = Shape, .bias = Bias}>;

// Measured by sh tests/budget/kernel_costs.sh. With fewer than eight output channels, a hybrid layer quantizes its inputs for each channel.
constexpr auto hybrid_layers_are_bounded() -> bool {
  using one_layer::convolution;
  return is_bounded<portable::fully_connected, hybrid_node<one_layer::dense(256, 32)>>(73920) &&
         is_bounded<portable::fully_connected, hybrid_node<one_layer::dense(300, 4)>>(42520) &&
         is_bounded<portable::conv_2d, hybrid_node<convolution(8, 8, 16, 3)>>(683560) &&
         is_bounded<portable::conv_2d, hybrid_node<convolution(7, 8, 12, 5)>>(1542080) &&
         is_bounded<portable::depthwise_conv_2d, hybrid_node<one_layer::depthwise(9, 12, 1, 5)>>(638520);
}
constexpr auto int16_layers_are_bounded() -> bool {
  using one_layer::convolution;
  return is_bounded<cortex_m::detail::int16_conv_2d<>, int16_node<convolution(12, 16, 16, 1)>>(113080) &&
         is_bounded<cortex_m::detail::int16_conv_2d<>, int16_node<convolution(7, 8, 24, 5)>>(416400) &&
         is_bounded<portable::conv_2d, int16_node<convolution(5, 32, 12, 3)>>(380920) &&
         is_bounded<portable::conv_2d, int16_node<convolution(5, 32, 12, 3), dtype::int32>>(368160) &&
         is_bounded<cortex_m::detail::int16_depthwise_conv_2d<>, int16_node<one_layer::depthwise(5, 64, 1, 3)>>(66560) &&
         is_bounded<portable::depthwise_conv_2d, int16_node<one_layer::depthwise(9, 12, 1, 5)>>(193160) &&
         is_bounded<cortex_m::detail::int16_fully_connected<>, int16_node<one_layer::dense(300, 17)>>(9840);
}
/// The state of a layer costs more than its weights, whether it is int8 or int16.
constexpr auto svdf_layers_are_bounded() -> bool {
  using measured_node::svdf;
  return is_bounded<cortex_m::detail::svdf<>, svdf<20, 64, 1, 32>>(10720) &&
         is_bounded<cortex_m::detail::svdf<>, svdf<96, 32, 1, 16>>(7480) &&
         is_bounded<cortex_m::detail::svdf<>, svdf<16, 32, 1, 10, dtype::int8>>(2840) &&
         is_bounded<portable::detail::svdf, svdf<20, 64, 1, 32>>(35920) && is_bounded<portable::detail::svdf, svdf<40, 16, 2, 8>>(11360);
}
/// A chunk of a hybrid fully connected layer determines the range of its inputs.
constexpr auto chunks_determine_ranges() -> bool {
  const auto program = hybrid_node<one_layer::dense(256, 32)>{}();
  const auto other = hybrid_node<one_layer::dense(64, 10)>{}();
  const auto cost = cortex_m4_costs::node<portable::fully_connected>(program, program.nodes[0]);
  const auto cost_of_other = cortex_m4_costs::node<portable::fully_connected>(other, other.nodes[0]);
  return cost.by_chunks.per_call - cost_of_other.by_chunks.per_call == 13 * (256 - 64);
}
static_assert(hybrid_layers_are_bounded() && int16_layers_are_bounded() && svdf_layers_are_bounded() && chunks_determine_ranges());

}  // namespace

TEST_CASE("hybrid layers, layers on int16 and SVDF layers are estimated within 18 %, and exceed no estimate with its margin") {
  CHECK(hybrid_layers_are_bounded());
  CHECK(int16_layers_are_bounded());
  CHECK(svdf_layers_are_bounded());
  CHECK(chunks_determine_ranges());
}

TEST_CASE("the class of hybrid layers has float32 inputs and integer weights") {
  const auto hybrid = hybrid_node<one_layer::dense(64, 10)>{}();
  const auto real = one_layer::make<float_dense>{}();
  const auto is_hybrid = [](const auto& program) { return cost_row::is_of_class(program, program.nodes[0], cost_row::node_class::hybrid); };
  CHECK(is_hybrid(hybrid));
  CHECK(!is_hybrid(real));
  CHECK(!is_hybrid(model.value()));
}

TEST_CASE("float32 layers have their own costs") {
  const auto program = one_layer::make<float_dense>{}();
  const auto cost = cortex_m4_costs::node<portable::fully_connected>(program, program.nodes[0]);
  CHECK(cost.is_known);
  CHECK(is_close(static_cast<double>(cost.instructions) / 58760));
  CHECK(is_close(relative_cost<cortex_m55_costs, portable::fully_connected, float_dense>(62968)));
  CHECK(!cost_row::is_of_class(model.value(), model.value().nodes[0], cost_row::node_class::float32));
  CHECK(cost_row::is_of_class(program, program.nodes[0], cost_row::node_class::float32));
}

namespace {

/// Returns the cost of a split of 24 rows of 160 float32 elements into two parts. The first part has `rows` rows.
template <class Costs>
constexpr auto cost_of_split(int rows) -> node_cost {
  program_builder b;
  const std::array<char, 8> sizes{static_cast<char>(rows), 0, 0, 0, static_cast<char>(24 - rows)};
  const std::array<char, 4> axis{1};
  const auto x = b.user_input("x", tensor(dtype::float32, 1, 24, 10, 16));
  const auto sizes_of_parts = b.constant("sizes", tensor(dtype::int32, 2), {sizes.data(), sizes.size()});
  const auto split_axis = b.constant("axis", tensor(dtype::int32), {axis.data(), axis.size()});
  const auto parts = b.call_many("split", "tfl.split_v", {x, sizes_of_parts, split_axis},
                                 {tensor(dtype::float32, 1, rows, 10, 16), tensor(dtype::float32, 1, 24 - rows, 10, 16)});
  for (const auto part : parts) b.output(part);
  const auto program = b.finish();
  return Costs::template node<portable::detail::split_parts>(program, program.nodes[0]);
}
/// Measured by sh tests/budget/kernel_costs.sh: a split of 12 rows of 160 elements has 4,120 instructions on a Cortex-M4, and 4,375 on a
/// Cortex-M55. A split copies all rows, whatever the sizes of the parts.
constexpr auto splits_have_the_cost_of_all_parts() -> bool {
  for (const int rows : {1, 12, 23}) {
    if (!is_close(static_cast<double>(cost_of_split<cortex_m4_costs>(rows).instructions) / (2 * 4120))) return false;
    if (!is_close(static_cast<double>(cost_of_split<cortex_m55_costs>(rows).instructions) / (2 * 4375))) return false;
  }
  return true;
}
static_assert(splits_have_the_cost_of_all_parts());

}  // namespace

TEST_CASE("the cost of a split counts the elements of all parts") { CHECK(splits_have_the_cost_of_all_parts()); }

TEST_CASE("a float32 node without float32 measurements has no cost of int8 nodes") {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 4));
  const auto y = b.user_input("y", tensor(dtype::float32, 4));
  b.output(b.call("tfl.maximum", {x, y}, tensor(dtype::float32, 4)));
  const auto program = b.finish();
  CHECK(!cost_row::is_of_class(program, program.nodes[0], cost_row::node_class::any));
  CHECK(!cortex_m4_costs::node<portable::pairwise>(program, program.nodes[0]).is_known);
  CHECK(!cortex_m55_costs::node<portable::pairwise>(program, program.nodes[0]).is_known);
}

TEST_CASE("rows of Helium kernels cost less than rows of Cortex-M kernels") {
  const auto program = one_layer::make_symmetric<square(op::depthwise_conv_2d, 12, 32, 3)>{}();
  const auto by_helium = cortex_m55_costs::node<helium::detail::depthwise_conv_2d>(program, program.nodes[0]);
  const auto by_cortex_m = cortex_m55_costs::node<depthwise>(program, program.nodes[0]);
  CHECK(by_helium.instructions_per_row > 0);
  CHECK(2 * by_helium.instructions_per_row < by_cortex_m.instructions_per_row);
}

TEST_CASE("an operator without measurements has a cost with every form, and its first kernel is chosen") {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 4));
  b.output(b.call("tfl.sin", {x}, tensor(dtype::float32, 4)));
  const auto program = b.finish();
  const auto portable = cortex_m4_costs::node<portable::conv_2d>(program, program.nodes[0]);
  const auto cortex_m = cortex_m4_costs::node<cortex_m::detail::conv_2d<cortex_m::options{}>>(program, program.nodes[0]);
  CHECK(portable.instructions > 0);
  CHECK(cortex_m.instructions == portable.instructions);
}
