// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The importer of torch.export: reads .pt2 files at compile time or at run time, and lists their programs.
#pragma once

// The next header is included first, so that its diagnostics have a short include chain.
#include <baton/import/shared/rules.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_model.hpp>
#include <baton/import/detail/pt2_pieces.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/pt2_read_options.hpp>
#include <baton/operators/verify.hpp>

#include <string_view>
#include <type_traits>

namespace baton::pt2 {

/// The importer of torch.export archives of schema version 8. An archive is a zip file with one record (a file of the archive) per tensor.
/// docs/import.md describes the program that the importer returns. `read_options::entry` selects one of the programs in the archive.
/// - An operator keeps its name in the file, without `torch.ops.`: `aten.conv2d.default`. An operator without an `operator_definition` is
///   also accepted, because the file states the types of all values.
/// - Arguments that are not tensors are the attributes `arg_<position>` (see `detail::node_emitter`).
/// - The field `target` of a parameter, buffer or constant is its fully qualified name. Unused parameters, buffers and constants are
///   omitted.
/// - Names and weights are views into the bytes, and may be unaligned. The bytes must outlive the program. Non-contiguous weights are
///   copied.
///
/// Fails with `foreign_file`, `damaged_model`, `unsupported_model`, `unknown_size`, `mismatched_shape`, `unknown_name`,
/// `mutated_user_input`, `nested_too_deep`, and the errors of `verify`.
struct importer {
  static constexpr std::string_view format = "torch.export";
  static constexpr auto recognizes(span<const char> bytes) -> bool { return detail::is_archive(bytes); }
  static constexpr auto read(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
    if (!recognizes(bytes)) return broken<"foreign_file">("archives of torch.export are zip files with records models/<name>.json");
    auto program = detail::read_at_once(bytes, user_options);
    if (!program) return program;
    if (auto why = verify(program.value)) return why;
    return program;
  }
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program> {
    return read(bytes, read_options{.entry = entry});
  }

  /// Returns the names of the programs. `read` with an empty `entry` reads the program whose `is_default` is true.
  static constexpr auto entry_points(span<const char> bytes) -> vector<entry_point> {
    const auto archive = detail::zip_archive::read(bytes);
    if (!recognizes(bytes) || !archive) return {};
    return detail::programs_of(archive.value);
  }

  template <const auto& Bytes, fixed_string Entry>
  using embedded_reader = detail::read_in_pieces<importer, Bytes, Entry>;
};
static_assert(baton::importer<importer>);

/// Returns the program of an archive. Fails with the errors of `importer`.
constexpr auto try_read_bytes(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
  return importer::read(bytes, user_options);
}

/// Returns the program of an archive. Raises the error if reading fails (`value_or_raise`).
constexpr auto read_bytes(span<const char> bytes, const read_options& user_options = {}) -> exported_program {
  return value_or_raise(importer::read(bytes, user_options));
}

namespace detail {

/// Reports an error at compile time if one of `ReadOptions` is not a read option. Always returns true, so that the `requires` clause that
/// calls this function causes no second error.
template <class... ReadOptions>
consteval auto require_read_options() -> bool {
  static_assert(baton::detail::are_read_options<read_option_lists, ReadOptions...>,
                "baton pt2::read: the arguments after the archive are not read options; write: baton::pt2::entry<\"decode\"> or "
                "baton::pt2::input_shape<\"x\", 16, 64>");
  return true;
}

}  // namespace detail

/// The importer of torch.export with read options, for a list of importers:
/// `baton::importers<baton::tflite::importer, baton::pt2::importer_with<baton::pt2::dimension<"s77", 16>>>`. The options are the same as
/// for `read`.
template <class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
struct importer_with : baton::detail::importer_with_options<importer, read_option_lists, ReadOptions...> {
  template <const auto& Bytes, fixed_string Entry>
  using embedded_reader = detail::read_in_pieces<importer, Bytes, Entry, ReadOptions...>;
};

/// The static program of an embedded archive: `constexpr auto model = baton::pt2::read<digits_pt2>;`. Optional arguments after the bytes
/// are an `entry`, a `dimension` for each symbol, an `input_shape` for each input, and `custom_operators`. A symbol is a dynamic size, such
/// as `s77`.
template <const auto& Bytes, class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
inline constexpr static_program<
    typename std::conditional_t<sizeof...(ReadOptions) == 0, importer, importer_with<ReadOptions...>>::template embedded_reader<Bytes, "">>
    read{};

}  // namespace baton::pt2
