// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The user inputs and user outputs of a static program.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>

namespace baton::detail {

/// The user inputs and user outputs of a static program's root graph.
template <class Program>
struct program_signature {
  static constexpr auto view() -> program_view { return Program::value(); }
  static constexpr auto inputs() -> vector<value_id> {
    if (view().graphs.empty()) return {};
    return user_inputs_of(view(), graph_id{0});
  }
  static constexpr auto outputs() -> vector<value_id> {
    if (view().graphs.empty()) return {};
    return user_outputs_of(view(), graph_id{0});
  }
  static constexpr auto user_input(std::size_t i) -> value_id { return at(inputs(), i); }
  static constexpr auto user_output(std::size_t i) -> value_id { return at(outputs(), i); }
  static constexpr auto input_count() -> std::size_t { return inputs().size(); }
  static constexpr auto output_count() -> std::size_t { return outputs().size(); }
  static constexpr auto bytes_of(value_id id) -> std::size_t {
    return static_cast<std::size_t>(byte_count(view()[id].type, view().shape(id)));
  }

 private:
  static constexpr auto at(const vector<value_id>& list, std::size_t i) -> value_id { return i < list.size() ? list[i] : none<value_id>; }
};

}  // namespace baton::detail
