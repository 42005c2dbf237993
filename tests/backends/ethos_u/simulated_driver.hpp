// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A driver without an accelerator. It checks every access of every command, and copies the expected output, because it computes nothing.
#pragma once

#include <baton/backends/ethos_u/command_stream.hpp>
#include <baton/backends/ethos_u/driver.hpp>
#include <baton/backends/ethos_u/payload.hpp>
#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ethos_u_tests {

/// The data that one run reads and writes.
struct script {
  baton::span<const char> weights;
  baton::span<const char> input;
  baton::span<const char> output;
  std::size_t output_at = SIZE_MAX;  ///< offset of the output in the scratch; by default, the last command writes the whole output
};

/// A run is valid if each command stays in the memory of its bases, the weights are those of the model, and the input is at the first
/// address that is read before it is written. Each write fills memory with a mark, so that old contents cannot be mistaken for a result.
/// Finally, the expected output is copied to the address of the last write.
class simulated_driver {
 public:
  static constexpr std::size_t max_memory = 98304;

  static inline baton::span<const script> scripts{};  ///< one per run, in order; repeated if there are more runs
  static inline std::size_t runs = 0;
  static inline std::size_t accesses = 0;
  static inline std::string_view fault{};  ///< of the last run
  static inline void* user_argument = nullptr;
  static inline std::uint64_t offsets[8]{};  ///< offsets of the bases of the last run, relative to the scratch

  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    user_argument = call.user_argument;
    for (std::size_t i = 0; i < call.bases.size(); ++i) offsets[i] = call.bases[i] - call.bases[1];
    fault = run(call, scripts[runs++ % scripts.size()]);
    return fault.empty() ? baton::status::ok : baton::status::internal;
  }

 private:
  static auto memory(const baton::ethos_u::invocation& call, std::size_t region) -> char* {
    return reinterpret_cast<char*>(static_cast<std::uintptr_t>(call.bases[region]));
  }

  static auto run(const baton::ethos_u::invocation& call, const script& expected) -> std::string_view {
    const auto read = baton::ethos_u::read_payload(call.payload);
    if (!read.fault.empty()) return read.fault;
    if (reinterpret_cast<std::uintptr_t>(read.stream.data()) % 16 != 0) return "the commands are misaligned";
    if (call.bases.size() != call.sizes.size() || call.bases.size() > 8) return "a base has no size";
    for (const auto base : call.bases) {
      if (base % 16 != 0) return "a base is misaligned";
    }
    bool are_weights =
        call.sizes[0] == expected.weights.size();  // a loop that stops at the first difference, because the memory may be shorter
    for (std::size_t i = 0; are_weights && i < expected.weights.size(); ++i) are_weights = memory(call, 0)[i] == expected.weights[i];
    if (!are_weights) {
      return "base 0 is not the weights";
    }
    std::fill(std::begin(is_written), std::end(is_written), false);
    char* scratch = memory(call, 1);
    std::string_view wrong;
    std::size_t input_at = none;
    std::size_t output_at = none;
    std::size_t output_end = none;
    const auto walked = baton::ethos_u::for_each_access(read.stream, [&](const baton::ethos_u::access& each) {
      ++accesses;
      if (each.region >= call.bases.size()) {
        wrong = "a command uses a base that is not there";
      } else if (each.end > call.sizes[each.region]) {
        wrong = "a command leaves the memory of its base";
      } else if (each.region == 0) {
        if (each.is_write()) wrong = "a command writes to the weights";
      } else {
        // Scratch, and the fast scratch after it.
        const auto first = static_cast<std::size_t>(call.bases[each.region] - call.bases[1] + each.first);
        const auto last = first + static_cast<std::size_t>(each.end - each.first);
        if (each.region > 2 || first > max_memory || last > max_memory) {
          wrong = "the simulated driver has too little memory";
        } else if (each.is_write()) {
          std::fill(scratch + first, scratch + last, '\x6b');
          std::fill(is_written + first, is_written + last, true);
          output_at = first;
          output_end = last;
        } else if (!std::all_of(is_written + first, is_written + last, [](bool was) { return was; })) {
          if (input_at == none) {
            input_at = first;
            const bool has_room = each.region == 1 && call.sizes[1] - first >= expected.input.size();
            if (!has_room || !std::equal(expected.input.begin(), expected.input.end(), scratch + first)) wrong = "the input is not there";
          } else if (first < input_at || last > input_at + expected.input.size()) {
            wrong = "a command reads what nobody has written";
          }
        }
      }
      return wrong.empty();
    });
    if (!wrong.empty()) return wrong;
    if (!walked.empty()) return walked;
    if (input_at == none) return "no command reads an input";
    if (expected.output_at != none) {
      output_at = expected.output_at;
      output_end = output_at + expected.output.size();
      if (output_end > max_memory || !std::all_of(is_written + output_at, is_written + output_end, [](bool was) { return was; }))
        return "a part of the output is not written";
    }
    if (output_end - output_at != expected.output.size()) return "the last command does not write the output";
    std::copy(expected.output.begin(), expected.output.end(), scratch + output_at);
    return {};
  }

  static constexpr std::size_t none = SIZE_MAX;
  static inline bool is_written[max_memory]{};
};

/// A driver with swapped weights and scratch.
struct swapped_bases {
  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    std::swap(call.bases[0], call.bases[1]);
    return simulated_driver::invoke(call);
  }
};

/// A driver whose scratch starts 16 bytes later.
struct misplaced_scratch {
  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    call.bases[1] += 16;
    const std::size_t sizes[] = {call.sizes[0], call.sizes[1] - 16, call.sizes[2], call.sizes[3], call.sizes[4]};
    return simulated_driver::invoke({call.payload, call.bases, sizes, call.user_argument});
  }
};

/// A driver whose scratch ends 16 bytes earlier.
struct short_scratch {
  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    const std::size_t sizes[] = {call.sizes[0], call.sizes[1] - 16, call.sizes[2], call.sizes[3], call.sizes[4]};
    return simulated_driver::invoke({call.payload, call.bases, sizes, call.user_argument});
  }
};

}  // namespace ethos_u_tests
