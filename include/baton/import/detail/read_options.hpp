// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The parts of read options that formats have in common: files with tensors, shapes of inputs, and importers with options.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/importer.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// A file that contains tensors of a model.
struct tensor_file {
  std::string_view location;
  span<const char> bytes;  ///< the content, which must outlive the program
};

/// The size of a symbolic dimension.
struct bound_dimension {
  std::string_view symbol;
  std::int64_t size;
};

/// The shape of an input.
struct bound_shape {
  std::string_view input;
  span<const std::int64_t> sizes;
};

/// A template argument of the `read` of a format after the bytes of the model. `Lists` is the `read_option_lists` of the format.
template <class T, class Lists>
concept choice = requires(Lists& lists) {
  { T::add_to(lists) } -> std::same_as<void>;
};

/// The importer of a format with the read options `Choices`.
template <class Importer, class Lists, class... Choices>
struct choosing_importer {
  static constexpr std::string_view format = Importer::format;
  static constexpr auto recognizes(span<const char> bytes) -> bool { return Importer::recognizes(bytes); }
  static constexpr auto read(span<const char> bytes) -> result<exported_program> {
    return with_choices([&](const auto& chosen) { return Importer::read(bytes, chosen); });
  }
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program>
    requires requires(Lists lists) { lists.options.entry = entry; }
  {
    return with_choices([&](auto chosen) {
      if (!entry.empty()) chosen.entry = entry;
      return Importer::read(bytes, chosen);
    });
  }
  static constexpr auto entry_points(span<const char> bytes) -> vector<entry_point>
    requires requires { Importer::entry_points(bytes); }
  {
    return Importer::entry_points(bytes);
  }

 protected:
  /// Calls `f` with the options.
  template <class F>
  static constexpr auto with_choices(F f) {
    Lists lists;
    if constexpr ((choice<Choices, Lists> && ...)) (Choices::add_to(lists), ...);
    return f(lists.viewed());
  }
};

}  // namespace baton::detail
