// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that computes shapes, and what is derived from them, at compile time, and folds constants of float16.
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

/// A pass that computes shapes of known sizes, and integers derived from them (slices, packs, concatenations, elements, sums; at most 64
/// elements), as converters write them in front of a reshape, and folds reshapes of constants, whose bytes stay where they are. Float32
/// layers read float16 filters and biases without the `tfl.dequantize` in front; for other nodes, float16 constants of up to 1,024 elements
/// are widened. Outputs of a graph are kept, and results that do not fit their type. Semantics: the kernels of TensorFlow Lite, by file
/// where they stand.
struct fold_constants {
  static constexpr std::string_view name = "fold_constants";

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    const detail::float16_constants halves(program);
    for (const auto id : change.nodes()) {
      if (halves.is_needed()) halves.fold(change, id);
      const auto out = change.output(id);
      if (out == none<value_id> || change.is_output(out) || change.is_erased(id)) continue;
      if (find_definition(change[id].op, program.operators).is_structural) {
        fold_reshape(change, id);
      } else if (bytes_of_integer(change[out].type) != 0 && change[out].quant.channels == 0) {
        fold_integers(change, id);
      }
    }
    return change.finish();
  }

 private:
  static constexpr void fold_integers(rewriter& change, node_id id) {
    const auto made = folded_integers(change.program(), change[id]);
    if (!made.is_known) return;
    const auto out = change.output(id);
    const auto type = change[out].type;
    const bool fits = made.elements.size() <= integer_list::most && fit(made.elements, type) &&
                      element_count(change.program().shape(out)) == static_cast<std::int64_t>(made.elements.size());
    if (fits) change.replace_by_constant(id, change.own(baton::view(bytes_of(made.elements, type))));
  }
  /// kernels/reshape.cc, squeeze.cc, expand_dims.cc: the same bytes. Channels would lie along another axis.
  static constexpr void fold_reshape(rewriter& change, node_id id) {
    const auto in = change.input(id, 0), out = change.output(id);
    if (in == none<value_id>) return;
    const auto program = change.program();
    const auto& given = program[in];
    const bool is_constant = is_owned_data(given.kind) && given.kind != value_kind::mutable_buffer && given.tag == none<tag_id>;
    const auto bytes = byte_count(given.type, program.shape(in));
    const bool is_same = given.type == program[out].type && bytes == byte_count(given.type, program.shape(out)) &&
                         given.quant.channels <= 1 && is_same_quantization(program, in, out);
    if (is_constant && is_same && bytes > 0 && given.data.size == bytes) change.replace_by_constant(id, given.data);
  }
};
static_assert(pass<fold_constants>);

}  // namespace baton
