// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules that several rooms check.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"misplaced_index"> {
  static constexpr std::string_view sentence{
      "baton misplaced_index: every index in a program must name a record of it; one does not; rebuild the program", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton misplaced_index: every index in a program must name a record of it; one does not; rebuild the program");
  }
};

template <>
struct rule<"malformed_data"> {
  static constexpr std::string_view sentence{
      "baton malformed_data: constant data must fill its shape exactly; this has another count of bytes; mend the shape or the data", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_data: constant data must fill its shape exactly; this has another count of bytes; mend the shape or the data");
  }
};

template <>
struct rule<"disagreeing_state"> {
  static constexpr std::string_view sentence{
      "baton disagreeing_state: graphs that use one state must agree on its type and its first data; these do not; mend one or name it apart", 133};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton disagreeing_state: graphs that use one state must agree on its type and its first data; these do not; mend one or name it apart");
  }
};

template <>
struct rule<"stale_state"> {
  static constexpr std::string_view sentence{
      "baton stale_state: a graph must not use what a state was once a graph that it calls has written it; this one does; return the new value", 135};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton stale_state: a graph must not use what a state was once a graph that it calls has written it; this one does; return the new value");
  }
};

template <>
struct rule<"recursive_graph"> {
  static constexpr std::string_view sentence{
      "baton recursive_graph: a subgraph must not contain itself, through however many nodes; one here does; call a copy of it instead", 127};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton recursive_graph: a subgraph must not contain itself, through however many nodes; one here does; call a copy of it instead");
  }
};

template <>
struct rule<"malformed_alignment"> {
  static constexpr std::string_view sentence{
      "baton malformed_alignment: named data needs an alignment from 1 to 2^31; this is another; give the one that its reader needs", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_alignment: named data needs an alignment from 1 to 2^31; this is another; give the one that its reader needs");
  }
};

template <>
struct rule<"not_constexpr"> {
  static constexpr std::string_view sentence{
      "baton not_constexpr: what makes a program must run in the compiler; this cannot: something in it is not constexpr, no constant, an error, or over a limit of the compiler's; static_assert((make(), true)) shows what", 213};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton not_constexpr: what makes a program must run in the compiler; this cannot: something in it is not constexpr, no constant, an error, or over a limit of the compiler's; static_assert((make(), true)) shows what");
  }
};

template <>
struct rule<"not_constant"> {
  static constexpr std::string_view sentence{
      "baton not_constant: a program is made in the compiler of constants only; something in this one is none; see what the compiler says of it above", 142};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton not_constant: a program is made in the compiler of constants only; something in this one is none; see what the compiler says of it above");
  }
};

}  // namespace baton
