// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tensors of TFLite models: type, shape, quantization and data.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/shortened.hpp>
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

/// A converter of tensors to values. The caller sets the kind of each value.
class tensor_reader {
 public:
  using table = flatbuffer::table;

  constexpr explicit tensor_reader(reading& model) : reading_(model) {}

  /// Sets the buffers that tensors refer to by index.
  constexpr void set_buffers(const flatbuffer::vector<table>& buffers) { buffers_ = buffers; }

  /// Sets the values that another reader has read from the root graph's tensors, indexed by position. A value without a name marks a tensor
  /// that the other reader could not read, so this reader reads it again.
  constexpr void set_known(const baton::program_view& known) { known_ = known; }

  /// Returns a value with the name, type, shape and quantization of a tensor of the current graph. `tensor` is the position of the tensor.
  constexpr auto read(const table& stored, std::size_t tensor) -> value {
    if (index(reading_.builder.current()) == 0 && tensor < known_.values.size() && known_.values[tensor].name.size != 0) {
      reading_.charge_records(1);
      auto record = known_.values[tensor];
      if (record.name.outside == nullptr) record.name = reading_.own(join(known_.text(record.name)));
      record.shape = reading_.builder.integers(known_.integer_list(record.shape));
      return record;
    }
    return convert(stored, tensor);
  }
  /// Returns a value with the name, type, shape and quantization of a tensor of any graph. Messages contain the number `tensor`. If the
  /// tensor has no name, the name of the value also contains this number.
  constexpr auto convert(const table& stored, std::size_t tensor) -> value {
    reading_.charge_records(1);
    value record;
    const auto name = stored.text(slot::tensor::name);
    if (name.empty()) {
      record.name = reading_.own(join("tensor_", tensor));
    } else {
      record.name = reading_.view(name);
    }
    if (const auto* type = find_tensor_type(stored.scalar<std::int8_t>(slot::tensor::type))) {
      record.type = *type;
    } else {
      reading_.refuse<"unsupported_model">("tensor ", tensor, " has an unknown type");
    }
    record.shape = reading_.integers(stored.elements<std::int32_t>(slot::tensor::shape));
    if (const auto quant = stored.child(slot::tensor::quantization)) record.quant = read_quantization(quant, tensor);
    if (record.shape.size == 1) record.quant.axis = 0;  // old converters store the axis of the weights also in the bias
    if (stored.field(slot::tensor::sparsity) != 0) reading_.refuse<"unsupported_model">("tensor ", tensor, " is sparse");
    return record;
  }

  constexpr auto data_of(const table& stored) -> byte_ref {
    if (stored.scalar<std::uint32_t>(slot::tensor::external_buffer) != 0) {
      reading_.refuse<"unsupported_model">("the data of tensor ", baton::view(shortened(stored.text(slot::tensor::name))),
                                           " is in another file");
    }
    const auto number = stored.scalar<std::uint32_t>(slot::tensor::buffer);
    if (number == 0) return {};
    const auto buffer = buffers_[number];
    const auto at = buffer.scalar<std::uint64_t>(slot::buffer::offset);
    if (at > 1) return reading_.file_bytes(at, buffer.scalar<std::uint64_t>(slot::buffer::size));
    return reading_.view(buffer.bytes(slot::buffer::data));
  }

  /// True if a value has no elements, so that it can be a constant without data. An example is the list of sizes with which a reshape
  /// produces a scalar.
  constexpr auto is_empty(const value& record) -> bool { return element_count(reading_.builder.draft().integer_list(record.shape)) == 0; }

  /// Returns the initial value of a variable tensor or resource variable for which the file has no initial value. Every byte is the zero
  /// point of the tensor `stored`, as in `micro_resource_variable.cc` and `ResetVariableTensors` of TensorFlow Lite Micro. Returns no data
  /// if the zero point is 0.
  constexpr auto initial_zero_points(const value& record, const table& stored) -> byte_ref {
    const auto points = stored.child(slot::tensor::quantization).elements<std::int64_t>(slot::quantization_parameters::zero_point);
    const auto zero = points.empty() ? 0 : static_cast<std::int8_t>(points[0] & 0xff);
    const auto bytes = byte_count(record.type, reading_.builder.draft().integer_list(record.shape));
    if (zero == 0 || bytes <= 0 || !reading_.reader.charge(static_cast<std::uint64_t>(bytes))) return {};
    return reading_.builder.own(baton::view(text_buffer(static_cast<std::size_t>(bytes), static_cast<char>(zero))));
  }

 private:
  constexpr auto read_quantization(const table& stored, std::size_t tensor) -> quantization {
    using field = slot::quantization_parameters;
    if (stored.scalar<std::uint8_t>(field::details_type) != 0) {
      reading_.refuse<"unsupported_model">("tensor ", tensor, " has quantization other than scales and zero points");
    }
    const auto scales = stored.elements<float>(field::scale);
    if (scales.empty()) return {};
    return {reading_.packed(scales), reading_.packed(stored.elements<std::int64_t>(field::zero_point)),
            static_cast<std::uint32_t>(scales.size()), stored.scalar<std::int32_t>(field::quantized_dimension)};
  }

  reading& reading_;
  flatbuffer::vector<table> buffers_;
  baton::program_view known_;
};

}  // namespace baton::tflite::detail
