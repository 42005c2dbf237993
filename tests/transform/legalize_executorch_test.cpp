// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of ExecuTorch's files become operators of the kernels. The files themselves are tested in tests/formats.
#include <baton/transform/legalize_executorch.hpp>

#include "laws/pass.hpp"
#include "transform/qdq_builder.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/operators/executorch.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/legalize.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace baton;

/// Builds a program of the dialect of ExecuTorch's files.
class draft {
 public:
  constexpr auto input(std::string_view name, const tensor_type& type) -> value_id { return builder_.user_input(name, type); }
  /// Adds a constant whose elements are all 0.
  constexpr auto zeros(std::string_view name, const tensor_type& type) -> value_id {
    text_buffer bytes;
    for (std::int64_t i = 0; i < byte_count(type.type, type.shape()); ++i) bytes.push_back('\0');
    return builder_.constant(name, type, view(bytes));
  }
  /// Adds a constant of int32 numbers that are all equal.
  constexpr auto numbers(std::string_view name, std::int64_t count, std::int32_t number) -> value_id {
    text_buffer bytes;
    for (std::int64_t i = 0; i < 4 * count; ++i) bytes.push_back(static_cast<char>(number >> (i % 4 * 8) & 0xff));
    return builder_.constant(name, tensor(dtype::int32, count), view(bytes));
  }
  constexpr auto call(std::string_view op, std::initializer_list<value_id> operands, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    return builder_.call(op, operands, type, literals);
  }
  constexpr auto finish(value_id output) -> exported_program {
    builder_.output(output);
    auto program = builder_.finish();
    program.dialect = &executorch::dialect;
    return program;
  }

 private:
  program_builder builder_;
};

constexpr std::int64_t two[] = {2, 2}, one[] = {1, 1}, none_of[] = {0, 0}, factor_values[] = {1 << 30}, factor_shifts[] = {-4};
constexpr auto list(span<const std::int64_t> numbers) -> span<const std::int64_t> { return numbers; }

/// The start of ExecuTorch's `digits_cnn`: an input of one channel whose order is ambiguous, images with the channels last, and a copy that
/// brings the channels to the front before they are flattened.
constexpr auto small_network() -> exported_program {
  draft d;
  constexpr std::int64_t input_orders[] = {0, 2, 1, 3, 0, 2, 1, 3}, copy_orders[] = {0, 2, 3, 1, 0, 1, 2, 3};
  constexpr std::int64_t conv_orders[] = {0, 2, 1, 3, 0, 1, 2, 3, 0, 0, 0, 0, 2, 3, 1}, pool_orders[] = {0, 2, 3, 1, 0, 2, 3, 1};
  const auto x = d.input("x", tensor(dtype::float32, 1, 8, 1, 8));
  const auto q = d.call("cortex_m.quantize_per_tensor.out", {x}, tensor(dtype::int8, 1, 8, 1, 8),
                        {{"arg_1", 0.5}, {"arg_2", -128}, {"arg_3", -128}, {"arg_4", 127}, {"dim_orders", list(input_orders)}});
  const auto conv = d.call("cortex_m.quantized_depthwise_conv2d.out",
                           {q, d.zeros("filter", tensor(dtype::int8, 1, 3, 3, 4)), d.numbers("bias", 4, 5),
                            d.numbers("multipliers", 4, 1 << 30), d.numbers("shifts", 4, -4)},
                           tensor(dtype::int8, 1, 8, 8, 4),
                           {{"arg_3", list(one)},
                            {"arg_4", list(one)},
                            {"arg_5", list(one)},
                            {"arg_6", 4},
                            {"arg_7", 128},
                            {"arg_8", -128},
                            {"arg_11", -128},
                            {"arg_12", 127},
                            {"dim_orders", list(conv_orders)}});
  const auto pool = d.call("cortex_m.quantized_max_pool2d.out", {conv}, tensor(dtype::int8, 1, 4, 4, 4),
                           {{"arg_1", list(two)},
                            {"arg_2", list(two)},
                            {"arg_3", list(none_of)},
                            {"arg_4", list(one)},
                            {"arg_5", 0},
                            {"arg_6", -128},
                            {"arg_7", -128},
                            {"arg_8", -128},
                            {"arg_9", 127},
                            {"dim_orders", list(pool_orders)}});
  const auto copy =
      d.call("dim_order_ops._clone_dim_order.out", {pool}, tensor(dtype::int8, 1, 4, 4, 4), {{"dim_orders", list(copy_orders)}});
  const auto row = d.call("aten.view_copy.out", {copy}, tensor(dtype::int8, 1, 64));
  const auto linear = d.call("cortex_m.quantized_linear.out", {row, d.zeros("weights", tensor(dtype::int8, 3, 64)), d.numbers("b", 3, 0)},
                             tensor(dtype::int8, 1, 3),
                             {{"arg_4", 128},
                              {"arg_5", 0},
                              {"arg_6", 7},
                              {"arg_7", list(factor_values)},
                              {"arg_8", list(factor_shifts)},
                              {"arg_9", 127},
                              {"arg_10", -128}});
  return d.finish(d.call("cortex_m.dequantize_per_tensor.out", {linear}, tensor(dtype::float32, 1, 3),
                         {{"arg_1", 0.25}, {"arg_2", 7}, {"arg_3", -128}, {"arg_4", 127}}));
}

constexpr auto cortex_m_operators_become_operators_with_factors() -> bool {
  const auto program = small_network();
  const auto result = legalize_executorch::run(program);
  if (!result || verify(program) || !legalize::is_needed(program)) return false;
  const program_view legal = result.value;
  for (const auto& record : legal.nodes) {
    if (record.is("baton.depthwise_conv_2d") && (legal.integer(record, "input_zero_point") != -128 || record.debug_handle != 2))
      return false;
    if (record.is("baton.fully_connected") && (record.inputs.size != 5 || legal.integer(record, "output_zero_point") != 7)) return false;
  }
  return qdq::has_operators(legal,
                            "baton.quantize tfl.reshape baton.depthwise_conv_2d baton.max_pool_2d tfl.transpose tfl.reshape "
                            "baton.fully_connected tfl.dequantize ") &&
         laws::pass::static_laws<legalize_executorch>(program);
}
static_assert(cortex_m_operators_become_operators_with_factors());

/// A pool directly after the quantization of the input.
constexpr auto a_pool_beside_a_conversion_has_the_quantization_of_one_side() -> bool {
  draft d;
  const auto x = d.input("x", tensor(dtype::float32, 1, 4, 4, 4));
  const auto q = d.call("cortex_m.quantize_per_tensor.out", {x}, tensor(dtype::int8, 1, 4, 4, 4),
                        {{"arg_1", 0.5}, {"arg_2", -128}, {"arg_3", -128}, {"arg_4", 127}});
  const auto program = d.finish(d.call("cortex_m.quantized_max_pool2d_nhwc.out", {q}, tensor(dtype::int8, 1, 2, 2, 4),
                                       {{"arg_1", list(two)},
                                        {"arg_2", list(two)},
                                        {"arg_3", list(none_of)},
                                        {"arg_4", list(one)},
                                        {"arg_5", 0},
                                        {"arg_6", -128},
                                        {"arg_7", -128},
                                        {"arg_8", -128},
                                        {"arg_9", 127}}));
  const auto result = legalize_executorch::run(program);
  if (!result) return false;
  const program_view legal = result.value;
  for (const auto& record : legal.nodes) {
    if (!record.is("baton.max_pool_2d")) continue;
    return legal[legal.inputs(record)[0]].quant.channels == 1 && legal[legal.outputs_of(record)[0]].quant.channels == 0;
  }
  return false;
}
static_assert(a_pool_beside_a_conversion_has_the_quantization_of_one_side());

/// A portable network: a convolution, an activation, a pool and a product with transposed weights.
constexpr auto portable_network() -> exported_program {
  draft d;
  constexpr std::int64_t swap[] = {1, 0}, row_sizes[] = {1, 32};
  const auto x = d.input("x", tensor(dtype::float32, 1, 1, 4, 4));
  const auto conv =
      d.call("aten.convolution.out", {x, d.zeros("filter", tensor(dtype::float32, 8, 1, 3, 3)), d.zeros("bias", tensor(dtype::float32, 8))},
             tensor(dtype::float32, 1, 8, 4, 4),
             {{"arg_3", list(one)}, {"arg_4", list(one)}, {"arg_5", list(one)}, {"arg_6", 0}, {"arg_7", list(none_of)}, {"arg_8", 1}});
  const auto relu = d.call("aten.relu.out", {conv}, tensor(dtype::float32, 1, 8, 4, 4));
  const auto pool = d.call("aten.max_pool2d_with_indices.out", {relu}, tensor(dtype::float32, 1, 8, 2, 2),
                           {{"arg_1", list(two)}, {"arg_3", list(none_of)}, {"arg_4", list(one)}, {"arg_5", 0}});
  const auto row = d.call("aten.view_copy.out", {pool}, tensor(dtype::float32, 1, 32), {{"arg_1", list(row_sizes)}});
  const auto weights = d.call("aten.permute_copy.out", {d.zeros("weights", tensor(dtype::float32, 3, 32))}, tensor(dtype::float32, 32, 3),
                              {{"arg_1", list(swap)}});
  return d.finish(d.call("aten.addmm.out", {d.zeros("b", tensor(dtype::float32, 3)), row, weights}, tensor(dtype::float32, 1, 3),
                         {{"arg_3", 1}, {"arg_4", 1}}));
}
/// The flattened image is not brought back to the order of the file, because the weights are permuted.
constexpr auto portable_operators_become_operators_of_the_kernels() -> bool {
  const auto program = portable_network();
  const auto result = legalize_executorch::run(program);
  return result && !verify(program) &&
         qdq::has_operators(result.value, "tfl.reshape tfl.conv_2d tfl.relu tfl.max_pool_2d tfl.reshape tfl.fully_connected ") &&
         laws::pass::static_laws<legalize_executorch>(program);
}
static_assert(portable_operators_become_operators_of_the_kernels());

/// Returns the operators that replace one node with an input of this type and order, or the reason why it is refused.
auto replacement(std::string_view op, const tensor_type& in, const tensor_type& out, std::initializer_list<named_literal> literals,
                 bool has_two = false) -> std::string {
  draft d;
  const auto x = d.input("x", in);
  const auto y = has_two ? d.call(op, {x, x}, out, literals) : d.call(op, {x}, out, literals);
  const auto program = d.finish(y);
  const auto result = legalize_executorch::run(program);
  if (!result) return std::string(view(result.error.reason));
  CHECK(!verify(result.value));
  return std::string(view(qdq::operators_in(result.value)));
}

}  // namespace

static_assert(detail::zero_point_of(-128) == 128 && detail::zero_point_of(INT64_MIN) == INT64_MIN);  // damaged files have any number

TEST_CASE("cortex_m operators become operators with factors, channels last without a copy") {
  CHECK(cortex_m_operators_become_operators_with_factors());
  CHECK(a_pool_beside_a_conversion_has_the_quantization_of_one_side());
}

TEST_CASE("portable operators become operators of the kernels, and weights are permuted instead of images") {
  CHECK(portable_operators_become_operators_of_the_kernels());
}

TEST_CASE("pads, transposes and copies follow the orders of dimensions") {
  constexpr auto image = tensor(dtype::int8, 1, 4, 5, 3), padded = tensor(dtype::int8, 1, 6, 5, 3);
  constexpr std::int64_t orders[] = {0, 2, 3, 1, 0, 2, 3, 1}, before[] = {0, 1, 0, 0}, after[] = {0, 1, 0, 0}, nothing[] = {0, 0, 0, 0};
  CHECK(replacement("cortex_m.pad.out", image, padded,
                    {{"arg_1", list(before)}, {"arg_2", list(after)}, {"arg_3", -7}, {"dim_orders", list(orders)}}) == "tfl.padv2 ");
  CHECK(replacement("cortex_m.pad.out", image, image, {{"arg_1", list(nothing)}, {"arg_2", list(nothing)}, {"dim_orders", list(orders)}}) ==
        "tfl.reshape ");
  constexpr std::int64_t to_front[] = {0, 3, 1, 2};
  CHECK(replacement("cortex_m.transpose.out", image, tensor(dtype::int8, 1, 3, 4, 5), {{"arg_1", list(to_front)}}) == "tfl.transpose ");
  constexpr std::int64_t to_first[] = {0, 2, 3, 1, 0, 1, 2, 3}, damaged[] = {0, 2, 2, 1, 0, 1, 2, 3};
  CHECK(replacement("dim_order_ops._clone_dim_order.out", image, tensor(dtype::int8, 1, 3, 4, 5), {{"dim_orders", list(to_first)}}) ==
        "tfl.transpose ");
  CHECK(replacement("dim_order_ops._clone_dim_order.out", image, tensor(dtype::int8, 1, 3, 4, 5), {{"dim_orders", list(damaged)}}) ==
        "dim_orders has no order of dimensions for tensor 0");
}

TEST_CASE("portable operators read tensors in the order of their dimensions") {
  constexpr auto image = tensor(dtype::float32, 1, 4, 5, 3), first = tensor(dtype::float32, 1, 3, 4, 5);
  constexpr std::int64_t last[] = {0, 2, 3, 1, 0, 2, 3, 1}, to_first[] = {0, 2, 3, 1, 0, 1, 2, 3}, three[] = {3, 3};
  constexpr auto pooled = tensor(dtype::float32, 1, 2, 3, 3), pooled_first = tensor(dtype::float32, 1, 3, 2, 3);
  const auto pool = [&](const tensor_type& in, const tensor_type& out, std::initializer_list<named_literal> literals) {
    return replacement("aten.avg_pool2d.out", in, out, literals);
  };
  // An image that is stored with the channels last stays in place: the reshapes do nothing.
  CHECK(pool(image, pooled, {{"arg_1", list(three)}, {"arg_2", list(one)}, {"dim_orders", list(last)}}) ==
        "tfl.reshape tfl.average_pool_2d tfl.reshape ");
  CHECK(pool(image, pooled_first, {{"arg_1", list(three)}, {"arg_2", list(one)}, {"dim_orders", list(to_first)}}) ==
        "tfl.reshape tfl.average_pool_2d tfl.transpose ");
  CHECK(pool(first, pooled_first, {{"arg_1", list(three)}, {"arg_2", list(one)}}) == "tfl.transpose tfl.average_pool_2d tfl.transpose ");
  CHECK(replacement("aten.relu.out", image, image, {{"dim_orders", list(last)}}) == "tfl.relu ");
  CHECK(replacement("aten.relu.out", image, first, {{"dim_orders", list(to_first)}}) ==
        "its tensors are stored in different orders of dimensions");
  constexpr std::int64_t channels[] = {1};
  CHECK(replacement("aten.mean.out", image, tensor(dtype::float32, 1, 4, 5),
                    {{"arg_1", list(channels)}, {"arg_2", 0}, {"dim_orders", list(to_first)}}) == "tfl.transpose tfl.mean ");
}

TEST_CASE("positional arguments of portable operators keep their meaning") {
  constexpr auto row = tensor(dtype::float32, 2, 6), scalar = tensor(dtype::float32);
  CHECK(replacement("aten.select_copy.int_out", row, tensor(dtype::float32, 2), {{"arg_1", -1}, {"arg_2", -2}}) ==
        "tfl.slice tfl.reshape ");
  CHECK(replacement("aten.select_copy.int_out", row, tensor(dtype::float32, 2), {{"arg_1", 1}, {"arg_2", 6}}) ==
        "there is no position 6 in dimension 1");
  CHECK(replacement("aten.sum.IntList_out", row, scalar, {{"arg_1", list({})}, {"arg_2", 0}}) == "tfl.sum ");
  CHECK(replacement("aten.add.out", row, row, {{"arg_2", 2.0}}, true) == "tfl.mul tfl.add ");
  CHECK(replacement("aten.pow.Tensor_Scalar_out", row, row, {{"arg_1", 0.5}}) == "tfl.sqrt ");
  CHECK(replacement("aten.avg_pool2d.out", tensor(dtype::float32, 1, 1, 4, 4), tensor(dtype::float32, 1, 1, 2, 2),
                    {{"arg_1", list(two)}, {"arg_6", 3}}) == "divisor_override is not supported");
}

TEST_CASE("slices, pads and resized images that are stored with the channels last stay in place") {
  constexpr auto image = tensor(dtype::float32, 1, 4, 5, 3), larger = tensor(dtype::float32, 1, 8, 10, 3);
  constexpr std::int64_t last[] = {0, 2, 3, 1, 0, 2, 3, 1}, sizes[] = {8, 10}, pads[] = {0, 0, 1, 1};
  CHECK(replacement("aten.upsample_nearest2d.vec_out", image, larger, {{"arg_1", list(sizes)}, {"dim_orders", list(last)}}) ==
        "tfl.reshape tfl.resize_nearest_neighbor tfl.reshape ");
  CHECK(replacement("aten.upsample_bilinear2d.vec_out", image, larger,
                    {{"arg_1", list(sizes)}, {"arg_2", 0}, {"dim_orders", list(last)}}) == "tfl.reshape tfl.resize_bilinear tfl.reshape ");
  CHECK(replacement("aten.hardtanh.out", image, image, {{"arg_1", 0.0}, {"arg_2", 6.0}, {"dim_orders", list(last)}}) == "tfl.relu6 ");
  CHECK(replacement("aten.constant_pad_nd.out", image, tensor(dtype::float32, 1, 6, 5, 3),
                    {{"arg_1", list(pads)}, {"arg_2", 0}, {"dim_orders", list(last)}}) == "tfl.transpose tfl.pad tfl.transpose ");
}

TEST_CASE("nodes that cannot be replaced are refused with a reason") {
  constexpr auto image = tensor(dtype::float32, 1, 2, 5, 6), matrix = tensor(dtype::float32, 4, 6);
  constexpr std::int64_t cut[] = {-1, 0}, three[] = {3, 3};
  CHECK(replacement("aten._adaptive_avg_pool2d.out", image, tensor(dtype::float32, 1, 2, 3, 3), {{"arg_1", list(three)}}) ==
        "input size 5 is not a multiple of output size 3; use a pool with an explicit window size");
  CHECK(replacement("aten.constant_pad_nd.out", matrix, tensor(dtype::float32, 4, 5), {{"arg_1", list(cut)}, {"arg_2", 0}}) ==
        "a negative padding is not supported");
  CHECK(replacement("aten.avg_pool2d.out", tensor(dtype::float32, 1, 3, 3), tensor(dtype::float32, 1, 1, 1), {{"arg_1", list(three)}}) ==
        "images without batches are not supported; add a dimension to them");
  CHECK(replacement("aten.lt.Scalar_out", tensor(dtype::int8, 4), tensor(dtype::boolean, 4), {{"arg_1", 300}}) ==
        "the number 300 does not fit int8");
  CHECK(replacement("aten.lt.Scalar_out", tensor(dtype::int32, 4), tensor(dtype::boolean, 4), {{"arg_1", 2.5}}) ==
        "argument 1 is not a number of the type int32");
  CHECK(replacement("aten.arange.start_out", matrix, tensor(dtype::int64, 3), {{"arg_0", INT64_MAX}, {"arg_2", 1}}) ==
        "a range of large integers is not supported");
  CHECK(replacement("aten.arange.start_out", matrix, tensor(dtype::int8, 3), {{"arg_0", 1}}) == "a range of int8 is not supported");
  CHECK(replacement("aten.slice_copy.Tensor_out", matrix, matrix, {{"arg_1", 2}}) == "there is no dimension 2");
  CHECK(replacement("aten.slice_copy.Tensor_out", matrix, matrix, {{"arg_1", 0}, {"arg_4", -1}}) ==
        "the step of a slice must be positive, not -1");
  CHECK(replacement("aten.narrow_copy.out", matrix, tensor(dtype::float32, 4, 3), {{"arg_1", -1}, {"arg_2", 4}, {"arg_3", 3}}) ==
        "the slice of 3 elements at position 4 is not inside dimension 1, which has 6 elements");
  CHECK(replacement("aten.narrow_copy.out", matrix, tensor(dtype::float32, 4, 3), {{"arg_1", 1}, {"arg_2", -7}, {"arg_3", 3}}) ==
        "the slice of 3 elements at position -7 is not inside dimension 1, which has 6 elements");
  CHECK(replacement("aten.index.Tensor_out", matrix, matrix, {}) == "positions must be given for one dimension, not for 0");
  CHECK(replacement("aten.bitwise_and.Tensor_out", tensor(dtype::int32, 4), tensor(dtype::int32, 4), {}, true) ==
        "this bitwise function is supported only for booleans, not for int32");
  CHECK(replacement("aten.div.out_mode", matrix, matrix, {{"arg_2", "up"}}, true) == "the rounding mode up is not supported");
  CHECK(replacement("aten.unbind_copy.int_out", matrix, tensor(dtype::float32, 6), {{"arg_1", 0}}) ==
        "dimension 0 has 4 elements, but the node has 1 output");
  constexpr auto row = tensor(dtype::int8, 1, 4);
  CHECK(replacement("cortex_m.softmax.out", row, row, {{"arg_1", 0}, {"arg_3", -128}}) ==
        "softmax is supported only along the dimension that is last in memory, not along dimension 0");
  CHECK(replacement("cortex_m.quantized_linear.out", row, row, {{"arg_5", 1}}, true) == "the weights have a zero point other than 0");
  CHECK(replacement("cortex_m.quantize_per_tensor.out", tensor(dtype::float32, 4), tensor(dtype::int8, 4),
                    {{"arg_1", 1.0}, {"arg_3", -127}, {"arg_4", 127}}) ==
        "quantization to int8 with the range -127 to 127 is not supported; the type must be int8, uint8 or int16 with its whole range");
  CHECK(replacement("cortex_m.unknown.out", row, row, {}) == "no legalization of this operator exists");
  CHECK(replacement("aten.add.Tensor", row, row, {}, true) == "aten.add.Tensor ");  // an operator of torch.export
}
