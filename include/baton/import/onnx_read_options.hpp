// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options for reading an ONNX model: external files, sizes of symbolic dimensions, input shapes, and custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton::onnx {

/// The options for reading a model, as a runtime value. All members are views.
struct read_options {
  /// A file that contains tensors of the model. Its location is the path that the model states, relative to the folder of the model.
  using file = baton::detail::tensor_file;
  /// The size of a symbolic dimension.
  using bound_dimension = baton::detail::bound_dimension;
  /// The shape of an input.
  using bound_shape = baton::detail::bound_shape;

  span<const file> files{};
  span<const bound_dimension> dimensions{};
  span<const bound_shape> shapes{};
  operator_list operators{};  ///< the definitions of custom operators; the program keeps this view
};

/// The read options, together with the lists that they view.
using read_option_lists = baton::detail::option_lists<read_options>;

/// A read option that provides a file with tensors of the model: `baton::onnx::read<model, baton::onnx::external_file<"weights.bin",
/// weights>>`. `Location` is the path that the model states. `Bytes` is an embedded array, as for `read_model`. The program views the bytes
/// of this array.
template <fixed_string Location, const auto& Bytes>
struct external_file : baton::detail::file_option<read_option_lists, Location, Bytes> {};

/// A read option that sets the size of a symbolic dimension: `baton::onnx::read<model, baton::onnx::dimension<"sequence", 16>>`. A symbol
/// that neither this option nor `input_shape` sets has the size 1 if it is dimension 0 of an input. Any other unset symbol of an input is
/// an error (`unknown_size`).
template <fixed_string Symbol, std::int64_t Size>
struct dimension : baton::detail::dimension_option<read_option_lists, Symbol, Size> {
  static_assert(Size >= 0, "baton onnx::dimension: a size is negative; write: baton::onnx::dimension<\"N\", 4>");
};

/// A read option that sets the shape of an input: `baton::onnx::read<model, baton::onnx::input_shape<"audio", 1, 49, 40>>`. The shape must
/// agree with the known sizes in the file. The option also sets the sizes of the input's symbolic dimensions.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape : baton::detail::shape_option<read_option_lists, Input, Sizes...> {
  static_assert(((Sizes >= 0) && ...), "baton onnx::input_shape: a size is negative; write: baton::onnx::input_shape<\"x\", 1, 4>");
};

/// A read option that adds definitions of custom operators: `baton::onnx::read<model, baton::onnx::custom_operators<my_operators>>`, where
/// `my_operators` is an array of `operator_definition`. The operator `Blend` of the domain `my` has the name `onnx.my.Blend`. Every
/// definition needs an inference rule, unless the file states the output types of the operator.
template <const auto& Operators>
struct custom_operators : baton::detail::operators_option<read_option_lists, Operators> {};

}  // namespace baton::onnx
