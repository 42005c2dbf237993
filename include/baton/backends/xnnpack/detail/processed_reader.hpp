// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads processed bytes, which may be damaged.
#pragma once

#include <baton/backend/words.hpp>
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::xnnpack::detail {

/// A reader of processed bytes. All values must be read in order, and then all operators in order. Keys can be read at any time. The
/// constructor checks all bytes, in O(bytes). `state` returns an error in each of these cases:
/// - The magic, the version or the checksum is wrong, or there are more than `max_externals` arguments and results.
/// - A record is out of bounds, is invalid, or refers to a record that does not exist.
/// - A value has 2^32 or more bytes.
/// - An index of an argument or a result (`value_record::place`) is missing or occurs several times.
///
/// After an error, all reads return empty results. To read the records a second time, copy the reader before the first read.
class processed_reader {
 public:
  constexpr explicit processed_reader(span<const char> processed_bytes) : bytes_(processed_bytes) {
    begin_ = {word(), word(), word(), word(), word(), word(), word(), word()};
    if (status_ != status::ok) return;
    if (begin_.magic != header::expected_magic || begin_.version != header::expected_version) {
      status_ = status::delegate_invalid_compatibility;
      return;
    }
    demand(begin_.checksum == checksum_of(processed_bytes));
    demand(begin_.arguments <= max_externals && begin_.results <= max_externals - begin_.arguments);
    const auto first = at_;
    std::uint64_t places = 0;  // one bit for each argument and result
    for (std::uint32_t v = 0; v < begin_.values && status_ == status::ok; ++v) add_place(next_value(), places);
    demand(std::popcount(places) == static_cast<int>(begin_.arguments + begin_.results));
    for (std::uint32_t o = 0; o < begin_.operators && status_ == status::ok; ++o) next_operator();
    keys_at_ = at_;
    for (std::uint32_t k = 0; k < begin_.keys && status_ == status::ok; ++k) key(k);
    at_ = first;
  }

  /// Returns `ok` if the processed bytes are valid, `invalid_program` if they are damaged, or `delegate_invalid_compatibility` if another
  /// version or backend wrote them.
  constexpr auto state() const -> status { return status_; }
  constexpr auto begin() const -> const header& { return begin_; }

  constexpr auto next_value() -> value_record {
    value_record value;
    const auto kind = word();
    value.type = static_cast<element>(kind & 255u);
    value.role = static_cast<value_role>(kind >> 8 & 255u);
    value.rank = kind >> 16;
    value.place = word();
    value.scale = std::bit_cast<float>(word());
    value.zero_point = static_cast<std::int32_t>(word());
    value.scales = word();
    value.axis = word();
    demand(value.type <= element::dynamic_int8 && value.role <= value_role::constant && value.rank <= max_dimensions);
    for (std::uint32_t d = 0; status_ == status::ok && d < value.rank; ++d) value.sizes[d] = word();
    if (value.role == value_role::argument) demand(value.place < begin_.arguments);
    if (value.role == value_role::result) demand(value.place < begin_.results);
    if (value.role == value_role::constant) demand(value.place < begin_.keys);
    if (value.type == element::dynamic_int8) demand(value.role == value_role::inside && value.axis <= value.rank);
    if (status_ == status::ok) demand(value.bytes() <= 0xffffffffu);  // after an error, the rank may exceed the size of `sizes`
    demand(value.scales == nothing || (value.scales < begin_.keys && value.axis < value.rank));
    return value;
  }
  /// Returns the value with index `i`, which must be less than `begin().values`. Does not move the read position. O(values).
  constexpr auto value(std::uint32_t i) const -> value_record {
    auto from_first = *this;
    from_first.at_ = header_words * 4;
    for (; i > 0; --i) from_first.next_value();
    return from_first.next_value();
  }
  constexpr auto next_operator() -> operator_record {
    operator_record code;
    const auto kind = word();
    code.op = static_cast<opcode>(kind & 255u);
    code.operands = kind >> 8 & 255u;
    code.count = kind >> 16;
    code.flags = word();
    code.lower = std::bit_cast<float>(word());
    code.upper = std::bit_cast<float>(word());
    code.to = word();
    demand(code.op < opcode::count && code.operands <= code.from.size() && code.count <= code.numbers.size() && code.to < begin_.values);
    for (std::uint32_t i = 0; status_ == status::ok && i < code.operands; ++i) {
      code.from[i] = word();
      demand(code.from[i] < begin_.values || code.from[i] == nothing);
    }
    for (std::uint32_t i = 0; status_ == status::ok && i < code.count; ++i) code.numbers[i] = word();
    return code;
  }
  /// Returns the text of a key. Does not move the read position.
  constexpr auto key(std::uint32_t i) -> std::string_view {
    demand(i < begin_.keys && (bytes_.size() - keys_at_) / 8 >= begin_.keys);
    if (status_ != status::ok) return {};
    const auto next = std::exchange(at_, keys_at_ + std::size_t{i} * 8);
    const auto first = word();
    const auto size = word();
    at_ = next;
    const auto texts = keys_at_ + std::size_t{begin_.keys} * 8;
    demand(first <= bytes_.size() - texts && size <= bytes_.size() - texts - first);
    return status_ == status::ok ? std::string_view{bytes_.data() + texts + first, size} : std::string_view{};
  }
  /// Returns the offset of the next value or operator, in bytes.
  constexpr auto position() const -> std::size_t { return at_; }

 private:
  static_assert(max_externals <= 64);
  /// Marks the index of an argument or a result (`value_record::place`) in `places`. An index must occur only once.
  constexpr void add_place(const value_record& value, std::uint64_t& places) {
    const bool is_external = value.role == value_role::argument || value.role == value_role::result;
    if (!is_external || status_ != status::ok) return;
    const auto bit = std::uint64_t{1} << (value.role == value_role::argument ? value.place : begin_.arguments + value.place);
    demand((places & bit) == 0);
    places |= bit;
  }
  constexpr void demand(bool holds) {
    if (!holds && status_ == status::ok) status_ = status::invalid_program;
  }
  constexpr auto word() -> std::uint32_t {
    demand(bytes_.size() - at_ >= 4);
    if (status_ != status::ok) return 0;
    at_ += 4;
    return word_at(bytes_, at_ - 4);
  }

  span<const char> bytes_;
  header begin_;
  std::size_t at_ = 0;
  std::size_t keys_at_ = 0;  ///< offset of the keys, which follow the operators
  status status_ = status::ok;
};

}  // namespace baton::xnnpack::detail
