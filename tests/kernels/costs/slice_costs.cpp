// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures single nodes of the operators that tests/budget/kernel_costs.cpp does not measure, and nodes that are cut into slices of rows
// and of chunks. Prints two kinds of lines: the table, the row, outputs, work, instructions; and the table of calls, the row, "rows" or
// "chunks", outputs, calls, instructions of the whole node, instructions of all slices.
#include <baton/baton.hpp>
#include <baton/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/plan/shared/row_operands.hpp>

#include "budget/measured_instructions.hpp"
#include "cortex_m/semihosting.hpp"
#include "kernels/costs/core_costs.hpp"
#include "kernels/int16_layer.hpp"
#include "kernels/layer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using one_layer::layer;
using one_layer::op;

/// Computes a node in slices of one step of rows.
template <class Kernel, std::int32_t Rows, std::int32_t Step>
struct in_rows : Kernel {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t row = 0; row < Rows; row += Step) Kernel::compute_rows(call, row, std::min(row + Step, Rows));
  }
};
/// Computes a node in slices of one chunk.
template <class Kernel, std::int32_t Chunks>
struct in_chunks : Kernel {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t chunk = 0; chunk < Chunks; ++chunk) Kernel::compute_chunks(call, chunk, chunk + 1);
  }
};

template <auto Program, class Kernel>
auto instructions_of() -> std::uint64_t {
  return measured_instructions<basic_executor<Program, kernel_list<Kernel>{}>>();
}
void print_all(std::uint64_t last) { firmware::print(" ", last, "\n"); }
template <class... Numbers>
void print_all(std::uint64_t first, Numbers... others) {
  firmware::print(" ", first);
  print_all(others...);
}

/// Prints the lines of a kernel that supports the program's only node. The line of the whole node is omitted if kernel_costs.cpp prints it.
template <auto Program, bool PrintsWhole, class Kernel>
void measure() {
  static constexpr program_view program = Program.value();
  static constexpr const auto& record = program.nodes[0];
  constexpr auto form = detail::form_of<Kernel>;
  if constexpr (ask_kernel<Kernel>(program, record).support.accepted) {
    constexpr auto size = cost_row::size_of(program, record);
    constexpr auto outputs = static_cast<std::uint64_t>(size.outputs);
    const auto whole = instructions_of<Program, Kernel>();
    constexpr const auto* row = cost_row::find(measured_core::table.rows, program, record, form);
    if constexpr (PrintsWhole && row != nullptr) {
      firmware::print(measured_core::rows_name);
      print_all(static_cast<std::uint64_t>(row - measured_core::table.rows.data()), outputs, static_cast<std::uint64_t>(size.work), whole);
    }
    constexpr const auto* calls = detail::find_calls(measured_core::table, program, record, form);
    if constexpr (calls != nullptr) {
      constexpr auto at = static_cast<std::uint64_t>(calls - measured_core::table.calls.data());
      constexpr auto facts = ask_kernel<Kernel>(program, record).facts;
      const auto print_slices = [&](const char* kind, std::uint64_t count, std::uint64_t instructions) {
        firmware::print(measured_core::calls_name, " ", at);
        firmware::print(" ");
        firmware::print(kind);
        print_all(outputs, count, whole, instructions);
      };
      constexpr auto ignore = [](auto&&...) {};
      if constexpr (visit_row_operands(program, record, facts, ignore)) {
        constexpr auto rows = image_of(program, program.outputs_of(record)[0]).rows;
        constexpr auto step = std::clamp<std::int32_t>(facts.rows_per_step, 1, rows);
        if constexpr (step < rows) print_slices("rows", (rows + step - 1) / step, instructions_of<Program, in_rows<Kernel, rows, step>>());
      }
      if constexpr (facts.chunks > 1) {
        print_slices("chunks", static_cast<std::uint64_t>(facts.chunks), instructions_of<Program, in_chunks<Kernel, facts.chunks>>());
      }
    }
  }
}
template <auto Program, bool PrintsWhole, class... Kernels>
void measure_list(kernel_list<Kernels...>) {
  (measure<Program, PrintsWhole, Kernels>(), ...);
}
template <class Make, bool PrintsWhole = true>
void measure_node() {
  measure_list<static_program{Make{}}, PrintsWhole>((measured_core::kernels + portable_kernels).with_forms());
}
template <layer... Layers>
void measure_layers() {
  (measure_node<one_layer::make_symmetric<Layers>, false>(), ...);
}
/// Layers without weights of -128, which some kernels need.
template <layer... Layers>
void measure_symmetric() {
  (measure_node<one_layer::make_symmetric<Layers>>(), ...);
}
template <one_layer::int16_layer... Layers>
void measure_int16() {
  (measure_node<one_layer::make_int16<Layers>>(), ...);
}

template <std::int32_t... Numbers>
inline constexpr auto bytes_of = [] {
  std::array<char, 4 * sizeof...(Numbers)> bytes{};
  std::size_t at = 0;
  (one_layer::put_32(bytes.data() + 4 * at++, static_cast<std::uint32_t>(Numbers)), ...);
  return bytes;
}();
template <std::size_t Count>
inline constexpr std::array<char, Count> zeros{};

template <std::int32_t... Numbers>
constexpr auto numbers(program_builder& b, const char* name) -> value_id {
  return b.constant(name, tensor(dtype::int32, static_cast<int>(sizeof...(Numbers))),
                    {bytes_of<Numbers...>.data(), 4 * sizeof...(Numbers)});
}

/// A node that moves the elements of an image, or computes single elements.
template <fixed_string Operator, int Rows, int Columns, int Channels>
struct image_node {
  static constexpr std::string_view name{Operator};
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto image = [](int rows, int columns) { return tensor(dtype::int8, 1, rows, columns, Channels); };
    const auto same = image(Rows, Columns);
    if (name == "tfl.quantize") {
      const auto x = b.user_input("x", tensor(dtype::float32, 1, Rows, Columns, Channels));
      const auto y = b.call(name, {x}, same);
      b.quantize(y, 0.05f, -3);
      b.output(y);
      return b.finish();
    }
    const auto type = name == "tfl.strided_slice" || name == "tfl.slice" ? image(Rows + 2, Columns) : same;
    const auto x = b.user_input("x", type);
    b.quantize(x, 0.05f, -3);
    if (name == "tfl.split_v") {
      constexpr int first = Rows / 2;
      const auto parts = b.call_many("split", name, {x, numbers<first, Rows - first>(b, "sizes"), numbers<1>(b, "axis")},
                                     {image(first, Columns), image(Rows - first, Columns)});
      for (const auto part : parts) {
        b.quantize(part, 0.05f, -3);
        b.output(part);
      }
      return b.finish();
    }
    auto y = x;
    if (name == "tfl.concatenation") {
      const auto other = b.user_input("other", image(2, Columns));
      b.quantize(other, 0.05f, -3);
      y = b.call(name, {x, other}, image(Rows + 2, Columns), {{"axis", 1}, {"fused_activation_function", "none"}});
    } else if (name == "tfl.strided_slice") {
      y = b.call(name,
                 {x, numbers<0, 2, 0, 0>(b, "begin"), numbers<1, Rows + 2, Columns, Channels>(b, "end"), numbers<1, 1, 1, 1>(b, "strides")},
                 same);
    } else if (name == "tfl.slice") {
      y = b.call(name, {x, numbers<0, 2, 0, 0>(b, "begin"), numbers<1, Rows, Columns, Channels>(b, "size")}, same);
    } else if (name == "tfl.pad") {
      y = b.call(name, {x, numbers<0, 0, 1, 1, 1, 1, 0, 0>(b, "paddings")}, image(Rows + 2, Columns + 2));
    } else if (name == "tfl.transpose") {
      y = b.call(name, {x, numbers<0, 2, 1, 3>(b, "permutation")}, image(Columns, Rows));
    } else if (name == "tfl.mean") {
      y = b.call(name, {x, numbers<1, 2>(b, "axes")}, image(1, 1), {{"keep_dims", true}});
    } else if (name.starts_with("tfl.resize")) {
      y = b.call(name, {x, numbers<2 * Rows, 2 * Columns>(b, "size")}, image(2 * Rows, 2 * Columns),
                 {{"align_corners", false}, {"half_pixel_centers", false}});
    } else if (name == "tfl.dequantize") {
      b.output(b.call(name, {x}, tensor(dtype::float32, 1, Rows, Columns, Channels)));
      return b.finish();
    } else if (name == "tfl.add" || name == "tfl.mul") {
      const auto other = b.user_input("other", same);
      b.quantize(other, 0.02f, 7);
      y = b.call(name, {x, other}, same, {{"fused_activation_function", "none"}});
    } else if (name == "tfl.softmax") {
      y = b.call(name, {x}, same, {{"beta", 1.0}});
    } else {
      y = b.call(name, {x}, same, {{"alpha", 0.1}});
    }
    if (name == "tfl.logistic" || name == "tfl.softmax") {
      b.quantize(y, 1.0f / 256, -128);
    } else if (name == "tfl.tanh") {
      b.quantize(y, 1.0f / 128, 0);
    } else {
      b.quantize(y, 0.05f, -3);
    }
    b.output(y);
    return b.finish();
  }
};
/// Layers with the kernels for the core only.
template <layer... Layers>
void measure_fast() {
  (measure_list<static_program{one_layer::make_symmetric<Layers>{}}, true>(measured_core::kernels.with_forms()), ...);
}

template <fixed_string... Operators>
void measure_images() {
  (measure_node<image_node<Operators, 4, 3, 8>>(), ...);
  (measure_node<image_node<Operators, 23, 1, 64>>(), ...);
  (measure_node<image_node<Operators, 12, 10, 16>>(), ...);
}
template <fixed_string... Operators>
void measure_slices() {
  (measure_node<image_node<Operators, 23, 1, 64>, false>(), ...);
  (measure_node<image_node<Operators, 12, 10, 16>, false>(), ...);
}

template <int Inputs, int Units, int Rank, int Memory>
struct svdf {
  constexpr auto operator()() const -> exported_program {
    constexpr int features = Units * Rank;
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 1, Inputs));
    b.quantize(x, 0.05f, 0);
    const auto feature = b.constant("feature", tensor(dtype::int8, features, Inputs), {zeros<features * Inputs>.data(), features * Inputs});
    const auto time =
        b.constant("time", tensor(dtype::int16, features, Memory), {zeros<2 * features * Memory>.data(), 2 * features * Memory});
    const auto bias = b.constant("bias", tensor(dtype::int32, Units), {zeros<4 * Units>.data(), 4 * Units});
    const auto state =
        b.mutable_buffer("state", tensor(dtype::int16, 1, features * Memory), {zeros<2 * features * Memory>.data(), 2 * features * Memory});
    b.quantize(feature, 0.01f, 0);
    b.quantize(time, 3e-5f, 0);
    b.quantize(state, 2e-4f, 0);
    const auto y = b.call("tfl.svdf", {x, feature, time, bias, state}, tensor(dtype::int8, 1, Units),
                          {{"rank", Rank}, {"fused_activation_function", "none"}});
    b.quantize(y, 0.1f, 0);
    b.output(y);
    return b.finish();
  }
};

template <int Steps, int Inputs, int Units>
struct lstm {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 1, Steps, Inputs));
    b.quantize(x, 0.05f, 0);
    std::array<value_id, 4> weights{};
    std::array<value_id, 4> recurrent{};
    std::array<value_id, 4> bias{};
    for (std::size_t g = 0; g < 4; ++g) {
      weights[g] = b.constant("w", tensor(dtype::int8, Units, Inputs), {zeros<Units * Inputs>.data(), Units * Inputs});
      recurrent[g] = b.constant("r", tensor(dtype::int8, Units, Units), {zeros<Units * Units>.data(), Units * Units});
      bias[g] = b.constant("b", tensor(dtype::int32, Units), {zeros<4 * Units>.data(), 4 * Units});
      b.quantize(weights[g], 0.01f, 0);
      b.quantize(recurrent[g], 0.01f, 0);
    }
    const auto hidden = b.mutable_buffer("hidden", tensor(dtype::int8, 1, Units), {zeros<Units>.data(), Units});
    const auto cell = b.mutable_buffer("cell", tensor(dtype::int16, 1, Units), {zeros<2 * Units>.data(), 2 * Units});
    b.quantize(hidden, 0.0078125f, 0);
    b.quantize(cell, 1.0f / 4096, 0);
    constexpr auto omitted = none<value_id>;
    const auto y =
        b.call("tfl.unidirectional_sequence_lstm",
               {x,       weights[0], weights[1], weights[2], weights[3], recurrent[0], recurrent[1], recurrent[2], recurrent[3], omitted,
                omitted, omitted,    bias[0],    bias[1],    bias[2],    bias[3],      omitted,      omitted,      hidden,       cell},
               tensor(dtype::int8, 1, Steps, Units), {{"fused_activation_function", "tanh"}, {"time_major", false}, {"cell_clip", 0.0}});
    b.quantize(y, 0.0078125f, 0);
    b.output(y);
    return b.finish();
  }
};

constexpr auto convolution(int size, int in, int out, int filter, int stride = 1) -> layer {
  return {.is = op::conv_2d,
          .height = size,
          .width = size,
          .channels = in,
          .out_channels = out,
          .filter_height = filter,
          .filter_width = filter,
          .stride_h = stride,
          .stride_w = stride};
}
constexpr auto depthwise(int size, int in, int times, int filter, int stride = 1) -> layer {
  auto made = convolution(size, in, in * times, filter, stride);
  made.is = op::depthwise_conv_2d;
  return made;
}
/// A layer whose window is the whole image.
constexpr auto whole(op is, int height, int width, int in, int out) -> layer {
  return {.is = is,
          .height = height,
          .width = width,
          .channels = in,
          .out_channels = out,
          .filter_height = height,
          .filter_width = width,
          .is_same = false};
}
constexpr auto dense(int in, int out) -> layer {
  return {.is = op::fully_connected, .channels = in, .out_channels = out, .is_per_channel = false};
}
constexpr auto pool(op is, int size, int channels, int filter, int stride) -> layer {
  auto made = convolution(size, channels, channels, filter, stride);
  made.is = is;
  made.is_same = false;
  return made;
}

}  // namespace

int main() {
  measure_images<"tfl.concatenation", "tfl.strided_slice", "tfl.slice", "tfl.split_v", "tfl.pad", "tfl.transpose", "tfl.mean">();
  measure_images<"tfl.resize_nearest_neighbor", "tfl.resize_bilinear", "tfl.logistic", "tfl.tanh", "tfl.leaky_relu", "tfl.quantize",
                 "tfl.dequantize">();
  measure_slices<"tfl.add", "tfl.mul", "tfl.softmax">();
  measure_node<svdf<40, 16, 2, 8>>();
  measure_node<svdf<16, 32, 1, 10>>();
  measure_node<svdf<96, 32, 1, 16>>();
  measure_node<lstm<4, 28, 20>>();
  measure_node<lstm<10, 16, 32>>();
  measure_node<lstm<6, 40, 64>>();
  measure_int16<one_layer::int16_layer{convolution(8, 8, 16, 3)}, one_layer::int16_layer{convolution(6, 16, 32, 1)},
                one_layer::int16_layer{convolution(10, 4, 8, 3, 2)}>();
  measure_int16<one_layer::int16_layer{depthwise(8, 16, 1, 3)}, one_layer::int16_layer{depthwise(10, 8, 1, 3, 2)},
                one_layer::int16_layer{depthwise(12, 1, 8, 5)}>();
  measure_int16<one_layer::int16_layer{dense(64, 10)}, one_layer::int16_layer{dense(256, 32)}, one_layer::int16_layer{dense(40, 128)}>();
  measure_symmetric<whole(op::depthwise_conv_2d, 5, 1, 32, 32), whole(op::depthwise_conv_2d, 7, 1, 64, 64),
                    whole(op::depthwise_conv_2d, 13, 1, 32, 32), whole(op::depthwise_conv_2d, 23, 1, 64, 64)>();
  measure_symmetric<whole(op::conv_2d, 1, 1, 64, 64), whole(op::conv_2d, 1, 1, 32, 64), whole(op::conv_2d, 1, 1, 128, 32),
                    whole(op::conv_2d, 5, 1, 40, 32), whole(op::conv_2d, 3, 3, 16, 24)>();
  measure_fast<depthwise(20, 12, 1, 3)>();
  measure_layers<convolution(12, 8, 16, 3), convolution(10, 32, 40, 3), convolution(16, 3, 16, 3, 2), convolution(8, 64, 48, 1)>();
  measure_layers<depthwise(12, 16, 1, 3), depthwise(12, 32, 1, 3, 2), depthwise(16, 1, 8, 5, 2), depthwise(8, 12, 1, 5),
                 depthwise(8, 8, 2, 3)>();
  measure_layers<dense(128, 32), dense(300, 10), dense(64, 64)>();
  measure_layers<pool(op::average_pool_2d, 12, 16, 2, 2), pool(op::average_pool_2d, 9, 32, 9, 1), pool(op::max_pool_2d, 12, 16, 2, 2),
                 pool(op::max_pool_2d, 9, 32, 9, 1)>();
}
