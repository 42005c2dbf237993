// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the model that is compiled into the program: program INPUT.bin OUTPUT.bin [--repeat N]. The input file has the inputs of one or
// several inferences, which run in order and keep the state of the model. The output file gets the outputs of each inference.
// `baton run` builds the program.
#include "compiled_model.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using compiled::net;

/// Returns the number of times to run all inferences of the input, or 0 if the arguments are wrong.
auto repeats(int count, char** words) -> unsigned long {
  if (count == 3) return 1;
  if (count != 5 || std::strcmp(words[3], "--repeat") != 0 || words[4][0] < '0' || words[4][0] > '9') return 0;
  char* end = nullptr;
  const auto number = std::strtoul(words[4], &end, 10);
  return *end == '\0' ? number : 0;
}

}  // namespace

auto main(int count, char** words) -> int {
  const auto times = repeats(count, words);
  if (times == 0) {
    std::fprintf(stderr, "usage: %s INPUT.bin OUTPUT.bin [--repeat N]\nINPUT.bin has the inputs of one inference, or of several\n",
                 words[0]);
    return 2;
  }
  const auto size = input_bytes(net);
  const auto input = read_times(words[1], size, "the concatenated inputs of the model");
  if (!input.ok) return 1;
  const auto inferences = size == 0 ? 1 : input.bytes.size() / size;
  std::vector<char> outputs;
  for (unsigned long i = 0; i < times; ++i) {
    outputs.clear();
    for (std::size_t n = 0; n < inferences; ++n) {
      if (!compiled::infer(input.bytes.data() + n * size)) return 1;
      const auto bytes = output_bytes(net);
      outputs.insert(outputs.end(), bytes.begin(), bytes.end());
    }
  }
  return write_file(words[2], outputs) ? 0 : 1;
}
