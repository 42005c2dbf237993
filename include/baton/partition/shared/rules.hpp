// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of partitioners, of their groups, patterns and costs.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"foreign_result"> {
  static constexpr std::string_view sentence{
      "baton foreign_result: a partitioner must return the tags of the program that it was given; these are of none, or of another; begin with baton::partition_result tagged{program}", 175};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_result: a partitioner must return the tags of the program that it was given; these are of none, or of another; begin with baton::partition_result tagged{program}");
  }
};

template <>
struct rule<"unsupported_node"> {
  static constexpr std::string_view sentence{
      "baton unsupported_node: a backend may be given only nodes that it supports; this it does not; untag the node or support it", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unsupported_node: a backend may be given only nodes that it supports; this it does not; untag the node or support it");
  }
};

template <>
struct rule<"node_in_two_groups"> {
  static constexpr std::string_view sentence{
      "baton node_in_two_groups: a node may be in one group; this one is in two; take it out of one or make them one group", 115};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton node_in_two_groups: a node may be in one group; this one is in two; take it out of one or make them one group");
  }
};

template <>
struct rule<"cycle_of_groups"> {
  static constexpr std::string_view sentence{
      "baton cycle_of_groups: groups must not need one another in a cycle, nor one itself; these do; split them along the path", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton cycle_of_groups: groups must not need one another in a cycle, nor one itself; these do; split them along the path");
  }
};

template <>
struct rule<"nothing_to_partition"> {
  static constexpr std::string_view sentence{
      "baton nothing_to_partition: a partition needs lists of nodes or an operator support; there is neither; give one of them", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton nothing_to_partition: a partition needs lists of nodes or an operator support; there is neither; give one of them");
  }
};

template <>
struct rule<"node_tagged_twice"> {
  static constexpr std::string_view sentence{
      "baton node_tagged_twice: a node may have one tag; this one would get a second; leave out what is tagged, or untag it first", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton node_tagged_twice: a node may have one tag; this one would get a second; leave out what is tagged, or untag it first");
  }
};

template <>
struct rule<"tag_without_spec"> {
  static constexpr std::string_view sentence{
      "baton tag_without_spec: a tag that a partitioner puts on a node must have a delegation spec; this one has none; add it with its spec", 132};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton tag_without_spec: a tag that a partitioner puts on a node must have a delegation spec; this one has none; add it with its spec");
  }
};

template <>
struct rule<"conflicting_tag"> {
  static constexpr std::string_view sentence{
      "baton conflicting_tag: a tag stands for one backend with its compile specs; this one was added for others, too; give those a tag of their own", 141};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton conflicting_tag: a tag stands for one backend with its compile specs; this one was added for others, too; give those a tag of their own");
  }
};

template <>
struct rule<"unnamed_tag"> {
  static constexpr std::string_view sentence{
      "baton unnamed_tag: a tag must have a name, for no name says that there is no tag; this one has none; name it", 108};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unnamed_tag: a tag must have a name, for no name says that there is no tag; this one has none; name it");
  }
};

template <>
struct rule<"duplicate_config"> {
  static constexpr std::string_view sentence{
      "baton duplicate_config: every operator may have one config; two are for the same; make them one or remove one", 109};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton duplicate_config: every operator may have one config; two are for the same; make them one or remove one");
  }
};

template <>
struct rule<"kept_operator"> {
  static constexpr std::string_view sentence{
      "baton kept_operator: an operator that a partitioner asks to keep whole must be delegated by it; this node is not; tag it or ask for less", 136};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton kept_operator: an operator that a partitioner asks to keep whole must be delegated by it; this node is not; tag it or ask for less");
  }
};

template <>
struct rule<"empty_pattern"> {
  static constexpr std::string_view sentence{
      "baton empty_pattern: a pattern needs a node; this one has none; write down the nodes that it shall find", 103};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton empty_pattern: a pattern needs a node; this one has none; write down the nodes that it shall find");
  }
};

template <>
struct rule<"dead_pattern"> {
  static constexpr std::string_view sentence{
      "baton dead_pattern: every node of a pattern must lead to an output of it; this one does not; return it or leave it out", 118};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton dead_pattern: every node of a pattern must lead to an output of it; this one does not; return it or leave it out");
  }
};

template <>
struct rule<"unmatchable_pattern"> {
  static constexpr std::string_view sentence{
      "baton unmatchable_pattern: every node and output of a pattern must be one that can be found; this one cannot; see the reason", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unmatchable_pattern: every node and output of a pattern must be one that can be found; this one cannot; see the reason");
  }
};

template <>
struct rule<"duplicate_pattern"> {
  static constexpr std::string_view sentence{
      "baton duplicate_pattern: every pattern of a list must find something of its own; one finds only what another does; remove it", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton duplicate_pattern: every pattern of a list must find something of its own; one finds only what another does; remove it");
  }
};

template <>
struct rule<"ambiguous_pattern"> {
  static constexpr std::string_view sentence{
      "baton ambiguous_pattern: where patterns overlap, one must hold all of the other; these two here do not; make them one or drop one", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton ambiguous_pattern: where patterns overlap, one must hold all of the other; these two here do not; make them one or drop one");
  }
};

template <>
struct rule<"malformed_cost"> {
  static constexpr std::string_view sentence{
      "baton malformed_cost: a cost must be a number from 0 to below 10^9; this one is not; mend the cost table", 104};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_cost: a cost must be a number from 0 to below 10^9; this one is not; mend the cost table");
  }
};

template <>
struct rule<"costs_overflow"> {
  static constexpr std::string_view sentence{
      "baton costs_overflow: all costs of a program must add up to less than 10^12; these add up to more; state them in a larger unit", 126};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton costs_overflow: all costs of a program must add up to less than 10^12; these add up to more; state them in a larger unit");
  }
};

template <>
struct rule<"malformed_capacity"> {
  static constexpr std::string_view sentence{
      "baton malformed_capacity: a capacity must be a count of bytes, 0 or more; this one is not; mend it, or leave it out for no limit", 128};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_capacity: a capacity must be a count of bytes, 0 or more; this one is not; mend it, or leave it out for no limit");
  }
};

template <>
struct rule<"capacity_too_small"> {
  static constexpr std::string_view sentence{
      "baton capacity_too_small: a backend's capacity must hold the constants of some node it supports; this holds none; raise it", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton capacity_too_small: a backend's capacity must hold the constants of some node it supports; this holds none; raise it");
  }
};

}  // namespace baton
