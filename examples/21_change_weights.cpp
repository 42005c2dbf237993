// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Changes the weights of a model without new firmware. The structure of the network is compiled; its weights are a file in memory.
#include <baton/baton.hpp>

#include "digits_int8.tflite.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>

// The firmware: the network without its weights.
constexpr auto model = baton::transform(baton::tflite::read<digits_int8_tflite>, baton::default_passes);
constexpr auto network = baton::transform(model, baton::passes<baton::external_weights>);
baton::run_time_weights<network> weights;
baton::executor<network, baton::with_weights<weights>> net;

// A tool on the build machine: writes the weights of a model that has the same passes. On the target, the file is in flash.
alignas(8) char flash[decltype(weights)::bytes];
void write(const baton::exported_program& trained) {
  const auto file = baton::pack_weights(trained);
  std::copy_n(file.begin(), std::min(file.size(), sizeof flash), flash);
}

// Simulates another training: the last layer answers 1 instead of 7, and 7 instead of 1.
auto trained_again() -> baton::exported_program {
  auto program = baton::thaw(model.value());
  for (const auto& node : program.nodes) {
    if (!node.is("tfl.fully_connected")) continue;
    for (const auto operand : {program.inputs(node)[1], program.inputs(node)[2]}) {
      auto& data = program.values[baton::index(operand)].data;
      const auto old = program.data(data);
      const auto row = old.size() / 10;
      baton::vector<char> bytes(old.size());
      std::copy_n(old.begin(), old.size(), bytes.begin());
      std::swap_ranges(bytes.begin() + row, bytes.begin() + 2 * row, bytes.begin() + 7 * row);
      data = {nullptr, static_cast<std::uint32_t>(program.bytes.size()), static_cast<std::uint32_t>(bytes.size())};
      for (const char each : bytes) program.bytes.push_back(each);
    }
  }
  return program;
}

void show() {
  constexpr char drawn[] = " 9999999 9999999      99     99    99999    99     99      99   ";
  std::array<std::int8_t, 64> pixels{};
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::int8_t>(drawn[i] == ' ' ? -128 : 127);
  std::array<std::int8_t, 10> scores{};
  if (const auto code = net.run(pixels, scores); code != baton::status::ok) {
    std::printf("it is not known: %s\n", baton::to_text(code).data());
    return;
  }
  std::printf("it is a %d\n", static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
}

auto main() -> int {
  show();
  write(baton::thaw(model.value()));
  if (weights.set(flash) != baton::status::ok) return 1;
  show();
  write(trained_again());
  if (weights.set(flash) != baton::status::ok) return 1;
  show();
  flash[8] ^= 1;  // the file of another network
  std::printf("another network: %s\n", baton::to_text(weights.set(flash)).data());
}

// Output:
// it is not known: invalid_state
// it is a 7
// it is a 1
// another network: invalid_program
