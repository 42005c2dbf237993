// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what operators and their outputs must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>

namespace baton {

template <>
struct rule<"mismatched_inference"> {
  static constexpr std::string_view sentence =
      "baton mismatched_inference: a node's outputs must have the types that follow from its operands; one has another; mend the model";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton mismatched_inference: a node's outputs must have the types that follow from its operands; one has another; mend the model");
  }
};

template <>
struct rule<"shared_state"> {
  static constexpr std::string_view sentence =
      "baton shared_state: a graph that keeps mutable buffers may be called from one place only; this one has several callers; copy it per "
      "caller";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton shared_state: a graph that keeps mutable buffers may be called from one place only; this one has several callers; "
                  "copy it per caller");
  }
};

}  // namespace baton
