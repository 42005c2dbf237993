// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An audio front end: the signal kernels are added to the portable ones. Their state is part of the arena.
#include <baton/baton.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

using namespace std::string_view_literals;

// Options of custom operators are FlexBuffers: here {"frame_size": 64, "frame_step": 32, "prefill": True}, then {"T": 7, "fft_length": 64}
// and
// {"end_index": 33, "start_index": 0}, written by Python's flatbuffers.flexbuffers.Dumps. An imported model has them in its file.
constexpr auto framing = "frame_size\0frame_step\0prefill\0\x03\x1f\x15\x0b\x03\x01\x03\x40\x20\x01\x04\x04\x68\x06\x24\x01"sv;
constexpr auto transforming = "T\0fft_length\0\x02\x0e\x0d\x02\x01\x02\x07\x40\x04\x04\x04\x24\x01"sv;
constexpr auto measuring = "end_index\0start_index\0\x02\x17\x0e\x02\x01\x02\x21\x00\x04\x04\x04\x24\x01"sv;
constexpr auto options(std::string_view bytes) -> baton::named_literal {
  baton::named_literal result{"custom_options", ""};
  result.kind = baton::attribute_kind::bytes;
  result.text = bytes;
  return result;
}

// After every 32 samples, the spectrum of the last 64 is computed. The framer stores a count of 4 bytes and 32 samples.
constexpr auto front_end = baton::static_program{[] {
  using enum baton::dtype;
  baton::program_builder build;
  const auto kept = build.mutable_buffer("samples", baton::tensor(uint8, 4 + 2 * 32));
  const auto framed = build.call_many("framer", "tfl.custom.SignalFramer", {build.user_input("sound", baton::tensor(int16, 32)), kept},
                                      {baton::tensor(int16, 1, 64), baton::tensor(boolean)}, {options(framing)});
  const auto spectrum = build.call("tfl.custom.SignalRfft", {framed[0]}, baton::tensor(int16, 1, 66), {options(transforming)});
  const auto flat = build.call("tfl.reshape", {spectrum}, baton::tensor(int16, 66), {{"new_shape", std::array<std::int64_t, 1>{66}}});
  build.output(build.call("tfl.custom.SignalEnergy", {flat}, baton::tensor(uint32, 33), {options(measuring)}));
  return build.finish();
}};

baton::executor<front_end, baton::with_kernels<baton::default_kernels + baton::signal_kernels>> net;

auto main() -> int {
  constexpr double turn = 2 * 3.14159265358979;
  std::array<std::int16_t, 32> sound{};
  std::array<std::uint32_t, 33> energy{};
  int time = 0;
  for (const int cycles : {5, 5, 5, 12, 12, 12}) {  // in 64 samples
    for (auto& sample : sound) sample = static_cast<std::int16_t>(std::lround(8000 * std::sin(turn * cycles * time++ / 64)));
    net.run(sound, energy);
    const auto* loudest = std::max_element(energy.data(), energy.data() + energy.size());
    std::printf("tone %d: %d\n", static_cast<int>(loudest - energy.data()), static_cast<int>(*loudest / 100000));
  }
}

// Output:
// tone 5: 39
// tone 5: 159
// tone 5: 159
// tone 5: 40
// tone 12: 159
// tone 12: 159
