// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages about backends and their lists, debug maps and named data.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"unknown_backend"> {
  static constexpr std::string_view sentence{
      "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id", 123};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_backend
                  "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id");
  }
};

template <>
struct rule<"duplicate_backend"> {
  static constexpr std::string_view sentence{
      "baton duplicate_backend: two backends in the list have the same id; rename one, or remove it", 92};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#duplicate_backend
                  "baton duplicate_backend: two backends in the list have the same id; rename one, or remove it");
  }
};

template <>
struct rule<"nested_backend"> {
  static constexpr std::string_view sentence{
      "baton nested_backend: a backend in the list derives from another one, which is not supported; move shared code to a base that is not a backend", 142};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#nested_backend
                  "baton nested_backend: a backend in the list derives from another one, which is not supported; move shared code to a base that is not a backend");
  }
};

template <>
struct rule<"malformed_packing"> {
  static constexpr std::string_view sentence{
      "baton malformed_packing: a packed constant is not data of its part, or its loops do not fit its dimensions; tag the data (with_constants), or correct the loops", 159};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_packing
                  "baton malformed_packing: a packed constant is not data of its part, or its loops do not fit its dimensions; tag the data (with_constants), or correct the loops");
  }
};

template <>
struct rule<"refused_part"> {
  static constexpr std::string_view sentence{
      "baton refused_part: a backend refused to preprocess a part; see the reason, and correct the partitioner or the model", 116};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#refused_part
                  "baton refused_part: a backend refused to preprocess a part; see the reason, and correct the partitioner or the model");
  }
};

template <>
struct rule<"generated_identifier"> {
  static constexpr std::string_view sentence{
      "baton generated_identifier: an identifier was passed to a delegate mapping that generates identifiers; omit the identifier", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#generated_identifier
                  "baton generated_identifier: an identifier was passed to a delegate mapping that generates identifiers; omit the identifier");
  }
};

template <>
struct rule<"duplicate_identifier"> {
  static constexpr std::string_view sentence{
      "baton duplicate_identifier: a delegate debug identifier was inserted twice; use another one", 91};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#duplicate_identifier
                  "baton duplicate_identifier: a delegate debug identifier was inserted twice; use another one");
  }
};

template <>
struct rule<"nodes_or_handles"> {
  static constexpr std::string_view sentence{
      "baton nodes_or_handles: a delegate mapping entry has both nodes and debug handles, or neither; pass either nodes or debug handles", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#nodes_or_handles
                  "baton nodes_or_handles: a delegate mapping entry has both nodes and debug handles, or neither; pass either nodes or debug handles");
  }
};

template <>
struct rule<"missing_identifier"> {
  static constexpr std::string_view sentence{
      "baton missing_identifier: no identifier was passed to a delegate mapping that does not generate identifiers; pass one in every insert", 133};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#missing_identifier
                  "baton missing_identifier: no identifier was passed to a delegate mapping that does not generate identifiers; pass one in every insert");
  }
};

template <>
struct rule<"no_debug_handle"> {
  static constexpr std::string_view sentence{
      "baton no_debug_handle: a delegate mapping entry has no valid debug handle; pass nodes that have handles", 103};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#no_debug_handle
                  "baton no_debug_handle: a delegate mapping entry has no valid debug handle; pass nodes that have handles");
  }
};

template <>
struct rule<"foreign_debug_handle"> {
  static constexpr std::string_view sentence{
      "baton foreign_debug_handle: a debug handle map has a handle that is not in its part; use handles of the part", 108};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#foreign_debug_handle
                  "baton foreign_debug_handle: a debug handle map has a handle that is not in its part; use handles of the part");
  }
};

template <>
struct rule<"unsupported_named_data"> {
  static constexpr std::string_view sentence{
      "baton unsupported_named_data: named data is not bytes, text or a tensor; pass a span of char or a string_view", 109};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_named_data
                  "baton unsupported_named_data: named data is not bytes, text or a tensor; pass a span of char or a string_view");
  }
};

template <>
struct rule<"conflicting_named_data"> {
  static constexpr std::string_view sentence{
      "baton conflicting_named_data: two entries of named data have the same key, but different bytes; derive keys from the content", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#conflicting_named_data
                  "baton conflicting_named_data: two entries of named data have the same key, but different bytes; derive keys from the content");
  }
};

template <>
struct rule<"conflicting_layout"> {
  static constexpr std::string_view sentence{
      "baton conflicting_layout: the layout that is given for named data differs from the layout of its tensor; omit the layout", 120};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#conflicting_layout
                  "baton conflicting_layout: the layout that is given for named data differs from the layout of its tensor; omit the layout");
  }
};

template <>
struct rule<"malformed_layout"> {
  static constexpr std::string_view sentence{
      "baton malformed_layout: a tensor of named data is not dense in any order of its dimensions; make the tensor contiguous", 118};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_layout
                  "baton malformed_layout: a tensor of named data is not dense in any order of its dimensions; make the tensor contiguous");
  }
};

}  // namespace baton
