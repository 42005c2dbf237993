// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// JSON texts as trees: read, changed and written again.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace formats {

/// A value. Strings are kept with their escapes.
struct json_tree {
  enum class kind { object, list, text, scalar };

  kind type = kind::scalar;
  std::string key{};    ///< of a member of an object
  std::string value{};  ///< of a text or a scalar
  std::vector<json_tree> items{};

  /// Returns the member with this key, or null.
  auto find(std::string_view name) const -> const json_tree* {
    for (const auto& each : items) {
      if (each.key == name) return &each;
    }
    return nullptr;
  }
  auto at(std::string_view name) const -> const json_tree& {
    const auto* item = find(name);
    if (item == nullptr) throw std::out_of_range(std::string(name));
    return *item;
  }
  auto number() const -> long long { return std::stoll(value); }
};

class json_parser {
 public:
  explicit json_parser(std::string_view text) : text_(text) {}

  auto run() -> json_tree {
    json_tree tree;
    const char c = next();
    if (c == '{' || c == '[') {
      tree.type = c == '{' ? json_tree::kind::object : json_tree::kind::list;
      ++at_;
      while (next() != '}' && next() != ']') {
        std::string key;
        if (tree.type == json_tree::kind::object) key = string(), next(), ++at_;
        tree.items.push_back(run());
        tree.items.back().key = key;
        if (next() == ',') ++at_;
      }
      ++at_;
    } else if (c == '"') {
      tree.type = json_tree::kind::text;
      tree.value = string();
    } else {
      const auto end = text_.find_first_of(",}] \n", at_);
      tree.value = std::string(text_.substr(at_, end - at_));
      at_ = end;
    }
    return tree;
  }

 private:
  auto next() -> char {
    while (text_.at(at_) == ' ' || text_[at_] == '\n') ++at_;
    return text_[at_];
  }
  auto string() -> std::string {
    next();
    const auto first = ++at_;
    while (text_.at(at_) != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    return std::string(text_.substr(first, at_++ - first));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline auto json_tree_of(std::string_view text) -> json_tree { return json_parser(text).run(); }

inline void append_json(std::string& to, const json_tree& tree) {
  if (tree.type == json_tree::kind::scalar) {
    to += tree.value;
  } else if (tree.type == json_tree::kind::text) {
    to += '"' + tree.value + '"';
  } else {
    const bool is_object = tree.type == json_tree::kind::object;
    to += is_object ? '{' : '[';
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      if (i != 0) to += ", ";
      if (is_object) to += '"' + tree.items[i].key + "\": ";
      append_json(to, tree.items[i]);
    }
    to += is_object ? '}' : ']';
  }
}

}  // namespace formats
