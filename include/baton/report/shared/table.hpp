// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tables for a terminal: columns of cells, with wrapped words below a row.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/vector.hpp>
#include <baton/report/printable.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton::report {

/// Returns the words of a text. A table can wrap a text between its words.
constexpr auto words_of(std::string_view text) -> vector<text_buffer> {
  vector<text_buffer> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.push_back(printable(text.substr(0, end), line_width));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// A table of cells. A column is as wide as its widest cell, and two spaces precede each column. A heading that begins with `>`
/// right-aligns its column, for numbers. A heading that begins with `|` marks a column with a drawing. If a line exceeds the width, the
/// widest columns with neither mark are narrowed, to at least 12 characters. The cells of narrowed columns are cut at the beginning. Lines
/// below a row contain wrapped words.
class table {
 public:
  constexpr explicit table(std::size_t width, std::initializer_list<std::string_view> heads) : width_(width) {
    rows_.emplace_back();
    for (auto head : heads) {
      kinds_.push_back(head.starts_with('>') || head.starts_with('|') ? head[0] : ' ');
      if (kinds_.back() != ' ') head.remove_prefix(1);
      rows_[0].cells.push_back(join(head));
    }
  }

  /// Adds a row. The width of a column is computed after `printable` has converted its cells.
  constexpr void row(std::initializer_list<text_buffer> cells) {
    rows_.emplace_back();
    for (const auto& cell : cells) rows_.back().cells.push_back(printable(view(cell), cell.size()));
  }
  /// Adds wrapped words below the last row. The words are indented to the second column if the first column is right-aligned, otherwise by
  /// 6 spaces.
  constexpr void below(vector<text_buffer> words) { rows_.back().below.push_back(std::move(words)); }

  /// Returns the title and the table as text.
  constexpr auto print(const text_buffer& title) const -> text_buffer {
    text_buffer text;
    if (title.size() > width_ + 1) {
      print_words(text, words_of(view(title).substr(0, title.size() - 1)), 0);
    } else {
      append(text, view(title));
    }
    vector<std::size_t> widths(kinds_.size(), 0);
    for (const auto& line : rows_) {
      for (std::size_t i = 0; i < line.cells.size(); ++i) widths[i] = std::max(widths[i], line.cells[i].size());
    }
    narrow(widths);
    for (const auto& line : rows_) {
      print_cells(text, line.cells, widths);
      for (const auto& words : line.below) print_words(text, words, kinds_[0] == '>' ? widths[0] + 4 : 6);
    }
    return text;
  }

 private:
  struct entry {
    vector<text_buffer> cells;
    vector<vector<text_buffer>> below;
  };

  constexpr void narrow(vector<std::size_t>& widths) const {
    constexpr std::size_t min_width = 12;
    std::size_t all = 0;
    for (const auto each : widths) all += 2 + each;
    while (all > width_) {
      auto* widest = &widths[0];
      for (std::size_t i = 0; i < widths.size(); ++i) {
        if (kinds_[i] == ' ' && (kinds_[static_cast<std::size_t>(widest - widths.data())] != ' ' || widths[i] >= *widest))
          widest = &widths[i];
      }
      if (kinds_[static_cast<std::size_t>(widest - widths.data())] != ' ' || *widest <= min_width) return;
      --*widest;
      --all;
    }
  }

  static constexpr void pad(text_buffer& text, std::size_t count) { text.resize(text.size() + count, ' '); }

  constexpr void print_cells(text_buffer& text, const vector<text_buffer>& cells, const vector<std::size_t>& widths) const {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto cell = shortened(view(cells[i]), widths[i]);
      const auto room = widths[i] - cell.size();
      pad(text, 2 + (kinds_[i] == '>' ? room : 0));
      append(text, view(cell));
      if (kinds_[i] != '>') pad(text, room);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text.push_back('\n');
  }

  constexpr void print_words(text_buffer& text, const vector<text_buffer>& words, std::size_t indent) const {
    std::size_t column = width_;
    bool is_first = true;
    for (const auto& word : words) {
      const bool breaks = column + 1 + word.size() > width_;
      if (breaks && !is_first) text.push_back('\n');
      pad(text, breaks ? indent : 1);
      append(text, view(word));
      column = (breaks ? indent : column + 1) + word.size();
      is_first = false;
    }
    if (!is_first) text.push_back('\n');
  }

  std::size_t width_;
  vector<entry> rows_;
  vector<char> kinds_;  ///< indexed by column: the mark of the heading: '>', '|' or ' '
};

}  // namespace baton::report
