// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite models: from the bytes of a .tflite file to a program, in the compiler and at run time, and the signatures of a file.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/finish.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_model.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/tflite_choices.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::tflite {

/// A way into a model by name. Views of the model's bytes.
struct signature {
  /// The name that an input or output has within a signature, and the tensor that it is.
  struct value {
    std::string_view name;
    std::string_view tensor;
  };

  std::string_view key;
  std::uint32_t graph = 0;  ///< its position in the file
  vector<value> inputs;
  vector<value> outputs;
};

namespace detail {

constexpr auto values_of_signature(const flatbuffer::vector<flatbuffer::table>& maps, const flatbuffer::vector<flatbuffer::table>& tensors)
    -> vector<signature::value> {
  vector<signature::value> found;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const auto stored = maps[i];
    found.push_back({stored.text(slot::tensor_map::name),
                     tensors[stored.scalar<std::uint32_t>(slot::tensor_map::tensor_index)].text(slot::tensor::name)});
  }
  return found;
}

}  // namespace detail

/// The signatures of a model, in the order of the file; of a model without any there are none, and its first graph is its only entry point.
/// `read_bytes` and `read` take the key of one. Errors: `foreign_file`, `damaged_model`.
constexpr auto signatures_of(span<const char> bytes) -> result<vector<signature>> {
  using table = flatbuffer::table;
  byte_reader reader{bytes};
  if (!flatbuffer::has_identifier(reader, file_identifier)) return broken<"foreign_file">();
  const auto model = flatbuffer::root(reader);
  const auto graphs = model.elements<table>(slot::model::subgraphs);
  const auto stored = model.elements<table>(slot::model::signature_defs);
  vector<signature> found;
  for (std::size_t i = 0; i < stored.size() && reader.ok(); ++i) {
    signature made;
    made.key = stored[i].text(slot::signature_def::signature_key);
    made.graph = stored[i].scalar<std::uint32_t>(slot::signature_def::subgraph_index);
    const auto tensors = graphs[made.graph].elements<table>(slot::subgraph::tensors);
    made.inputs = detail::values_of_signature(stored[i].elements<table>(slot::signature_def::inputs), tensors);
    made.outputs = detail::values_of_signature(stored[i].elements<table>(slot::signature_def::outputs), tensors);
    found.push_back(made);
  }
  if (!reader.ok()) return broken<"damaged_model">("its signatures");
  return found;
}

namespace detail {
template <class... Choices>
struct choosing_importer;
}  // namespace detail

/// The importer of TensorFlow Lite models, as others see it.
///
/// The root is the graph of the entry point that is chosen, or subgraph 0; each subgraph that is called from it becomes a graph, further
/// entry points (`signatures_of` lists them) are left out. A size of an input that the file leaves open is its batch, which is as in the
/// file, or is refused (`input_shape`). Open sizes of other values follow from the operands (`open_size`). A tensor with
/// data becomes a constant, a variable tensor a mutable buffer, both named after the tensor, a variable of another subgraph than the root
/// with `subgraph_1.` or the like in front; operators write variable tensors in place, so no mutations are listed. What a custom operator
/// keeps without a tensor (`operator_definition::hidden_state`) becomes a mutable buffer, its last operand. What lies behind a handle
/// becomes a mutable buffer of the handle's name, which begins with what `call_once` assigns, else with zero points; what is assigned last
/// is its mutation, and the nodes that did so are gone. Where that cannot be (a graph is handed a handle, or reads what one that it calls
/// has written, or `call_once` computes), all of these nodes stay. An operand of a custom operator that nobody makes is scratch. A builtin
/// operator becomes `tfl.conv_2d` and the like, with every field of its options as an attribute, enumerations as text (several with commas
/// between); subgraphs that the options name become the node's. A custom operator becomes `tfl.custom.<its code>` with the bytes
/// `custom_options` and, where the file places tensors in an arena (`OfflineMemoryAllocation`), the integers `arena_offsets`, one an
/// operand and then one an output, -1 for what has no place (of several such metadata the last counts; damaged metadata is none); a builtin
/// one that is younger than `operators` becomes `tfl.builtin_<its number>` with `builtin_options_type`, `builtin_options_position` and the
/// bytes `builtin_options`.
///
/// Names, weights, scales and zero points are views into the bytes, at any alignment, so the bytes must outlive the program.
/// Rules: `foreign_file`, `damaged_model`, `unsupported_model` (sparse tensors, data in other files, blockwise quantization, an unknown
/// type or symbol), `unknown_size`, `open_size`, `unknown_name`, those of `verify`, and those of `check_inference`: outputs that a file
/// states otherwise than they follow from operands and options.
struct importer {
  static constexpr std::string_view format = "TensorFlow Lite";
  static constexpr auto recognizes(span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return flatbuffer::has_identifier(reader, file_identifier);
  }
  /// Whether the model is to be read again without mutable buffers: if a called graph writes a variable that other graphs go on to read, no
  /// mutable buffer can stand for it. `why` is a `failure` or a `static_failure`. Clang needs this template before its first use.
  static constexpr auto needs_handles(const auto& why) -> bool {
    return why.template is<"stale_state">() || why.template is<"disagreeing_state">();
  }
  static constexpr auto read(span<const char> bytes, const choices& chosen = {}) -> result<exported_program> {
    auto made = finish(detail::model_reader(bytes, chosen, detail::variable_form::states).run());
    if (made || !needs_handles(made.error)) return made;
    return finish(detail::model_reader(bytes, chosen, detail::variable_form::handles).run());
  }
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program> {
    return read(bytes, choices{.entry = entry});
  }

  /// The signatures. The default is subgraph 0.
  static constexpr auto entry_points(span<const char> bytes) -> vector<entry_point> {
    vector<entry_point> names;
    for (const auto& each : signatures_of(bytes).value) names.push_back({each.key, each.graph == 0});
    return names;
  }

  template <const auto& Bytes, fixed_string Entry>
  using embedded_reader = baton::detail::reading_of<
      std::conditional_t<std::string_view{Entry}.empty(), importer, detail::choosing_importer<tflite::entry<Entry>>>, Bytes>;

  // For models that are too large to be read and checked in one constant.

  static constexpr auto is_large(span<const char> bytes) -> bool { return detail::is_large(bytes); }
  static constexpr auto read_tensors(span<const char> bytes, const choices& chosen = {}) -> exported_program {
    return detail::model_reader(bytes, chosen, detail::variable_form::states).read_tensors();
  }
  static constexpr auto read_unfinished(span<const char> bytes, const program_view& tensors, const choices& chosen = {})
      -> result<exported_program> {
    return detail::model_reader(bytes, chosen, detail::variable_form::states).run(tensors);
  }

 private:
  static constexpr auto finish(result<exported_program> made) -> result<exported_program> {
    if (!made) return made;
    return baton::detail::finish(std::move(made.value));
  }
};
static_assert(baton::importer<importer>);

/// The program of a model, or the rule that it breaks.
constexpr auto try_read_bytes(span<const char> bytes, const choices& chosen = {}) -> result<exported_program> {
  return importer::read(bytes, chosen);
}

/// The program of a model; a broken rule is raised.
constexpr auto read_bytes(span<const char> bytes, const choices& chosen = {}) -> exported_program {
  return value_or_raise(importer::read(bytes, chosen));
}

namespace detail {

/// Something that stands behind the bytes of a model: `entry`, `input_shape` or `defined`.
template <class T>
concept choice = requires(choices& chosen, vector<choices::bound_shape>& shapes) {
  { T::add_to(chosen, shapes) } -> std::same_as<void>;
};

/// Stops the compiler with a sentence if something behind the bytes of a model is no choice. True, so that what was said stands alone.
template <class... Choices>
consteval auto require_choices() -> bool {
  constexpr bool are_choices = (choice<Choices> && ...);
  static_assert(are_choices,
                "baton tflite::read: behind the bytes of a model stand choices; write: baton::tflite::entry<\"decode\"> or "
                "baton::tflite::input_shape<\"audio\", 1, 49, 40>");
  return true;
}

/// The importer of models of which something is chosen.
template <class... Choices>
struct choosing_importer {
  static constexpr std::string_view format = importer::format;
  static constexpr auto recognizes(span<const char> bytes) -> bool { return importer::recognizes(bytes); }
  static constexpr auto read(span<const char> bytes) -> result<exported_program> {
    return with_choices([&](const choices& chosen) { return importer::read(bytes, chosen); });
  }
  static constexpr auto needs_handles(const auto& why) -> bool { return importer::needs_handles(why); }
  static constexpr auto is_large(span<const char> bytes) -> bool { return importer::is_large(bytes); }
  static constexpr auto read_tensors(span<const char> bytes) -> exported_program {
    return with_choices([&](const choices& chosen) { return importer::read_tensors(bytes, chosen); });
  }
  static constexpr auto read_unfinished(span<const char> bytes, const program_view& tensors) -> result<exported_program> {
    return with_choices([&](const choices& chosen) { return importer::read_unfinished(bytes, tensors, chosen); });
  }

 private:
  template <class F>
  static constexpr auto with_choices(F f) {
    choices chosen;
    vector<choices::bound_shape> shapes;
    if constexpr ((choice<Choices> && ...)) (Choices::add_to(chosen, shapes), ...);
    chosen.shapes = shapes;
    return f(chosen);
  }
};

}  // namespace detail

/// The program of an embedded model, made by the compiler: `constexpr auto model = baton::tflite::read<keyword_tflite>;`. Behind the bytes
/// may stand an `entry`, an `input_shape` an input, and what is `defined` of operators.
template <const auto& Bytes, class... Choices>
  requires(detail::require_choices<Choices...>())
inline constexpr static_program<
    baton::detail::reading_of<std::conditional_t<sizeof...(Choices) == 0, importer, detail::choosing_importer<Choices...>>, Bytes>>
    read{};

}  // namespace baton::tflite
