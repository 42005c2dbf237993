// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Static programs: a stateless callable (a stage) is evaluated at compile time, and its program is stored in constants of exact size.
#pragma once

#include <baton/core/detail/carried_backends.hpp>
#include <baton/core/detail/deferred_arrays.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/frozen_program.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace baton {

/// Returns an owning copy of a program. Bytes outside the program (`byte_ref::outside`) are not copied.
constexpr auto thaw(const program_view& program) -> exported_program {
  exported_program copy;
  for_each_pool([](auto& to, const auto& from) { to.assign(from.data(), from.data() + from.size()); }, copy, program);
  copy.operators = program.operators;
  copy.dialect = program.dialect;
  return copy;
}

namespace detail {

/// Returns a copy of a program in arrays of the sizes `Sizes`, which must be `sizes_of(program)`.
template <pool_sizes Sizes>
constexpr auto freeze(const program_view& program) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool([](auto& to, const auto& from) { copy_records(from, to, from.size()); }, copy, program);
  copy.operators = program.operators;
  copy.dialect = program.dialect;
  return copy;
}

constexpr auto as_result(exported_program program) -> result<exported_program> { return program; }
constexpr auto as_result(result<exported_program> program) -> result<exported_program> { return program; }

/// The outcome of a stage, without the computed program: the sizes of the program's pools, or the failure.
struct outcome {
  pool_sizes sizes{};
  static_failure why{};
  std::uint32_t deferred_count = 0;  ///< the number of values whose bytes are deferred (not computed yet, see `byte_recipe`)
};

/// The sizes of pools that suffice for a program of about fifty nodes. With larger sizes, the compiler would need more time, because each
/// unused record costs as much as a used record.
inline constexpr pool_sizes common_sizes{4, 64, 128, 256, 512, 640, 16, bytes_per_constant, 4, 16, 16, 16, 64, 16, 16};
inline constexpr auto position_of_bytes = position_of(&program_view::bytes);

/// True if no element of `sizes` exceeds the element of `room` at the same position. The size of the byte pool is ignored.
constexpr auto fits_into(const pool_sizes& room, const pool_sizes& sizes) -> bool {
  for (std::size_t pool = 0; pool < sizes.size(); ++pool) {
    if (pool != position_of_bytes && sizes[pool] > room[pool]) return false;
  }
  return true;
}

/// The sizes of the arrays for the first evaluation of `Stage`. These are `common_sizes`, or `Stage::expected_sizes()` if this function
/// exists and its sizes do not fit into `common_sizes`. The byte pool always has `bytes_per_constant` bytes. If the program fits into these
/// arrays, the compiler evaluates `Stage` once. Otherwise, the compiler evaluates `Stage` twice: first to find the sizes, then to fill the
/// arrays. If the byte pool exceeds `bytes_per_constant`, additional evaluations compute the bytes in pieces of this size.
template <class Stage>
inline constexpr pool_sizes room_for = common_sizes;
template <class Stage>
  requires requires { Stage::expected_sizes(); }
inline constexpr pool_sizes room_for<Stage> = [] {
  auto sizes = Stage::expected_sizes();
  if (fits_into(common_sizes, sizes)) return common_sizes;
  sizes[position_of_bytes] = bytes_per_constant;
  return sizes;
}();

/// The outcome of a stage. `program` is the program of the stage in arrays of the sizes `Room`. If the stage fails or its program does not
/// fit into these arrays, `program` is value-initialized.
template <pool_sizes Room>
struct oversized_outcome {
  outcome known;
  frozen_program<Room> program{};
};

template <class Stage>
constexpr auto make_oversized() -> oversized_outcome<room_for<Stage>> {
  const auto program = as_result(Stage{}());
  oversized_outcome<room_for<Stage>> all;
  all.known.why = static_failure{program.error};
  if (!program) return all;
  all.known.sizes = sizes_of(program.value);
  if constexpr (requires { Stage::defers_bytes; }) {
    if (Stage::defers_bytes) all.known.deferred_count = deferred_count(program.value);
  }
  if (!fits_into(room_for<Stage>, all.known.sizes)) return all;
  for_each_pool([](auto& to, const auto& from) { copy_records(from, to, from.size() < to.size() ? from.size() : to.size()); }, all.program,
                program.value);
  all.program.operators = program.value.operators;
  all.program.dialect = program.value.dialect;
  return all;
}

/// Whether the static programs that `Stage` depends on are valid: `Stage::stages_are_valid`, or true if there is no such member.
template <class Stage>
inline constexpr bool stages_are_valid = true;
template <class Stage>
  requires requires { Stage::stages_are_valid; }
inline constexpr bool stages_are_valid<Stage> = Stage::stages_are_valid;

// A separate function, because Clang 16 does not destroy the temporaries of an expression in a template argument.
template <class Stage>
constexpr auto can_make() -> bool {
  static_cast<void>(Stage{}());
  return true;
}
/// False if the compiler cannot evaluate the callable `Stage`. The check evaluates a user's callable an additional time. Always true for a
/// stage of this library (a callable with a member `stages_are_valid`), because an additional evaluation of this stage may be expensive.
/// `may_be_evaluated` is a concept, because a concept does not instantiate the right side of `||` if the left side is true.
template <class Stage>
concept may_be_evaluated = requires { Stage::stages_are_valid; } || requires { typename std::bool_constant<can_make<Stage>()>; };

/// Returns `Stage::is_stored()`, or false if there is no such member. True means that the program of the stage is already a constant, which
/// `Stage::stored()` returns. Then the stage is not evaluated, and its program is not copied.
template <class Stage>
consteval auto is_stored() -> bool {
  if constexpr (requires { Stage::is_stored(); }) return Stage::is_stored();
  return false;
}
template <class Stage>
inline constexpr outcome stored_outcome{sizes_of(Stage::stored())};

template <class Stage>
inline constexpr oversized_outcome<room_for<Stage>> oversized_constant = make_oversized<Stage>();
inline constexpr outcome not_constexpr{{}, static_failure{broken<"not_constexpr">()}};
/// The outcome of a stage that is not a constant expression. The failure is `Stage::unevaluated()` if this function exists, otherwise
/// `not_constant`.
template <class Stage>
inline constexpr outcome unevaluated{{}, static_failure{[] {
                                       if constexpr (requires { Stage::unevaluated(); }) {
                                         return Stage::unevaluated();
                                       } else {
                                         return broken<"not_constant">();
                                       }
                                     }()}};

/// Returns the outcome of a stage: the sizes or the failure that the evaluation yields. The outcome is `not_constexpr` if `Stage` does not
/// satisfy `may_be_evaluated`. The outcome is `unevaluated` if `oversized_constant` is not a constant expression; in this case, the
/// compiler has already reported why.
template <class Stage>
consteval auto known_outcome() -> const outcome& {
  if constexpr (is_stored<Stage>()) {
    return stored_outcome<Stage>;
  } else if constexpr (!may_be_evaluated<Stage>) {
    return not_constexpr;
  } else if constexpr (requires { typename std::bool_constant<oversized_constant<Stage>.known.why.is_set>; }) {
    return oversized_constant<Stage>.known;
  } else {
    return unevaluated<Stage>;
  }
}
template <class Stage>
inline constexpr const outcome& outcome_constant = known_outcome<Stage>();

/// The bytes of the program that `Stage` returns, as a source of `joined_bytes`.
template <class Stage>
struct program_bytes {
  static constexpr void copy(std::size_t first, span<char> to) {
    if (fits_into(room_for<Stage>, outcome_constant<Stage>.sizes) && first + to.size() <= bytes_per_constant) {
      copy_bytes(span{oversized_constant<Stage>.program.bytes}.subspan(first, to.size()), to.data());
    } else {
      const auto program = as_result(Stage{}());
      copy_bytes(span{program.value.bytes.data(), program.value.bytes.size()}.subspan(first, to.size()), to.data());
    }
  }
};

/// Returns a copy of a program in arrays of exact size. The bytes are copied separately, by `program_bytes`.
template <class Stage, pool_sizes Sizes, class Program>
constexpr auto fitted(const Program& program) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool(
      [](auto& to, const auto& from) {
        if constexpr (!std::is_same_v<typename std::remove_cvref_t<decltype(to)>::value_type, char>) copy_records(from, to, to.size());
      },
      copy, program);
  copy.operators = program.operators;
  copy.dialect = program.dialect;
  copy.bytes = joined_bytes<program_bytes<Stage>, Sizes[position_of_bytes]>();
  return copy;
}

template <class Stage>
consteval auto frozen_outcome() {
  constexpr const outcome& known = outcome_constant<Stage>;
  require_no_failure<known.why>();
  if constexpr (known.why.is_set) {
    return frozen_program<pool_sizes{}>{};
  } else if constexpr (fits_into(room_for<Stage>, known.sizes)) {
    return fitted<Stage, known.sizes>(oversized_constant<Stage>.program);
  } else if constexpr (known.sizes[position_of_bytes] <= bytes_per_constant) {
    return freeze<known.sizes>(as_result(Stage{}()).value);
  } else {
    return fitted<Stage, known.sizes>(as_result(Stage{}()).value);
  }
}

/// A program in constants of exact size. Its deferred bytes (see `byte_recipe`) are not computed yet.
template <class Stage>
inline constexpr auto constant_with_deferred_bytes = frozen_outcome<Stage>();
template <class Stage>
struct unsettled_program {
  static constexpr auto value() -> const auto& { return constant_with_deferred_bytes<Stage>; }
};

template <class Stage>
consteval auto outcome_with_bytes() {
  constexpr auto count = outcome_constant<Stage>.deferred_count;
  if constexpr (count == 0) {
    return frozen_outcome<Stage>();
  } else {
    using unsettled = unsettled_program<Stage>;
    constexpr auto sizes = sizes_without_recipes<unsettled>(count);
    frozen_program<sizes> program{};
    copy_frozen(unsettled::value(), program);
    set_deferred_data<unsettled, deferred_values<unsettled, count>>(program.values, std::make_index_sequence<count>{});
    return program;
  }
}

template <class Stage>
inline constexpr auto frozen_constant = outcome_with_bytes<Stage>();

}  // namespace detail

/// A program that is computed at compile time. A `static_program` is an empty object. Its type contains the type of a stateless callable,
/// such as a lambda without captures. The callable returns an `exported_program` or a `result<exported_program>`. `value()` is a frozen
/// program in read-only memory. If the callable returns a failure, compilation fails with the sentence of the broken rule.
/// Example: `constexpr auto model = baton::static_program{[] { return build(); }};`
/// If a hand-built program has delegates, also pass the backends: `baton::static_program{[] { return build(); }, target}`.
template <class Stage>
struct static_program {
  static_assert(std::is_empty_v<Stage> && std::is_default_constructible_v<Stage>,
                "baton static_program: the callable that builds a static program has state; pass a lambda without captures");
  using stage_type = Stage;
  /// The backends of the program's delegates, as a `backend_list`. The list is `Stage::backend_types`, or empty if there is no such member.
  /// Each lowering adds its `backend_list` to the list, even backends without a delegate. `then` preserves the list. An executor looks up
  /// the backends of delegates in the list.
  using backend_types = typename detail::backends_of<Stage>::type;

  constexpr static_program() = default;
  constexpr explicit static_program(Stage) {}
  template <class Given, class List>
  constexpr static_program(Given, List) {}

  /// Returns the frozen program.
  static constexpr auto value() -> const auto& {
    if constexpr (detail::is_stored<Stage>()) {
      return Stage::stored();
    } else {
      return detail::frozen_constant<Stage>;
    }
  }
  /// True if neither this program nor any program from which it is computed has a failure. Reading `is_valid` does not report a failure.
  static constexpr bool is_valid = detail::stages_are_valid<Stage> && !detail::outcome_constant<Stage>.why.is_set;

  /// Fails to compile with the sentence of the broken rule if the callable returned a failure.
  static constexpr void report() { require_no_failure<detail::outcome_constant<Stage>.why>(); }

  // The operators do not call `value()`, so that the instantiation stack in compiler messages is one level shorter.
  constexpr operator program_view() const {  // NOLINT(google-explicit-constructor)
    if constexpr (detail::is_stored<Stage>()) {
      return Stage::stored();
    } else {
      return detail::frozen_constant<Stage>;
    }
  }
  constexpr auto operator->() const -> const auto* {
    if constexpr (detail::is_stored<Stage>()) {
      return &Stage::stored();
    } else {
      return &detail::frozen_constant<Stage>;
    }
  }
};

template <class Stage, class... Backends>
static_program(Stage, backend_list<Backends...>) -> static_program<detail::with_backends<Stage, backend_list<Backends...>>>;

}  // namespace baton
