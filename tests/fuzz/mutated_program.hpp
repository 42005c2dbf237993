// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged copies of an ExecuTorch program: of each two copies, one has changed fields, and one has damaged bytes.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include "fuzz/mutated_model.hpp"
#include "import/pte_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace fuzz {

/// A program, and mutated copies of it in memory of exactly their size.
class mutated_program {
 public:
  mutated_program(const baton::vector<char>& original, std::uint64_t seed)
      : original_(original),
        fields_(tests::field_finder(original).fields()),
        bytes_(original, positions(tests::field_finder(original), original.size()), seed),
        random_(seed + 1) {
    // A file of a fuzzer may be valid, although parts that are not imported are damaged.
    std::erase_if(fields_,
                  [&](const tests::number_field& each) { return each.at >= original.size() || each.size > original.size() - each.at; });
  }

  auto next() -> baton::span<const char> {
    if (fields_.empty() || random_.below(2) == 0) return bytes_.next();
    copy_ = std::make_unique<char[]>(original_.size());
    std::copy(original_.begin(), original_.end(), copy_.get());
    for (auto n = 1 + random_.below(4); n > 0; --n) mutate(fields_[random_.below(fields_.size())]);
    return {copy_.get(), original_.size()};
  }

 private:
  static auto positions(const tests::field_finder& finder, std::size_t size) -> baton::vector<std::size_t> {
    baton::vector<std::size_t> all;
    for (std::size_t i = 0; i < finder.structure_size(); ++i) all.push_back(i);
    for (const auto at : finder.processed_positions()) {
      if (at < size) all.push_back(at);
    }
    return all;
  }

  /// Changes a number: to that of a field of the same kind, by one, to a small number, or to an extreme one.
  void mutate(const tests::number_field& field) {
    const auto choice = random_.below(8);
    const auto old = get(field);
    constexpr std::uint64_t edges[] = {0,
                                       1,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x10000,
                                       0x7fffffff,
                                       0x80000000u,
                                       0xffffffffu,
                                       0x7fffffffffffffffu,
                                       0x8000000000000000u,
                                       0xffffffffffffffffu};
    if (choice < 4) {
      auto other = field;
      for (int tries = 0; tries < 16; ++tries) {
        other = fields_[random_.below(fields_.size())];
        if (other.kind == field.kind && other.size == field.size) break;
      }
      return put(field, get(other));
    }
    if (choice == 4) return put(field, old + 1);
    if (choice == 5) return put(field, old - 1);
    put(field, choice == 6 ? random_.below(64) : edges[random_.below(std::size(edges))]);
  }
  auto get(const tests::number_field& field) const -> std::uint64_t {
    std::uint64_t bits = 0;
    for (std::size_t i = field.size; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(copy_[field.at + i]);
    return bits;
  }
  void put(const tests::number_field& field, std::uint64_t bits) {
    for (std::size_t i = 0; i < field.size; ++i) copy_[field.at + i] = static_cast<char>(bits >> (8 * i));
  }

  const baton::vector<char>& original_;
  std::vector<tests::number_field> fields_;
  mutated_model bytes_;
  random_numbers random_;
  std::unique_ptr<char[]> copy_;
};

}  // namespace fuzz
