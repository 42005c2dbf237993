// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The entry points of a TFLite model: its signatures, or its graphs where it has none.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// The graph of the entry point of that name. Errors: `unknown_name`.
constexpr auto find_entry(const flatbuffer::table& model, std::string_view name) -> result<std::uint32_t> {
  if (name.empty()) return std::uint32_t{0};
  const auto keys = model.elements<flatbuffer::table>(slot::model::signature_defs);
  const auto graphs = model.elements<flatbuffer::table>(slot::model::subgraphs);
  auto why = broken<rule::unknown_name>("there is no entry point ", view(shortened(name)), "; there are:");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto key = keys[i].text(slot::signature_def::signature_key);
    if (key == name) return keys[i].scalar<std::uint32_t>(slot::signature_def::subgraph_index);
    append(append(why.reason, " "), view(shortened(key)));
  }
  for (std::uint32_t g = 0; g < graphs.size(); ++g) {
    const auto known = graphs[g].text(slot::subgraph::name);
    if (known == name) return g;
    if (keys.empty()) append(append(why.reason, " "), view(shortened(known)));
  }
  return why;
}

}  // namespace detail

/// The signatures of a model, in the order of the file; of a model without any there are none, and its first graph is its only entry point.
/// `read_bytes` and `read` take the key of one. Errors: `foreign_file`, `damaged_model`.
constexpr auto signatures_of(span<const char> bytes) -> result<vector<signature>> {
  using table = flatbuffer::table;
  byte_reader reader{bytes};
  if (!flatbuffer::has_identifier(reader, file_identifier)) return broken<rule::foreign_file>();
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
  if (!reader.ok()) return broken<rule::damaged_model>("its signatures");
  return found;
}

}  // namespace baton::tflite
