// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a rule is, and how code fails with one. Baton's own rules are generated: see cmake/rules.txt.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>

#include <string_view>

namespace baton {

/// False, and names its argument in the compiler's output: the facts of a broken rule.
template <class>
inline constexpr bool always_false = false;

/// A rule, found by its name. Baton's rules are specializations of this (`core/rules.hpp`, `<room>/shared/rules.hpp`), and so are those of
/// users. `sentence` is the text that a person reads if the rule is broken (what must hold; what was found; what to do). It begins with the
/// name; Baton's have "baton " in front of it. `report` has the same text again, because the message of a `static_assert` is a literal.
/// A backend, partitioner or pass of a user may return a failure of the user's own rule wherever it returns a `result`. It is reported like
/// Baton's, with node, backend or pass: see `tests/fail/rule_of_a_user.cpp` for a backend, `tests/fail/rule_of_a_users_pass.cpp` for a
/// pass.
/// This is the primary template, which is selected if no rule has the name.
template <fixed_string Name>
struct rule {
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unnamed_rule: no rule has this name, or its specialization of baton::rule has no sentence and report; correct the "
                  "name, or write the specialization");
  }
};

namespace detail {

/// True if this is the name of the rule. Stops the compiler if no rule is called `Name`.
template <fixed_string Name>
constexpr auto is_rule(std::string_view name) -> bool {
  if constexpr (!requires { rule<Name>::sentence; }) rule<Name>::template report<rule<Name>>();
  return name == std::string_view{Name};
}

}  // namespace detail

/// A failure of the rule of this name, with its facts filled in by the caller.
template <fixed_string Name>
constexpr auto broken() -> failure {
  failure why;
  if constexpr (requires { rule<Name>::sentence; }) {
    why.rule = rule<Name>::sentence;
    why.rule_name = Name;
  } else {
    rule<Name>::template report<rule<Name>>();
  }
  return why;
}

/// A failure of a rule, with a reason made of text and numbers.
template <fixed_string Name, class... Parts>
constexpr auto broken(Parts... reason) -> failure {
  auto why = broken<Name>();
  why.reason = join(reason...);
  return why;
}

template <fixed_string Name>
constexpr auto failure::is() const -> bool {
  return detail::is_rule<Name>(rule_name);
}

}  // namespace baton
