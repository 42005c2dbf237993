// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads and runs models at run time, and prints the differences of their outputs from recorded ones: networks FILE.tflite...
// Writes a line a model: its name, and `exact`, `n steps`, a distance in float32, or why it did not run.
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>

#include "nodes/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace baton;

auto read_file(const std::filesystem::path& path) -> nodes::bytes {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The largest difference between elements, and for floating point its ratio to the largest magnitude.
template <class T>
auto distance(const nodes::bytes& ours, const nodes::bytes& theirs) -> std::string {
  double most = 0;
  double magnitude = 0;
  for (std::size_t at = 0; at + sizeof(T) <= ours.size(); at += sizeof(T)) {
    T a{};
    T b{};
    std::memcpy(&a, ours.data() + at, sizeof a);
    std::memcpy(&b, theirs.data() + at, sizeof b);
    const auto away = std::fabs(static_cast<double>(a) - static_cast<double>(b));
    most = std::isnan(most) || away <= most ? most : away;  // of NaN: NaN
    magnitude = std::max(magnitude, std::fabs(static_cast<double>(b)));
  }
  if (most == 0) return "exact";
  char text[32];
  if constexpr (sizeof(T) == 4) {
    std::snprintf(text, sizeof text, "%.0e", most / magnitude);
  } else {
    std::snprintf(text, sizeof text, "%g %s", most, most == 1 ? "step" : "steps");
  }
  return text;
}

auto outcome_of(const std::filesystem::path& path) -> std::string {
  const auto file = read_file(path);
  const auto model = tflite::try_read_bytes(span<const char>{file.data(), file.size()});
  if (!model) return "refused: " + std::string(model.error.rule_name);
  auto beside = path;
  const auto input = read_file(beside.replace_extension(".in"));
  const auto wanted = read_file(beside.replace_extension(".out"));
  if (input.empty()) return "LiteRT does not run it";
  nodes::interpreter run(model.value);
  nodes::bytes output;
  if (const auto why = run.run(portable_kernels, input, output); !why.empty()) return why;
  if (output.size() != wanted.size()) return "another size";
  const program_view program = model.value;
  switch (program[program.outputs_of(program.root())[0].value].type) {
    case dtype::float32:
      return distance<float>(output, wanted);
    case dtype::int16:
      return distance<std::int16_t>(output, wanted);
    default:
      return distance<std::int8_t>(output, wanted);
  }
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::filesystem::path path = words[i];
    std::printf("%s\t%s\n", path.stem().c_str(), outcome_of(path).c_str());
  }
}
