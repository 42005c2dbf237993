// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules, and failures that name a broken rule. Baton's own rules are generated; see cmake/rules.txt.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>

#include <string_view>

namespace baton {

/// Always false. Compiler messages print the template argument, so they show the facts of a broken rule.
template <class>
inline constexpr bool always_false = false;

/// A rule, identified by its name. Baton's rules (`core/rules.hpp`, `<folder>/shared/rules.hpp`) and custom rules are specializations of
/// this template. `sentence` is the message for a person: what is wrong, and what to do. A custom sentence begins with the name of its
/// rule. Baton's sentences begin with "baton " and the name. `report` repeats the sentence, because the message of a `static_assert` must
/// be a literal. A custom backend, partitioner or pass may return a failure of a custom rule instead of its result. This failure is
/// reported like a failure of Baton's rules, with the node, the backend or the pass. See `tests/fail/custom_rule.cpp` (backend) and
/// `tests/fail/custom_rule_in_pass.cpp` (pass). This is the primary template, which is selected if no rule has the name `Name`.
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

/// True if `name` is `Name`. Fails to compile if there is no rule `Name`.
template <fixed_string Name>
constexpr auto is_rule(std::string_view name) -> bool {
  if constexpr (!requires { rule<Name>::sentence; }) rule<Name>::template report<rule<Name>>();
  return name == std::string_view{Name};
}

}  // namespace detail

/// Returns a failure of the rule `Name`. The caller sets the facts, such as the node.
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

/// Returns a failure of the rule `Name`. The reason is the concatenation of the arguments: texts and integers.
template <fixed_string Name, class... Parts>
constexpr auto broken(Parts... reason) -> failure {
  auto why = broken<Name>();
  why.reason = failure::join_reason({reason...});
  return why;
}

template <fixed_string Name>
constexpr auto failure::is() const -> bool {
  return detail::is_rule<Name>(rule_name);
}

}  // namespace baton
