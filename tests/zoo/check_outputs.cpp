// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares a compiled model of the zoo with the recorded outputs of the reference: program MODEL FOLDER [sequence]. The four recorded
// inferences run one after another; so do those of a sequence, from the initial states. Integers must be equal, float32 within 1e-5 of the
// largest magnitude.
#include "reference/difference.hpp"
#include "zoo/model.hpp"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

auto read_file(const std::string& path) -> std::vector<char> {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

auto size_of(const zoo::tensor* tensors, std::size_t count) -> std::size_t {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) bytes += tensors[i].size;
  return bytes;
}

/// Runs all inferences of a pair of files. True if there is at least one and all outputs match.
auto check(const zoo::model& of, const std::string& input_path, const std::string& output_path) -> bool {
  const auto input = read_file(input_path);
  const auto output = read_file(output_path);
  const auto input_size = size_of(of.inputs, of.input_count);
  const auto output_size = size_of(of.outputs, of.output_count);
  if (input.empty() || input.size() % input_size != 0 || output.size() != input.size() / input_size * output_size) {
    std::printf("%s holds %zu bytes, %s %zu; an inference takes %zu and gives %zu\n", input_path.c_str(), input.size(), output_path.c_str(),
                output.size(), input_size, output_size);
    return false;
  }
  auto from = input.data();
  auto expected = output.data();
  bool is_right = true;
  for (std::size_t run = 0; from != input.data() + input.size(); ++run) {
    for (std::size_t i = 0; i < of.input_count; from += of.inputs[i++].size) std::memcpy(of.inputs[i].data, from, of.inputs[i].size);
    of.run();
    for (std::size_t i = 0; i < of.output_count; expected += of.outputs[i++].size) {
      const auto where = output_path + ", inference " + std::to_string(run) + ", output " + std::to_string(i);
      const auto why = reference::difference(of.outputs[i].is_float, of.outputs[i].data, expected, of.outputs[i].size);
      if (!why.empty()) std::printf("%s: %s\n", where.c_str(), why.c_str());
      is_right = why.empty() && is_right;
    }
  }
  return is_right;
}

}  // namespace

auto main(int count, char** words) -> int {
  if (count != 3 && (count != 4 || std::strcmp(words[3], "sequence") != 0)) return 2;
  const std::string folder = words[2];
  for (const auto& model : zoo::compiled_models()) {
    if (model.name != words[1]) continue;
    if (count == 4) return check(model, folder + "/sequence_input.bin", folder + "/sequence_output.bin") ? 0 : 1;
    bool is_right = true;
    for (const std::string number : {"0", "1", "2", "3"}) {
      is_right = check(model, folder + "/input_" + number + ".bin", folder + "/output_" + number + ".bin") && is_right;
    }
    return is_right ? 0 : 1;
  }
  std::printf("this program does not have the model %s\n", words[1]);
  return 2;
}
