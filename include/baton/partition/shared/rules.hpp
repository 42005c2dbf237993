// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages about partitioners and their groups, patterns and costs.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"foreign_result"> {
  static constexpr std::string_view sentence{
      "baton foreign_result: a partitioner returned a result that is not for the program it received; begin with baton::partition_result tagged{program}", 145};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#foreign_result
                  "baton foreign_result: a partitioner returned a result that is not for the program it received; begin with baton::partition_result tagged{program}");
  }
};

template <>
struct rule<"unsupported_node"> {
  static constexpr std::string_view sentence{
      "baton unsupported_node: a node is assigned to a backend that does not support it; remove its tag, or extend the support", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_node
                  "baton unsupported_node: a node is assigned to a backend that does not support it; remove its tag, or extend the support");
  }
};

template <>
struct rule<"node_in_two_groups"> {
  static constexpr std::string_view sentence{
      "baton node_in_two_groups: a node is in two groups; remove it from one, or merge the groups", 90};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#node_in_two_groups
                  "baton node_in_two_groups: a node is in two groups; remove it from one, or merge the groups");
  }
};

template <>
struct rule<"cycle_of_groups"> {
  static constexpr std::string_view sentence{
      "baton cycle_of_groups: a path leaves a group and returns to it through an undelegated node; split the group", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#cycle_of_groups
                  "baton cycle_of_groups: a path leaves a group and returns to it through an undelegated node; split the group");
  }
};

template <>
struct rule<"nothing_to_partition"> {
  static constexpr std::string_view sentence{
      "baton nothing_to_partition: a partitioner has neither lists of nodes nor an operator support; provide one of them", 113};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#nothing_to_partition
                  "baton nothing_to_partition: a partitioner has neither lists of nodes nor an operator support; provide one of them");
  }
};

template <>
struct rule<"node_tagged_twice"> {
  static constexpr std::string_view sentence{
      "baton node_tagged_twice: a node would get a second tag; exclude tagged nodes, or remove the first tag", 101};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#node_tagged_twice
                  "baton node_tagged_twice: a node would get a second tag; exclude tagged nodes, or remove the first tag");
  }
};

template <>
struct rule<"tag_without_spec"> {
  static constexpr std::string_view sentence{
      "baton tag_without_spec: a tag has no delegation spec; add the tag together with its spec", 88};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#tag_without_spec
                  "baton tag_without_spec: a tag has no delegation spec; add the tag together with its spec");
  }
};

template <>
struct rule<"conflicting_tag"> {
  static constexpr std::string_view sentence{
      "baton conflicting_tag: a tag was added with another backend or other compile specs; use a separate tag", 102};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#conflicting_tag
                  "baton conflicting_tag: a tag was added with another backend or other compile specs; use a separate tag");
  }
};

template <>
struct rule<"unnamed_tag"> {
  static constexpr std::string_view sentence{
      "baton unnamed_tag: a tag has no name; name it", 45};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unnamed_tag
                  "baton unnamed_tag: a tag has no name; name it");
  }
};

template <>
struct rule<"duplicate_config"> {
  static constexpr std::string_view sentence{
      "baton duplicate_config: two configs are for the same operator; merge them, or remove one", 88};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#duplicate_config
                  "baton duplicate_config: two configs are for the same operator; merge them, or remove one");
  }
};

template <>
struct rule<"kept_operator"> {
  static constexpr std::string_view sentence{
      "baton kept_operator: an operator that the partitioner asked to preserve is not delegated; tag the node, or do not ask to preserve its operator", 142};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#kept_operator
                  "baton kept_operator: an operator that the partitioner asked to preserve is not delegated; tag the node, or do not ask to preserve its operator");
  }
};

template <>
struct rule<"empty_pattern"> {
  static constexpr std::string_view sentence{
      "baton empty_pattern: a pattern has no node; add the nodes to be matched", 71};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#empty_pattern
                  "baton empty_pattern: a pattern has no node; add the nodes to be matched");
  }
};

template <>
struct rule<"dead_pattern"> {
  static constexpr std::string_view sentence{
      "baton dead_pattern: a node of a pattern does not lead to an output of the pattern; return the output of the node, or remove the node", 132};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#dead_pattern
                  "baton dead_pattern: a node of a pattern does not lead to an output of the pattern; return the output of the node, or remove the node");
  }
};

template <>
struct rule<"unmatchable_pattern"> {
  static constexpr std::string_view sentence{
      "baton unmatchable_pattern: a node or output of a pattern can never match; see the reason", 88};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unmatchable_pattern
                  "baton unmatchable_pattern: a node or output of a pattern can never match; see the reason");
  }
};

template <>
struct rule<"duplicate_pattern"> {
  static constexpr std::string_view sentence{
      "baton duplicate_pattern: a pattern matches only nodes that another pattern of the list matches; remove it", 105};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#duplicate_pattern
                  "baton duplicate_pattern: a pattern matches only nodes that another pattern of the list matches; remove it");
  }
};

template <>
struct rule<"ambiguous_pattern"> {
  static constexpr std::string_view sentence{
      "baton ambiguous_pattern: two patterns match overlapping nodes and neither contains the other; merge them, or remove one", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#ambiguous_pattern
                  "baton ambiguous_pattern: two patterns match overlapping nodes and neither contains the other; merge them, or remove one");
  }
};

template <>
struct rule<"malformed_cost"> {
  static constexpr std::string_view sentence{
      "baton malformed_cost: a cost is not in the range [0, 10^9); correct the cost table", 82};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_cost
                  "baton malformed_cost: a cost is not in the range [0, 10^9); correct the cost table");
  }
};

template <>
struct rule<"costs_overflow"> {
  static constexpr std::string_view sentence{
      "baton costs_overflow: the costs of a program add up to more than 10^12; use a larger unit", 89};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#costs_overflow
                  "baton costs_overflow: the costs of a program add up to more than 10^12; use a larger unit");
  }
};

template <>
struct rule<"malformed_capacity"> {
  static constexpr std::string_view sentence{
      "baton malformed_capacity: a capacity is negative or not a number; state a number of bytes, or omit it for no limit", 114};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_capacity
                  "baton malformed_capacity: a capacity is negative or not a number; state a number of bytes, or omit it for no limit");
  }
};

template <>
struct rule<"capacity_too_small"> {
  static constexpr std::string_view sentence{
      "baton capacity_too_small: the capacity of a backend is too small for the constants of any node that it supports; increase it", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#capacity_too_small
                  "baton capacity_too_small: the capacity of a backend is too small for the constants of any node that it supports; increase it");
  }
};

}  // namespace baton
