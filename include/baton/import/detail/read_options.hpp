// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Read options that several formats share: lists of options, template arguments that add to the lists, and importers with options.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/import/importer.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton::detail {

/// A file that contains tensors of a model. The path or name `location` identifies the file.
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

/// The read options of a format, together with the lists that the options view. `Options` has a member `files` or `dimensions` if the
/// format has such options.
template <class Options>
struct option_lists {
  Options options;
  vector<tensor_file> files;
  vector<bound_dimension> dimensions;
  vector<bound_shape> shapes;

  /// Returns the options, whose members view the lists.
  constexpr auto viewed() const -> Options {
    auto result = options;
    if constexpr (requires { result.files; }) result.files = files;
    if constexpr (requires { result.dimensions; }) result.dimensions = dimensions;
    result.shapes = shapes;
    return result;
  }
};

// The following templates are bases of read options: the template arguments of a format's `read`, after the bytes of the model. `Lists` is
// the `read_option_lists` of the format, so that the options of another format are errors. Each format defines the public names of its read
// options, and the error messages.

template <class Lists, fixed_string Name>
struct entry_option {
  static constexpr void add_to(Lists& lists) { lists.options.entry = Name; }
};
template <class Lists, fixed_string Location, const auto& Bytes>
struct file_option {
  static constexpr void add_to(Lists& lists) { lists.files.push_back({Location, embedded_bytes<Bytes>::bytes()}); }
};
template <class Lists, fixed_string Symbol, std::int64_t Size>
struct dimension_option {
  static constexpr void add_to(Lists& lists) { lists.dimensions.push_back({Symbol, Size}); }
};
template <class Lists, fixed_string Input, std::int64_t... Sizes>
struct shape_option {
  static constexpr std::int64_t sizes[sizeof...(Sizes) + 1] = {Sizes..., 0};
  static constexpr void add_to(Lists& lists) { lists.shapes.push_back({Input, {sizes, sizeof...(Sizes)}}); }
};
template <class Lists, const auto& Operators>
struct operators_option {
  static constexpr void add_to(Lists& lists) { lists.options.operators = Operators; }
};

/// A read option: a template argument of a format's `read`, after the bytes of the model.
template <class T, class Lists>
concept read_option = requires(Lists& lists) {
  { T::add_to(lists) } -> std::same_as<void>;
};
/// True if all types satisfy `read_option`. This is a constant, so that an error message does not list the requirements of the concept.
template <class Lists, class... ReadOptions>
inline constexpr bool are_read_options = (read_option<ReadOptions, Lists> && ...);

/// Returns the result of `f` for the read options `ReadOptions`. If `entry` is not empty, it replaces the entry in `ReadOptions`.
template <class Lists, class... ReadOptions, class F>
constexpr auto with_read_options(F f, std::string_view entry = {}) {
  Lists lists;
  if constexpr (are_read_options<Lists, ReadOptions...>) (ReadOptions::add_to(lists), ...);
  if constexpr (requires { lists.options.entry = entry; }) {
    if (!entry.empty()) lists.options.entry = entry;
  }
  return f(lists.viewed());
}

/// The importer of a format with the read options `ReadOptions`.
template <class Importer, class Lists, class... ReadOptions>
struct importer_with_options {
  static constexpr std::string_view format = Importer::format;
  static constexpr auto recognizes(span<const char> bytes) -> bool { return Importer::recognizes(bytes); }
  static constexpr auto read(span<const char> bytes) -> result<exported_program> {
    return with_read_options([&](const auto& user_options) { return Importer::read(bytes, user_options); });
  }
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program>
    requires requires(Lists lists) { lists.options.entry = entry; }
  {
    return with_read_options([&](const auto& user_options) { return Importer::read(bytes, user_options); }, entry);
  }
  static constexpr auto entry_points(span<const char> bytes) -> vector<entry_point>
    requires requires { Importer::entry_points(bytes); }
  {
    return Importer::entry_points(bytes);
  }

 protected:
  template <class F>
  static constexpr auto with_read_options(F f, std::string_view entry = {}) {
    return detail::with_read_options<Lists, ReadOptions...>(f, entry);
  }
};

}  // namespace baton::detail
