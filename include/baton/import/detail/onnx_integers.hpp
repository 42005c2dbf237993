// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The values of an ONNX model whose integers are known, such as the shape of a reshape.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/onnx_integers.hpp>

namespace baton::onnx::detail {

/// The values whose integers are known during the import. Temporarily, they are constants, because inference rules use the integers of
/// constant operands.
class known_integer_values {
 public:
  /// Makes the output of the latest node a constant, if its integers are known.
  constexpr void fold(exported_program& program) {
    const auto& record = program.nodes.back();
    const auto folded = onnx::folded_integers(program, record);
    if (!folded.is_known) return;
    const auto id = program.operands[record.outputs.first];
    folded_.push_back({id, bytes_of(folded.elements, program.values[index(id)].type)});
    const auto& bytes = folded_.back().bytes;
    program.values[index(id)].data = program_builder::view(baton::view(bytes));
    program.values[index(id)].kind = value_kind::constant;
  }

  /// Makes all folded values intermediate values again.
  constexpr void restore(exported_program& program) const {
    for (const auto& each : folded_) {
      program.values[index(each.id)].kind = value_kind::intermediate;
      program.values[index(each.id)].data = {};
    }
  }

 private:
  /// A value, and its integers as data. The program views the data, so growth of the list must not move it.
  struct folded_value {
    value_id id;
    text_buffer bytes;
  };
  vector<folded_value> folded_;
};

}  // namespace baton::onnx::detail
