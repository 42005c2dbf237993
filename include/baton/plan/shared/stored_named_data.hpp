// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where named data lies on the target: equal bytes of a program, and of the methods that were lowered with it, are stored once.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/stored_blob.hpp>
#include <baton/plan/shared/stored_constant.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <type_traits>

namespace baton {

namespace detail {

/// The first entry that has some bytes, and the alignment that does for all that have them: their least common multiple.
struct named_data_position {
  std::size_t program = 0;
  std::uint32_t entry = 0;
  std::uint64_t alignment = 1;
  bool is_found = false;
};

template <class... Programs>
constexpr auto first_named_data(span<const char> bytes, std::type_identity<std::tuple<Programs...>>) -> named_data_position {
  named_data_position position;
  std::size_t number = 0;
  const auto look_at = [&](const program_view& program) {
    for (std::uint32_t i = 0; i < program.named_data.size(); ++i) {
      const auto& entry = program.named_data[i];
      if (entry.external_tag.size != 0 || !same_bytes(program.data(entry.data), bytes)) continue;
      if (!position.is_found) position = {number, i, 1, true};
      position.alignment = std::lcm(position.alignment, std::uint64_t{entry.alignment});
    }
    ++number;
  };
  (look_at(Programs::value()), ...);
  return position;
}

/// The failure of bytes whose keys together ask for an alignment that no compiler gives.
constexpr auto check_alignment(const program_view& program, std::uint32_t entry, std::uint64_t alignment) -> failure {
  if (std::has_single_bit(alignment)) return {};
  return broken<"misaligned_image">("key ", program.text(program.named_data[entry].key), ", alignment ", alignment);
}

/// A copy of named data: a pointer into the program would keep all of the program in the image. Linker scripts of users have this name
/// (`preprocess_result`).
template <class Program, std::uint32_t Entry, std::size_t Alignment>
alignas(Alignment) inline constexpr auto named_data_bytes = [] {
  constexpr auto bytes = program_view(Program::value()).data(Program::value().named_data[Entry].data);
  std::array<char, bytes.size()> copy{};
  copy_bytes(bytes, copy.data());
  return copy;
}();

}  // namespace detail

/// The bytes of an entry of a program's named data as they are stored: where they were given as a view of which nobody asks for an
/// alignment, in place, or where a value's data lies if they are that (weights of the model, whose file is not in the image); else as a
/// copy, one for all that are equal, aligned for all of their keys. Error, in the compiler: `misaligned_image`.
template <class Program, std::uint32_t Entry, class ConstantSharers = detail::constant_sharers<Program>>
constexpr auto stored_named_data() -> span<const char> {
  using sharers = typename detail::blob_sharers<typename Program::make>::type;
  constexpr auto position =
      detail::first_named_data(program_view(Program::value()).data(Program::value().named_data[Entry].data), std::type_identity<sharers>{});
  using holder = std::tuple_element_t<position.program, sharers>;
  constexpr auto& entry = holder::value().named_data[position.entry];
  constexpr static_failure why{detail::check_alignment(holder::value(), position.entry, position.alignment)};
  require_unbroken<why>();
  if constexpr (entry.is_view && position.alignment == 1) {
    constexpr auto data = program_view(holder::value()).data(entry.data);
    constexpr auto value = detail::equal_constants<ConstantSharers>::find(data);
    if constexpr (!data.empty() && value.id != none<value_id>) {
      return detail::constant_bytes<std::tuple_element_t<value.program, ConstantSharers>, value.id>;
    } else {
      return data;
    }
  } else {
    return detail::named_data_bytes < holder, position.entry, why.broken ? 1 : static_cast<std::size_t>(position.alignment) > ;
  }
}

}  // namespace baton
