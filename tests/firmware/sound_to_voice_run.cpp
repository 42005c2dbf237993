// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// From sound to the probability of a voice on a Cortex-M4: an audio front end and a streaming model, both stateful, in one image. The
// expected sums of features and probabilities were computed by the two models in TensorFlow Lite Micro's Python package on the same
// samples.
#include <baton/baton.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "cortex_m/measure.hpp"
#include "cortex_m/semihosting.hpp"
#include "esphome_v2_vad.tflite.hpp"
#include "tflm_audio_preproc_int8.tflite.hpp"

namespace {

constexpr std::size_t samples_per_frame = 480;
constexpr std::size_t features_per_frame = 40;
constexpr std::size_t frames_per_step = 3;
constexpr std::int32_t sums_of_features[] = {10975, 7728, 5686, 3290, 1024, 759, -1184, -1393, -2915, -4435};
constexpr std::uint8_t probabilities[] = {3, 3, 2, 1, 1, 1, 1, 1, 1, 5};

baton::executor<baton::tflite::read<tflm_audio_preproc_int8_tflite>, baton::with_kernels<baton::portable_kernels + baton::signal_kernels>>
    front_end;
baton::executor<baton::tflite::read<esphome_v2_vad_tflite>> voice;

/// A tone that becomes louder and lower, and noise.
class sound {
 public:
  auto next() -> std::int16_t {
    noise_ ^= noise_ << 13;
    noise_ ^= noise_ >> 17;
    noise_ ^= noise_ << 5;
    const auto noise = static_cast<std::int32_t>(noise_ >> 24) - 128;
    const auto period = 40 + time_ / 4000 * 7;
    const auto wave = std::abs(2 * (time_ % period) - period) * 2 - period;
    const auto loudness = std::min<std::int32_t>(time_ / 64, 600);
    ++time_;
    const auto tone = wave * loudness;
    const auto quarter = tone >> 2;
    return static_cast<std::int16_t>(std::clamp<std::int32_t>(quarter + noise * 4, -32768, 32767));
  }

 private:
  std::int32_t time_ = 0;
  std::uint32_t noise_ = 0x1234567;
};

}  // namespace

int main() {
  sound from;
  std::array<std::int16_t, samples_per_frame> samples{};
  std::array<std::int8_t, frames_per_step * features_per_frame> features{};
  std::array<std::uint8_t, 1> probability{};
  bool is_exact = true;
  std::uint64_t instructions = 0;
  for (std::size_t step = 0; step < std::size(probabilities); ++step) {
    firmware::instruction_counter::start();
    for (std::size_t frame = 0; frame < frames_per_step; ++frame) {
      for (auto& sample : samples) sample = from.next();
      front_end.run(samples, std::span(features).subspan(frame * features_per_frame).first<features_per_frame>());
    }
    voice.run(features, probability);
    instructions = firmware::instruction_counter::count();
    std::int32_t sum = 0;
    for (const auto feature : features) sum += feature;
    is_exact = is_exact && sum == sums_of_features[step] && probability[0] == probabilities[step];
  }
  firmware::print("sound to voice on Cortex-M4: features and probabilities ", is_exact ? "equal" : "DIFFER from", " the reference's\n");
  firmware::print("instructions of a step of 90 ms, sound included: ", instructions, "\nRAM: arenas ", front_end.arena_bytes, " and ",
                  voice.arena_bytes, "\n");
  return is_exact ? 0 : 1;
}
