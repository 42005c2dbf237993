// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the model that is compiled into the program: program INPUT.bin OUTPUT.bin [--repeat N]. The input file has the inputs of one or
// several inferences, which run in order and keep the state of the model. The output file gets the outputs of each inference.
// `run_model.sh` builds the program: it generates model.hpp from the model's file and defines CHOICE (a choice of choices.hpp),
// CHOICE_HEADER (its file), ENTRY (the name of an entry point, or empty), and IMPORTERS (a list of importers).
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
#define ENTRY ""  // the default entry point
#endif
#if !defined(IMPORTERS)
#define IMPORTERS baton::default_importers
#endif

namespace {

constexpr auto lowered = choices::CHOICE::lower(baton::read_model<model, IMPORTERS, ENTRY>);
baton::executor<lowered, baton::with_kernels<choices::kernels>> net;

/// Returns the number of times to run all inferences of the input, or 0 if the arguments are wrong.
auto repeats(int count, char** words) -> unsigned long {
  if (count == 3) return 1;
  if (count != 5 || std::strcmp(words[3], "--repeat") != 0 || words[4][0] < '0' || words[4][0] > '9') return 0;
  char* end = nullptr;
  const auto number = std::strtoul(words[4], &end, 10);
  return *end == '\0' ? number : 0;
}

/// True if a delegate failed in the last run. Prints the message of the failure to standard error.
auto has_failed() -> bool {
  if (net.failed().code == baton::status::ok) return false;
  const auto sentence = baton::message(baton::explain(lowered, net.failed()));
  std::fprintf(stderr, "%.*s\n", static_cast<int>(sentence.size()), sentence.data());
  return true;
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
      infer(net, input.bytes.data() + n * size);
      if (has_failed()) return 1;
      const auto bytes = output_bytes(net);
      outputs.insert(outputs.end(), bytes.begin(), bytes.end());
    }
  }
  return write_file(words[2], outputs) ? 0 : 1;
}
