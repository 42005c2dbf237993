// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of backends, of their lists, debug maps and named data.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"unknown_backend"> {
  static constexpr std::string_view sentence{
      "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...> or correct the id", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...> or correct the id");
  }
};

template <>
struct rule<"duplicate_backend"> {
  static constexpr std::string_view sentence{
      "baton duplicate_backend: every backend in the list must have an id of its own; two have the same; rename one or remove it", 121};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton duplicate_backend: every backend in the list must have an id of its own; two have the same; rename one or remove it");
  }
};

template <>
struct rule<"nested_backend"> {
  static constexpr std::string_view sentence{
      "baton nested_backend: a backend must not derive from another of the list: nesting is unsupported; share a base that is no backend", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton nested_backend: a backend must not derive from another of the list: nesting is unsupported; share a base that is no backend");
  }
};

template <>
struct rule<"malformed_packing"> {
  static constexpr std::string_view sentence{
      "baton malformed_packing: a packed constant must be data of its part, read by loops over its dimensions; this one is not; tag the data (with_constants), or correct the loops", 172};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_packing: a packed constant must be data of its part, read by loops over its dimensions; this one is not; tag the data (with_constants), or correct the loops");
  }
};

template <>
struct rule<"refused_part"> {
  static constexpr std::string_view sentence{
      "baton refused_part: a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton refused_part: a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner");
  }
};

template <>
struct rule<"generated_identifier"> {
  static constexpr std::string_view sentence{
      "baton generated_identifier: a delegate mapping that generates its identifiers takes none; one was given; leave it out", 117};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton generated_identifier: a delegate mapping that generates its identifiers takes none; one was given; leave it out");
  }
};

template <>
struct rule<"duplicate_identifier"> {
  static constexpr std::string_view sentence{
      "baton duplicate_identifier: a delegate debug identifier may be inserted once; this one is there already; choose another", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton duplicate_identifier: a delegate debug identifier may be inserted once; this one is there already; choose another");
  }
};

template <>
struct rule<"nodes_or_handles"> {
  static constexpr std::string_view sentence{
      "baton nodes_or_handles: a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton nodes_or_handles: a delegate mapping entry takes either nodes or debug handles; both or neither were given; give one");
  }
};

template <>
struct rule<"missing_identifier"> {
  static constexpr std::string_view sentence{
      "baton missing_identifier: a delegate mapping that generates no identifiers needs one in every insert; give one", 110};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton missing_identifier: a delegate mapping that generates no identifiers needs one in every insert; give one");
  }
};

template <>
struct rule<"no_debug_handle"> {
  static constexpr std::string_view sentence{
      "baton no_debug_handle: a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton no_debug_handle: a delegate mapping entry needs at least one debug handle; none is valid; give nodes that have handles");
  }
};

template <>
struct rule<"foreign_debug_handle"> {
  static constexpr std::string_view sentence{
      "baton foreign_debug_handle: a debug handle map may name only handles of nodes of its part; this names another; map what the part has", 132};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_debug_handle: a debug handle map may name only handles of nodes of its part; this names another; map what the part has");
  }
};

template <>
struct rule<"unsupported_named_data"> {
  static constexpr std::string_view sentence{
      "baton unsupported_named_data: named data is bytes, text or a tensor; this is neither; give a span of char or a string_view", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unsupported_named_data: named data is bytes, text or a tensor; this is neither; give a span of char or a string_view");
  }
};

template <>
struct rule<"conflicting_named_data"> {
  static constexpr std::string_view sentence{
      "baton conflicting_named_data: a key of named data must mean the same bytes everywhere; here it has others; make keys from content", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton conflicting_named_data: a key of named data must mean the same bytes everywhere; here it has others; make keys from content");
  }
};

template <>
struct rule<"conflicting_layout"> {
  static constexpr std::string_view sentence{
      "baton conflicting_layout: a layout given with a tensor of named data must be the tensor's; this is another; leave it out", 120};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton conflicting_layout: a layout given with a tensor of named data must be the tensor's; this is another; leave it out");
  }
};

template <>
struct rule<"malformed_layout"> {
  static constexpr std::string_view sentence{
      "baton malformed_layout: a tensor of named data must be dense in some order of dimensions; this one is not; make it contiguous", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_layout: a tensor of named data must be dense in some order of dimensions; this one is not; make it contiguous");
  }
};

}  // namespace baton
