// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of execution plans.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"dynamic_shape"> {
  static constexpr std::string_view sentence{
      "baton dynamic_shape: memory is planned for fixed shapes only; this value has an unknown size; export the model with fixed shapes", 128};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton dynamic_shape: memory is planned for fixed shapes only; this value has an unknown size; export the model with fixed shapes");
  }
};

template <>
struct rule<"overlapping_memory"> {
  static constexpr std::string_view sentence{
      "baton overlapping_memory: two values that live at the same time must not share memory; these do; plan again", 107};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton overlapping_memory: two values that live at the same time must not share memory; these do; plan again");
  }
};

template <>
struct rule<"regions_too_small"> {
  static constexpr std::string_view sentence{
      "baton regions_too_small: what a program needs at once must fit two regions of memory, nothing across both; this does not; enlarge one", 133};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton regions_too_small: what a program needs at once must fit two regions of memory, nothing across both; this does not; enlarge one");
  }
};

template <>
struct rule<"unsound_policy"> {
  static constexpr std::string_view sentence{
      "baton unsound_policy: a memory policy must place every item inside the memory, aligned, and apart from what lives with it or as near as a distance allows; this one does not; correct the policy", 192};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unsound_policy: a memory policy must place every item inside the memory, aligned, and apart from what lives with it or as near as a distance allows; this one does not; correct the policy");
  }
};

template <>
struct rule<"unsound_schedule"> {
  static constexpr std::string_view sentence{
      "baton unsound_schedule: a schedule must run every node of a graph once, after all that it depends on; this one does not; correct the policy", 139};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unsound_schedule: a schedule must run every node of a graph once, after all that it depends on; this one does not; correct the policy");
  }
};

template <>
struct rule<"unsplit_policy"> {
  static constexpr std::string_view sentence{
      "baton unsplit_policy: over two regions of memory only a policy splits an arena that has place_in_regions, and this one has none; write it, or give one region", 157};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unsplit_policy: over two regions of memory only a policy splits an arena that has place_in_regions, and this one has none; write it, or give one region");
  }
};

template <>
struct rule<"uneven_alignment"> {
  static constexpr std::string_view sentence{
      "baton uneven_alignment: the alignment of a memory plan must be a power of two; this is none; give 4, 8 or 16, for example", 121};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton uneven_alignment: the alignment of a memory plan must be a power of two; this is none; give 4, 8 or 16, for example");
  }
};

template <>
struct rule<"missing_kernel"> {
  static constexpr std::string_view sentence{
      "baton missing_kernel: every node needs a kernel or a backend that takes it; this one has neither; add a kernel or delegate it", 125};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton missing_kernel: every node needs a kernel or a backend that takes it; this one has neither; add a kernel or delegate it");
  }
};

template <>
struct rule<"unaligned_argument"> {
  static constexpr std::string_view sentence{
      "baton unaligned_argument: a backend that asks for aligned arguments must own the constants among them; this one lies where the model has it; tag it for the part", 160};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unaligned_argument: a backend that asks for aligned arguments must own the constants among them; this one lies where the model has it; tag it for the part");
  }
};

template <>
struct rule<"nameless_delegate"> {
  static constexpr std::string_view sentence{
      "baton nameless_delegate: a delegate must name its backend; this one has no backend id; lower the part with a backend of the list", 128};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton nameless_delegate: a delegate must name its backend; this one has no backend id; lower the part with a backend of the list");
  }
};

template <>
struct rule<"unavailable_backend"> {
  static constexpr std::string_view sentence{
      "baton unavailable_backend: a delegate needs a backend that is available; this one is not; bring it up or lower for another", 122};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unavailable_backend: a delegate needs a backend that is available; this one is not; bring it up or lower for another");
  }
};

template <>
struct rule<"conflicting_state"> {
  static constexpr std::string_view sentence{
      "baton conflicting_state: a state that methods share must be the same in all of them; this one is not; make it so, or let each have its own", 138};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton conflicting_state: a state that methods share must be the same in all of them; this one is not; make it so, or let each have its own");
  }
};

template <>
struct rule<"misaligned_image"> {
  static constexpr std::string_view sentence{
      "baton misaligned_image: named data in an image must lie at a power of two; these alignments together are none; mend one", 119};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton misaligned_image: named data in an image must lie at a power of two; these alignments together are none; mend one");
  }
};

}  // namespace baton
