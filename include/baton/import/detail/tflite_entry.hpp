// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds an entry point of a TFLite model by name.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// Returns the index, in the file, of the graph of an entry point. `name` is the key of a signature (a named entry point) or the name of a
/// graph; keys are searched first. An empty name selects graph 0. Fails with `unknown_name` if the model has no entry point `name`.
constexpr auto find_entry(const flatbuffer::table& model, std::string_view name) -> result<std::uint32_t> {
  if (name.empty()) return std::uint32_t{0};
  const auto keys = model.elements<flatbuffer::table>(slot::model::signature_defs);
  const auto graphs = model.elements<flatbuffer::table>(slot::model::subgraphs);
  auto why = broken<"unknown_name">("there is no entry point ", view(shortened(name)), "; there are:");
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

}  // namespace baton::tflite::detail
