// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The Cortex-M convolution: the weight streams that its instructions read, computed by plain loops.
#include <baton/kernels/cortex_m/conv_2d.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"
#include "kernels/reference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::cortex_m::optimize_for;
using baton::cortex_m::options;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_layer::op;
namespace cm = baton::cortex_m::detail;

constexpr options packed{.max_wide_weights = 0};
constexpr options small{.optimize = optimize_for::code_size};
constexpr options small_packed{.optimize = optimize_for::code_size, .max_wide_weights = 0};
constexpr options gathered{.gathers_inputs = true};
constexpr options small_gathered{.optimize = optimize_for::code_size, .max_wide_weights = 0, .gathers_inputs = true};

/// A layer with the bytes of its weights and its program, built at run time.
struct runtime_layer {
  layer is;
  baton::vector<char> filter;
  baton::vector<char> bias;
  baton::exported_program program;

  runtime_layer(const layer& l, one_node::drawn& draw, int min_weight = -127) : is(l) {
    const auto fill = [&](int count) {
      baton::vector<char> bytes;
      for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>(draw.from_to(min_weight, 127)));
      return bytes;
    };
    filter = fill(l.bytes_of(l.filter_count()));
    if (l.has_bias) {
      bias.assign(static_cast<std::size_t>(4 * l.out_channels), 0);
      for (int c = 0; c < l.out_channels; ++c) one_layer::put_bias(l, bias.data() + 4 * c, draw.from_to(-20000, 20000));
    }
    program = one_layer::build(l, {filter.data(), filter.size()}, {bias.data(), bias.size()});
  }
  auto refresh() -> baton::program_view {
    program = one_layer::build(is, {filter.data(), filter.size()}, {bias.data(), bias.size()});
    return baton::program_view(program);
  }
};

auto random_input(const layer& l, one_node::drawn& draw) -> one_node::bytes {
  one_node::bytes layer_of;
  const int kind = draw.from_to(0, 4);
  for (int i = 0; i < l.in_count(); ++i) {
    layer_of.push_back(static_cast<char>(kind == 0 ? -128 : kind == 1 ? 127 : kind == 2 ? draw.of({-128, 127}) : draw.from_to(-128, 127)));
  }
  return layer_of;
}

auto random_layer(one_node::drawn& draw) -> layer {
  auto l =
      one_layer::random_layer(draw.once_in(6) ? op::depthwise_conv_2d : op::conv_2d, static_cast<std::uint32_t>(draw.from_to(0, 1 << 20)));
  l.is_int8 = true;
  l.groups = 1;
  l.batch = draw.of({1, 1, 1, 2, 3});
  l.channels = l.is == op::conv_2d ? draw.of({1, 2, 3, 4, 5, 8, 12, 16, 33}) : 1;
  l.out_channels = draw.of({1, 2, 3, 4, 7, 8, 16});
  return draw.once_in(2) ? one_layer::as_baton_with_real_bias(l, draw) : l;
}

/// True if a kernel matches the reference on a layer. `encoding` becomes the encoding of its sums.
template <options Options>
auto is_right(runtime_layer& layer_of, one_node::drawn& draw, cm::sum_encoding& encoding) -> bool {
  using kernel = cm::conv_2d<Options>;
  const auto program = layer_of.refresh();
  const auto support = baton::ask_kernel<kernel>(program, program.nodes[0]).support;
  CAPTURE(std::string(baton::view(support.reason)));
  REQUIRE(support.accepted);
  encoding = kernel::describe(program, program.nodes[0]).plan.encoding;
  REQUIRE(encoding.is_found());
  const auto input = random_input(layer_of.is, draw);
  const auto output = one_node::run<kernel>(program, input);
  return reference::compute(layer_of.is, {input.begin(), input.end()}, layer_of.filter, layer_of.bias) ==
         baton::vector<char>(output.begin(), output.end());
}

/// The outcome of a layer.
enum class outcome { rejected, right, wrong };

/// Compares a layer with unusual sums: scales from tiny to large, biases up to 2^30, channels without weights.
auto strange_layer(one_node::drawn& draw, cm::sum_encoding& encoding) -> outcome {
  auto l = random_layer(draw);
  l.is = op::conv_2d;
  l.is_per_channel = true;
  l.has_bias = true;
  runtime_layer layer_of(l, draw, draw.once_in(3) ? -128 : -127);
  const auto is_tame = draw.once_in(2);
  for (int c = 0; c < l.out_channels; ++c) {
    if (!draw.once_in(3)) continue;
    const bool is_dead = is_tame || draw.once_in(2);
    if (is_dead) std::fill_n(layer_of.filter.begin() + c * l.products(), l.products(), '\0');
    const auto bias = is_dead ? draw.of({1073741824, -1073741824, 1073741760, -1073741952, 0, 77}) : draw.from_to(-4000000, 4000000);
    one_layer::put_bias(l, layer_of.bias.data() + 4 * c, bias);
  }
  const auto program = layer_of.refresh();
  for (int c = 0; c < l.out_channels; ++c) {
    if (!draw.once_in(3)) continue;
    one_layer::set_filter_scale(layer_of.program, c, std::ldexp(l.filter_scale(c), draw.from_to(-26, is_tame ? 0 : 8)));
  }
  using kernel = cm::conv_2d<packed>;
  if (!baton::ask_kernel<kernel>(program, program.nodes[0]).support) return outcome::rejected;
  encoding = kernel::describe(program, program.nodes[0]).plan.encoding;
  REQUIRE(encoding.is_found());
  const auto input = random_input(l, draw);
  return one_node::run<kernel>(program, input) == one_node::run<baton::portable::conv_2d>(program, input) ? outcome::right : outcome::wrong;
}

/// Returns why a layer is rejected.
auto refusal_of(const layer& l) -> std::string {
  one_node::drawn draw(4);
  runtime_layer layer_of(l, draw);
  layer_of.refresh();
  return one_node::refusal<cm::conv_2d<>>(layer_of.program);
}

/// Returns the encoding of a layer, and checks that its output is right.
template <options Options>
auto encoding_of(const layer& l, int min_weight = -127) -> cm::sum_encoding {
  one_node::drawn draw(5);
  runtime_layer layer_of(l, draw, min_weight);
  cm::sum_encoding encoding;
  CHECK(is_right<Options>(layer_of, draw, encoding));
  return encoding;
}

}  // namespace

TEST_CASE("random convolutions match the reference in every encoding") {
  one_node::drawn draw(1);
  int encodings[2][2][2] = {};  // wide, common shift, corrected
  int real_biases = 0, compact = 0, skipping = 0;
  for (int n = 0; n < 1500; ++n) {
    runtime_layer layer_of(random_layer(draw), draw);
    real_biases += layer_of.is.has_real_bias ? 1 : 0;
    CAPTURE(n);
    const auto check = [&](auto right) {
      cm::sum_encoding encoding;
      CHECK(right(encoding));
      ++encodings[encoding.is_wide][encoding.shift != 0 ? 1 : 0][encoding.corrects_ties];
    };
    check([&](auto& encoding) { return is_right<options{}>(layer_of, draw, encoding); });
    check([&](auto& encoding) { return is_right<packed>(layer_of, draw, encoding); });
    check([&](auto& encoding) { return is_right<small>(layer_of, draw, encoding); });
    check([&](auto& encoding) {
      const auto right = is_right<small_packed>(layer_of, draw, encoding);
      if (encoding.is_compact == 0) return right;
      const auto program = layer_of.refresh();
      const auto plan = cm::conv_2d<small_packed>::describe(program, program.nodes[0]).plan;
      // A compact stream has no shifts, and weights of at most three products that do not exist.
      CHECK((plan.has_runs() || 2 * plan.pair_words() - 12 <= plan.products() + 3));
      ++compact;
      skipping += plan.skipped() != 0 ? 1 : 0;
      return right;
    });
  }
  CHECK(real_biases > 150);
  CHECK(compact > 1200);
  CHECK(skipping > 300);
  for (const auto& width : encodings) {
    for (const auto& shift : width) {
      for (const int count : shift) CHECK(count > 50);
    }
  }
}

TEST_CASE("convolutions that gather their inputs match the reference, with less scratch if the form is accepted") {
  using form_of_layer = cm::gathered_conv_2d<>;
  one_node::drawn draw(3);
  int accepted = 0;
  int refused = 0;
  int padded = 0;
  for (int n = 0; n < 600; ++n) {
    CAPTURE(n);
    runtime_layer layer_of(random_layer(draw), draw);
    cm::sum_encoding encoding;
    CHECK(is_right<gathered>(layer_of, draw, encoding));
    CHECK(is_right<small_gathered>(layer_of, draw, encoding));
    const auto program = layer_of.refresh();
    const auto with_strip = cm::conv_2d<>::describe(program, program.nodes[0]);
    const auto all = cm::conv_2d<gathered>::describe(program, program.nodes[0]);
    const auto selected = form_of_layer::describe(program, program.nodes[0]);
    CHECK((all.plan.is_gathered != 0) == !all.plan.is_inside());
    CHECK(all.facts.operands[0].distance == with_strip.facts.operands[0].distance);
    padded += all.plan.is_gathered;
    if (!selected.support) {
      ++refused;
      CHECK((all.plan.is_gathered == 0 || all.facts.scratch_bytes >= with_strip.facts.scratch_bytes ||
             with_strip.plan.encoding.is_by_windows));
      continue;
    }
    ++accepted;
    CHECK(selected.facts.overread_bytes == 0);
    CHECK(selected.facts.scratch_bytes < with_strip.facts.scratch_bytes);
    CHECK(selected.facts.scratch_bytes == static_cast<std::uint32_t>(6 * selected.plan.depth() + 3));
  }
  CHECK(accepted > 40);
  CHECK(refused > 100);
  CHECK(padded > 100);
}

TEST_CASE("windows of one input channel match the reference with any padding, stride and dilation of rows") {
  one_node::drawn draw(12);
  int by_windows = 0, padded = 0, blocks = 0, others = 0;
  for (int n = 0; n < 800; ++n) {
    CAPTURE(n);
    auto l = random_layer(draw);
    l.is = draw.once_in(2) ? op::depthwise_conv_2d : op::conv_2d;
    l.channels = 1;
    l.filter_height = l.filter_width = 3;
    l.dilation_w = draw.once_in(9) ? 2 : 1;
    l.height = std::max(l.height, 2 * l.dilation_h + 1);
    l.width = std::max(draw.once_in(4) ? l.width : draw.from_to(24, 60), 2 * l.dilation_w + 1);
    if (!draw.once_in(4)) l.out_channels = draw.from_to(5, 12);
    if (!draw.once_in(8)) {
      l.fused = activation::none;
      l.zero_point = -128;
    }
    runtime_layer layer_of(l, draw);
    layer_of.refresh();
    const auto support = baton::ask_kernel<cm::conv_2d<>>(layer_of.program, layer_of.program.nodes[0]).support;
    if (!support) continue;  // a window is completely in the padding
    cm::sum_encoding encoding;
    CHECK(is_right<options{}>(layer_of, draw, encoding));
    if (encoding.is_by_windows == 0) {
      ++others;
      continue;
    }
    const auto program = layer_of.refresh();
    const auto plan = cm::conv_2d<>::describe(program, program.nodes[0]).plan;
    ++by_windows;
    padded += plan.has_strip() ? 1 : 0;
    blocks += plan.columns.output > cm::window_block ? 1 : 0;
  }
  CHECK(by_windows > 300);
  CHECK(padded > 150);
  CHECK(blocks > 30);
  CHECK(others > 30);
}

TEST_CASE("convolutions with constant channels, extreme multipliers and extreme biases match the portable kernel") {
  one_node::drawn draw(2);
  int counts[3] = {};
  int wide_encodings = 0;
  for (int n = 0; n < 6000; ++n) {
    CAPTURE(n);
    cm::sum_encoding encoding;
    const auto result = strange_layer(draw, encoding);
    CHECK(result != outcome::wrong);
    ++counts[static_cast<int>(result)];
    if (result == outcome::right && encoding.is_wide != 0) ++wide_encodings;
  }
  CHECK(counts[0] > 20);
  CHECK(counts[1] > 2000);
  CHECK(wide_encodings > 200);
}

TEST_CASE("weights are packed if they fit; their sums are divided into segments if they are not proved to fit") {
  // 127 * 255 * 300 exceeds 2^23, but the sums of random weights do not.
  const layer l{
      .height = 3, .width = 3, .channels = 300, .out_channels = 4, .filter_height = 1, .filter_width = 1, .input_zero_point = -128};
  CHECK(encoding_of<packed>(l).is_wide == 0);
  CHECK(encoding_of<packed>(l).is_segmented == 0);
  CHECK(encoding_of<packed>(l, -128).is_wide == 1);  // -128 does not fit
  CHECK(encoding_of<options{.max_wide_weights = 1200}>(l).is_wide == 1);
  CHECK(encoding_of<options{.max_wide_weights = 1199}>(l).is_wide == 0);

  one_node::drawn draw(6);
  runtime_layer layer_of(l, draw);
  std::fill(layer_of.filter.begin(), layer_of.filter.begin() + 300, '\x7f');
  cm::sum_encoding encoding;
  CHECK(is_right<packed>(layer_of, draw, encoding));
  CHECK(encoding.is_wide == 0);
  CHECK(encoding.is_segmented == 1);
}

TEST_CASE("segments of any number of products match the reference") {
  one_node::drawn draw(10);
  int segmented[2][2] = {};  // common shift, corrected
  for (const int channels : {260, 288, 289, 292, 296, 575, 576, 577, 580, 864, 1000, 3000}) {
    for (int n = 0; n < 4; ++n) {
      CAPTURE(channels);
      CAPTURE(n);
      layer l{.width = 3,
              .channels = channels,
              .out_channels = n + 1,
              .is_per_channel = n % 2 != 0,
              .fused = n < 2 ? activation::none : activation::relu,
              .input_zero_point = n == 0 ? 127 : -128,
              .zero_point = n < 2 ? 3 : -128};
      runtime_layer layer_of(l, draw);
      // All weights and inputs of a channel are extreme, so that 256 times the sum exceeds 32 bits.
      std::fill_n(layer_of.filter.begin(), channels, n == 1 ? '\x81' : '\x7f');
      const auto program = layer_of.refresh();
      one_layer::set_filter_scale(layer_of.program, 0, std::ldexp(l.filter_scale(0), -8));
      for (const char input : {'\x7f', '\x80'}) {
        const one_node::bytes inputs(static_cast<std::size_t>(l.in_count()), input);
        const auto check = [&]<class Kernel>() {
          const auto encoding = Kernel::describe(program, program.nodes[0]).plan.encoding;
          CHECK(encoding.is_wide == 0);
          CHECK(encoding.is_segmented == 1);
          ++segmented[encoding.shift != 0 ? 1 : 0][encoding.corrects_ties];
          CHECK(one_node::run<Kernel>(program, inputs) == one_node::run<baton::portable::conv_2d>(program, inputs));
        };
        check.operator()<cm::conv_2d<packed>>();
        check.operator()<cm::conv_2d<small_packed>>();
      }
    }
  }
  for (const auto& shift : segmented) {
    for (const int count : shift) CHECK(count > 10);
  }
}

TEST_CASE("a layer of more weights than a constant expression reads is packed in segments") {
  const layer l{.channels = 4096, .out_channels = 32};
  one_node::drawn draw(11);
  runtime_layer layer_of(l, draw);
  cm::sum_encoding encoding;
  CHECK(is_right<options{}>(layer_of, draw, encoding));
  CHECK(encoding.is_wide == 0);
  CHECK(encoding.is_segmented == 1);
}

TEST_CASE("long products with a shift per channel have no correction if the layer rounds once") {
  // Packed weights, 300 inputs, and scales per channel that lead to different shifts.
  const auto l = once({.height = 3, .width = 3, .channels = 300, .out_channels = 8, .input_zero_point = -128});
  const auto encoding = encoding_of<packed>(l);
  CHECK(encoding.is_wide == 0);
  CHECK(encoding.shift == 0);
  one_node::drawn draw(9);
  runtime_layer layer_of(l, draw);
  const auto program = layer_of.refresh();
  const auto corrects_ties = [&] {
    const auto plan = cm::conv_2d<packed>::describe(program, program.nodes[0]).plan;
    return cm::block_code_of(plan, optimize_for::speed).corrects_ties;
  };
  CHECK(corrects_ties() == 0);
}

TEST_CASE("a float32 bias close to ties of two outputs has the outputs of the portable kernel") {
  const layer by_thirds{.height = 4, .width = 5, .channels = 8, .out_channels = 4};
  CHECK(one_layer::is_exact_by_thirds<baton::portable::conv_2d>(by_thirds, one_node::run<cm::conv_2d<>>));
  CHECK(one_layer::is_exact_by_thirds<baton::portable::conv_2d>(by_thirds, one_node::run<cm::conv_2d<packed>>));
}

TEST_CASE("scratch has bytes for reads past a filter row only if the rows are copied") {
  layer l{.height = 4, .width = 6, .channels = 3, .out_channels = 8, .filter_height = 1, .filter_width = 3};
  const auto facts_of = [&l] {
    one_node::drawn draw(6);
    runtime_layer layer_of(l, draw);
    const auto program = layer_of.refresh();
    return baton::ask_kernel<cm::conv_2d<>>(program, program.nodes[0]).facts;
  };
  // Two pixels of 12 inputs, expanded to 16 bits, and 3 bytes to align them. A filter row has 9 inputs, and 12 are read.
  constexpr std::uint32_t expanded = 2 * 12 * 2 + 3;
  CHECK(facts_of().scratch_bytes == expanded + 1 * 8 * 3 + 3);
  CHECK(facts_of().overread_bytes == 0);
  l.is_same = false;
  CHECK(facts_of().scratch_bytes == expanded);
  CHECK(facts_of().overread_bytes == 3);
}

TEST_CASE("layers without an encoding are rejected with a reason") {
  using one_node::says;
  CHECK(refusal_of({.channels = 8, .out_channels = 8}).empty());
  CHECK(says(refusal_of({.is_int8 = false, .channels = 8, .out_channels = 8}), "types are not int8"));
  CHECK(says(refusal_of({.channels = 8, .out_channels = 8, .groups = 4}), "the layer has 4 groups"));
  CHECK(says(refusal_of({.is = op::depthwise_conv_2d, .channels = 8, .out_channels = 8}), "the layer has 8 groups"));
  CHECK(refusal_of({.is = op::depthwise_conv_2d, .channels = 1, .out_channels = 8}).empty());
  CHECK(says(refusal_of({.channels = 8, .out_channels = 8, .has_negative_scales = true}), "sums may not fit 32 bits"));
  CHECK(refusal_of({.channels = 8, .out_channels = 8, .is_baton = true}).empty());
  CHECK(refusal_of({.channels = 8, .out_channels = 8, .is_baton = true, .bottom = 1}) == "a window is completely in the padding");
  CHECK(refusal_of({.channels = 8, .out_channels = 8, .is_baton = true, .left = 1}) == "a window is completely in the padding");
  CHECK(says(refusal_of({.channels = 20000, .out_channels = 1}), "sums may not fit 32 bits"));
  CHECK(refusal_of({.is = op::fully_connected, .channels = 8, .out_channels = 8}).empty());

  // Computed weights.
  one_node::drawn draw(7);
  runtime_layer layer_of({.channels = 8, .out_channels = 8}, draw);
  layer_of.refresh();
  one_layer::compute_filter(layer_of.program);
  CHECK(says(one_node::refusal<cm::conv_2d<>>(layer_of.program), "is not a constant"));
}

TEST_CASE("the packed form of a small layer has the same outputs and fewer words; it refuses layers whose weights conv_2d packs") {
  using kernel = cm::conv_2d<>;
  using form = cm::packed_conv_2d<>;
  one_node::drawn draw(12);
  runtime_layer few({.height = 6, .width = 6, .channels = 8, .out_channels = 8, .filter_height = 3, .filter_width = 3}, draw);
  const auto program = few.refresh();
  const auto wide = kernel::describe(program, program.nodes[0]);
  const auto packed_layer = form::describe(program, program.nodes[0]);
  CHECK(wide.plan.encoding.is_wide == 1);
  CHECK(packed_layer.plan.encoding.is_wide == 0);
  CHECK(10 * packed_layer.facts.prepared.size() < 6 * wide.facts.prepared.size());
  const auto input = random_input(few.is, draw);
  CHECK(one_node::run<form>(few.program, input) == one_node::run<kernel>(few.program, input));
  runtime_layer many({.channels = 64, .out_channels = 65}, draw);
  many.refresh();
  CHECK(one_node::refusal<kernel>(many.program) == "");
  const auto list = baton::kernels<kernel>.with_forms();
  const auto choose = [&] { return baton::choose_kernel(list, many.program, many.program.nodes[0], {0, list.size}); };
  CHECK(choose().index == 0);
  CHECK_FALSE(baton::ask_kernel<form>(many.program, many.program.nodes[0]).support.accepted);
  // If `conv_2d` refuses such a layer, the reason of the choice is its own reason.
  one_layer::compute_filter(many.program);
  const auto reason = one_node::refusal<kernel>(many.program);
  CHECK(one_node::says(reason, "is not a constant"));
  CHECK(baton::view(choose().support.reason) == reason);
}

TEST_CASE("static layers obey the laws of kernels") {
  check_layer<cm::conv_2d<>, layer{.batch = 2,
                                   .height = 5,
                                   .width = 5,
                                   .channels = 4,
                                   .out_channels = 6,
                                   .filter_height = 3,
                                   .filter_width = 3,
                                   .fused = activation::relu}>();
  check_layer<cm::gathered_conv_2d<>, layer{.batch = 2,
                                            .height = 5,
                                            .width = 9,
                                            .channels = 3,
                                            .out_channels = 6,
                                            .filter_height = 3,
                                            .filter_width = 3,
                                            .stride_w = 2,
                                            .dilation_h = 2}>();
  // One image, so that the layer has chunks: pairs of pixels in two rows, a last pixel alone, and an odd number of channels.
  check_layer<cm::gathered_conv_2d<>,
              layer{.height = 3, .width = 5, .channels = 5, .out_channels = 7, .filter_height = 3, .filter_width = 3}>();
  check_layer<cm::conv_2d<packed>, layer{.batch = 3, .height = 3, .width = 3, .channels = 12, .out_channels = 5}>();
  check_layer<cm::conv_2d<small>, layer{.height = 7,
                                        .width = 6,
                                        .channels = 3,
                                        .out_channels = 8,
                                        .filter_height = 2,
                                        .filter_width = 3,
                                        .stride_h = 2,
                                        .stride_w = 1}>();
}

TEST_CASE("static layers with pads, rounded once, obey the laws of kernels") {
  check_layer<cm::conv_2d<>,
              once(layer{.height = 5, .width = 6, .channels = 4, .out_channels = 6, .filter_height = 3, .filter_width = 3, .stride_h = 2},
                   2, 1, 1, 2)>();
  check_layer<cm::conv_2d<packed>, once(layer{.height = 4,
                                              .width = 3,
                                              .channels = 12,
                                              .out_channels = 5,
                                              .filter_height = 2,
                                              .filter_width = 3,
                                              .dilation_h = 2,
                                              .output_min = -100,
                                              .has_real_bias = true},
                                        0, 2, 2, 0)>();
}

TEST_CASE("an output that is closer to its input than the declared distance overwrites it") {
  using kernel = cm::conv_2d<>;
  // Five pixels of 4 channels become 8. The last pixel is read alone, after 32 bytes are written, which is 16 more than its offset.
  constexpr layer l{.width = 5, .channels = 4, .out_channels = 8};
  using program = baton::static_program<one_layer::make<l>>;
  constexpr auto facts = baton::ask_kernel<kernel>(program::value(), program::value().nodes[0]).facts;
  static_assert(facts.operands[0].distance == baton::min_distance{.ascending = 16});
  static_assert(facts.operands[1].distance == baton::min_distance{});
  check_exact_distance<kernel, program, l>();
}
