// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An ONNX file as a tree of messages that can be changed and written again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace formats {

/// The messages of ONNX (onnx/onnx.proto) that other messages contain; `leaf` for bytes, texts and packed numbers. A field of a message of
/// `any` kind is a message if its bytes can be read as one.
enum class message_kind : std::uint8_t {
  leaf,
  any,
  model,
  opset,
  graph,
  node,
  attribute,
  tensor,
  value,
  type,
  tensor_type,
  shape,
  size,
  entry
};

/// Returns the kind of a field of a message. Functions are leaves.
inline auto kind_of_field(message_kind of, std::uint32_t number) -> message_kind {
  switch (of) {
    case message_kind::any:
      return message_kind::any;
    case message_kind::model:
      return number == 7 ? message_kind::graph : number == 8 ? message_kind::opset : message_kind::leaf;
    case message_kind::graph:
      if (number >= 11 && number <= 13) return message_kind::value;
      return number == 1 ? message_kind::node : number == 5 ? message_kind::tensor : message_kind::leaf;
    case message_kind::node:
      return number == 5 ? message_kind::attribute : message_kind::leaf;
    case message_kind::attribute:
      return number == 5 || number == 10 ? message_kind::tensor : number == 6 || number == 11 ? message_kind::graph : message_kind::leaf;
    case message_kind::tensor:
      return number == 13 ? message_kind::entry : message_kind::leaf;
    case message_kind::value:
      return number == 2 ? message_kind::type : message_kind::leaf;
    case message_kind::type:
      return number == 1 ? message_kind::tensor_type : message_kind::leaf;
    case message_kind::tensor_type:
      return number == 2 ? message_kind::shape : message_kind::leaf;
    case message_kind::shape:
      return number == 1 ? message_kind::size : message_kind::leaf;
    default:
      return message_kind::leaf;
  }
}

inline void append_varint(std::string& to, std::uint64_t number) {
  for (; number > 127; number >>= 7) to.push_back(static_cast<char>(number | 128));
  to.push_back(static_cast<char>(number));
}
/// Removes a varint from the beginning of `from`. Throws `std::out_of_range` at the end of the bytes, or after 64 bits.
inline auto take_varint(std::string_view& from) -> std::uint64_t {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (shift > 63) throw std::out_of_range("a varint is too long");
    const auto byte = static_cast<unsigned char>(from.at(0));
    from.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 127u) << shift;
    if (byte < 128) return number;
  }
}

/// A field, and the fields of its message. The wire types are 0 for varints, 1 and 5 for fixed numbers, and 2 for bytes.
struct tree_field {
  std::uint32_t number = 0;
  std::uint32_t wire = 2;
  message_kind kind = message_kind::leaf;
  std::uint64_t value = 0;           ///< of a varint
  std::string bytes{};               ///< of all other leaves
  std::vector<tree_field> fields{};  ///< of a message

  /// Returns the text of the first field with a number, or "".
  auto text(std::uint32_t of) const -> std::string {
    for (const auto& each : fields) {
      if (each.number == of) return each.bytes;
    }
    return {};
  }
  /// Returns the number in the last varint field with a number, or `absent`.
  auto integer(std::uint32_t of, std::uint64_t absent = 0) const -> std::uint64_t {
    for (const auto& each : fields) {
      if (each.number == of && each.wire == 0) absent = each.value;
    }
    return absent;
  }
  /// Returns the repeated integers with a number, packed or not.
  auto integers(std::uint32_t of) const -> std::vector<std::int64_t> {
    std::vector<std::int64_t> result;
    for (const auto& each : fields) {
      if (each.number != of) continue;
      if (each.wire == 0) result.push_back(static_cast<std::int64_t>(each.value));
      for (std::string_view left = each.bytes; !left.empty();) result.push_back(static_cast<std::int64_t>(take_varint(left)));
    }
    return result;
  }
  auto has(std::uint32_t of) const -> bool {
    for (const auto& each : fields) {
      if (each.number == of) return true;
    }
    return false;
  }
  void remove(std::uint32_t of) {
    std::erase_if(fields, [&](const tree_field& each) { return each.number == of; });
  }
};
inline auto integer_field(std::uint32_t number, std::uint64_t value) -> tree_field { return {.number = number, .wire = 0, .value = value}; }
inline auto text_field(std::uint32_t number, std::string_view text) -> tree_field {
  return {.number = number, .wire = 2, .bytes = std::string(text)};
}

/// Reads the fields of a message. Throws `std::out_of_range` if the bytes are not a message.
inline auto fields_of(std::string_view from, message_kind kind) -> std::vector<tree_field> {
  std::vector<tree_field> result;
  while (!from.empty()) {
    const auto tag = take_varint(from);
    tree_field field{.number = static_cast<std::uint32_t>(tag >> 3), .wire = static_cast<std::uint32_t>(tag & 7)};
    if (tag >> 3 == 0 || tag >> 32 != 0 || (field.wire > 2 && field.wire != 5)) throw std::out_of_range("not a field");
    if (field.wire == 0) field.value = take_varint(from);
    const auto size = field.wire == 2 ? take_varint(from) : field.wire == 1 ? 8 : field.wire == 5 ? 4 : 0;
    if (size > from.size()) throw std::out_of_range("a field is longer than its message");
    field.bytes = from.substr(0, size);
    from.remove_prefix(size);
    field.kind = field.wire == 2 ? kind_of_field(kind, field.number) : message_kind::leaf;
    try {
      if (field.kind != message_kind::leaf) field.fields = fields_of(field.bytes, field.kind);
    } catch (const std::out_of_range&) {
      if (field.kind != message_kind::any) throw;
    }
    if (field.kind == message_kind::any && field.fields.empty()) field.kind = message_kind::leaf;
    result.push_back(std::move(field));
  }
  return result;
}
inline auto read_tree(std::string_view file) -> tree_field {
  return {.kind = message_kind::model, .fields = fields_of(file, message_kind::model)};
}

/// Returns the bytes of a message.
inline auto bytes_of_tree(const tree_field& message) -> std::string {
  std::string bytes;
  for (const auto& each : message.fields) {
    append_varint(bytes, std::uint64_t{each.number} << 3 | each.wire);
    if (each.wire == 0) append_varint(bytes, each.value);
    if (each.wire == 0) continue;
    const auto contents = each.kind == message_kind::leaf ? each.bytes : bytes_of_tree(each);
    if (each.wire == 2) append_varint(bytes, contents.size());
    bytes += contents;
  }
  return bytes;
}

/// Calls `f` with every message of a kind, the inner ones first.
inline void for_each_message(tree_field& in, message_kind kind, const std::function<void(tree_field&)>& f) {
  for (auto& each : in.fields) {
    if (each.kind != message_kind::leaf) for_each_message(each, kind, f);
  }
  if (in.kind == kind) f(in);
}

}  // namespace formats
