// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators that the demo backends of ExecuTorch list as text in their processed bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace executorch_demo {

enum class operation : std::uint8_t { add, sub, mul, mm, linear, sin, cos };

/// An operator of a list.
struct listed_operator {
  operation what = operation::add;
  std::size_t elements = 0;  ///< of its result; 0 if the text does not state it
  std::int64_t debug_identifier = -1;
};

enum class text_state : std::uint8_t { valid, damaged, version_mismatch, unsupported, without_constants };

/// The operators of processed bytes, in execution order.
struct operator_list {
  static constexpr std::size_t capacity = 8;
  listed_operator operators[capacity];
  std::size_t size = 0;
  text_state state = text_state::valid;
  std::int64_t failed = -1;  ///< the debug identifier of an unsupported operator
};

namespace detail {

constexpr std::string_view names[] = {"aten.add.Tensor",     "aten.sub.Tensor",  "aten.mul.Tensor", "aten.mm.default",
                                      "aten.linear.default", "aten.sin.default", "aten.cos.default"};

/// A reader of a text from left to right. After a text that is missing, `ok` is false.
struct scanner {
  std::string_view unread;
  bool ok = true;

  /// Removes `text` from the beginning.
  constexpr void expect(std::string_view text) {
    ok = ok && unread.starts_with(text);
    if (ok) unread.remove_prefix(text.size());
  }
  /// Removes and returns the text before `end`, and removes `end`.
  constexpr auto before(std::string_view end) -> std::string_view {
    const auto at = unread.find(end);
    ok = ok && at != std::string_view::npos;
    if (!ok) return {};
    const auto text = unread.substr(0, at);
    unread.remove_prefix(at + end.size());
    return text;
  }
  /// Removes and returns a number without a sign.
  constexpr auto number() -> std::int64_t {
    std::int64_t value = 0;
    std::size_t digits = 0;
    while (digits < unread.size() && digits < 9 && unread[digits] >= '0' && unread[digits] <= '9')
      value = 10 * value + (unread[digits++] - '0');
    ok = ok && digits != 0;
    unread.remove_prefix(digits);
    return value;
  }
};

constexpr void append(operator_list& list, std::string_view name, std::size_t elements, std::int64_t identifier) {
  const auto* const position = std::find(std::begin(names), std::end(names), name);
  if (position == std::end(names) || list.size == operator_list::capacity) {
    if (list.state == text_state::valid) list.failed = identifier;
    list.state = text_state::unsupported;
    return;
  }
  list.operators[list.size++] = {static_cast<operation>(position - std::begin(names)), elements, identifier};
}

}  // namespace detail

/// Reads the text of `BackendWithCompilerDemo`: `2version:0#op:demo::aten.mm.default, numel:4, dtype:torch.float32<debug_handle>1#...`.
constexpr auto read_compiler_text(std::string_view text) -> operator_list {
  operator_list list;
  detail::scanner in{text};
  const auto count = in.number();
  in.expect("version:");
  const auto version = in.number();
  in.expect("#");
  for (std::int64_t i = 0; i < count && in.ok && version == 0; ++i) {
    in.expect("op:demo::");
    const auto name = in.before(", numel:");
    const auto elements = in.number();
    in.expect(", dtype:");
    const auto type = in.before("<debug_handle>");
    const auto identifier = in.number();
    in.expect("#");
    if (in.ok) detail::append(list, type == "torch.float32" ? name : std::string_view{}, static_cast<std::size_t>(elements), identifier);
  }
  if (version != 0) list.state = text_state::version_mismatch;
  if (!in.ok || (version == 0 && !in.unread.empty())) list.state = text_state::damaged;
  return list;
}

/// Reads the text of `FirstBackendWithPreprocessAll` and `SecondBackendWithPreprocessAll`, which begins with the id of the backend:
/// `FirstBackendWithPreprocessAll#7#aten.add.Tensor:aten.sin.default:#add:b'\x00';sin:b'\x01';`. A constant is stated by its name alone.
constexpr auto read_preprocess_all_text(std::string_view text, std::string_view id) -> operator_list {
  operator_list list;
  detail::scanner in{text};
  in.expect(id);
  in.expect("#");
  static_cast<void>(in.number());  // the operators of all methods
  in.expect("#");
  detail::scanner items{in.before("#")};
  bool has_constants = false;
  while (items.ok && !items.unread.empty()) {
    const auto item = items.before(":");
    has_constants = has_constants || item.starts_with("CONST");
    if (items.ok && !item.starts_with("CONST")) detail::append(list, item, 0, -1);
  }
  if (has_constants && list.state == text_state::valid) list.state = text_state::without_constants;
  if (!in.ok || !items.ok) list.state = text_state::damaged;
  return list;
}

}  // namespace executorch_demo
