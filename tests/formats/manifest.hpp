// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the manifests of the shared formats: JSON as printed by their generators.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace formats {

/// Returns the value of the first key with this name, as text. Returns an empty text if there is none.
inline auto json_at(std::string_view text, const std::string& key) -> std::string_view {
  const auto label = "\"" + key + "\": ";
  const auto at = text.find(label);
  if (at == std::string_view::npos) return {};
  const auto value = text.substr(at + label.size());
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '"') in_text = !in_text;
    if (in_text) continue;
    if (value[i] == '[' || value[i] == '{') ++depth;
    const bool is_end = value[i] == ']' || value[i] == '}';
    if (is_end && depth == 0) return value.substr(0, i);
    if (is_end && --depth == 0) return value.substr(0, i + 1);
    if (depth == 0 && (value[i] == ',' || value[i] == '\n')) return value.substr(0, i);
  }
  return value;
}

/// Returns the items of a list or an object, each as text.
inline auto items_of(std::string_view list) -> std::vector<std::string_view> {
  std::vector<std::string_view> items;
  int depth = 0;
  bool in_text = false;
  std::size_t first = 1;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '"') in_text = !in_text;
    if (in_text) continue;
    if (list[i] == '[' || list[i] == '{') ++depth;
    if (list[i] == ']' || list[i] == '}') --depth;
    if (!(depth == 1 && list[i] == ',') && !(depth == 0 && i > first)) continue;
    auto item = list.substr(first, i - first);
    while (!item.empty() && (item[0] == ' ' || item[0] == '\n')) item.remove_prefix(1);
    if (!item.empty()) items.push_back(item);
    first = i + 1;
  }
  return items;
}

inline auto unquoted(std::string_view text) -> std::string_view { return text.substr(1, text.size() - 2); }

/// Returns the number at a key, or `absent`.
inline auto number_at(std::string_view text, const std::string& key, double absent) -> double {
  const auto number = json_at(text, key);
  return number.empty() ? absent : std::stod(std::string(number));
}

}  // namespace formats
