// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes processed bytes.
#pragma once

#include <baton/backend/words.hpp>
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::xnnpack::detail {

/// A writer of processed bytes. Each `add` function returns the index of the new record. Other records refer to the record by this index.
class processed_writer {
 public:
  constexpr auto add(const value_record& value) -> std::uint32_t {
    const auto kind = static_cast<std::uint32_t>(value.type) | static_cast<std::uint32_t>(value.role) << 8 | value.rank << 16;
    for (const auto word : {kind, value.place, std::bit_cast<std::uint32_t>(value.scale), static_cast<std::uint32_t>(value.zero_point),
                            value.scales, value.axis}) {
      values_.push_back(word);
    }
    for (std::uint32_t d = 0; d < value.rank; ++d) values_.push_back(value.sizes[d]);
    if (value.role == value_role::argument) ++begin_.arguments;
    if (value.role == value_role::result) ++begin_.results;
    return begin_.values++;
  }
  constexpr auto add(const operator_record& code) -> std::uint32_t {
    const auto kind = static_cast<std::uint32_t>(code.op) | code.operands << 8 | code.count << 16;
    for (const auto word : {kind, code.flags, std::bit_cast<std::uint32_t>(code.lower), std::bit_cast<std::uint32_t>(code.upper), code.to})
      operators_.push_back(word);
    for (std::uint32_t i = 0; i < code.operands; ++i) operators_.push_back(code.from[i]);
    for (std::uint32_t i = 0; i < code.count; ++i) operators_.push_back(code.numbers[i]);
    return begin_.operators++;
  }
  constexpr auto add_key(std::string_view text) -> std::uint32_t {
    keys_.push_back(static_cast<std::uint32_t>(texts_.size()));
    keys_.push_back(static_cast<std::uint32_t>(text.size()));
    append(texts_, text);
    return begin_.keys++;
  }

  constexpr auto bytes() const -> text_buffer {
    text_buffer processed_bytes;
    processed_bytes.reserve((header_words + values_.size() + operators_.size() + keys_.size()) * 4 + texts_.size());
    for (const auto word :
         {begin_.magic, begin_.version, std::uint32_t{0}, begin_.values, begin_.operators, begin_.keys, begin_.arguments, begin_.results})
      append_word(processed_bytes, word);
    for (const auto* words : {&values_, &operators_, &keys_}) {
      for (const auto word : *words) append_word(processed_bytes, word);
    }
    append(processed_bytes, view(texts_));
    const auto sum = checksum_of({processed_bytes.data(), processed_bytes.size()});
    for (std::size_t i = 0; i < 4; ++i) processed_bytes[8 + i] = static_cast<char>(sum >> 8 * i & 255u);
    return processed_bytes;
  }

 private:
  header begin_;
  vector<std::uint32_t> values_;
  vector<std::uint32_t> operators_;
  vector<std::uint32_t> keys_;  ///< offset and size of the text of each key
  text_buffer texts_;
};

}  // namespace baton::xnnpack::detail
