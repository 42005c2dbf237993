// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Portable kernels of fused operators against those of the float32 operators between dequantizations and quantizations.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/transform/fuse_activations.hpp>
#include <baton/transform/fuse_quantization.hpp>
#include <baton/transform/shift_to_int8.hpp>
#include <baton/transform/transform.hpp>

#include "properties/random.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

constexpr auto image = tensor(dtype::float32, 1, 6, 6, 4);

/// One output for each operator. Every output depends on the inputs by one fused operator, or by moves.
struct make_operators {
  constexpr auto operator()() const -> exported_program {
    qdq::net_builder net;
    auto& b = net.b;
    const auto x = net.input("x", tensor(dtype::int8, 1, 6, 6, 4), 0.0473f, 9);
    const auto z = net.input("z", tensor(dtype::uint8, 1, 6, 6, 4), 0.0311f, 120);
    const auto w = net.weights(tensor(dtype::int8, 3, 3, 3, 4), {0.0041f, 0.0077f, 0.0033f});
    const auto bias = net.bias({500, -600, 70}, {0.0473f * 0.0041f, 0.0473f * 0.0077f, 0.0473f * 0.0033f});
    const auto conv = b.call("conv", "tfl.conv_2d", {x, w, bias}, tensor(dtype::float32, 1, 3, 3, 3),
                             {{"padding", "same"}, {"stride_h", 2}, {"stride_w", 2}, {"fused_activation_function", "none"}});
    b.output(net.quantize("conv_q", b.call("relu", "tfl.relu6", {conv}, net.real(conv)), 0.0313f, -120));
    const auto filter = net.weights(tensor(dtype::int8, 1, 3, 3, 4), {0.0123f}, 3);
    const auto depthwise = b.call("depthwise", "tfl.depthwise_conv_2d", {z, filter, none<value_id>}, image,
                                  {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}});
    b.output(net.quantize("depthwise_q", depthwise, 0.131f, 3));
    const auto shifted = net.weights(tensor(dtype::int8, 1, 3, 3, 4), {0.0123f}, 3, 100);
    const auto split = b.call("split", "tfl.depthwise_conv_2d", {z, shifted, none<value_id>}, image,
                              {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}});
    b.output(net.quantize("split_q", split, 0.231f, 3));
    const auto flat = b.call("flat", "tfl.reshape", {x}, tensor(dtype::float32, 1, 144));
    const auto rows = net.weights(tensor(dtype::int8, 7, 144), {0.0071f});
    const auto reals = net.floats({1.7f, -2.3f, 0.01f, 3.3f, -0.7f, 0, 11}, tensor(dtype::float32, 7));
    const auto dense =
        b.call("dense", "tfl.fully_connected", {flat, rows, reals}, tensor(dtype::float32, 1, 7), {{"keep_num_dims", false}});
    b.output(net.quantize("dense_q", dense, 0.311f, -3));
    for (const char* const op : {"tfl.add", "tfl.sub", "tfl.mul"}) {
      const auto pair = b.call(view(join("pair_", std::string_view{op}.substr(4))), op, {x, z}, image);
      b.output(net.quantize(view(join(std::string_view{op}.substr(4), "_q")), pair, 0.0713f, 5));
    }
    const auto pool = [&](const char* name, const char* op) {
      return b.call(name, op, {x}, tensor(dtype::float32, 1, 3, 3, 4),
                    {{"padding", "same"}, {"filter_height", 3}, {"filter_width", 3}, {"stride_h", 2}, {"stride_w", 2}});
    };
    b.output(net.quantize("average_q", pool("average", "tfl.average_pool_2d"), 0.0473f, 9));
    b.output(net.quantize("average_other_q", pool("average_other", "tfl.average_pool_2d"), 0.0379f, 2));
    b.output(net.quantize("max_q", pool("max", "tfl.max_pool_2d"), 0.0473f, 9));
    for (const char* const op :
         {"tfl.logistic", "tfl.tanh", "tfl.hard_swish", "tfl.relu", "tfl.leaky_relu", "tfl.elu", "tfl.gelu", "tfl.exp"}) {
      const auto function = b.call(view(join("function_", std::string_view{op}.substr(4))), op, {x}, image, {{"alpha", 0.1}});
      b.output(
          net.quantize(view(join(std::string_view{op}.substr(4), "_q")), function, op[4] == 'e' && op[5] == 'x' ? 1.3f : 0.0231f, -11));
    }
    const auto scaled = b.call("scaled", "tfl.mul", {x, net.scalar(0.3f)}, image);
    b.output(net.quantize("chain_q", b.call("minimum", "tfl.minimum", {scaled, net.scalar(1.1f)}, image), 0.0171f, 1));
    b.output(net.quantize("requantized_q", x, 0.0391f, -7));
    const auto joined = b.call("joined", "tfl.concatenation", {x, z}, tensor(dtype::float32, 1, 6, 6, 8), {{"axis", 3}});
    b.output(net.quantize("joined_q", joined, 0.0473f, 9));
    const auto turned =
        b.call("turned", "tfl.transpose", {x, net.integers({0, 2, 3, 1}, tensor(dtype::int32, 4))}, tensor(dtype::float32, 1, 6, 4, 6));
    const auto padded = b.call("padded", "tfl.pad", {turned, net.integers({0, 0, 1, 1, 0, 2, 0, 0}, tensor(dtype::int32, 4, 2))},
                               tensor(dtype::float32, 1, 8, 6, 6));
    b.output(net.quantize("moved_q", padded, 0.0473f, 9));
    return b.finish();
  }
};

constexpr static_program<make_operators> model{};
constexpr auto fused = transform(model, passes<shift_to_int8, fuse_activations, fuse_quantization>);

/// True if all float32 operators are fused. A dequantization of the moved value remains if it has another user.
constexpr auto is_complete() -> bool {
  for (const auto& record : fused->values) {
    if (record.type == dtype::float32 && record.kind == value_kind::intermediate) return false;
  }
  return true;
}
static_assert(is_complete());

constexpr std::size_t outputs = model->root().outputs.size;

/// The elements of each output that were compared, and that differ.
struct counts {
  std::size_t different[outputs]{};
  std::size_t far[outputs]{};  ///< by more than one step
  std::size_t elements[outputs]{};
};

template <std::size_t... O>
void compare(const executor<model>& before, const executor<fused>& after, counts& sum, std::index_sequence<O...>) {
  const auto compare_output = [&](std::size_t o, const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const int difference = static_cast<signed char>(a[i]) - static_cast<signed char>(b[i]);
      sum.different[o] += difference != 0 ? 1 : 0;
      sum.far[o] += std::abs(difference) > 1 ? 1 : 0;
      sum.elements[o] += 1;
    }
  };
  (compare_output(O, before.output<O>(), after.output<O>()), ...);
}

}  // namespace

TEST_CASE("kernels of fused operators agree with float32 kernels between quantizations") {
  static executor<model> before;
  static executor<fused> after;
  counts sum;
  properties::random_numbers random(26);
  for (std::size_t run = 0; run < 200; ++run) {
    for (auto& byte : before.input<0>()) byte = static_cast<char>(random.below(256));
    for (auto& byte : before.input<1>()) byte = static_cast<char>(random.below(256));
    std::memcpy(after.input<0>().data(), before.input<0>().data(), before.input<0>().size());
    std::memcpy(after.input<1>().data(), before.input<1>().data(), before.input<1>().size());
    before.run();
    after.run();
    compare(before, after, sum, std::make_index_sequence<outputs>{});
  }
  const program_view program = model;
  for (std::size_t o = 0; o < outputs; ++o) {
    const auto name = std::string(program.text(program[program.outputs_of(program.root())[o].value].name));
    // Float32 rounds several times, so these may differ near a tie.
    const bool may_differ = name == "conv_q" || name == "depthwise_q" || name == "split_q" || name == "dense_q" || name == "add_q" ||
                            name == "sub_q" || name == "mul_q" || name.starts_with("average");
    if (sum.different[o] != 0) MESSAGE(name << ": " << sum.different[o] << " of " << sum.elements[o] << " differ by one step");
    const bool has_ties = name == "average_q";  // with equal scales, a mean of 2, 4 or 6 integers is often a tie
    CHECK_MESSAGE(sum.different[o] * 1000 <= (may_differ ? sum.elements[o] * (has_ties ? 50 : 1) : 0), name);
    CHECK_MESSAGE(sum.far[o] == 0, name);
  }
}
