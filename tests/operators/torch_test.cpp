// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The dialect of torch.export: consistent definitions, the types that they infer, and the defaults of omitted arguments.
#include <baton/operators/torch.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>

#include "operators/inferred_text.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using namespace inferred_text;
using enum dtype;

constexpr inferred_in type_of{torch::dialect};

static_assert(count_of_functions(torch::detail::operator_families, torch::dialect) > 200);
static_assert(torch::dialect.find(hash_of("aten.add_.Tensor")) == nullptr);

constexpr auto layers_infer_sizes() -> bool {
  const auto image = in(float32, 1, 3, 9, 8), filter = in(float32, 6, 3, 3, 3);
  return is(type_of("aten.conv2d.default", {image, filter}), "float32 [1 6 7 6]") &&
         is(type_of("aten.conv2d.default", {image, filter, omitted}, {{"arg_3", list<2, 2>}, {"arg_4", list<1, 1>}}),
            "float32 [1 6 5 4]") &&
         is(type_of("aten.conv2d.padding", {image, filter}, {{"arg_4", "same"}}), "float32 [1 6 ? ?]") &&
         is(type_of("aten.conv2d.default", {image, in(float32, 6, 2, 3, 3)}), "the weights need 2 channels, the input has 3") &&
         is(type_of("aten.conv1d.default", {in(float32, 1, 4, 10), in(float32, 2, 4, 3)}, {{"arg_4", list<1>}}), "float32 [1 2 10]") &&
         is(type_of("aten.conv_transpose2d.input", {in(float32, 1, 3, 4, 4), in(float32, 3, 5, 2, 2)}, {{"arg_3", list<2, 2>}}),
            "float32 [1 5 8 8]") &&
         is(type_of("aten.convolution.default", {in(float32, 1, 3, 4, 4), in(float32, 3, 5, 2, 2)},
                    {{"arg_3", list<2, 2>}, {"arg_6", 1}, {"arg_7", list<1, 1>}}),
            "float32 [1 5 9 9]") &&
         is(type_of("aten.max_pool2d.default", {image}, {{"arg_1", list<2, 2>}}), "float32 [1 3 4 4]") &&
         is(type_of("aten.avg_pool2d.default", {image}, {{"arg_1", list<3, 3>}, {"arg_2", list<1, 1>}}), "float32 [1 3 7 6]") &&
         is(type_of("aten.adaptive_avg_pool2d.default", {image}, {{"arg_1", list<1, 1>}}), "float32 [1 3 1 1]") &&
         is(type_of("aten.linear.default", {in(float32, 2, 5), in(float32, 3, 5)}), "float32 [2 3]") &&
         is(type_of("aten.matmul.default", {in(float32, 4, 1, 2, 5), in(float32, 3, 5, 7)}), "float32 [4 3 2 7]") &&
         is(type_of("aten.matmul.default", {in(float32, 4, 2, 5), in(float32, 5)}), "float32 [4 2]") &&
         is(type_of("aten.matmul.default", {in(float32, 5), in(float32, 4, 5, 7)}), "float32 [4 7]") &&
         is(type_of("aten.matmul.default", {in(float32, 5), in(float32, 5)}), "float32 []") &&
         is(type_of("aten.matmul.default", {in(float32, 2, 5), in(float32, 4)}), "rows of 5 elements do not match columns of 4") &&
         is(type_of("aten.matmul.default", {in(float32), in(float32, 4)}), "an operand is a scalar") &&
         is(type_of("aten.scaled_dot_product_attention.default",
                    {in(float32, 1, 4, 8, 16), in(float32, 1, 4, 9, 16), in(float32, 1, 4, 9, 5)}),
            "float32 [1 4 8 5]") &&
         is(type_of("aten.lstm_cell.default",
                    {in(float32, 1, 3), in(float32, 1, 4), in(float32, 1, 4), in(float32, 16, 3), in(float32, 16, 4)}, {}, 2),
            "float32 [1 4], float32 [1 4]");
}
static_assert(layers_infer_sizes());

constexpr auto elements_and_parts_infer_types() -> bool {
  const auto row = in(float32, 2, 6), whole = in(int64, 2, 6);
  return is(type_of("aten.add.Tensor", {row}, {{"arg_1", 1.0}}), "float32 [2 6]") &&
         is(type_of("aten.add.Tensor", {row, in(float32, 6)}), "float32 [2 6]") &&
         is(type_of("aten.mul.Tensor", {whole}, {{"arg_1", 1.5}}), "? [2 6]") &&
         is(type_of("aten.gt.Scalar", {row}, {{"arg_1", 0}}), "boolean [2 6]") &&
         is(type_of("aten.where.self", {in(boolean, 2, 1), row, in(float32)}), "float32 [2 6]") &&
         is(type_of("aten.sum.dim_IntList", {row}, {{"arg_1", list<-1>}, {"arg_2", 1}}), "float32 [2 1]") &&
         is(type_of("aten.mean.default", {row}), "float32 []") && is(type_of("aten.argmax.default", {row}, {{"arg_1", 0}}), "int64 [6]") &&
         is(type_of("aten.flatten.using_ints", {in(float32, 2, 3, 4, 5)}, {{"arg_1", 1}, {"arg_2", 2}}), "float32 [2 12 5]") &&
         is(type_of("aten.squeeze.dim", {in(float32, 2, 1, 4)}, {{"arg_1", 1}}), "float32 [2 4]") &&
         is(type_of("aten.unsqueeze.default", {row}, {{"arg_1", -1}}), "float32 [2 6 1]") &&
         is(type_of("aten.transpose.int", {in(float32, 2, 3, 4)}, {{"arg_1", 1}, {"arg_2", -1}}), "float32 [2 4 3]") &&
         is(type_of("aten.t.default", {row}), "float32 [6 2]") &&
         is(type_of("aten.repeat.default", {row}, {{"arg_1", list<3, 1, 2>}}), "float32 [3 2 12]") &&
         is(type_of("aten.pad.default", {row}, {{"arg_1", list<1, 2>}}), "float32 [2 9]") &&
         is(type_of("aten.chunk.default", {row}, {{"arg_1", 4}, {"arg_2", 1}}, 3), "float32 [2 2], float32 [2 2], float32 [2 2]") &&
         is(type_of("aten.split.Tensor", {row}, {{"arg_1", 4}, {"arg_2", 1}}, 2), "float32 [2 4], float32 [2 2]") &&
         is(type_of("aten.slice.Tensor", {row}, {{"arg_1", 1}, {"arg_2", -3}, {"arg_3", INT64_MAX}}), "float32 [2 3]") &&
         is(type_of("aten.stack.default", {row, row, row}, {{"arg_1", -1}}), "float32 [2 6 3]") &&
         is(type_of("aten.embedding.default", {row, in(int64, 4)}), "float32 [4 6]") &&
         is(type_of("aten.zeros.default", {}, {{"arg_0", list<2, 5>}}), "? [2 5]") &&
         is(type_of("quantized_decomposed.dequantize_per_tensor.default", {in(int8, 3)}), "float32 [3]");
}
static_assert(elements_and_parts_infer_types());

/// Returns the multiply-adds of one node.
constexpr auto work_of(std::string_view op, std::initializer_list<tensor_type> operands, const tensor_type& out) -> std::uint64_t {
  program_builder b;
  b.set_dialect(torch::dialect);
  vector<value_id> ids;
  for (const auto& type : operands) ids.push_back(b.user_input("x", type));
  if (ids.size() == 2) b.output(b.call(op, {ids[0], ids[1]}, out));
  if (ids.size() == 3) b.output(b.call(op, {ids[0], ids[1], ids[2]}, out));
  if (ids.size() == 4) b.output(b.call(op, {ids[0], ids[1], ids[2], ids[3]}, out));
  const auto program = b.finish();
  return multiply_adds(program, program.nodes[0]);
}
constexpr auto multiply_adds_are_counted() -> bool {
  const auto of = [](auto... sizes) { return tensor(float32, sizes...); };
  return work_of("aten.conv2d.default", {of(1, 3, 8, 8), of(6, 3, 3, 3)}, of(1, 6, 6, 6)) == 216 * 27 &&
         work_of("aten.conv_transpose2d.input", {of(1, 3, 4, 4), of(3, 5, 2, 2)}, of(1, 5, 8, 8)) == 48 * 20 &&
         work_of("aten.addmm.default", {of(3), of(2, 4), of(4, 3)}, of(2, 3)) == 24 &&
         work_of("aten.scaled_dot_product_attention.default", {of(2, 8, 16), of(2, 9, 16), of(2, 9, 4)}, of(2, 8, 4)) ==
             (2 * 8 * 16 + 2 * 8 * 4) * 9 &&
         work_of("aten.gru_cell.default", {of(2, 3), of(2, 4), of(12, 3), of(12, 4)}, of(2, 4)) == 2 * (36 + 48) &&
         // Five steps without a batch dimension, so that the input and the states are matrices.
         work_of("aten.gru.input", {of(5, 3), of(1, 4), of(12, 3), of(12, 4)}, of(5, 4)) == 5 * (36 + 48) &&
         work_of("aten.lstm.input", {of(5, 3), of(1, 4), of(1, 4), of(16, 3)}, of(5, 4)) == 5 * 48;
}
static_assert(multiply_adds_are_counted());

}  // namespace

TEST_CASE("definitions of the operators of torch.export are consistent, infer types, and count multiply-adds") {
  CHECK(count_of_functions(torch::detail::operator_families, torch::dialect) > 200);
  CHECK(layers_infer_sizes());
  CHECK(elements_and_parts_infer_types());
  CHECK(multiply_adds_are_counted());
}
