// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds the operands of listed operators. The texts of ExecuTorch's demo backends do not state them.
#pragma once

#include "operator_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace executorch_demo {

/// The number of operands of an operator.
constexpr auto operand_count(operation what) -> std::size_t {
  if (what == operation::linear) return 3;
  return what == operation::sin || what == operation::cos ? 1 : 2;
}

/// The rows and columns of a product of matrices: [rows, depth] · [depth, columns]. All are 0 if the numbers of elements do not fit.
struct product_sizes {
  std::size_t rows = 0;
  std::size_t depth = 0;
  std::size_t columns = 0;
};
constexpr auto sizes_of_mm(std::size_t left, std::size_t right, std::size_t result) -> product_sizes {
  if (left == 0 || right == 0 || left * result % right != 0) return {};
  std::size_t rows = 1;
  while (rows * rows < left * result / right) ++rows;
  const bool fits = rows * rows == left * result / right && left % rows == 0 && result % rows == 0;
  return fits ? product_sizes{rows, left / rows, result / rows} : product_sizes{};
}
/// The sizes of x · transposed weights + bias.
constexpr auto sizes_of_linear(std::size_t x, std::size_t weights, std::size_t bias) -> product_sizes {
  if (x == 0 || weights == 0 || bias == 0 || weights % bias != 0 || x % (weights / bias) != 0) return {};
  const auto depth = weights / bias;
  return {x / depth, depth, bias};
}

/// The data flow of a list: the values are the inputs of the call, followed by the results of the operators.
struct data_flow {
  static constexpr std::size_t max_inputs = 8;
  static constexpr std::size_t max_values = max_inputs + operator_list::capacity;
  std::size_t inputs = 0;
  std::size_t operands[operator_list::capacity][3]{};
  std::size_t elements[max_values]{};
  bool is_output[max_values]{};
  bool is_found = false;
};

/// Searches for operands, depth first. ExecuTorch lists operators in execution order, and passes inputs in the order of their first use,
/// but weights before them. So an operand is, in this order of preference: the latest result that has no user, the next input that has no
/// user, an earlier value, or any other input. Selects the first flow in which every input has a user, and every result has a user or is
/// an output. If there are fewer results without a user than outputs, the first results with a user are outputs, too.
class operand_search {
 public:
  /// `inputs` and `outputs` are the numbers of elements of the arguments of a call.
  template <class Inputs, class Outputs>
  constexpr operand_search(const operator_list& list, const Inputs& inputs, const Outputs& outputs)
      : list_(list),
        outputs_(outputs.size()) {
    flow_.inputs = inputs.size();
    if (inputs.size() > data_flow::max_inputs || outputs.size() > list.size) return;
    for (std::size_t i = 0; i < inputs.size(); ++i) flow_.elements[i] = inputs[i];
    for (std::size_t i = 0; i < outputs.size(); ++i) output_elements_[i] = outputs[i];
    flow_.is_found = place(0, 0);
  }
  constexpr auto result() const -> const data_flow& { return flow_; }

 private:
  static constexpr std::size_t max_steps = 100'000;  // of the search, so that a damaged text cannot stop the program

  /// Chooses operand `operand` of operator `at` and all later ones.
  constexpr auto place(std::size_t at, std::size_t operand) -> bool {
    if (++steps_ > max_steps) return false;
    if (at == list_.size) return choose_outputs();
    if (operand == operand_count(list_.operators[at].what)) return has_result(at) && place(at + 1, 0);
    const auto values = flow_.inputs + at;
    bool is_tried[data_flow::max_values]{};
    const auto attempt = [&](std::size_t value) {
      if (std::exchange(is_tried[value], true)) return false;
      flow_.operands[at][operand] = value;
      uses_[value] += 1;
      if (place(at, operand + 1)) return true;
      uses_[value] -= 1;
      return false;
    };
    for (auto v = values; v-- > flow_.inputs;) {
      if (uses_[v] == 0 && attempt(v)) return true;
    }
    const auto* const next = std::find(uses_, uses_ + flow_.inputs, 0u);
    if (next != uses_ + flow_.inputs && attempt(static_cast<std::size_t>(next - uses_))) return true;
    for (auto v = values; v-- > 0;) {
      if (uses_[v] != 0 && attempt(v)) return true;
    }
    for (std::size_t v = 0; v < flow_.inputs; ++v) {
      if (attempt(v)) return true;
    }
    return false;
  }

  /// Computes the number of elements of a result. Returns false if the operands do not fit.
  constexpr auto has_result(std::size_t at) -> bool {
    const auto& record = list_.operators[at];
    const auto count = [&](std::size_t operand) { return flow_.elements[flow_.operands[at][operand]]; };
    auto elements = count(0);
    if (record.what == operation::mm) {
      elements = record.elements;
      if (sizes_of_mm(count(0), count(1), elements).rows == 0) return false;
    } else if (record.what == operation::linear) {
      const auto sizes = sizes_of_linear(count(0), count(1), count(2));
      elements = sizes.rows * sizes.columns;
    } else if (operand_count(record.what) == 2) {
      elements = std::max(count(0), count(1));
      if (std::min(count(0), count(1)) != elements && std::min(count(0), count(1)) != 1) return false;
    }
    flow_.elements[flow_.inputs + at] = elements;
    return elements != 0 && (record.elements == 0 || record.elements == elements);
  }

  constexpr auto choose_outputs() -> bool {
    for (std::size_t v = 0; v < flow_.inputs; ++v) {
      if (uses_[v] == 0) return false;
    }
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < list_.size; ++i) {
      flow_.is_output[flow_.inputs + i] = uses_[flow_.inputs + i] == 0;
      chosen += uses_[flow_.inputs + i] == 0 ? 1u : 0u;
    }
    for (std::size_t i = 0; i < list_.size && chosen < outputs_; ++i) {
      if (!std::exchange(flow_.is_output[flow_.inputs + i], true)) ++chosen;
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < list_.size && chosen == outputs_; ++i) {
      if (flow_.is_output[flow_.inputs + i] && flow_.elements[flow_.inputs + i] != output_elements_[next++]) return false;
    }
    return chosen == outputs_;
  }

  const operator_list& list_;
  std::size_t outputs_;
  std::size_t output_elements_[operator_list::capacity]{};
  data_flow flow_;
  std::uint32_t uses_[data_flow::max_values]{};
  std::size_t steps_ = 0;
};

}  // namespace executorch_demo
