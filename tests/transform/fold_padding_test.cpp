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
enum class kind : std::uint8_t { of_float, of_int8, depthwise_of_int8 };

constexpr auto windows(std::int64_t padded, std::int64_t filter, const geometry& of) -> std::int64_t {
  return window_size(false, padded, filter, of.stride, of.dilation);
}

/// A padding and a convolution of an image with two channels.
class builder_of_padding {
 public:
  program_builder b;
  value_id padded{}, result{};

  constexpr builder_of_padding(kind which, const geometry& of, std::string_view pad = "tfl.pad", std::string_view padding = "valid") {
    const bool is_float = which == kind::of_float, is_depthwise = which == kind::depthwise_of_int8;
    const auto type = is_float ? dtype::float32 : dtype::int8;
    const std::int64_t channels = is_depthwise ? 2 : 3;
    const auto weights = b.constant("weights", tensor(type, is_depthwise ? 1 : channels, of.filter_height, of.filter_width, 2),
                                    some(type, (is_depthwise ? 1 : channels) * of.filter_height * of.filter_width * 2));
    const auto bias = b.constant("bias", tensor(is_float ? dtype::float32 : dtype::int32, channels),
                                 some(dtype::float32, is_float ? channels : 0, 4 * channels));
    const vector<std::int64_t> sizes(of.around.begin(), of.around.end());
    const auto around = b.constant("around", tensor(dtype::int32, 4, 2), bytes_of(sizes, dtype::int32));
    const auto image = b.user_input("image", tensor(type, 1, of.height, of.width, 2));
    const auto height = of.height + of.around[2] + of.around[3], width = of.width + of.around[4] + of.around[5];
    padded = b.call("padded", pad, {image, around}, tensor(type, 1, height, width, 2 + of.around[6] + of.around[7]));
    result = b.call("result", is_depthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {padded, weights, bias},
                    tensor(type, 1, windows(height, of.filter_height, of), windows(width, of.filter_width, of), channels),
                    {{"padding", padding.data()},
                     {"stride_w", of.stride},
                     {"stride_h", of.stride},
                     {"depth_multiplier", 1},
                     {"fused_activation_function", "none"},
                     {"dilation_w_factor", of.dilation},
                     {"dilation_h_factor", of.dilation}});
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
  /// Small numbers of a type.
  constexpr auto some(dtype type, std::int64_t count, std::int64_t bytes = 0) -> text_buffer {
    text_buffer made(static_cast<std::size_t>(bytes), '\0');
    if (count > 0) made.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = (i * 7 + 3) % 11 - 5;
      if (type == dtype::int8) {
        made.push_back(static_cast<char>(number));
      } else {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number) / 4);
        for (std::size_t at = 0; at < 4; ++at) made.push_back(static_cast<char>(bits >> (8 * at) & 0xff));
      }
    }
    return made;
  }
};

constexpr geometry plain{};
constexpr geometry stride_2_of_even{8, 8, {0, 0, 0, 1, 0, 1, 0, 0}, 3, 3, 2};
constexpr geometry stride_2_of_odd{7, 9, {0, 0, 1, 1, 1, 1, 0, 0}, 3, 3, 2};
constexpr geometry stride_2_of_even_around{8, 8, {0, 0, 1, 1, 1, 1, 0, 0}, 3, 3, 2};
constexpr geometry more_behind_than_is_read{8, 8, {0, 0, 1, 3, 1, 2, 0, 0}, 5, 4, 2};
constexpr geometry dilated{9, 9, {0, 0, 2, 2, 2, 2, 0, 0}, 3, 3, 1, 2};
constexpr geometry flat{1, 12, {0, 0, 0, 0, 4, 5, 0, 0}, 1, 10};
constexpr geometry one_sided{6, 6, {0, 0, 2, 0, 2, 0, 0, 0}};
constexpr geometry by_channel{6, 5, {0, 0, 1, 1, 1, 1, 1, 0}};

constexpr auto is_folded(const exported_program& program) -> bool {
  const auto made = fold_padding::run(program);
  if (verify(made) || !laws::pass::of_form<fold_padding>(program)) return false;
  return made.nodes.size() == 1 && made.text(made.nodes[0], "padding") == "same" && made.nodes[0].debug_handle == 2 &&
         made.nodes[0].folded_handles.size == 1 && program_view(made).folded_handles(made.nodes[0])[0] == 1 &&
         program_view(made).inputs(made.root()).size() == 3;
}
constexpr auto is_left(const exported_program& program) -> bool {
  return same(fold_padding::run(program), program) && laws::pass::of_form<fold_padding>(program);
}
constexpr auto is_folded(const geometry& of) -> bool { return is_folded(builder_of_padding(kind::of_int8, of).b.finish()); }
constexpr auto is_left(const geometry& of) -> bool { return is_left(builder_of_padding(kind::of_float, of).b.finish()); }

constexpr auto is_folded_where_windows_are_the_same() -> bool {
  return is_folded(plain) && is_folded(stride_2_of_even) && is_folded(stride_2_of_odd) && is_folded(dilated) && is_folded(flat) &&
         is_folded(more_behind_than_is_read);
}
constexpr auto is_left_where_they_are_not() -> bool {
  return is_left(stride_2_of_even_around) && is_left(one_sided) && is_left(by_channel);
}
static_assert(is_folded_where_windows_are_the_same() && is_left_where_they_are_not());

/// A padding that others see, too; by something else; of another part.
template <class Change>
constexpr auto is_left_after(Change change, std::string_view pad = "tfl.pad", std::string_view padding = "valid") -> bool {
  builder_of_padding of(kind::of_int8, plain, pad, padding);
  change(of);
  return is_left(of.b.finish());
}
constexpr auto is_left_where_more_depends_on_it() -> bool {
  const auto nothing = [](builder_of_padding&) {};
  return is_left_after([](builder_of_padding& of) { of.b.output(of.padded); }) &&
         is_left_after([](builder_of_padding& of) { of.b.output(of.b.call("tfl.relu", {of.padded}, tensor(dtype::int8, 1, 8, 7, 2))); }) &&
         is_left_after([](builder_of_padding& of) { of.b.quantize(of.padded, 0.5f, 6); }) && is_left_after([](builder_of_padding& of) {
           of.b.latest_node().tag = tag_id{0};
           of.b.draft().tags.push_back({});
         }) &&
         is_left_after([](builder_of_padding& of) {  // between them the state may be written
           const auto state = of.b.mutable_buffer("state", tensor(dtype::int8, 1, plain.height, plain.width, 2));
           of.b.quantize(state, 0.5f, 7);
           of.b.draft().operands[of.b.draft().nodes[0].inputs.first] = state;
         }) &&
         is_left_after(nothing, "tfl.mirror_pad") && is_left_after(nothing, "tfl.padv2") && is_left_after(nothing, "tfl.pad", "same");
}
static_assert(is_left_where_more_depends_on_it());

/// `tfl.padv2` says what it pads with.
constexpr auto folds_with(char zero) -> bool {
  builder_of_padding of(kind::of_int8, plain, "tfl.padv2");
  const auto with = of.b.constant("with", tensor(dtype::int8), baton::span{&zero, 1});
  auto& pad = of.b.draft().nodes[0];
  const auto operands = of.b.draft().operands;
  const auto first = static_cast<std::uint32_t>(operands.size());
  for (const auto id : {operands[pad.inputs.first], operands[pad.inputs.first + 1], with}) of.b.draft().operands.push_back(id);
  of.b.draft().nodes[0].inputs = {first, 3};
  return is_folded(of.b.finish());
}
static_assert(folds_with(7) && !folds_with(0));

/// Every small axis: windows are counted one by one, and SAME begins where `ComputePadding` of lite/kernels/padding.h says.
constexpr auto agrees_with_a_count(std::int64_t most) -> bool {
  for (std::int64_t size = 1; size <= most; ++size) {
    for (std::int64_t code = 0; code < 4 * 4 * 4 * 3 * 2; ++code) {
      const detail::padded_axis axis{size, code % 4, code / 4 % 4, code / 16 % 4 + 1, code / 64 % 3 + 1, code / 192 + 1};
      const auto last_tap = (axis.filter - 1) * axis.dilation;
      std::int64_t of_valid = 0;
      for (auto begin = -axis.before; begin + last_tap < size + axis.after; begin += axis.stride) ++of_valid;
      std::int64_t of_same = 0;
      for (std::int64_t begin = 0; begin < size; begin += axis.stride) ++of_same;
      const auto lacking = (of_same - 1) * axis.stride + last_tap + 1 - size;
      const bool is_same = of_same == of_valid && (lacking < 0 ? 0 : lacking / 2) == axis.before;
      if (axis.is_same_padding() != is_same) return false;
    }
  }
  return true;
}
static_assert(agrees_with_a_count(2));

template <kind Which, const geometry& Of>
struct make_padded {
  constexpr auto operator()() const { return builder_of_padding(Which, Of).b.finish(); }
};

/// Whether the program gives the same with its padding folded, run by the portable kernels.
template <kind Which, const geometry& Of>
auto gives_the_same() -> bool {
  static constexpr static_program<make_padded<Which, Of>> model{};
  static constexpr auto folded = transform(model, passes<fold_padding>);
  static_assert(folded->nodes.size() == 1);
  static_assert(same(folded, transform(make_padded<Which, Of>{}(), passes<fold_padding>)));
  static executor<model, with_kernels<kernels<transform_tests::pad_kernel> + portable_kernels>> before;
  static executor<folded> after;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < before.input().size(); i += Which == kind::of_float ? 4 : 1) {
    state = state * 1664525u + 1013904223u;
    const auto number = static_cast<float>(state >> 24) / 8 - 16;
    if (Which == kind::of_float) std::memcpy(before.input().data() + i, &number, 4);
    if (Which != kind::of_float) before.input()[i] = static_cast<char>(state >> 24);
  }
  std::memcpy(after.input().data(), before.input().data(), before.input().size());
  before.run();
  after.run();
  bool is_all_alike = true;  // one byte says nothing
  for (const char byte : before.output()) is_all_alike = is_all_alike && byte == before.output()[0];
  return !is_all_alike && before.output().size() == after.output().size() &&
         std::memcmp(before.output().data(), after.output().data(), after.output().size()) == 0;
}

}  // namespace

TEST_CASE("paddings are folded where windows are the same, else left") {
  CHECK(is_folded_where_windows_are_the_same());
  CHECK(is_left_where_they_are_not());
  CHECK(is_left_where_more_depends_on_it());
  CHECK(folds_with(7));
  CHECK_FALSE(folds_with(0));
}
TEST_CASE("what is the same agrees with a count, on every small axis") { CHECK(agrees_with_a_count(9)); }
TEST_CASE("the outputs stay, to the last bit") {
  CHECK(gives_the_same<kind::of_float, plain>());
  CHECK(gives_the_same<kind::of_int8, plain>());
  CHECK(gives_the_same<kind::depthwise_of_int8, plain>());
  CHECK(gives_the_same<kind::of_int8, stride_2_of_even>());
  CHECK(gives_the_same<kind::depthwise_of_int8, stride_2_of_odd>());
  CHECK(gives_the_same<kind::of_float, more_behind_than_is_read>());
  CHECK(gives_the_same<kind::of_int8, dilated>());
  CHECK(gives_the_same<kind::of_int8, flat>());
}
