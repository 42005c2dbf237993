// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The importer of ExecuTorch programs: reads .pte files at compile time or at run time, and lists their methods.
#pragma once

// The next header is included first, so that its diagnostics have a short include chain.
#include <baton/import/shared/rules.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_file.hpp>
#include <baton/import/detail/pte_method.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/pte_bundle.hpp>
#include <baton/import/pte_read_options.hpp>
#include <baton/operators/executorch.hpp>
#include <baton/operators/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton::pte {

/// The importer of ExecuTorch programs (files of ExecuTorch 0.2 or later) and of bundled programs (.bpte). docs/import.md describes the
/// program that it returns. The root graph is one method of the file.
/// - An operator keeps its name in the file, such as `aten.addmm.out`. Arguments that are not tensors are the attributes `arg_<position>`
///   (see `detail::kernel_calls`).
/// - The shape of a value is the shape in memory: the sizes in the order of the strides, largest stride first (the dimension order). If an
///   operand or output of a node has a dimension order that is not row-major, the attribute `dim_orders` states the orders of all operands
///   and outputs of the node.
/// - A delegate call becomes a call of a lowered module (`lowered_module`). Processed bytes are the result of a backend's `preprocess`. If
///   their format is known (docs/pte.md), they are decoded into nodes of this module.
/// - Names, weights and processed bytes are views into the bytes. The bytes must outlive the program. Weights of decoded delegates are
///   copied if they need a conversion.
///
/// Fails with `foreign_file`, `damaged_model`, `unsupported_model`, `unsupported_operators`, `unknown_size`, `unresolved_type`,
/// `unknown_name`, `missing_file`, `mutated_user_input`, `nested_too_deep`, and the errors of `verify`.
struct importer {
  static constexpr std::string_view format = "ExecuTorch";
  static constexpr auto recognizes(span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return flatbuffer::has_identifier(reader, program_identifier) || flatbuffer::has_identifier(reader, bundle_identifier);
  }
  static constexpr auto read(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
    if (!recognizes(bytes)) return broken<"foreign_file">("ExecuTorch programs have the identifier ET12 at byte 4");
    const auto parts = parts_of(bytes);
    if (!parts) return parts.error;
    auto program = detail::read_parts(parts.value, user_options);
    if (!program) return program;
    if (auto why = verify(program.value)) return why;
    return program;
  }
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program> {
    return read(bytes, read_options{.entry = entry});
  }

  /// Returns the names of the methods. `read` with an empty `entry` reads the method whose `is_default` is true.
  static constexpr auto entry_points(span<const char> bytes) -> vector<entry_point> {
    vector<entry_point> names;
    const auto parts = parts_of(bytes);
    if (!recognizes(bytes) || !parts) return names;
    byte_reader reader{parts.value.structure};
    const auto methods = flatbuffer::root(reader).elements<flatbuffer::table>(slot::program::execution_plan);
    const auto user_options = detail::find_method(methods, {});
    for (std::size_t i = 0; i < methods.size() && reader.ok(); ++i)
      names.push_back({methods[i].text(slot::execution_plan::name), user_options && user_options.value == i});
    if (!reader.ok()) names.clear();
    return names;
  }

  /// Returns the sizes in bytes of the memories that ExecuTorch planned for a method, indexed by memory id. Memory 0 is not used. An empty
  /// name selects the default method. Fails with `damaged_model` if the file is damaged, and with `unknown_name` if the file has no method
  /// `entry`.
  static constexpr auto planned_bytes(span<const char> bytes, std::string_view entry = {}) -> result<vector<std::uint64_t>> {
    const auto parts = parts_of(bytes);
    if (!parts) return parts.error;
    byte_reader reader{parts.value.structure};
    const auto methods = flatbuffer::root(reader).elements<flatbuffer::table>(slot::program::execution_plan);
    const auto method = detail::find_method(methods, entry);
    if (!method) return method.error;
    const auto stored = methods[method.value].elements<std::int64_t>(slot::execution_plan::non_const_buffer_sizes);
    vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < stored.size() && reader.ok(); ++i) sizes.push_back(static_cast<std::uint64_t>(stored[i]));
    if (!reader.ok())
      return broken<"damaged_model">("the sizes of the memories of method ", view(detail::printable_name(entry)), " cannot be read");
    return sizes;
  }

 private:
  static constexpr auto parts_of(span<const char> bytes) -> result<detail::file_parts> {
    const auto program = detail::program_of_bundle(bytes);
    if (!program) return program.error;
    byte_reader reader{program.value};
    if (!flatbuffer::has_identifier(reader, program_identifier))
      return broken<"damaged_model">("the bundled program contains no ExecuTorch program");
    return detail::program_parts(program.value);
  }
};
static_assert(baton::importer<importer>);

/// Returns the program of a method. Fails with the errors of `importer`.
constexpr auto try_read_bytes(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
  return importer::read(bytes, user_options);
}

/// Returns the program of a method. Raises the error if reading fails (`value_or_raise`).
constexpr auto read_bytes(span<const char> bytes, const read_options& user_options = {}) -> exported_program {
  return value_or_raise(importer::read(bytes, user_options));
}

namespace detail {

/// Reports an error at compile time if one of `ReadOptions` is not a read option. Always returns true, so that the `requires` clause that
/// calls this function causes no second error.
template <class... ReadOptions>
consteval auto require_read_options() -> bool {
  static_assert(baton::detail::are_read_options<read_option_lists, ReadOptions...>,
                "baton pte::read: the arguments after the program are not read options; write: baton::pte::entry<\"decode\"> or "
                "baton::pte::external_file<\"weights.ptd\", weights>");
  return true;
}

}  // namespace detail

/// The importer of ExecuTorch programs with read options, for a list of importers:
/// `baton::importers<baton::tflite::importer, baton::pte::importer_with<baton::pte::external_file<"weights.ptd", weights>>>`. The options
/// are the same as for `read`.
template <class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
struct importer_with : baton::detail::importer_with_options<importer, read_option_lists, ReadOptions...> {};

/// The static program of a method of an embedded file: `constexpr auto model = baton::pte::read<keyword_pte>;`. Optional arguments after
/// the bytes are an `entry`, an `external_file` for each file with tensors, an `input_shape` for inputs, `custom_operators`, and
/// `keep_processed_bytes`.
template <const auto& Bytes, class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
inline constexpr static_program<
    baton::detail::read_embedded<std::conditional_t<sizeof...(ReadOptions) == 0, importer, importer_with<ReadOptions...>>, Bytes>>
    read{};

}  // namespace baton::pte
