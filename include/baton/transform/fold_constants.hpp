// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that replaces computations with constant operands by their results, and folds float16 constants.
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

/// A pass that replaces nodes by constants with the same elements:
/// - Shapes whose sizes are known, and integers computed from them by slices, packs, concatenations, gathers, reshapes and arithmetic.
///   Converters emit such nodes before a reshape. A result has at most 64 elements.
/// - Reshapes of constants. The bytes are not copied.
/// - Float16 constants. A float32 layer reads float16 filters and biases directly, without the preceding `tfl.dequantize`. If other
///   nodes also use a constant of up to 1,024 elements, the constant is widened to float32 for all users.
///
/// A node stays if its output is a graph output, or if the result does not fit the type of the output. The results are those of the kernels
/// of TensorFlow Lite; comments cite the source file.
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
  /// Folds node `id` if possible. `source` is the program before the pass; `find_definition` needs it.
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
  /// Folds a structural node with a constant operand. The output has the bytes of the operand (kernels/reshape.cc, squeeze.cc,
  /// expand_dims.cc). Values with per-channel quantization are not folded, because their channels could be on a different axis.
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
