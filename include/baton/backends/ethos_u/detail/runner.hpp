// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the delegates of an accelerator: checks the processed bytes, copies inputs to the scratch, calls the driver, and copies outputs from
// the scratch.
#pragma once

#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/backends/ethos_u/detail/processed_bytes.hpp>
#include <baton/backends/ethos_u/driver.hpp>
#include <baton/core/span.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::ethos_u::detail {

/// Primary template, selected for `no_driver`. It has no `init` and `execute`, so delegates cannot run.
template <accelerator Board, class Driver>
struct runner {};

template <accelerator Board, driver Driver>
struct runner<Board, Driver> {
  struct options {
    void* user_argument = nullptr;  ///< the driver passes this pointer to `ethosu_inference_begin` and `ethosu_inference_end`
  };

  struct state {
    span<const char> weights;
  };

  static auto init(const init_context<options>& context, state& own) -> status {
    const auto bytes = context.processed_bytes.bytes();
    const processed_view content(bytes);
    switch (content.check()) {
      case processed_state::valid:
        break;
      case processed_state::of_another_version:
        return status::delegate_invalid_compatibility;
      case processed_state::damaged:
        return status::invalid_program;
    }
    if (accelerator_of(content.configuration()) != Board) return status::delegate_invalid_compatibility;
    if (!is_aligned(bytes.data())) return status::delegate_memory_allocation_failed;
    if (content.weights_bytes() == 0) return status::ok;
    const auto entries = context.named_data.own();
    if (entries.empty()) return status::not_found;
    own.weights = entries[0].bytes;
    if (own.weights.size() != content.weights_bytes()) return status::invalid_external_data;
    return is_aligned(own.weights.data()) ? status::ok : status::delegate_memory_allocation_failed;
  }

  static auto execute(const execution_context<options>& call, state& own) -> status {
    const processed_view content(call.processed_bytes);
    char* memory = call.scratch.data();
    if (call.scratch.size() < content.memory_bytes() || !is_aligned(memory)) return status::delegate_memory_allocation_failed;
    if (!has_matching_arguments(content, call)) return status::invalid_argument;
    std::array<std::uint64_t, region::max_count> bases{address_of(own.weights.data())};
    std::array<std::size_t, region::max_count> sizes{own.weights.size()};
    const auto places = std::min<std::uint32_t>(content.places(), region::max_count - 1);
    for (std::uint32_t i = 0; i < places; ++i) {
      const auto place = content.at(i);
      bases[1 + i] = address_of(memory + place.offset);
      sizes[1 + i] = place.bytes;
    }
    for (std::uint32_t i = 0; i < content.inputs(); ++i) {
      const auto place = content.input(i);
      const char* from = call.inputs[place.argument].data();
      if (from != memory + place.offset) std::memcpy(memory + place.offset, from, place.bytes);
    }
    const auto code = Driver::invoke({content.payload_bytes(),
                                      {bases.data(), std::size_t{1} + places},
                                      {sizes.data(), std::size_t{1} + places},
                                      call.options.user_argument});
    if (code != status::ok) return code;
    for (std::uint32_t i = 0; i < content.outputs(); ++i) {
      const auto place = content.output(i);
      if (place.argument == npos) continue;
      char* to = call.outputs[place.argument].data();
      if (to != memory + place.offset) std::memcpy(to, memory + place.offset, place.bytes);
    }
    return status::ok;
  }

 private:
  /// True if the arguments of a call match the processed bytes. Checked at run time, because processed bytes that are loaded at run time
  /// may belong to another revision of the model.
  static auto has_matching_arguments(const processed_view& content, const execution_context<options>& call) -> bool {
    for (std::uint32_t i = 0; i < content.inputs(); ++i) {
      const auto place = content.input(i);
      if (place.argument >= call.inputs.size() || call.inputs[place.argument].size() != place.bytes) return false;
    }
    for (std::uint32_t i = 0; i < content.outputs(); ++i) {
      const auto place = content.output(i);
      if (place.argument == npos) continue;
      if (place.argument >= call.outputs.size() || call.outputs[place.argument].size() != place.bytes) return false;
    }
    return true;
  }
  static auto address_of(const char* at) -> std::uint64_t { return reinterpret_cast<std::uintptr_t>(at); }
  static auto is_aligned(const char* at) -> bool { return address_of(at) % alignment == 0; }
};

}  // namespace baton::ethos_u::detail
