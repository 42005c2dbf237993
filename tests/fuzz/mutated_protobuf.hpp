// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged copies of a file of Protocol Buffers: fields are removed, repeated, exchanged or changed, and all lengths are correct again; or
// single bytes are changed, or the end is cut off. The same seed produces the same copies on every machine.
#pragma once

#include <baton/core/span.hpp>

#include "formats/onnx_tree.hpp"
#include "fuzz/mutated_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

/// A file, and mutated copies of it in memory of exactly their size, so that sanitizers detect reads past the end.
class mutated_protobuf {
 public:
  mutated_protobuf(baton::span<const char> original, std::uint64_t seed)
      : original_(original.begin(), original.end()),
        model_{.kind = formats::message_kind::any, .fields = formats::fields_of(original_, formats::message_kind::any)},
        random_(seed) {}

  /// Returns a copy. Of four copies, three have one to three changed fields, and one has changed or missing bytes.
  auto next() -> baton::span<const char> {
    if (random_.below(4) == 0) return copy_.assign(with_changed_bytes(original_, random_));
    auto model = model_;
    for (auto n = 1 + random_.below(3); n > 0; --n) mutate(model.fields);
    return copy_.assign(formats::bytes_of_tree(model));
  }

 private:
  /// Descends to a random list of fields, and changes one of them.
  void mutate(std::vector<formats::tree_field>& fields) {
    if (fields.empty()) return;
    const auto at = random_.below(fields.size());
    auto& field = fields[at];
    if (!field.fields.empty() && random_.below(8) != 0) return mutate(field.fields);
    switch (random_.below(8)) {
      case 0:
        fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 1: {
        const auto copy = field;
        fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(random_.below(fields.size() + 1)), copy);
        return;
      }
      case 2:
        std::swap(field, fields[random_.below(fields.size())]);
        return;
      case 3: {
        const auto copy = fields[random_.below(fields.size())];
        field.value = copy.value;
        field.bytes = copy.bytes;
        return;
      }
      case 4:
        field.number = static_cast<std::uint32_t>(1 + random_.below(26));
        return;
      case 5:
        field.kind = formats::message_kind::leaf;
        field.fields.clear();
        field.bytes.resize(random_.below(field.bytes.size() + 1));
        return;
      default: {
        constexpr std::uint64_t edges[] = {0,   1,   2,    3,          7,          16,          21,         22,
                                           127, 128, 4096, 0x7fffffff, 0xffffffff, 0x100000000, 1ull << 62, ~std::uint64_t{0}};
        field.value = edges[random_.below(std::size(edges))];
        if (!field.bytes.empty()) field.bytes[random_.below(field.bytes.size())] = static_cast<char>(random_.below(256));
        return;
      }
    }
  }

  std::string original_;
  formats::tree_field model_;
  random_numbers random_;
  exact_copy copy_;
};

}  // namespace fuzz
