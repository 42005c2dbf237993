// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices, with broadcast batches, by multi-dimensional indices and exact sums.
#pragma once

#include <cstddef>
#include <vector>

namespace reference {

/// An element of a tensor at an index that may have more dimensions; those in front are cut, and where a size is 1 the index is 0.
inline auto element_at(const std::vector<double>& x, const std::vector<int>& shape, const std::vector<int>& index) -> double {
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto i = index[index.size() - shape.size() + d];
    at = at * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(shape[d] == 1 ? 0 : i);
  }
  return x[at];
}

/// The sums, exact where the operands are whole numbers, for an output of that shape.
inline auto batch_matmul(const std::vector<double>& left, const std::vector<int>& left_shape, bool turns_left,
                         const std::vector<double>& right, const std::vector<int>& right_shape, bool turns_right,
                         const std::vector<int>& out_shape) -> std::vector<double> {
  std::vector<double> made;
  const auto depth = left_shape[left_shape.size() - (turns_left ? 2 : 1)];
  std::vector<int> index(out_shape.size());
  const auto rank = index.size();
  for (;;) {
    double sum = 0;
    for (int k = 0; k < depth; ++k) {
      auto of_left = index;
      auto of_right = index;
      of_left[rank - 2] = turns_left ? k : index[rank - 2];
      of_left[rank - 1] = turns_left ? index[rank - 2] : k;
      of_right[rank - 2] = turns_right ? index[rank - 1] : k;
      of_right[rank - 1] = turns_right ? k : index[rank - 1];
      sum += element_at(left, left_shape, of_left) * element_at(right, right_shape, of_right);
    }
    made.push_back(sum);
    auto d = rank;
    while (d > 0 && ++index[d - 1] == out_shape[d - 1]) index[--d] = 0;
    if (d == 0) return made;
  }
}

}  // namespace reference
