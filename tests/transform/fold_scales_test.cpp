// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/fold_scales.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/executor.hpp>
#include <baton/transform/transform.hpp>

#include "laws/pass.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace {

using namespace baton;
using qdq::has_operators;
using qdq::net_builder;

enum class kind : std::uint8_t { conv, depthwise, dense };

/// A layer, and the scales and offsets of a batch normalization after it.
struct normalized_layer {
  net_builder net{};
  value_id y{}, last{};
  tensor_type type{};

  constexpr explicit normalized_layer(kind of, bool has_bias = true, const char* fused = "none") {
    const auto x = net.b.user_input("x", of == kind::dense ? tensor(dtype::float32, 2, 4) : tensor(dtype::float32, 1, 3, 3, 2));
    const auto w = of == kind::conv    ? net.floats({1, 2, -3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, -7}, tensor(dtype::float32, 2, 2, 2, 2))
                   : of == kind::dense ? net.floats({1, 2, 3, -4, 5, 6, 7, 8}, tensor(dtype::float32, 2, 4))
                                       : net.floats({1, 2, 3, 4, 5, -6, 7, 8}, tensor(dtype::float32, 1, 2, 2, 2));
    const auto bias = has_bias ? net.floats({0.5f, -0.25f}, tensor(dtype::float32, 2)) : none<value_id>;
    type = of == kind::dense ? tensor(dtype::float32, 2, 2) : tensor(dtype::float32, 1, 2, 2, 2);
    const char* const names[] = {"tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.fully_connected"};
    const auto add = [&](std::initializer_list<value_id> inputs) {
      return net.b.call("layer", names[static_cast<int>(of)], inputs, type,
                        {{"padding", "valid"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", fused}});
    };
    last = y = has_bias ? add({x, w, bias}) : add({x, w});
  }
  constexpr auto then(std::string_view op, std::initializer_list<float> numbers, const char* fused = "none") -> normalized_layer& {
    const auto constant = net.floats(numbers, tensor(dtype::float32, numbers.size()));
    last = net.b.call(op, {last, constant}, type, {{"fused_activation_function", fused}});
    return *this;
  }
  constexpr auto finish() -> exported_program {
    net.b.output(last);
    return net.b.finish();
  }
};
constexpr auto normalized(kind of, bool has_bias) -> exported_program {
  return normalized_layer(of, has_bias).then("tfl.mul", {0.5f, -3}).then("tfl.add", {0.125f, 0.25f}, "relu6").finish();
}

constexpr auto folded(const exported_program& program) -> exported_program {
  if (!laws::pass::static_laws<fold_scales>(program)) return {};
  return fold_scales::run(program);
}
constexpr auto is_folded(kind of, bool has_bias) -> bool {
  const auto result = folded(normalized(of, has_bias));
  const program_view view = result;
  return view.nodes.size() == 1 && view.text(view.nodes[0], "fused_activation_function") == "relu6" && view.nodes[0].debug_handle == 1 &&
         view.nodes[0].folded_handles.size == 2 && view.inputs(view.nodes[0]).size() == 3 && view.values.size() == 4 &&
         view.text(view.values[view.values.size() - 1].name) != "layer";
}
constexpr auto normalizations_are_folded() -> bool {
  return is_folded(kind::conv, true) && is_folded(kind::conv, false) && is_folded(kind::depthwise, true) && is_folded(kind::dense, false);
}
static_assert(normalizations_are_folded());

constexpr auto element(const program_view& program, std::size_t operand, std::size_t at) -> float {
  const auto data = program.data(program[program.inputs(program.nodes[0])[operand]].data);
  return std::bit_cast<float>(quantized::little_endian_32(data, at));
}
constexpr auto products_are_exact() -> bool {
  const auto conv = folded(normalized(kind::conv, true)), depthwise = folded(normalized(kind::depthwise, false));
  const auto single = folded(normalized_layer(kind::dense).then("tfl.mul", {2}).then("tfl.sub", {1}).finish());
  return element(conv, 1, 2) == -1.5f && element(conv, 1, 8) == -27 && element(conv, 2, 0) == 0.375f && element(conv, 2, 1) == 1 &&
         element(depthwise, 1, 5) == 18 && element(depthwise, 2, 1) == 0.25f && element(single, 1, 3) == -8 &&
         element(single, 2, 1) == -1.5f;
}
static_assert(products_are_exact());

constexpr auto stays(const exported_program& program) -> bool { return same(folded(program), program); }
constexpr auto other_products_stay() -> bool {
  normalized_layer twice(kind::conv), by_row(kind::dense), reversed(kind::conv);
  twice.then("tfl.mul", {2, 3}).net.b.output(twice.y);
  by_row.last = by_row.net.b.call("tfl.mul", {by_row.y, by_row.net.floats({1, 2}, tensor(dtype::float32, 2, 1))}, by_row.type);
  reversed.last = reversed.net.b.call("tfl.sub", {reversed.net.scalar(1), reversed.y}, reversed.type);
  const auto infinity = std::numeric_limits<float>::infinity(), max = std::numeric_limits<float>::max();
  return stays(twice.finish()) && stays(by_row.finish()) && stays(reversed.finish()) &&
         stays(normalized_layer(kind::conv, true, "relu").then("tfl.mul", {2, 3}).finish()) &&
         stays(normalized_layer(kind::conv).then("tfl.mul", {infinity, 3}).finish()) &&
         stays(normalized_layer(kind::conv).then("tfl.mul", {max, 3}).finish()) &&
         stays(normalized_layer(kind::conv).then("tfl.maximum", {2, 3}).finish());
}
static_assert(other_products_stay());

template <kind Kind>
struct make_normalized {
  constexpr auto operator()() const { return normalized(Kind, true); }
};
/// Whether the outputs of the portable kernels are the same after folding, except for the last bits.
template <kind Kind>
auto has_the_same_outputs() -> bool {
  static constexpr static_program<make_normalized<Kind>> model{};
  static constexpr auto folded_model = transform(model, passes<fold_scales>);
  static_assert(folded_model->nodes.size() == 1);
  static executor<model> before;
  static executor<folded_model> after;
  for (std::size_t i = 0; i < before.input().size(); i += 4) {
    const auto number = static_cast<float>(i % 28) / 8 - 1.7f;
    std::memcpy(before.input().data() + i, &number, 4);
  }
  std::memcpy(after.input().data(), before.input().data(), before.input().size());
  before.run();
  after.run();
  bool is_close = true, is_constant = true;
  for (std::size_t i = 0; i < before.output().size(); i += 4) {
    float a = 0, b = 0, first = 0;
    std::memcpy(&a, before.output().data() + i, 4);
    std::memcpy(&b, after.output().data() + i, 4);
    std::memcpy(&first, before.output().data(), 4);
    is_close = is_close && std::abs(a - b) <= 1e-5f * (1 + std::abs(a));
    is_constant = is_constant && a == first;
  }
  return is_close && !is_constant;
}

}  // namespace

TEST_CASE("scales and offsets of channels are folded into the layer before them") {
  CHECK(normalizations_are_folded());
  CHECK(products_are_exact());
}
TEST_CASE("other products and sums are unchanged") { CHECK(other_products_stay()); }
TEST_CASE("folding scales keeps the outputs, except for their last bits") {
  CHECK(has_the_same_outputs<kind::conv>());
  CHECK(has_the_same_outputs<kind::depthwise>());
  CHECK(has_the_same_outputs<kind::dense>());
}
