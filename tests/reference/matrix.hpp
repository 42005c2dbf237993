// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Matrix products with broadcast batches, by multi-dimensional indices and exact sums.
#pragma once

#include <cstddef>
#include <vector>

namespace reference {

/// Returns the element of a tensor at an index that may have more dimensions. Leading dimensions are ignored, and the index is 0 if a size
/// is 1.
inline auto element_at(const std::vector<double>& x, const std::vector<int>& shape, const std::vector<int>& index) -> double {
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto i = index[index.size() - shape.size() + d];
    at = at * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(shape[d] == 1 ? 0 : i);
  }
  return x[at];
}

/// Returns the sums for an output of this shape. They are exact if the operands are integers.
inline auto batch_matmul(const std::vector<double>& left, const std::vector<int>& left_shape, bool transposes_left,
                         const std::vector<double>& right, const std::vector<int>& right_shape, bool transposes_right,
                         const std::vector<int>& out_shape) -> std::vector<double> {
  std::vector<double> sums;
  const auto depth = left_shape[left_shape.size() - (transposes_left ? 2 : 1)];
  std::vector<int> index(out_shape.size());
  const auto rank = index.size();
  for (;;) {
    double sum = 0;
    for (int k = 0; k < depth; ++k) {
      auto left_index = index;
      auto right_index = index;
      left_index[rank - 2] = transposes_left ? k : index[rank - 2];
      left_index[rank - 1] = transposes_left ? index[rank - 2] : k;
      right_index[rank - 2] = transposes_right ? index[rank - 1] : k;
      right_index[rank - 1] = transposes_right ? k : index[rank - 1];
      sum += element_at(left, left_shape, left_index) * element_at(right, right_shape, right_index);
    }
    sums.push_back(sum);
    auto d = rank;
    while (d > 0 && ++index[d - 1] == out_shape[d - 1]) index[--d] = 0;
    if (d == 0) return sums;
  }
}

}  // namespace reference
