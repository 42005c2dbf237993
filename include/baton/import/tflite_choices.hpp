// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the user of a TFLite model chooses: by which entry point it is run, and for which shapes.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/vector.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton::tflite {

/// The shape that an input has; views.
struct bound_shape {
  std::string_view input;
  std::span<const std::int64_t> sizes;
};

/// What is chosen at run time; views.
struct choices {
  std::string_view entry{};               ///< the key of a signature, or the name of a graph; empty: the model's first graph
  std::span<const bound_shape> shapes{};  ///< of inputs, by the names of their tensors
};

/// Chooses the entry point: the key of a signature, or the name of a graph. `baton::tflite::read<model, baton::tflite::entry<"decode">>`.
template <fixed_string Name>
struct entry {
  static constexpr void add_to(choices& chosen, vector<bound_shape>&) { chosen.entry = Name; }
};

/// Says which shape an input has: `baton::tflite::read<model, baton::tflite::input_shape<"audio", 1, 49, 40>>`. The shapes of what follows
/// are those of the file, so it must be the one that the file was made for, which is all that a file says of a size that is unknown.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape {
  static constexpr std::int64_t sizes[sizeof...(Sizes) + 1] = {Sizes..., 0};
  static constexpr void add_to(choices&, vector<bound_shape>& shapes) { shapes.push_back({Input, {sizes, sizeof...(Sizes)}}); }
};

/// Something that stands behind the bytes of a model: `entry` or `input_shape`.
template <class T>
concept choice = requires(choices& chosen, vector<bound_shape>& shapes) {
  { T::add_to(chosen, shapes) } -> std::same_as<void>;
};

}  // namespace baton::tflite
