// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A check of operator names that suggests a correction for a misspelled name.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/operator_names.hpp>
#include <baton/operators/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// A computation of edit distances between `text` and other texts (V. I. Levenshtein, Binary codes capable of correcting deletions,
/// insertions, and reversals, 1966). The distances have an upper bound, so only the cells near the diagonal of the matrix are computed.
class edit_distance {
 public:
  constexpr explicit edit_distance(std::string_view text) : text_(text), previous_row_(text.size() + 1, 0), row_(text.size() + 1, 0) {}

  /// Returns the distance to `other`, or `bound` if the distance is at least `bound`.
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

}  // namespace detail

namespace tflite::detail {

/// Returns the name of the builtin operator that is nearest to `name`, or an empty view if none is near. A name is near if its edit
/// distance is at most 5, and at most half the length of `name` without the prefix `tfl.`.
constexpr auto nearest_operator(std::string_view name) -> std::string_view {
  const auto suffix = name.substr(operator_prefix.size());
  auto bound = std::min(suffix.size() / 2, std::size_t{5}) + 1;
  std::string_view nearest;
  baton::detail::edit_distance distance(suffix);
  for (const auto& candidate : operator_names) {
    if (candidate.text == "tfl.custom") continue;  // the builtin operator code that all custom operators share
    const auto steps = distance.to(candidate.text.substr(operator_prefix.size()), bound);
    if (steps == bound) continue;
    bound = steps;
    nearest = candidate.text;
  }
  return nearest;
}

/// Returns the name of a builtin operator from its spelling in the file format, such as `CONV_2D`. Returns an empty text if no builtin
/// operator has this spelling.
constexpr auto operator_of_file_format(std::string_view spelling) -> text_buffer {
  auto name = join(operator_prefix);
  for (const char c : spelling) {
    if (c >= 'a' && c <= 'z') return {};
    name.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  if (!is_operator_name(baton::view(name)) || baton::view(name).starts_with(custom_operator_prefix)) return {};
  return name;
}

}  // namespace tflite::detail

/// Checks the name of an operator. A name with the prefix `tfl.` must be the name of an operator of TensorFlow Lite (`is_operator_name`).
/// Fails with `unknown_operator` for any other name with this prefix, and suggests the nearest name if one is near. Fails with
/// `operator_without_namespace` if the name is spelled as in the file format, such as `CONV_2D`. All other names are valid, because
/// operators are an open set.
constexpr auto check_operator_name(std::string_view name) -> failure {
  if (const auto meant = tflite::detail::operator_of_file_format(name); !meant.empty()) {
    auto why = broken<"operator_without_namespace">("write ", view(meant));
    why.op = join(name);
    return why;
  }
  if (!name.starts_with(tflite::operator_prefix) || tflite::detail::is_operator_name(name)) return {};
  auto why = broken<"unknown_operator">();
  const auto suffix = name.substr(tflite::operator_prefix.size());
  const bool is_custom = suffix.empty() || suffix.starts_with("custom");
  const auto nearest = is_custom ? std::string_view{} : tflite::detail::nearest_operator(name);
  if (!nearest.empty()) why.reason = join("the nearest name is ", nearest, "; ");
  append(append(why.reason, "a custom operator is named "), tflite::custom_operator_prefix);
  append(why.reason, is_custom ? std::string_view{"CODE"} : suffix);
  why.op = join(name);
  return why;
}

/// Reports an error at compile time if `Name` is not a valid operator name (`check_operator_name`). The error is reported where the name is
/// written. Always returns true, so that a constraint does not fail and add a second error.
template <fixed_string Name>
consteval auto require_operator_name() -> bool {
  constexpr static_failure why{check_operator_name(Name)};
  require_no_failure<why>();
  return true;
}

}  // namespace baton
