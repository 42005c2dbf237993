// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Attributes of ONNX nodes.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/detail/onnx_sparse_tensors.hpp>
#include <baton/import/detail/onnx_tensors.hpp>
#include <baton/import/shared/rules.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// Returns the name of an attribute, or an empty text if the attribute has no name.
constexpr auto name_of_attribute(reading& model, const field& from) -> std::string_view {
  field f{};
  for (message attribute(model.reader, from); attribute.next(f);) {
    if (f.number == number::attribute::name) return model.text(f);
  }
  return {};
}

/// A converter of ONNX attributes to attributes of the builder's latest node, and of `Constant` nodes to constants.
class attribute_reader {
 public:
  constexpr attribute_reader(reading& model, tensor_reader& tensors) : reading_(model), tensors_(tensors) {}

  /// Adds an attribute to the latest node, with the value that the file states. The name is `from.name`, or the name in the file if
  /// `from.name` is empty.
  /// - Numbers, lists of numbers, and texts become attributes of the same kind.
  /// - A list of texts becomes one text, separated by commas.
  /// - A tensor with one element becomes an integer or real attribute, and a text attribute `<name>_type` that states the tensor's dtype.
  /// - Graphs are skipped; they are subgraphs of the node.
  ///
  /// Fails with `unsupported_model` if the attribute is a tensor that does not consist of one number, or has a type that this list does not
  /// contain.
  constexpr void add(const attribute_record& from) {
    if (from.body != npos) return;
    const auto stored = read(from.source);
    const auto name = from.name.empty() ? stored.name : from.name;
    attribute record{.name = reading_.view(name), .key = hash_of(name)};
    auto& program = reading_.builder.draft();
    switch (stored.type) {
      case attribute_type::real:
        record.kind = attribute_kind::real;
        record.real = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(stored.single.value)));
        break;
      case attribute_type::integer:
        record.integer = static_cast<std::int64_t>(stored.single.value);
        break;
      case attribute_type::text:
        record.kind = attribute_kind::text;
        if (stored.single) record.bytes = reading_.view(reading_.text(stored.single));
        break;
      case attribute_type::reals:
        record.kind = attribute_kind::reals;
        record.list.first = static_cast<std::uint32_t>(program.reals.size());
        for (const auto& f : list_) reading_.append_reals(f, program.reals);
        record.list.size = static_cast<std::uint32_t>(program.reals.size() - record.list.first);
        break;
      case attribute_type::integers:
        record.kind = attribute_kind::integers;
        record.list.first = static_cast<std::uint32_t>(program.integers.size());
        for (const auto& f : list_) reading_.append_integers(f, program.integers);
        record.list.size = static_cast<std::uint32_t>(program.integers.size() - record.list.first);
        break;
      case attribute_type::texts:
        record.kind = attribute_kind::text;
        record.bytes = joined_texts();
        break;
      case attribute_type::tensor:
        return add_element(name, tensors_.read(stored.single, name));
      default:
        reading_.refuse<"unsupported_model">("attribute ", baton::view(printable_name(name)), " has an unsupported type");
        return;
    }
    reading_.builder.add_attribute(record);
  }

  /// Returns the constant that an attribute of a `Constant` node states, as a value with the name `name`. Fails with `unsupported_model` if
  /// the attribute is not a tensor, a number or a list of numbers.
  constexpr auto constant(const attribute_record& from, std::string_view name) -> value {
    const auto stored = read(from.source);
    auto& pool = reading_.builder.draft().bytes;
    const auto first = pool.size();
    if (stored.type == attribute_type::tensor) return tensors_.read(stored.single, name);
    if (stored.type == attribute_type::sparse_tensor) return sparse_tensor_reader(reading_, tensors_).read(stored.single, name);
    if (stored.type == attribute_type::real) {
      append_little_endian(pool, stored.single.value, 4);
      return tensors_.make(name, dtype::float32, {}, reading_.appended_since(first));
    }
    if (stored.type == attribute_type::integer) {
      append_little_endian(pool, stored.single.value, 8);
      return tensors_.make(name, dtype::int64, {}, reading_.appended_since(first));
    }
    if (stored.type == attribute_type::reals) {
      vector<double> numbers;
      for (const auto& f : list_) reading_.append_reals(f, numbers);
      for (const auto each : numbers) append_little_endian(pool, std::bit_cast<std::uint32_t>(static_cast<float>(each)), 4);
      const auto count = static_cast<std::int64_t>(numbers.size());
      return tensors_.make(name, dtype::float32, {&count, 1}, reading_.appended_since(first));
    }
    if (stored.type == attribute_type::integers) {
      vector<std::int64_t> numbers;
      for (const auto& f : list_) reading_.append_integers(f, numbers);
      for (const auto each : numbers) append_little_endian(pool, static_cast<std::uint64_t>(each), 8);
      const auto count = static_cast<std::int64_t>(numbers.size());
      return tensors_.make(name, dtype::int64, {&count, 1}, reading_.appended_since(first));
    }
    reading_.refuse<"unsupported_model">("constant ", baton::view(printable_name(name)), " is not a tensor, a number or a list of numbers");
    return {};
  }

  /// Returns the value of an integer attribute, or 0 if the attribute has another type.
  constexpr auto integer(const attribute_record& from) -> std::int64_t {
    const auto stored = read(from.source);
    return stored.type == attribute_type::integer ? static_cast<std::int64_t>(stored.single.value) : 0;
  }
  /// Returns the values of an attribute that is a list of integers, or an empty list if the attribute has another type.
  constexpr auto integers(const attribute_record& from) -> vector<std::int64_t> {
    vector<std::int64_t> numbers;
    if (read(from.source).type != attribute_type::integers) return numbers;
    for (const auto& f : list_) reading_.append_integers(f, numbers);
    return numbers;
  }

 private:
  /// An attribute as it is stored in the file. `single` is the field of a single value; the fields of a list are in `list_`.
  struct stored_attribute {
    std::string_view name;
    attribute_type type = attribute_type::unknown;
    field single;
  };

  /// Returns the type of an attribute whose value is in field `number`, for files that do not state the type.
  static constexpr auto type_of_field(std::uint32_t number) -> attribute_type {
    constexpr attribute_type types[] = {attribute_type::unknown,  attribute_type::unknown, attribute_type::real,   attribute_type::integer,
                                        attribute_type::text,     attribute_type::tensor,  attribute_type::graph,  attribute_type::reals,
                                        attribute_type::integers, attribute_type::texts,   attribute_type::tensors};
    if (number == number::attribute::sparse_tensor) return attribute_type::sparse_tensor;
    return number <= number::attribute::tensors ? types[number] : attribute_type::unknown;
  }

  constexpr auto read(const field& from) -> stored_attribute {
    stored_attribute stored;
    std::uint64_t type = 0;
    auto seen = attribute_type::unknown;
    list_.clear();
    field f{};
    for (message attribute(reading_.reader, from); attribute.next(f);) {
      if (f.number == number::attribute::name) {
        stored.name = reading_.text(f);
      } else if (f.number == number::attribute::type) {
        type = reading_.number(f);
      } else if (f.number >= number::attribute::reals && f.number <= number::attribute::texts) {
        list_.push_back(f);
        seen = type_of_field(f.number);
      } else if (const auto of_field = type_of_field(f.number); of_field != attribute_type::unknown) {
        stored.single = f;
        seen = of_field;
      }
    }
    stored.type = type == 0 ? seen : type <= 11 ? static_cast<attribute_type>(type) : attribute_type::unknown;
    if (seen != attribute_type::unknown && stored.type != seen) reading_.reader.fail();
    if (stored.single && stored.single.wire != wire_of(stored.type)) reading_.reader.fail();
    return stored;
  }
  /// Returns the wire type in which a single value of this type is stored.
  static constexpr auto wire_of(attribute_type type) -> wire_type {
    if (type == attribute_type::integer) return wire_type::varint;
    return type == attribute_type::real ? wire_type::fixed32 : wire_type::bytes;
  }

  constexpr auto joined_texts() -> byte_ref {
    auto& pool = reading_.builder.draft().bytes;
    const auto first = pool.size();
    for (std::size_t i = 0; i < list_.size(); ++i) append(append(pool, i == 0 ? "" : ","), reading_.text(list_[i]));
    return reading_.appended_since(first);
  }

  /// Adds the only element of a tensor as an attribute. Fails with `unsupported_model` if the tensor does not have exactly one element, or
  /// has an unsupported dtype.
  constexpr void add_element(std::string_view name, const value& tensor) {
    auto& program = reading_.builder.draft();
    if (reading_.why || !reading_.reader.ok()) return;
    const auto bytes = baton::program_view(program).data(tensor.data);
    const auto bits = facts(tensor.type).bits;
    const bool is_real = tensor.type == dtype::float32 || tensor.type == dtype::float64;
    const bool is_integer = !is_real && (bits >= 8 && bits <= 64) && (tensor.type >= dtype::int8 && tensor.type <= dtype::boolean) &&
                            tensor.type != dtype::uint4;
    if (bytes.size() * 8 != bits || (!is_real && !is_integer)) {
      reading_.refuse<"unsupported_model">("attribute ", baton::view(printable_name(name)),
                                           " is a tensor that does not consist of one number");
      return;
    }
    std::uint64_t stored = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) stored = stored << 8 | static_cast<unsigned char>(bytes[i]);
    attribute record{.name = reading_.view(name), .key = hash_of(name)};
    if (is_real) {
      record.kind = attribute_kind::real;
      record.real = tensor.type == dtype::float64 ? std::bit_cast<double>(stored)
                                                  : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(stored)));
    } else {
      const bool is_signed = tensor.type <= dtype::int64;
      const auto unused = 64u - bits;
      record.integer = is_signed ? static_cast<std::int64_t>(stored << unused) >> unused : static_cast<std::int64_t>(stored);
    }
    reading_.builder.add_attribute(record);
    const auto type_name = join(name, "_type");
    reading_.builder.add_attribute({.name = reading_.builder.own(baton::view(type_name)),
                                    .key = hash_of(baton::view(type_name)),
                                    .kind = attribute_kind::text,
                                    .bytes = program_builder::view(facts(tensor.type).name)});
  }

  reading& reading_;
  tensor_reader& tensors_;
  vector<field> list_;  ///< the fields of the current attribute's list
};

}  // namespace baton::onnx::detail
