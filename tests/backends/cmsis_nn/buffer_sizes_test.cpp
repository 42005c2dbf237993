// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The buffer sizes that are planned at compile time equal those that the library reports at run time, for each of its forms.
#include <baton/backends/cmsis_nn/convolution.hpp>
#include <baton/backends/cmsis_nn/depthwise.hpp>
#include <baton/backends/cmsis_nn/pooling.hpp>

#include "kernels/one_node.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton::cmsis_nn::detail;
using one_node::drawn;

struct drawn_window {
  cmsis_nn_tile stride{};
  cmsis_nn_tile padding{};
  cmsis_nn_tile dilation{};
  cmsis_nn_dims input{};
  cmsis_nn_dims filter{};
  cmsis_nn_dims output{};

  explicit drawn_window(drawn& draw) {
    stride = {draw.from_to(1, 3), draw.from_to(1, 3)};
    dilation = {draw.of({1, 1, 2}), draw.of({1, 1, 2})};
    input = {draw.of({1, 1, 2}), draw.of({1, 4, 9}), draw.from_to(4, 12), draw.of({1, 3, 4, 16, 130})};
    filter = {draw.of({1, 8, 13}), draw.of({1, 1, 3}), draw.of({1, 1, 3, 4}), input.c};
    padding = {filter.w == 1 ? 0 : draw.from_to(0, 2), filter.h == 1 ? 0 : draw.from_to(0, 1)};
    const auto size = [](int in, int window, int before, int step) { return (in + 2 * before - window) / step + 1; };
    output = {input.n, size(input.h, filter.h, padding.h, stride.h), size(input.w, filter.w, padding.w, stride.w), filter.n};
  }
};

constexpr auto buffers_of_nine_taps_are_rows_of_halfwords() -> bool {
  return convolve_buffer(instruction_set::dsp, {1, 8, 8, 3}, {4, 3, 3, 3}) == 2 * 28 * 2 &&
         convolve_buffer(instruction_set::mve, {1, 8, 8, 3}, {4, 3, 3, 3}) == 4 * 32;
}
static_assert(buffers_of_nine_taps_are_rows_of_halfwords());

}  // namespace

TEST_CASE("the buffers of convolutions have the library's size") {
  CHECK(buffers_of_nine_taps_are_rows_of_halfwords());
  for (unsigned seed = 0; seed < 3000; ++seed) {
    drawn draw(seed);
    const drawn_window of(draw);
    const cmsis_nn_conv_params params{1, 0, of.stride, of.padding, of.dilation, {-128, 127}};
    const auto function = function_of(params, of.input, of.filter);
    CAPTURE(seed);
    const auto planned = [&](instruction_set f) { return buffer_of(f, function, params, of.input, of.filter, of.output); };
    CHECK(planned(instruction_set::plain) == arm_convolve_wrapper_s8_get_buffer_size(&params, &of.input, &of.filter, &of.output));
    CHECK(planned(instruction_set::dsp) == arm_convolve_wrapper_s8_get_buffer_size_dsp(&params, &of.input, &of.filter, &of.output));
    CHECK(planned(instruction_set::mve) == arm_convolve_wrapper_s8_get_buffer_size_mve(&params, &of.input, &of.filter, &of.output));
  }
}

TEST_CASE("the buffers of depthwise convolutions have the library's size") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    drawn draw(seed);
    drawn_window of(draw);
    const int times = draw.of({1, 1, 2, 12});
    of.filter.n = 1;
    of.filter.c = of.output.c = of.input.c * times;
    const cmsis_nn_dw_conv_params params{1, 0, times, of.stride, of.padding, of.dilation, {-128, 127}};
    const auto planned = [&](instruction_set f) {
      return buffer_of(f, function_of(f, params, of.input, of.filter, of.output), params, of.input, of.filter, of.output);
    };
    CAPTURE(seed);
    CHECK(planned(instruction_set::plain) == arm_depthwise_conv_wrapper_s8_get_buffer_size(&params, &of.input, &of.filter, &of.output));
    CHECK(planned(instruction_set::dsp) == arm_depthwise_conv_wrapper_s8_get_buffer_size_dsp(&params, &of.input, &of.filter, &of.output));
    CHECK(planned(instruction_set::mve) == arm_depthwise_conv_wrapper_s8_get_buffer_size_mve(&params, &of.input, &of.filter, &of.output));
  }
}

TEST_CASE("the buffers of average pools have the library's size") {
  for (const int channels : {1, 3, 64}) {
    const cmsis_nn_dims input{1, 4, 4, channels};
    CHECK(average_pool_buffer(instruction_set::plain, input) == arm_avgpool_s8_get_buffer_size(2, channels));
    CHECK(average_pool_buffer(instruction_set::dsp, input) == arm_avgpool_s8_get_buffer_size_dsp(2, channels));
    CHECK(average_pool_buffer(instruction_set::mve, input) == arm_avgpool_s8_get_buffer_size_mve(2, channels));
  }
}
