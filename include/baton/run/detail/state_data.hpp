// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The initial data of a mutable buffer.
#pragma once

#include <baton/core/program.hpp>
#include <baton/plan/shared/stored_constant.hpp>

#include <cstring>

namespace baton::detail {

/// The initial data of a mutable buffer of a static program. `has_data` is false if the buffer has no initial data. `Sharers` is the tuple
/// of programs that share equal constants, as in `stored_constant`.
template <class Program, value_id Id, class Sharers>
struct state_data {
  static constexpr byte_ref data = program_view(Program::value())[Id].data;
  static constexpr bool has_data = data.size != 0;

  /// Copies the initial data to the buffer at `to`. Does nothing if there is no initial data.
  static void write(char* to) {
    if constexpr (has_data) std::memcpy(to, stored_constant<Program, Id, Sharers>().data(), data.size);
  }
};

}  // namespace baton::detail
