// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/infer.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include "operators/inferred_text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using namespace inferred_text;
using enum dtype;

constexpr auto convolutions_are_inferred() -> bool {
  const auto conv = [](const char* padding, int stride, int dilation, operand x, operand filter) {
    return inferred(
        "tfl.conv_2d", {x, filter, omitted},
        {{"padding", padding}, {"stride_h", stride}, {"stride_w", 1}, {"dilation_h_factor", dilation}, {"dilation_w_factor", 1}});
  };
  const auto x = in(int8, 1, 9, 8, 3);
  const auto filter = in(int8, 16, 3, 3, 3);
  return is(conv("same", 1, 1, x, filter), "int8 [1 9 8 16]") && is(conv("same", 2, 1, x, filter), "int8 [1 5 8 16]") &&
         is(conv("valid", 1, 1, x, filter), "int8 [1 7 6 16]") && is(conv("valid", 2, 1, x, filter), "int8 [1 4 6 16]") &&
         is(conv("valid", 1, 3, x, filter), "int8 [1 3 6 16]") && is(conv("same", 2, 3, x, filter), "int8 [1 5 8 16]") &&
         is(conv("valid", 1, 5, x, filter), "int8 [1 0 6 16]") && is(conv("same", 0, 1, x, filter), "int8 [1 ? 8 16]") &&
         is(conv("same", 2, 1, in(int8, -1, -1, 8, 3), filter), "int8 [? ? 8 16]") &&
         is(conv("same", 1, 1, in(int8, 1, 9, 8, 6), filter), "int8 [1 9 8 16]") &&
         is(conv("same", 1, 1, in(int8, 1, 9, 8, 4), filter), "the filter's 3 channels do not divide the input's 4") &&
         is(conv("same", 1, 1, in(int8, 9, 8, 3), filter), "operand 0 has 3 dimensions and needs 4") &&
         is(inferred("tfl.conv_2d", {x}), "operand 1, filter, is missing") &&
         is(inferred("tfl.depthwise_conv_2d", {x, in(int8, 1, 3, 2, 6)}, {{"padding", "valid"}, {"stride_h", 3}, {"stride_w", 2}}),
            "int8 [1 3 4 6]") &&
         is(inferred("tfl.conv_3d", {in(float32, 1, 8, 9, 7, 3), in(float32, 3, 2, 1, 3, 5)},
                     {{"padding", "valid"}, {"stride_d", 2}, {"stride_h", 1}, {"stride_w", 3}}),
            "float32 [1 3 8 3 5]") &&
         is(inferred("tfl.transpose_conv", {fixed({1, 11, 12, 16}), in(int8, 16, 3, 3, 8), in(int8, 1, 5, 5, 8)}), "int8 [1 11 12 16]") &&
         is(inferred("tfl.transpose_conv", {in(int32, 4), in(int8, 16, 3, 3, 8), in(int8, 1, 5, 5, 8)}), "int8 [? ? ? ?]");
}
static_assert(convolutions_are_inferred());

constexpr auto convolutions_with_pads_are_inferred() -> bool {
  const auto x = in(int8, 1, 9, 8, 3);
  const auto filter = in(int8, 16, 3, 3, 3);
  constexpr std::int64_t pads[] = {2, 0, 1, 4}, three[] = {1, 1, 1}, negative[] = {0, 0, -1, 0}, large[] = {0, 1 << 30, 0, 0};
  const auto conv = [&](span<const std::int64_t> list) {
    return inferred("baton.conv_2d", {x, filter}, {{"stride_h", 2}, {"pads", list}});
  };
  return is(conv(pads), "int8 [1 5 10 16]") && is(conv(three), "int8 [1 ? ? 16]") && is(conv(negative), "int8 [1 ? ? 16]") &&
         is(conv(large), "int8 [1 ? ? 16]") && is(inferred("baton.conv_2d", {x, filter}), "int8 [1 7 6 16]") &&
         is(inferred("baton.conv_2d", {x, filter}, {{"pads", "same"}}), "int8 [1 ? ? 16]") &&
         is(inferred("baton.conv_2d", {in(int8, 1, 9, 8, 4), filter}), "the filter's 3 channels do not divide the input's 4") &&
         is(inferred("baton.depthwise_conv_2d", {x, in(int8, 1, 3, 2, 6)}, {{"pads", span<const std::int64_t>{pads}}}),
            "int8 [1 10 11 6]") &&
         is(inferred("baton.fully_connected", {in(float32, 6, 5), in(float32, 3, 10)}), "float32 [3 3]");
}
static_assert(convolutions_with_pads_are_inferred());

constexpr auto poolings_are_inferred() -> bool {
  const auto pool = [](const char* op, const char* padding) {
    return inferred(op, {in(int8, 2, 9, 8, 3)},
                    {{"padding", padding}, {"stride_h", 2}, {"stride_w", 3}, {"filter_height", 3}, {"filter_width", 4}});
  };
  return is(pool("tfl.max_pool_2d", "same"), "int8 [2 5 3 3]") && is(pool("tfl.average_pool_2d", "valid"), "int8 [2 4 2 3]") &&
         is(pool("tfl.l2_pool_2d", "valid"), "int8 [2 4 2 3]") &&
         is(inferred("tfl.max_pool_2d", {in(int8, 9, 8, 3)}), "operand 0 has 3 dimensions and needs 4");
}
static_assert(poolings_are_inferred());

constexpr auto padded_poolings_are_inferred() -> bool {
  const auto pool = [](span<const std::int64_t> pads, bool is_ceil, int dilation = 1) {
    return inferred("baton.max_pool_2d", {in(uint8, 2, 9, 8, 3)},
                    {{"pads", pads},
                     {"ceil_mode", is_ceil},
                     {"stride_h", 2},
                     {"stride_w", 3},
                     {"dilation_w_factor", dilation},
                     {"filter_height", 3},
                     {"filter_width", 3}});
  };
  constexpr std::int64_t none[] = {0, 0, 0, 0}, some[] = {1, 2, 1, 0}, three[] = {1, 1, 1}, negative[] = {0, 0, 0, -1};
  // In ceil mode, the last of four windows of 3 columns at stride 3 would begin after the 8 columns, so there are three.
  return is(pool(none, false), "uint8 [2 4 2 3]") && is(pool(none, true), "uint8 [2 4 3 3]") && is(pool(some, false), "uint8 [2 5 3 3]") &&
         is(pool(some, true), "uint8 [2 5 4 3]") && is(pool(none, false, 3), "uint8 [2 4 1 3]") &&
         is(pool(three, false), "uint8 [2 ? ? 3]") && is(pool(negative, true), "uint8 [2 ? ? 3]") &&
         is(inferred("baton.average_pool_2d", {in(float32, 1, 4, 4, 2)}, {{"filter_height", 2}, {"filter_width", 4}}), "float32 [1 3 1 2]");
}
static_assert(padded_poolings_are_inferred());

constexpr auto quantized_elements_are_inferred() -> bool {
  return is(inferred("baton.lookup", {in(uint8, 2, 3), in(int8, 256)}), "int8 [2 3]") &&
         is(inferred("baton.lookup", {in(uint8, 2, 3), in(int8, 255)}), "the table has 255 elements and needs 256") &&
         is(inferred("baton.quantize", {in(float32, 2, 3)}), "? [2 3]") &&
         is(inferred("baton.mul", {in(int8, 2, 3), in(int8, 1)}), "int8 [2 3]") &&
         is(inferred("baton.add", {in(int8, 2, 3), in(int8, 4)}), "the shapes of operands 0 and 1 cannot be broadcast");
}
static_assert(quantized_elements_are_inferred());

constexpr auto products_are_inferred() -> bool {
  const auto w = in(float32, 10, 6);
  return is(inferred("tfl.fully_connected", {in(float32, 4, 2, 3), w}), "float32 [4 10]") &&
         is(inferred("tfl.fully_connected", {in(int8, 1, 12), w}), "? [2 10]") &&
         is(inferred("tfl.fully_connected", {in(float32, -1, 6), w}), "float32 [? 10]") &&
         is(inferred("tfl.fully_connected", {in(float32, 2, 5, 6), w}, {{"keep_num_dims", true}}), "float32 [2 5 10]") &&
         is(inferred("tfl.fully_connected", {in(float32, 2, 5), w}, {{"keep_num_dims", true}}),
            "the weights have 6 columns, the rows of the input have 5 elements") &&
         is(inferred("tfl.fully_connected", {in(float32, 2, 5), w}), "the weights' 6 columns do not divide the input's 10 elements") &&
         is(inferred("tfl.batch_matmul", {in(float32, 5, 1, 2, 3), in(float32, 7, 3, 4)}), "float32 [5 7 2 4]") &&
         is(inferred("tfl.batch_matmul", {in(float32, 3, 2), in(float32, 4, 3)}, {{"adj_x", true}, {"adj_y", true}}), "float32 [2 4]") &&
         is(inferred("tfl.batch_matmul", {in(float32, 2, 3), in(float32, 4, 3)}), "rows of 3 elements do not match columns of 4") &&
         is(inferred("tfl.batch_matmul", {in(float32, 2, 2, 3), in(float32, 3, 3, 4)}),
            "the batch dimensions of the operands cannot be broadcast");
}
static_assert(products_are_inferred());

constexpr auto shapes_are_broadcast() -> bool {
  return is(inferred("tfl.add", {in(int8, 2, 1, 4), in(int8, 3, 1)}), "int8 [2 3 4]") &&
         is(inferred("tfl.sub", {in(float32), in(float32, 2, 3)}), "float32 [2 3]") &&
         is(inferred("tfl.maximum", {in(int8, -1, 3), in(int8, 2, 1)}), "int8 [2 3]") &&
         is(inferred("tfl.add", {in(int8, -1, 3), in(int8, 1, 3)}), "int8 [? 3]") &&
         is(inferred("tfl.less", {in(int8, 2, 3), in(int8, 3)}), "boolean [2 3]") &&
         is(inferred("tfl.mul", {in(int16, 3), in(int16, 3)}), "? [3]") && is(inferred("tfl.mul", {in(int8, 3), in(int8)}), "int8 [3]") &&
         is(inferred("tfl.add", {in(int8, 0), in(int8, 1)}), "int8 [0]") &&
         is(inferred("tfl.add", {in(int8, 2, 3), in(int8, 2)}), "the shapes of operands 0 and 1 cannot be broadcast") &&
         is(inferred("tfl.select", {in(boolean, 2), in(int8, 2, 3), in(int8, 2, 3)}), "int8 [2 3]") &&
         is(inferred("tfl.select_v2", {in(boolean, 4, 1, 1), in(int8, 2, 1), in(int8, 3)}), "int8 [4 2 3]");
}
static_assert(shapes_are_broadcast());

constexpr auto elementwise_operators_keep_the_shape() -> bool {
  return is(inferred("tfl.relu6", {in(int8, 2, -1)}), "int8 [2 ?]") && is(inferred("tfl.softmax", {in(float32, 2, 3)}), "float32 [2 3]") &&
         is(inferred("tfl.softmax", {in(int8, 2, 3)}), "? [2 3]") && is(inferred("tfl.quantize", {in(float32, 3)}), "? [3]") &&
         is(inferred("tfl.dequantize", {in(int8, 3)}), "float32 [3]") &&
         is(inferred("tfl.add_n", {in(int8, 3), in(int8, 3)}), "int8 [3]") &&
         is(inferred("tfl.add_n", {in(int8, 3), omitted}), "operand 1, inputs, is missing") &&
         is(inferred("tfl.add_n", {}), "operand 0, inputs, is missing");
}
static_assert(elementwise_operators_keep_the_shape());

constexpr std::int64_t four_three[] = {4, 3};
constexpr std::int64_t rest_three[] = {-1, 3};
constexpr std::int64_t scalar[] = {0};
constexpr std::int64_t last[] = {-1};
constexpr auto list_of(baton::span<const std::int64_t> numbers) -> baton::span<const std::int64_t> { return numbers; }

constexpr auto reshapes_are_inferred() -> bool {
  const auto x = in(int8, 2, 6);
  return is(inferred("tfl.reshape", {x, fixed({3, -1})}), "int8 [3 4]") && is(inferred("tfl.reshape", {x, in(int32, 3)}), "int8 [? ? ?]") &&
         is(inferred("tfl.reshape", {x}, {{"new_shape", list_of(four_three)}}), "int8 [4 3]") &&
         is(inferred("tfl.reshape", {x, omitted}, {{"new_shape", list_of(rest_three)}}), "int8 [4 3]") &&
         is(inferred("tfl.reshape", {in(int8, 1)}, {{"new_shape", list_of(scalar)}}), "int8 []") &&
         is(inferred("tfl.reshape", {in(int8, 1), fixed({})}), "int8 []") && is(inferred("tfl.reshape", {x}), "int8 ?") &&
         is(inferred("tfl.reshape", {in(int8, -1, 6), fixed({3, -1})}), "int8 [3 ?]") &&
         is(inferred("tfl.reshape", {x, fixed({5})}), "the new shape does not have the 12 elements of the input") &&
         is(inferred("tfl.reshape", {x, fixed({5, -1})}), "the new shape does not have the 12 elements of the input") &&
         is(inferred("tfl.reshape", {x, fixed({-1, -1})}), "the new shape has two unknown sizes") &&
         is(inferred("tfl.squeeze", {in(int8, 1, 2, 1)}), "int8 [2]") &&
         is(inferred("tfl.squeeze", {in(int8, 1, 2, 1)}, {{"squeeze_dims", list_of(last)}}), "int8 [1 2]") &&
         is(inferred("tfl.squeeze", {in(int8, 1, 2)}, {{"squeeze_dims", list_of(last)}}),
            "dimension 1 has 2 elements and cannot be removed") &&
         is(inferred("tfl.squeeze", {in(int8, 1, -1)}), "int8 ?") && is(inferred("tfl.expand_dims", {x, one(-1)}), "int8 [2 6 1]") &&
         is(inferred("tfl.expand_dims", {x, one(1)}), "int8 [2 1 6]") && is(inferred("tfl.expand_dims", {x, in(int32)}), "int8 [? ? ?]") &&
         is(inferred("tfl.expand_dims", {x, one(3)}), "there is no dimension 3");
}
static_assert(reshapes_are_inferred());

constexpr auto concatenations_and_splits_are_inferred() -> bool {
  const auto x = in(int8, 2, 6);
  return is(inferred("tfl.concatenation", {x, in(int8, 2, 3), x}, {{"axis", -1}}), "int8 [2 15]") &&
         is(inferred("tfl.concatenation", {in(int8, -1, 6), x}, {{"axis", 1}}), "int8 [2 12]") &&
         is(inferred("tfl.concatenation", {in(int8, -1, 6), x}, {{"axis", 0}}), "int8 [? 6]") &&
         is(inferred("tfl.concatenation", {x, in(int8, 3, 6)}, {{"axis", 1}}),
            "dimension 0 of operand 1 is 3, but in earlier operands 2") &&
         is(inferred("tfl.concatenation", {x, in(int8, 6)}, {{"axis", 1}}), "operand 1 differs from the first in type or rank") &&
         is(inferred("tfl.concatenation", {x}, {{"axis", 2}}), "there is no dimension 2") &&
         is(inferred("tfl.pack", {x, x, x}, {{"axis", 1}}), "int8 [2 3 6]") &&
         is(inferred("tfl.pack", {x, x}, {{"axis", -1}}), "int8 [2 6 2]") &&
         is(inferred("tfl.unpack", {x}, {{"axis", 0}}, 2), "int8 [6], int8 [6]") &&
         is(inferred("tfl.unpack", {x}, {{"axis", 0}}, 3), "the node has 3 outputs, but dimension 0 has 2 elements") &&
         is(inferred("tfl.split", {one(1), x}, {}, 2), "int8 [2 3], int8 [2 3]") &&
         is(inferred("tfl.split", {in(int32), x}, {}, 2), "int8 ?, int8 ?") &&
         is(inferred("tfl.split", {one(1), x}, {}, 4), "6 slices cannot be split into 4 equal outputs") &&
         is(inferred("tfl.split_v", {x, fixed({1, -1}), one(-1)}, {}, 2), "int8 [2 1], int8 [2 5]") &&
         is(inferred("tfl.split_v", {x, in(int32, 2), one(1)}, {}, 2), "int8 [2 ?], int8 [2 ?]") &&
         is(inferred("tfl.split_v", {x, fixed({4, 3}), one(1)}, {}, 2), "the outputs need more than the 6 slices");
}
static_assert(concatenations_and_splits_are_inferred());

constexpr auto slices_are_inferred() -> bool {
  const auto x = in(int8, 8, 10);
  const auto strided = [&](operand begin, operand end, operand strides, int begin_mask, int end_mask, int shrink_mask) {
    return inferred("tfl.strided_slice", {x, begin, end, strides},
                    {{"begin_mask", begin_mask}, {"end_mask", end_mask}, {"shrink_axis_mask", shrink_mask}});
  };
  const auto ones = fixed({1, 1});
  return is(strided(fixed({1, 2}), fixed({5, 9}), ones, 0, 0, 0), "int8 [4 7]") &&
         is(strided(fixed({1, 2}), fixed({5, 9}), fixed({2, 3}), 0, 0, 0), "int8 [2 3]") &&
         is(strided(fixed({1, 2}), fixed({5, 9}), ones, 1, 2, 0), "int8 [5 8]") &&
         is(strided(fixed({-3, -20}), fixed({-1, 20}), ones, 0, 0, 0), "int8 [2 10]") &&
         is(strided(fixed({-1, 9}), fixed({0, 0}), fixed({-1, -2}), 0, 0, 0), "int8 [7 5]") &&
         is(strided(fixed({0, 0}), fixed({0, 0}), fixed({-1, -3}), 3, 3, 0), "int8 [8 4]") &&
         is(strided(fixed({5, 0}), fixed({1, 10}), ones, 0, 0, 0), "int8 [0 10]") &&
         is(strided(fixed({1, 2}), fixed({2, 9}), ones, 0, 0, 1), "int8 [7]") &&
         is(strided(in(int32, 2), fixed({5, 9}), ones, 2, 0, 0), "int8 [? 9]") &&
         is(strided(fixed({1}), fixed({5}), fixed({1}), 0, 0, 0), "int8 [4 10]") &&
         is(strided(fixed({1, 2}), fixed({5, 9}), fixed({1, 0}), 0, 0, 0), "the stride of dimension 1 is 0") &&
         is(strided(fixed({1, 2}), fixed({5}), ones, 0, 0, 0), "begin, end and strides have different lengths") &&
         is(inferred("tfl.strided_slice", {x, fixed({1}), fixed({5}), fixed({1})}, {{"new_axis_mask", 1}}), "int8 ?") &&
         is(inferred("tfl.slice", {x, fixed({1, 2}), fixed({3, -1})}), "int8 [3 8]") &&
         is(inferred("tfl.slice", {x, in(int32, 2), fixed({3, -1})}), "int8 [3 ?]") &&
         is(inferred("tfl.slice", {x, fixed({6, 2}), fixed({3, -1})}), "the slice is out of range in dimension 0") &&
         is(inferred("tfl.gather", {x, in(int32, 3, 4)}, {{"axis", 1}}), "int8 [8 3 4]") &&
         is(inferred("tfl.gather", {x, in(int32, 8, 4)}, {{"axis", 1}, {"batch_dims", 1}}), "int8 [8 4]") &&
         is(inferred("tfl.gather", {x, in(int32, 8, 4)}, {{"axis", 1}, {"batch_dims", -1}}), "int8 [8 4]") &&
         is(inferred("tfl.gather", {x, in(int32, 3)}, {{"axis", 2}}), "there is no dimension 2") &&
         is(inferred("tfl.gather_nd", {x, in(int32, 5, 1)}), "int8 [5 10]") &&
         is(inferred("tfl.gather_nd", {x, in(int32, 5, 2)}), "int8 [5]") &&
         is(inferred("tfl.scatter_nd", {in(int32, 5, 1), in(int8, 5, 4), fixed({8, 4})}), "int8 [8 4]") &&
         is(inferred("tfl.scatter_nd", {in(int32, 5, 1), in(int8, 5, 4), in(int32, 2)}), "int8 ?") &&
         is(inferred("tfl.scatter_nd", {in(int32, 5, 3), in(int8, 5), fixed({8, 4})}),
            "each position has 3 indices, but the tensor has 2 dimensions") &&
         is(inferred("tfl.topk_v2", {x, one(3)}, {}, 2), "int8 [8 3], ? [8 3]") &&
         is(inferred("tfl.embedding_lookup", {in(int32, 3), in(float32, 7, 4)}), "float32 [3 4]");
}
static_assert(slices_are_inferred());

constexpr auto layout_changes_are_inferred() -> bool {
  const auto x = in(int8, 1, 4, 6, 8);
  return is(inferred("tfl.transpose", {x, fixed({0, 3, 1, 2})}), "int8 [1 8 4 6]") &&
         is(inferred("tfl.transpose", {x, in(int32, 4)}), "int8 [? ? ? ?]") &&
         is(inferred("tfl.transpose", {x, fixed({0, 4, 1, 2})}), "there is no dimension 4") &&
         is(inferred("tfl.pad", {in(int8, 2, 3), fixed({1, 2, 0, 4})}), "int8 [5 7]") &&
         is(inferred("tfl.padv2", {in(int8, 2, 3), in(int32, 2, 2), in(int8)}), "int8 [? ?]") &&
         is(inferred("tfl.mirror_pad", {in(int8, -1, 3), fixed({1, 2, 0, 4})}), "int8 [? 7]") &&
         is(inferred("tfl.pad", {in(int8, 2, 3), fixed({1, 2})}), "2 paddings for 2 dimensions; each dimension needs 2") &&
         is(inferred("tfl.tile", {in(int8, 2, 3), fixed({3, 2})}), "int8 [6 6]") &&
         is(inferred("tfl.broadcast_to", {in(int8, 3), fixed({2, 3})}), "int8 [2 3]") &&
         is(inferred("tfl.space_to_depth", {x}, {{"block_size", 2}}), "int8 [1 2 3 32]") &&
         is(inferred("tfl.depth_to_space", {x}, {{"block_size", 2}}), "int8 [1 8 12 2]") &&
         is(inferred("tfl.space_to_batch_nd", {x, fixed({2, 2}), fixed({0, 2, 1, 1})}), "int8 [4 3 4 8]") &&
         is(inferred("tfl.batch_to_space_nd", {in(int8, 4, 3, 4, 8), fixed({2, 2}), fixed({0, 2, 1, 1})}), "int8 [1 4 6 8]") &&
         is(inferred("tfl.resize_bilinear", {x, fixed({9, 7})}), "int8 [1 9 7 8]") &&
         is(inferred("tfl.resize_nearest_neighbor", {x, in(int32, 2)}), "int8 [1 ? ? 8]") &&
         is(inferred("tfl.dynamic_update_slice", {x, in(int8, 1, 1, 1, 1), in(int32, 4)}), "int8 [1 4 6 8]");
}
static_assert(layout_changes_are_inferred());

constexpr auto producers_are_inferred() -> bool {
  const auto x = in(int8, 2, 3);
  return is(inferred("tfl.shape", {x}, {{"out_type", "int64"}}), "int64 [2]") && is(inferred("tfl.shape", {x}), "? [2]") &&
         is(inferred("tfl.rank", {x}), "int32 []") && is(inferred("tfl.fill", {fixed({4, 5}), in(float32)}), "float32 [4 5]") &&
         is(inferred("tfl.broadcast_args", {in(int32, 2), in(int32, 3)}), "int32 [3]") &&
         is(inferred("tfl.broadcast_args", {in(int32, 2), in(int32)}), "operand 1 has 0 dimensions and needs 1") &&
         is(inferred("tfl.range", {one(0), one(5), one(1)}), "int32 [?]") &&
         is(inferred("tfl.one_hot", {in(int32, 2, 3), one(5), in(float32), in(float32)}, {{"axis", -1}}), "float32 [2 3 5]") &&
         is(inferred("tfl.one_hot", {in(int32, 2, 3), one(5), in(float32), in(float32)}, {{"axis", 0}}), "float32 [5 2 3]") &&
         is(inferred("tfl.where", {x}), "int64 [? 2]") &&
         is(inferred("tfl.rfft2d", {in(float32, 3, 7, 9), fixed({8, 16})}), "complex64 [3 8 9]") &&
         is(inferred("tfl.rfft2d", {in(float32, 3, 7, 9), in(int32, 2)}), "complex64 [3 ? ?]") &&
         is(inferred("tfl.rfft2d", {in(float32, 9), fixed({8, 16})}),
            "the input has 1 dimension, but needs at least 2: the height and width of the transform") &&
         is(inferred("tfl.rfft2d", {in(float32, 7, 9), fixed({8})}), "fft_length has 1 number, not 2") &&
         is(inferred("tfl.complex_abs", {in(complex64, 3, 5)}), "float32 [3 5]") &&
         is(inferred("tfl.real", {in(complex128, 3)}), "float64 [3]") && is(inferred("tfl.imag", {in(float32, 3)}), "? [3]");
}
static_assert(producers_are_inferred());

constexpr auto reductions_are_inferred() -> bool {
  const auto x = in(int8, 2, 3, 4);
  return is(inferred("tfl.mean", {x, fixed({1, -1})}), "int8 [2]") &&
         is(inferred("tfl.sum", {x, fixed({1, -1})}, {{"keep_dims", true}}), "int8 [2 1 1]") &&
         is(inferred("tfl.reduce_max", {x, one(0)}), "int8 [3 4]") && is(inferred("tfl.mean", {x, in(int32, 1)}), "int8 ?") &&
         is(inferred("tfl.mean", {x, in(int32, 1)}, {{"keep_dims", true}}), "int8 [? ? ?]") &&
         is(inferred("tfl.mean", {x, one(3)}), "there is no dimension 3") &&
         is(inferred("tfl.arg_max", {x, one(-1)}, {{"output_type", "int32"}}), "int32 [2 3]") &&
         is(inferred("tfl.arg_min", {x, in(int32)}), "? [? ?]");
}
static_assert(reductions_are_inferred());

constexpr auto recurrence_is_inferred() -> bool {
  const auto w = in(int8, 20, 28);
  const auto r = in(int8, 20, 16);
  return is(inferred("tfl.svdf", {in(int8, 2, 40), in(int8, 8, 40), in(int8, 8, 10), omitted, in(int8, 2, 80)}, {{"rank", 2}}),
            "int8 [2 4]") &&
         is(inferred("tfl.rnn", {in(float32, 2, 4), in(float32, 6, 4), in(float32, 6, 6), in(float32, 6), in(float32, 2, 6)}),
            "float32 [2 6]") &&
         is(inferred("tfl.unidirectional_sequence_rnn",
                     {in(float32, 2, 5, 4), in(float32, 6, 4), in(float32, 6, 6), in(float32, 6), in(float32, 2, 6)}),
            "float32 [2 5 6]") &&
         is(inferred("tfl.unidirectional_sequence_lstm", {in(int8, 1, 5, 28), w, w, w, w, r, r, r, r}), "int8 [1 5 16]") &&
         is(inferred("tfl.lstm", {in(int8, 1, 28), w, w, w, w, r, r, r, r}), "int8 [1 16]") &&
         is(inferred("tfl.lstm", {omitted, w, w, w, w, r, r, r, r}), "operand 0, input, is missing");
}
static_assert(recurrence_is_inferred());

/// The basic LSTM has five operands and four outputs.
constexpr auto basic_lstm_is_inferred() -> bool {
  const auto x = in(uint8, 2, 3), y = in(uint8, 2, 5), all = in(uint8, 20, 8), bias = in(int32, 20), state = in(int16, 2, 5);
  return is(inferred("tfl.lstm", {x, y, all, bias, state}, {}, 4), "uint8 [2 5], int16 [2 5], uint8 [2 8], int16 [2 20]") &&
         is(inferred("tfl.lstm", {in(uint8, -1, 3), y, all, bias, state}, {}, 4), "uint8 [? 5], int16 [? 5], uint8 [? 8], int16 [? 20]") &&
         is(inferred("tfl.lstm", {x, y, in(uint8, 20, 7), bias, state}, {}, 4),
            "the weights have 7 columns, but input and previous output together have 8 elements") &&
         is(inferred("tfl.lstm", {x, y, in(uint8, 15, 8), bias, state}, {}, 4), "the weights have 15 rows for four gates of 5 units") &&
         is(inferred("tfl.lstm", {x, omitted, all, bias, state}, {}, 4), "operand 1 is missing") &&
         is(inferred("tfl.lstm", {x, y, all, bias, in(int16, 10)}, {}, 4), "operand 4 has 1 dimension and needs 2");
}
static_assert(basic_lstm_is_inferred());

/// The outputs of both directions are concatenated or separate.
constexpr auto both_directions_are_inferred() -> bool {
  const auto x = in(float32, 7, 2, 3), b = in(float32, 4), h = in(float32, 2, 4);
  const auto forward = in(float32, 4, 3), backward = in(float32, 6, 3);
  const auto rnn = [&](attribute_list attributes, std::size_t outputs) {
    return inferred("tfl.bidirectional_sequence_rnn", {x, forward, h, b, h, backward, h, b, h}, attributes, outputs);
  };
  const auto r = in(float32, 9, 4), s = in(float32, 9, 5), w = in(float32, 9, 3);
  const auto lstm = [&](const operand& backward_weights, attribute_list attributes, std::size_t outputs) {
    return inferred("tfl.bidirectional_sequence_lstm", {x, w, w, w,       w,       r, r, r, r, omitted, omitted, omitted, b,
                                                        b, b, b, omitted, omitted, w, w, w, w, s,       s,       s,       backward_weights},
                    attributes, outputs);
  };
  return is(rnn({}, 2), "float32 [7 2 4], float32 [7 2 6]") && is(rnn({{"merge_outputs", true}}, 1), "float32 [7 2 10]") &&
         is(lstm(s, {}, 2), "float32 [7 2 4], float32 [7 2 5]") && is(lstm(s, {{"merge_outputs", true}}, 1), "float32 [7 2 9]") &&
         is(lstm(in(float32, 9, -1), {{"merge_outputs", true}}, 1), "float32 [7 2 ?]") && is(lstm(omitted, {}, 2), "? ?, ? ?") &&
         is(lstm(in(float32, 9), {}, 2), "operand 25 has 1 dimension and needs 2");
}
static_assert(both_directions_are_inferred());

/// The types of the outputs of a subgraph.
struct subgraph_outputs {
  std::initializer_list<tensor_type> types;
};
/// Returns the inferred types of a node with operands of these types, and with subgraphs with these outputs.
constexpr auto inferred_with_subgraphs(std::string_view op, operands inputs, std::initializer_list<subgraph_outputs> graphs,
                                       std::size_t outputs, attribute_list attributes = {}) -> text_buffer {
  program_builder b;
  const auto root = b.current();
  vector<graph_id> ids;
  for (const auto& graph : graphs) {
    ids.push_back(b.add_graph("inner"));
    const auto state = b.mutable_buffer("state", tensor(int8, 9));
    b.mutation(state, "state");  // is not one of the outputs
    for (const auto& type : graph.types) b.output(b.user_input("y", type));
  }
  b.enter(root);
  vector<value_id> input_ids, output_ids;
  for (const auto& input : inputs) input_ids.push_back(b.user_input("x", input.type));
  for (std::size_t o = 0; o < outputs; ++o) output_ids.push_back(b.add_value(b.make_value("y", tensor(float32), value_kind::intermediate)));
  b.add_node(b.make_node("node", op), input_ids, output_ids, {attributes.begin(), attributes.size()});
  b.set_subgraphs(ids);
  return text_of(b.finish());
}
constexpr auto subgraphs_determine_the_types() -> bool {
  const auto flag = in(boolean), x = in(int8, 4, 3);
  constexpr auto row = tensor(int8, 2, 3), rows = tensor(int8, 4, 3), open = tensor(int8, -1, 3), wide = tensor(int16, 2, 3);
  return is(inferred_with_subgraphs("tfl.if", {flag, x}, {{{row, wide}}, {{row, wide}}}, 2), "int8 [2 3], int16 [2 3]") &&
         is(inferred_with_subgraphs("cond", {flag}, {{{row}}, {{rows}}}, 1), "int8 [? 3]") &&
         is(inferred_with_subgraphs("cond", {flag}, {{{row}}, {{wide}}}, 1), "? [2 3]") &&
         is(inferred_with_subgraphs("cond", {flag}, {{{row}}, {{tensor(int8, 2)}}}, 1), "int8 ?") &&
         is(inferred_with_subgraphs("tfl.if", {flag}, {{{row}}}, 1), "subgraph 1 is missing") &&
         is(inferred_with_subgraphs("tfl.if", {flag}, {{{row}}, {{row, row}}}, 1),
            "subgraph 1 returns 2 values, but the node has 1 output") &&
         is(inferred_with_subgraphs("tfl.while", {x, flag}, {{{tensor(boolean)}}, {{rows, tensor(boolean)}}}, 2),
            "int8 [4 3], boolean []") &&
         is(inferred_with_subgraphs("while_loop", {x}, {{{tensor(boolean)}}, {{open}}}, 1), "int8 [? 3]") &&
         is(inferred_with_subgraphs("while_loop", {in(int8, -1, 3)}, {{{tensor(boolean)}}, {{rows}}}, 1), "int8 [? 3]") &&
         is(inferred_with_subgraphs("tfl.while", {x}, {{{tensor(boolean)}}, {{}}}, 1),
            "subgraph 1 returns 0 values, but the node has 1 output") &&
         is(inferred_with_subgraphs("map", {x, flag}, {{{row}}}, 1, {{"mapped", 1}}), "int8 [4 2 3]") &&
         is(inferred_with_subgraphs("map", {flag}, {{{row}}}, 1, {{"mapped", 1}}), "operand 0 is missing or a scalar") &&
         is(inferred_with_subgraphs("scan", {in(int8, 2, 3), x}, {{{row, wide}}}, 2, {{"carried", 1}, {"scanned", 1}}),
            "int8 [2 3], int16 [4 2 3]") &&
         is(inferred_with_subgraphs("scan", {in(int8, 5, 3), x}, {{{row}}}, 1, {{"carried", 1}, {"scanned", 1}}), "int8 [? 3]") &&
         inferred_with_subgraphs("tfl.call_once", {}, {{{}}}, 0).empty() &&
         is(inferred_with_subgraphs("tfl.call_once", {}, {{{}}}, 1), "the operator has no outputs, the node has 1");
}
static_assert(subgraphs_determine_the_types());

constexpr auto operators_of_pytorch_are_inferred() -> bool {
  const auto x = in(float32, 2, 1, 3), y = in(float32, 4, 3), i = in(int64, 3);
  constexpr std::int64_t turned[] = {2, 0, 1}, two[] = {2, 2}, one_of_each[] = {1, 1}, open_size[] = {3, -1};
  return is(inferred("aten.add.Tensor", {x, y}), "float32 [2 4 3]") && is(inferred("aten.sub.Tensor", {x, i}), "? [2 1 3]") &&
         is(inferred("aten.mul.Tensor", {i}), "? [3]") && is(inferred("aten.mul.Tensor", {x}), "float32 [2 1 3]") &&
         is(inferred("aten.add.Tensor", {y, in(float32, 2)}), "the shapes of operands 0 and 1 cannot be broadcast") &&
         is(inferred("aten.div.Tensor", {i, i}), "? [3]") && is(inferred("aten.div.Tensor", {y}), "float32 [4 3]") &&
         is(inferred("aten.lt.Tensor", {y, i}), "boolean [4 3]") && is(inferred("aten.gt.Scalar", {i}), "boolean [3]") &&
         is(inferred("aten.gcd.default", {i, i}), "int64 [3]") && is(inferred("aten.relu.default", {i}), "int64 [3]") &&
         is(inferred("aten.sin.default", {i}), "? [3]") && is(inferred("aten.sigmoid.default", {y}), "float32 [4 3]") &&
         is(inferred("aten.mm.default", {in(float32, 2, 3), in(float32, 3, 5)}), "float32 [2 5]") &&
         is(inferred("aten.mm.default", {in(float32, 2, 3), in(float32, 4, 5)}), "rows of 3 elements do not match columns of 4") &&
         is(inferred("aten.bmm.default", {in(float32, 7, 2, 3), in(float32, 7, 3, 5)}), "float32 [7 2 5]") &&
         is(inferred("aten.bmm.default", {in(float32, 7, 2, 3), in(float32, 6, 3, 5)}), "a batch of 7 does not match a batch of 6") &&
         is(inferred("aten.addmm.default", {in(float32, 5), in(float32, 2, 3), in(float32, 3, 5)}), "float32 [2 5]") &&
         is(inferred("aten.addmm.default", {in(float32, 4), in(float32, 2, 3), in(float32, 3, 5)}), "operand 0 does not fit the product") &&
         is(inferred("aten.linear.default", {x, in(float32, 6, 3)}), "float32 [2 1 6]") &&
         is(inferred("aten.linear.default", {x, in(float32, 6, 4)}), "the weights have 4 columns, the rows of the input have 3 elements") &&
         is(inferred("aten.dot.default", {in(float32, 3), in(float32, 3)}), "float32 []") &&
         is(inferred("aten.dot.default", {in(float32, 3), in(float32, 4)}), "a vector of 3 elements does not match a vector of 4") &&
         is(inferred("aten.convolution.default", {in(float32, 1, 4, 9, 8), in(float32, 6, 4, 3, 3)}), "float32 [1 6 7 6]") &&
         is(inferred("aten.convolution.default", {in(float32, 1, 4, 9, 8), in(float32, 6, 2, 3, 3)},
                     {{"groups", 2}, {"stride", two}, {"padding", one_of_each}}),
            "float32 [1 6 5 4]") &&
         is(inferred("aten.convolution.default", {in(float32, 4, 9), in(float32, 6, 4, 3)}), "float32 [6 7]") &&
         is(inferred("aten.convolution.default", {in(float32, 1, 4, 9, 8), in(float32, 6, 3, 3, 3)}),
            "the filter needs 3 channels, the input has 4") &&
         is(inferred("aten.convolution.default", {in(float32, 1, 4, 9, 8), in(float32, 6, 4, 3, 3)}, {{"transposed", true}}),
            "float32 ?") &&
         is(inferred("aten.convolution.default", {in(float32, 4), in(float32, 6, 4, 3)}), "the filter has 3 dimensions, the input 1") &&
         is(inferred("aten.view_copy.default", {y}, {{"size", open_size}}), "float32 [3 4]") &&
         is(inferred("aten.view.default", {y}), "float32 ?") &&
         is(inferred("aten.unsqueeze_copy.default", {y}, {{"dim", -1}}), "float32 [4 3 1]") &&
         is(inferred("aten.unsqueeze.default", {y}, {{"dim", 4}}), "there is no dimension 4") &&
         is(inferred("aten.squeeze_copy.default", {x}), "float32 [2 3]") && is(inferred("aten.alias.default", {i}), "int64 [3]") &&
         is(inferred("aten.flatten.using_ints", {x}), "float32 ?") &&
         is(inferred("aten.permute_copy.default", {x}, {{"dims", turned}}), "float32 [3 2 1]") &&
         is(inferred("aten.permute_copy.default", {y}, {{"dims", turned}}), "the permutation has 3 dimensions, the input 2") &&
         is(inferred("aten.repeat.default", {y}, {{"repeats", turned}}), "float32 [2 0 3]") &&
         is(inferred("aten.repeat.default", {x}, {{"repeats", two}}), "2 repeats for 3 dimensions") &&
         is(inferred("aten.cat.default", {y, in(float32, 2, 3)}, {{"dim", 0}}), "float32 [6 3]") &&
         is(inferred("aten.cat.default", {y, in(float32, 2, 3)}, {{"dim", 1}}),
            "dimension 0 of operand 1 is 2, but in earlier operands 4") &&
         is(inferred("aten.split.Tensor", {y}, {{"dim", 0}}, 2), "float32 [? 3], float32 [? 3]") &&
         is(inferred("aten.select_copy.int", {x}, {{"dim", 1}, {"index", 0}}), "float32 [2 3]") &&
         is(inferred("aten.select_copy.int", {y}, {{"dim", 2}}), "there is no dimension 2") &&
         is(inferred("aten.sum.default", {y}), "float32 []") && is(inferred("aten.sum.default", {i}), "? []");
}
static_assert(operators_of_pytorch_are_inferred());

constexpr auto operators_without_a_rule_do_not_fail() -> bool {
  return is(inferred("my.fft", {in(float32, 8)}), "no rule") && is(inferred("tfl.var_handle", {}), "no rule");
}
static_assert(operators_without_a_rule_do_not_fail());

// A user-defined rule, and one that overrides a rule of the library.
constexpr operand_definition fft_operands[] = {{"signal"}};
constexpr void infer_fft(inference& node) {
  if (!node.require_rank(0, 1)) return;
  const auto size = node.size(0, 0);
  if (size >= 0 && size % 2 != 0) return node.fail({"a signal of ", size, " elements"});
  node.set_output(0, complex64, {size < 0 ? -1 : size / 2 + 1});
}
constexpr operator_definition my_operators[] = {
    {.name = "my.fft", .operands = fft_operands, .infer = infer_fft},
    {.name = "tfl.relu", .infer = nullptr},
};
constexpr auto user_defined_rules_come_first() -> bool {
  return is(inferred("my.fft", {in(float32, 8)}, {}, 1, my_operators), "complex64 [5]") &&
         is(inferred("my.fft", {in(float32, -1)}, {}, 1, my_operators), "complex64 [?]") &&
         is(inferred("my.fft", {in(float32, 7)}, {}, 1, my_operators), "a signal of 7 elements") &&
         is(inferred("my.fft", {}, {}, 1, my_operators), "operand 0, signal, is missing") &&
         is(inferred("tfl.relu", {in(float32, 8)}, {}, 1, my_operators), "no rule");
}
static_assert(user_defined_rules_come_first());

/// A shape with too many dimensions, or with numbers out of range, is unknown and does not overflow.
constexpr auto too_large_shapes_are_unknown() -> bool {
  const auto nine = [](std::string_view op) {
    program_builder b;
    constexpr std::int64_t sizes[9] = {1, 1, 1, 1, 1, 1, 1, 1, 2};
    auto record = b.make_value("x", tensor(int8), value_kind::user_input);
    record.shape = b.integers(sizes);
    const auto x = b.add_input(record);
    b.output(b.call(op, {x, x}, tensor(int8)));
    const auto program = b.finish();
    const auto types = infer(program, program.nodes[0]);
    return types && !types.value.empty() && !types.value[0].has_shape;
  };
  return nine("tfl.relu") && nine("tfl.add") && nine("tfl.concatenation") && nine("tfl.pack") &&
         is(inferred("tfl.relu", {in(int8, INT64_MAX, 0)}), "int8 [9223372036854775807 0]") &&
         is(inferred("tfl.tile", {in(int8, INT64_MAX, 0), fixed({2, 2})}), "int8 [? 0]") &&
         is(inferred("tfl.conv_2d", {in(int8, 1, INT64_MAX, INT64_MAX, 0), in(int8, 1, INT64_MAX, 1, 0)},
                     {{"stride_h", INT64_MAX}, {"stride_w", INT64_MIN}}),
            "int8 [1 ? ? 1]");
}
static_assert(too_large_shapes_are_unknown());

/// Whether every rule of `family` handles any operands: none, too few, omitted, with too few or too many dimensions, without elements.
constexpr auto rules_handle_any_operands(operator_list family) -> bool {
  for (const auto& definition : family) {
    const auto name = definition.name.text;
    if (inferred(name, {}, {}, 2).empty() || inferred(name, {in(int8)}, {}, 2).empty()) return false;
    if (inferred(name, {omitted, omitted, omitted}, {}, 2).empty()) return false;
    for (const auto& all : {in(int8), in(int32, 0), in(int32, 1), fixed({}), fixed({-7}), one(-9), fixed({0, 0, 0, 0}),
                            in(float32, 1, -1, 0, 2), in(int8, 2, 2, 2, 2, 2, 2, 2, 2)}) {
      if (inferred(name, {all, all, all, all, all, all, all, all, all}, {}, 2).empty()) return false;
    }
  }
  return true;
}
constexpr auto every_rule_handles_any_operands() -> bool {
  for (const auto family : known_operators) {
    if (!rules_handle_any_operands(family)) return false;
  }
  return true;
}
static_assert(rules_handle_any_operands(definitions::joining));
static_assert(rules_handle_any_operands(definitions::pooling));

TEST_CASE("every inference rule handles any operands") { CHECK(every_rule_handles_any_operands()); }

TEST_CASE("infer returns the types of outputs from operands and attributes") {
  CHECK(convolutions_are_inferred());
  CHECK(convolutions_with_pads_are_inferred());
  CHECK(poolings_are_inferred());
  CHECK(padded_poolings_are_inferred());
  CHECK(quantized_elements_are_inferred());
  CHECK(products_are_inferred());
  CHECK(shapes_are_broadcast());
  CHECK(elementwise_operators_keep_the_shape());
  CHECK(reshapes_are_inferred());
  CHECK(concatenations_and_splits_are_inferred());
  CHECK(slices_are_inferred());
  CHECK(layout_changes_are_inferred());
  CHECK(producers_are_inferred());
  CHECK(reductions_are_inferred());
  CHECK(recurrence_is_inferred());
  CHECK(basic_lstm_is_inferred());
  CHECK(both_directions_are_inferred());
  CHECK(subgraphs_determine_the_types());
  CHECK(operators_of_pytorch_are_inferred());
  CHECK(operators_without_a_rule_do_not_fail());
  CHECK(user_defined_rules_come_first());
  CHECK(too_large_shapes_are_unknown());
}

}  // namespace
