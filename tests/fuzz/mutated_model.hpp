// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged copies of a TFLite model: bytes are flipped, filled, exchanged or inserted, or the end is cut off. The same seed produces the
// same copies on every machine.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>

#include "fuzz/mutated_bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

namespace fuzz {

inline auto bytes_of(const std::filesystem::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the positions of a model's bytes that are not weights, because mutations of weights have little effect.
inline auto structure_of(baton::span<const char> model) -> baton::vector<std::size_t> {
  baton::vector<char> is_weight(model.size(), 0);
  const auto program = baton::tflite::read_bytes(model);
  for (const auto& value : program.values) {
    if (value.data.size <= 64 || value.data.outside == nullptr) continue;
    const auto first = is_weight.begin() + (value.data.outside - model.data());
    std::fill(first + 16, first + static_cast<std::ptrdiff_t>(value.data.size) - 16, char{1});
  }
  baton::vector<std::size_t> places;
  for (std::size_t i = 0; i < model.size(); ++i) {
    if (is_weight[i] == 0) places.push_back(i);
  }
  return places;
}

/// A model, and mutated copies of it in memory of exactly their size, so that sanitizers detect reads past the end.
class mutated_model {
 public:
  /// One of `once_in` mutations is anywhere in the file, so in the weights if there are many.
  mutated_model(baton::vector<char> original, std::uint64_t seed, std::size_t once_in = 8)
      : original_(std::move(original)),
        structure_(structure_of(original_)),
        random_(seed),
        once_in_(once_in) {}
  /// `structure` has the positions of the bytes that are not weights.
  mutated_model(baton::vector<char> original, baton::vector<std::size_t> structure, std::uint64_t seed)
      : original_(std::move(original)),
        structure_(std::move(structure)),
        random_(seed),
        once_in_(8) {}

  /// Returns a copy with up to three mutations. Of ten copies, two are cut short and one has inserted bytes, so that all later bytes move.
  auto next() -> baton::span<const char> {
    const auto form = random_.below(10);
    const bool is_cut = form < 2;
    const auto from = is_cut || form == 2 ? place() : original_.size();
    const auto put_in = form == 2 ? 1 + random_.below(8) : 0;
    const auto size = is_cut ? from : original_.size() + put_in;
    copy_ = std::make_unique<char[]>(size);
    std::copy_n(original_.begin(), from, copy_.get());
    for (std::size_t i = 0; i < put_in; ++i) copy_[from + i] = static_cast<char>(random_.below(256));
    if (!is_cut) std::copy(original_.begin() + static_cast<std::ptrdiff_t>(from), original_.end(), copy_.get() + from + put_in);
    const baton::span<char> bytes{copy_.get(), size};
    for (auto n = form < 3 ? random_.below(2) : 1 + random_.below(3); n > 0 && size > 8; --n) mutate(bytes);
    return bytes;
  }

 private:
  auto place() -> std::size_t {
    return structure_.empty() || random_.below(once_in_) == 0 ? random_.below(original_.size())
                                                              : structure_[random_.below(structure_.size())];
  }
  auto place_for(std::size_t length, std::size_t size) -> std::size_t { return std::min(place(), size - length); }

  void mutate(baton::span<char> bytes) {
    const auto kind = random_.below(6);
    if (kind == 0) flip(bytes);
    if (kind == 1) fill(bytes);
    if (kind == 2 || kind == 3) overwrite(bytes, 4);
    if (kind == 4) overwrite(bytes, 2);
    if (kind == 5) swap(bytes);
  }
  void flip(baton::span<char> bytes) {
    for (auto flips = 1 + random_.below(4); flips > 0; --flips) {
      const auto at = place_for(1, bytes.size());
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ 1u << random_.below(8));
    }
  }
  void fill(baton::span<char> bytes) {
    const auto length = 1 + random_.below(std::min<std::size_t>(32, bytes.size()));
    const auto at = place_for(length, bytes.size());
    const int fillings[] = {0, 0xff, 0x7f, 1, static_cast<int>(random_.below(256))};
    std::memset(bytes.data() + at, fillings[random_.below(5)], length);
  }
  /// Writes an extreme value of a count, index, offset or type.
  void overwrite(baton::span<char> bytes, std::size_t width) {
    const auto at = place_for(width, bytes.size()) / width * width;
    const auto end = static_cast<std::uint32_t>(bytes.size());
    constexpr std::uint32_t edges[] = {0,       1,        2,          4,          0x7f,       0x80,       0xff,       0x7fff,    0xffff,
                                       0x10000, 0x100000, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    const auto choice = random_.below(std::size(edges) + 6);
    const auto other = static_cast<std::uint32_t>(choice % 2 == 0 ? place() : random_.below(64));
    const std::uint32_t file_edges[] = {end, end - 4, end / 4, 0u - end, other, other};
    put(bytes, at, choice < std::size(edges) ? edges[choice] : file_edges[choice - std::size(edges)], width);
  }
  static void put(baton::span<char> bytes, std::size_t at, std::uint32_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
  }
  /// Exchanges two ranges of bytes. If they overlap, one overwrites the other.
  void swap(baton::span<char> bytes) {
    const auto length = random_.below(2) == 0 ? 4 : 1 + random_.below(std::min<std::size_t>(64, bytes.size() - 1));
    const auto a = bytes.subspan(place_for(length, bytes.size()), length);
    const auto b = bytes.subspan(place_for(length, bytes.size()), length);
    const baton::vector<char> bytes_of_a(a.begin(), a.end());
    const baton::vector<char> bytes_of_b(b.begin(), b.end());
    std::copy(bytes_of_b.begin(), bytes_of_b.end(), a.begin());
    std::copy(bytes_of_a.begin(), bytes_of_a.end(), b.begin());
  }

  baton::vector<char> original_;
  baton::vector<std::size_t> structure_;
  random_numbers random_;
  std::size_t once_in_;
  std::unique_ptr<char[]> copy_;
};

}  // namespace fuzz
