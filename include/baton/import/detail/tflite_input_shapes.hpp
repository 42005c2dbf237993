// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The shapes of a TFLite model's inputs: unknown sizes in the file, and the shapes that the user states.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/tflite_read_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// A comparison of the inputs of the entry point with the shapes that the user states. A file has a shape for every tensor, with 1 in place
/// of each unknown size. A second list, `shape_signature`, marks the unknown sizes.
class input_shapes {
 public:
  using table = flatbuffer::table;

  constexpr input_shapes(reading& model, span<const read_options::bound_shape> shapes) : reading_(model), shapes_(shapes) {}

  /// Returns true if each input of the entry point has a valid shape, and each shape that the user states belongs to an input. Otherwise,
  /// records an error and returns false. A shape that the user states must equal the shape in the file. If the user states no shape for an
  /// input, all its sizes except the batch (dimension 0) must be known. The batch size is the size in the file.
  constexpr auto check(const flatbuffer::vector<table>& tensors, const flatbuffer::vector<std::int32_t>& inputs,
                       span<const value_id> values) -> bool {
    vector<char> is_used(shapes_.size(), 0);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto& record = reading_.builder.at(values[static_cast<std::size_t>(inputs[i])]);
      const auto stored = tensors[static_cast<std::size_t>(inputs[i])].elements<std::int32_t>(slot::tensor::shape_signature);
      const read_options::bound_shape* bound = nullptr;
      for (std::size_t s = 0; s < is_used.size(); ++s) {
        if (shapes_[s].input != reading_.builder.draft().text(record.name)) continue;
        bound = &shapes_[s];
        is_used[s] = 1;
      }
      if (bound != nullptr ? !check_bound_shape(record, *bound) : has_unknown_size(record, stored)) return false;
    }
    for (std::size_t s = 0; s < is_used.size(); ++s) {
      if (is_used[s] == 0) return refuse_input(shapes_[s].input, tensors, inputs);
    }
    return reading_.check_errors("the shapes of the inputs");
  }

 private:
  /// Returns true if a size other than the batch is unknown. If so, records an error that suggests a correction.
  constexpr auto has_unknown_size(const value& record, const flatbuffer::vector<std::int32_t>& stored) -> bool {
    std::size_t axis = 1;
    while (axis < stored.size() && stored[axis] >= 0) ++axis;
    if (axis >= stored.size()) return false;
    const auto name = shortened(reading_.builder.draft().text(record.name));
    const auto shape = shape_text(reading_.builder.draft().integer_list(record.shape));
    reading_.refuse<"unknown_size">("the size of dimension ", axis, " of input ", baton::view(name),
                                    " is unknown; export a fixed size, as in tf.TensorSpec([1, 49, 40]), ",
                                    "or select the size in the file: baton::tflite::input_shape<\"", baton::view(name), "\", ",
                                    baton::view(shape), ">");
    return true;
  }
  constexpr auto check_bound_shape(const value& record, const read_options::bound_shape& bound) -> bool {
    const auto shape = reading_.builder.draft().integer_list(record.shape);
    if (std::equal(shape.begin(), shape.end(), bound.sizes.begin(), bound.sizes.end())) return true;
    return reading_.refuse<"mismatched_shape">(
        "input ", baton::view(shortened(bound.input)), " has the sizes ", baton::view(shape_text(shape)),
        " in the file, and later nodes depend on them; export the model for ", baton::view(shape_text(bound.sizes)));
  }
  constexpr auto refuse_input(std::string_view name, const flatbuffer::vector<table>& tensors,
                              const flatbuffer::vector<std::int32_t>& inputs) -> bool {
    reading_.refuse<"unknown_name">("there is no input ", baton::view(shortened(name)), "; there are:");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      append(append(reading_.why.reason, " "),
             baton::view(shortened(tensors[static_cast<std::size_t>(inputs[i])].text(slot::tensor::name))));
    }
    return false;
  }
  static constexpr auto shape_text(span<const std::int64_t> sizes) -> text_buffer {
    text_buffer text;
    for (const auto size : sizes) append(append(text, text.empty() ? "" : ", "), size);
    return text;
  }

  reading& reading_;
  span<const read_options::bound_shape> shapes_;
};

}  // namespace baton::tflite::detail
