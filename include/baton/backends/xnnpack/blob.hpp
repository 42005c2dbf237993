// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the compiler of the backend tells its runtime: values and operators, as words. Weights are named by keys and lie elsewhere.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/run/status.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::xnn {

/// Operators; a blob has their numbers, so that a new one stands at the end.
enum class opcode : std::uint32_t {
  convolution,
  depthwise_convolution,
  transposed_convolution,
  fully_connected,
  average_pooling,
  max_pooling,
  global_average_pooling,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  squared_difference,
  clamp,
  sigmoid,
  softmax,
  hard_swish,
  leaky_relu,
  elu,
  absolute,
  negate,
  floor,
  ceiling,
  round,
  square,
  square_root,
  prelu,
  pad,
  reshape,
  resize_bilinear,
  convert,
  depth_to_space,
  concatenate,
  tanh,
  count
};

/// Where the bytes of a value come from.
enum class value_role : std::uint32_t { inside, argument, result, constant };
enum class element : std::uint32_t { float32, int8, int32 };

inline constexpr std::uint32_t none = 0xffffffffu;
inline constexpr std::uint32_t most_dimensions = 6;
/// Arguments and results of a part: each call has them on the stack.
inline constexpr std::uint32_t most_externals = 64;

/// A value of the subgraph.
struct value_record {
  element type = element::float32;
  value_role role = value_role::inside;
  std::uint32_t place = none;  ///< of an argument or a result its position in the call, of a constant the key of its bytes
  float scale = 0;             ///< of an integer that has one scale
  std::int32_t zero_point = 0;
  std::uint32_t scales = none;  ///< of an integer that has a scale for each channel, the key of them
  std::uint32_t axis = 0;       ///< of the channels
  std::uint32_t rank = 0;
  std::array<std::uint32_t, most_dimensions> sizes{};

  /// The bytes of its elements, as many as fit 32 bits.
  constexpr auto bytes() const -> std::uint64_t {
    std::uint64_t count = type == element::int8 ? 1 : 4;
    for (std::uint32_t d = 0; d < rank; ++d) count = std::uint64_t{sizes[d]} * count & 0xffffffffu;
    return count;
  }
};

/// An operator of the subgraph. What the numbers mean stands where it is translated, `translate.hpp`.
struct operator_record {
  opcode op = opcode::count;
  std::uint32_t flags = 0;
  float lower = -std::numeric_limits<float>::infinity();  ///< of the output; or the one real number that the operator has
  float upper = std::numeric_limits<float>::infinity();
  std::uint32_t operands = 0;
  std::array<std::uint32_t, 4> from{};  ///< values; `none`: left out
  std::uint32_t to = none;
  std::uint32_t count = 0;
  std::array<std::uint32_t, 14> numbers{};
};

/// The beginning of a blob. Values, operators and keys follow, then the texts of the keys.
struct header {
  static constexpr std::uint32_t right_magic = 0x4e4e5842;  // "BXNN"
  static constexpr std::uint32_t right_version = 1;

  std::uint32_t magic = right_magic;
  std::uint32_t version = right_version;
  std::uint32_t checksum = 0;  ///< of all that follows
  std::uint32_t values = 0;
  std::uint32_t operators = 0;
  std::uint32_t keys = 0;
  std::uint32_t arguments = 0;
  std::uint32_t results = 0;
};
inline constexpr std::size_t header_words = 8;

/// Writes a blob; what is referred to by number has the number of its addition.
class blob_writer {
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
    text_buffer blob;
    blob.reserve((header_words + values_.size() + operators_.size() + keys_.size()) * 4 + texts_.size());
    const auto put = [&](std::uint32_t word) {
      for (int shift = 0; shift < 32; shift += 8) blob.push_back(static_cast<char>(word >> shift & 255u));
    };
    for (const auto word :
         {begin_.magic, begin_.version, 0u, begin_.values, begin_.operators, begin_.keys, begin_.arguments, begin_.results})
      put(word);
    for (const auto* words : {&values_, &operators_, &keys_}) {
      for (const auto word : *words) put(word);
    }
    append(blob, view(texts_));
    const auto sum = checksum_of({blob.data(), blob.size()});
    for (std::size_t i = 0; i < 4; ++i) blob[8 + i] = static_cast<char>(sum >> 8 * i & 255u);
    return blob;
  }

  /// Of all that stands behind the checksum: 32-bit FNV-1a (RFC 9923).
  static constexpr auto checksum_of(span<const char> blob) -> std::uint32_t {
    std::uint32_t sum = 2166136261u;
    for (std::size_t i = 12; i < blob.size(); ++i) sum = (sum ^ static_cast<unsigned char>(blob[i])) * 16777619u;
    return sum;
  }

 private:
  header begin_;
  vector<std::uint32_t> values_;
  vector<std::uint32_t> operators_;
  vector<std::uint32_t> keys_;  ///< where a text begins, and its length
  text_buffer texts_;
};

/// Reads a blob from its beginning: `begin`, then each value, each operator, each key. What does not lie within the blob, or refers to what
/// is not there, is an error of the status, and everything after it is empty.
class blob_reader {
 public:
  constexpr explicit blob_reader(span<const char> blob) : blob_(blob) {
    begin_ = {word(), word(), word(), word(), word(), word(), word(), word()};
    if (status_ != status::ok) return;
    if (begin_.magic != header::right_magic || begin_.version != header::right_version) {
      status_ = status::delegate_invalid_compatibility;
      return;
    }
    demand(begin_.checksum == blob_writer::checksum_of(blob));
    demand(begin_.arguments <= most_externals && begin_.results <= most_externals - begin_.arguments);
  }

  /// `invalid_program` of a damaged blob, `delegate_invalid_compatibility` of one of another version or of another backend.
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
    demand(value.type <= element::int32 && value.role <= value_role::constant && value.rank <= most_dimensions);
    for (std::uint32_t d = 0; status_ == status::ok && d < value.rank; ++d) value.sizes[d] = word();
    if (value.role == value_role::argument) demand(value.place < begin_.arguments);
    if (value.role == value_role::result) demand(value.place < begin_.results);
    if (value.role == value_role::constant) demand(value.place < begin_.keys);
    demand(value.scales == none || (value.scales < begin_.keys && value.axis < value.rank));
    return value;
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
      demand(code.from[i] < begin_.values || code.from[i] == none);
    }
    for (std::uint32_t i = 0; status_ == status::ok && i < code.count; ++i) code.numbers[i] = word();
    return code;
  }
  /// The text of a key, once values and operators are read: `keys_at` is where they ended.
  constexpr auto key(std::size_t keys_at, std::uint32_t number) -> std::string_view {
    demand(number < begin_.keys && keys_at <= blob_.size() && (blob_.size() - keys_at) / 8 >= begin_.keys);
    if (status_ != status::ok) return {};
    at_ = keys_at + std::size_t{number} * 8;
    const auto first = word();
    const auto size = word();
    const auto texts = keys_at + std::size_t{begin_.keys} * 8;
    demand(texts <= blob_.size() && first <= blob_.size() - texts && size <= blob_.size() - texts - first);
    return status_ == status::ok ? std::string_view{blob_.data() + texts + first, size} : std::string_view{};
  }
  constexpr auto position() const -> std::size_t { return at_; }

 private:
  constexpr void demand(bool holds) {
    if (!holds && status_ == status::ok) status_ = status::invalid_program;
  }
  constexpr auto word() -> std::uint32_t {
    demand(blob_.size() - at_ >= 4);
    if (status_ != status::ok) return 0;
    std::uint32_t read = 0;
    for (std::size_t i = 0; i < 4; ++i) read |= std::uint32_t{static_cast<unsigned char>(blob_[at_ + i])} << 8 * i;
    at_ += 4;
    return read;
  }

  span<const char> blob_;
  header begin_;
  std::size_t at_ = 0;
  status status_ = status::ok;
};

}  // namespace baton::xnn
