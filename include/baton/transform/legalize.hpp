// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that replaces operators of ONNX, ExecuTorch and torch.export by operators that the kernels support.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/transform/detail/inline_decoded.hpp>
#include <baton/transform/fold_scales.hpp>
#include <baton/transform/fuse_activations.hpp>
#include <baton/transform/fuse_quantization.hpp>
#include <baton/transform/legalize_executorch.hpp>
#include <baton/transform/legalize_onnx.hpp>
#include <baton/transform/legalize_torch.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/shift_to_int8.hpp>

#include <string_view>

namespace baton {

/// A pass that replaces operators of ONNX, ExecuTorch and torch.export by operators that the kernels support (`tfl.` or `baton.`). Also
/// fuses quantization into these operators. Applies `passes` in order if a program has operators of ONNX, of ExecuTorch's files or of
/// torch.export, or calls a decoded delegate. A delegate is decoded if the importer has read the original graph of the delegate from the
/// processed bytes. The original graph is the graph that a backend's `preprocess` compiled; the processed bytes are its result. The
/// pass replaces the call by the original graph. If it replaces a call, it removes all tags of the program, so partition the result. All
/// other programs are returned unchanged, at the cost of a few comparisons for each node. Fails with the errors of `passes`.
struct legalize {
  static constexpr std::string_view name = "legalize";
  using passes = pass_list<detail::inline_decoded, legalize_onnx, legalize_executorch, legalize_torch, shift_to_int8, fuse_activations,
                           fold_scales, fuse_quantization>;

  /// True if a node of the program has an operator of ONNX, ExecuTorch or torch.export, or calls a decoded delegate.
  static constexpr auto is_needed(const program_view& program) -> bool {
    return legalize_onnx::is_needed(program) || legalize_executorch::is_needed(program) || legalize_torch::is_needed(program) ||
           detail::inline_decoded::is_needed(program);
  }

  static constexpr auto run(const program_view& program) -> result<exported_program> {
    if (!is_needed(program)) return thaw(program);
    return passes::run(program);
  }
};
static_assert(pass<legalize>);

}  // namespace baton
