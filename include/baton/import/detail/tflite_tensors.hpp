// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tensors of TFLite models: type, shape, quantization and data.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::tflite::detail {

/// Makes values of tensors; which kind of value one is, its graph knows.
class tensor_reader {
 public:
  using table = flatbuffer::table;

  constexpr explicit tensor_reader(reading& to) : to_(to) {}

  /// The data that tensors refer to by number.
  constexpr void set_buffers(const flatbuffer::vector<table>& buffers) { buffers_ = buffers; }

  /// Values that another reader has made of the root graph's tensors, by position; one without a name is not made.
  constexpr void set_known(const baton::program_view& known) { known_ = known; }

  /// What is alike for tensors of all kinds; `tensor` is its place in the graph.
  constexpr auto read(const table& stored, std::size_t tensor) -> value {
    to_.pay_for_records(1);
    value record;
    if (index(to_.builder.current()) == 0 && tensor < known_.values.size() && known_.values[tensor].name.size != 0) {
      record = known_.values[tensor];
      if (record.name.outside == nullptr) record.name = to_.own(join(known_.text(record.name)));
      record.shape = to_.builder.integers(known_.integer_list(record.shape));
      return record;
    }
    const auto name = stored.text(slot::tensor::name);
    if (name.empty()) {
      record.name = to_.own(join("tensor_", tensor));
    } else {
      record.name = to_.view(name);
    }
    if (const auto* type = find_tensor_type(stored.scalar<std::int8_t>(slot::tensor::type))) {
      record.type = *type;
    } else {
      to_.refuse<"unsupported_model">("tensor ", tensor, " has an unknown type");
    }
    record.shape = to_.integers(stored.elements<std::int32_t>(slot::tensor::shape));
    if (const auto quant = stored.child(slot::tensor::quantization)) record.quant = read_quantization(quant, tensor);
    if (record.shape.size == 1) record.quant.axis = 0;  // old converters note the axis of the weights at a bias, too
    if (stored.field(slot::tensor::sparsity) != 0) to_.refuse<"unsupported_model">("tensor ", tensor, " is sparse");
    return record;
  }

  constexpr auto data_of(const table& stored) -> byte_ref {
    if (stored.scalar<std::uint32_t>(slot::tensor::external_buffer) != 0) {
      to_.refuse<"unsupported_model">("a tensor has its data in another file");
    }
    const auto number = stored.scalar<std::uint32_t>(slot::tensor::buffer);
    if (number == 0) return {};
    const auto buffer = buffers_[number];
    const auto at = buffer.scalar<std::uint64_t>(slot::buffer::offset);
    if (at > 1) return to_.piece(at, buffer.scalar<std::uint64_t>(slot::buffer::size));
    return to_.view(buffer.bytes(slot::buffer::data));
  }

  /// Whether a value has no elements, so that a constant needs no data: the shape that makes a scalar, for one.
  constexpr auto is_empty(const value& record) -> bool { return element_count(to_.builder.draft().integer_list(record.shape)) == 0; }

  /// What a variable begins with that nobody gives a value: the zero point of a tensor in every byte, as in `micro_resource_variable.cc`
  /// and `ResetVariableTensors` of TensorFlow Lite Micro. No data where that is zero.
  constexpr auto zeros(const value& record, const table& stored) -> byte_ref {
    const auto points = stored.child(slot::tensor::quantization).elements<std::int64_t>(slot::quantization_parameters::zero_point);
    const auto zero = points.empty() ? 0 : static_cast<std::int8_t>(points[0] & 0xff);
    const auto bytes = byte_count(record.type, to_.builder.draft().integer_list(record.shape));
    if (zero == 0 || bytes <= 0 || !to_.reader.spend(static_cast<std::uint64_t>(bytes))) return {};
    return to_.builder.own(baton::view(text_buffer(static_cast<std::size_t>(bytes), static_cast<char>(zero))));
  }

 private:
  constexpr auto read_quantization(const table& stored, std::size_t tensor) -> quantization {
    using field = slot::quantization_parameters;
    if (stored.scalar<std::uint8_t>(field::details_type) != 0) {
      to_.refuse<"unsupported_model">("tensor ", tensor, " is quantized by more than scales and zero points");
    }
    const auto scales = stored.elements<float>(field::scale);
    if (scales.empty()) return {};
    return {to_.packed(scales), to_.packed(stored.elements<std::int64_t>(field::zero_point)), static_cast<std::uint32_t>(scales.size()),
            stored.scalar<std::int32_t>(field::quantized_dimension)};
  }

  reading& to_;
  flatbuffer::vector<table> buffers_;
  baton::program_view known_;
};

}  // namespace baton::tflite::detail
