// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what a delegate mapping must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct generated_identifier {
  static constexpr std::string_view sentence =
      "baton generated_identifier: a delegate mapping that generates its identifiers takes none; one was given; leave it out";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton generated_identifier: a delegate mapping that generates its identifiers takes none; one was given; leave it out");
  }
};
template <>
struct named<"generated_identifier"> : std::type_identity<generated_identifier> {};

struct duplicate_identifier {
  static constexpr std::string_view sentence =
      "baton duplicate_identifier: a delegate debug identifier may be inserted once; this one is there already; choose another";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton duplicate_identifier: a delegate debug identifier may be inserted once; this one is there already; choose another");
  }
};
template <>
struct named<"duplicate_identifier"> : std::type_identity<duplicate_identifier> {};

struct nodes_or_handles {
  static constexpr std::string_view sentence =
      "baton nodes_or_handles: a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton nodes_or_handles: a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one");
  }
};
template <>
struct named<"nodes_or_handles"> : std::type_identity<nodes_or_handles> {};

struct missing_identifier {
  static constexpr std::string_view sentence =
      "baton missing_identifier: a delegate mapping that generates no identifiers needs one in every insert; give one";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton missing_identifier: a delegate mapping that generates no identifiers needs one in every insert; give one");
  }
};
template <>
struct named<"missing_identifier"> : std::type_identity<missing_identifier> {};

struct no_debug_handle {
  static constexpr std::string_view sentence =
      "baton no_debug_handle: a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton no_debug_handle: a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles");
  }
};
template <>
struct named<"no_debug_handle"> : std::type_identity<no_debug_handle> {};

struct foreign_debug_handle {
  static constexpr std::string_view sentence =
      "baton foreign_debug_handle: a debug handle map may name only handles of nodes of its part; this names another; map what the part "
      "has";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_debug_handle: a debug handle map may name only handles of nodes of its part; this names another; map what "
                  "the part has");
  }
};
template <>
struct named<"foreign_debug_handle"> : std::type_identity<foreign_debug_handle> {};

struct incomplete_mapping {
  static constexpr std::string_view sentence =
      "baton incomplete_mapping: a complete debug handle map names the handle of every node; this leaves one out; insert that node";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton incomplete_mapping: a complete debug handle map names the handle of every node; this leaves one out; insert that node");
  }
};
template <>
struct named<"incomplete_mapping"> : std::type_identity<incomplete_mapping> {};

}  // namespace baton::rule
