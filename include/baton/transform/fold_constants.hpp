// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that evaluates nodes whose operands are constants or have known shapes, and folds float16 constants.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/folded_integers.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/float16_constants.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A pass that folds three kinds of nodes with constant operands or known shapes:
/// - Nodes that compute integers from known shapes and constant integers: shapes, ranks, strided slices, packs, concatenations, gathers,
///   casts, reshapes, sums, differences, products, minima, maxima, and products of all elements (`tfl.reduce_prod`). Converters emit these
///   nodes before a reshape. The output must have at most 64 elements.
/// - Reshapes of constants. The new constant shares the bytes of the old one.
/// - `tfl.dequantize` of float16 constants. A float32 layer then reads its float16 filter or bias directly. If a constant of up to 1,024
///   elements also has another use, it is widened to float32 for all its uses.
///
/// A node is not replaced if its output is a graph output, or if a computed integer does not fit the output's type. The constants equal the
/// outputs of TensorFlow Lite's kernels.
struct fold_constants {
  static constexpr std::string_view name = "fold_constants";
  static constexpr bool rarely_grows = true;

  /// True if the pass changes the program.
  static constexpr auto is_needed(const program_view& program) -> bool {
    rewriter change(program);
    const detail::float16_constants float16(program);
    for (const auto id : change.nodes()) {
      fold(change, float16, program, id);
      if (change.is_changed()) return true;
    }
    return false;
  }
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    const detail::float16_constants float16(program);
    for (const auto id : change.nodes()) fold(change, float16, program, id);
    return change.finish();
  }

 private:
  /// Folds node `id` if possible. `source` is the program before the pass, for `find_definition`.
  static constexpr void fold(rewriter& change, const detail::float16_constants& float16, const program_view& source, node_id id) {
    if (float16.is_needed()) float16.fold(change, id);
    const auto out = change.output(id);
    if (out == none<value_id> || change.is_output(out) || change.is_erased(id)) return;
    if (find_definition(source, change[id]).is_structural) {
      fold_reshape(change, id);
    } else if (bytes_of_integer(change[out].type) != 0 && change[out].quant.channels == 0) {
      fold_integers(change, id);
    }
  }
  static constexpr void fold_integers(rewriter& change, node_id id) {
    const auto folded = tflite::folded_integers(change.program(), change[id]);
    if (!folded.is_known) return;
    change.replace_by_constant(id, change.own(baton::view(bytes_of(folded.elements, change[change.output(id)].type))));
  }
  /// Folds a node whose definition sets `is_structural`, such as a reshape, if its operand is a constant. The output has the same bytes as
  /// the operand (kernels/reshape.cc, squeeze.cc, expand_dims.cc). Values with per-channel quantization are not folded, because their
  /// channels could be on a different axis.
  static constexpr void fold_reshape(rewriter& change, node_id id) {
    const auto in = change.input(id, 0), out = change.output(id);
    if (in == none<value_id>) return;
    const auto program = change.program();
    const auto& operand = program[in];
    const bool is_constant = is_owned_data(operand.kind) && operand.kind != value_kind::mutable_buffer && operand.tag == none<tag_id>;
    const auto bytes = byte_count(operand.type, program.shape(in));
    const bool is_same = operand.type == program[out].type && bytes == byte_count(operand.type, program.shape(out)) &&
                         operand.quant.channels <= 1 && is_same_quantization(program, in, out);
    if (is_constant && is_same && bytes > 0 && operand.data.size == bytes) change.replace_by_constant(id, operand.data);
  }
};
static_assert(pass<fold_constants>);

}  // namespace baton
