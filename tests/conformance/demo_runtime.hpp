// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The run-time half of BackendWithCompilerDemo (R273): it interprets the text in the processed bytes. No heap.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include "conformance/demo_backends.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace conformance {

/// The results of the demo runtime, with the numbers of R242.
enum class demo_code : std::uint8_t { ok = 0x00, not_supported = 0x10, invalid_argument = 0x12, incompatible = 0x30 };

namespace detail {

/// Returns the number at the beginning of a text, or -1 if there is none.
constexpr auto leading_number(std::string_view text) -> std::int64_t {
  if (text.empty() || text[0] < '0' || text[0] > '9') return -1;
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > INT32_MAX) break;
    number = number * 10 + (c - '0');
  }
  return number;
}
/// Return the text after the first `word`, or before it.
constexpr auto after(std::string_view text, std::string_view word) -> std::string_view {
  const auto at = text.find(word);
  return at == text.npos ? std::string_view{} : text.substr(at + word.size());
}
constexpr auto before(std::string_view text, std::string_view word) -> std::string_view { return text.substr(0, text.find(word)); }

}  // namespace detail

/// Returns the result of `init` for processed bytes and the value of the first compile spec, which is the maximum number of elements. The
/// original reads the value as a native int, past the end of a value of one byte; this function reads only its bytes (Q22).
constexpr auto init_demo(std::string_view processed_bytes, std::string_view shape) -> demo_code {
  std::uint32_t max = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(shape.size(), 4); ++i) {
    max |= static_cast<std::uint32_t>(static_cast<unsigned char>(shape[i])) << (8 * i);
  }
  if (static_cast<std::int32_t>(max) > 4) return demo_code::invalid_argument;
  if (detail::leading_number(detail::after(processed_bytes, "version:")) != 0) return demo_code::incompatible;
  if (detail::leading_number(processed_bytes) < 0) return demo_code::invalid_argument;
  return demo_code::ok;
}

/// Runs processed bytes on arguments, inputs first, then outputs; which argument is which is fixed (R273).
class demo_interpreter {
 public:
  constexpr demo_interpreter(baton::span<const baton::span<const char>> inputs, baton::span<const baton::span<char>> outputs)
      : inputs_(inputs),
        outputs_(outputs) {}

  auto run(std::string_view processed_bytes) const -> demo_code {
    const auto count = detail::leading_number(processed_bytes);
    auto unread = detail::after(processed_bytes, "#");
    for (std::int64_t i = 0; i < count; ++i) {
      const auto code = run_instruction(detail::before(unread, "#"));
      if (code != demo_code::ok) return code;
      unread = detail::after(unread, "#");
    }
    return demo_code::ok;
  }

 private:
  auto run_instruction(std::string_view text) const -> demo_code {
    const auto op = detail::before(detail::after(text, "op:demo::"), ",");
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, detail::leading_number(detail::after(text, "numel:"))));
    if (!detail::after(text, "dtype:").starts_with("torch.float32")) return demo_code::not_supported;
    if (op == "aten.add.Tensor") return add(count);
    if (op == "aten.mm.default") return count == 4 ? multiply() : demo_code::not_supported;
    if (op == "aten.sin.default") return sine(count);
    return demo_code::ok;
  }

  auto add(std::size_t count) const -> demo_code {
    if (!holds(2, count) || !is_output(3, count)) return demo_code::invalid_argument;
    for (std::size_t i = 0; i < count; ++i) write(3, i, read(2, i) + read(3, i));
    return demo_code::ok;
  }
  auto multiply() const -> demo_code {
    if (!holds(0, 4) || !holds(1, 4) || !is_output(3, 4)) return demo_code::invalid_argument;
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t column = 0; column < 2; ++column) {
        write(3, 2 * row + column, read(0, 2 * row) * read(1, column) + read(0, 2 * row + 1) * read(1, 2 + column));
      }
    }
    return demo_code::ok;
  }
  auto sine(std::size_t count) const -> demo_code {
    if (!holds(0, count) || !is_output(1, count)) return demo_code::invalid_argument;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = read(0, i);
      write(1, i, value - value * value * value / 6);
    }
    return demo_code::ok;
  }

  auto argument(std::size_t i) const -> baton::span<const char> {
    if (i < inputs_.size()) return inputs_[i];
    return i - inputs_.size() < outputs_.size() ? outputs_[i - inputs_.size()] : baton::span<char>{};
  }
  auto holds(std::size_t i, std::size_t count) const -> bool { return argument(i).size() >= count * sizeof(float); }
  auto is_output(std::size_t i, std::size_t count) const -> bool { return i >= inputs_.size() && holds(i, count); }
  auto read(std::size_t i, std::size_t at) const -> float {
    float number = 0;
    std::memcpy(&number, argument(i).data() + at * sizeof number, sizeof number);
    return number;
  }
  void write(std::size_t i, std::size_t at, float number) const {
    std::memcpy(outputs_[i - inputs_.size()].data() + at * sizeof number, &number, sizeof number);
  }

  baton::span<const baton::span<const char>> inputs_;
  baton::span<const baton::span<char>> outputs_;
};

/// BackendWithCompilerDemo with its run-time half.
struct running_compiler_demo : backend_with_compiler_demo {
  static auto init(const baton::init_context<>& context) -> baton::status {
    const auto bytes = context.processed_bytes.bytes();
    const auto shape = context.compile_specs.empty() ? std::string_view{} : context.compile_specs[0].value;
    return static_cast<baton::status>(init_demo({bytes.data(), bytes.size()}, shape));
  }
  static auto execute(const baton::delegate_call& call) -> baton::status {
    return static_cast<baton::status>(
        demo_interpreter(call.inputs, call.outputs).run({call.processed_bytes.data(), call.processed_bytes.size()}));
  }
};

}  // namespace conformance
