// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages about methods, parts and lowering.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"undelegated_node"> {
  static constexpr std::string_view sentence{
      "baton undelegated_node: the program must be fully delegated, but this node is not; extend a backend or its partitioner, or remove the contract", 142};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#undelegated_node
                  "baton undelegated_node: the program must be fully delegated, but this node is not; extend a backend or its partitioner, or remove the contract");
  }
};

template <>
struct rule<"too_many_boundary_bytes"> {
  static constexpr std::string_view sentence{
      "baton too_many_boundary_bytes: more bytes cross the boundaries of delegates than the contract allows; change the partition, or raise the limit", 142};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#too_many_boundary_bytes
                  "baton too_many_boundary_bytes: more bytes cross the boundaries of delegates than the contract allows; change the partition, or raise the limit");
  }
};

template <>
struct rule<"duplicate_method"> {
  static constexpr std::string_view sentence{
      "baton duplicate_method: two methods have the same name; rename one", 66};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#duplicate_method
                  "baton duplicate_method: two methods have the same name; rename one");
  }
};

template <>
struct rule<"unknown_method"> {
  static constexpr std::string_view sentence{
      "baton unknown_method: no program is given for this method; add its program, or correct the name", 95};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_method
                  "baton unknown_method: no program is given for this method; add its program, or correct the name");
  }
};

template <>
struct rule<"unmatched_results"> {
  static constexpr std::string_view sentence{
      "baton unmatched_results: a backend did not return one result for each part of a batch; return one for each part, method by method", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unmatched_results
                  "baton unmatched_results: a backend did not return one result for each part of a batch; return one for each part, method by method");
  }
};

template <>
struct rule<"costly_preprocess"> {
  static constexpr std::string_view sentence{
      "baton costly_preprocess: the compiler cannot evaluate preprocess; see the compiler's message above, and pack weights (preprocess_result::pack), reduce the part, or raise the limit if it names one", 195};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#costly_preprocess
                  "baton costly_preprocess: the compiler cannot evaluate preprocess; see the compiler's message above, and pack weights (preprocess_result::pack), reduce the part, or raise the limit if it names one");
  }
};

template <>
struct rule<"run_time_preprocess"> {
  static constexpr std::string_view sentence{
      "baton run_time_preprocess: preprocess is not a constant expression; declare it constexpr, call only constexpr functions, and read no element out of bounds", 154};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#run_time_preprocess
                  "baton run_time_preprocess: preprocess is not a constant expression; declare it constexpr, call only constexpr functions, and read no element out of bounds");
  }
};

template <>
struct rule<"tagged_output"> {
  static constexpr std::string_view sentence{
      "baton tagged_output: a partitioner tagged an output of the graph; tag only nodes and owned data", 95};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#tagged_output
                  "baton tagged_output: a partitioner tagged an output of the graph; tag only nodes and owned data");
  }
};

template <>
struct rule<"tagged_user_input"> {
  static constexpr std::string_view sentence{
      "baton tagged_user_input: a user input is tagged; tag only parameters, buffers and constants", 91};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#tagged_user_input
                  "baton tagged_user_input: a user input is tagged; tag only parameters, buffers and constants");
  }
};

template <>
struct rule<"shared_constant"> {
  static constexpr std::string_view sentence{
      "baton shared_constant: a constant that a part owns has a user with another tag; allow sharing (data_sharing), or remove the tag of the constant", 143};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#shared_constant
                  "baton shared_constant: a constant that a part owns has a user with another tag; allow sharing (data_sharing), or remove the tag of the constant");
  }
};

template <>
struct rule<"shared_mutable_buffer"> {
  static constexpr std::string_view sentence{
      "baton shared_mutable_buffer: a tagged mutable buffer has a user with another tag; use one tag for all users, or remove the tag of the buffer", 140};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#shared_mutable_buffer
                  "baton shared_mutable_buffer: a tagged mutable buffer has a user with another tag; use one tag for all users, or remove the tag of the buffer");
  }
};

template <>
struct rule<"unowned_state"> {
  static constexpr std::string_view sentence{
      "baton unowned_state: a node of a part may write a mutable buffer that the part does not own; tag the buffer (tag_mutated_buffer), or exclude the node", 149};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unowned_state
                  "baton unowned_state: a node of a part may write a mutable buffer that the part does not own; tag the buffer (tag_mutated_buffer), or exclude the node");
  }
};

template <>
struct rule<"foreign_mutation"> {
  static constexpr std::string_view sentence{
      "baton foreign_mutation: the new value of a mutable buffer that a part owns is produced outside the part; tag the buffer and the producer alike, or remove the tag of the buffer", 175};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#foreign_mutation
                  "baton foreign_mutation: the new value of a mutable buffer that a part owns is produced outside the part; tag the buffer and the producer alike, or remove the tag of the buffer");
  }
};

template <>
struct rule<"shared_mutation"> {
  static constexpr std::string_view sentence{
      "baton shared_mutation: the new value of a mutable buffer that a part owns is also another graph output; remove the tag of the buffer", 132};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#shared_mutation
                  "baton shared_mutation: the new value of a mutable buffer that a part owns is also another graph output; remove the tag of the buffer");
  }
};

template <>
struct rule<"dependency_cycle"> {
  static constexpr std::string_view sentence{
      "baton dependency_cycle: a part depends on itself through nodes outside it; split the tag, or wrap the partitioner in split_cycles", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#dependency_cycle
                  "baton dependency_cycle: a part depends on itself through nodes outside it; split the tag, or wrap the partitioner in split_cycles");
  }
};

template <>
struct rule<"part_without_outputs"> {
  static constexpr std::string_view sentence{
      "baton part_without_outputs: nothing outside a part uses the results of the part; remove the tag of the part", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#part_without_outputs
                  "baton part_without_outputs: nothing outside a part uses the results of the part; remove the tag of the part");
  }
};

template <>
struct rule<"split_state"> {
  static constexpr std::string_view sentence{
      "baton split_state: after partitioning, a state that several graphs use has several users in one graph, or a part contains only some of the graphs; remove the tag, or use the state in one part", 191};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#split_state
                  "baton split_state: after partitioning, a state that several graphs use has several users in one graph, or a part contains only some of the graphs; remove the tag, or use the state in one part");
  }
};

}  // namespace baton
