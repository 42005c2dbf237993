// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The user's side of a static program: which values are its inputs and outputs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <span>

namespace baton::detail {

/// The user's side of a static program's root graph.
template <class Program>
struct program_signature {
  static constexpr auto view() -> program_view { return Program::value(); }
  static constexpr auto inputs() -> std::span<const value_id> {
    if (view().graphs.empty()) return {};
    return view().inputs(view().root());
  }
  static constexpr auto outputs() -> std::span<const output_spec> {
    if (view().graphs.empty()) return {};
    return view().outputs_of(view().root());
  }
  static constexpr auto user_input(std::size_t i) -> value_id {
    for (const auto id : inputs()) {
      if (view()[id].kind == value_kind::user_input && i-- == 0) return id;
    }
    return none<value_id>;
  }
  static constexpr auto user_output(std::size_t i) -> value_id {
    for (const auto& spec : outputs()) {
      if (spec.kind == output_kind::user_output && i-- == 0) return spec.value;
    }
    return none<value_id>;
  }
  static constexpr auto input_count() -> std::size_t {
    std::size_t count = 0;
    while (user_input(count) != none<value_id>) ++count;
    return count;
  }
  static constexpr auto output_count() -> std::size_t {
    std::size_t count = 0;
    while (user_output(count) != none<value_id>) ++count;
    return count;
  }
  static constexpr auto bytes_of(value_id id) -> std::size_t {
    return static_cast<std::size_t>(byte_count(view()[id].type, view().shape(id)));
  }
};

}  // namespace baton::detail
