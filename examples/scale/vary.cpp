// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes many models of one structure: vary MODEL.tflite COUNT FOLDER
// FOLDER/model_1.tflite, FOLDER/model_2.tflite, ... differ from MODEL and from each other in their int8 weights, by up to 3. COUNT is at
// most 99999. If a file cannot be read or written, prints one line and returns 1.
#include "../tools.hpp"

#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

auto main(int count, char** words) -> int {
  int copies = 0;
  if (count == 4) std::from_chars(words[2], words[2] + std::strlen(words[2]), copies);
  if (copies < 1 || copies > 99999) {
    std::fprintf(stderr, "usage: %s MODEL.tflite COUNT FOLDER\n", words[0]);
    return 2;
  }
  const auto file = read_file(words[1]);
  if (!file.ok) return 1;
  const auto read = baton::tflite::try_read_bytes({file.bytes.data(), file.bytes.size()});
  if (!read) {
    const auto why = baton::message(read.error);
    std::fprintf(stderr, "%s: %.*s\n", words[1], static_cast<int>(why.size()), why.data());
    return 1;
  }
  const auto& program = read.value;
  for (int copy = 1; copy <= copies; ++copy) {
    auto bytes = file.bytes;
    std::minstd_rand random(static_cast<std::uint32_t>(copy));
    for (const auto& each : program.values) {
      if (each.kind != baton::value_kind::constant || each.type != baton::dtype::int8) continue;
      const auto weights = program.data(each.data);  // a view of the file
      const auto first = bytes.begin() + (weights.data() - file.bytes.data());
      std::transform(first, first + static_cast<std::ptrdiff_t>(weights.size()), first, [&](char weight) {
        const auto moved = static_cast<int>(static_cast<std::int8_t>(weight)) + static_cast<int>(random() % 7) - 3;
        return static_cast<char>(std::clamp(moved, -127, 127));
      });
    }
    const auto path = std::string{words[3]} + "/model_" + std::to_string(copy) + ".tflite";
    if (!write_file(path.c_str(), {bytes.data(), bytes.size()})) return 1;
  }
}
