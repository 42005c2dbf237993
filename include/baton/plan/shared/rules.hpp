// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages about execution plans.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"dynamic_shape"> {
  static constexpr std::string_view sentence{
      "baton dynamic_shape: a value has an unknown size, but memory is planned for fixed shapes; export the model with fixed shapes", 124};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#dynamic_shape
                  "baton dynamic_shape: a value has an unknown size, but memory is planned for fixed shapes; export the model with fixed shapes");
  }
};

template <>
struct rule<"overlapping_memory"> {
  static constexpr std::string_view sentence{
      "baton overlapping_memory: values that are live at the same time share memory; correct the plan or its policy", 108};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#overlapping_memory
                  "baton overlapping_memory: values that are live at the same time share memory; correct the plan or its policy");
  }
};

template <>
struct rule<"regions_too_small"> {
  static constexpr std::string_view sentence{
      "baton regions_too_small: the values that are live at the same time do not fit the two memory regions; enlarge one", 113};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#regions_too_small
                  "baton regions_too_small: the values that are live at the same time do not fit the two memory regions; enlarge one");
  }
};

template <>
struct rule<"invalid_policy"> {
  static constexpr std::string_view sentence{
      "baton invalid_policy: a memory policy placed an item outside the memory, unaligned, or too near to an item that is live at the same time; correct the policy", 156};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#invalid_policy
                  "baton invalid_policy: a memory policy placed an item outside the memory, unaligned, or too near to an item that is live at the same time; correct the policy");
  }
};

template <>
struct rule<"invalid_schedule"> {
  static constexpr std::string_view sentence{
      "baton invalid_schedule: a schedule does not run every node of a graph exactly once after its dependencies; correct the schedule policy", 134};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#invalid_schedule
                  "baton invalid_schedule: a schedule does not run every node of a graph exactly once after its dependencies; correct the schedule policy");
  }
};

template <>
struct rule<"limits_too_small"> {
  static constexpr std::string_view sentence{
      "baton limits_too_small: no combination of kernels and memory policy stays within the limits; raise the limits, or add a kernel that needs less", 142};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#limits_too_small
                  "baton limits_too_small: no combination of kernels and memory policy stays within the limits; raise the limits, or add a kernel that needs less");
  }
};

template <>
struct rule<"too_many_forms"> {
  static constexpr std::string_view sentence{
      "baton too_many_forms: more kernels support a node than a search within limits compares; remove kernels from the list", 116};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#too_many_forms
                  "baton too_many_forms: more kernels support a node than a search within limits compares; remove kernels from the list");
  }
};

template <>
struct rule<"unsplit_policy"> {
  static constexpr std::string_view sentence{
      "baton unsplit_policy: a memory policy has no place_in_regions and cannot split an arena over two regions; add it, or use one region", 131};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsplit_policy
                  "baton unsplit_policy: a memory policy has no place_in_regions and cannot split an arena over two regions; add it, or use one region");
  }
};

template <>
struct rule<"unbindable_output"> {
  static constexpr std::string_view sentence{
      "baton unbindable_output: an output that is bound to a buffer of the caller is not the output of a node, or is bound twice; do not bind it", 137};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unbindable_output
                  "baton unbindable_output: an output that is bound to a buffer of the caller is not the output of a node, or is bound twice; do not bind it");
  }
};

template <>
struct rule<"uneven_alignment"> {
  static constexpr std::string_view sentence{
      "baton uneven_alignment: the alignment of a memory plan is not a power of two; use 4, 8 or 16, for example", 105};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#uneven_alignment
                  "baton uneven_alignment: the alignment of a memory plan is not a power of two; use 4, 8 or 16, for example");
  }
};

template <>
struct rule<"missing_kernel"> {
  static constexpr std::string_view sentence{
      "baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node", 97};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#missing_kernel
                  "baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node");
  }
};

template <>
struct rule<"unaligned_argument"> {
  static constexpr std::string_view sentence{
      "baton unaligned_argument: a backend requires aligned arguments, but a constant argument is not aligned in the model; give the constant the delegation tag of the part that uses it", 178};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unaligned_argument
                  "baton unaligned_argument: a backend requires aligned arguments, but a constant argument is not aligned in the model; give the constant the delegation tag of the part that uses it");
  }
};

template <>
struct rule<"nameless_delegate"> {
  static constexpr std::string_view sentence{
      "baton nameless_delegate: a delegate has no backend id; lower the part for a backend in baton::backends<...>", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#nameless_delegate
                  "baton nameless_delegate: a delegate has no backend id; lower the part for a backend in baton::backends<...>");
  }
};

template <>
struct rule<"unavailable_backend"> {
  static constexpr std::string_view sentence{
      "baton unavailable_backend: the backend of a delegate is not available; initialize it, or lower the part for another backend", 123};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unavailable_backend
                  "baton unavailable_backend: the backend of a delegate is not available; initialize it, or lower the part for another backend");
  }
};

template <>
struct rule<"conflicting_state"> {
  static constexpr std::string_view sentence{
      "baton conflicting_state: a state that methods share differs between them; make it equal, or do not share it", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#conflicting_state
                  "baton conflicting_state: a state that methods share differs between them; make it equal, or do not share it");
  }
};

template <>
struct rule<"misaligned_image"> {
  static constexpr std::string_view sentence{
      "baton misaligned_image: the common alignment of all keys of named data with equal bytes is not a power of two; use a power-of-two alignment for each of these keys", 162};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#misaligned_image
                  "baton misaligned_image: the common alignment of all keys of named data with equal bytes is not a power of two; use a power-of-two alignment for each of these keys");
  }
};

}  // namespace baton
