// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the user of a TFLite model chooses: by which entry point it is run, for which shapes, and what is known of its custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// What is chosen at run time; views.
struct choices {
  /// The shape that an input has; views.
  struct bound_shape {
    std::string_view input;
    span<const std::int64_t> sizes;
  };

  std::string_view entry{};          ///< the key of a signature, or the name of a graph; empty: the model's first graph
  span<const bound_shape> shapes{};  ///< of inputs, by the names of their tensors
  operator_list operators{};         ///< the definitions of user-defined operators; the program keeps them
};

/// Chooses the entry point: the key of a signature, or the name of a graph. `baton::tflite::read<model, baton::tflite::entry<"decode">>`.
template <fixed_string Name>
struct entry {
  static constexpr void add_to(choices& chosen, vector<choices::bound_shape>&) { chosen.entry = Name; }
};

/// Says which shape an input has: `baton::tflite::read<model, baton::tflite::input_shape<"audio", 1, 49, 40>>`. The shapes of what follows
/// are those of the file, so it must be the one that the file was made for, which is all that a file says of a size that is unknown.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape {
  static constexpr std::int64_t sizes[sizeof...(Sizes) + 1] = {Sizes..., 0};
  static constexpr void add_to(choices&, vector<choices::bound_shape>& shapes) { shapes.push_back({Input, {sizes, sizeof...(Sizes)}}); }
};

/// Says what is known of operators, as custom ones: `baton::tflite::read<model, baton::tflite::defined<my_operators>>`, where these are an
/// array of `operator_definition`. The program keeps the list (`exported_program::operators`), so that passes, partitioners, costs and
/// reports read it. Outputs in the file are checked by its rules, too; a definition without one turns a check off.
template <const auto& Operators>
struct defined {
  static constexpr void add_to(choices& chosen, vector<choices::bound_shape>&) { chosen.operators = Operators; }
};

}  // namespace baton::tflite
