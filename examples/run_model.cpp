// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the model that was compiled into it: program INPUT.bin OUTPUT.bin [--repeat N]. `run_model.sh` builds it: it makes model.hpp from the
// model's file and defines CHOICE, one of the ways to lower it in choices.hpp.
#include "choices.hpp"
#include "files.hpp"
#include "model.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace {

constexpr auto lowered = choices::CHOICE::lower(baton::tflite::read<model>);
baton::executor<lowered> net;

template <std::size_t... I>
auto input_bytes(std::index_sequence<I...>) -> std::size_t {
  return (std::size_t{0} + ... + net.input<I>().size());
}

template <std::size_t... I>
void infer(const char* from, std::index_sequence<I...>) {
  ((std::memcpy(net.input<I>().data(), from, net.input<I>().size()), from += net.input<I>().size()), ...);
  net.run();
}

template <std::size_t... I>
auto output_bytes(std::index_sequence<I...>) -> std::vector<char> {
  std::vector<char> bytes;
  (bytes.insert(bytes.end(), net.output<I>().begin(), net.output<I>().end()), ...);
  return bytes;
}

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
  constexpr auto inputs = std::make_index_sequence<net.input_count>{};
  bool ok = false;
  const auto given = read_exactly(words[1], input_bytes(inputs), "all inputs of the model one after the other", ok);
  if (!ok) return 1;
  for (unsigned long i = 0; i < times; ++i) infer(given.data(), inputs);
  return write_whole(words[2], output_bytes(std::make_index_sequence<net.output_count>{})) ? 0 : 1;
}
