// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The assembler of layers whose weights are not packed against the portable kernels on random inputs. States affect the later rounds.
#include <baton/kernels/cortex_m/int16_depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/int16_layers.hpp>
#include <baton/kernels/cortex_m/svdf.hpp>

#include "firmware/comparison.hpp"
#include "kernels/int16_layer.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using baton::dtype;
using firmware::compare_kernels;
using one_layer::int16_layer;
using one_layer::layer;
using one_layer::op;
constexpr baton::cortex_m::options small{.optimize = baton::cortex_m::optimize_for::code_size};

template <std::size_t Bytes>
inline constexpr auto numbers = one_layer::random_elements<Bytes, 1>(true, 77);
template <std::size_t Bytes>
constexpr auto random_bytes() -> std::string_view {
  return {numbers<Bytes>.data() + 1, Bytes};  // at an odd address
}

/// A node with filters over time. Aligned constants are copied; if they are and the rank is 1, there is a bias.
template <dtype State, std::size_t Inputs, std::size_t Units, std::size_t Rank, std::size_t Memory, bool IsAligned = false>
struct filters {
  constexpr auto operator()() const -> baton::exported_program {
    constexpr std::size_t bytes = State == dtype::int8 ? 1 : 2;
    baton::program_builder b;
    const auto constant = [&](const char* name, baton::tensor_type type, std::string_view data, float scale) {
      const auto id = IsAligned ? b.constant(name, type, data) : b.parameter(name, type);
      if (!IsAligned) b.at(id).data = b.view(data);
      b.quantize(id, scale, 0);
      return id;
    };
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 2, Inputs));
    b.quantize(x, 0.05f, -9);
    const auto feature =
        constant("feature", baton::tensor(dtype::int8, Units * Rank, Inputs), random_bytes<Units * Rank * Inputs>(), 0.01f);
    const auto time = constant("time", baton::tensor(State, Units * Rank, Memory), random_bytes<bytes * Units * Rank * Memory>(),
                               State == dtype::int8 ? 0.01f : 1.5e-4f);
    const auto state = b.mutable_buffer("state", baton::tensor(State, 2, Units * Rank * Memory), {});
    b.quantize(state, State == dtype::int8 ? 0.5f : 0.002f, State == dtype::int8 ? 11 : 0);
    auto bias = baton::none<baton::value_id>;
    if (IsAligned && Rank == 1) bias = b.constant("bias", baton::tensor(dtype::int32, Units), random_bytes<4 * Units>());
    const auto y = b.call("tfl.svdf", {x, feature, time, bias, state}, baton::tensor(dtype::int8, 2, Units),
                          {{"rank", static_cast<int>(Rank)}, {"fused_activation_function", "relu"}});
    b.quantize(y, 2.0f, -5);
    b.output(y);
    return b.finish();
  }
};

// A comparison for each kernel, because the reference has a state, too.
template <class... Programs>
void compare_filters(const char* label) {
  namespace cortex_m = baton::cortex_m;
  (compare_kernels<Programs, baton::portable::detail::svdf, cortex_m::detail::svdf<>>(label), ...);
  (compare_kernels<Programs, baton::portable::detail::svdf, cortex_m::detail::svdf<small>>(label), ...);
}

template <template <baton::cortex_m::options> class Kernel, class Portable, class... Programs>
void compare_layers(const char* label) {
  (compare_kernels<Programs, Portable, Kernel<baton::cortex_m::options{}>>(label), ...);
}
template <int16_layer L>
using int16 = one_layer::make_int16<L>;

constexpr layer image{.height = 6, .width = 5, .channels = 6, .out_channels = 9, .filter_height = 3, .filter_width = 2, .stride_h = 2};
constexpr layer grouped{
    .batch = 2, .height = 4, .width = 5, .channels = 64, .out_channels = 6, .filter_height = 3, .filter_width = 3, .groups = 2};
constexpr layer deep{.height = 3, .width = 4, .channels = 64, .out_channels = 5, .filter_height = 3, .filter_width = 3};
constexpr layer pointwise{.height = 3, .width = 3, .channels = 20, .out_channels = 8};
constexpr layer dense{.is = op::fully_connected, .batch = 2, .channels = 37, .out_channels = 7};
constexpr layer depthwise{
    .is = op::depthwise_conv_2d, .height = 6, .width = 5, .channels = 10, .out_channels = 10, .filter_height = 3, .filter_width = 3};
constexpr layer strided{.is = op::depthwise_conv_2d,
                        .height = 6,
                        .width = 9,
                        .channels = 8,
                        .out_channels = 8,
                        .filter_height = 2,
                        .filter_width = 4,
                        .stride_w = 2,
                        .dilation_h = 2};

/// True if the shared routine in assembly computes the units of a node on a Cortex-M, if the state and the weights are aligned.
template <class Program>
constexpr auto has_shared_units() -> bool {
  const auto program = Program{}();
  const baton::program_view view(program);
  const auto plan = baton::cortex_m::detail::svdf<>::describe(view, view.nodes[0]).plan;
  return plan.unit.shift != 0 && plan.shape.memory % 8 == 0;
}
static_assert(has_shared_units<filters<dtype::int16, 16, 5, 1, 8, true>>() && has_shared_units<filters<dtype::int16, 8, 2, 2, 24, true>>());
static_assert(!has_shared_units<filters<dtype::int16, 17, 3, 1, 5>>());

}  // namespace

int main() {
  namespace cortex_m = baton::cortex_m;
  namespace portable = baton::portable;
  compare_filters<filters<dtype::int8, 40, 6, 2, 8>, filters<dtype::int8, 10, 3, 1, 7>, filters<dtype::int8, 3, 2, 2, 1>>("int8 state");
  compare_filters<filters<dtype::int16, 40, 6, 2, 8>, filters<dtype::int16, 17, 3, 1, 5>, filters<dtype::int16, 16, 5, 1, 8, true>,
                  filters<dtype::int16, 8, 2, 2, 24, true>>("int16 state");
  compare_layers<cortex_m::detail::int16_conv_2d, portable::conv_2d, int16<int16_layer{.shape = image}>,
                 int16<int16_layer{.shape = image, .bias = dtype::int32}>, int16<int16_layer{.shape = grouped}>,
                 int16<int16_layer{.shape = deep}>, int16<int16_layer{.shape = pointwise}>>("convolution");
  compare_layers<cortex_m::detail::int16_fully_connected, portable::fully_connected, int16<int16_layer{.shape = dense}>>("fully connected");
  compare_layers<cortex_m::detail::int16_depthwise_conv_2d, portable::depthwise_conv_2d, int16<int16_layer{.shape = depthwise}>,
                 int16<int16_layer{.shape = strided}>, int16<int16_layer{.shape = depthwise, .output_scale = 1e-6f}>>("depthwise");
  compare_kernels<int16<int16_layer{.shape = deep}>, portable::conv_2d, cortex_m::detail::int16_conv_2d<small>>("small convolution");
  compare_kernels<int16<int16_layer{.shape = depthwise}>, portable::depthwise_conv_2d, cortex_m::detail::int16_depthwise_conv_2d<small>>(
      "small depthwise");
  return firmware::verdict(4 * (2 * 7 + 9 + 2));
}
