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

constexpr auto type_of(std::string_view op, operands inputs, literals attributes = {}, std::size_t outputs = 1) -> text_buffer {
  return inferred(op, inputs, attributes, outputs, {}, &executorch::dialect);
}
constexpr auto same(const text_buffer& text, std::string_view expected) -> bool { return view(text) == expected; }

template <std::int64_t... Numbers>
constexpr std::int64_t numbers[] = {Numbers...};
template <std::int64_t... Numbers>
constexpr span<const std::int64_t> list{numbers<Numbers...>};

constexpr auto definitions_are_consistent() -> bool {
  std::size_t count = 0;
  for (const auto family : executorch::detail::operator_families) {
    for (const auto& definition : family) {
      ++count;
      if (executorch::dialect.find(definition.name.hash) != &definition) return false;
      if (definition.infer == nullptr || definition.keeps_state || !definition.is_functional) return false;
    }
  }
  return count > 100 && executorch::dialect.find(hash_of("aten.fft_fft.out")) == nullptr;
}
static_assert(definitions_are_consistent());

// An image of 16 channels that is stored with the channels last, and weights [8, 3, 3, 16].
constexpr auto convolution = [] {
  return type_of("cortex_m.quantized_conv2d.out", {in(int8, 1, 8, 10, 16), in(int8, 8, 3, 3, 16), omitted, in(int32, 8), in(int32, 8)},
                 {{"arg_3", list<2, 2>},
                  {"arg_4", list<1, 1>},
                  {"arg_5", list<1, 1>},
                  {"dim_orders", list<0, 2, 3, 1, 0, 1, 2, 3, 0, 0, 0, 2, 3, 1>}});
};
constexpr auto sizes_follow_the_orders_of_dimensions() -> bool {
  return same(convolution(), "int8 [1 4 5 8]") &&
         same(type_of("cortex_m.quantized_avg_pool2d_nhwc.out", {in(int8, 1, 8, 8, 3)},
                      {{"arg_1", list<2, 2>}, {"arg_2", list<2, 2>}, {"arg_3", list<0, 0>}}),
              "int8 [1 4 4 3]") &&
         same(type_of("dim_order_ops._clone_dim_order.out", {in(float32, 1, 4, 5, 3)}, {{"dim_orders", list<0, 2, 3, 1, 0, 1, 2, 3>}}),
              "float32 [1 3 4 5]") &&
         same(type_of("cortex_m.pad.out", {in(int8, 1, 4, 5, 3)},
                      {{"arg_1", list<0, 0, 1, 0>}, {"arg_2", list<0, 0, 2, 0>}, {"dim_orders", list<0, 2, 3, 1, 0, 2, 3, 1>}}),
              "int8 [1 4 8 3]") &&
         same(type_of("aten.convolution.out", {in(float32, 1, 3, 8, 8), in(float32, 6, 3, 3, 3), omitted},
                      {{"arg_3", list<1>}, {"arg_4", list<1>}, {"arg_5", list<1>}, {"arg_8", 1}}),
              "float32 [1 6 8 8]") &&
         same(type_of("aten.view_copy.out", {in(float32, 2, 6)}, {{"arg_1", list<-1, 3>}}), "float32 [4 3]") &&
         same(type_of("aten.mean.out", {in(float32, 2, 6)}, {{"arg_1", list<-1>}, {"arg_2", 1}}), "float32 [2 1]");
}
static_assert(sizes_follow_the_orders_of_dimensions());

}  // namespace

TEST_CASE("definitions of ExecuTorch's operators are consistent, and infer sizes in the order of the file") {
  CHECK(definitions_are_consistent());
  CHECK(sizes_follow_the_orders_of_dimensions());
}
