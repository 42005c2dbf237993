// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares outputs of a program with recorded outputs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

namespace formats {

/// The largest permitted difference of float32 elements: absolute, and relative to the expected element. All other elements are equal.
struct tolerance {
  double absolute = 0;
  double relative = 0;
};

/// Returns the position of the first element that differs by more than `allowed`, or the size if there is none.
inline auto first_difference(baton::dtype type, baton::span<const char> actual, baton::span<const char> expected, tolerance allowed)
    -> std::size_t {
  const auto width = static_cast<std::size_t>(baton::byte_count(type, {}));
  for (std::size_t at = 0; at < expected.size(); at += width) {
    if (std::memcmp(actual.data() + at, expected.data() + at, width) == 0) continue;
    if (type != baton::dtype::float32) return at / width;
    float a = 0, b = 0;
    std::memcpy(&a, actual.data() + at, sizeof a);
    std::memcpy(&b, expected.data() + at, sizeof b);
    const auto limit = allowed.absolute + allowed.relative * std::fabs(static_cast<double>(b));
    if (!(std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= limit)) return at / width;
  }
  return expected.size() / width;
}

/// Compares all user outputs of a program, one after another. Returns the first difference, or "".
inline auto difference(const baton::program_view& program, baton::span<const char> actual, baton::span<const char> expected,
                       tolerance allowed) -> std::string {
  if (actual.size() != expected.size()) {
    return "there are " + std::to_string(actual.size()) + " bytes, and " + std::to_string(expected.size()) + " are expected";
  }
  std::size_t at = 0;
  for (const auto& entry : program.outputs_of(program.root())) {
    if (entry.kind != baton::output_kind::user_output) continue;
    const auto type = program[entry.value].type;
    const auto size = static_cast<std::size_t>(baton::byte_count(type, program.shape(entry.value)));
    if (at + size > actual.size()) return "the outputs have more bytes than expected";
    const auto element = first_difference(type, actual.subspan(at, size), expected.subspan(at, size), allowed);
    if (element * static_cast<std::size_t>(baton::byte_count(type, {})) < size) {
      return "output " + std::string(program.text(program[entry.value].name)) + ", element " + std::to_string(element);
    }
    at += size;
  }
  return at == actual.size() ? "" : "the outputs have fewer bytes than expected";
}

}  // namespace formats
