// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages about programs, their operators and the types of outputs.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"undefined_value"> {
  static constexpr std::string_view sentence{
      "baton undefined_value: an operand is neither a graph input nor an output of an earlier node; order the nodes", 108};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#undefined_value
                  "baton undefined_value: an operand is neither a graph input nor an output of an earlier node; order the nodes");
  }
};

template <>
struct rule<"value_defined_twice"> {
  static constexpr std::string_view sentence{
      "baton value_defined_twice: a value is defined twice; give the second definition its own value", 93};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#value_defined_twice
                  "baton value_defined_twice: a value is defined twice; give the second definition its own value");
  }
};

template <>
struct rule<"foreign_value"> {
  static constexpr std::string_view sentence{
      "baton foreign_value: a node uses a value of another graph; pass it in as a graph input", 86};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#foreign_value
                  "baton foreign_value: a node uses a value of another graph; pass it in as a graph input");
  }
};

template <>
struct rule<"malformed_shape"> {
  static constexpr std::string_view sentence{
      "baton malformed_shape: a shape has a negative size, or its byte count overflows; correct the shape", 98};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_shape
                  "baton malformed_shape: a shape has a negative size, or its byte count overflows; correct the shape");
  }
};

template <>
struct rule<"malformed_quantization"> {
  static constexpr std::string_view sentence{
      "baton malformed_quantization: the quantization of a value does not have one scale and one zero point for each channel of its axis; correct it", 141};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_quantization
                  "baton malformed_quantization: the quantization of a value does not have one scale and one zero point for each channel of its axis; correct it");
  }
};

template <>
struct rule<"malformed_signature"> {
  static constexpr std::string_view sentence{
      "baton malformed_signature: the graph signature does not match the kinds of its values; correct the kind or the signature", 120};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_signature
                  "baton malformed_signature: the graph signature does not match the kinds of its values; correct the kind or the signature");
  }
};

template <>
struct rule<"mutated_user_input"> {
  static constexpr std::string_view sentence{
      "baton mutated_user_input: a program writes to a user input; use a mutable buffer, or return the new value", 105};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#mutated_user_input
                  "baton mutated_user_input: a program writes to a user input; use a mutable buffer, or return the new value");
  }
};

template <>
struct rule<"nested_too_deep"> {
  static constexpr std::string_view sentence{
      "baton nested_too_deep: subgraphs are nested deeper than 64 levels; reduce the nesting", 85};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#nested_too_deep
                  "baton nested_too_deep: subgraphs are nested deeper than 64 levels; reduce the nesting");
  }
};

template <>
struct rule<"malformed_operator"> {
  static constexpr std::string_view sentence{
      "baton malformed_operator: the operands or attributes of a node do not fit its operator; see the reason", 102};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#malformed_operator
                  "baton malformed_operator: the operands or attributes of a node do not fit its operator; see the reason");
  }
};

template <>
struct rule<"unknown_operator"> {
  static constexpr std::string_view sentence{
      "baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace", 129};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_operator
                  "baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace");
  }
};

template <>
struct rule<"operator_without_namespace"> {
  static constexpr std::string_view sentence{
      "baton operator_without_namespace: the name of an operator has no namespace, and is similar to a known name; add the namespace, as in tfl.conv_2d", 144};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#operator_without_namespace
                  "baton operator_without_namespace: the name of an operator has no namespace, and is similar to a known name; add the namespace, as in tfl.conv_2d");
  }
};

template <>
struct rule<"mismatched_inference"> {
  static constexpr std::string_view sentence{
      "baton mismatched_inference: the type of an output differs from the inferred one; correct the model", 98};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#mismatched_inference
                  "baton mismatched_inference: the type of an output differs from the inferred one; correct the model");
  }
};

template <>
struct rule<"shared_state"> {
  static constexpr std::string_view sentence{
      "baton shared_state: a graph with mutable buffers is called from several places; copy it for each caller", 103};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#shared_state
                  "baton shared_state: a graph with mutable buffers is called from several places; copy it for each caller");
  }
};

}  // namespace baton
