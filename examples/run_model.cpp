// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the model that was compiled into it: program INPUT.bin OUTPUT.bin [--repeat N]. `run_model.sh` builds it: it makes model.hpp from
// the model's file and defines CHOICE, one of the ways to lower it in choices.hpp, and ENTRY, a signature or nothing.
#include "choices.hpp"
#include "model.hpp"
#include "tools.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#if !defined(ENTRY)
#define ENTRY ""  // the model's first graph
#endif

namespace {

constexpr auto lowered = choices::CHOICE::lower(baton::tflite::read<model, baton::tflite::entry<ENTRY>>);
baton::executor<lowered> net;

/// The number of inferences, 0 if the arguments are wrong.
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
    std::fprintf(stderr, "usage: %s INPUT.bin OUTPUT.bin [--repeat N]\n", words[0]);
    return 2;
  }
  const auto input = read_exactly(words[1], input_bytes(net), "all inputs of the model one after the other");
  if (!input.ok) return 1;
  for (unsigned long i = 0; i < times; ++i) infer(net, input.bytes.data());
  return write_file(words[2], output_bytes(net)) ? 0 : 1;
}
