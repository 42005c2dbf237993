// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options for reading a TFLite model: the entry point, input shapes, and definitions of custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// The options for reading a model, as a runtime value. All members are views.
struct read_options {
  /// The shape of an input.
  using bound_shape = baton::detail::bound_shape;

  std::string_view entry{};  ///< the key of a signature (a named entry point), or the name of a graph; if empty, the model's first graph
  span<const bound_shape> shapes{};  ///< the shapes of inputs; an input is identified by its tensor name
  operator_list operators{};         ///< the definitions of custom operators; the program keeps this view
};

/// The read options, together with the lists that they view.
using read_option_lists = baton::detail::option_lists<read_options>;

/// A read option that selects the entry point, by the key of a signature or the name of a graph: `baton::tflite::read<model,
/// baton::tflite::entry<"decode">>`.
template <fixed_string Name>
struct entry : baton::detail::entry_option<read_option_lists, Name> {};

/// A read option that states the shape of an input: `baton::tflite::read<model, baton::tflite::input_shape<"audio", 1, 49, 40>>`. An input
/// needs this option if the file marks a size as unknown, unless this size is the batch (dimension 0). The option confirms the size with
/// which the file was converted. Any other size is an error, because later shapes in the file depend on this size.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape : baton::detail::shape_option<read_option_lists, Input, Sizes...> {};

/// A read option that adds definitions of custom operators: `baton::tflite::read<model, baton::tflite::custom_operators<my_operators>>`,
/// where `my_operators` is an array of `operator_definition`. The program keeps the list (`exported_program::operators`) for passes,
/// partitioners, costs and reports. The inference rules of the list also check the output types in the file. A definition without an
/// inference rule disables this check for its operator.
template <const auto& Operators>
struct custom_operators : baton::detail::operators_option<read_option_lists, Operators> {};

}  // namespace baton::tflite
