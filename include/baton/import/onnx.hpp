// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The importer of ONNX models: reads .onnx files at compile time or at run time.
#pragma once

// The next header is included first, so that its diagnostics have a short include chain.
#include <baton/import/shared/rules.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/import/detail/onnx_model.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/operators/verify.hpp>

#include <string_view>
#include <type_traits>

namespace baton::onnx {

/// The importer of ONNX models with operator sets 11 to 22; docs/import.md describes the program that it returns.
/// - An operator of ONNX has a name like `onnx.Conv`, an operator of another domain a name like `onnx.com.microsoft.QGemm`. Attributes keep
///   their names (`detail::attribute_reader`). If the meaning of an operator depends on the version of the operator set, the integer
///   attribute `opset` of its nodes states the version.
/// - Initializers and `Constant` nodes become constants. A call of a model function is replaced by the nodes of the function.
/// - `If` becomes `cond`, `Scan` becomes `scan`, and `Loop` becomes `scan` or `while_loop`. A value of the enclosing graph that a body uses
///   becomes an input of the body; a constant is copied into the body instead.
/// - The types of values are inferred from the types of the model's inputs (`infer`). A debug handle is the number that identifies
///   a node of the model. The nodes of the root graph have the debug handles 1, 2, and so on, in file order; the nodes of bodies follow.
/// - Names and weights are views into the bytes, and may be unaligned. The bytes must outlive the program. Weights are copied if the
///   file stores them as varints, in several fields, or as sparse tensors.
///
/// Fails with `foreign_file`, `damaged_model`, `unsupported_model`, `unsupported_operators`, `unknown_size`, `mismatched_shape`,
/// `unknown_name`, `unresolved_type`, `cyclic_graph`, `nested_too_deep`, `missing_file`, `refused_path`, `mismatched_inference`, and the
/// errors of `infer` and `verify`.
struct importer {
  static constexpr std::string_view format = "ONNX";
  static constexpr auto recognizes(span<const char> bytes) -> bool { return detail::is_model(bytes); }
  static constexpr auto read(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
    if (!recognizes(bytes)) return broken<"foreign_file">("ONNX files begin with the field ir_version");
    auto program = detail::model_reader(bytes, user_options).run();
    if (!program) return program;
    if (auto why = verify(program.value)) return why;
    return program;
  }
};
static_assert(baton::importer<importer>);

/// Returns the program of a model. Fails with the errors of `importer`.
constexpr auto try_read_bytes(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
  return importer::read(bytes, user_options);
}

/// Returns the program of a model. Raises the error if reading fails (`value_or_raise`).
constexpr auto read_bytes(span<const char> bytes, const read_options& user_options = {}) -> exported_program {
  return value_or_raise(importer::read(bytes, user_options));
}

namespace detail {

/// Reports an error at compile time if one of `ReadOptions` is not a read option. Always returns true, so that the `requires` clause that
/// calls this function causes no second error.
template <class... ReadOptions>
consteval auto require_read_options() -> bool {
  static_assert(baton::detail::are_read_options<read_option_lists, ReadOptions...>,
                "baton onnx::read: the arguments after the model are not read options; write: baton::onnx::dimension<\"N\", 4> or "
                "baton::onnx::external_file<\"weights.bin\", weights>");
  return true;
}

}  // namespace detail

/// The importer of ONNX models, with the given read options. Use this type in a list of importers:
/// `baton::importers<baton::tflite::importer, baton::onnx::importer_with<baton::onnx::dimension<"N", 4>>>`. The options are the same as for
/// `read`. ONNX files have no identifier, so this importer must be the last in a list.
template <class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
struct importer_with : baton::detail::importer_with_options<importer, read_option_lists, ReadOptions...> {};

/// The static program of an embedded model: `constexpr auto model = baton::onnx::read<keyword_onnx>;`. Optional arguments after the
/// bytes: `external_file`, once for each file that contains tensors; `dimension` and `input_shape`, for unknown sizes; `custom_operators`.
template <const auto& Bytes, class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
inline constexpr static_program<
    baton::detail::read_embedded<std::conditional_t<sizeof...(ReadOptions) == 0, importer, importer_with<ReadOptions...>>, Bytes>>
    read{};

}  // namespace baton::onnx
