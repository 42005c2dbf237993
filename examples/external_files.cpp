// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Prints the locations of the files that contain tensors of an ONNX model, one per line: external_files MODEL. Prints nothing for a model
// of another format. The scripts embed these files.
#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/import/onnx_external_files.hpp>

#include "tools.hpp"

#include <cstdio>

auto main(int count, char** words) -> int {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s MODEL\n", words[0]);
    return 2;
  }
  const auto model = read_file(words[1]);
  if (!model.ok) return 1;
  const baton::span<const char> bytes{model.bytes.data(), model.bytes.size()};
  // Other formats have an identifier, ONNX has not. Reading the model reports errors.
  for (const auto location : baton::onnx::external_files_of(bytes).value) show(baton::join(location, "\n"));
  return 0;
}
