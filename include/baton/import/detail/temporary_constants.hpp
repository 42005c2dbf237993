// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Values that are constants only during an import.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>

namespace baton::detail {

/// Node outputs whose integers are known during an import. These outputs are temporarily constants, because inference rules use the
/// integers of constant operands.
class temporary_constants {
 public:
  /// Makes the intermediate value `id` a constant with the elements `integers`, if `integers` is known.
  constexpr void add(exported_program& program, value_id id, const integer_list& integers) {
    if (!integers.is_known) return;
    auto& record = program.values[index(id)];
    added_.push_back({id, bytes_of(integers.elements, record.type)});
    record.data = program_builder::view(baton::view(added_.back().bytes));
    record.kind = value_kind::constant;
  }

  /// Makes all added values intermediate values again.
  constexpr void restore(exported_program& program) const {
    for (const auto& each : added_) {
      program.values[index(each.id)].kind = value_kind::intermediate;
      program.values[index(each.id)].data = {};
    }
  }

 private:
  /// A value, and its integers as data. The program views `bytes`, which stay at the same address when the list grows, because a moved
  /// `text_buffer` keeps its memory.
  struct added_value {
    value_id id;
    text_buffer bytes;
  };

  vector<added_value> added_;
};

}  // namespace baton::detail
