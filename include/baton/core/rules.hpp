// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages that several folders report.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"misplaced_index"> {
  static constexpr std::string_view sentence{
      "baton misplaced_index: an index in a program does not refer to a record; rebuild the program", 92};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#misplaced_index
                  "baton misplaced_index: an index in a program does not refer to a record; rebuild the program");
  }
};

template <>
struct rule<"malformed_data"> {
  static constexpr std::string_view sentence{
      "baton malformed_data: the byte count of constant data does not match its shape; correct the shape or the data", 109};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_data
                  "baton malformed_data: the byte count of constant data does not match its shape; correct the shape or the data");
  }
};

template <>
struct rule<"disagreeing_state"> {
  static constexpr std::string_view sentence{
      "baton disagreeing_state: graphs that share a state disagree on its type or its initial data; make both equal in all graphs, or rename the buffer of one graph", 157};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#disagreeing_state
                  "baton disagreeing_state: graphs that share a state disagree on its type or its initial data; make both equal in all graphs, or rename the buffer of one graph");
  }
};

template <>
struct rule<"stale_state"> {
  static constexpr std::string_view sentence{
      "baton stale_state: a graph uses the old value of a state after a graph that it calls has written the state; return the new value from the called graph, and use it", 162};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#stale_state
                  "baton stale_state: a graph uses the old value of a state after a graph that it calls has written the state; return the new value from the called graph, and use it");
  }
};

template <>
struct rule<"recursive_graph"> {
  static constexpr std::string_view sentence{
      "baton recursive_graph: a graph calls itself, directly or through other graphs; remove one of these calls", 104};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#recursive_graph
                  "baton recursive_graph: a graph calls itself, directly or through other graphs; remove one of these calls");
  }
};

template <>
struct rule<"malformed_alignment"> {
  static constexpr std::string_view sentence{
      "baton malformed_alignment: the alignment of named data is not in the range from 1 to 2^31; correct the alignment", 112};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_alignment
                  "baton malformed_alignment: the alignment of named data is not in the range from 1 to 2^31; correct the alignment");
  }
};

template <>
struct rule<"not_constexpr"> {
  static constexpr std::string_view sentence{
      "baton not_constexpr: the function that builds a program cannot be evaluated at compile time: it is not constexpr, fails, or exceeds a limit of the compiler; to see the reason, write static_assert((function(), true)) with the name of the function", 245};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#not_constexpr
                  "baton not_constexpr: the function that builds a program cannot be evaluated at compile time: it is not constexpr, fails, or exceeds a limit of the compiler; to see the reason, write static_assert((function(), true)) with the name of the function");
  }
};

template <>
struct rule<"not_constant"> {
  static constexpr std::string_view sentence{
      "baton not_constant: a program that is built at compile time depends on something that is not a constant; see the compiler's message above", 137};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#not_constant
                  "baton not_constant: a program that is built at compile time depends on something that is not a constant; see the compiler's message above");
  }
};

}  // namespace baton
