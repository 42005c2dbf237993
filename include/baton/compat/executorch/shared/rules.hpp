// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages that exist for parity with ExecuTorch.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"unknown_device"> {
  static constexpr std::string_view sentence{
      "baton unknown_device: a target device is not a known device kind with an optional index, such as cuda:0; correct the compile spec", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_device
                  "baton unknown_device: a target device is not a known device kind with an optional index, such as cuda:0; correct the compile spec");
  }
};

template <>
struct rule<"unmatched_specs"> {
  static constexpr std::string_view sentence{
      "baton unmatched_specs: a method does not have one list of compile specs for each of its parts; pass a list for each part, which can be empty", 140};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unmatched_specs
                  "baton unmatched_specs: a method does not have one list of compile specs for each of its parts; pass a list for each part, which can be empty");
  }
};

template <>
struct rule<"incomplete_mapping"> {
  static constexpr std::string_view sentence{
      "baton incomplete_mapping: a debug handle map that must be complete omits a node; insert the node", 96};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#incomplete_mapping
                  "baton incomplete_mapping: a debug handle map that must be complete omits a node; insert the node");
  }
};

template <>
struct rule<"malformed_shard_cap"> {
  static constexpr std::string_view sentence{
      "baton malformed_shard_cap: the cap of external data shards is not a positive integer; use a number of bytes", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_shard_cap
                  "baton malformed_shard_cap: the cap of external data shards is not a positive integer; use a number of bytes");
  }
};

template <>
struct rule<"empty_shard_prefix"> {
  static constexpr std::string_view sentence{
      "baton empty_shard_prefix: the prefix of external data shards is empty; set it", 77};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#empty_shard_prefix
                  "baton empty_shard_prefix: the prefix of external data shards is empty; set it");
  }
};

template <>
struct rule<"oversize_named_data"> {
  static constexpr std::string_view sentence{
      "baton oversize_named_data: a buffer is larger than the cap of external data shards; raise the cap, or split the buffer", 118};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#oversize_named_data
                  "baton oversize_named_data: a buffer is larger than the cap of external data shards; raise the cap, or split the buffer");
  }
};

template <>
struct rule<"external_tag_collision"> {
  static constexpr std::string_view sentence{
      "baton external_tag_collision: an external file already has the tag of a new shard (external data tag collision); choose another prefix", 134};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#external_tag_collision
                  "baton external_tag_collision: an external file already has the tag of a new shard (external data tag collision); choose another prefix");
  }
};

}  // namespace baton
