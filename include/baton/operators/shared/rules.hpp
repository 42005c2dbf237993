// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of programs, of their operators and of the types of outputs.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"undefined_value"> {
  static constexpr std::string_view sentence{
      "baton undefined_value: an operand must be a graph input or an output of an earlier node; this one is not; order the nodes", 121};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton undefined_value: an operand must be a graph input or an output of an earlier node; this one is not; order the nodes");
  }
};

template <>
struct rule<"value_defined_twice"> {
  static constexpr std::string_view sentence{
      "baton value_defined_twice: a value must be defined once; this one is defined again; give the second definition its own value", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton value_defined_twice: a value must be defined once; this one is defined again; give the second definition its own value");
  }
};

template <>
struct rule<"foreign_value"> {
  static constexpr std::string_view sentence{
      "baton foreign_value: a node may use only values of its own graph; this one is of another; pass it in as a graph input", 117};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton foreign_value: a node may use only values of its own graph; this one is of another; pass it in as a graph input");
  }
};

template <>
struct rule<"malformed_shape"> {
  static constexpr std::string_view sentence{
      "baton malformed_shape: a shape must have sizes that are not negative and a count of bytes that fits; this one does not; mend it", 127};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_shape: a shape must have sizes that are not negative and a count of bytes that fits; this one does not; mend it");
  }
};

template <>
struct rule<"malformed_quantization"> {
  static constexpr std::string_view sentence{
      "baton malformed_quantization: quantization needs a scale and a zero point a channel and an axis of that size; mend them", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_quantization: quantization needs a scale and a zero point a channel and an axis of that size; mend them");
  }
};

template <>
struct rule<"malformed_signature"> {
  static constexpr std::string_view sentence{
      "baton malformed_signature: a graph signature must match the kinds of its values; this one does not; mend the kind or the list", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_signature: a graph signature must match the kinds of its values; this one does not; mend the kind or the list");
  }
};

template <>
struct rule<"mutated_user_input"> {
  static constexpr std::string_view sentence{
      "baton mutated_user_input: a program must leave its user inputs as they are; this one writes to one; make it a mutable buffer, or return its new value", 149};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton mutated_user_input: a program must leave its user inputs as they are; this one writes to one; make it a mutable buffer, or return its new value");
  }
};

template <>
struct rule<"nested_too_deep"> {
  static constexpr std::string_view sentence{
      "baton nested_too_deep: graphs may lie in one another up to 64 deep; these lie deeper; call fewer subgraphs from subgraphs", 121};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton nested_too_deep: graphs may lie in one another up to 64 deep; these lie deeper; call fewer subgraphs from subgraphs");
  }
};

template <>
struct rule<"malformed_operator"> {
  static constexpr std::string_view sentence{
      "baton malformed_operator: operands and attributes must fit the operator; these do not; see the reason", 101};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_operator: operands and attributes must fit the operator; these do not; see the reason");
  }
};

template <>
struct rule<"unknown_operator"> {
  static constexpr std::string_view sentence{
      "baton unknown_operator: an operator in the namespace tfl must be one that TensorFlow Lite has; this one is not; correct its name", 128};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_operator: an operator in the namespace tfl must be one that TensorFlow Lite has; this one is not; correct its name");
  }
};

template <>
struct rule<"operator_without_namespace"> {
  static constexpr std::string_view sentence{
      "baton operator_without_namespace: the name of an operator must begin with its namespace; this one is spelled as in the file format; correct its name", 148};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton operator_without_namespace: the name of an operator must begin with its namespace; this one is spelled as in the file format; correct its name");
  }
};

template <>
struct rule<"mismatched_inference"> {
  static constexpr std::string_view sentence{
      "baton mismatched_inference: a node's outputs must have the types that follow from its operands; one has another; mend the model", 127};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton mismatched_inference: a node's outputs must have the types that follow from its operands; one has another; mend the model");
  }
};

template <>
struct rule<"shared_state"> {
  static constexpr std::string_view sentence{
      "baton shared_state: a graph that keeps mutable buffers may be called from one place only; this one has several callers; copy it per caller", 138};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton shared_state: a graph that keeps mutable buffers may be called from one place only; this one has several callers; copy it per caller");
  }
};

}  // namespace baton
