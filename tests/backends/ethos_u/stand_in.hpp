// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A driver without an accelerator: it walks every command, and checks what the accelerator would do and where; what it would compute, it is
// told.
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

/// What one run reads and makes.
struct script {
  baton::span<const char> weights;
  baton::span<const char> input;
  baton::span<const char> output;
};

/// A run is right where each command keeps to the memory of its bases, the weights are those of the model, and the input stands where the
/// first command reads memory that no command has written. Everything that is written gets a mark, so that nothing that lies there by
/// chance is taken for a result; then the output is put where the last command writes.
class stand_in {
 public:
  static constexpr std::size_t most_memory = 98304;

  static inline baton::span<const script> scripts{};  ///< of the runs, in order, again and again
  static inline std::size_t runs = 0;
  static inline std::size_t accesses = 0;
  static inline std::string_view fault{};  ///< of the last run
  static inline void* user_argument = nullptr;

  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    user_argument = call.user_argument;
    fault = run(call, scripts[runs++ % scripts.size()]);
    return fault.empty() ? baton::status::ok : baton::status::internal;
  }

 private:
  static auto memory(const baton::ethos_u::invocation& call, std::size_t region) -> char* {
    return reinterpret_cast<char*>(static_cast<std::uintptr_t>(call.bases[region]));
  }

  static auto run(const baton::ethos_u::invocation& call, const script& told) -> std::string_view {
    const auto read = baton::ethos_u::read_payload(call.payload);
    if (!read.fault.empty()) return read.fault;
    if (reinterpret_cast<std::uintptr_t>(read.stream.data()) % 16 != 0) return "the commands are misaligned";
    if (call.bases.size() != call.sizes.size() || call.bases.size() > 8) return "a base has no size";
    for (const auto base : call.bases) {
      if (base % 16 != 0) return "a base is misaligned";
    }
    bool are_weights = call.sizes[0] == told.weights.size();  // a loop, which stops at the first difference: there may be less memory
    for (std::size_t i = 0; are_weights && i < told.weights.size(); ++i) are_weights = memory(call, 0)[i] == told.weights[i];
    if (!are_weights) {
      return "base 0 is not the weights";
    }
    if (call.sizes[1] > most_memory) return "the stand-in remembers too little";
    std::fill(std::begin(is_written), std::end(is_written), false);
    std::string_view wrong;
    std::uint64_t input_at = call.sizes[1];
    std::uint64_t output_at = 0;
    std::uint64_t output_end = 0;
    const auto walked = baton::ethos_u::for_each_access(read.stream, [&](const baton::ethos_u::access& each) {
      ++accesses;
      if (each.region >= call.bases.size()) {
        wrong = "a command uses a base that is not there";
      } else if (each.last > call.sizes[each.region]) {
        wrong = "a command leaves the memory of its base";
      } else if (each.region > 1) {
        if (each.is_write()) wrong = "the stand-in knows results in scratch only";
      } else if (each.is_write()) {
        if (each.region == 0) wrong = "a command writes to the weights";
        std::memset(memory(call, each.region) + each.first, 0x6b, static_cast<std::size_t>(each.last - each.first));
        std::fill(is_written + each.first, is_written + each.last, true);
        output_at = each.first;
        output_end = each.last;
      } else if (each.region == 1 && !std::all_of(is_written + each.first, is_written + each.last, [](bool was) { return was; })) {
        if (input_at == call.sizes[1]) {
          input_at = each.first;
          const bool is_there = call.sizes[1] - input_at >= told.input.size();
          if (!is_there || std::memcmp(memory(call, 1) + input_at, told.input.data(), told.input.size()) != 0)
            wrong = "the input is not there";
        } else if (each.first < input_at || each.last > input_at + told.input.size()) {
          wrong = "a command reads what nobody has written";
        }
      }
      return wrong.empty();
    });
    if (!wrong.empty()) return wrong;
    if (!walked.empty()) return walked;
    if (input_at == call.sizes[1]) return "no command reads an input";
    if (output_end - output_at != told.output.size()) return "the last command does not write the output";
    std::memcpy(memory(call, 1) + output_at, told.output.data(), told.output.size());
    return {};
  }

  static inline bool is_written[most_memory]{};
};

/// A driver that gets weights and scratch the wrong way round.
struct swapped_bases {
  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    std::swap(call.bases[0], call.bases[1]);
    return stand_in::invoke(call);
  }
};

/// A driver whose scratch begins 16 bytes later.
struct misplaced_scratch {
  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    call.bases[1] += 16;
    const std::size_t sizes[] = {call.sizes[0], call.sizes[1] - 16, call.sizes[2], call.sizes[3], call.sizes[4]};
    return stand_in::invoke({call.payload, call.bases, sizes, call.user_argument});
  }
};

/// A driver whose scratch ends 16 bytes earlier.
struct short_scratch {
  static auto invoke(const baton::ethos_u::invocation& call) -> baton::status {
    const std::size_t sizes[] = {call.sizes[0], call.sizes[1] - 16, call.sizes[2], call.sizes[3], call.sizes[4]};
    return stand_in::invoke({call.payload, call.bases, sizes, call.user_argument});
  }
};

}  // namespace ethos_u_tests
