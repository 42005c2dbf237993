// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of methods, of parts and of lowering.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"undelegated_node"> {
  static constexpr std::string_view sentence{
      "baton undelegated_node: this program must be delegated whole; a node stays; extend a backend or its partitioner, or take back the demand", 136};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton undelegated_node: this program must be delegated whole; a node stays; extend a backend or its partitioner, or take back the demand");
  }
};

template <>
struct rule<"too_many_boundary_bytes"> {
  static constexpr std::string_view sentence{
      "baton too_many_boundary_bytes: fewer bytes must cross the borders of delegates; these are more; partition anew or raise the limit", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton too_many_boundary_bytes: fewer bytes must cross the borders of delegates; these are more; partition anew or raise the limit");
  }
};

template <>
struct rule<"duplicate_method"> {
  static constexpr std::string_view sentence{
      "baton duplicate_method: every method must have a name of its own; two have the same; rename one or remove it", 108};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton duplicate_method: every method must have a name of its own; two have the same; rename one or remove it");
  }
};

template <>
struct rule<"unknown_method"> {
  static constexpr std::string_view sentence{
      "baton unknown_method: a method must be among the programs given; this one is not; add its program or correct the name", 117};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_method: a method must be among the programs given; this one is not; add its program or correct the name");
  }
};

template <>
struct rule<"unmatched_results"> {
  static constexpr std::string_view sentence{
      "baton unmatched_results: a backend must return one result for each part of a batch; it did not; return as many, method by method", 128};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unmatched_results: a backend must return one result for each part of a batch; it did not; return as many, method by method");
  }
};

template <>
struct rule<"costly_preprocess"> {
  static constexpr std::string_view sentence{
      "baton costly_preprocess: what a backend makes of a part must be within the compiler's limits for a constant; this is too large, or fails as the compiler says above; pack weights (preprocess_result::pack), make the part smaller, or raise that limit", 247};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton costly_preprocess: what a backend makes of a part must be within the compiler's limits for a constant; this is too large, or fails as the compiler says above; pack weights (preprocess_result::pack), make the part smaller, or raise that limit");
  }
};

template <>
struct rule<"run_time_preprocess"> {
  static constexpr std::string_view sentence{
      "baton run_time_preprocess: what is lowered at compile time needs a preprocess that is a constant expression; this one is none, whatever the size of the part; declare it constexpr and call only constexpr functions", 212};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton run_time_preprocess: what is lowered at compile time needs a preprocess that is a constant expression; this one is none, whatever the size of the part; declare it constexpr and call only constexpr functions");
  }
};

template <>
struct rule<"tagged_output"> {
  static constexpr std::string_view sentence{
      "baton tagged_output: an output should not be tagged; this partitioner tagged the output; tag compute nodes and owned data only", 126};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton tagged_output: an output should not be tagged; this partitioner tagged the output; tag compute nodes and owned data only");
  }
};

template <>
struct rule<"tagged_user_input"> {
  static constexpr std::string_view sentence{
      "baton tagged_user_input: only parameters, buffers and constants may be tagged among the inputs; this is a user input; untag it", 126};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton tagged_user_input: only parameters, buffers and constants may be tagged among the inputs; this is a user input; untag it");
  }
};

template <>
struct rule<"shared_constant"> {
  static constexpr std::string_view sentence{
      "baton shared_constant: a constant that one part owns must have no user with another tag; one has; let parts share it or untag it", 128};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton shared_constant: a constant that one part owns must have no user with another tag; one has; let parts share it or untag it");
  }
};

template <>
struct rule<"shared_mutable_buffer"> {
  static constexpr std::string_view sentence{
      "baton shared_mutable_buffer: a tagged mutable buffer and its users must have one tag; one has another; tag them alike or untag it", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton shared_mutable_buffer: a tagged mutable buffer and its users must have one tag; one has another; tag them alike or untag it");
  }
};

template <>
struct rule<"unowned_state"> {
  static constexpr std::string_view sentence{
      "baton unowned_state: a part must own each mutable buffer that its nodes may write in place; this one is untagged; tag it (tag_mutated_buffer) or leave its writer out", 165};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unowned_state: a part must own each mutable buffer that its nodes may write in place; this one is untagged; tag it (tag_mutated_buffer) or leave its writer out");
  }
};

template <>
struct rule<"foreign_mutation"> {
  static constexpr std::string_view sentence{
      "baton foreign_mutation: a part that owns a mutable buffer must make its new value; another node makes this one; tag both or neither", 131};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_mutation: a part that owns a mutable buffer must make its new value; another node makes this one; tag both or neither");
  }
};

template <>
struct rule<"shared_mutation"> {
  static constexpr std::string_view sentence{
      "baton shared_mutation: a new value of a buffer that a part owns must have no other role; this one has; untag the buffer", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton shared_mutation: a new value of a buffer that a part owns must have no other role; this one has; untag the buffer");
  }
};

template <>
struct rule<"dependency_cycle"> {
  static constexpr std::string_view sentence{
      "baton dependency_cycle: a part must not depend on itself through nodes outside it; this tag forms a cycle; split the tag, or wrap the partitioner in split_cycles", 161};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton dependency_cycle: a part must not depend on itself through nodes outside it; this tag forms a cycle; split the tag, or wrap the partitioner in split_cycles");
  }
};

template <>
struct rule<"part_without_outputs"> {
  static constexpr std::string_view sentence{
      "baton part_without_outputs: a part must produce something that is used outside it; this one is dead code; untag it", 114};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton part_without_outputs: a part must produce something that is used outside it; this one is dead code; untag it");
  }
};

template <>
struct rule<"split_state"> {
  static constexpr std::string_view sentence{
      "baton split_state: parts must leave a state of several graphs whole, used by one node of a graph; this one is not; untag it or use it in one", 140};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton split_state: parts must leave a state of several graphs whole, used by one node of a graph; this one is not; untag it or use it in one");
  }
};

}  // namespace baton
