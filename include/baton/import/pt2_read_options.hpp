// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options for reading a torch.export program: the name of the program, values of symbols (dynamic sizes), input shapes, and custom
// operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton::pt2 {

/// The options for reading a program, as a runtime value. All members are views.
struct read_options {
  /// The value of a symbol. A symbol is torch.export's name for a dynamic size, such as `s77`.
  using bound_dimension = baton::detail::bound_dimension;
  /// The shape of an input.
  using bound_shape = baton::detail::bound_shape;

  /// The name of a program. An empty name selects `model`, or `forward` if there is no `model`, or the first program if the archive has
  /// neither.
  std::string_view entry{};
  span<const bound_dimension> dimensions{};
  span<const bound_shape> shapes{};
  operator_list operators{};  ///< the definitions of custom operators; the program keeps this view
};

/// The read options, together with the lists that they view.
using read_option_lists = baton::detail::option_lists<read_options>;

/// A read option that selects a program of the archive: `baton::pt2::read<model, baton::pt2::entry<"decode">>`.
template <fixed_string Name>
struct entry : baton::detail::entry_option<read_option_lists, Name> {};

/// A read option that sets the value of a symbol: `baton::pt2::read<model, baton::pt2::dimension<"s77", 16>>`. A symbol without a value
/// gets the value 1 if it is dimension 0 of an input and the range of the symbol contains 1. The use of a symbol that still has no value is
/// an error.
template <fixed_string Symbol, std::int64_t Size>
struct dimension : baton::detail::dimension_option<read_option_lists, Symbol, Size> {
  static_assert(Size >= 0, "baton pt2::dimension: a size is negative; write: baton::pt2::dimension<\"s77\", 16>");
};

/// A read option that sets the shape of an input: `baton::pt2::read<model, baton::pt2::input_shape<"x", 16, 64>>`. The shape must agree
/// with the known sizes in the file. The option also sets the values of the symbols in the input's shape.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape : baton::detail::shape_option<read_option_lists, Input, Sizes...> {
  static_assert(((Sizes >= 0) && ...), "baton pt2::input_shape: a size is negative; write: baton::pt2::input_shape<\"x\", 1, 64>");
};

/// A read option that adds definitions of custom operators: `baton::pt2::read<model, baton::pt2::custom_operators<my_operators>>`, where
/// `my_operators` is an array of `operator_definition`. The operator `torch.ops.my.blend.default` has the name `my.blend.default`.
template <const auto& Operators>
struct custom_operators : baton::detail::operators_option<read_option_lists, Operators> {};

}  // namespace baton::pt2
