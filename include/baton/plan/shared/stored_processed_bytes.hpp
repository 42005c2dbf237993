// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The processed bytes of delegates in the executable image. Equal processed bytes are stored once, within a program and across methods that
// were lowered together.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace baton {

namespace detail {

/// The programs that share equal processed bytes with a program, including the program itself. The list is the same for each of these
/// programs.
template <class Stage>
struct sharing_programs {
  using type = std::tuple<static_program<Stage>>;
};
template <class>
struct programs_of;
template <class... Names, class... Stages>
struct programs_of<static_methods<static_method<Names, Stages>...>> {
  using type = std::tuple<static_program<Stages>...>;
};
template <class Stage>
  requires requires { typename Stage::phase; }
struct sharing_programs<Stage> {
  using type = typename programs_of<typename Stage::phase::result>::type;
};

struct processed_bytes_position {
  std::size_t program = 0;
  delegate_id id{0};
};

/// Returns the position of the first delegate whose processed bytes equal `processed_bytes`.
template <class... Programs>
constexpr auto first_position_of(span<const char> processed_bytes, std::type_identity<std::tuple<Programs...>>)
    -> processed_bytes_position {
  processed_bytes_position position;
  const auto find_in = [&](const program_view& program) {
    for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
      if (!same_bytes(program.data(program.delegates[d].processed_bytes), processed_bytes)) continue;
      position.id = static_cast<delegate_id>(d);
      return true;
    }
    ++position.program;
    return false;
  };
  static_cast<void>((find_in(Programs::value()) || ...));
  return position;
}

/// The source of a copy of processed bytes.
template <class Program, delegate_id Id>
struct processed_bytes_source {
  static constexpr auto bytes() -> span<const char> { return program_view(Program::value()).data(Program::value()[Id].processed_bytes); }
};

/// A copy of processed bytes, because a pointer into the program would keep the whole program in the image. Linker scripts refer to this
/// name (see `preprocess_result`).
template <class Program, delegate_id Id, std::size_t Alignment>
alignas(Alignment) inline constexpr auto processed_bytes_copy =
    joined_copy<processed_bytes_source<Program, Id>, processed_bytes_source<Program, Id>::bytes().size()>();

}  // namespace detail

/// Returns the copy of a delegate's processed bytes that is stored in the image.
template <class Program, delegate_id Id, std::size_t Alignment = 16>
constexpr auto stored_processed_bytes() -> span<const char> {
  using sharers = typename detail::sharing_programs<typename Program::stage_type>::type;
  constexpr auto position =
      detail::first_position_of(program_view(Program::value()).data(Program::value()[Id].processed_bytes), std::type_identity<sharers>{});
  return detail::processed_bytes_copy<std::tuple_element_t<position.program, sharers>, position.id, Alignment>;
}

}  // namespace baton
