// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of a row of real numbers: its softmax, the logarithm of that, and the row divided by its length.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace reference {

inline auto log_softmax(const std::vector<double>& row, double beta) -> std::vector<double> {
  double largest = row[0];
  for (const auto x : row) largest = std::fmax(largest, x);
  double sum = 0;
  for (const auto x : row) sum += std::exp((x - largest) * beta);
  std::vector<double> logarithms;
  for (const auto x : row) logarithms.push_back((x - largest) * beta - std::log(sum));
  return logarithms;
}
inline auto softmax(const std::vector<double>& row, double beta) -> std::vector<double> {
  auto probabilities = log_softmax(row, beta);
  for (auto& x : probabilities) x = std::exp(x);
  return probabilities;
}
inline auto divided_by_length(const std::vector<double>& row) -> std::vector<double> {
  double squares = 0;
  for (const auto x : row) squares += x * x;
  auto quotients = row;
  for (auto& x : quotients) x /= std::fmax(std::sqrt(squares), 1e-6);
  return quotients;
}

}  // namespace reference
