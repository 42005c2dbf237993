// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Dialects: sets of operator definitions that are indexed by the hash of the operator's name.
#pragma once

#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/name_index.hpp>

namespace baton {

/// The operator definitions of a file format. A program of that format refers to this dialect (`exported_program::dialect`), so that
/// verification, inference, passes, partitioners, costs and reports know the operators of the format. A dialect is a view of static data.
/// Example, for two lists of definitions:
/// `constexpr baton::operator_list lists[] = {convolutions, activations};`
/// `constexpr auto dialect = baton::operator_dialect::of<lists>();`
/// `find` returns the definition of the operator whose name has a given hash, or null.
class operator_dialect : public name_index<operator_definition> {
 public:
  /// Returns the dialect that consists of the definitions in `Lists`, an array of `operator_list` with static storage.
  template <const auto& Lists>
  static consteval auto of() -> operator_dialect {
    return operator_dialect(name_index::of<Lists>());
  }

 private:
  constexpr explicit operator_dialect(const name_index& index) : name_index(index) {}
};

}  // namespace baton
