// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Merging of reasons that differ only in numbers.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace baton::report {

/// A text that is split into words and numbers. A number is a word of digits, optionally with a minus sign, a decimal point, or punctuation
/// around it. Digits in names (`int8`, `conv_2d`) are not numbers.
struct reason_form {
  text_buffer words;            ///< the text, with a zero byte in place of each number
  vector<text_buffer> numbers;  ///< in the order of the text
};

namespace detail {

/// Returns the number that a word consists of, without surrounding punctuation. Returns an empty text if the word is not a number.
constexpr auto number_in(std::string_view word) -> std::string_view {
  while (!word.empty() && (word.front() == '(' || word.front() == '[')) word.remove_prefix(1);
  while (!word.empty() && std::string_view{",.;:)]"}.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  std::size_t points = 0;
  for (std::size_t i = word.starts_with('-') ? 1 : 0; i < word.size(); ++i) {
    points += word[i] == '.' ? 1u : 0u;
    if (word[i] != '.' && (word[i] < '0' || word[i] > '9')) return {};
  }
  return points > 1 || word == "-" || word == "." ? std::string_view{} : word;
}

/// True if `a` is less than `b`. Compares the signs, then the count of digits before the decimal point, then the digits. For two negative
/// numbers, the order is reversed.
constexpr auto is_less_number(std::string_view a, std::string_view b) -> bool {
  if (a.starts_with('-') != b.starts_with('-')) return a.starts_with('-');
  if (a.starts_with('-')) return is_less_number(b.substr(1), a.substr(1));
  const auto whole_a = std::min(a.find('.'), a.size());
  const auto whole_b = std::min(b.find('.'), b.size());
  return whole_a != whole_b ? whole_a < whole_b : a < b;
}

}  // namespace detail

/// Splits a text into words and numbers.
constexpr auto form_of(std::string_view text) -> reason_form {
  reason_form form;
  while (!text.empty()) {
    const auto word = text.substr(0, std::min(text.find(' '), text.size() - 1) + 1);
    text.remove_prefix(word.size());
    const auto number = detail::number_in(word.ends_with(' ') ? word.substr(0, word.size() - 1) : word);
    if (number.empty()) {
      append(form.words, word);
      continue;
    }
    const auto at = static_cast<std::size_t>(number.data() - word.data());
    append(form.words, word.substr(0, at));
    form.words.push_back('\0');
    append(form.words, word.substr(at + number.size()));
    form.numbers.push_back(join(number));
  }
  return form;
}

/// Texts that differ only in numbers, merged into one text: `filter is not a constant of 216 to 73728 bytes`, `the operator has 2 or 5
/// outputs`.
class alike_reasons {
 public:
  constexpr explicit alike_reasons(const reason_form& first) : words_(first.words) {
    for (std::size_t i = 0; i < first.numbers.size(); ++i) numbers_.emplace_back();
  }

  /// Adds a text. `words` of this text and of the first text must be equal.
  constexpr void add(const reason_form& form) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i].push_back(form.numbers[i]);
  }
  /// Returns the distinct numbers at each position, in ascending order.
  constexpr auto numbers() -> vector<vector<text_buffer>> {
    for (auto& column : numbers_) {
      sort(column.begin(), column.end(),
           [](const text_buffer& a, const text_buffer& b) { return detail::is_less_number(view(a), view(b)); });
      column.erase(std::unique(column.begin(), column.end()), column.end());
    }
    return numbers_;
  }
  /// Returns the merged text. If the numbers at a position differ, the text has the smallest and the largest of these numbers.
  constexpr auto text() -> text_buffer {
    const auto all = numbers();
    text_buffer merged;
    std::size_t column = 0;
    for (const char c : words_) {
      if (c != '\0') {
        merged.push_back(c);
        continue;
      }
      const auto& choices = all[column++];
      append(merged, view(choices.front()));
      if (choices.size() > 1) append(append(merged, choices.size() == 2 ? " or " : " to "), view(choices.back()));
    }
    return merged;
  }

 private:
  text_buffer words_;
  vector<vector<text_buffer>> numbers_;
};

}  // namespace baton::report
