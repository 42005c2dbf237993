// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what patterns must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct empty_pattern {
  static constexpr std::string_view sentence =
      "baton empty_pattern: a pattern needs a node; this one has none; write down the nodes that it shall find";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton empty_pattern: a pattern needs a node; this one has none; write down the nodes that it shall find");
  }
};
template <>
struct named<"empty_pattern"> : std::type_identity<empty_pattern> {};

struct dead_pattern {
  static constexpr std::string_view sentence =
      "baton dead_pattern: every node of a pattern must lead to an output of it; this one does not; return it or leave it out";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton dead_pattern: every node of a pattern must lead to an output of it; this one does not; return it or leave it out");
  }
};
template <>
struct named<"dead_pattern"> : std::type_identity<dead_pattern> {};

struct unmatchable_pattern {
  static constexpr std::string_view sentence =
      "baton unmatchable_pattern: every node and output of a pattern must be one that can be found; this one cannot; see the reason";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unmatchable_pattern: every node and output of a pattern must be one that can be found; this one cannot; see the reason");
  }
};
template <>
struct named<"unmatchable_pattern"> : std::type_identity<unmatchable_pattern> {};

struct duplicate_pattern {
  static constexpr std::string_view sentence =
      "baton duplicate_pattern: every pattern of a list must find something of its own; one finds only what another does; remove it";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton duplicate_pattern: every pattern of a list must find something of its own; one finds only what another does; remove it");
  }
};
template <>
struct named<"duplicate_pattern"> : std::type_identity<duplicate_pattern> {};

struct ambiguous_pattern {
  static constexpr std::string_view sentence =
      "baton ambiguous_pattern: where patterns overlap, one must hold all of the other; these two here do not; make them one or drop one";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton ambiguous_pattern: where patterns overlap, one must hold all of the other; these two here do not; make them one "
                  "or drop one");
  }
};
template <>
struct named<"ambiguous_pattern"> : std::type_identity<ambiguous_pattern> {};

}  // namespace baton::rule
