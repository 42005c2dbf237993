// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes FlexBuffers: a map of integers and flags, as the options of custom operators are.
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

/// The bytes of a map, the keys of which are given in their order; every number takes 4 bytes.
constexpr auto flex_map(std::initializer_list<flex_option> options) -> baton::vector<char> {
  baton::vector<char> made;
  const auto put = [&made](std::uint64_t number) {
    for (int i = 0; i < 4; ++i) made.push_back(static_cast<char>(number >> 8 * i));
  };
  baton::vector<std::size_t> keys;
  for (const auto& option : options) {
    keys.push_back(made.size());
    for (const auto letter : option.key) made.push_back(letter);
    made.push_back('\0');
  }
  put(options.size());
  const auto keys_at = made.size();
  for (const auto key : keys) put(made.size() - key);
  put(made.size() - keys_at);
  put(4);  // the width of what stands there
  put(options.size());
  const auto map_at = made.size();
  for (const auto& option : options) put(static_cast<std::uint64_t>(option.number));
  for (const auto& option : options) made.push_back(static_cast<char>((option.is_flag ? 26 : 1) << 2 | 2));
  put(made.size() - map_at);
  made.push_back(9 << 2 | 2);
  made.push_back(4);
  return made;
}

/// The attribute of a node that holds them, which must outlive it.
constexpr auto flex_attribute(const baton::vector<char>& bytes) -> baton::named_literal {
  baton::named_literal made{"custom_options", ""};
  made.kind = baton::attribute_kind::bytes;
  made.text = {bytes.data(), bytes.size()};
  return made;
}

}  // namespace reference
