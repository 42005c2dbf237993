// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The data that a mutable buffer begins with.
#pragma once

#include <baton/core/bytes.hpp>
#include <baton/core/program.hpp>

#include <array>
#include <cstring>

namespace baton::detail {

/// The data that a mutable buffer of a static program begins with, if it has any.
template <class Program, value_id Id>
struct state_data {
  static constexpr byte_ref data = program_view(Program::value())[Id].data;
  static constexpr bool is_there = data.size != 0;

  /// Writes it to where the buffer lies.
  static void write(char* to) {
    if constexpr (data.outside != nullptr) {
      std::memcpy(to, data.outside, data.size);
    } else if constexpr (is_there) {
      std::memcpy(to, copy<Id>.data(), data.size);
    }
  }

 private:
  /// A pointer into the program would keep all of the program in the image.
  template <value_id Of>
  static constexpr auto copy = [] {
    constexpr auto bytes = program_view(Program::value()).data(program_view(Program::value())[Of].data);
    std::array<char, bytes.size()> made{};
    copy_bytes(bytes, made.data());
    return made;
  }();
};

}  // namespace baton::detail
