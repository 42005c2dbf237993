// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares a program of torch.export, as a plain interpreter of PyTorch's definitions computes it, with the transformed program,
// run by the portable kernels.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>

#include "nodes/interpreter.hpp"
#include "properties/random.hpp"
#include "transform/torch_interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace torch_tests {

/// An integer may differ by one step if it was nearer to a tie before it was rounded, in steps. There, float32 arithmetic decides: PyTorch
/// does not define the order in which it adds numbers, and integer layers multiply sums by exact factors (docs/transform.md). Values that
/// are computed from such an integer are not compared.
inline constexpr double near_tie = 2e-5;
/// Floats differ by at most this part of the largest element of their tensor, or of 1.
inline constexpr double float_tolerance = 1e-5;

struct comparison {
  std::size_t floats = 0, integers = 0;  ///< elements that were compared
  std::size_t off_by_one = 0;            ///< integers near a tie that differ by one step
  std::size_t uncertain = 0;             ///< outputs that are computed from an integer near a tie
  double largest = 0;                    ///< difference of floats, as a part of the largest element
  std::string wrong;
};

inline auto random_inputs(const baton::program_view& program, std::uint64_t seed) -> std::vector<numbers> {
  properties::random_numbers random(seed ^ 0x5eed);
  std::vector<numbers> inputs;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind != baton::value_kind::user_input) continue;
    inputs.emplace_back();
    for (std::int64_t i = 0; i < baton::element_count(program.shape(id)); ++i) {
      inputs.back().push_back(static_cast<double>(static_cast<float>((static_cast<double>(random.below(8001)) - 4000) / 1009)));
    }
  }
  return inputs;
}

/// Compares an output with its bytes. Returns false if integers near a tie differ.
inline auto compare(const baton::program_view& program, baton::value_id id, const interpreter& expected, const char* bytes, comparison& sum)
    -> bool {
  const auto& record = program[id];
  double limit = 1;
  for (const auto x : expected[id]) limit = std::max(limit, std::fabs(x));
  std::size_t different = 0;
  for (std::size_t i = 0; i < expected[id].size(); ++i) {
    const auto actual = number_of(bytes, record.type, i);
    const auto difference = std::fabs(actual - expected[id][i]);
    const bool is_float = record.type == baton::dtype::float32;
    (is_float ? sum.floats : sum.integers) += 1;
    if (is_float) sum.largest = std::max(sum.largest, difference / limit);
    if (is_float ? difference <= float_tolerance * limit : difference == 0) continue;
    ++different;
    if (is_float || difference > 1 || !expected.is_near_tie(id, i, near_tie)) {
      sum.wrong = std::string(program.text(record.name)) + ", element " + std::to_string(i) + ": " + std::to_string(actual) +
                  " in place of " + std::to_string(expected[id][i]);
      return false;
    }
  }
  sum.off_by_one += different;
  return different == 0;
}

/// Runs both programs on random inputs, and compares all outputs. `sum.wrong` gets the first difference that is not allowed.
inline void compare(const baton::program_view& before, const baton::program_view& after, std::uint64_t seed, comparison& sum) {
  const auto inputs = random_inputs(before, seed);
  interpreter expected(before);
  expected.run(inputs);
  nodes::bytes input, output;
  for (const auto& list : inputs) {
    for (const auto number : list) {
      const auto real = static_cast<float>(number);
      const auto* const from = reinterpret_cast<const char*>(&real);
      input.insert(input.end(), from, from + 4);
    }
  }
  sum.wrong = nodes::interpreter(after).run(baton::portable_kernels, input, output);
  if (!sum.wrong.empty()) return;
  std::map<baton::value_id, const char*> outputs;
  std::size_t at = 0;
  for (const auto& spec : before.outputs_of(before.root())) {
    outputs[spec.value] = output.data() + at;
    at += static_cast<std::size_t>(baton::byte_count(before[spec.value].type, before.shape(spec.value)));
  }
  if (at != output.size()) sum.wrong = "outputs of another size";
  std::set<baton::value_id> uncertain;
  for (const auto& record : before.nodes) {
    bool is_uncertain = false;
    for (const auto id : before.inputs(record)) is_uncertain = is_uncertain || uncertain.contains(id);
    for (const auto id : before.outputs_of(record)) {
      const auto entry = outputs.find(id);
      bool is_sure = !is_uncertain;
      if (entry == outputs.end()) is_sure = is_sure && !expected.is_near_tie(id, near_tie);
      if (entry != outputs.end() && is_sure && sum.wrong.empty()) is_sure = compare(before, id, expected, entry->second, sum);
      if (entry != outputs.end() && is_uncertain) ++sum.uncertain;
      if (!is_sure) uncertain.insert(id);
    }
  }
}

}  // namespace torch_tests
