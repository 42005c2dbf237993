// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the digits' model with CMSIS-NN in three ways: by an executor with CMSIS-NN kernels, by an executor with the CMSIS-NN backend, and
// by direct calls of the library. The direct calls use the library's wrappers and buffer sizes, and precomputed sums of weights. All
// outputs must have the same bytes. An executor may execute at most 1 % more instructions than the direct calls.
#include <baton/backends/cmsis_nn/cmsis_nn.hpp>
#include <baton/baton.hpp>

#include "digits_int8.tflite.hpp"

#include "cortex_m/measure.hpp"
#include "cortex_m/semihosting.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace {

constexpr auto model = baton::tflite::read<digits_int8_tflite>;
baton::executor<model, baton::with_kernels<baton::cmsis_nn_kernels + baton::portable_kernels>> net;
constexpr auto lowered = baton::to_backend(baton::backends<baton::cmsis_nn::backend>, model, baton::cmsis_nn::partitioner{});
baton::executor<lowered, baton::with_kernels<baton::portable_kernels>> net_of_parts;

/// The data of a node that a converter writes to a header: its weights, and the multipliers of its channels.
template <class Kernel, std::uint32_t Node>
struct printed {
  static constexpr auto view() -> baton::program_view { return model.value(); }
  static constexpr auto record() -> const baton::node& { return model.value().nodes[Node]; }
  static constexpr auto layer() { return Kernel::describe(view(), record()).plan; }
  static constexpr auto of = layer();
  static constexpr std::size_t channels = static_cast<std::size_t>(of.out.channels);

  struct table {
    std::array<std::int32_t, channels> bias{};
    std::array<std::int32_t, channels> multiplier{};
    std::array<std::int32_t, channels> shift{};
  };
  static constexpr table constants = [] {
    table to;
    const auto numbers = layer().numbers;
    for (std::size_t c = 0; c < channels; ++c) {
      to.bias[c] = numbers.bias_of(c);
      to.multiplier[c] = numbers.factor_of(c).value;
      to.shift[c] = numbers.factor_of(c).shift;
    }
    return to;
  }();
  static constexpr auto text = baton::program_view(model.value()).data(model.value()[model.value().inputs(record())[1]].data);
  template <std::size_t... I>
  static constexpr auto copy(std::index_sequence<I...>) {
    return std::array<std::int8_t, sizeof...(I)>{static_cast<std::int8_t>(text[I])...};
  }
  alignas(4) static constexpr auto weights = copy(std::make_index_sequence<text.size()>{});
  static inline table in_memory = constants;  // the library's pointers are not to constants

  static constexpr cmsis_nn_activation range{of.out.range.lower, of.out.range.upper};
  static constexpr cmsis_nn_tile stride{of.columns.stride, of.rows.stride};
  static constexpr cmsis_nn_tile padding{of.columns.before, of.rows.before};
};

namespace by_hand {

std::int8_t first[1536];
std::int8_t second[1536];
alignas(4) std::int8_t scratch[4608];
std::int32_t sums[16];

using first_convolution = printed<baton::portable::conv_2d, 0>;
using depthwise_convolution = printed<baton::portable::depthwise_conv_2d, 1>;
using second_convolution = printed<baton::portable::conv_2d, 2>;
using dense = printed<baton::portable::fully_connected, 5>;

const cmsis_nn_dims image{1, 8, 8, 1};
const cmsis_nn_dims wide{1, 8, 8, 16};
const cmsis_nn_dims deep{1, 8, 8, 24};
const cmsis_nn_dims pooled{1, 4, 4, 24};

template <class Of>
void convolve(const cmsis_nn_dims& input, const std::int8_t* from, const cmsis_nn_dims& filter, const cmsis_nn_dims& output,
              std::int8_t* to) {
  const cmsis_nn_conv_params params{-Of::of.out.input_zero_point, Of::of.out.zero_point, Of::stride, Of::padding, {1, 1}, Of::range};
  const cmsis_nn_per_channel_quant_params by{Of::in_memory.multiplier.data(), Of::in_memory.shift.data()};
  const cmsis_nn_context context{scratch, arm_convolve_wrapper_s8_get_buffer_size(&params, &input, &filter, &output)};
  const cmsis_nn_dims bias{1, 1, 1, output.c};
  static_cast<void>(arm_convolve_wrapper_s8(&context, &params, &by, &input, from, &filter, Of::weights.data(), &bias,
                                            Of::in_memory.bias.data(), &output, to));
}

void convolve_depthwise() {
  using of = depthwise_convolution;
  const cmsis_nn_dims filter{1, 3, 3, 16};
  const cmsis_nn_dims bias{1, 1, 1, 16};
  const cmsis_nn_dw_conv_params params{-of::of.out.input_zero_point, of::of.out.zero_point, 1, of::stride, of::padding, {1, 1}, of::range};
  const cmsis_nn_per_channel_quant_params by{of::in_memory.multiplier.data(), of::in_memory.shift.data()};
  const cmsis_nn_context context{scratch, arm_depthwise_conv_wrapper_s8_get_buffer_size(&params, &wide, &filter, &wide)};
  static_cast<void>(arm_depthwise_conv_wrapper_s8(&context, &params, &by, &wide, first, &filter, of::weights.data(), &bias,
                                                  of::in_memory.bias.data(), &wide, second));
}

void pool() {
  constexpr auto of = baton::portable::average_pool_2d::describe(model.value(), model.value().nodes[3]).plan;
  const cmsis_nn_pool_params params{
      {of.columns.stride, of.rows.stride}, {of.columns.before, of.rows.before}, {of.range.lower, of.range.upper}};
  const cmsis_nn_dims filter{1, of.rows.filter, of.columns.filter, 1};
  const cmsis_nn_context context{scratch, arm_avgpool_s8_get_buffer_size(pooled.w, pooled.c)};
  static_cast<void>(arm_avgpool_s8(&context, &params, &deep, first, &filter, &pooled, second));
}

void connect() {
  using of = dense;
  const cmsis_nn_dims input{1, 1, 1, 384};
  const cmsis_nn_dims filter{384, 1, 1, 10};
  const cmsis_nn_dims output{1, 1, 1, 10};
  const cmsis_nn_fc_params params{-of::of.out.input_zero_point, 0, of::of.out.zero_point, of::range};
  const cmsis_nn_context context{sums, sizeof sums};
  if constexpr (of::of.out.is_per_channel != 0) {
    const cmsis_nn_per_channel_quant_params by{of::in_memory.multiplier.data(), of::in_memory.shift.data()};
    static_cast<void>(arm_fully_connected_per_channel_s8(&context, &params, &by, &input, second, &filter, of::weights.data(), &output,
                                                         of::in_memory.bias.data(), &output, first));
  } else {
    const cmsis_nn_per_tensor_quant_params by{of::constants.multiplier[0], of::constants.shift[0]};
    static_cast<void>(arm_fully_connected_s8(&context, &params, &by, &input, second, &filter, of::weights.data(), &output,
                                             of::in_memory.bias.data(), &output, first));
  }
}

void set_up() { arm_vector_sum_s8(sums, 384, 10, dense::weights.data(), -dense::of.out.input_zero_point, 0, dense::in_memory.bias.data()); }

void run(const std::int8_t* input, std::int8_t* output) {
  convolve<first_convolution>(image, input, {16, 3, 3, 1}, wide, first);
  convolve_depthwise();
  convolve<second_convolution>(wide, second, {24, 1, 1, 16}, deep, first);
  pool();
  connect();
  constexpr auto of = baton::portable::softmax::describe(model.value(), model.value().nodes[6]).plan;
  arm_softmax_s8(first, 1, 10, of.by.value, of.by.shift, -of.farthest, output);
}

}  // namespace by_hand

}  // namespace

namespace {

/// The instructions of a run, or 0 if its outputs are not as expected.
template <class Net>
auto measure(Net& of, const std::int8_t* input, const std::int8_t* wanted) -> std::uint64_t {
  std::copy_n(input, 64, reinterpret_cast<std::int8_t*>(of.template input<0>().data()));
  firmware::instruction_counter::start();
  of.run();
  const auto count = firmware::instruction_counter::count();
  return std::equal(wanted, wanted + 10, reinterpret_cast<const std::int8_t*>(of.template output<0>().data())) ? count : 0;
}

}  // namespace

int main() {
  by_hand::set_up();
  std::int8_t input[64];
  std::int8_t wanted[10];
  std::uint32_t state = 2463534242u;
  std::uint64_t hand = 0;
  std::uint64_t kernels = 0;
  std::uint64_t parts = 0;
  for (unsigned n = 0; n < 10; ++n) {
    for (auto& x : input) {
      state = state * 1664525u + 1013904223u;
      x = static_cast<std::int8_t>(state >> 24);
    }
    firmware::instruction_counter::start();
    by_hand::run(input, wanted);
    hand += firmware::instruction_counter::count();
    const auto by_kernels = measure(net, input, wanted);
    const auto by_parts = measure(net_of_parts, input, wanted);
    if (by_kernels == 0 || by_parts == 0) {
      firmware::print("inference ", n, " differs\n");
      return 1;
    }
    kernels += by_kernels;
    parts += by_parts;
  }
  firmware::print("instructions of ten inferences: by hand ", hand, ", with kernels ", kernels);
  firmware::print(", with a backend ", parts, "\n");
  return kernels * 100 <= hand * 101 && parts * 100 <= hand * 101 ? 0 : 1;
}
