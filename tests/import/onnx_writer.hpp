// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes Protocol Buffers and small ONNX models, at compile time and at run time.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_schema.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

namespace number = baton::onnx::detail::number;

/// Writes the fields of a message, one after another.
class message_writer {
 public:
  constexpr auto bytes() const -> const baton::vector<char>& { return bytes_; }

  constexpr auto varint(std::uint64_t value) -> message_writer& {
    for (; value > 127; value >>= 7) bytes_.push_back(static_cast<char>(value | 128));
    bytes_.push_back(static_cast<char>(value));
    return *this;
  }
  constexpr auto integer(std::uint32_t field, std::int64_t value) -> message_writer& {
    return varint(std::uint64_t{field} << 3).varint(static_cast<std::uint64_t>(value));
  }
  constexpr auto text(std::uint32_t field, std::string_view value) -> message_writer& {
    varint(std::uint64_t{field} << 3 | 2).varint(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  constexpr auto child(std::uint32_t field, const message_writer& value) -> message_writer& {
    return text(field, {value.bytes_.data(), value.bytes_.size()});
  }
  constexpr auto fixed32(std::uint32_t field, float value) -> message_writer& {
    varint(std::uint64_t{field} << 3 | 5);
    return fixed(std::bit_cast<std::uint32_t>(value), 4);
  }
  constexpr auto fixed64(std::uint32_t field, double value) -> message_writer& {
    varint(std::uint64_t{field} << 3 | 1);
    return fixed(std::bit_cast<std::uint64_t>(value), 8);
  }
  constexpr auto fixed(std::uint64_t bits, std::size_t width) -> message_writer& {
    for (std::size_t i = 0; i < width; ++i) bytes_.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
    return *this;
  }
  /// Writes packed varints.
  constexpr auto packed(std::uint32_t field, std::initializer_list<std::int64_t> values) -> message_writer& {
    message_writer all;
    for (const auto value : values) all.varint(static_cast<std::uint64_t>(value));
    return child(field, all);
  }

 private:
  baton::vector<char> bytes_;
};

using names = std::initializer_list<std::string_view>;
using messages = std::initializer_list<message_writer>;
using sizes = std::initializer_list<std::int64_t>;

inline constexpr std::int64_t onnx_float = 1, onnx_uint8 = 2, onnx_int8 = 3, onnx_int32 = 6, onnx_int64 = 7, onnx_bool = 9;

// Attributes

constexpr auto int_attribute(std::string_view name, std::int64_t value) -> message_writer {
  return message_writer()
      .text(number::attribute::name, name)
      .integer(number::attribute::integer, value)
      .integer(number::attribute::type, 2);
}
constexpr auto float_attribute(std::string_view name, float value) -> message_writer {
  return message_writer().text(number::attribute::name, name).fixed32(number::attribute::real, value).integer(number::attribute::type, 1);
}
constexpr auto text_attribute(std::string_view name, std::string_view value) -> message_writer {
  return message_writer().text(number::attribute::name, name).text(number::attribute::text, value).integer(number::attribute::type, 3);
}
constexpr auto ints_attribute(std::string_view name, std::initializer_list<std::int64_t> values) -> message_writer {
  auto result = message_writer().text(number::attribute::name, name);
  for (const auto value : values) result.integer(number::attribute::integers, value);
  return result.integer(number::attribute::type, 7);
}
constexpr auto tensor_attribute(std::string_view name, const message_writer& tensor) -> message_writer {
  return message_writer().text(number::attribute::name, name).child(number::attribute::tensor, tensor).integer(number::attribute::type, 4);
}
constexpr auto graph_attribute(std::string_view name, const message_writer& graph) -> message_writer {
  return message_writer().text(number::attribute::name, name).child(number::attribute::graph, graph).integer(number::attribute::type, 5);
}
constexpr auto reference_attribute(std::string_view name, std::string_view reference) -> message_writer {
  return message_writer().text(number::attribute::name, name).text(number::attribute::reference, reference);
}

// Tensors and types

constexpr auto tensor_head(std::string_view name, std::int64_t type, sizes dims) -> message_writer {
  message_writer result;
  for (const auto dim : dims) result.integer(number::tensor::dims, dim);
  result.integer(number::tensor::data_type, type);
  if (!name.empty()) result.text(number::tensor::name, name);
  return result;
}
constexpr auto raw_tensor(std::string_view name, std::int64_t type, sizes dims, std::string_view bytes) -> message_writer {
  return tensor_head(name, type, dims).text(number::tensor::raw_data, bytes);
}
constexpr auto int64_tensor(std::string_view name, sizes dims, std::initializer_list<std::int64_t> values) -> message_writer {
  return tensor_head(name, onnx_int64, dims).packed(number::tensor::int64_data, values);
}
constexpr auto external_tensor(std::string_view name, sizes dims, std::string_view location, std::string_view offset,
                               std::string_view length) -> message_writer {
  auto result = tensor_head(name, onnx_float, dims);
  const auto entry = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    result.child(number::tensor::external_data, message_writer().text(number::entry::key, key).text(number::entry::value, value));
  };
  entry("location", location);
  entry("offset", offset);
  entry("length", length);
  return result.integer(number::tensor::data_location, 1);
}
/// A size of a shape: a number, a symbol, or nothing.
struct dim {
  std::int64_t size = -1;
  std::string_view symbol{};
};
constexpr auto typed_value(std::string_view name, std::int64_t type, std::initializer_list<dim> dims) -> message_writer {
  message_writer shape;
  for (const auto& each : dims) {
    message_writer stated;
    if (each.size >= 0) stated.integer(number::dimension::size, each.size);
    if (!each.symbol.empty()) stated.text(number::dimension::symbol, each.symbol);
    shape.child(number::shape::dimension, stated);
  }
  const auto tensor = message_writer().integer(number::tensor_type::element, type).child(number::tensor_type::shape, shape);
  return message_writer().text(number::value::name, name).child(number::value::type, message_writer().child(number::type::tensor, tensor));
}
constexpr auto untyped_value(std::string_view name) -> message_writer { return message_writer().text(number::value::name, name); }
/// A float32 value with the shape [1, 4].
constexpr auto row(std::string_view name) -> message_writer { return typed_value(name, onnx_float, {{1}, {4}}); }

// Nodes and models

struct node_text {
  std::string_view op;
  names inputs;
  names outputs;
  messages attributes{};
  std::string_view name{};
  std::string_view domain{};
};
constexpr auto node_of(const node_text& from) -> message_writer {
  message_writer result;
  for (const auto input : from.inputs) result.text(number::node::input, input);
  for (const auto output : from.outputs) result.text(number::node::output, output);
  if (!from.name.empty()) result.text(number::node::name, from.name);
  result.text(number::node::op_type, from.op);
  for (const auto& attribute : from.attributes) result.child(number::node::attribute, attribute);
  if (!from.domain.empty()) result.text(number::node::domain, from.domain);
  return result;
}
struct graph_parts {
  messages nodes;
  messages inputs{};
  messages outputs{};
  messages initializers{};
  messages stated{};
  std::string_view name = "main";
};
constexpr auto graph_of(const graph_parts& from) -> message_writer {
  message_writer result;
  for (const auto& each : from.nodes) result.child(number::graph::node, each);
  result.text(number::graph::name, from.name);
  for (const auto& each : from.initializers) result.child(number::graph::initializer, each);
  for (const auto& each : from.inputs) result.child(number::graph::input, each);
  for (const auto& each : from.outputs) result.child(number::graph::output, each);
  for (const auto& each : from.stated) result.child(number::graph::value_info, each);
  return result;
}
constexpr auto opset(std::int64_t version, std::string_view domain = {}) -> message_writer {
  return message_writer().text(number::opset::domain, domain).integer(number::opset::version, version);
}
constexpr auto model_of(const message_writer& of, std::int64_t version = 17, messages functions = {}) -> baton::vector<char> {
  message_writer result;
  result.integer(number::model::ir_version, 8).child(number::model::graph, of).child(number::model::opset_import, opset(version));
  for (const auto& each : functions) result.child(number::model::functions, each);
  return result.bytes();
}
constexpr auto function_of(std::string_view domain, std::string_view name, names inputs, names outputs, messages nodes,
                           messages defaults = {}) -> message_writer {
  auto result = message_writer().text(number::function::name, name);
  for (const auto input : inputs) result.text(number::function::input, input);
  for (const auto output : outputs) result.text(number::function::output, output);
  for (const auto& each : nodes) result.child(number::function::node, each);
  result.text(number::function::domain, domain);
  for (const auto& each : defaults) result.child(number::function::default_attribute, each);
  return result;
}

}  // namespace tests
