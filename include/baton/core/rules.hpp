// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what one is, and those that several rooms hold. The others stand in the rooms that hold them, in `shared/rules.hpp`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>

#include <string_view>

namespace baton {

/// False, and names its argument in the compiler's output: the facts of a broken rule.
template <class>
inline constexpr bool always_false = false;

/// A rule, by its name: Baton's are specialisations of this, and so are those of users. Its `sentence` is what a person reads when it is
/// broken (what must hold; what was found; what to do), at run time and in the compiler; it begins with the name, Baton's with "baton " in
/// front of it. `report` holds it again, because a `static_assert` takes only a literal. A user's backend, partitioner or pass returns a
/// failure of one of its own where it returns a `result`, and it is told like ours, with node, backend or pass:
/// `tests/fail/rule_of_a_user.cpp` shows one of a backend, `tests/fail/rule_of_a_users_pass.cpp` one of a pass.
/// This one stands for what no rule was found by: a name that was misspelt, or a sentence that begins with another name than its rule's.
template <fixed_string Name>
struct rule {
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unnamed_rule: a rule must be found by its name, which its sentence begins with; this one is not; specialise "
                  "baton::rule for its name");
  }
};

/// A failure of the rule of this name, with its facts filled in by the caller.
template <fixed_string Name>
constexpr auto broken() -> failure {
  failure why;
  if constexpr (requires { rule<Name>::sentence; }) {
    why.rule = rule<Name>::sentence;
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

template <>
struct rule<"misplaced_index"> {
  static constexpr std::string_view sentence =
      "baton misplaced_index: every index in a program must name a record of it; one does not; rebuild the program";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton misplaced_index: every index in a program must name a record of it; one does not; rebuild the program");
  }
};

template <>
struct rule<"malformed_data"> {
  static constexpr std::string_view sentence =
      "baton malformed_data: constant data must fill its shape exactly; this has another count of bytes; mend the shape or the data";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_data: constant data must fill its shape exactly; this has another count of bytes; mend the shape or the data");
  }
};

template <>
struct rule<"disagreeing_state"> {
  static constexpr std::string_view sentence =
      "baton disagreeing_state: graphs that use one state must agree on its type and its first data; these do not; mend one or name it "
      "apart";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton disagreeing_state: graphs that use one state must agree on its type and its first data; these do not; mend one or "
                  "name it apart");
  }
};

template <>
struct rule<"stale_state"> {
  static constexpr std::string_view sentence =
      "baton stale_state: a graph must not use what a state was once a graph that it calls has written it; this one does; return the new "
      "value";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton stale_state: a graph must not use what a state was once a graph that it calls has written it; this one does; "
                  "return the new value");
  }
};

template <>
struct rule<"recursive_graph"> {
  static constexpr std::string_view sentence =
      "baton recursive_graph: a subgraph must not contain itself, through however many nodes; one here does; call a copy of it instead";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton recursive_graph: a subgraph must not contain itself, through however many nodes; one here does; call a copy of it instead");
  }
};

template <>
struct rule<"malformed_alignment"> {
  static constexpr std::string_view sentence =
      "baton malformed_alignment: named data needs an alignment from 1 to 2^31; this is another; give the one that its reader needs";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_alignment: named data needs an alignment from 1 to 2^31; this is another; give the one that its reader needs");
  }
};

template <>
struct rule<"not_constexpr"> {
  static constexpr std::string_view sentence =
      "baton not_constexpr: what makes a program must run in the compiler; this cannot: something in it is not constexpr, no constant, an "
      "error, or over a limit of the compiler's; static_assert((make(), true)) shows what";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton not_constexpr: what makes a program must run in the compiler; this cannot: something in it is not constexpr, no "
                  "constant, an error, or over a limit of the compiler's; static_assert((make(), true)) shows what");
  }
};

template <>
struct rule<"not_constant"> {
  static constexpr std::string_view sentence =
      "baton not_constant: a program is made in the compiler of constants only; something in this one is none; see what the compiler says "
      "of it above";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton not_constant: a program is made in the compiler of constants only; something in this one is none; see what the "
                  "compiler says of it above");
  }
};

}  // namespace baton
