// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules that exist for parity with ExecuTorch.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"unknown_device"> {
  static constexpr std::string_view sentence{
      "baton unknown_device: a target device is a kind and a number, as in cuda:0; this kind or number is unknown; correct the compile spec", 132};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_device: a target device is a kind and a number, as in cuda:0; this kind or number is unknown; correct the compile spec");
  }
};

template <>
struct rule<"unmatched_specs"> {
  static constexpr std::string_view sentence{
      "baton unmatched_specs: every part of a batch needs compile specs, if empty ones; a method has another number; give each part its own", 132};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unmatched_specs: every part of a batch needs compile specs, if empty ones; a method has another number; give each part its own");
  }
};

template <>
struct rule<"incomplete_mapping"> {
  static constexpr std::string_view sentence{
      "baton incomplete_mapping: a complete debug handle map names the handle of every node; this leaves one out; insert that node", 123};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton incomplete_mapping: a complete debug handle map names the handle of every node; this leaves one out; insert that node");
  }
};

template <>
struct rule<"malformed_shard_cap"> {
  static constexpr std::string_view sentence{
      "baton malformed_shard_cap: the cap of external data shards must be a positive integer; this is none; give a count of bytes", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_shard_cap: the cap of external data shards must be a positive integer; this is none; give a count of bytes");
  }
};

template <>
struct rule<"empty_shard_prefix"> {
  static constexpr std::string_view sentence{
      "baton empty_shard_prefix: the prefix of external data shards must be nonempty; this one is empty; give it a name", 112};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton empty_shard_prefix: the prefix of external data shards must be nonempty; this one is empty; give it a name");
  }
};

template <>
struct rule<"oversize_named_data"> {
  static constexpr std::string_view sentence{
      "baton oversize_named_data: a buffer must fit into a shard; this one exceeds external data shard cap; raise the cap or split it", 126};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton oversize_named_data: a buffer must fit into a shard; this one exceeds external data shard cap; raise the cap or split it");
  }
};

template <>
struct rule<"external_tag_collision"> {
  static constexpr std::string_view sentence{
      "baton external_tag_collision: a shard needs a tag of its own; this is an external data tag collision; choose another prefix", 123};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton external_tag_collision: a shard needs a tag of its own; this is an external data tag collision; choose another prefix");
  }
};

}  // namespace baton
