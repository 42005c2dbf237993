// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/fold_padding.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/executor.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/window.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/transform.hpp>

#include "laws/pass.hpp"
#include "transform/pad_kernel.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace {

using namespace baton;

struct geometry {
  std::int64_t height = 6, width = 5;
  std::array<std::int64_t, 8> around{0, 0, 1, 1, 1, 1, 0, 0};
  std::int64_t filter_height = 3, filter_width = 3;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
};
enum class kind : std::uint8_t { float_conv, int8_conv, int8_depthwise };

constexpr auto windows(std::int64_t padded, std::int64_t filter, const geometry& layout) -> std::int64_t {
  return window_size(false, padded, filter, layout.stride, layout.dilation);
}

/// Builds a program with a padding and a convolution of an image with two channels.
class padding_builder {
 public:
  program_builder b;
  value_id padded{}, result{};

  constexpr padding_builder(kind form, const geometry& layout, std::string_view pad = "tfl.pad", std::string_view padding = "valid") {
    const bool is_float = form == kind::float_conv, is_depthwise = form == kind::int8_depthwise;
    const auto type = is_float ? dtype::float32 : dtype::int8;
    const std::int64_t channels = is_depthwise ? 2 : 3;
    const auto weights = b.constant("weights", tensor(type, is_depthwise ? 1 : channels, layout.filter_height, layout.filter_width, 2),
                                    some(type, (is_depthwise ? 1 : channels) * layout.filter_height * layout.filter_width * 2));
    const auto bias = b.constant("bias", tensor(is_float ? dtype::float32 : dtype::int32, channels),
                                 some(dtype::float32, is_float ? channels : 0, 4 * channels));
    const vector<std::int64_t> sizes(layout.around.begin(), layout.around.end());
    const auto around = b.constant("around", tensor(dtype::int32, 4, 2), bytes_of(sizes, dtype::int32));
    const auto image = b.user_input("image", tensor(type, 1, layout.height, layout.width, 2));
    const auto height = layout.height + layout.around[2] + layout.around[3], width = layout.width + layout.around[4] + layout.around[5];
    padded = b.call("padded", pad, {image, around}, tensor(type, 1, height, width, 2 + layout.around[6] + layout.around[7]));
    result = b.call("result", is_depthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {padded, weights, bias},
                    tensor(type, 1, windows(height, layout.filter_height, layout), windows(width, layout.filter_width, layout), channels),
                    {{"padding", padding.data()},
                     {"stride_w", layout.stride},
                     {"stride_h", layout.stride},
                     {"depth_multiplier", 1},
                     {"fused_activation_function", "none"},
                     {"dilation_w_factor", layout.dilation},
                     {"dilation_h_factor", layout.dilation}});
    if (!is_float) {
      b.quantize(image, 0.5f, 7);
      b.quantize(padded, 0.5f, 7);
      b.quantize(weights, 0.25f, 0);
      b.quantize(bias, 0.125f, 0);
      b.quantize(result, 4, -3);
    }
    b.output(result);
  }

 private:
  /// Returns `count` small numbers of a type, or `bytes` zero bytes if `count` is 0.
  constexpr auto some(dtype type, std::int64_t count, std::int64_t bytes = 0) -> text_buffer {
    text_buffer numbers(static_cast<std::size_t>(bytes), '\0');
    if (count > 0) numbers.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = (i * 7 + 3) % 11 - 5;
      if (type == dtype::int8) {
        numbers.push_back(static_cast<char>(number));
      } else {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number) / 4);
        for (std::size_t at = 0; at < 4; ++at) numbers.push_back(static_cast<char>(bits >> (8 * at) & 0xff));
      }
    }
    return numbers;
  }
};

constexpr geometry plain{};
constexpr geometry stride_2_even{8, 8, {0, 0, 0, 1, 0, 1, 0, 0}, 3, 3, 2};
constexpr geometry stride_2_odd{7, 9, {0, 0, 1, 1, 1, 1, 0, 0}, 3, 3, 2};
constexpr geometry stride_2_even_symmetric{8, 8, {0, 0, 1, 1, 1, 1, 0, 0}, 3, 3, 2};
constexpr geometry more_padding_than_is_read{8, 8, {0, 0, 1, 3, 1, 2, 0, 0}, 5, 4, 2};
constexpr geometry dilated{9, 9, {0, 0, 2, 2, 2, 2, 0, 0}, 3, 3, 1, 2};
constexpr geometry flat{1, 12, {0, 0, 0, 0, 4, 5, 0, 0}, 1, 10};
constexpr geometry one_sided{6, 6, {0, 0, 2, 0, 2, 0, 0, 0}};
constexpr geometry by_channel{6, 5, {0, 0, 1, 1, 1, 1, 1, 0}};

constexpr auto is_folded(const exported_program& program) -> bool {
  const auto result = fold_padding::run(program);
  if (verify(result) || !laws::pass::static_laws<fold_padding>(program)) return false;
  return result.nodes.size() == 1 && result.text(result.nodes[0], "padding") == "same" && result.nodes[0].debug_handle == 2 &&
         result.nodes[0].folded_handles.size == 1 && program_view(result).folded_handles(result.nodes[0])[0] == 1 &&
         program_view(result).inputs(result.root()).size() == 3;
}
constexpr auto is_unchanged(const exported_program& program) -> bool {
  return same(fold_padding::run(program), program) && laws::pass::static_laws<fold_padding>(program);
}
constexpr auto is_folded(const geometry& layout) -> bool { return is_folded(padding_builder(kind::int8_conv, layout).b.finish()); }
constexpr auto is_unchanged(const geometry& layout) -> bool { return is_unchanged(padding_builder(kind::float_conv, layout).b.finish()); }

constexpr auto equal_windows_are_folded() -> bool {
  return is_folded(plain) && is_folded(stride_2_even) && is_folded(stride_2_odd) && is_folded(dilated) && is_folded(flat) &&
         is_folded(more_padding_than_is_read);
}
constexpr auto other_windows_are_unchanged() -> bool {
  return is_unchanged(stride_2_even_symmetric) && is_unchanged(one_sided) && is_unchanged(by_channel);
}
static_assert(equal_windows_are_folded() && other_windows_are_unchanged());

/// Whether a program is unchanged, after `change`: its padding has other users, pads with another value or belongs to another part.
template <class Change>
constexpr auto is_unchanged_after(Change change, std::string_view pad = "tfl.pad", std::string_view padding = "valid") -> bool {
  padding_builder net(kind::int8_conv, plain, pad, padding);
  change(net);
  return is_unchanged(net.b.finish());
}
constexpr auto other_paddings_are_unchanged() -> bool {
  const auto nothing = [](padding_builder&) {};
  return is_unchanged_after([](padding_builder& net) { net.b.output(net.padded); }) && is_unchanged_after([](padding_builder& net) {
           net.b.output(net.b.call("tfl.relu", {net.padded}, tensor(dtype::int8, 1, 8, 7, 2)));
         }) &&
         is_unchanged_after([](padding_builder& net) { net.b.quantize(net.padded, 0.5f, 6); }) &&
         is_unchanged_after([](padding_builder& net) {
           net.b.latest_node().tag = tag_id{0};
           net.b.draft().tags.push_back({});
         }) &&
         is_unchanged_after([](padding_builder& net) {  // the state may be written between the two nodes
           const auto state = net.b.mutable_buffer("state", tensor(dtype::int8, 1, plain.height, plain.width, 2));
           net.b.quantize(state, 0.5f, 7);
           net.b.draft().operands[net.b.draft().nodes[0].inputs.first] = state;
         }) &&
         is_unchanged_after(nothing, "tfl.mirror_pad") && is_unchanged_after(nothing, "tfl.padv2") &&
         is_unchanged_after(nothing, "tfl.pad", "same");
}
static_assert(other_paddings_are_unchanged());

/// Whether a `tfl.padv2` that pads with `zero` is folded.
constexpr auto folds_value(char zero) -> bool {
  padding_builder net(kind::int8_conv, plain, "tfl.padv2");
  const auto padding_value = net.b.constant("with", tensor(dtype::int8), baton::span{&zero, 1});
  auto& pad = net.b.draft().nodes[0];
  const auto operands = net.b.draft().operands;
  const auto first = static_cast<std::uint32_t>(operands.size());
  for (const auto id : {operands[pad.inputs.first], operands[pad.inputs.first + 1], padding_value}) net.b.draft().operands.push_back(id);
  net.b.draft().nodes[0].inputs = {first, 3};
  return is_folded(net.b.finish());
}
static_assert(folds_value(7) && !folds_value(0));

/// Compares every axis of up to `max_size` elements with a count of its windows. SAME padding begins as in `ComputePadding` of
/// lite/kernels/padding.h.
constexpr auto agrees_with_a_count_of_windows(std::int64_t max_size) -> bool {
  for (std::int64_t size = 1; size <= max_size; ++size) {
    for (std::int64_t code = 0; code < 4 * 4 * 4 * 3 * 2; ++code) {
      const detail::padded_axis axis{size, code % 4, code / 4 % 4, code / 16 % 4 + 1, code / 64 % 3 + 1, code / 192 + 1};
      const auto last_tap = (axis.filter - 1) * axis.dilation;
      std::int64_t valid_windows = 0;
      for (auto begin = -axis.before; begin + last_tap < size + axis.after; begin += axis.stride) ++valid_windows;
      std::int64_t same_windows = 0;
      for (std::int64_t begin = 0; begin < size; begin += axis.stride) ++same_windows;
      const auto lacking = (same_windows - 1) * axis.stride + last_tap + 1 - size;
      const bool is_same = same_windows == valid_windows && (lacking < 0 ? 0 : lacking / 2) == axis.before;
      if (axis.is_same_padding() != is_same) return false;
    }
  }
  return true;
}
static_assert(agrees_with_a_count_of_windows(2));

template <kind Kind, const geometry& Layout>
struct make_padded {
  constexpr auto operator()() const { return padding_builder(Kind, Layout).b.finish(); }
};

/// Whether the outputs of the portable kernels are the same after folding the padding.
template <kind Kind, const geometry& Layout>
auto has_the_same_outputs() -> bool {
  static constexpr static_program<make_padded<Kind, Layout>> model{};
  static constexpr auto folded = transform(model, passes<fold_padding>);
  static_assert(folded->nodes.size() == 1);
  static_assert(same(folded, transform(make_padded<Kind, Layout>{}(), passes<fold_padding>)));
  static executor<model, with_kernels<kernels<transform_tests::pad_kernel> + portable_kernels>> before;
  static executor<folded> after;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < before.input().size(); i += Kind == kind::float_conv ? 4 : 1) {
    state = state * 1664525u + 1013904223u;
    const auto number = static_cast<float>(state >> 24) / 8 - 16;
    if (Kind == kind::float_conv) std::memcpy(before.input().data() + i, &number, 4);
    if (Kind != kind::float_conv) before.input()[i] = static_cast<char>(state >> 24);
  }
  std::memcpy(after.input().data(), before.input().data(), before.input().size());
  before.run();
  after.run();
  bool is_constant = true;  // a constant output would prove nothing
  for (const char byte : before.output()) is_constant = is_constant && byte == before.output()[0];
  return !is_constant && before.output().size() == after.output().size() &&
         std::memcmp(before.output().data(), after.output().data(), after.output().size()) == 0;
}

}  // namespace

TEST_CASE("a padding is folded only if the windows stay the same") {
  CHECK(equal_windows_are_folded());
  CHECK(other_windows_are_unchanged());
  CHECK(other_paddings_are_unchanged());
  CHECK(folds_value(7));
  CHECK_FALSE(folds_value(0));
}
TEST_CASE("is_same_padding agrees with a count of the windows on every small axis") { CHECK(agrees_with_a_count_of_windows(9)); }
TEST_CASE("folding a padding keeps every bit of the outputs") {
  CHECK(has_the_same_outputs<kind::float_conv, plain>());
  CHECK(has_the_same_outputs<kind::int8_conv, plain>());
  CHECK(has_the_same_outputs<kind::int8_depthwise, plain>());
  CHECK(has_the_same_outputs<kind::int8_conv, stride_2_even>());
  CHECK(has_the_same_outputs<kind::int8_depthwise, stride_2_odd>());
  CHECK(has_the_same_outputs<kind::float_conv, more_padding_than_is_read>());
  CHECK(has_the_same_outputs<kind::int8_conv, dilated>());
  CHECK(has_the_same_outputs<kind::int8_conv, flat>());
}
