// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The processed bytes of a delegate: the layout of the delegate's memory, and the payload, which the driver reads in place.
#pragma once

#include <baton/backend/words.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::ethos_u::detail {

/// A range of the delegate's memory, which is the scratch that the executor gives to `execute`. The commands access memory through base
/// addresses: the address of the weights, then the addresses of the first 7 ranges.
struct memory_range {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  /// The index in the call's arguments or results. `npos` for an unused output, and for the first two ranges (scratch and fast scratch).
  std::uint32_t argument = npos;
};

enum class processed_state : std::uint8_t { valid, damaged, version_mismatch };

/// A view of processed bytes. The header consists of little-endian words. The first words are the magic, a hash of all bytes after the
/// hash, and the configuration of the accelerator. The last character of the magic is the version of the format. The other words are the
/// sizes in bytes of the payload, the weights and the delegate's memory, the number of inputs, and the number of memory ranges. The memory
/// ranges follow, with three words each: offset, size and argument. The payload begins at the next multiple of 16 bytes.
class processed_view {
 public:
  static constexpr std::uint32_t magic = 0x31554542;  ///< BEU1
  static constexpr std::size_t header_words = 8;
  static constexpr std::size_t hashed_from = 8;

  constexpr explicit processed_view(span<const char> bytes) : bytes_(bytes) {}

  /// Checks the processed bytes except for their hash, because computing the hash would take too long at compile time. All functions except
  /// `check_structure` and `check` may be called only if the processed bytes are `valid`.
  constexpr auto check_structure() const -> processed_state {
    if (bytes_.size() < 4 * header_words) return processed_state::damaged;
    if (word_at(bytes_, 0) != magic) {
      return (word_at(bytes_, 0) & 0xffffffu) == (magic & 0xffffffu) ? processed_state::version_mismatch : processed_state::damaged;
    }
    if (range_count() > bytes_.size() / 12 || range_count() < 2 || inputs() > range_count() - 2) return processed_state::damaged;
    if (bytes_.size() < payload_first() || bytes_.size() - payload_first() != word_at(bytes_, 12)) return processed_state::damaged;
    for (std::uint32_t i = 0; i < range_count(); ++i) {
      if (!is_valid(i, at(i))) return processed_state::damaged;
    }
    return processed_state::valid;
  }
  /// Checks the processed bytes and their hash.
  constexpr auto check() const -> processed_state {
    const auto structure = check_structure();
    return structure != processed_state::valid || hash_of_rest(bytes_) == word_at(bytes_, 4) ? structure : processed_state::damaged;
  }

  constexpr auto configuration() const -> std::uint32_t { return word_at(bytes_, 8); }
  constexpr auto weights_bytes() const -> std::uint32_t { return word_at(bytes_, 16); }
  constexpr auto memory_bytes() const -> std::uint32_t { return word_at(bytes_, 20); }
  constexpr auto inputs() const -> std::uint32_t { return word_at(bytes_, 24); }
  /// Returns the number of memory ranges. In order, the ranges are: scratch, fast scratch, inputs, outputs.
  constexpr auto range_count() const -> std::uint32_t { return word_at(bytes_, 28); }
  constexpr auto at(std::uint32_t i) const -> memory_range {
    const auto first = 4 * header_words + std::size_t{12} * i;
    return {word_at(bytes_, first), word_at(bytes_, first + 4), word_at(bytes_, first + 8)};
  }
  constexpr auto input(std::uint32_t i) const -> memory_range { return at(2 + i); }
  constexpr auto outputs() const -> std::uint32_t { return range_count() - 2 - inputs(); }
  constexpr auto output(std::uint32_t i) const -> memory_range { return at(2 + inputs() + i); }
  constexpr auto payload_bytes() const -> span<const char> { return bytes_.subspan(payload_first()); }

  /// Returns the hash (`fnv1a`) of the bytes after the stored hash.
  static constexpr auto hash_of_rest(span<const char> bytes) -> std::uint32_t { return fnv1a(bytes.subspan(hashed_from)); }

 private:
  /// True if a memory range is inside the delegate's memory (`memory_bytes`) and aligned, and its argument is valid. An input must have an
  /// argument, an output may have one, and the first two ranges (scratch and fast scratch) must not have one.
  constexpr auto is_valid(std::uint32_t i, const memory_range& place) const -> bool {
    const bool is_inside = place.offset <= memory_bytes() && place.bytes <= memory_bytes() - place.offset;
    const bool is_input = i >= 2 && i < 2 + inputs();
    const bool has_valid_argument = is_input ? place.argument != npos : i >= 2 || place.argument == npos;
    return is_inside && place.offset % alignment == 0 && has_valid_argument;
  }
  constexpr auto payload_first() const -> std::size_t { return (4 * header_words + std::size_t{12} * range_count() + 15) / 16 * 16; }

  span<const char> bytes_;
};

/// Returns the processed bytes of an operation. `inputs` and `outputs` are the values of the delegate's call, in order.
constexpr auto make_processed_bytes(const operation& source, span<const value_id> inputs, span<const value_id> outputs) -> text_buffer {
  vector<memory_range> places{{0, source.scratch_bytes}, {source.fast_offset, source.fast_bytes}};
  const auto add = [&](const place& each, span<const value_id> arguments) {
    const auto* position = std::find(arguments.begin(), arguments.end(), each.value);
    const auto argument = position == arguments.end() ? npos : static_cast<std::uint32_t>(position - arguments.begin());
    places.push_back({each.offset, each.bytes, argument});
  };
  for (const auto& each : source.inputs) add(each, inputs);
  for (const auto& each : source.outputs) add(each, outputs);
  text_buffer processed_bytes;
  const auto put = [&processed_bytes](std::size_t word) { append_word(processed_bytes, static_cast<std::uint32_t>(word)); };
  for (const auto word :
       {std::size_t{processed_view::magic}, std::size_t{0}, std::size_t{source.content.configuration}, source.bytes.size(),
        std::size_t{source.weights_bytes}, std::size_t{source.memory_bytes}, source.inputs.size(), places.size()}) {
    put(word);
  }
  for (const auto& each : places) {
    put(each.offset);
    put(each.bytes);
    put(each.argument);
  }
  while (processed_bytes.size() % alignment != 0) processed_bytes.push_back('\0');
  processed_bytes.insert(processed_bytes.end(), source.bytes.begin(), source.bytes.end());
  const auto hash = processed_view::hash_of_rest({processed_bytes.data(), processed_bytes.size()});
  for (std::size_t i = 0; i < 4; ++i) processed_bytes[4 + i] = static_cast<char>(hash >> (8 * i) & 255u);
  return processed_bytes;
}

}  // namespace baton::ethos_u::detail
