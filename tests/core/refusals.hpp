// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is refused, with the same text at both times: told in the compiler, thrown at run time.
#pragma once

#include <baton/core/error.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace refusals {

/// What is thrown, as text.
template <class F>
auto text_thrown_by(F attempt) -> std::string {
  try {
    attempt();
  } catch (const baton::error& thrown) {
    return thrown.what();
  }
  return "nothing was thrown";
}

/// An error, how it is refused at both times, and with which text: the sentence of a rule, and the facts behind it.
struct error {
  std::string_view what;
  baton::failure (*refusal)();
  void (*attempt)();
  std::string_view sentence;
  std::string_view facts;
};

constexpr auto is_reported(const error& made) -> bool {
  return baton::view(baton::message(made.refusal())) == baton::view(baton::join(made.sentence, made.facts));
}

/// Whether all errors of a table are told. Each is a constant of its own: Clang counts steps by constant.
template <const auto& Mistakes>
struct table {
  template <std::size_t I>
  static constexpr bool is_row_reported = is_reported(Mistakes[I]);
  static constexpr bool are_all_reported = []<std::size_t... I>(std::index_sequence<I...>) {
    return (is_row_reported<I> && ...);
  }(std::make_index_sequence<std::size(Mistakes)>{});
};

/// The same at run time, where what is told is thrown, too.
template <class Mistakes>
void check(const Mistakes& errors) {
  for (const error& made : errors) {
    INFO(std::string(made.what));
    const auto expected = std::string(made.sentence) + std::string(made.facts);
    CHECK(std::string(baton::view(baton::message(made.refusal()))) == expected);
    CHECK(text_thrown_by(made.attempt) == expected);
  }
}

}  // namespace refusals
