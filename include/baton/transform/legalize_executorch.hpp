// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that replaces operators of ExecuTorch's files by operators that the kernels support.
#pragma once

#include <baton/core/program.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_rows.hpp>
#include <baton/transform/detail/legalization.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The dialect of ExecuTorch's files, for `legalization` (detail/legalization.hpp).
struct executorch_legalization {
  /// True if `op` is an operator of ExecuTorch's files. In the namespace `aten`, only operators that write to an output argument or in
  /// place are members. In `quantized_decomposed`, only operators with the overload `out` are members. Other operators of both namespaces
  /// belong to torch.export.
  static constexpr auto is_member(std::string_view op) -> bool {
    if (op.empty() || op[0] == 't' || op[0] == 'b')
      return false;  // a fast exit for `tfl` and `baton`, the only namespaces of most programs
    // An operator that writes in place has no overload.
    if (op.starts_with("aten.")) return writes_to_given_output(op) || op.find('.', 5) == std::string_view::npos;
    if (op.starts_with("quantized_decomposed.")) return op.ends_with(".out");
    return op.starts_with("cortex_m.") || op.starts_with("dim_order_ops.") || op.starts_with("executorch_prim.");
  }
  /// True if the overload of an operator writes to an output argument.
  static constexpr auto writes_to_given_output(std::string_view op) -> bool {
    for (const std::string_view overload : {".out", "_out", ".out_mode", ".dim_max", ".dim_min", "topk.values"}) {
      if (op.ends_with(overload)) return true;
    }
    return false;
  }
  static constexpr auto find(std::uint64_t op) -> const legalization_row* { return executorch_rows_by_hash.find(op); }
  static constexpr void check(emission&, const program_view&, const node&) {}
  static constexpr auto sets_shape(emission&, const node&) -> bool { return false; }
  static constexpr void prepare(rewriter&, const program_view&) {}
};

}  // namespace detail

/// A pass that replaces the operators of ExecuTorch's files by the operators of the kernels, `tfl.*` and `baton.*`. The operators of
/// ExecuTorch's files are `cortex_m.*`, `dim_order_ops.*`, `executorch_prim.*`, `quantized_decomposed.*.out`, and the operators of `aten`
/// that write to an output argument or in place. Shapes must be in memory order, for example [N, H, W, C] for an image with the channels
/// last. The attribute `dim_orders` of a node has the dimension orders of its operands and outputs. The importer sets the attribute if one
/// of these orders is not the identity. Images that are stored with the channels last are not transposed. Quantized layers keep their
/// multipliers and shifts. If several nodes replace one node, the main one (`emission::finish`) has the name and the debug handle of the
/// replaced node. A debug handle is a number that identifies a node of the model. Nodes of other dialects stay. A program without operators
/// of ExecuTorch is returned unchanged. Fails with `unsupported_operator` if nodes cannot be replaced. The reason lists these nodes by
/// operator and cause.
struct legalize_executorch : detail::legalization<detail::executorch_legalization> {
  static constexpr std::string_view name = "legalize_executorch";
};
static_assert(pass<legalize_executorch>);

}  // namespace baton
