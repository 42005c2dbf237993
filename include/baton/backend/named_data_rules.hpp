// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what named data must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct unsupported_named_data {
  static constexpr std::string_view sentence =
      "baton unsupported_named_data: named data is bytes, text or a tensor; this is neither; give a span of char or a string_view";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unsupported_named_data: named data is bytes, text or a tensor; this is neither; give a span of char or a string_view");
  }
};
template <>
struct named<"unsupported_named_data"> : std::type_identity<unsupported_named_data> {};

struct conflicting_named_data {
  static constexpr std::string_view sentence =
      "baton conflicting_named_data: a key of named data must mean the same bytes everywhere; here it has others; make keys from content";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton conflicting_named_data: a key of named data must mean the same bytes everywhere; here it has others; make keys "
                  "from content");
  }
};
template <>
struct named<"conflicting_named_data"> : std::type_identity<conflicting_named_data> {};

struct conflicting_layout {
  static constexpr std::string_view sentence =
      "baton conflicting_layout: a layout given with a tensor of named data must be the tensor's; this is another; leave it out";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton conflicting_layout: a layout given with a tensor of named data must be the tensor's; this is another; leave it out");
  }
};
template <>
struct named<"conflicting_layout"> : std::type_identity<conflicting_layout> {};

struct malformed_layout {
  static constexpr std::string_view sentence =
      "baton malformed_layout: a tensor of named data must be dense in some order of dimensions; this one is not; make it contiguous";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_layout: a tensor of named data must be dense in some order of dimensions; this one is not; make it contiguous");
  }
};
template <>
struct named<"malformed_layout"> : std::type_identity<malformed_layout> {};

struct malformed_shard_cap {
  static constexpr std::string_view sentence =
      "baton malformed_shard_cap: the cap of external data shards must be a positive integer; this is none; give a count of bytes";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_shard_cap: the cap of external data shards must be a positive integer; this is none; give a count of bytes");
  }
};
template <>
struct named<"malformed_shard_cap"> : std::type_identity<malformed_shard_cap> {};

struct empty_shard_prefix {
  static constexpr std::string_view sentence =
      "baton empty_shard_prefix: the prefix of external data shards must be nonempty; this one is empty; give it a name";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton empty_shard_prefix: the prefix of external data shards must be nonempty; this one is empty; give it a name");
  }
};
template <>
struct named<"empty_shard_prefix"> : std::type_identity<empty_shard_prefix> {};

struct oversize_named_data {
  static constexpr std::string_view sentence =
      "baton oversize_named_data: a buffer must fit into a shard; this one exceeds external data shard cap; raise the cap or split it";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton oversize_named_data: a buffer must fit into a shard; this one exceeds external data shard cap; raise the cap or split it");
  }
};
template <>
struct named<"oversize_named_data"> : std::type_identity<oversize_named_data> {};

struct external_tag_collision {
  static constexpr std::string_view sentence =
      "baton external_tag_collision: a shard needs a tag of its own; this is an external data tag collision; choose another prefix";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton external_tag_collision: a shard needs a tag of its own; this is an external data tag collision; choose another prefix");
  }
};
template <>
struct named<"external_tag_collision"> : std::type_identity<external_tag_collision> {};

}  // namespace baton::rule
