// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that replaces operators of torch.export by operators that the kernels support.
#pragma once

#include <baton/core/program.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/torch_rows.hpp>
#include <baton/transform/legalize_executorch.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The dialect of programs that torch.export saved, for `legalization` (detail/legalization.hpp).
struct torch_legalization {
  /// True if `op` is an operator of torch.export. In the namespace `aten`, only operators with an overload that does not write to an output
  /// argument are members. In `quantized_decomposed`, operators with the overload `out` are not members. The other operators of both
  /// namespaces belong to ExecuTorch's files.
  static constexpr auto is_member(std::string_view op) -> bool {
    if (op.empty() || op[0] == 't' || op[0] == 'b') return false;  // most programs have only operators of `tfl` and `baton`
    if (op.starts_with("aten.")) return op.find('.', 5) != std::string_view::npos && !executorch_legalization::writes_to_given_output(op);
    return op.starts_with("quantized_decomposed.") && !op.ends_with(".out");
  }
  static constexpr auto find(std::uint64_t op) -> const legalization_row* { return torch_rows_by_hash.find(op); }
  /// Refuses keyword arguments, because the importer does not know their positions. The attribute `list_sizes` is not an argument; it has
  /// the sizes of the node's operand lists.
  static constexpr void check(emission& emitter, const program_view& program, const node& record) {
    for (const auto& argument : program.attributes_of(record)) {
      const auto named = program.text(argument.name);
      if (!named.starts_with("arg_") && named != "list_sizes") emitter.refuse("the argument ", named, " is not supported");
    }
  }
  static constexpr auto sets_shape(emission&, const node&) -> bool { return false; }
  static constexpr void prepare(rewriter&, const program_view&) {}
};

}  // namespace detail

/// A pass that replaces the operators of torch.export by the operators of the kernels. Programs that torch.export saved have the operators
/// `aten.*` and `quantized_decomposed.*`. The kernels have the operators `tfl.*` and `baton.*`. `torch::dialect` lists the supported
/// operators and describes their arguments. Operators without a kernel are decomposed, for example attention, normalizations and recurrent
/// cells. An image is stored with the channels last if the transposes of the program then move fewer bytes. Weights are permuted
/// accordingly. Graph inputs and outputs stay as in the file. Scales and zero points become the quantization of values. Conversions between
/// quantized and float32 values become `baton.quantize` and `tfl.dequantize`. If several nodes replace one node, the main one
/// (`emission::finish`) has the name and the debug handle of the replaced node. A debug handle is a number that identifies a node of the
/// model. Nodes of other dialects stay. A program without operators of torch.export is returned unchanged. Fails with
/// `unsupported_operator` if nodes cannot be replaced. The reason lists these nodes by operator and cause.
struct legalize_torch : detail::legalization<detail::torch_legalization> {
  static constexpr std::string_view name = "legalize_torch";
};
static_assert(pass<legalize_torch>);

}  // namespace baton
