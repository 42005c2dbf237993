// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages about execution.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"backend_without_execute"> {
  static constexpr std::string_view sentence{
      "baton backend_without_execute: the backend of a delegate has no execute of the required form; write: static void execute(const baton::delegate_call&)", 149};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#backend_without_execute
                  "baton backend_without_execute: the backend of a delegate has no execute of the required form; write: static void execute(const baton::delegate_call&)");
  }
};

template <>
struct rule<"unloaded_processed_bytes"> {
  static constexpr std::string_view sentence{
      "baton unloaded_processed_bytes: the loader did not provide all processed bytes at an aligned address; see the status, and correct the loader", 140};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unloaded_processed_bytes
                  "baton unloaded_processed_bytes: the loader did not provide all processed bytes at an aligned address; see the status, and correct the loader");
  }
};

template <>
struct rule<"ambiguous_named_data"> {
  static constexpr std::string_view sentence{
      "baton ambiguous_named_data: a key of named data is both in the program and outside it; rename it", 96};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#ambiguous_named_data
                  "baton ambiguous_named_data: a key of named data is both in the program and outside it; rename it");
  }
};

template <>
struct rule<"failed_init"> {
  static constexpr std::string_view sentence{
      "baton failed_init: the init of a backend failed; see the status", 63};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#failed_init
                  "baton failed_init: the init of a backend failed; see the status");
  }
};

template <>
struct rule<"failed_execute"> {
  static constexpr std::string_view sentence{
      "baton failed_execute: the execute of a backend failed; see the status", 69};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#failed_execute
                  "baton failed_execute: the execute of a backend failed; see the status");
  }
};

template <>
struct rule<"unknown_tensor"> {
  static constexpr std::string_view sentence{
      "baton unknown_tensor: no input or output has this name, or several have; use a unique name", 90};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unknown_tensor
                  "baton unknown_tensor: no input or output has this name, or several have; use a unique name");
  }
};

template <>
struct rule<"unquantized_tensor"> {
  static constexpr std::string_view sentence{
      "baton unquantized_tensor: quantize or dequantize was called for a tensor without a scale; use its elements directly", 115};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unquantized_tensor
                  "baton unquantized_tensor: quantize or dequantize was called for a tensor without a scale; use its elements directly");
  }
};

template <>
struct rule<"unfit_elements"> {
  static constexpr std::string_view sentence{
      "baton unfit_elements: the elements do not match the tensor's count or type; see the reason", 90};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unfit_elements
                  "baton unfit_elements: the elements do not match the tensor's count or type; see the reason");
  }
};

}  // namespace baton
