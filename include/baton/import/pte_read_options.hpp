// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options for reading an ExecuTorch program: the method, files with tensors, and definitions of custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>
#include <string_view>

namespace baton::pte {

/// The options for reading a program, as a runtime value. All members are views.
struct read_options {
  /// A file with tensors of the program (.ptd). Its location is the name of the file. The location appears in messages, and is the
  /// `external_tag` of the named data from this file. Named data are bytes that delegates look up by key.
  using file = baton::detail::tensor_file;
  /// The shape of an input.
  using bound_shape = baton::detail::bound_shape;

  std::string_view entry{};  ///< the name of a method; if empty, `forward`, or the first method if there is no `forward`
  span<const file> files{};
  span<const bound_shape> shapes{};  ///< the shapes of inputs; input i has the name `input_<i>`
  operator_list operators{};         ///< the definitions of custom operators; the program keeps this view
  /// If true, delegates keep their processed bytes (the result of a backend's `preprocess`), so that a backend with the same id can execute
  /// the processed bytes. If false, processed bytes of a known format are decoded into operators.
  bool keeps_processed_bytes = false;
};

/// The read options, together with the lists that they view.
using read_option_lists = baton::detail::option_lists<read_options>;

/// A read option that selects the method: `baton::pte::read<model, baton::pte::entry<"decode">>`.
template <fixed_string Name>
struct entry : baton::detail::entry_option<read_option_lists, Name> {};

/// A read option that provides a file with tensors of the program: `baton::pte::read<model, baton::pte::external_file<"weights.ptd",
/// weights>>`. The program does not state the names of such files, only the names of tensors. All provided files are searched in order.
/// `Bytes` is an embedded array, as for `read_model`. The program views the bytes of this array.
template <fixed_string Location, const auto& Bytes>
struct external_file : baton::detail::file_option<read_option_lists, Location, Bytes> {};

/// A read option that sets the shape of an input whose sizes have upper bounds: `baton::pte::read<model, baton::pte::input_shape<"input_0",
/// 1, 64>>`. The sizes are in the order of the tensor's dimensions. A size must not exceed its upper bound. All other sizes of the program
/// are inferred from the input shapes. Without this option, the sizes of an input are its upper bounds.
template <fixed_string Input, std::int64_t... Sizes>
struct input_shape : baton::detail::shape_option<read_option_lists, Input, Sizes...> {
  static_assert(((Sizes >= 0) && ...), "baton pte::input_shape: a size is negative; write: baton::pte::input_shape<\"input_0\", 1, 64>");
};

/// A read option that adds definitions of custom operators: `baton::pte::read<model, baton::pte::custom_operators<my_operators>>`, where
/// `my_operators` is an array of `operator_definition`. The operator `my::blend.out` has the name `my.blend.out`.
template <const auto& Operators>
struct custom_operators : baton::detail::operators_option<read_option_lists, Operators> {};

/// A read option that disables the decoding of processed bytes: `baton::pte::read<model, baton::pte::keep_processed_bytes>`. Without this
/// option, no backend executes processed bytes of a known format (docs/pte.md), because these bytes are decoded into operators. An example
/// of a known format is that of ExecuTorch's XNNPACK backend.
struct keep_processed_bytes {
  static constexpr void add_to(read_option_lists& lists) { lists.options.keeps_processed_bytes = true; }
};

}  // namespace baton::pte
