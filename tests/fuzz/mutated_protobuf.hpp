// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged copies of a file of Protocol Buffers: fields are removed, repeated, exchanged or changed, and all lengths are correct again; or
// single bytes are changed, or the end is cut off. The same seed produces the same copies on every machine.
#pragma once

#include <baton/core/span.hpp>

#include "fuzz/mutated_model.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

/// A field, and the fields of its message. A field of bytes that can be read as a message is one. The wire types are 0 for varints, 1 and 5
/// for fixed numbers, and 2 for bytes.
struct protobuf_field {
  std::uint32_t number = 0;
  std::uint32_t wire = 0;
  std::uint64_t value = 0;
  std::string bytes;
  std::vector<protobuf_field> fields;
};

inline auto take_varint(std::string_view& from, std::uint64_t& number) -> bool {
  number = 0;
  for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(from[0]);
    from.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 127u) << shift;
    if (byte < 128) return true;
  }
  return false;
}
/// Reads the fields of a message. Returns false if the bytes are no message.
inline auto read_fields(std::string_view from, std::size_t depth, std::vector<protobuf_field>& to) -> bool {
  while (!from.empty()) {
    std::uint64_t tag = 0;
    protobuf_field field;
    if (!take_varint(from, tag) || tag >> 3 == 0 || tag >> 32 != 0) return false;
    field.number = static_cast<std::uint32_t>(tag >> 3);
    field.wire = tag & 7;
    std::uint64_t size = field.wire == 1 ? 8 : field.wire == 5 ? 4 : 0;
    if (field.wire > 2 && field.wire != 5) return false;
    if (field.wire == 0 && !take_varint(from, field.value)) return false;
    if (field.wire == 2 && !take_varint(from, size)) return false;
    if (size > from.size()) return false;
    field.bytes = from.substr(0, size);
    from.remove_prefix(size);
    const bool may_be_message = field.wire == 2 && size > 1 && size < 100'000 && depth < 10;
    if (may_be_message && !read_fields(field.bytes, depth + 1, field.fields)) field.fields.clear();
    to.push_back(std::move(field));
  }
  return true;
}

inline void append_varint(std::string& to, std::uint64_t number) {
  for (; number > 127; number >>= 7) to.push_back(static_cast<char>(number | 128));
  to.push_back(static_cast<char>(number));
}
inline auto bytes_of_fields(const std::vector<protobuf_field>& fields) -> std::string {
  std::string bytes;
  for (const auto& each : fields) {
    append_varint(bytes, std::uint64_t{each.number} << 3 | each.wire);
    if (each.wire == 0) {
      append_varint(bytes, each.value);
    } else {
      const auto value = each.fields.empty() ? each.bytes : bytes_of_fields(each.fields);
      if (each.wire == 2) append_varint(bytes, value.size());
      bytes += value;
    }
  }
  return bytes;
}

/// A file, and mutated copies of it in memory of exactly their size, so that sanitizers detect reads past the end.
class mutated_protobuf {
 public:
  mutated_protobuf(baton::span<const char> original, std::uint64_t seed) : original_(original.begin(), original.end()), random_(seed) {
    read_fields(original_, 0, fields_);
  }

  /// Returns a copy. Of four copies, three have one to three changed fields, and one has changed or missing bytes.
  auto next() -> baton::span<const char> {
    auto changed = original_;
    if (random_.below(4) != 0) {
      auto fields = fields_;
      for (auto n = 1 + random_.below(3); n > 0; --n) mutate(fields);
      changed = bytes_of_fields(fields);
    } else if (random_.below(3) == 0) {
      changed.resize(random_.below(changed.size()));
    } else {
      for (auto n = 1 + random_.below(4); n > 0; --n) {
        const auto at = random_.below(changed.size());
        changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ 1u << random_.below(8));
      }
    }
    copy_ = std::make_unique<char[]>(changed.size());
    std::memcpy(copy_.get(), changed.data(), changed.size());
    return {copy_.get(), changed.size()};
  }

 private:
  /// Descends to a random list of fields, and changes one of them.
  void mutate(std::vector<protobuf_field>& fields) {
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
  std::vector<protobuf_field> fields_;
  random_numbers random_;
  std::unique_ptr<char[]> copy_;
};

}  // namespace fuzz
