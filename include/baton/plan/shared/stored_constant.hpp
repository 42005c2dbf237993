// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The data of values in the executable image. Each constant operand that a run reads is stored as a separate array. Equal data is stored
// once, within a program and across methods that were lowered together.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/constant_builtins.hpp>
#include <baton/core/shared/embeds_model.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/embedded_pieces.hpp>
#include <baton/plan/shared/stored_processed_bytes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace baton {

namespace detail {

/// The value that represents all values with the same data: the index of its program, and its id.
struct constant_position {
  std::uint32_t program = 0;
  value_id id = none<value_id>;
};

/// Lookup of equal data among the values of several programs.
template <class Sharers>
struct equal_constants;
template <class... Programs>
struct equal_constants<std::tuple<Programs...>> {
  /// Returns, for each value of each program, the first value with the same data. The result is indexed by value, program after program.
  static consteval auto find_all() {
    std::array<constant_position, (Programs::value().values.size() + ... + 0)> first_positions{};
    struct candidate {
      span<const char> bytes;
      constant_position position;
      std::size_t at;
    };
    vector<candidate> candidates;
    std::uint32_t number = 0;
    std::size_t at = 0;
    const auto list = [&](const program_view& program) {
      for (std::uint32_t v = 0; v < program.values.size(); ++v, ++at) {
        const auto& record = program.values[v];
        if (record.data.size != 0) candidates.push_back({program.data(record.data), {number, static_cast<value_id>(v)}, at});
      }
      ++number;
    };
    (list(Programs::value()), ...);
    sort(candidates.begin(), candidates.end(), [](const candidate& a, const candidate& b) {
      const auto order = compare_bytes(a.bytes, b.bytes);
      return order != 0 ? order < 0 : a.at < b.at;
    });
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool is_first = i == 0 || !same_bytes(candidates[i - 1].bytes, candidates[i].bytes);
      first_positions[candidates[i].at] = is_first ? candidates[i].position : first_positions[candidates[i - 1].at];
    }
    return first_positions;
  }
  static constexpr auto all = find_all();

  /// Returns the first value of `Programs` whose data is equal to the data of value `id` of `Program`. The result contains `none` if value
  /// `id` has no data. If `Program` is not in `Programs`, the result also contains `none` if no value of `Programs` has equal data.
  template <class Program>
  static constexpr auto position(value_id id) -> constant_position {
    if constexpr ((std::is_same_v<Program, Programs> || ...)) {
      std::size_t at = 0;
      bool is_found = false;
      ((is_found = is_found || std::is_same_v<Program, Programs>, at += is_found ? 0 : Programs::value().values.size()), ...);
      return all[at + index(id)];
    } else {
      return find(program_view(Program::value()).data(Program::value()[id].data));
    }
  }
  /// Returns the first value of the programs whose data is equal to `bytes`. The result contains `none` if there is no such value.
  static constexpr auto find(span<const char> bytes) -> constant_position {
    constant_position result;
    std::uint32_t number = 0;
    const auto search = [&](const program_view& program) {
      for (std::uint32_t v = 0; v < program.values.size() && result.id == none<value_id>; ++v) {
        const auto& record = program.values[v];
        if (record.data.size != 0 && same_bytes(program.data(record.data), bytes)) result = {number, static_cast<value_id>(v)};
      }
      ++number;
    };
    (search(Programs::value()), ...);
    return result;
  }
};

/// The source of a copy of a value's data.
template <class Program, value_id Id>
struct constant_source {
  static constexpr auto bytes() -> span<const char> { return program_view(Program::value()).data(Program::value()[Id].data); }
};

/// Returns the alignment of a constant of `size` bytes. The alignment is sufficient for elements of every type, and for access by words. To
/// avoid padding, the alignment is at most the larger of `size` and 4 bytes.
constexpr auto alignment_of_constant(std::size_t size) -> std::size_t {
  return std::clamp<std::size_t>(std::bit_floor(size), 4, alignof(std::max_align_t));
}

/// Returns the index of the piece of an embedded model (see `embedded_pieces`) that contains exactly the data of a value. Returns `npos` if
/// there is no such piece. Always returns `npos` with Clang, because Clang copies a range of bytes in one step and needs no pieces.
template <class Program, value_id Id>
consteval auto embedded_piece() -> std::size_t {
  if constexpr (!builtins_take_constant_bytes && embeds_model<typename Program::stage_type>) {
    if constexpr (embedded_pieces<Program>::is_worth_it) return embedded_pieces<Program>::piece_of(Id);
  }
  return npos;
}
/// Returns a copy of the data of a value. The function is not consteval, because Clang would then evaluate the initializer of a constant
/// twice.
template <class Program, value_id Id>
constexpr auto copy_constant() {
  constexpr auto piece_index = embedded_piece<Program, Id>();
  if constexpr (piece_index != npos) {
    using pieces = embedded_pieces<Program>;
    return copy_of_piece(pieces::template piece<piece_index>(pieces::all));
  } else {
    return joined_copy<constant_source<Program, Id>, constant_source<Program, Id>::bytes().size()>();
  }
}

/// A copy of the data of a value, because a pointer to the original would keep the whole model file or program in the image. Linker scripts
/// refer to this name (docs/install.md).
template <class Program, value_id Id>
alignas(alignment_of_constant(constant_source<Program, Id>::bytes().size())) inline constexpr auto constant_bytes =
    copy_constant<Program, Id>();

/// The programs that share equal data with `Program`: the methods that were lowered together with `Program`.
template <class Program>
using constant_sharers = typename sharing_programs<typename Program::stage_type>::type;

/// The stored data of all values without elements.
alignas(std::max_align_t) inline constexpr char no_elements[1]{};

}  // namespace detail

/// Returns the copy of a value's data that is stored in the image. `Sharers` is a tuple of programs that share equal data. All calls for
/// these programs must use the same tuple, so that they return the same copy of equal data.
template <class Program, value_id Id, class Sharers = detail::constant_sharers<Program>>
constexpr auto stored_constant() -> span<const char> {
  if constexpr (Program::value()[Id].data.size == 0) {
    return {detail::no_elements, 0};
  } else {
    constexpr auto position = detail::equal_constants<Sharers>::template position<Program>(Id);
    if constexpr (position.id == none<value_id>) {
      return detail::constant_bytes<Program, Id>;
    } else {
      return detail::constant_bytes<std::tuple_element_t<position.program, Sharers>, position.id>;
    }
  }
}

}  // namespace baton
