// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes FlexBuffers: maps of integers and flags, like the options of custom operators.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace reference {

struct flex_option {
  std::string_view key;
  std::int64_t number;
  bool is_flag = false;
};

/// Returns the bytes of a map. The keys must be sorted; each number has 4 bytes.
constexpr auto flex_map(std::initializer_list<flex_option> options) -> baton::vector<char> {
  baton::vector<char> bytes;
  const auto put = [&bytes](std::uint64_t number) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(number >> 8 * i));
  };
  baton::vector<std::size_t> keys;
  for (const auto& option : options) {
    keys.push_back(bytes.size());
    for (const auto letter : option.key) bytes.push_back(letter);
    bytes.push_back('\0');
  }
  put(options.size());
  const auto keys_at = bytes.size();
  for (const auto key : keys) put(bytes.size() - key);
  put(bytes.size() - keys_at);
  put(4);  // the width of an element of the key vector
  put(options.size());
  const auto map_at = bytes.size();
  for (const auto& option : options) put(static_cast<std::uint64_t>(option.number));
  for (const auto& option : options) bytes.push_back(static_cast<char>((option.is_flag ? 26 : 1) << 2 | 2));
  put(bytes.size() - map_at);
  bytes.push_back(9 << 2 | 2);
  bytes.push_back(4);
  return bytes;
}

/// Returns a node attribute with these bytes, which must outlive it.
constexpr auto flex_attribute(const baton::vector<char>& bytes) -> baton::named_literal {
  baton::named_literal attribute{"custom_options", ""};
  attribute.kind = baton::attribute_kind::bytes;
  attribute.text = {bytes.data(), bytes.size()};
  return attribute;
}

}  // namespace reference
