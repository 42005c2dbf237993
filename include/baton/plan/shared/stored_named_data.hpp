// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The named data in the executable image. Equal bytes are stored once, within a program and across methods that were lowered together.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/stored_constant.hpp>
#include <baton/plan/shared/stored_processed_bytes.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <type_traits>

namespace baton {

namespace detail {

/// The position of the first entry with given bytes, among the named data entries of several programs. `alignment` is the least common
/// multiple of the alignments of all entries with these bytes. Entries whose bytes are in another file (`external_tag`) are ignored.
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
  const auto search = [&](const program_view& program) {
    for (std::uint32_t i = 0; i < program.named_data.size(); ++i) {
      const auto& entry = program.named_data[i];
      if (entry.external_tag.size != 0 || !same_bytes(program.data(entry.data), bytes)) continue;
      if (!position.is_found) position = {number, i, 1, true};
      position.alignment = std::lcm(position.alignment, std::uint64_t{entry.alignment});
    }
    ++number;
  };
  (search(Programs::value()), ...);
  return position;
}

/// Fails with `misaligned_image` if `alignment` is not a power of two. Compilers support no other alignments. `alignment` is the common
/// alignment of all keys with equal bytes: the least common multiple of their alignments.
constexpr auto check_alignment(const program_view& program, std::uint32_t entry, std::uint64_t alignment) -> failure {
  if (std::has_single_bit(alignment)) return {};
  return broken<"misaligned_image">("the keys with the bytes of key ", program.text(program.named_data[entry].key),
                                    " have the common alignment ", alignment);
}

/// A copy of named data, because a pointer into the program would keep the whole program in the image. Linker scripts refer to this name
/// (see `preprocess_result`).
template <class Program, std::uint32_t Entry, std::size_t Alignment>
alignas(Alignment) inline constexpr auto named_data_bytes = [] {
  constexpr auto bytes = program_view(Program::value()).data(Program::value().named_data[Entry].data);
  std::array<char, bytes.size()> copy{};
  copy_bytes(bytes, copy.data());
  return copy;
}();

}  // namespace detail

/// Returns the bytes of a named data entry as stored in the image. Entries with equal bytes share one copy. The alignment of the copy
/// satisfies the keys of all these entries. Fails at compile time with `misaligned_image` if this alignment is not a power of two.
///
/// Bytes in permanent memory (`named_data_ref::is_view`) are not copied if none of their keys requires an alignment. Instead, the result is
/// a view. If a value has equal data, the result is a view of the value's stored data, so that the image need not contain the model file.
/// If no value has equal data, the result is a view of the bytes in permanent memory. `ConstantSharers` is the tuple of programs whose
/// values share equal data (see `stored_constant`).
template <class Program, std::uint32_t Entry, class ConstantSharers = detail::constant_sharers<Program>>
constexpr auto stored_named_data() -> span<const char> {
  using sharers = typename detail::sharing_programs<typename Program::stage_type>::type;
  constexpr auto position =
      detail::first_named_data(program_view(Program::value()).data(Program::value().named_data[Entry].data), std::type_identity<sharers>{});
  using holder = std::tuple_element_t<position.program, sharers>;
  constexpr auto& entry = holder::value().named_data[position.entry];
  constexpr static_failure why{detail::check_alignment(holder::value(), position.entry, position.alignment)};
  require_no_failure<why>();
  if constexpr (entry.is_view && position.alignment == 1) {
    constexpr auto data = program_view(holder::value()).data(entry.data);
    constexpr auto value = detail::equal_constants<ConstantSharers>::find(data);
    if constexpr (!data.empty() && value.id != none<value_id>) {
      return detail::constant_bytes<std::tuple_element_t<value.program, ConstantSharers>, value.id>;
    } else {
      return data;
    }
  } else {
    return detail::named_data_bytes < holder, position.entry, why.is_set ? 1 : static_cast<std::size_t>(position.alignment) > ;
  }
}

}  // namespace baton
