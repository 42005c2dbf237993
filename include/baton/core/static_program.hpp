// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The thin static layer: evaluate a stateless callable in the compiler and freeze the program it makes.
#pragma once

#include <baton/core/detail/carried_backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <type_traits>

namespace baton {

/// The owning copy of a program in any form; bytes outside stay outside.
constexpr auto thaw(const program_view& program) -> exported_program {
  exported_program copy;
  for_each_pool([](auto& to, const auto& from) { to.assign(from.data(), from.data() + from.size()); }, copy, program);
  copy.operators = program.operators;
  return copy;
}

namespace detail {

/// Copies a pool's first records into an array that has room for them.
template <class From, class To>
constexpr void copy_records(const From& from, To& to, std::size_t count) {
  if constexpr (std::is_same_v<typename To::value_type, char>) {
    copy_bytes({from.data(), count}, to.data());
  } else {
    const auto* const records = from.data();
    auto* const copies = to.data();
    for (std::size_t i = 0; i < count; ++i) copies[i] = records[i];
  }
}

/// Storage in arrays of exact size: programs that are constants.
template <pool_sizes Sizes>
struct frozen {
  template <class T, std::size_t I>
  using pool = std::array<T, Sizes[I]>;
};
/// The constant form: every pool an array of exact size.
template <pool_sizes Sizes>
using frozen_program = basic_program<frozen<Sizes>>;
/// A copy of a program in arrays of exactly these sizes, which must be `sizes_of(program)`.
template <pool_sizes Sizes>
constexpr auto freeze(const program_view& program) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool([](auto& to, const auto& from) { copy_records(from, to, from.size()); }, copy, program);
  copy.operators = program.operators;
  return copy;
}

constexpr auto as_result(exported_program made) -> result<exported_program> { return made; }
constexpr auto as_result(result<exported_program> made) -> result<exported_program> { return made; }

/// What is known of a stage's outcome before its arrays exist.
struct outcome {
  pool_sizes sizes{};
  static_failure why{};
};

/// Room for programs of some fifty nodes, and no more, because each record of it costs the compiler as much as one that is used. What fits
/// is made in one evaluation, what does not in two: for the sizes, then for the arrays. Of more bytes the first are made in the first, and
/// each `bytes_per_constant` behind them in one of their own.
inline constexpr pool_sizes common_sizes{4, 64, 128, 256, 512, 512, 16, bytes_per_constant, 4, 16, 16, 16, 64, 16, 16};
inline constexpr auto position_of_bytes = position_of(&program_view::bytes);

constexpr auto are_common(pool_sizes sizes) -> bool {
  sizes[position_of_bytes] = 0;
  for (std::size_t pool = 0; pool < sizes.size(); ++pool) {
    if (sizes[pool] > common_sizes[pool]) return false;
  }
  return true;
}

/// What a stage came to, and its program with room to spare, if it has that room.
struct roomy_outcome {
  outcome known;
  frozen_program<common_sizes> program{};
};

template <class Make>
constexpr auto make_roomy() -> roomy_outcome {
  const auto made = as_result(Make{}());
  roomy_outcome all;
  all.known.why = static_failure{made.error};
  if (!made) return all;
  all.known.sizes = sizes_of(made.value);
  if (!are_common(all.known.sizes)) return all;
  for_each_pool([](auto& to, const auto& from) { copy_records(from, to, from.size() < to.size() ? from.size() : to.size()); }, all.program,
                made.value);
  all.program.operators = made.value.operators;
  return all;
}

/// A stage that is made from others says by `stages_are_valid` whether they could be made.
template <class Make>
inline constexpr bool stages_are_valid = true;
template <class Make>
  requires requires { Make::stages_are_valid; }
inline constexpr bool stages_are_valid<Make> = Make::stages_are_valid;

// A function of its own: Clang 16 keeps the temporaries of template arguments.
template <class Make>
constexpr auto can_make() -> bool {
  static_cast<void>(Make{}());
  return true;
}
/// Whether a compiler may be able to evaluate what makes a program. A user's callable is tried, which makes its program once more; a stage
/// of this library, which says `stages_are_valid` and may be long work, is not. (A concept: only there does `||` leave out its right side.)
template <class Make>
concept may_be_evaluated = requires { Make::stages_are_valid; } || requires { typename std::bool_constant<can_make<Make>()>; };

template <class Make>
inline constexpr roomy_outcome roomy_constant = make_roomy<Make>();
inline constexpr outcome not_constexpr{{}, static_failure{broken<"not_constexpr">()}};
/// Of a stage that the compiler could not evaluate, and which may have words of its own for that: `unevaluated()`.
template <class Make>
inline constexpr outcome unevaluated{{}, static_failure{[] {
                                       if constexpr (requires { Make::unevaluated(); }) {
                                         return Make::unevaluated();
                                       } else {
                                         return broken<"not_constant">();
                                       }
                                     }()}};

/// What a stage came to. Of a stage that the compiler could not evaluate it has told why before; all else says no more than that.
template <class Make>
consteval auto known_outcome() -> const outcome& {
  if constexpr (!may_be_evaluated<Make>) {
    return not_constexpr;
  } else if constexpr (requires { typename std::bool_constant<roomy_constant<Make>.known.why.broken>; }) {
    return roomy_constant<Make>.known;
  } else {
    return unevaluated<Make>;
  }
}
template <class Make>
inline constexpr const outcome& outcome_constant = known_outcome<Make>();

/// The bytes of the program that `Make` makes.
template <class Make>
struct made_bytes {
  static constexpr void copy(std::size_t first, span<char> to) {
    if (are_common(outcome_constant<Make>.sizes) && first + to.size() <= bytes_per_constant) {
      copy_bytes(span{roomy_constant<Make>.program.bytes}.subspan(first, to.size()), to.data());
    } else {
      const auto made = as_result(Make{}());
      copy_bytes(span{made.value.bytes.data(), made.value.bytes.size()}.subspan(first, to.size()), to.data());
    }
  }
};

/// A copy of a program in arrays of exact size; its bytes are copied apart, by `made_bytes`.
template <class Make, pool_sizes Sizes, class Program>
constexpr auto fitted(const Program& made) -> frozen_program<Sizes> {
  frozen_program<Sizes> copy{};
  for_each_pool(
      [](auto& to, const auto& from) {
        if constexpr (!std::is_same_v<typename std::remove_cvref_t<decltype(to)>::value_type, char>) copy_records(from, to, to.size());
      },
      copy, made);
  copy.operators = made.operators;
  copy.bytes = joined_bytes<made_bytes<Make>, Sizes[position_of_bytes]>();
  return copy;
}

template <class Make>
consteval auto frozen_outcome() {
  constexpr const outcome& known = outcome_constant<Make>;
  require_unbroken<known.why>();
  if constexpr (known.why.broken) {
    return frozen_program<pool_sizes{}>{};
  } else if constexpr (are_common(known.sizes)) {
    return fitted<Make, known.sizes>(roomy_constant<Make>.program);
  } else if constexpr (known.sizes[position_of_bytes] <= bytes_per_constant) {
    return freeze<known.sizes>(as_result(Make{}()).value);
  } else {
    return fitted<Make, known.sizes>(as_result(Make{}()).value);
  }
}

template <class Make>
inline constexpr auto frozen_constant = frozen_outcome<Make>();

}  // namespace detail

/// A program that the compiler makes: an empty object, whose type holds a stateless callable (a captureless lambda, say) that returns an
/// `exported_program` or a `result` of one. Its value is a frozen program in read-only memory. A failure stops the compiler with its
/// sentence. Example: `constexpr auto model = baton::static_program{[] { return build(); }};`
/// A program that was made by hand and has delegates is given their backends, too: `baton::static_program{[] { return build(); }, target}`.
template <class Make>
struct static_program {
  static_assert(std::is_empty_v<Make> && std::is_default_constructible_v<Make>,
                "baton static_program: the callable that builds a static program has state; pass a lambda without captures");
  using make = Make;
  /// The backends that its delegates run on, a `backend_list`: those of every lowering before, and of what it was made from (`then`); or
  /// what `Make` says by a member type of this name. Who lowers adds to it, an executor looks backends up in it.
  using backend_types = typename detail::backends_of<Make>::type;

  constexpr static_program() = default;
  constexpr explicit static_program(Make) {}
  template <class Given, class List>
  constexpr static_program(Given, List) {}

  /// The frozen program.
  static constexpr auto value() -> const auto& { return detail::frozen_constant<Make>; }
  /// Whether the program, and all that it is made from, could be made; asking stops no compilation.
  static constexpr bool is_valid = detail::stages_are_valid<Make> && !detail::outcome_constant<Make>.why.broken;

  /// Stops the compiler with the sentence of the rule that kept the program from being made, if one did.
  static constexpr void report() { require_unbroken<detail::outcome_constant<Make>.why>(); }

  // Not by way of value(): messages are a frame shorter.
  constexpr operator program_view() const { return detail::frozen_constant<Make>; }  // NOLINT(google-explicit-constructor)
  constexpr auto operator->() const -> const auto* { return &detail::frozen_constant<Make>; }
};

template <class Make, class... Backends>
static_program(Make, backend_list<Backends...>) -> static_program<detail::with_backends<Make, backend_list<Backends...>>>;

}  // namespace baton
