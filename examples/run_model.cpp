// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the model that was compiled into it: program INPUT.bin OUTPUT.bin [--repeat N]. The input file holds one inference's inputs, or
// those of several, which run one after another: what the model keeps, it keeps from one to the next. The output file gets the outputs of
// each. `run_model.sh` builds it: it makes model.hpp from the model's file and defines CHOICE, one of the ways to lower it in choices.hpp,
// CHOICE_HEADER, its file, and ENTRY, the name of an entry point or nothing.
#include "all_kernels.hpp"
#include "model.hpp"
#include "tools.hpp"

#include CHOICE_HEADER

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if !defined(ENTRY)
#define ENTRY ""  // the default one
#endif

namespace {

constexpr auto lowered = choices::CHOICE::lower(baton::read_model<model, baton::default_importers, ENTRY>);
baton::executor<lowered, baton::with_kernels<choices::kernels>> net;

/// How often to run all that the input holds, 0 if the arguments are wrong.
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
    std::fprintf(stderr, "usage: %s INPUT.bin OUTPUT.bin [--repeat N]\nINPUT.bin holds the inputs of one inference, or of several\n",
                 words[0]);
    return 2;
  }
  const auto size = input_bytes(net);
  const auto input = read_times(words[1], size, "all inputs of the model one after the other");
  if (!input.ok) return 1;
  const auto inferences = size == 0 ? 1 : input.bytes.size() / size;
  std::vector<char> outputs;
  for (unsigned long i = 0; i < times; ++i) {
    outputs.clear();
    for (std::size_t n = 0; n < inferences; ++n) {
      infer(net, input.bytes.data() + n * size);
      const auto made = output_bytes(net);
      outputs.insert(outputs.end(), made.begin(), made.end());
    }
  }
  return write_file(words[2], outputs) ? 0 : 1;
}
