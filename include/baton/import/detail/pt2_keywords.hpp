// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The positions of keyword arguments in the schemas of operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// The keyword arguments of an operator. In the schema of the operator, keyword arguments follow the positional arguments.
struct keyword_row {
  literal_name op;
  std::uint32_t positional;   ///< the number of positional arguments of the schema
  std::string_view keywords;  ///< in the order of the schema, separated by commas
};

inline constexpr std::string_view factory_keywords{"dtype,layout,device,pin_memory"},
    like_keywords{"dtype,layout,device,pin_memory,memory_format"};

/// Operators with keyword arguments. An in-place operator (`add_`) has the keywords of its functional operator (`add`). The schemas are in
/// aten/src/ATen/native/native_functions.yaml and torch/ao/quantization/fx/_decomposed.py.
inline constexpr keyword_row keyword_rows[] = {
    {"aten._to_copy.default", 1, "dtype,layout,device,pin_memory,non_blocking,memory_format"},
    {"aten.add.Tensor", 2, "alpha"},
    {"aten.addcdiv.default", 3, "value"},
    {"aten.addcmul.default", 3, "value"},
    {"aten.addmm.default", 3, "beta,alpha"},
    {"aten.arange.default", 1, factory_keywords},
    {"aten.arange.start", 2, factory_keywords},
    {"aten.arange.start_step", 3, factory_keywords},
    {"aten.baddbmm.default", 3, "beta,alpha"},
    {"aten.clone.default", 1, "memory_format"},
    {"aten.contiguous.default", 1, "memory_format"},
    {"aten.cumprod.default", 2, "dtype"},
    {"aten.cumsum.default", 2, "dtype"},
    {"aten.div.Scalar_mode", 2, "rounding_mode"},
    {"aten.div.Tensor_mode", 2, "rounding_mode"},
    {"aten.empty.memory_format", 1, like_keywords},
    {"aten.empty_like.default", 1, like_keywords},
    {"aten.full.default", 2, factory_keywords},
    {"aten.full_like.default", 2, like_keywords},
    {"aten.gelu.default", 1, "approximate"},
    {"aten.index_add.default", 4, "alpha"},
    {"aten.mean.default", 1, "dtype"},
    {"aten.mean.dim", 3, "dtype"},
    {"aten.new_full.default", 3, factory_keywords},
    {"aten.new_ones.default", 2, factory_keywords},
    {"aten.new_zeros.default", 2, factory_keywords},
    {"aten.ones.default", 1, factory_keywords},
    {"aten.ones_like.default", 1, like_keywords},
    {"aten.prod.default", 1, "dtype"},
    {"aten.prod.dim_int", 3, "dtype"},
    {"aten.round.decimals", 1, "decimals"},
    {"aten.rsub.Tensor", 2, "alpha"},
    {"aten.scalar_tensor.default", 1, factory_keywords},
    {"aten.scaled_dot_product_attention.default", 6, "scale,enable_gqa"},
    {"aten.std.correction", 2, "correction,keepdim"},
    {"aten.sub.Tensor", 2, "alpha"},
    {"aten.sum.default", 1, "dtype"},
    {"aten.sum.dim_IntList", 3, "dtype"},
    {"aten.var.correction", 2, "correction,keepdim"},
    {"aten.zeros.default", 1, factory_keywords},
    {"aten.zeros_like.default", 1, like_keywords},
    {"quantized_decomposed.dequantize_per_channel.default", 7, "out_dtype"},
    {"quantized_decomposed.dequantize_per_tensor.default", 6, "out_dtype"},
    {"quantized_decomposed.dequantize_per_tensor.tensor", 6, "out_dtype"},
};

/// Returns the position of a keyword argument in the schema of an operator, or `npos` if `keyword_rows` does not list the keyword for this
/// operator.
constexpr auto keyword_position(std::uint64_t op, std::string_view keyword) -> std::uint32_t {
  for (const auto& row : keyword_rows) {
    if (row.op.hash != op) continue;
    auto position = row.positional;
    for (auto remaining = row.keywords; !remaining.empty(); ++position) {
      const auto end = remaining.find(',');
      if (remaining.substr(0, end) == keyword) return position;
      remaining = end == std::string_view::npos ? std::string_view{} : remaining.substr(end + 1);
    }
  }
  return npos;
}

}  // namespace baton::pt2::detail
