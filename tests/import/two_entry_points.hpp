// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A TensorFlow Lite model with two entry points.
#pragma once

#include <baton/core/vector.hpp>

#include "tflite_writer.hpp"

namespace tests {

/// Returns a model with the signatures `prefill`, the first graph with one node, and `decode`, the second graph with two nodes.
constexpr auto two_entry_points() -> baton::vector<char> {
  tflite_writer w;
  const auto relu = w.operator_code(19);
  const auto x = w.tensor("x", {2}, float32);
  const auto y = w.tensor("y", {2}, float32);
  const auto z = w.tensor("z", {2}, float32);
  const auto first = w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1})}, "first");
  const auto second = w.graph({x, y, z}, {0}, {2}, {w.operation(0, {0}, {1}), w.operation(0, {1}, {2})}, "second");
  const auto prefill = w.signature("prefill", 0, "tokens", 0, "logits", 1);
  const auto decode = w.signature("decode", 1, "token", 0, "logits", 2);
  return w.model({relu}, {first, second}, {}, 3, {prefill, decode});
}

}  // namespace tests
