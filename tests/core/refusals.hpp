// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of errors: the same text is reported at compile time and thrown at run time.
#pragma once

#include <baton/core/error.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace refusals {

/// Returns the text of the `baton::error` that `attempt` throws, or "nothing was thrown".
template <class F>
auto text_thrown_by(F attempt) -> std::string {
  try {
    attempt();
  } catch (const baton::error& thrown) {
    return thrown.what();
  }
  return "nothing was thrown";
}

/// An error: `refusal` returns its failure, `attempt` throws it. The expected text is the sentence of a rule, followed by the facts.
struct error {
  std::string_view what;
  baton::failure (*refusal)();
  void (*attempt)();
  std::string_view sentence;
  std::string_view facts;
};

constexpr auto is_reported(const error& row) -> bool {
  return baton::view(baton::message(row.refusal())) == baton::view(baton::join(row.sentence, row.facts));
}

/// Whether all errors of a table are reported. Each row is a separate constant, because Clang limits the steps per constant.
template <const auto& Mistakes>
struct table {
  template <std::size_t I>
  static constexpr bool is_row_reported = is_reported(Mistakes[I]);
  static constexpr bool are_all_reported = []<std::size_t... I>(std::index_sequence<I...>) {
    return (is_row_reported<I> && ...);
  }(std::make_index_sequence<std::size(Mistakes)>{});
};

/// Checks the same texts at run time, including the text that `attempt` throws.
template <class Mistakes>
void check(const Mistakes& errors) {
  for (const error& row : errors) {
    INFO(std::string(row.what));
    const auto expected = std::string(row.sentence) + std::string(row.facts);
    CHECK(std::string(baton::view(baton::message(row.refusal()))) == expected);
    CHECK(text_thrown_by(row.attempt) == expected);
  }
}

}  // namespace refusals
