// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The data that a mutable buffer begins with.
#pragma once

#include <baton/core/program.hpp>
#include <baton/plan/shared/stored_constant.hpp>

#include <cstring>

namespace baton::detail {

/// The data that a mutable buffer of a static program begins with, if it has any; `Sharers` are those of `stored_constant`.
template <class Program, value_id Id, class Sharers>
struct state_data {
  static constexpr byte_ref data = program_view(Program::value())[Id].data;
  static constexpr bool is_there = data.size != 0;

  /// Writes it to where the buffer lies.
  static void write(char* to) {
    if constexpr (is_there) std::memcpy(to, stored_constant<Program, Id, Sharers>().data(), data.size);
  }
};

}  // namespace baton::detail
