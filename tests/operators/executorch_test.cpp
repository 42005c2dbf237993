// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The dialect of ExecuTorch's files: consistent definitions, and the types that they infer, in the orders of dimensions of the file.
#include <baton/operators/executorch.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/operator_definition.hpp>

#include "operators/inferred_text.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using namespace inferred_text;
using enum dtype;

constexpr inferred_in type_of{executorch::dialect};

static_assert(count_of_functions(executorch::detail::operator_families, executorch::dialect) > 100);
static_assert(executorch::dialect.find(hash_of("aten.fft_fft.out")) == nullptr);

// An image of 16 channels that is stored with the channels last, and weights [8, 3, 3, 16].
constexpr auto convolution = [] {
  return type_of("cortex_m.quantized_conv2d.out", {in(int8, 1, 8, 10, 16), in(int8, 8, 3, 3, 16), omitted, in(int32, 8), in(int32, 8)},
                 {{"arg_3", list<2, 2>},
                  {"arg_4", list<1, 1>},
                  {"arg_5", list<1, 1>},
                  {"dim_orders", list<0, 2, 3, 1, 0, 1, 2, 3, 0, 0, 0, 2, 3, 1>}});
};
constexpr auto sizes_follow_the_orders_of_dimensions() -> bool {
  return is(convolution(), "int8 [1 4 5 8]") &&
         is(type_of("cortex_m.quantized_avg_pool2d_nhwc.out", {in(int8, 1, 8, 8, 3)},
                    {{"arg_1", list<2, 2>}, {"arg_2", list<2, 2>}, {"arg_3", list<0, 0>}}),
            "int8 [1 4 4 3]") &&
         is(type_of("dim_order_ops._clone_dim_order.out", {in(float32, 1, 4, 5, 3)}, {{"dim_orders", list<0, 2, 3, 1, 0, 1, 2, 3>}}),
            "float32 [1 3 4 5]") &&
         is(type_of("cortex_m.pad.out", {in(int8, 1, 4, 5, 3)},
                    {{"arg_1", list<0, 0, 1, 0>}, {"arg_2", list<0, 0, 2, 0>}, {"dim_orders", list<0, 2, 3, 1, 0, 2, 3, 1>}}),
            "int8 [1 4 8 3]") &&
         is(type_of("aten.convolution.out", {in(float32, 1, 3, 8, 8), in(float32, 6, 3, 3, 3), omitted},
                    {{"arg_3", list<1>}, {"arg_4", list<1>}, {"arg_5", list<1>}, {"arg_8", 1}}),
            "float32 [1 6 8 8]") &&
         is(type_of("aten.view_copy.out", {in(float32, 2, 6)}, {{"arg_1", list<-1, 3>}}), "float32 [4 3]") &&
         is(type_of("aten.split_copy.Tensor_out", {in(int8, 1, 4, 5, 3)},
                    {{"arg_1", 2}, {"arg_2", 1}, {"dim_orders", list<0, 2, 3, 1, 0, 2, 3, 1, 0, 1, 2, 3>}}, 2),
            "int8 [1 4 5 2], int8 [1 1 4 5]") &&
         is(type_of("aten.narrow_copy.out", {in(int8, 2, -1)}, {{"arg_1", 1}, {"arg_2", 1}, {"arg_3", 4}}), "int8 [2 4]") &&
         is(type_of("aten.argmax.out", {in(int8, 2, 6)}, {{"arg_1", 2}, {"arg_2", 0}}), "there is no dimension 2") &&
         is(type_of("aten.mean.out", {in(float32, 2, 6)}, {{"arg_1", list<-1>}, {"arg_2", 1}}), "float32 [2 1]");
}
static_assert(sizes_follow_the_orders_of_dimensions());

}  // namespace

TEST_CASE("definitions of ExecuTorch's operators are consistent, and infer sizes in the order of the file") {
  CHECK(count_of_functions(executorch::detail::operator_families, executorch::dialect) > 100);
  CHECK(sizes_follow_the_orders_of_dimensions());
}
