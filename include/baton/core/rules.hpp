// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what one is, and those that every room needs. The others stand in the rooms that hold them, in files whose names end in
// `rules.hpp`.
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
/// This one stands for a sentence that begins with no rule's name; the sentence, as far as it fits, is the reason.
template <fixed_string Name>
struct rule {
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unnamed_rule: a sentence must begin with the name of its rule; this one does not; specialise baton::rule for its name");
  }
};

/// A failure of the rule of this name, with its facts filled in by the caller.
template <fixed_string Name>
constexpr auto broken() -> failure {
  failure why;
  why.rule = rule<Name>::sentence;
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
struct rule<"undefined_value"> {
  static constexpr std::string_view sentence =
      "baton undefined_value: an operand must be a graph input or an output of an earlier node; this one is not; order the nodes";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton undefined_value: an operand must be a graph input or an output of an earlier node; this one is not; order the nodes");
  }
};

template <>
struct rule<"value_defined_twice"> {
  static constexpr std::string_view sentence =
      "baton value_defined_twice: a value must be defined once; this one is defined again; give the second definition its own value";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton value_defined_twice: a value must be defined once; this one is defined again; give the second definition its own value");
  }
};

template <>
struct rule<"foreign_value"> {
  static constexpr std::string_view sentence =
      "baton foreign_value: a node may use only values of its own graph; this one is of another; pass it in as a graph input";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_value: a node may use only values of its own graph; this one is of another; pass it in as a graph input");
  }
};

template <>
struct rule<"malformed_shape"> {
  static constexpr std::string_view sentence =
      "baton malformed_shape: a shape must have sizes that are not negative and a count of bytes that fits; this one does not; mend it";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_shape: a shape must have sizes that are not negative and a count of bytes that fits; this one does not; mend it");
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
struct rule<"malformed_quantization"> {
  static constexpr std::string_view sentence =
      "baton malformed_quantization: quantization needs a scale and a zero point a channel and an axis of that size; mend them";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_quantization: quantization needs a scale and a zero point a channel and an axis of that size; mend them");
  }
};

template <>
struct rule<"malformed_signature"> {
  static constexpr std::string_view sentence =
      "baton malformed_signature: a graph signature must match the kinds of its values; this one does not; mend the kind or the list";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_signature: a graph signature must match the kinds of its values; this one does not; mend the kind or the list");
  }
};

template <>
struct rule<"mutated_user_input"> {
  static constexpr std::string_view sentence =
      "baton mutated_user_input: a program must leave its user inputs as they are; this one writes to one; make it a mutable buffer, or "
      "return its new value";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton mutated_user_input: a program must leave its user inputs as they are; this one writes to one; make it a mutable "
                  "buffer, or return its new value");
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
struct rule<"nested_too_deep"> {
  static constexpr std::string_view sentence =
      "baton nested_too_deep: graphs may lie in one another up to 64 deep; these lie deeper; call fewer subgraphs from subgraphs";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton nested_too_deep: graphs may lie in one another up to 64 deep; these lie deeper; call fewer subgraphs from subgraphs");
  }
};

template <>
struct rule<"malformed_operator"> {
  static constexpr std::string_view sentence =
      "baton malformed_operator: operands and attributes must fit the operator; these do not; see the reason";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_operator: operands and attributes must fit the operator; these do not; see the reason");
  }
};

template <>
struct rule<"unknown_operator"> {
  static constexpr std::string_view sentence =
      "baton unknown_operator: an operator in the namespace tfl must be one that TensorFlow Lite has; this one is not; correct its name";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unknown_operator: an operator in the namespace tfl must be one that TensorFlow Lite has; this one is not; correct its name");
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
