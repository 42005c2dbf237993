// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of execution.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"backend_without_execute"> {
  static constexpr std::string_view sentence{
      "baton backend_without_execute: a delegate that runs here needs a backend with an execute; this one has none of that form; write: static void execute(const baton::delegate_call&)", 177};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton backend_without_execute: a delegate that runs here needs a backend with an execute; this one has none of that form; write: static void execute(const baton::delegate_call&)");
  }
};

template <>
struct rule<"unloaded_blob"> {
  static constexpr std::string_view sentence{
      "baton unloaded_blob: a blob must be brought by its loader, whole and aligned; this one was not; see the status and the loader", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unloaded_blob: a blob must be brought by its loader, whole and aligned; this one was not; see the status and the loader");
  }
};

template <>
struct rule<"ambiguous_named_data"> {
  static constexpr std::string_view sentence{
      "baton ambiguous_named_data: a key of named data must lie in the program or outside it; one lies in both; rename it", 114};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton ambiguous_named_data: a key of named data must lie in the program or outside it; one lies in both; rename it");
  }
};

template <>
struct rule<"failed_init"> {
  static constexpr std::string_view sentence{
      "baton failed_init: a backend must be able to take up its blob; its init failed; see the status", 94};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton failed_init: a backend must be able to take up its blob; its init failed; see the status");
  }
};

template <>
struct rule<"failed_execute"> {
  static constexpr std::string_view sentence{
      "baton failed_execute: a backend must be able to execute its call; its execute failed; see the status", 100};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton failed_execute: a backend must be able to execute its call; its execute failed; see the status");
  }
};

template <>
struct rule<"unknown_tensor"> {
  static constexpr std::string_view sentence{
      "baton unknown_tensor: an input or output is looked up by its one name; this is none; take one of those that there are", 117};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_tensor: an input or output is looked up by its one name; this is none; take one of those that there are");
  }
};

template <>
struct rule<"unquantized_tensor"> {
  static constexpr std::string_view sentence{
      "baton unquantized_tensor: quantize and dequantize need a tensor with a scale; this one has none; use its elements as they are", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unquantized_tensor: quantize and dequantize need a tensor with a scale; this one has none; use its elements as they are");
  }
};

template <>
struct rule<"unfit_elements"> {
  static constexpr std::string_view sentence{
      "baton unfit_elements: what is quantized must have the tensor's count, and its type beside float; this has not; see the reason", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unfit_elements: what is quantized must have the tensor's count, and its type beside float; this has not; see the reason");
  }
};

}  // namespace baton
