// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Constant tensors of ONNX models: type, shape, and data in the file or in an external file.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_external_data.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/onnx_types.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// A converter of tensors to constant values.
class tensor_reader {
  // This member is defined before its first use, because Clang does not evaluate a member template that is defined later in the class.
  template <fixed_string Rule, class... Parts>
  constexpr void refuse(std::string_view name, Parts... reason) {
    reading_.refuse<Rule>("tensor ", baton::view(printable_name(name)), " ", reason...);
  }

 public:
  constexpr explicit tensor_reader(reading& model) : reading_(model) {}

  /// Returns the value of a tensor. If `name` is empty, the value has the tensor's own name. After an error, which is recorded,
  /// the returned value is arbitrary.
  constexpr auto read(const field& from, std::string_view name = {}) -> value {
    auto& integers = reading_.builder.draft().integers;
    std::uint64_t data_type = 0;
    bool is_external = false;
    field raw{};
    external_data external;
    value record{.kind = value_kind::constant, .shape = {static_cast<std::uint32_t>(integers.size()), 0}};
    typed_.clear();
    field f{};
    for (message tensor(reading_.reader, from); tensor.next(f);) {
      switch (f.number) {
        case number::tensor::dims:
          reading_.append_integers(f, integers);
          break;
        case number::tensor::data_type:
          data_type = reading_.number(f);
          break;
        case number::tensor::name:
          if (name.empty()) name = reading_.text(f);
          break;
        case number::tensor::raw_data:
          raw = f;
          break;
        case number::tensor::float_data:
        case number::tensor::int32_data:
        case number::tensor::int64_data:
        case number::tensor::double_data:
        case number::tensor::uint64_data:
        case number::tensor::string_data:
          typed_.push_back(f);
          break;
        case number::tensor::external_data:
          external.add(reading_, f);
          break;
        case number::tensor::data_location:
          is_external = reading_.number(f) == 1;
          break;
        case number::tensor::segment:
          refuse<"unsupported_model">(name, "is split into segments");
          break;
        default:
          break;
      }
    }
    record.shape.size = static_cast<std::uint32_t>(integers.size() - record.shape.first);
    record.name = record.target = reading_.view(name);
    const auto element = element_type_of(static_cast<std::int64_t>(data_type));
    if (!element.is_known || element.type == dtype::text) {
      refuse<"unsupported_model">(name, "has the unsupported data type ", data_type);
      return record;
    }
    record.type = element.type;
    if (is_external) {
      record.data = reading_.view(external.find(reading_, name, byte_count(record.type, shape_of(record))));
    } else if (raw) {
      record.data = reading_.view(reading_.text(raw));
    } else {
      record.data = typed_data(record.type, name);
    }
    if (raw && !typed_.empty()) refuse<"damaged_model">(name, "has its data twice, in raw_data and in a typed field");
    check_size(record, name);
    return record;
  }

  /// Returns a constant value that contains a number or a list of numbers, such as the value of the attribute `value_ints` of a `Constant`.
  /// `data` contains the numbers.
  constexpr auto make(std::string_view name, dtype type, span<const std::int64_t> shape, byte_ref data) -> value {
    const auto text = reading_.view(name);
    return {
        .name = text, .type = type, .kind = value_kind::constant, .shape = reading_.builder.integers(shape), .data = data, .target = text};
  }

 private:
  constexpr auto shape_of(const value& record) -> span<const std::int64_t> { return reading_.builder.draft().integer_list(record.shape); }

  constexpr void check_size(const value& record, std::string_view name) {
    const auto bytes = byte_count(record.type, shape_of(record));
    if (bytes < 0) return refuse<"damaged_model">(name, "has a negative or excessive size");
    if (static_cast<std::uint64_t>(bytes) == record.data.size || reading_.why || !reading_.reader.ok()) return;
    reading_.refuse<"malformed_data">("tensor ", baton::view(printable_name(name)), " needs ", bytes, " bytes and has ", record.data.size);
  }

  /// Returns the data of the fields `typed_`, which store elements as numbers. If a single field contains all elements as packed float32 or
  /// float64 numbers, the result is a view of the file. Otherwise, the data is copied.
  constexpr auto typed_data(dtype type, std::string_view name) -> byte_ref {
    const auto typed_field = typed_field_of(type);
    for (const auto& f : typed_) {
      if (f.number != typed_field) refuse<"damaged_model">(name, "has numbers of a different data type");
    }
    const bool is_fixed = typed_field == number::tensor::float_data || typed_field == number::tensor::double_data;
    if (is_fixed && typed_.size() == 1 && typed_[0].wire == wire_type::bytes) return reading_.view(reading_.text(typed_[0]));
    auto& pool = reading_.builder.draft().bytes;
    const auto first = pool.size();
    const std::size_t width = facts(type).bits < 8 ? 1 : facts(type).bits / 8u;
    for (const auto& f : typed_) {
      if (is_fixed) {
        append(pool, f.wire == wire_type::varint && reading_.reader.fail() ? std::string_view{} : reading_.reader.text(f.at, f.size));
      } else if (f.wire == wire_type::varint) {
        append_little_endian(pool, f.value, width);
      } else {
        for (message packed(reading_.reader, f); packed.has_more();) append_little_endian(pool, packed.varint(), width);
      }
    }
    return reading_.appended_since(first);
  }

  reading& reading_;
  vector<field> typed_;  ///< the fields of the current tensor that store its elements as numbers
};

}  // namespace baton::onnx::detail
