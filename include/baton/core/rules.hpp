// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what one is, and those that every room needs. The others stand in the rooms that hold them, in files whose names end in
// `rules.hpp`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>

#include <string_view>
#include <type_traits>

namespace baton {

/// False, and names its argument in the compiler's output: the facts of a broken rule.
template <class>
inline constexpr bool always_false = false;

/// A failure of a rule, with its facts filled in by the caller. A rule is a struct, Baton's or a user's own: its `sentence` is what a
/// person reads when it is broken (what must hold; what was found; what to do), at run time and in the compiler; `report` holds it again,
/// because a `static_assert` takes only a literal; `rule::named` lets the compiler find it. A user's backend, partitioner or pass returns
/// one of its own where it returns a `result`, and it is told like ours, with node, backend or pass: `tests/fail/rule_of_a_user.cpp`
/// shows one of a backend, `tests/fail/rule_of_a_users_pass.cpp` one of a pass.
template <class Rule>
constexpr auto broken() -> failure {
  failure why;
  why.rule = Rule::sentence;
  return why;
}

/// A failure of a rule, with a reason made of text and numbers.
template <class Rule, class... Parts>
constexpr auto broken(Parts... reason) -> failure {
  auto why = broken<Rule>();
  why.reason = join(reason...);
  return why;
}

namespace rule {

/// The name of a rule by its sentence: what stands before the first ": ", without "baton ". The whole sentence if it names none.
constexpr auto name_of(std::string_view sentence) -> std::string_view {
  constexpr std::string_view prefix = "baton ";
  if (sentence.starts_with(prefix)) sentence.remove_prefix(prefix.size());
  return sentence.substr(0, sentence.find(": "));
}

/// A rule was broken that has no `named` of its own; its sentence, as far as it fits, is the reason.
struct unnamed_rule {
  static constexpr std::string_view sentence =
      "baton unnamed_rule: every rule must be found by its name; this one is not; specialise baton::rule::named for its name";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unnamed_rule: every rule must be found by its name; this one is not; specialise baton::rule::named for its name");
  }
};

/// The rule of this name as `type`. In the compiler a broken rule is a value; by its name it becomes a type again, whose sentence a
/// `static_assert` can hold. To be specialised beside each rule, also a user's own.
template <fixed_string Name>
struct named : std::type_identity<unnamed_rule> {};

struct misplaced_index {
  static constexpr std::string_view sentence =
      "baton misplaced_index: every index in a program must name a record of it; one does not; rebuild the program";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton misplaced_index: every index in a program must name a record of it; one does not; rebuild the program");
  }
};
template <>
struct named<"misplaced_index"> : std::type_identity<misplaced_index> {};

struct undefined_value {
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
struct named<"undefined_value"> : std::type_identity<undefined_value> {};

struct value_defined_twice {
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
struct named<"value_defined_twice"> : std::type_identity<value_defined_twice> {};

struct foreign_value {
  static constexpr std::string_view sentence =
      "baton foreign_value: a node may use only values of its own graph; this one is of another; pass it in as a graph input";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_value: a node may use only values of its own graph; this one is of another; pass it in as a graph input");
  }
};
template <>
struct named<"foreign_value"> : std::type_identity<foreign_value> {};

struct malformed_shape {
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
struct named<"malformed_shape"> : std::type_identity<malformed_shape> {};

struct malformed_data {
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
struct named<"malformed_data"> : std::type_identity<malformed_data> {};

struct malformed_quantization {
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
struct named<"malformed_quantization"> : std::type_identity<malformed_quantization> {};

struct malformed_signature {
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
struct named<"malformed_signature"> : std::type_identity<malformed_signature> {};

struct mutated_user_input {
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
struct named<"mutated_user_input"> : std::type_identity<mutated_user_input> {};

struct disagreeing_state {
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
struct named<"disagreeing_state"> : std::type_identity<disagreeing_state> {};

struct stale_state {
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
struct named<"stale_state"> : std::type_identity<stale_state> {};

struct recursive_graph {
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
struct named<"recursive_graph"> : std::type_identity<recursive_graph> {};

struct nested_too_deep {
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
struct named<"nested_too_deep"> : std::type_identity<nested_too_deep> {};

struct malformed_operator {
  static constexpr std::string_view sentence =
      "baton malformed_operator: operands and attributes must fit the operator; these do not; see the reason";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_operator: operands and attributes must fit the operator; these do not; see the reason");
  }
};
template <>
struct named<"malformed_operator"> : std::type_identity<malformed_operator> {};

struct unknown_operator {
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
struct named<"unknown_operator"> : std::type_identity<unknown_operator> {};

struct malformed_alignment {
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
struct named<"malformed_alignment"> : std::type_identity<malformed_alignment> {};

struct not_constexpr {
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
struct named<"not_constexpr"> : std::type_identity<not_constexpr> {};

struct not_constant {
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
template <>
struct named<"not_constant"> : std::type_identity<not_constant> {};

}  // namespace rule

}  // namespace baton
