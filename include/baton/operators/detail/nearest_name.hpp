// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A search for the name that is most similar to a misspelled name.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A computation of edit distances between `text` and other texts (V. I. Levenshtein, Binary codes capable of correcting deletions,
/// insertions, and reversals, 1966). The distances have an upper bound, so only the cells near the diagonal of the matrix are computed.
class edit_distance {
 public:
  constexpr explicit edit_distance(std::string_view text) : text_(text), previous_row_(text.size() + 1, 0), row_(text.size() + 1, 0) {}

  /// Returns the edit distance to `other`, or `bound` if the distance is at least `bound`.
  constexpr auto to(std::string_view other, std::size_t bound) -> std::size_t {
    const auto size = text_.size();
    if (bound == 0 || std::max(size, other.size()) - std::min(size, other.size()) >= bound) return bound;
    for (std::size_t j = 0; j <= size; ++j) previous_row_[j] = std::min(j, bound);
    for (std::size_t i = 1; i <= other.size(); ++i) {
      const auto first = i < bound ? 1 : i - bound + 1;
      const auto last = std::min(size, i + bound - 1);
      row_[first - 1] = first == 1 ? std::min(i, bound) : bound;
      auto row_minimum = row_[first - 1];
      for (std::size_t j = first; j <= last; ++j) {
        row_[j] = std::min({previous_row_[j - 1] + (text_[j - 1] == other[i - 1] ? 0 : 1), previous_row_[j] + 1, row_[j - 1] + 1, bound});
        row_minimum = std::min(row_minimum, row_[j]);
      }
      if (last < size) row_[last + 1] = bound;
      if (row_minimum == bound) return bound;
      std::swap(previous_row_, row_);
    }
    return previous_row_[size];
  }

 private:
  std::string_view text_;
  vector<std::size_t> previous_row_;
  vector<std::size_t> row_;
};

/// Returns the lower case of a letter, and any other character unchanged.
constexpr auto lower_case(char c) -> char { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns `text` in lower case and without underscores.
constexpr auto plain_name(std::string_view text) -> text_buffer {
  text_buffer plain;
  for (const char c : text) {
    if (c != '_') plain.push_back(lower_case(c));
  }
  return plain;
}

/// A search in lists of names. The distance of two names is the edit distance of their plain names (`plain_name`).
class nearest_name {
 public:
  /// Constructs a search that finds only names whose distance to `name` is less than `bound`.
  constexpr nearest_name(std::string_view name, std::size_t bound)
      : plain_(plain_name(name)),
        distance_(view(plain_)),
        bound_(bound),
        first_(plain_.empty() ? '\0' : plain_[0]),
        second_(plain_.size() < 2 ? '\0' : plain_[1]) {}

  /// Compares `candidate` with the name. If `candidate` is the nearest so far, `nearest` returns `result`.
  constexpr void offer(std::string_view candidate, std::string_view result) {
    if (bound_ == 0 || !may_be_near(candidate.data(), candidate.size())) return;
    const auto steps = distance_.to(view(plain_name(candidate)), bound_);
    if (steps == bound_) return;
    bound_ = steps;
    nearest_ = result;
  }
  /// Returns false only if `offer` would reject `candidate` and each prefix of `candidate`. `candidate` has `size` characters. Rejects most
  /// candidates in a few steps of a constant expression.
  constexpr auto may_be_near(const char* candidate, std::size_t size) const -> bool {
    if (size + bound_ <= plain_.size()) return false;
    if (bound_ > 2 || plain_.size() < 2 || size < 2 || candidate[0] == '_' || candidate[1] == '_') return true;
    const auto first = lower_case(candidate[0]);
    if (first == first_) return true;
    return bound_ == 2 && (first == second_ || lower_case(candidate[1]) == first_ || lower_case(candidate[1]) == second_);
  }
  /// Returns the `result` that was offered with the nearest candidate. If several candidates are equally near, the first of them counts.
  /// Returns an empty text if no candidate is near.
  constexpr auto nearest() const -> std::string_view { return nearest_; }

 private:
  text_buffer plain_;
  edit_distance distance_;
  std::size_t bound_;
  char first_;
  char second_;
  std::string_view nearest_;
};

}  // namespace baton::detail
