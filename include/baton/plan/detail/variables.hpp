// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The resource variables of TensorFlow Lite. A program accesses the variables through handles, which are values of dtype `resource`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/graph_calls.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A resource variable. All `tfl.var_handle` nodes with the same container and name refer to the same variable.
struct variable {
  range handles{};                    ///< the range of its handles in `variable_list::handles`
  value_id largest = none<value_id>;  ///< the largest value that is read from or assigned to the variable; `none` if there is no such value
};

/// The resource variables of the graphs that the root graph can reach, and their handles, grouped by variable.
struct variable_list {
  vector<variable> variables;
  vector<value_id> handles;
};

namespace detail {

class variable_scan {
 public:
  constexpr variable_scan(const program_view& program, const graph_calls& calls) : program_(program), calls_(calls) {}

 private:
  // Defined before its use, because Clang cannot evaluate a member template that is defined after its use.
  template <class F>
  constexpr void for_each_node(F f) const {
    for (const auto id : calls_.order) {
      for (const auto& record : program_.nodes_of(program_[id])) f(record);
    }
  }

 public:
  constexpr auto run() -> variable_list {
    for_each_node([this](const node& record) {
      if (record.is("tfl.var_handle") && record.outputs.size == 1) named_handles_.push_back(handle_of(record));
    });
    if (named_handles_.empty()) return {};
    sort(named_handles_.begin(), named_handles_.end(), [](const named_handle& a, const named_handle& b) {
      if (!a.has_same_variable_as(b)) return a.container != b.container ? a.container < b.container : a.name < b.name;
      return index(a.value) < index(b.value);
    });
    variable_of_.assign(program_.values.size(), npos);
    for (std::uint32_t i = 0; i < named_handles_.size(); ++i) {
      if (i == 0 || !named_handles_[i].has_same_variable_as(named_handles_[i - 1])) list_.variables.push_back({{i, 0}});
      list_.variables.back().handles.size += 1;
      list_.handles.push_back(named_handles_[i].value);
      variable_of_[index(named_handles_[i].value)] = static_cast<std::uint32_t>(list_.variables.size() - 1);
    }
    for_each_node([this](const node& record) {
      if (record.is("tfl.read_variable") && record.inputs.size == 1 && record.outputs.size == 1) {
        update_largest(program_.inputs(record)[0], program_.outputs_of(record)[0]);
      } else if (record.is("tfl.assign_variable") && record.inputs.size == 2) {
        update_largest(program_.inputs(record)[0], program_.inputs(record)[1]);
      }
    });
    return std::move(list_);
  }

 private:
  struct named_handle {
    std::string_view container;
    std::string_view name;
    value_id value;

    constexpr auto has_same_variable_as(const named_handle& other) const -> bool {
      return container == other.container && name == other.name;
    }
  };

  constexpr auto handle_of(const node& record) const -> named_handle {
    return {program_.text(record, "container"), program_.text(record, "shared_name"), program_.outputs_of(record)[0]};
  }
  /// Returns the size of a value in bytes. An unknown size is returned as a number that is larger than all known sizes.
  constexpr auto size_of(value_id id) const -> std::uint64_t {
    return static_cast<std::uint64_t>(byte_count(program_[id].type, program_.shape(id)));
  }
  constexpr void update_largest(value_id handle, value_id value) {
    if (handle == none<value_id> || value == none<value_id> || variable_of_[index(handle)] == npos) return;
    auto& largest = list_.variables[variable_of_[index(handle)]].largest;
    if (largest == none<value_id> || size_of(largest) < size_of(value)) largest = value;
  }

  program_view program_;
  const graph_calls& calls_;
  vector<named_handle> named_handles_;
  vector<std::uint32_t> variable_of_;  ///< indexed by value: the index of the handle's variable, or `npos`
  variable_list list_;
};

}  // namespace detail

/// Returns the resource variables of the graphs that the root graph can reach. O(nodes + handles · log(handles)).
constexpr auto variables_of(const program_view& program, const graph_calls& calls) -> variable_list {
  return detail::variable_scan(program, calls).run();
}

}  // namespace baton
