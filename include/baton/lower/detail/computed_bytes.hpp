// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes at compile time the processed bytes of lowered modules with packed constants (`packed_constant`). Processed bytes are the result
// of a backend's `preprocess`. Each piece of the bytes is computed in a separate constant expression.
#pragma once

#include <baton/backend/shared/constant_packing.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The number of bytes that one constant expression computes. GCC evaluates about 30 operations per byte, or more if the innermost loop of
/// the packing is short.
inline constexpr std::size_t packed_bytes_per_constant = 32768;

/// The processed bytes of a lowered module, computed at compile time. They consist of the bytes that the backend returned
/// (`unpacked_bytes`) and the packed constants. A lowered module is the nodes that a backend's `preprocess` has compiled.
template <class Program, delegate_id Id>
struct packed_bytes_source {
  static constexpr auto unpacked_bytes() -> std::string_view {
    return program_view(Program::value()).text(Program::value()[Id].processed_bytes);
  }
  static constexpr std::size_t size = unpacked_bytes().size() + constant_packing::of(Program::value(), Id).size();

  static constexpr void copy(std::size_t first, span<char> to) {
    constant_packing::of(Program::value(), Id).copy(unpacked_bytes(), Program::value(), first, to);
  }
};
template <class Program, delegate_id Id>
inline constexpr auto packed_bytes =
    joined_array<char, packed_bytes_source<Program, Id>, packed_bytes_source<Program, Id>::size, packed_bytes_per_constant>();

/// The step that computes the processed bytes of each lowered module that has packed constants. In the returned program, the module refers
/// to the computed bytes.
template <class Program>
struct packing_step {
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    auto computed = thaw(program);
    const auto set_bytes = [&]<std::uint32_t D>(std::integral_constant<std::uint32_t, D>) {
      if constexpr (constexpr auto id = static_cast<delegate_id>(D); Program::value()[id].packing.size != 0) {
        const auto& bytes = packed_bytes<Program, id>;
        computed.delegates[D].processed_bytes = {bytes.data(), 0, static_cast<std::uint32_t>(bytes.size())};
        computed.delegates[D].packing = {};
      }
    };
    [&]<std::uint32_t... D>(std::integer_sequence<std::uint32_t, D...>) {
      (set_bytes(std::integral_constant<std::uint32_t, D>{}), ...);
    }(std::make_integer_sequence<std::uint32_t, Program::value().delegates.size()>{});
    return computed;
  }
};

/// Returns the static program `Program` with the processed bytes of every lowered module computed. Returns `Program` itself if no lowered
/// module has packed constants.
template <class Program>
constexpr auto computed_bytes() {
  constexpr bool is_packed = [] {
    if constexpr (Program::is_valid) {
      const auto& modules = Program::value().delegates;
      return std::any_of(modules.begin(), modules.end(), [](const lowered_module_ref& each) { return each.packing.size != 0; });
    } else {
      return false;
    }
  }();
  if constexpr (is_packed) {
    return static_program<stage<packing_step<Program>, Program>>{};
  } else {
    return Program{};
  }
}

}  // namespace baton::detail
