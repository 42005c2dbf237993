// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options for reading an ExecuTorch program: the method, files with tensors, and definitions of custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/operators/operator_definition.hpp>

#include <string_view>

namespace baton::pte {

/// The options for reading a program, as a runtime value. All members are views.
struct read_options {
  /// A file with tensors of the program (.ptd).
  struct file {
    std::string_view location;  ///< its name, for messages, and the external tag of its named data
    span<const char> bytes;     ///< the content, which must outlive the program
  };

  std::string_view entry{};  ///< the name of a method; if empty, `forward`, or the first method if there is no `forward`
  span<const file> files{};
  operator_list operators{};  ///< the definitions of custom operators; the program keeps this view
};

/// Read options, and the lists that they view.
struct read_option_lists {
  read_options options;
  vector<read_options::file> files;
};

/// Selects the method: `baton::pte::read<model, baton::pte::entry<"decode">>`.
template <fixed_string Name>
struct entry {
  static constexpr void add_to(read_option_lists& lists) { lists.options.entry = Name; }
};

/// Provides a file with tensors of the program: `baton::pte::read<model, baton::pte::external_file<"weights.ptd", weights>>`. The program
/// does not state the names of such files, only the names of tensors. All provided files are searched in order. `Bytes` is an embedded
/// array, as for `read_model`. The program views its bytes.
template <fixed_string Location, const auto& Bytes>
struct external_file {
  static constexpr void add_to(read_option_lists& lists) {
    lists.files.push_back({Location, baton::detail::embedded_bytes<Bytes>::bytes()});
  }
};

/// Adds definitions of custom operators: `baton::pte::read<model, baton::pte::custom_operators<my_operators>>`, where `my_operators` is an
/// array of `operator_definition`. The operator `my::blend.out` has the name `my.blend.out`.
template <const auto& Operators>
struct custom_operators {
  static constexpr void add_to(read_option_lists& lists) { lists.options.operators = Operators; }
};

}  // namespace baton::pte
