// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/onnx.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/onnx_types.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/operators/verify.hpp>

#include "operators/inferred_text.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace {

using namespace baton;
using namespace inferred_text;
using enum dtype;

constexpr inferred_in onnx_type{onnx::dialect};

constexpr auto definitions_are_consistent() -> bool {
  std::size_t count = 0;
  for (const auto family : onnx::detail::operator_families) {
    for (const auto& definition : family) {
      ++count;
      if (onnx::dialect.find(definition.name.hash) != &definition || !definition.name.text.starts_with("onnx.")) return false;
      if (definition.infer == nullptr || definition.keeps_state) return false;
      if (!definition.is_functional && definition.name.text.find('.', 5) == std::string_view::npos && definition.operands.size() > 1 &&
          definition.operands[0].use != operand_definition::presence::optional)
        return false;
      for (std::size_t i = 0; i < definition.operands.size(); ++i) {
        const auto& operand = definition.operands[i];
        if (operand.name.empty() || (operand.use == operand_definition::presence::repeated && i + 1 != definition.operands.size()))
          return false;
      }
    }
  }
  return count > 150 && onnx::dialect.find(hash_of("onnx.Einsum")) == nullptr;
}
static_assert(definitions_are_consistent());

constexpr auto element_types_are_known() -> bool {
  const auto is = [](std::int64_t code, dtype type) {
    return onnx::element_type_of(code).is_known && onnx::element_type_of(code).type == type;
  };
  return is(1, float32) && is(2, uint8) && is(3, int8) && is(7, int64) && is(9, boolean) && is(22, int4) && is(26, int2) &&
         !onnx::element_type_of(0).is_known && !onnx::element_type_of(-1).is_known && !onnx::element_type_of(18).is_known &&
         !onnx::element_type_of(27).is_known && onnx::dtype_named("int64").type == int64 && !onnx::dtype_named("int65").is_known;
}
static_assert(element_types_are_known());

constexpr auto convolutions_are_inferred() -> bool {
  const auto x = in(float32, 1, 3, 9, 8);
  const auto w = in(float32, 16, 3, 3, 3);
  const auto conv = [&](attribute_list attributes) { return onnx_type("onnx.Conv", {x, w}, attributes); };
  return is(conv({}), "float32 [1 16 7 6]") && is(conv({{"pads", list<1, 1, 1, 1>}}), "float32 [1 16 9 8]") &&
         is(conv({{"pads", list<0, 1, 1, 2>}, {"strides", list<2, 1>}}), "float32 [1 16 4 9]") &&
         is(conv({{"dilations", list<2, 3>}}), "float32 [1 16 5 2]") &&
         is(conv({{"auto_pad", "SAME_UPPER"}, {"strides", list<2, 3>}}), "float32 [1 16 5 3]") &&
         is(conv({{"auto_pad", "VALID"}, {"pads", list<1, 1, 1, 1>}}), "float32 [1 16 7 6]") &&
         is(conv({{"strides", list<0, 1>}}), "float32 [1 16 ? 6]") && is(conv({{"pads", list<-1, 0, 0, 0>}}), "float32 [1 16 ? 6]") &&
         is(conv({{"group", 3}}), "the filter needs 9 input channels, the input has 3") &&
         is(conv({{"group", 0}}), "group is 0; it must be positive") &&
         is(onnx_type("onnx.Conv", {x, in(float32, 5, 1, 3, 3)}, {{"group", 3}}), "5 filters cannot be divided into 3 groups") &&
         is(onnx_type("onnx.Conv", {in(float32, -1, 3, 9), in(float32, 4, 3, 2)}), "float32 [? 4 8]") &&
         is(onnx_type("onnx.Conv", {in(float32, 1, 2, 4, 5, 6), in(float32, 4, 2, 1, 2, 3)}), "float32 [1 4 4 4 4]") &&
         is(onnx_type("onnx.Conv", {in(float32, 3, 9), w}), "operand 0 has 2 dimensions and needs three or more") &&
         is(onnx_type("onnx.Conv", {x, in(float32, 16, 3, 3)}), "operand 1 has 3 dimensions and needs 4") &&
         is(onnx_type("onnx.Conv", {x}), "operand 1, W, is missing") &&
         is(onnx_type("onnx.ConvInteger", {in(uint8, 1, 3, 9, 8), in(int8, 16, 3, 3, 3)}), "int32 [1 16 7 6]") &&
         is(onnx_type("onnx.com.microsoft.FusedConv", {x, w}), "float32 [1 16 7 6]") &&
         is(onnx_type("onnx.QLinearConv", {in(uint8, 1, 3, 9, 8), in(float32), in(uint8), in(int8, 16, 3, 3, 3), in(float32, 16),
                                           in(int8, 16), in(float32), in(int8)}),
            "int8 [1 16 7 6]");
}
static_assert(convolutions_are_inferred());

constexpr auto transposed_convolutions_are_inferred() -> bool {
  const auto conv = [](attribute_list attributes) {
    return onnx_type("onnx.ConvTranspose", {in(float32, 1, 4, 3, 3), in(float32, 4, 2, 3, 3)}, attributes);
  };
  return is(conv({}), "float32 [1 2 5 5]") && is(conv({{"group", 2}}), "float32 [1 4 5 5]") &&
         is(conv({{"strides", list<3, 2>}}), "float32 [1 2 9 7]") &&
         is(conv({{"strides", list<3, 2>}, {"output_padding", list<1, 1>}}), "float32 [1 2 10 8]") &&
         is(conv({{"strides", list<3, 2>}, {"output_shape", list<10, 8>}}), "float32 [1 2 10 8]") &&
         is(conv({{"strides", list<3, 2>}, {"pads", list<1, 2, 1, 2>}}), "float32 [1 2 7 3]") &&
         is(conv({{"strides", list<2, 2>}, {"auto_pad", "SAME_UPPER"}}), "float32 [1 2 6 6]") &&
         is(conv({{"dilations", list<2, 2>}}), "float32 [1 2 7 7]");
}
static_assert(transposed_convolutions_are_inferred());

constexpr auto pools_are_inferred() -> bool {
  const auto pool = [](attribute_list attributes, std::size_t outputs = 1) {
    return onnx_type("onnx.MaxPool", {in(float32, 1, 3, 9, 8)}, attributes, outputs);
  };
  const named_literal kernel{"kernel_shape", list<3, 2>};
  return is(pool({kernel}), "float32 [1 3 7 7]") && is(pool({kernel}, 2), "float32 [1 3 7 7], int64 [1 3 7 7]") &&
         is(pool({kernel, {"strides", list<2, 3>}}), "float32 [1 3 4 3]") &&
         is(pool({kernel, {"strides", list<4, 5>}}), "float32 [1 3 2 2]") &&
         is(pool({kernel, {"strides", list<4, 5>}, {"ceil_mode", 1}}), "float32 [1 3 3 2]") &&
         // the next window would begin in the padding
         is(pool({{"kernel_shape", list<1, 1>}, {"strides", list<5, 4>}, {"pads", list<0, 0, 2, 1>}, {"ceil_mode", 1}}),
            "float32 [1 3 2 2]") &&
         is(pool({{"kernel_shape", list<3>}}), "kernel_shape has 1 size, but the image has 2 dimensions") &&
         is(onnx_type("onnx.AveragePool", {in(int8, 1, 3, 9, 8)}, {kernel, {"auto_pad", "SAME_LOWER"}, {"strides", list<2, 2>}}),
            "int8 [1 3 5 4]") &&
         is(onnx_type("onnx.GlobalAveragePool", {in(float32, 2, 3, 9, -1)}), "float32 [2 3 1 1]") &&
         is(onnx_type("onnx.GlobalMaxPool", {in(float32, 2, 3)}), "operand 0 has 2 dimensions and needs three or more") &&
         is(onnx_type("onnx.com.microsoft.QLinearGlobalAveragePool",
                      {in(uint8, 2, 3, 9, 7), in(float32), in(uint8), in(float32), in(uint8)}),
            "uint8 [2 3 1 1]") &&
         is(onnx_type("onnx.com.microsoft.QLinearAveragePool", {in(uint8, 2, 9, 8, 3), in(float32), omitted, in(float32)},
                      {kernel, {"channels_last", 1}}),
            "uint8 [2 7 7 3]");
}
static_assert(pools_are_inferred());

constexpr auto products_are_inferred() -> bool {
  const auto a = in(float32, 2, 3);
  const auto u8 = in(uint8), f = in(float32);
  return is(onnx_type("onnx.Gemm", {a, in(float32, 3, 4)}), "float32 [2 4]") &&
         is(onnx_type("onnx.Gemm", {in(float32, 3, 2), in(float32, 4, 3), in(float32, 4)}, {{"transA", 1}, {"transB", 1}}),
            "float32 [2 4]") &&
         is(onnx_type("onnx.Gemm", {a, in(float32, 4, 3)}), "rows of 3 elements do not match columns of 4") &&
         is(onnx_type("onnx.MatMul", {in(float32, 5, 1, 2, 3), in(float32, 7, 3, 4)}), "float32 [5 7 2 4]") &&
         is(onnx_type("onnx.MatMul", {in(float32, 3), in(float32, 7, 3, 4)}), "float32 [7 4]") &&
         is(onnx_type("onnx.MatMul", {a, in(float32, 3)}), "float32 [2]") &&
         is(onnx_type("onnx.MatMul", {in(float32, 3), in(float32, 3)}), "float32 []") &&
         is(onnx_type("onnx.MatMul", {in(float32), in(float32, 3)}), "an operand is a scalar") &&
         is(onnx_type("onnx.com.microsoft.FusedMatMul", {in(float32, 6, 3, 2), in(float32, 6, 4, 3)}, {{"transA", 1}, {"transB", 1}}),
            "float32 [6 2 4]") &&
         is(onnx_type("onnx.MatMulInteger", {in(uint8, 2, 3), in(int8, 3, 4)}), "int32 [2 4]") &&
         is(onnx_type("onnx.QLinearMatMul", {in(uint8, 2, 3), f, u8, in(int8, 3, 4), f, in(int8), f, u8}), "uint8 [2 4]") &&
         is(onnx_type("onnx.com.microsoft.QGemm", {in(uint8, 2, 3), f, u8, in(int8, 4, 3), f, in(int8), omitted, f, in(int8)},
                      {{"transB", 1}}),
            "int8 [2 4]") &&
         is(onnx_type("onnx.com.microsoft.QGemm", {in(uint8, 2, 3), f, u8, in(int8, 3, 4), f, in(int8)}), "float32 [2 4]");
}
static_assert(products_are_inferred());

constexpr auto recurrent_networks_are_inferred() -> bool {
  const auto x = in(float32, 5, 2, 4), w = in(float32, 1, 24, 4), r = in(float32, 1, 24, 6);
  return is(onnx_type("onnx.LSTM", {x, w, r}, {}, 3), "float32 [5 1 2 6], float32 [1 2 6], float32 [1 2 6]") &&
         is(onnx_type("onnx.LSTM", {x, w, r}, {{"layout", 1}}, 2), "float32 [5 2 1 6], float32 [5 1 6]") &&
         is(onnx_type("onnx.GRU", {x, in(float32, 2, 18, 4), in(float32, 2, 18, 6)}, {}, 2), "float32 [5 2 2 6], float32 [2 2 6]") &&
         is(onnx_type("onnx.RNN", {x, in(float32, 1, 6, 3), in(float32, 1, 6, 6)}),
            "the weights have 3 columns, the rows of the input have 4 elements");
}
static_assert(recurrent_networks_are_inferred());

constexpr auto normalizations_are_inferred() -> bool {
  const auto x = in(float32, 2, 3, 4), c = in(float32, 3);
  return is(onnx_type("onnx.BatchNormalization", {x, c, c, c, c}), "float32 [2 3 4]") &&
         is(onnx_type("onnx.BatchNormalization", {x, c, c, c, c}, {{"training_mode", 1}}, 3),
            "float32 [2 3 4], float32 [3], float32 [3]") &&
         is(onnx_type("onnx.LayerNormalization", {x, c}, {{"axis", 1}}, 3), "float32 [2 3 4], float32 [2 1 1], float32 [2 1 1]") &&
         is(onnx_type("onnx.LayerNormalization", {x, c}, {{"axis", 3}}), "there is no dimension 3") &&
         is(onnx_type("onnx.InstanceNormalization", {x, c, c}), "float32 [2 3 4]") &&
         is(onnx_type("onnx.LpNormalization", {x}), "float32 [2 3 4]");
}
static_assert(normalizations_are_inferred());

constexpr auto elementwise_operators_are_inferred() -> bool {
  const auto x = in(float32, 2, 3);
  return is(onnx_type("onnx.Relu", {in(int8, 2, -1)}), "int8 [2 ?]") && is(onnx_type("onnx.Softmax", {x}), "float32 [2 3]") &&
         is(onnx_type("onnx.Clip", {x, omitted, in(float32)}), "float32 [2 3]") &&
         is(onnx_type("onnx.Cast", {x}, {{"to", 7}}), "int64 [2 3]") && is(onnx_type("onnx.Cast", {x}, {{"to", 99}}), "? [2 3]") &&
         is(onnx_type("onnx.IsNaN", {x}), "boolean [2 3]") && is(onnx_type("onnx.Dropout", {x}, {}, 2), "float32 [2 3], boolean [2 3]") &&
         is(onnx_type("onnx.Dropout", {x}, {{"opset", 7}}, 2), "float32 [2 3], float32 [2 3]") &&
         is(onnx_type("onnx.Add", {in(float32, 4, 1, 3), in(float32, 2, 1)}), "float32 [4 2 3]") &&
         is(onnx_type("onnx.Add", {x, in(float32, 2)}), "the shapes of operands 0 and 1 cannot be broadcast") &&
         is(onnx_type("onnx.Less", {x, in(float32)}), "boolean [2 3]") &&
         is(onnx_type("onnx.Max", {in(float32, 2, 1), in(float32, 3), in(float32, 5, 1, 1)}), "float32 [5 2 3]") &&
         is(onnx_type("onnx.Sum", {x, in(float32, 2)}),
            "the shape of operand 1 cannot be broadcast with the shapes of the operands before it") &&
         is(onnx_type("onnx.Min", {x}), "float32 [2 3]") && is(onnx_type("onnx.Min", {}), "operand 0, data, is missing") &&
         is(onnx_type("onnx.Where", {in(boolean, 4, 1, 1), in(int8, 2, 1), in(int8, 3)}), "int8 [4 2 3]") &&
         is(onnx_type("onnx.com.microsoft.QLinearAdd",
                      {in(int8, 2, 3), in(float32), in(int8), in(int8, 3), in(float32), in(int8), in(float32)}),
            "int8 [2 3]") &&
         is(onnx_type("onnx.com.microsoft.QLinearSigmoid", {in(int8, 2, 3), in(float32), omitted, in(float32)}), "int8 [2 3]");
}
static_assert(elementwise_operators_are_inferred());

constexpr auto quantization_is_inferred() -> bool {
  const auto x = in(float32, 2, 3), f = in(float32);
  return is(onnx_type("onnx.QuantizeLinear", {x, f, in(int8)}), "int8 [2 3]") &&
         is(onnx_type("onnx.QuantizeLinear", {x, f}), "uint8 [2 3]") &&
         is(onnx_type("onnx.QuantizeLinear", {x, f}, {{"output_dtype", 5}}), "int16 [2 3]") &&
         is(onnx_type("onnx.DequantizeLinear", {in(int8, 2, 3), f, in(int8)}), "float32 [2 3]") &&
         is(onnx_type("onnx.com.microsoft.DequantizeLinear", {in(uint16, 2, 3), in(float16)}), "float16 [2 3]") &&
         is(onnx_type("onnx.DynamicQuantizeLinear", {x}, {}, 3), "uint8 [2 3], float32 [], uint8 []");
}
static_assert(quantization_is_inferred());

constexpr auto reshapes_are_inferred() -> bool {
  const auto x = in(float32, 2, 3, 4);
  const auto reshape = [](const operand& data, const operand& shape, attribute_list attributes = {}) {
    return onnx_type("onnx.Reshape", {data, shape}, attributes);
  };
  return is(reshape(x, fixed64({4, -1})), "float32 [4 6]") && is(reshape(x, fixed64({0, -1})), "float32 [2 12]") &&
         is(reshape(in(float32, -1, 3, 4), fixed64({0, -1})), "float32 [? 12]") &&
         is(reshape(in(float32, -1, 3, 4), fixed64({-1, 12})), "float32 [? 12]") && is(reshape(x, in(int64, 2)), "float32 [? ?]") &&
         is(reshape(in(float32, 0, 4), fixed64({0, 3}), {{"allowzero", 1}}), "float32 [0 3]") &&
         is(reshape(x, fixed64({5, -1})), "the new shape does not have the 24 elements of the input") &&
         is(reshape(x, fixed64({-1, -1})), "the new shape has two unknown sizes") &&
         is(reshape(x, fixed64({1, 1, 1, 0})), "size 3 of the shape is 0, and the input has 3 dimensions") &&
         is(onnx_type("onnx.Reshape", {x}, {{"shape", list<24>}}), "float32 [24]") &&
         is(onnx_type("onnx.Reshape", {x}), "it has no shape") && is(onnx_type("onnx.Flatten", {x}), "float32 [2 12]") &&
         is(onnx_type("onnx.Flatten", {x}, {{"axis", -1}}), "float32 [6 4]") &&
         is(onnx_type("onnx.Flatten", {x}, {{"axis", 0}}), "float32 [1 24]") &&
         is(onnx_type("onnx.Flatten", {x}, {{"axis", 4}}), "there is no dimension 4") &&
         is(onnx_type("onnx.Squeeze", {in(int8, 1, 2, 1)}), "int8 [2]") &&
         is(onnx_type("onnx.Squeeze", {in(int8, 1, 2, 1), fixed64({-1})}), "int8 [1 2]") &&
         is(onnx_type("onnx.Squeeze", {in(int8, 1, 2, 1)}, {{"axes", list<0>}}), "int8 [2 1]") &&
         is(onnx_type("onnx.Squeeze", {x, fixed64({1})}), "dimension 1 has 3 elements and cannot be removed") &&
         is(onnx_type("onnx.Squeeze", {in(int8, 1, -1)}), "int8 ?") &&
         is(onnx_type("onnx.Unsqueeze", {x, fixed64({0, -1})}), "float32 [1 2 3 4 1]") &&
         is(onnx_type("onnx.Unsqueeze", {x}, {{"axes", list<1>}}), "float32 [2 1 3 4]") &&
         is(onnx_type("onnx.Unsqueeze", {x, in(int64, 1)}), "float32 [? ? ? ?]") &&
         is(onnx_type("onnx.Unsqueeze", {x, fixed64({1, 1})}), "dimension 1 is inserted twice") &&
         is(onnx_type("onnx.Transpose", {x}), "float32 [4 3 2]") &&
         is(onnx_type("onnx.Transpose", {x}, {{"perm", list<0, 2, 1>}}), "float32 [2 4 3]") &&
         is(onnx_type("onnx.Transpose", {x}, {{"perm", list<0, 2, 2>}}), "perm has dimension 2 twice") &&
         is(onnx_type("onnx.Expand", {in(float32, 3, 1), fixed64({2, 1, 6})}), "float32 [2 3 6]") &&
         is(onnx_type("onnx.Expand", {in(float32, 3, 1), in(int64, 3)}), "float32 [? ? ?]") &&
         is(onnx_type("onnx.Tile", {x, fixed64({1, 2, 3})}), "float32 [2 6 12]");
}
static_assert(reshapes_are_inferred());

constexpr auto joins_and_splits_are_inferred() -> bool {
  const auto x = in(float32, 2, 7);
  const auto u8 = in(uint8), f = in(float32);
  return is(onnx_type("onnx.Concat", {x, in(float32, 2, 3)}, {{"axis", -1}}), "float32 [2 10]") &&
         is(onnx_type("onnx.Concat", {x, in(float32, 3, 3)}, {{"axis", 1}}), "dimension 0 of operand 1 is 3, but in earlier operands 2") &&
         is(onnx_type("onnx.Concat", {in(float32, INT64_MAX), in(float32, 3)}, {{"axis", 0}}), "float32 [?]") &&
         is(onnx_type("onnx.com.microsoft.QLinearConcat", {f, u8, in(uint8, 2, 3), f, u8, in(uint8, 2, 4), f, u8}, {{"axis", 1}}),
            "uint8 [2 7]") &&
         is(onnx_type("onnx.Split", {x}, {{"axis", 1}, {"num_outputs", 3}}, 3), "float32 [2 3], float32 [2 3], float32 [2 1]") &&
         is(onnx_type("onnx.Split", {x, fixed64({2, 5})}, {{"axis", 1}}, 2), "float32 [2 2], float32 [2 5]") &&
         is(onnx_type("onnx.Split", {x}, {{"axis", 1}, {"split", list<6, 1>}}, 2), "float32 [2 6], float32 [2 1]") &&
         is(onnx_type("onnx.Split", {x, fixed64({2, 4})}, {{"axis", 1}}, 2), "the sizes of the outputs add up to 6, not 7") &&
         is(onnx_type("onnx.Split", {x, fixed64({2})}, {{"axis", 1}}, 2), "1 size for 2 outputs") &&
         is(onnx_type("onnx.Split", {x, in(int64, 2)}, {{"axis", 1}}, 2), "float32 [2 ?], float32 [2 ?]");
}
static_assert(joins_and_splits_are_inferred());

constexpr auto slices_are_inferred() -> bool {
  const auto x = in(float32, 20, 10, 5);
  const auto y = in(float32, 2, 4, 3, 4);
  return is(onnx_type("onnx.Slice", {x, fixed64({0, 0}), fixed64({3, 10}), fixed64({0, 1}), fixed64({1, 1})}), "float32 [3 10 5]") &&
         is(onnx_type("onnx.Slice", {x, fixed64({20, 10, 4}), fixed64({0, 0, 1}), fixed64({0, 1, 2}), fixed64({-1, -3, -2})}),
            "float32 [19 3 2]") &&
         is(onnx_type("onnx.Slice", {x, fixed64({0}), fixed64({-1}), fixed64({-2})}), "float32 [20 9 5]") &&
         is(onnx_type("onnx.Slice", {x, fixed64({0}), fixed64({INT64_MAX})}), "float32 [20 10 5]") &&
         is(onnx_type("onnx.Slice", {x}, {{"starts", list<1, 2>}, {"ends", list<3, 1000>}, {"axes", list<0, 1>}}), "float32 [2 8 5]") &&
         is(onnx_type("onnx.Slice", {x, in(int64, 1), fixed64({5}), fixed64({1})}), "float32 [20 ? 5]") &&
         is(onnx_type("onnx.Slice", {x, in(int64, 1), in(int64, 1)}), "float32 [? ? ?]") &&
         is(onnx_type("onnx.Slice", {x, fixed64({0}), fixed64({1, 2})}),
            "starts, ends, axes and steps have different lengths, or more entries than the input has dimensions") &&
         is(onnx_type("onnx.Slice", {x, fixed64({0}), fixed64({5}), fixed64({0}), fixed64({0})}), "the step of dimension 0 is 0") &&
         is(onnx_type("onnx.Gather", {x, in(int64, 2, 3)}, {{"axis", 1}}), "float32 [20 2 3 5]") &&
         is(onnx_type("onnx.Gather", {x, in(int64)}), "float32 [10 5]") &&
         is(onnx_type("onnx.GatherElements", {x, in(int64, 2, 3, 4)}), "float32 [2 3 4]") &&
         is(onnx_type("onnx.GatherND", {in(float32, 2, 2, 2), in(int64, 2, 1)}, {{"batch_dims", 1}}), "float32 [2 2]") &&
         is(onnx_type("onnx.ScatterND", {x, in(int64, 4, 1), in(float32, 4, 10, 5)}), "float32 [20 10 5]") &&
         is(onnx_type("onnx.Pad", {in(float32, 2, 3), fixed64({1, 0, 2, -1})}), "float32 [5 2]") &&
         is(onnx_type("onnx.Pad", {in(float32, 2, 3), fixed64({1, 2}), omitted, fixed64({-1})}), "float32 [2 6]") &&
         is(onnx_type("onnx.Pad", {in(float32, 2, 3)}, {{"pads", list<0, 1, 0, 1>}}), "float32 [2 5]") &&
         is(onnx_type("onnx.Pad", {in(float32, 2, 3), fixed64({1})}), "1 pad for 2 dimensions") &&
         is(onnx_type("onnx.TopK", {in(float32, 3, 4), fixed64({2})}, {}, 2), "float32 [3 2], int64 [3 2]") &&
         is(onnx_type("onnx.TopK", {in(float32, 3, 4)}, {{"k", 2}, {"axis", 0}}, 2), "float32 [2 4], int64 [2 4]") &&
         is(onnx_type("onnx.TopK", {in(float32, 3, 4), fixed64({5})}, {}, 2), "there are 4 elements, and K is 5") &&
         is(onnx_type("onnx.TopK", {in(float32, 3, 4), fixed64({-2})}, {}, 2), "K is -2") &&
         is(onnx_type("onnx.OneHot", {in(int64, 2, 3), fixed64({10}), in(float32, 2)}), "float32 [2 3 10]") &&
         is(onnx_type("onnx.OneHot", {in(int64, 2, 3), reals({10}), in(float32, 2)}, {{"axis", 1}}), "float32 [2 10 3]") &&
         is(onnx_type("onnx.DepthToSpace", {y}, {{"blocksize", 2}}), "float32 [2 1 6 8]") &&
         is(onnx_type("onnx.SpaceToDepth", {in(float32, 2, 1, 6, 8)}, {{"blocksize", 2}}), "float32 [2 4 3 4]") &&
         is(onnx_type("onnx.SpaceToDepth", {y}, {{"blocksize", 2}}), "a size is not a multiple of the block size 2");
}
static_assert(slices_are_inferred());

constexpr auto resizes_are_inferred() -> bool {
  const auto x = in(float32, 1, 1, 4, 5);
  const auto doubled = reals({1, 1, 2, 2});
  return is(onnx_type("onnx.Resize", {x, omitted, reals({1, 1, 0.6F, 1.5F})}), "float32 [1 1 2 7]") &&
         is(onnx_type("onnx.Resize", {x, doubled}, {{"opset", 10}}), "float32 [1 1 8 10]") &&
         is(onnx_type("onnx.Resize", {x, omitted, omitted, fixed64({1, 1, 7, 8})}), "float32 [1 1 7 8]") &&
         is(onnx_type("onnx.Resize", {x, omitted, omitted, fixed64({7, 8})}, {{"axes", list<2, 3>}}), "float32 [1 1 7 8]") &&
         is(onnx_type("onnx.Resize", {x, omitted, omitted, fixed64({7, 8})},
                      {{"axes", list<2, 3>}, {"keep_aspect_ratio_policy", "not_larger"}}),
            "float32 [1 1 6 8]") &&
         is(onnx_type("onnx.Resize", {x, omitted, in(float32, 4)}), "float32 [? ? ? ?]") &&
         is(onnx_type("onnx.Resize", {x, omitted, reals({2})}), "1 scale for 4 dimensions") &&
         is(onnx_type("onnx.Resize", {x}), "it has neither scales nor sizes") &&
         is(onnx_type("onnx.Resize", {x, omitted, omitted, fixed64({1, 1, -7, 8})}), "element 2 of sizes is -7, a negative size") &&
         is(onnx_type("onnx.Upsample", {x, doubled}), "float32 [1 1 8 10]");
}
static_assert(resizes_are_inferred());

constexpr auto reductions_are_inferred() -> bool {
  const auto x = in(float32, 2, 3, 4);
  return is(onnx_type("onnx.ReduceMean", {x}), "float32 [1 1 1]") &&
         is(onnx_type("onnx.ReduceMean", {x}, {{"keepdims", 0}}), "float32 []") &&
         is(onnx_type("onnx.ReduceSum", {x, fixed64({1})}), "float32 [2 1 4]") &&
         is(onnx_type("onnx.ReduceMax", {x}, {{"axes", list<-1, 0>}, {"keepdims", 0}}), "float32 [3]") &&
         is(onnx_type("onnx.ReduceSum", {x}, {{"noop_with_empty_axes", 1}}), "float32 [2 3 4]") &&
         is(onnx_type("onnx.ReduceSum", {x, in(int64, 1)}), "float32 [? ? ?]") &&
         is(onnx_type("onnx.ReduceSum", {x, in(int64, 1)}, {{"keepdims", 0}}), "float32 ?") &&
         is(onnx_type("onnx.ReduceSum", {x, fixed64({3})}), "there is no dimension 3") &&
         is(onnx_type("onnx.ArgMax", {x}, {{"axis", 1}}), "int64 [2 1 4]") &&
         is(onnx_type("onnx.ArgMin", {x}, {{"axis", -1}, {"keepdims", 0}}), "int64 [2 3]");
}
static_assert(reductions_are_inferred());

constexpr auto new_tensors_are_inferred() -> bool {
  const auto x = in(float32, 2, 3, 4);
  const auto range = [](std::int64_t start, std::int64_t limit, std::int64_t delta) {
    return onnx_type("onnx.Range", {one(start), one(limit), one(delta)});
  };
  const auto real = [](float number) {
    auto operand = reals({number});
    operand.type = tensor(float32);
    return operand;
  };
  return is(onnx_type("onnx.Shape", {x}), "int64 [3]") && is(onnx_type("onnx.Shape", {x}, {{"start", -2}}), "int64 [2]") &&
         is(onnx_type("onnx.Shape", {x}, {{"start", 2}, {"end", 1}}), "int64 [0]") && is(onnx_type("onnx.Size", {x}), "int64 []") &&
         is(onnx_type("onnx.ConstantOfShape", {fixed64({2, 3})}), "float32 [2 3]") &&
         is(onnx_type("onnx.ConstantOfShape", {in(int64, 2)}, {{"value", 1}, {"value_type", "int64"}}), "int64 [? ?]") &&
         is(range(0, 10, 3), "int32 [4]") && is(range(10, 4, -2), "int32 [3]") && is(range(5, 5, 1), "int32 [0]") &&
         is(range(0, 10, -1), "int32 [0]") && is(range(0, 10, 0), "int32 [?]") &&
         is(onnx_type("onnx.Range", {real(1), real(2), real(0.3F)}), "float32 [4]") &&
         is(onnx_type("onnx.Range", {real(-0.1F), real(0.5F), real(0.1F)}), "float32 [7]") &&
         is(onnx_type("onnx.Range", {real(1), real(2), real(0)}), "float32 [?]") && is(onnx_type("onnx.NonZero", {x}), "int64 [3 ?]");
}
static_assert(new_tensors_are_inferred());

/// Bounds and steps of int64 are exact. A number of elements of 2^31 or more is unknown, as the size of a dimension always is.
constexpr auto wide_ranges_are_inferred() -> bool {
  constexpr auto max64 = std::numeric_limits<std::int64_t>::max(), min64 = std::numeric_limits<std::int64_t>::min(),
                 wide = std::int64_t{1} << 40;
  const auto has_size = [](std::int64_t start, std::int64_t limit, std::int64_t delta, std::string_view type) {
    const auto scalar = [](std::int64_t number) { return constant(tensor(int64), {number}); };
    return is(onnx_type("onnx.Range", {scalar(start), scalar(limit), scalar(delta)}), type);
  };
  return has_size(wide, wide + 10, 3, "int64 [4]") && has_size(0, 4 * wide, wide, "int64 [4]") &&
         has_size(wide, -wide, -wide, "int64 [2]") && has_size(0, 10, max64, "int64 [1]") && has_size(0, 10, min64, "int64 [0]") &&
         has_size(min64, max64, max64, "int64 [3]") && has_size(max64, min64, min64, "int64 [2]") && has_size(-2, max64, 1, "int64 [?]") &&
         has_size(0, min64, -1, "int64 [?]") && has_size(0, 2147483647, 1, "int64 [2147483647]") && has_size(0, 2147483648, 1, "int64 [?]");
}
static_assert(wide_ranges_are_inferred());

/// A node with the work of its operands and of its output.
constexpr auto work_of(std::string_view op, std::initializer_list<tensor_type> inputs, const tensor_type& output,
                       attribute_list attributes = {}) -> std::uint64_t {
  program_builder b;
  b.set_dialect(onnx::dialect);
  vector<value_id> ids;
  for (const auto& input : inputs) ids.push_back(b.user_input("x", input));
  const value_id outputs[] = {b.add_value(b.make_value("y", output, value_kind::intermediate))};
  b.add_node(b.make_node("node", op), ids, outputs, {attributes.begin(), attributes.size()});
  const auto program = b.finish();
  return multiply_adds(program, program.nodes[0]);
}
constexpr auto multiply_adds_are_counted() -> bool {
  constexpr auto x = tensor(float32, 1, 8, 10, 9), y = tensor(float32, 1, 16, 8, 7), w = tensor(float32, 16, 8, 3, 3);
  constexpr auto f = tensor(float32), u = tensor(uint8), s = tensor(int8);
  constexpr std::uint64_t conv = std::uint64_t{16} * 8 * 7 * 8 * 3 * 3;
  return work_of("onnx.Conv", {x, w}, y) == conv && work_of("onnx.com.microsoft.FusedConv", {x, w}, y) == conv &&
         work_of("onnx.Conv", {x, tensor(float32, 16, 2, 3, 3)}, y, {{"group", 4}}) == conv / 4 &&
         work_of("onnx.ConvInteger", {tensor(uint8, 1, 8, 10, 9), tensor(uint8, 16, 8, 3, 3)}, tensor(int32, 1, 16, 8, 7)) == conv &&
         work_of("onnx.QLinearConv", {tensor(uint8, 1, 8, 10, 9), f, u, tensor(int8, 16, 8, 3, 3), f, s, f, u},
                 tensor(uint8, 1, 16, 8, 7)) == conv &&
         work_of("onnx.ConvTranspose", {tensor(float32, 1, 4, 3, 3), tensor(float32, 4, 2, 5, 5)}, tensor(float32, 1, 2, 7, 7)) ==
             4 * 3 * 3 * 2 * 5 * 5 &&
         work_of("onnx.Gemm", {tensor(float32, 7, 2), tensor(float32, 5, 7)}, tensor(float32, 2, 5), {{"transA", 1}, {"transB", 1}}) ==
             2 * 5 * 7 &&
         work_of("onnx.MatMul", {tensor(float32, 3, 2, 7), tensor(float32, 3, 7, 5)}, tensor(float32, 3, 2, 5)) == 3 * 2 * 5 * 7 &&
         work_of("onnx.MatMulInteger", {tensor(uint8, 2, 7), tensor(int8, 7, 5)}, tensor(int32, 2, 5)) == 2 * 5 * 7 &&
         work_of("onnx.QLinearMatMul", {tensor(uint8, 2, 7), f, u, tensor(int8, 7, 5), f, s, f, u}, tensor(uint8, 2, 5)) == 2 * 5 * 7 &&
         work_of("onnx.com.microsoft.QGemm", {tensor(uint8, 2, 7), f, u, tensor(int8, 7, 5), f, s}, tensor(float32, 2, 5)) == 2 * 5 * 7 &&
         work_of("onnx.LSTM", {tensor(float32, 5, 2, 4), tensor(float32, 1, 24, 4), tensor(float32, 1, 24, 6)},
                 tensor(float32, 5, 1, 2, 6)) == 5 * 2 * 24 * (4 + 6) &&
         work_of("onnx.GRU", {tensor(float32, 5, 2, 4), tensor(float32, 2, 18, 4), tensor(float32, 2, 18, 6)},
                 tensor(float32, 5, 2, 2, 6)) == 5 * 2 * 2 * 18 * (4 + 6) &&
         work_of("onnx.Relu", {x}, x) == 0 && work_of("onnx.Conv", {x}, y) == 0;
}
static_assert(multiply_adds_are_counted());

/// A program with subgraphs: the body of `op` returns its inputs `returned`.
constexpr auto nested_type(std::string_view op, std::initializer_list<tensor_type> inputs, std::initializer_list<tensor_type> body,
                           std::initializer_list<std::size_t> returned, std::size_t outputs, attribute_list attributes) -> text_buffer {
  program_builder b;
  b.set_dialect(onnx::dialect);
  vector<value_id> ids;
  for (const auto& input : inputs) ids.push_back(b.user_input("x", input));
  const auto inner = b.add_graph("body");
  vector<value_id> inner_ids;
  for (const auto& input : body) inner_ids.push_back(b.user_input("y", input));
  for (const auto i : returned) b.output(inner_ids[i]);
  b.enter(graph_id{0});
  vector<value_id> output_ids;
  for (std::size_t o = 0; o < outputs; ++o) output_ids.push_back(b.add_value(b.make_value("z", tensor(float32), value_kind::intermediate)));
  const graph_id graphs[] = {inner};
  auto record = b.make_node("node", op);
  record.subgraphs = add_to(b.draft().subgraphs, span<const graph_id>{graphs});
  b.add_node(record, ids, output_ids, {attributes.begin(), attributes.size()});
  return text_of(b.finish());
}
constexpr auto loops_are_inferred() -> bool {
  constexpr auto step = tensor(int64), flag = tensor(boolean), state = tensor(float32, 2), row = tensor(float32, 3);
  return is(nested_type("onnx.Loop", {step, flag, state}, {step, flag, state}, {1, 2, 2}, 2, {}), "float32 [2], float32 [? 2]") &&
         is(nested_type("onnx.Loop", {step, flag, state, row}, {step, flag, state, row}, {1, 2, 3}, 2, {{"carried", 1}}),
            "float32 [2], float32 [? 3]") &&
         is(nested_type("onnx.Loop", {step, flag, state}, {step, flag, state}, {1, 2}, 0, {}),
            "it carries 1 value, but has 3 operands and 0 outputs") &&
         is(nested_type("onnx.Scan", {state, tensor(float32, 7, 3)}, {state, row}, {0, 1}, 2, {{"num_scan_inputs", 1}}),
            "float32 [2], float32 [7 3]") &&
         is(nested_type("onnx.Scan", {state, tensor(float32, 3, 7)}, {state, row}, {0, 1}, 2,
                        {{"num_scan_inputs", 1}, {"scan_input_axes", list<1>}, {"scan_output_axes", list<-1>}}),
            "float32 [2], float32 [3 7]") &&
         is(nested_type("onnx.Scan", {state}, {state}, {0}, 1, {}), "it has 1 carried values and 0 stacks, but 1 operand and 1 output");
}
static_assert(loops_are_inferred());

/// The branches of `onnx.If` are checked like those of `cond`, and no operator of ONNX writes to its operands.
constexpr auto facts_are_known() -> bool {
  program_builder b;
  b.set_dialect(onnx::dialect);
  constexpr auto two = tensor(float32, 2);
  const auto flag = b.user_input("flag", tensor(boolean));
  const auto x = b.mutable_buffer("x", two);
  const auto branch = b.add_graph("branch");
  b.output(b.user_input("y", two));
  b.enter(graph_id{0});
  const auto chosen = b.call_many("if", "onnx.If", {flag, x}, {two}, {}, {branch, branch})[0];
  b.output(b.call("onnx.Relu", {x}, two));
  b.output(chosen);
  const auto program = b.finish();
  const auto nodes = program.nodes_of(program.root());
  return !verify(program) && control_flow_of(program, nodes[0]) == control_flow::cond && !may_write_operands(program, nodes[1]);
}
static_assert(facts_are_known());

/// The definitions of a user have precedence.
constexpr auto infer_nothing_but_int8(inference& node) { node.set_type(0, int8); }
constexpr operator_definition custom[] = {{.name = "onnx.Relu", .infer = infer_nothing_but_int8}, {.name = "onnx.my.Blend"}};
constexpr auto custom_definitions_come_first() -> bool {
  return is(inferred("onnx.Relu", {in(float32, 2)}, {}, 1, custom, &onnx::dialect), "int8 ?") &&
         is(inferred("onnx.Tanh", {in(float32, 2)}, {}, 1, custom, &onnx::dialect), "float32 [2]") &&
         is(inferred("onnx.my.Blend", {in(float32, 2)}, {}, 1, custom, &onnx::dialect), "no rule") &&
         is(inferred("onnx.Tanh", {in(float32, 2)}), "no rule");
}
static_assert(custom_definitions_come_first());

}  // namespace

TEST_CASE("the definitions of ONNX operators are consistent") { CHECK(definitions_are_consistent()); }
TEST_CASE("the element types of ONNX are dtypes") { CHECK(element_types_are_known()); }
TEST_CASE("types of windows, products and recurrent networks of ONNX are inferred") {
  CHECK(convolutions_are_inferred());
  CHECK(transposed_convolutions_are_inferred());
  CHECK(pools_are_inferred());
  CHECK(products_are_inferred());
  CHECK(recurrent_networks_are_inferred());
  CHECK(normalizations_are_inferred());
}
TEST_CASE("types of element-wise operators of ONNX are inferred") {
  CHECK(elementwise_operators_are_inferred());
  CHECK(quantization_is_inferred());
}
TEST_CASE("types of moves and reductions of ONNX are inferred") {
  CHECK(reshapes_are_inferred());
  CHECK(joins_and_splits_are_inferred());
  CHECK(slices_are_inferred());
  CHECK(resizes_are_inferred());
  CHECK(reductions_are_inferred());
  CHECK(new_tensors_are_inferred());
  CHECK(wide_ranges_are_inferred());
}
TEST_CASE("types of loops of ONNX are inferred") { CHECK(loops_are_inferred()); }
TEST_CASE("multiply-adds of ONNX operators are counted") { CHECK(multiply_adds_are_counted()); }
TEST_CASE("the facts of ONNX operators are known") { CHECK(facts_are_known()); }
TEST_CASE("the definitions of a user have precedence over those of ONNX") { CHECK(custom_definitions_come_first()); }
