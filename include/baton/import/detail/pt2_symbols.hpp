// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Symbolic sizes of torch.export: symbols with values and ranges, and expressions of symbols.
#pragma once

#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// A symbol of the program, with the range that the file states.
struct size_symbol {
  std::string_view name;
  std::int64_t min = 0;
  std::int64_t max = INT64_MAX;
  std::int64_t value = -1;  ///< -1 if the value is unknown
};

/// The value of an expression. If the value is not known, `unknown` is the name of a symbol without a value, or the unsupported part of the
/// expression.
struct size_value {
  bool is_known = false;
  bool is_symbol = false;  ///< whether `unknown` is the name of a symbol
  std::int64_t number = 0;
  std::string_view unknown{};
};

/// The symbols of a program.
class symbol_table {
 public:
  /// Returns the symbol with this name. Adds the symbol if the name is new. O(symbols).
  constexpr auto operator[](std::string_view name) -> size_symbol& {
    for (auto& each : symbols_) {
      if (each.name == name) return each;
    }
    symbols_.push_back({.name = name});
    return symbols_.back();
  }
  constexpr auto find(std::string_view name) const -> const size_symbol* {
    for (const auto& each : symbols_) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }
  constexpr auto size() const -> std::size_t { return symbols_.size(); }

 private:
  vector<size_symbol> symbols_;
};

/// Returns the name of the symbol if an expression is a single symbol, otherwise an empty text.
constexpr auto single_symbol(std::string_view text) -> std::string_view {
  constexpr std::string_view constructor{"Symbol('"};
  if (text.starts_with(constructor)) {
    text.remove_prefix(constructor.size());
    const auto end = text.find('\'');
    const auto close = end == std::string_view::npos ? end : text.find(')', end);
    return close != std::string_view::npos && close + 1 == text.size() ? text.substr(0, end) : std::string_view{};
  }
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!is_letter && (c < '0' || c > '9' || &c == text.data())) return {};
  }
  return text;
}

/// An evaluator of size expressions, either as SymPy prints them (`2*s77 + 1`) or with constructors (`Add(Mul(Integer(2), Symbol('s77',
/// positive=True, integer=True)), Integer(1))`).
class size_expression {
 public:
  constexpr size_expression(std::string_view text, const symbol_table& symbols) : text_(text), symbols_(symbols) {}

  constexpr auto run() -> size_value {
    const auto number = sum(0);
    if (!failed_ && peek() != '\0') fail(text_.substr(at_));
    return failed_ ? size_value{false, is_symbol_, 0, unknown_} : size_value{true, false, number, {}};
  }

 private:
  /// The maximum nesting of an expression. It bounds the recursion.
  static constexpr std::uint32_t max_depth = 32;

  constexpr auto fail(std::string_view unknown, bool is_symbol = false) -> std::int64_t {
    if (!failed_) unknown_ = unknown, is_symbol_ = is_symbol;
    failed_ = true;
    return 0;
  }
  constexpr auto peek() -> char {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  constexpr auto take(std::string_view token) -> bool {
    peek();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  static constexpr auto is_letter(char c) -> bool { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static constexpr auto is_digit(char c) -> bool { return c >= '0' && c <= '9'; }

  constexpr auto add(std::int64_t a, std::int64_t b) -> std::int64_t {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? fail(text_) : result;
  }
  constexpr auto multiply(std::int64_t a, std::int64_t b) -> std::int64_t {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? fail(text_) : result;
  }
  constexpr auto floor_quotient(std::int64_t a, std::int64_t b) -> std::int64_t {
    if (b == 0 || (b == -1 && a == INT64_MIN)) return fail(text_);
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }
  constexpr auto remainder(std::int64_t a, std::int64_t b) -> std::int64_t {
    if (b == 0 || b == -1) return b == 0 ? fail(text_) : 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
  }
  /// Returns the quotient. Fails if the division has a remainder.
  constexpr auto exact_quotient(std::int64_t a, std::int64_t b) -> std::int64_t {
    const auto result = floor_quotient(a, b);
    return failed_ || remainder(a, b) == 0 ? result : fail(text_);
  }

  constexpr auto sum(std::uint32_t depth) -> std::int64_t {
    auto result = product(depth);
    while (!failed_) {
      if (take("+")) {
        result = add(result, product(depth));
      } else if (take("-")) {
        result = add(result, multiply(-1, product(depth)));
      } else {
        break;
      }
    }
    return result;
  }
  constexpr auto product(std::uint32_t depth) -> std::int64_t {
    auto result = factor(depth);
    while (!failed_) {
      if (take("**")) {
        return fail("**");
      } else if (take("*")) {
        result = multiply(result, factor(depth));
      } else if (take("//")) {
        result = floor_quotient(result, factor(depth));
      } else if (take("/")) {
        result = exact_quotient(result, factor(depth));
      } else if (take("%")) {
        result = remainder(result, factor(depth));
      } else {
        break;
      }
    }
    return result;
  }
  constexpr auto factor(std::uint32_t depth) -> std::int64_t {
    if (depth == max_depth) return fail("an expression that is nested too deeply");
    const char next = peek();
    if (take("-")) return multiply(-1, factor(depth + 1));
    if (take("(")) {
      const auto result = sum(depth + 1);
      return take(")") ? result : fail(text_);
    }
    if (is_digit(next)) return integer();
    if (!is_letter(next)) return fail(text_);
    const auto first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const auto name = text_.substr(first, at_ - first);
    return take("(") ? call(name, depth + 1) : symbol(name);
  }
  constexpr auto integer() -> std::int64_t {
    std::int64_t number = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) number = add(multiply(10, number), text_[at_] - '0');
    return number;
  }
  constexpr auto symbol(std::string_view name) -> std::int64_t {
    const auto* match = symbols_.find(name);
    return match == nullptr || match->value < 0 ? fail(name, true) : match->value;
  }
  /// Reads the arguments of the function `name`, and returns the value of the function.
  constexpr auto call(std::string_view name, std::uint32_t depth) -> std::int64_t {
    if (name == "Symbol") {
      if (!take("'")) return fail(text_);
      const auto end = text_.find('\'', at_);
      const auto close = end == std::string_view::npos ? end : text_.find(')', end);
      if (close == std::string_view::npos) return fail(text_);
      const auto quoted = text_.substr(at_, end - at_);
      at_ = close + 1;
      return symbol(quoted);
    }
    vector<std::int64_t> arguments;
    do {
      arguments.push_back(sum(depth));
    } while (!failed_ && take(","));
    if (failed_ || !take(")")) return fail(text_);
    auto result = arguments[0];
    const bool is_pair = arguments.size() == 2;
    if (name == "Integer" && arguments.size() == 1) return result;
    if (is_pair && name == "FloorDiv") return floor_quotient(result, arguments[1]);
    if (is_pair && name == "CleanDiv") return exact_quotient(result, arguments[1]);
    if (is_pair && (name == "Mod" || name == "PythonMod")) return remainder(result, arguments[1]);
    if (name != "Add" && name != "Mul" && name != "Max" && name != "Min") return fail(name);
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const auto each = arguments[i];
      result = name == "Add"   ? add(result, each)
               : name == "Mul" ? multiply(result, each)
               : name == "Max" ? std::max(result, each)
                               : std::min(result, each);
    }
    return result;
  }

  std::string_view text_;
  const symbol_table& symbols_;
  std::size_t at_ = 0;
  bool failed_ = false;
  bool is_symbol_ = false;
  std::string_view unknown_{};
};

}  // namespace baton::pt2::detail
