// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The blobs of delegates in the image. Equal blobs are stored once, within a program and across methods that were lowered together.
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

/// The programs that share equal blobs with a program. All of these programs have the same list, in the same order.
template <class Make>
struct blob_sharers {
  using type = std::tuple<static_program<Make>>;
};
template <class>
struct programs_of;
template <class... Names, class... Makes>
struct programs_of<static_methods<static_method<Names, Makes>...>> {
  using type = std::tuple<static_program<Makes>...>;
};
template <class Make>
  requires requires { typename Make::phase; }
struct blob_sharers<Make> {
  using type = typename programs_of<typename Make::phase::result>::type;
};

struct blob_position {
  std::size_t program = 0;
  delegate_id id{0};
};

/// Returns the position of the first delegate whose blob has the same bytes as `blob`.
template <class... Programs>
constexpr auto first_position_of(span<const char> blob, std::type_identity<std::tuple<Programs...>>) -> blob_position {
  blob_position position;
  const auto is_in = [&](const program_view& program) {
    for (std::uint32_t d = 0; d < program.delegates.size(); ++d) {
      if (!same_bytes(program.data(program.delegates[d].processed_bytes), blob)) continue;
      position.id = static_cast<delegate_id>(d);
      return true;
    }
    ++position.program;
    return false;
  };
  static_cast<void>((is_in(Programs::value()) || ...));
  return position;
}

/// The source of a copy of a blob.
template <class Program, delegate_id Id>
struct blob_source {
  static constexpr auto bytes() -> span<const char> { return program_view(Program::value()).data(Program::value()[Id].processed_bytes); }
};

/// A copy of a blob, because a pointer into the program would keep the whole program in the image. Linker scripts refer to this name (see
/// `preprocess_result`).
template <class Program, delegate_id Id, std::size_t Alignment>
alignas(Alignment) inline constexpr auto blob_bytes = joined_copy<blob_source<Program, Id>, blob_source<Program, Id>::bytes().size()>();

}  // namespace detail

/// Returns the copy of a delegate's blob that is stored in the image.
template <class Program, delegate_id Id, std::size_t Alignment = 16>
constexpr auto stored_blob() -> span<const char> {
  using sharers = typename detail::blob_sharers<typename Program::make>::type;
  constexpr auto position =
      detail::first_position_of(program_view(Program::value()).data(Program::value()[Id].processed_bytes), std::type_identity<sharers>{});
  return detail::blob_bytes<std::tuple_element_t<position.program, sharers>, position.id, Alignment>;
}

}  // namespace baton
