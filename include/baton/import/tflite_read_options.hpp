// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options for reading a TFLite model: the entry point, input shapes, and definitions of custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// The options for reading a model, as a runtime value. All members are views.
struct read_options {
  /// The shape of an input.
  using bound_shape = baton::detail::bound_shape;

  std::string_view entry{};          ///< the key of a signature, or the name of a graph; if empty, the model's first graph
  span<const bound_shape> shapes{};  ///< the shapes of inputs; an input is identified by its tensor name
  operator_list operators{};         ///< the definitions of custom operators; the program keeps this view
};

/// Read options, and the list that they view.
struct read_option_lists {
  read_options options;
  vector<read_options::bound_shape> shapes;

  /// Returns the options as a view of the list.
  constexpr auto viewed() const -> read_options {
    auto result = options;
    result.shapes = shapes;
    return result;
  }
};

/// Selects the entry point, by the key of a signature or the name of a graph: `baton::tflite::read<model, baton::tflite::entry<"decode">>`.
template <fixed_string Name>
struct entry {
  static constexpr void add_to(read_option_lists& lists) { lists.options.entry = Name; }
};

/// States the shape of an input: `baton::tflite::read<model, baton::tflite::input_shape<"audio", 1, 49, 40>>`. The stated shape must equal
/// the shape in the file, because the shapes of later values in the file depend on it. An input needs a stated shape if the file marks a
/// size other than the batch as unknown.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape {
  static constexpr std::int64_t sizes[sizeof...(Sizes) + 1] = {Sizes..., 0};
  static constexpr void add_to(read_option_lists& lists) { lists.shapes.push_back({Input, {sizes, sizeof...(Sizes)}}); }
};

/// Adds definitions of custom operators: `baton::tflite::read<model, baton::tflite::custom_operators<my_operators>>`, where `my_operators`
/// is an array of `operator_definition`. The program keeps the list (`exported_program::operators`) for passes, partitioners, costs and
/// reports. The inference rules of the list also check the output types in the file. A definition without an inference rule disables this
/// check for its operator.
template <const auto& Operators>
struct custom_operators {
  static constexpr void add_to(read_option_lists& lists) { lists.options.operators = Operators; }
};

}  // namespace baton::tflite
