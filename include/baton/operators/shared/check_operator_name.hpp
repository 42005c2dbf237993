// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether an operator's name can be that of an operator, and what a misspelt one may have meant.
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

/// Edit distances of texts (V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals, 1966), as far as
/// they are below a bound: then only the cells beside the diagonal count.
class edit_distance {
 public:
  constexpr explicit edit_distance(std::string_view text) : text_(text), above_(text.size() + 1, 0), row_(text.size() + 1, 0) {}

  /// The distance to another text, or the bound if it is not below it.
  constexpr auto to(std::string_view other, std::size_t bound) -> std::size_t {
    const auto size = text_.size();
    if (bound == 0 || std::max(size, other.size()) - std::min(size, other.size()) >= bound) return bound;
    for (std::size_t j = 0; j <= size; ++j) above_[j] = std::min(j, bound);
    for (std::size_t i = 1; i <= other.size(); ++i) {
      const auto first = i < bound ? 1 : i - bound + 1;
      const auto last = std::min(size, i + bound - 1);
      row_[first - 1] = first == 1 ? std::min(i, bound) : bound;
      auto least = row_[first - 1];
      for (std::size_t j = first; j <= last; ++j) {
        row_[j] = std::min({above_[j - 1] + (text_[j - 1] == other[i - 1] ? 0 : 1), above_[j] + 1, row_[j - 1] + 1, bound});
        least = std::min(least, row_[j]);
      }
      if (last < size) row_[last + 1] = bound;
      if (least == bound) return bound;
      std::swap(above_, row_);
    }
    return above_[size];
  }

 private:
  std::string_view text_;
  vector<std::size_t> above_;
  vector<std::size_t> row_;
};

}  // namespace detail

namespace tflite::detail {

/// The builtin operator whose name is nearest to this one, empty if none is near: up to five edits, and no more
/// than half as many as it has characters.
constexpr auto nearest_operator(std::string_view name) -> std::string_view {
  const auto own = name.substr(operator_prefix.size());
  auto bound = std::min(own.size() / 2, std::size_t{5}) + 1;
  std::string_view nearest;
  baton::detail::edit_distance distance(own);
  for (const auto& candidate : operator_names) {
    if (candidate.text == "tfl.custom") continue;  // which stands for all custom ones
    const auto steps = distance.to(candidate.text.substr(operator_prefix.size()), bound);
    if (steps == bound) continue;
    bound = steps;
    nearest = candidate.text;
  }
  return nearest;
}

/// Returns the name of a builtin operator from its spelling in the file format, such as `CONV_2D`; empty if it is no such spelling.
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

/// Whether an operator's name can be that of an operator: in the namespaces that are known (`tfl.`) it must stand in their table; in all
/// others any name may be an operator, for operators are an open set. Errors: `unknown_operator`, with the nearest name that there is, and
/// `operator_without_namespace`, for the spelling of the file format.
constexpr auto check_operator_name(std::string_view name) -> failure {
  if (const auto meant = tflite::detail::operator_of_file_format(name); !meant.empty()) {
    auto why = broken<"operator_without_namespace">("write ", view(meant));
    why.op = join(name);
    return why;
  }
  if (!name.starts_with(tflite::operator_prefix) || tflite::detail::is_operator_name(name)) return {};
  auto why = broken<"unknown_operator">();
  const auto own = name.substr(tflite::operator_prefix.size());
  const bool is_custom = own.empty() || own.starts_with("custom");
  const auto nearest = is_custom ? std::string_view{} : tflite::detail::nearest_operator(name);
  if (!nearest.empty()) why.reason = join("the nearest is ", nearest, "; ");
  append(append(why.reason, "a custom operator is named "), tflite::custom_operator_prefix);
  append(why.reason, is_custom ? std::string_view{"CODE"} : own);
  why.op = join(name);
  return why;
}

/// Stops the compiler with a sentence if a name that stands in the source can be that of no operator. True, so that as a constraint it
/// speaks where the name is written, and what was said stands alone.
template <fixed_string Name>
consteval auto require_operator_name() -> bool {
  constexpr static_failure why{check_operator_name(Name)};
  require_unbroken<why>();
  return true;
}

}  // namespace baton
