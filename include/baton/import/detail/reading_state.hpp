// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The state of reading one model, for all formats: the bytes, the program under construction, and the first failure.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The state of reading one model. Only the first error is recorded. A failed read of the byte reader yields zero or an empty
/// view. Later, `check_errors` records the failure, and states the part of the file that was read.
class reading_state {
 public:
  /// The work that is charged (`byte_reader::charge`) for a record that the program may contain several times although the file
  /// contains it once. The work limit is about 16 per byte of the file, so the program has at most about one such record per
  /// eight bytes.
  static constexpr std::uint64_t cost_of_record = 128;
  /// The work that is charged for an attribute of a node.
  static constexpr std::uint64_t cost_of_attribute = 64;
  /// The work that is charged for an operand, a list element or a copied character. This charge limits each array of the program to
  /// about one element per byte of the file.
  static constexpr std::uint64_t cost_of_element = 16;
  /// The maximum nesting of branches, loops and functions. It bounds the recursion of the importer.
  static constexpr std::uint32_t max_nesting = 16;

  constexpr explicit reading_state(span<const char> bytes) : reader(bytes) {
    builder.draft().bytes.clear();  // removes the builder's default name of the root graph; the reader of the format sets another name
  }

  byte_reader reader;
  program_builder builder;
  failure why;

  template <fixed_string Rule, class... Parts>
  constexpr auto refuse(Parts... reason) -> bool {
    if (!why) why = broken<Rule>(reason...);
    return false;
  }

  /// True if there is no error so far. Records a failure of the byte reader as `damaged_model`. `where` names the part of the file that was
  /// read, for the message.
  template <class... Parts>
  constexpr auto check_errors(Parts... where) -> bool {
    if (!reader.ok()) refuse<"damaged_model">(where..., " cannot be read");
    return !why;
  }

  /// Copies a text into the program.
  constexpr auto own(const text_buffer& text) -> byte_ref {
    reader.charge(cost_of_element * text.size());
    return builder.own(view(text));
  }

  /// Returns a reference to the bytes of the program from position `first` to the end.
  constexpr auto appended_since(std::size_t first) -> byte_ref {
    return {nullptr, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(builder.draft().bytes.size() - first)};
  }
};

}  // namespace baton::detail
