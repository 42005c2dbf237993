// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The importer of TensorFlow Lite models: reads .tflite files at compile time or at run time, and lists their signatures (named entry
// points).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/finish.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/import/detail/tflite_model.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/tflite_read_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::tflite {

/// A named entry point of a model. All texts are views of the model's bytes.
struct signature {
  /// An input or output: its name within the signature, and the name of its tensor.
  struct value {
    std::string_view name;
    std::string_view tensor;
  };

  std::string_view key;
  std::uint32_t graph = 0;  ///< the position of the signature's graph in the file
  vector<value> inputs;
  vector<value> outputs;
};

namespace detail {

constexpr auto values_of_signature(const flatbuffer::vector<flatbuffer::table>& maps, const flatbuffer::vector<flatbuffer::table>& tensors)
    -> vector<signature::value> {
  vector<signature::value> values;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const auto stored = maps[i];
    values.push_back({stored.text(slot::tensor_map::name),
                      tensors[stored.scalar<std::uint32_t>(slot::tensor_map::tensor_index)].text(slot::tensor::name)});
  }
  return values;
}

}  // namespace detail

/// Returns the signatures of a model, in file order. The list is empty if the model has no signatures. `read_bytes` and `read` accept the
/// key of a signature as the entry point. Fails with `foreign_file` if the bytes are not a TFLite model, and with `damaged_model` if the
/// model is damaged.
constexpr auto signatures_of(span<const char> bytes) -> result<vector<signature>> {
  using table = flatbuffer::table;
  byte_reader reader{bytes};
  if (!flatbuffer::has_identifier(reader, file_identifier))
    return broken<"foreign_file">("TensorFlow Lite files have the identifier TFL3 at byte 4");
  const auto model = flatbuffer::root(reader);
  const auto graphs = model.elements<table>(slot::model::subgraphs);
  const auto stored = model.elements<table>(slot::model::signature_defs);
  vector<signature> signatures;
  for (std::size_t i = 0; i < stored.size() && reader.ok(); ++i) {
    signature entry_signature;
    entry_signature.key = stored[i].text(slot::signature_def::signature_key);
    entry_signature.graph = stored[i].scalar<std::uint32_t>(slot::signature_def::subgraph_index);
    const auto tensors = graphs[entry_signature.graph].elements<table>(slot::subgraph::tensors);
    entry_signature.inputs = detail::values_of_signature(stored[i].elements<table>(slot::signature_def::inputs), tensors);
    entry_signature.outputs = detail::values_of_signature(stored[i].elements<table>(slot::signature_def::outputs), tensors);
    signatures.push_back(entry_signature);
  }
  if (!reader.ok()) return broken<"damaged_model">("the signatures cannot be read");
  return signatures;
}

namespace detail {
template <class... ReadOptions>
struct importer_with_options;
}  // namespace detail

/// The importer of TensorFlow Lite models; docs/import.md describes the program that it returns.
/// - The root graph is the graph of the selected entry point, by default subgraph 0. Graphs that the root graph calls, directly or
///   indirectly, are also read; all other graphs are omitted.
/// - A builtin operator has a name like `tfl.conv_2d`, a custom operator the name `tfl.custom.<code>`. Option fields become attributes.
/// - Variable tensors, resource variables and hidden states (states for which the file has no tensor) become mutable buffers. A mutable
///   buffer keeps its value from run to run. If mutable buffers cannot represent the resource variables, the program keeps the handles of
///   the file. A handle is a tensor by which operators refer to a variable.
/// - Names, weights, scales and zero points are views into the bytes, and may be unaligned. The bytes must outlive the program.
///
/// Fails with `foreign_file`, `damaged_model`, `unsupported_model`, `unknown_size`, `mismatched_shape`, `unresolved_type`, `unknown_name`,
/// and the errors of `verify` and `check_inference`.
struct importer {
  static constexpr std::string_view format = "TensorFlow Lite";
  static constexpr auto recognizes(span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return flatbuffer::has_identifier(reader, file_identifier);
  }
  /// True if the error `why` means that mutable buffers cannot represent the resource variables. Then the model must be read again with
  /// handles. For example, a called graph writes a variable that its caller reads afterwards. `why` is a `failure` or a
  /// `static_failure`. This template is defined before its first use, because Clang requires this order.
  static constexpr auto needs_handles(const auto& why) -> bool {
    return why.template is<"stale_state">() || why.template is<"disagreeing_state">();
  }
  static constexpr auto read(span<const char> bytes, const read_options& user_options = {}) -> result<exported_program> {
    auto program = finish(detail::model_reader(bytes, user_options, detail::variable_representation::states).run());
    if (program || !needs_handles(program.error)) return program;
    return finish(detail::model_reader(bytes, user_options, detail::variable_representation::handles).run());
  }
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program> {
    return read(bytes, read_options{.entry = entry});
  }

  /// Returns the keys of the signatures. `is_default` is true for the signatures of subgraph 0.
  static constexpr auto entry_points(span<const char> bytes) -> vector<entry_point> {
    vector<entry_point> names;
    for (const auto& each : signatures_of(bytes).value) names.push_back({each.key, each.graph == 0});
    return names;
  }

  template <const auto& Bytes, fixed_string Entry>
  using embedded_reader = baton::detail::reading_of<
      std::conditional_t<std::string_view{Entry}.empty(), importer, detail::importer_with_options<tflite::entry<Entry>>>, Bytes>;

  // The following functions are for models that are too large to be read and checked in one constant expression.
  // `baton::detail::read_in_steps` calls `read_tensors` and `read_unfinished` in separate constant expressions.

  static constexpr auto is_large(span<const char> bytes) -> bool { return detail::is_large(bytes); }
  static constexpr auto expected_sizes(span<const char> bytes) -> pool_sizes { return detail::expected_sizes(bytes); }
  /// Returns the tensors of the root graph as values (`detail::model_reader::read_tensors`).
  static constexpr auto read_tensors(span<const char> bytes, const read_options& user_options = {}) -> exported_program {
    return detail::model_reader(bytes, user_options, detail::variable_representation::states).read_tensors();
  }
  /// Reads a model without verifying its program. `tensors` is the result of `read_tensors`.
  static constexpr auto read_unfinished(span<const char> bytes, const program_view& tensors, const read_options& user_options = {})
      -> result<exported_program> {
    return detail::model_reader(bytes, user_options, detail::variable_representation::states).run(tensors);
  }

 private:
  static constexpr auto finish(result<exported_program> program) -> result<exported_program> {
    if (!program) return program;
    return baton::detail::finish(std::move(program.value));
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
                "baton tflite::read: the arguments after the model are not read options; write: baton::tflite::entry<\"decode\"> or "
                "baton::tflite::input_shape<\"audio\", 1, 49, 40>");
  return true;
}

/// The importer of TensorFlow Lite models with the read options `ReadOptions`.
template <class... ReadOptions>
struct importer_with_options : baton::detail::importer_with_options<importer, read_option_lists, ReadOptions...> {
  static constexpr auto needs_handles(const auto& why) -> bool { return importer::needs_handles(why); }
  static constexpr auto is_large(span<const char> bytes) -> bool { return importer::is_large(bytes); }
  static constexpr auto expected_sizes(span<const char> bytes) -> pool_sizes { return importer::expected_sizes(bytes); }
  static constexpr auto read_tensors(span<const char> bytes) -> exported_program {
    return importer_with_options::with_read_options([&](const auto& user_options) { return importer::read_tensors(bytes, user_options); });
  }
  static constexpr auto read_unfinished(span<const char> bytes, const program_view& tensors) -> result<exported_program> {
    return importer_with_options::with_read_options(
        [&](const auto& user_options) { return importer::read_unfinished(bytes, tensors, user_options); });
  }
};

}  // namespace detail

/// The static program of an embedded model: `constexpr auto model = baton::tflite::read<keyword_tflite>;`. Optional arguments after the
/// bytes are an `entry`, an `input_shape` for each input, and `custom_operators`.
template <const auto& Bytes, class... ReadOptions>
  requires(detail::require_read_options<ReadOptions...>())
inline constexpr static_program<baton::detail::reading_of<
    std::conditional_t<sizeof...(ReadOptions) == 0, importer, detail::importer_with_options<ReadOptions...>>, Bytes>>
    read{};

}  // namespace baton::tflite
